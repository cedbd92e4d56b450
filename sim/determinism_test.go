package sim

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

var writeHashes = flag.Bool("hashes", false, "write "+hashesFile)

// sameEverywhere are scenarios that between them have every qdisc, congestion
// control, shape of a rate and framing.
func sameEverywhere() (all []Scenario) {
	for i, q := range append([]Qdisc{None}, Qdiscs...) {
		shape := Shape(i % int(Trace+1))
		s := Scenario{Delay: time.Duration(3+i) * time.Millisecond, Duration: 6 * time.Second, Warmup: 2 * time.Second, Seed: uint64(i)}
		for d := range s.Ways {
			rate := linklayer.Rate(7+i+20*d) * linklayer.Mbit
			wire := linklayer.Encapsulation{Overhead: 22 + i, Framing: linklayer.Framing((i + d) % 3)}
			s.Ways[d] = Way{
				Line: Line{
					Rate: rate, Buffer: 100_000 + 1000*i, Encapsulation: wire, Burst: 2000 * (i % 2),
					Vary: Vary{
						Shape: shape, Amplitude: 0.137, Period: 1700 * time.Millisecond, At: 3 * time.Second,
						Trace: []float64{1, 0.913, 1.0712}, Interval: 333 * time.Millisecond,
					},
				},
				Router: Router{Qdisc: q, Shaper: rate / 100 * 93, Charge: &wire, ECN: i%2 == 0, Cake: plan.Cake{
					Rate: rate / 100 * 93, Diffserv: plan.Diffserv(i % 5), Isolation: plan.TripleIsolate, RTT: 100 * time.Millisecond,
					Target: 5 * time.Millisecond, Encapsulation: wire, Ingress: d == 1, AckFilter: plan.AckFilterOn, SplitGSO: true,
				}},
				Load: Load{
					Flows: 1 + i + d, Congestion: Congestions[i%len(Congestions)], SlowStart: SlowStarts[i%len(SlowStarts)],
					ECN: i%2 == 0, Call: true, Ping: true, Web: true,
				},
			}
		}
		all = append(all, s)
	}
	return all
}

const hashesFile = "testdata/determinism.txt"

// The same scenario gives the same result on every processor. The hashes are
// those of amd64; after a change of what is simulated, -hashes writes new ones.
// For another processor build the test with GOARCH=arm64, or with GOARCH=mips
// GOMIPS=softfloat, and run it in this folder under qemu-user.
func TestSameOnEveryProcessor(t *testing.T) {
	var got strings.Builder
	for _, s := range sameEverywhere() {
		r, err := Run(s)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%x %s\n", sha256.Sum256(fmt.Appendf(nil, "%+v", *r)), s.Ways[0].Router.Qdisc)
	}
	if *writeHashes {
		if err := os.WriteFile(hashesFile, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(hashesFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("results (-amd64 +here):\n%s", diff)
	}
}
