package netlinkqdisc

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// u32Dump is what the kernel lists of one priority of u32.
func u32Dump(prio uint32, handles ...plan.Handle) []message {
	var all []message
	for _, h := range append([]plan.Handle{0}, handles...) {
		options := nest(u32Sel, make([]byte, u32SelLength), u32Hash, b32(uint32(h)&^u32Node))
		if h&u32Key == 0 {
			options = nest(u32Divisor, b32(1))
		}
		m := tcMessage("u32", h, plan.HandleIngressQdisc, unix.TCA_OPTIONS, options)
		if h == 0 {
			m = tcMessage("u32", h, plan.HandleIngressQdisc)
		}
		m.info = prio<<16 | 3
		all = append(all, *m)
	}
	return all
}

// told is requests in short: what, priority, handle.
func told(requests []request) (all []string) {
	for _, r := range requests {
		m, err := parseMessage(r.payload)
		if err != nil {
			panic(err)
		}
		verb := "new"
		if r.kind == unix.RTM_DELTFILTER {
			verb = "del"
		}
		all = append(all, fmt.Sprintf("%s %d %x", verb, m.info>>16, uint32(m.handle)))
	}
	return all
}

func TestFiltersAgain(t *testing.T) {
	matchall := func(prio uint32) []message {
		head, m := tcMessage("matchall", 0, 0), tcMessage("matchall", 1, 0, unix.TCA_OPTIONS, nest(3, b32(8)))
		head.info, m.info = prio<<16|3, prio<<16|3
		return []message{*head, *m}
	}
	tests := []struct {
		name   string
		dumped []message
		want   []string
	}{
		{"nothing", nil, nil},
		{"matchall", matchall(10), []string{"new 10 1"}},
		{"u32 in the order of creation", slices.Concat(u32Dump(5, 0x80100000, 0x80100800), u32Dump(7, 0x80000800, 0x80000000)),
			[]string{"new 7 0", "new 5 0", "new 5 800", "new 7 800"}},
		{"tables before what leads to them", u32Dump(5, 0x00300000, 0x00200000, 0x00203800, 0x80000000, 0x80000800),
			[]string{"new 5 0", "new 5 200000", "new 5 300000", "new 5 203800", "new 5 800"}},
		{"a gap is filled for a while", slices.Concat(matchall(0xFFFF), u32Dump(5, 0x80200000, 0x80200800)),
			[]string{"new 65534 0", "new 65533 0", "new 5 0", "new 65535 1", "new 5 800", "del 65534 0", "del 65533 0"}},
		{"an empty one", u32Dump(5, 0x80000000), []string{"new 5 0"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, told(filtersAgain(byPriority(test.dumped)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMissingFrom(t *testing.T) {
	a, b, c := u32Dump(1, 0x80000000), u32Dump(2, 0x80100000), u32Dump(3, 0x80200000)
	other := u32Dump(2, 0x80100000)
	for i := range other {
		other[i].kind = "flower"
	}
	priorities := func(dumps ...[]message) (info []uint32) {
		for _, p := range byPriority(slices.Concat(dumps...)) {
			info = append(info, p.info()>>16)
		}
		return info
	}
	tests := []struct {
		name          string
		now, had      []message
		missing, redo []uint32
	}{
		{"all there", slices.Concat(a, b), slices.Concat(a, b), nil, nil},
		{"others stay", slices.Concat(a, c), slices.Concat(a, other, c), []uint32{2}, nil},
		{"u32 has all u32 made anew", slices.Concat(other, c), slices.Concat(a, other, c), []uint32{1}, []uint32{3}},
		{"one of ours too", c, a, []uint32{1}, []uint32{3}},
	}
	for _, test := range tests {
		missing, redo := missingFrom(byPriority(test.now), byPriority(test.had))
		var m, r [][]message
		for _, p := range missing {
			m = append(m, p)
		}
		for _, p := range redo {
			r = append(r, p)
		}
		if diff := cmp.Diff([][]uint32{test.missing, test.redo}, [][]uint32{priorities(m...), priorities(r...)}); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestFilterAgain(t *testing.T) {
	m := capturedMessage(t, "filter wan u32 prio 20 handle 80000800")
	again, err := parseMessage(filterAgain(m, 0x80000000))
	if err != nil {
		t.Fatal(err)
	}
	if again.handle != 0x800 || again.info != m.info || again.parent != m.parent {
		t.Errorf("%+v", again)
	}
	var was, now [u32Max + 1][]byte
	if err := first(parse(m.attribute[unix.TCA_OPTIONS], was[:]), parse(again.attribute[unix.TCA_OPTIONS], now[:])); err != nil {
		t.Fatal(err)
	}
	if was[u32Hash] == nil || now[u32Hash] != nil {
		t.Error("the number of the root table is still named")
	}
	if unsigned(was[11]) != 8 || unsigned(now[11]) != 0 {
		t.Errorf("flags %d, were %d", unsigned(now[11]), unsigned(was[11]))
	}
	// The options of an action say that they are a nest; nothing else is new.
	nested, plain := []byte{actOptions, unix.NLA_F_NESTED >> 8}, []byte{actOptions, 0}
	if n := bytes.Count(now[u32Act], nested); n != 1 {
		t.Errorf("%d nests", n)
	}
	actions := bytes.Replace(now[u32Act], nested, plain, 1)
	if diff := cmp.Diff([][]byte{was[u32Sel], was[u32Act]}, [][]byte{now[u32Sel], actions}); diff != "" {
		t.Error(diff)
	}
}

func TestPoliceAgain(t *testing.T) {
	m := capturedMessage(t, "filter lan matchall prio 1 handle 1")
	again, err := parseMessage(filterAgain(m, 0))
	if err != nil {
		t.Fatal(err)
	}
	var options [matchallMax + 1][]byte
	var list [2][]byte
	var action [actMax + 1][]byte
	var police [policePeakRate + 1][]byte
	err = first(parse(again.attribute[unix.TCA_OPTIONS], options[:]), parse(options[matchallAct], list[:]),
		parse(list[1], action[:]), parse(action[actOptions], police[:]))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(police[policeRate]); n != rateTableLength || police[policePeakRate] != nil {
		t.Errorf("a rate table of %d bytes, peak %v", n, police[policePeakRate])
	}
	if tbf := police[policeTBF]; len(tbf) != policeLength || tbf[policeRateOffset] == 0 ||
		unsigned32(tbf, policeRateOffset+ratespecRateOffset) != 125000 {
		t.Errorf("%v", tbf)
	}
}
