package qdisc

import (
	"slices"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/netlinkqdisc"
	"github.com/sqmctl/sqmctl/plan"
)

// burst is how many packets are sent at once. They leave one each 1.1 ms.
const burst = 800

// A kernel's qdisc and its model get the same burst of one flow, and must have
// dropped as many packets at each moment.
func TestDropsKernel(t *testing.T) {
	const rate = 11 * linklayer.Mbit // 1514 bytes in 1.1 ms: the target isn't a multiple
	cake := plan.Cake{Rate: rate, Diffserv: plan.Besteffort, Isolation: plan.Flows, Raw: true}
	ingress := cake
	ingress.Ingress = true
	tests := []struct {
		name, words string
		parent      plan.Handle
		model       Qdisc
	}{
		{"codel", htbWords + "codel", 0x10001, NewHTB(NewCoDel(1000, CoDelTarget, CoDelInterval, false), rate, 1600, FrameCharge())},
		{"fq_codel", htbWords + "fq_codel", 0x10001, NewHTB(NewFQCodel(FQCodelOptions{}, 1), rate, 1600, FrameCharge())},
		{"cake", "qdisc add dev wan root handle 1: cake bandwidth 11mbit besteffort flows raw", plan.HandleRoot, NewCake(cake, 1)},
		{"cake ingress", "qdisc add dev wan root handle 1: cake bandwidth 11mbit besteffort flows raw ingress", plan.HandleRoot, NewCake(ingress, 1)},
	}
	kernellab.Run(t, func(t *testing.T) {
		router, _ := kernellab.NewVeth(t)
		for _, test := range tests {
			router.Batch("tc", test.words+"\n")
			router.In(func() { compareDrops(t, test.name, kernelDrops(t, test.parent), test.model) })
			router.Batch("tc", "qdisc del dev wan root\n")
		}
	})
}

const htbWords = `qdisc add dev wan root handle 1: htb default 1
class add dev wan parent 1: classid 1:1 htb rate 11mbit burst 1600 cburst 1600
qdisc add dev wan parent 1:1 handle 2: `

// sample is what was read between two moments after the burst.
type sample struct {
	from, to time.Duration
	drops    int64
}

// kernelDrops sends the burst and reads the drops each 10 ms.
func kernelDrops(t *testing.T, parent plan.Handle) (all []sample) {
	t.Helper()
	k, err := netlinkqdisc.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	sendBurst(t, "wan")
	began := time.Now()
	for range 70 {
		time.Sleep(10 * time.Millisecond)
		from := time.Since(began)
		state, err := k.Read()
		if err != nil {
			t.Fatal(err)
		}
		drops := state.Device("wan").At(parent).Stats.Drops
		all = append(all, sample{from, time.Since(began), int64(drops)})
	}
	return all
}

func sendBurst(t *testing.T, device string) {
	t.Helper()
	packet := kernellab.UDPPacket(1500)
	copy(packet[12:], []byte{192, 0, 2, 1, 192, 0, 2, 2})
	kernellab.SendPackets(t, device, slices.Repeat([][]byte{packet}, burst)...)
}

// compareDrops lets a model do the same.
func compareDrops(t *testing.T, name string, samples []sample, q Qdisc) {
	t.Helper()
	const begin = 100e9 // a kernel has been up for a while
	for i := range burst {
		q.Enqueue(Packet{Size: 1514, Flow: 1, Kind: Sparse, Seq: uint32(i)}, begin)
		q.Dequeue(begin)
	}
	until := func(d time.Duration) int64 {
		for q.Ready() <= begin+int64(d) {
			q.Dequeue(max(q.Ready(), begin))
		}
		return q.Signals().Dropped()
	}
	for _, s := range samples {
		if low, high := until(s.from), until(s.to); s.drops < low || s.drops > high {
			t.Errorf("%s: after %v the kernel has dropped %d, the model %d", name, s.to, s.drops, high)
		}
	}
	if samples[len(samples)-1].drops < 10 {
		t.Errorf("%s: the kernel has dropped only %d", name, samples[len(samples)-1].drops)
	}
}
