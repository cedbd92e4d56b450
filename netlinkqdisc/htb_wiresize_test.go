package netlinkqdisc

import (
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// What HTB charges by its size table is what the line takes, for packets of all
// sizes, in plain bytes and in cells, padded and not.
func TestTreeChargesWireSizeKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		quiet(t, "wan")
		k := open(t)
		for _, e := range []linklayer.Encapsulation{
			{Overhead: 38, MPU: 84}, {Overhead: 18, MPU: 64}, {Overhead: 0}, {Overhead: 40, Framing: linklayer.ATM},
			{Overhead: -10, MPU: 53, Framing: linklayer.ATM}, {Overhead: 44},
		} {
			link := wanTree(up, down)
			link.Ingress = nil
			s := link.Egress.Qdisc.Stab
			*s = plan.Stab{Overhead: e.Overhead - 14, MPU: e.MPU, ATM: e.Framing == linklayer.ATM}
			if s.MPU > 0 || s.ATM {
				s.MTU, s.Size = 2047, 2048
			}
			mustApplyLink(t, k, link)
			for size := 28; size <= 1500; size += 47 {
				before := charged(t, k)
				sendSized(t, "wan", size)
				if got, want := charged(t, k)-before, uint64(e.WireSize(size)); got != want {
					t.Errorf("%+v: a packet of %d bytes costs %d, want %d", e, size, got, want)
				}
			}
		}
	})
}

// charged is what the class has sent.
func charged(t *testing.T, k *Kernel) uint64 {
	t.Helper()
	found := read(t, k)
	return device(t, found, "wan").Classes[0].Stats.Bytes
}
