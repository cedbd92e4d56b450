package netlinkqdisc

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

// What CAKE dumps is what it takes: nothing but the counters is left out.
func TestCakeAgain(t *testing.T) {
	was := capturedMessage(t, "qdisc wan cake 7371: parent root")
	again, err := parseMessage(qdiscAgain(was))
	if err != nil {
		t.Fatal(err)
	}
	if again.index != was.index || again.handle != was.handle || again.parent != was.parent || again.kind != "cake" {
		t.Errorf("%+v", again)
	}
	if !bytes.Equal(again.attribute[unix.TCA_OPTIONS], was.attribute[unix.TCA_OPTIONS]) {
		t.Error("the options are not those of the dump")
	}
	for _, kind := range []int{unix.TCA_STATS, unix.TCA_STATS2, unix.TCA_XSTATS, unix.TCA_STAB} {
		if again.attribute[kind] != nil {
			t.Errorf("attribute %d is in the request", kind)
		}
	}
}

func TestQdiscRepairs(t *testing.T) {
	sfq := func(limit, flows uint32) []byte { return structOf(1514, 10, limit, 1024, flows) }
	tests := []struct {
		name, kind  string
		dumped, ask []byte
	}{
		{"htb without the minor version", "htb", nest(2, structOf(0x30011, 10)), nest(2, structOf(3, 10))},
		{"sfq that was told its limit", "sfq", sfq(100, 100), sfq(100, 100)},
		{"sfq that was not", "sfq", sfq(127, 128), sfq(0, 128)},
		{"sfq cut off", "sfq", sfq(127, 128)[:12], sfq(127, 128)[:12]},
		{"red with flags in both places", "red",
			nest(1, structOf(1, 2, 3, 0x01020304), 4, b64(1)),
			append(nest(1, structOf(1, 2, 3, 0x00020304), 4, b64(1)), nest(2, make([]byte, 256))...)},
		{"choke", "choke", nest(1, structOf(1, 2, 3, 0x01020304)), nest(1, structOf(1, 2, 3, 0x01020304), 2, make([]byte, 256))},
		{"codel's times are rounded down", "codel", nest(1, b32(4999), 2, b32(1000), 3, b32(99999), 5, b32(0)), nest(1, b32(5000), 2, b32(1000), 3, b32(100000), 5, b32(1))},
		{"fq_codel's too", "fq_codel", nest(1, b32(4999), 3, b32(99999), 5, b32(1024), 7, b32(499)), nest(1, b32(5000), 3, b32(100000), 5, b32(1024), 7, b32(500))},
		{"others as they are", "pfifo", []byte{1, 2, 3, 4}, []byte{1, 2, 3, 4}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dumped := bytes.Clone(test.dumped)
			m, err := parseMessage(qdiscAgain(tcMessage(test.kind, 0x10000, plan.HandleRoot, unix.TCA_OPTIONS, dumped)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.ask, m.attribute[unix.TCA_OPTIONS]); diff != "" {
				t.Error(diff)
			}
			if !bytes.Equal(dumped, test.dumped) {
				t.Error("the dump itself was changed")
			}
		})
	}
}

func TestCompleteStab(t *testing.T) {
	base := func(cellLog, sizeLog byte, atm bool, mpu, entries uint32) []byte {
		layer := uint32(1)
		if atm {
			layer = linklayerATM
		}
		return append([]byte{cellLog, sizeLog, 0xFF, 0xFF}, structOf(20, layer, mpu, 2047, entries)...)
	}
	entries := func(sizes ...uint16) (b []byte) {
		for _, s := range sizes {
			b = append(b, b16(s)...)
		}
		return b
	}
	tests := []struct {
		name string
		base []byte
		want []byte
	}{
		{"overhead only", base(0, 0, false, 0, 0), nil},
		{"mpu", base(5, 0, false, 64, 4), entries(64, 64, 96, 128)},
		{"cells", base(4, 0, true, 0, 4), entries(53, 53, 53, 106)},
		{"in larger units", base(4, 1, true, 60, 4), entries(53, 53, 53, 53)},
	}
	for _, test := range tests {
		var table [stabMax + 1][]byte
		if err := parse(completeStab(nest(stabBase, test.base)), table[:]); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([][]byte{nil, test.base, test.want}, table[:]); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	if short := nest(stabBase, []byte{1, 2}); !bytes.Equal(completeStab(short), short) {
		t.Error("a base that is cut off was changed")
	}
}

// The entries of a size table can't be seen, but they can be measured.
func TestStabAgainKernel(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		script(t, wanAndLan)
		quiet(t, "wan")
		k := open(t)
		for _, stab := range []string{
			"linklayer atm overhead -4 mtu 2047 mpu 0 tsize 512",
			"linklayer atm overhead 18 mtu 1500 mpu 60 tsize 64",
			"linklayer ethernet overhead 24 mtu 1600 mpu 84 tsize 128",
			"linklayer ethernet overhead 7",
		} {
			run(t, "tc qdisc replace dev wan root handle 9: stab "+stab+" pfifo")
			was := measure(t, k)
			s, err := k.snapshot()
			if err != nil {
				t.Fatal(err)
			}
			a := newApplication(k, s)
			tree, err := a.take(a.index["wan"], plan.HandleRoot)
			if err != nil {
				t.Fatal(err)
			}
			run(t, "tc qdisc delete dev wan root")
			if err := k.again(tree); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(was, measure(t, k)); diff != "" {
				t.Errorf("%s: %s", stab, diff)
			}
		}
	})
}

// quiet stops the packets that the kernel itself sends.
func quiet(t *testing.T, device string) {
	t.Helper()
	if err := os.WriteFile("/proc/sys/net/ipv6/conf/"+device+"/disable_ipv6", []byte("1"), 0); err != nil {
		t.Fatal(err)
	}
}

// measure is what packets of some sizes count for in wan's root qdisc.
func measure(t *testing.T, k *Kernel) (counted []uint64) {
	t.Helper()
	for _, size := range []int{28, 40, 64, 100, 106, 200, 577, 1000, 1486, 1500} {
		_, _, before := rootOfWanOnly(t, k)
		sendSized(t, "wan", size)
		_, _, after := rootOfWanOnly(t, k)
		counted = append(counted, after.Stats.Bytes-before.Stats.Bytes)
	}
	return counted
}
