package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestAckFilter(t *testing.T) {
	on := func(q *plan.QdiscState) { q.Cake.AckFilter = plan.AckFilterOn }
	checkSituations(t, AckFilter, []situation{
		{name: "on the way in", direction: linklayer.Ingress, alter: onCakeOf("ifb4wan", on), want: Notice, says: "0 acknowledgements dropped"},
		{name: "on the way out", alter: onCakeOf("wan", on), want: absent},
		{name: "off", direction: linklayer.Ingress, want: absent},
		{name: "the clients' upload", direction: linklayer.Ingress, alter: both(onCakeOf("ifb4wan", on), onDevice("wan", func(d *plan.Device) { d.Kind = "bridge" })), want: absent},
	})
}
