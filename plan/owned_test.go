package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOwned(t *testing.T) {
	root := func(link string, h Handle) []QdiscState {
		return []QdiscState{{Qdisc: Qdisc{Link: link, Kind: "cake", Handle: h, Parent: HandleRoot}}}
	}
	found := State{Devices: []Device{
		{Name: "wan", Qdiscs: root("wan", HandleOwned)},
		{Name: "ifb4wan", Kind: "ifb", Alias: OwnerAlias("wan", true), Qdiscs: root("ifb4wan", HandleOwned)},
		{Name: "ifb4gone", Kind: "ifb", Alias: OwnerAlias("gone", false)},
		{Name: "foreign", Qdiscs: root("foreign", 0x80010000)},
		{Name: "ifb4foreign", Kind: "ifb", Alias: "somebody's"},
		{Name: "lan", Qdiscs: root("lan", 0)},
		{Name: "left", Filters: []FilterState{redirect("matchall", redirectPriority, protocolAll, Gone)}},
	}}
	if diff := cmp.Diff([]string{"left", "wan", "gone"}, Owned(found)); diff != "" {
		t.Error(diff)
	}
}
