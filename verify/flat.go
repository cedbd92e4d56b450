package verify

import (
	"fmt"
	"slices"

	"github.com/sqmctl/sqmctl/linklayer"
)

const (
	flatLooks  = 20   // intervals that a flat throughput far below the rate needs
	flatLeast  = 0.1  // of the shaper's rate, so that a stream isn't taken for a test
	flatMost   = 0.05 // how far from the middle the tenth and the ninetieth of a hundred may be
	flatPacket = 1200 // bytes on average: a transfer
)

// flat is a throughput that stood still far below the shaper's rate for the
// whole time. A transfer that goes as fast as it can does that at the slowest
// hop; so does one whose server or program has a pace, hence only a notice.
func (d *direction) flat() *Finding {
	rates := d.throughputs()
	if len(rates) < flatLooks {
		return nil
	}
	slices.Sort(rates)
	low, middle, high := rates[len(rates)/10], rates[len(rates)/2], rates[len(rates)*9/10]
	rate := d.rate(d.last())
	if middle < flatLeast*float64(rate) || low < (1-flatMost)*middle || high > (1+flatMost)*middle {
		return nil
	}
	seen := linklayer.Rate(middle).Less(0)
	f := d.finding(Flat, Notice, "if that was a speed test, the line or the processor gives no more: set a rate about 5 % below it, then run: sqmctl apply",
		"the %s stood at %s all the time, far below the shaper's %s: something else is the bottleneck, if it was meant to go as fast as it can", d.shaper.Direction, seen, rate)
	return f.numbered("throughput_bit_per_s", float64(seen))
}

// throughputs are the rates between samples of what the shaper sent, in bit/s;
// none if its packets are too short for a transfer.
func (d *direction) throughputs() []float64 {
	var rates []float64
	var bytes, packets uint64
	for i := 1; i < len(d.samples); i++ {
		before, after := d.root(&d.samples[i-1]), d.root(&d.samples[i])
		elapsed := d.samples[i].Time.Sub(d.samples[i-1].Time)
		if before == nil || after == nil || elapsed <= 0 {
			continue
		}
		n := delta(before.Stats.Bytes, after.Stats.Bytes)
		bytes, packets = bytes+n, packets+delta(before.Stats.Packets, after.Stats.Packets)
		rates = append(rates, float64(n)*8/elapsed.Seconds())
	}
	if bytes < packets*flatPacket {
		return nil
	}
	return rates
}

// speedTest is what a speed test shows when the shaper works: what is left of
// full packets when all headers are off.
func (d *direction) speedTest(rate linklayer.Rate) []string {
	const headers, timestamps = 20 + 20, 12 // IPv4 and TCP
	root, device := d.root(d.last()), d.device(d.last())
	if root.Cake == nil || root.Cake.Raw || device.MTU < 576 {
		return nil
	}
	share := float64(device.MTU-headers-timestamps) / float64(root.Cake.Encapsulation.WireSize(device.MTU))
	return []string{fmt.Sprintf("a speed test shows about %.1f Mbit/s of that, %.0f %%: the rest is headers", share*float64(rate)/1e6, 100*share)}
}
