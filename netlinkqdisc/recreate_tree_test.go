package netlinkqdisc

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// Whatever order the kernel lists a tree in, each part is made after what it
// hangs on.
func TestTreeInOrder(t *testing.T) {
	root := *tcMessage("htb", 0x10000, plan.HandleRoot)
	qdiscs := []message{
		*tcMessage("prio", 0x30000, 0x10010),
		*tcMessage("fq_codel", 0x40000, 0x30002), // a band that comes with prio
		*tcMessage("sfq", 0x50000, 0x10020),
	}
	classes := []message{
		*tcMessage("htb", 0x10001, plan.HandleRoot),
		*tcMessage("htb", 0x10010, 0x10001),
		*tcMessage("htb", 0x10020, 0x10010),
	}
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		random.Shuffle(len(qdiscs), func(i, j int) { qdiscs[i], qdiscs[j] = qdiscs[j], qdiscs[i] })
		random.Shuffle(len(classes), func(i, j int) { classes[i], classes[j] = classes[j], classes[i] })
		tr := &tree{qdiscs: append([]message{root}, qdiscs...), classes: classes}
		place := map[plan.Handle]int{}
		for i, n := range tr.inOrder() {
			place[n.handle] = i + 1
		}
		for child, parent := range map[plan.Handle]plan.Handle{
			0x10001: 0x10000, 0x10010: 0x10001, 0x10020: 0x10010, 0x30000: 0x10010, 0x40000: 0x30000, 0x50000: 0x10020,
		} {
			if place[parent] == 0 || place[child] < place[parent] {
				t.Fatalf("seed %d: %v comes before %v", seed, child, parent)
			}
		}
	}
}

func TestTreeRequests(t *testing.T) {
	filter := *tcMessage("matchall", 1, 0x10000, unix.TCA_OPTIONS, nest(1, b32(5)))
	tr := &tree{
		qdiscs:  []message{*tcMessage("hfsc", 0x10000, plan.HandleRoot), *tcMessage("sfq", 0x20000, 0x10001)},
		classes: []message{*tcMessage("hfsc", 0x10000, plan.HandleRoot), *tcMessage("hfsc", 0x10001, 0x10000)},
		filters: []filterList{{messages: []message{*tcMessage("matchall", 0, 0x10000), filter}}},
	}
	var got []string
	for _, r := range tr.requests() {
		got = append(got, r.object)
	}
	want := []string{"qdisc hfsc 1:", "class hfsc 1:1", "qdisc sfq 2:", "filter matchall 0:1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := len((&tree{}).requests()); n != 0 {
		t.Errorf("%d requests for nothing", n)
	}
}

// What hangs on nothing is not lost on the way.
func TestTreeOrphan(t *testing.T) {
	tr := &tree{qdiscs: []message{*tcMessage("htb", 0x10000, plan.HandleRoot), *tcMessage("sfq", 0x20000, 0x70001)}}
	if got := tr.inOrder(); len(got) != 2 || got[1].kind != "sfq" {
		t.Errorf("%+v", got)
	}
}
