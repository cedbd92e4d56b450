package netlinkqdisc

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestReadCakeOfAKernel(t *testing.T) {
	tests := []struct {
		label string
		want  plan.Cake
	}{
		{"qdisc wan cake 7371: parent root", plan.Cake{
			Rate:          19 * linklayer.Mbit,
			Diffserv:      plan.Diffserv4,
			Isolation:     plan.DualSrchost,
			NAT:           true,
			Wash:          true,
			AckFilter:     plan.AckFilterOn,
			SplitGSO:      true,
			RTT:           30 * time.Millisecond,
			Target:        1500 * time.Microsecond,
			Encapsulation: linklayer.Encapsulation{Overhead: -4, MPU: 64, Framing: linklayer.PTM},
			MemoryLimit:   5 << 20,
			FwMark:        0xF0,
		}},
		{"qdisc ifb4wan cake 3: parent root", plan.Cake{
			Diffserv:  plan.Besteffort,
			Isolation: plan.TripleIsolate,
			SplitGSO:  true,
			RTT:       100 * time.Millisecond,
			Target:    5 * time.Millisecond,
			Raw:       true,
		}},
	}
	for _, test := range tests {
		got, err := readCake(capturedMessage(t, test.label).attribute[unix.TCA_OPTIONS])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&test.want, got); diff != "" {
			t.Errorf("%s: %s", test.label, diff)
		}
	}
}

func TestReadCake(t *testing.T) {
	tests := []struct {
		name    string
		options []byte
		want    plan.Cake
	}{
		{"nothing said", nil, plan.Cake{}},
		{"bytes become bits", nest(cakeRate64, b64(1)), plan.Cake{Rate: 8}},
		{"switches", nest(cakeAutorate, b32(1), cakeIngress, b32(1), cakeAckFilter, b32(2)),
			plan.Cake{Autorate: true, Ingress: true, AckFilter: plan.AckFilterAggressive}},
		// cake_calc_overhead adds an overhead that is left over under raw too.
		{"raw by being there", nest(cakeOverhead, b32(44), cakeRaw, b32(0), cakeMPU, b32(64)),
			plan.Cake{Raw: true, Encapsulation: linklayer.Encapsulation{Overhead: 44, MPU: 64}}},
		{"attributes of the future", nest(99, b64(1), cakeATM, b32(1)),
			plan.Cake{Encapsulation: linklayer.Encapsulation{Framing: linklayer.ATM}}},
		{"a mode of the future", nest(cakeDiffserv, b32(17)), plan.Cake{Diffserv: 17}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := readCake(test.options)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadCakeRefuses(t *testing.T) {
	for name, options := range map[string][]byte{
		"unknown framing": nest(cakeATM, b32(3)),
		"cut off":         nest(cakeRate64, b64(1))[:9],
	} {
		if got, err := readCake(options); err == nil {
			t.Errorf("%s: %+v without an error", name, got)
		}
	}
}
