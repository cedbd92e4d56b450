package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// On a VDSL2 line with PPPoE, shaped on the PPP device or under it, a call is
// held up by no more than 2 ms and one and a half full packets, and a transfer
// gets what the framing leaves it, to 3 %. What waits waits in the router.
func TestPPPoEUnderLoad(t *testing.T) {
	for _, place := range pppoePlaces {
		for _, qdisc := range []string{"cake", "fq_codel"} {
			for _, d := range []linklayer.Direction{linklayer.Egress, linklayer.Ingress} {
				c := pppoeCell{place, qdisc, d}
				t.Run(c.name(), func(t *testing.T) { kernellab.Run(t, c.check) })
			}
		}
	}
}

// pppoeCell is a line with PPPoE and its load.
type pppoeCell struct {
	place, qdisc string
	direction    linklayer.Direction
}

func (c pppoeCell) name() string { return fmt.Sprintf("%s/%s/%s", c.place, c.qdisc, c.direction) }

// check runs the cell once, and if the call is late twice more: then the median
// counts, since fq_codel hashes ports with a number of its own, by which the call
// and the transfer may share a queue.
func (c pppoeCell) check(t *testing.T) {
	var late []time.Duration
	for len(late) == 0 || len(late) < 3 && slices.Max(late) > 0 {
		t.Run(fmt.Sprintf("run %d", len(late)+1), func(t *testing.T) { late = append(late, c.late(t)) })
		if t.Failed() {
			return
		}
	}
	slices.Sort(late)
	if middle := late[len(late)/2]; middle > 0 {
		t.Errorf("95 %% of the call's packets stay below a delay that is %v too long", middle)
	}
}

// late is by how much the call's 95th percentile is beyond its bound.
func (c pppoeCell) late(t *testing.T) time.Duration {
	const access, packet, payload, ofCall = "vdsl2-pppoe", 1492, 1492 - 20 - 32, 200
	s := newPPPoEStory(t, c.place, access, c.qdisc, 10*linklayer.Mbit, 50*linklayer.Mbit)
	s.apply()
	rate, line := s.shaped(c), linkType(access).Encapsulation
	call := s.Call(c.direction)
	time.Sleep(10 * time.Second)
	idle := call.Delay()
	load := s.Upload
	if c.direction == linklayer.Ingress {
		load = s.Download
	}
	transfer := load(1, "cubic")
	time.Sleep(10 * time.Second)
	call.Discard()
	transfer.Discard()
	router, modem := s.watchQueues(c, 30*time.Second)
	delay, goodput := call.Delay(), transfer.Goodput()

	full := line.WireSize(packet)
	most := idle.P95 + 2*time.Millisecond + rate.Time(full*3/2)
	allowed := float64(rate-linklayer.Rate(line.WireSize(ofCall)*8*callsPerSecond)) * payload / float64(full)
	part := float64(goodput) / allowed
	t.Logf("under load: %s: 95 %% below %.2f ms, idle %.2f, bound %.2f; goodput %.1f %% of what the framing allows; packets waiting in the router %.2f, before the line %.2f; %d of %d lost",
		c.name(), ms(delay.P95), ms(idle.P95), ms(most), part*100, router, modem, delay.Lost, delay.Count+delay.Lost)
	if idle.Count < 400 || delay.Count < 1400 {
		t.Errorf("only %d packets of the call arrived, %d before", delay.Count, idle.Count)
	}
	if part < 0.97 || part > 1.005 {
		t.Errorf("goodput is %.3f of what the framing allows", part)
	}
	if router < 2 || modem > 1 {
		t.Errorf("%.2f packets wait in the router and %.2f before the line: the queue should be in the router", router, modem)
	}
	return delay.P95 - most
}

// shaper is the device that the direction is queued at.
func (c pppoeCell) shaper() string {
	if c.direction == linklayer.Ingress {
		return plan.IFBName(c.place)
	}
	return c.place
}

// shaped is what the line's bits are held to: the profile's rate, which a tree
// takes 64 of 65 parts of because of PTM.
func (s *story) shaped(c pppoeCell) linklayer.Rate {
	s.t.Helper()
	found := readState(s.t, s.Router)
	rate := found.Device(c.shaper()).ShapedRate()
	if c.qdisc == "fq_codel" {
		rate = rate / 64 * 65
	}
	return rate
}

// watchQueues is how many packets wait on average in the router's shaper and
// before the line.
func (s *story) watchQueues(c pppoeCell, stretch time.Duration) (router, modem float64) {
	s.t.Helper()
	before := "net"
	if c.direction == linklayer.Ingress {
		before = "router"
	}
	const interval = 100 * time.Millisecond
	looks := stretch / interval
	for range looks {
		time.Sleep(interval)
		router += float64(queued(readState(s.t, s.Router), c.shaper())) / float64(looks)
		modem += float64(queued(readState(s.t, s.Modem), before)) / float64(looks)
	}
	return router, modem
}

func queued(found plan.State, device string) uint64 {
	return found.Device(device).At(plan.HandleRoot).Stats.Queued
}
