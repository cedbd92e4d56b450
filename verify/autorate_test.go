package verify

import (
	"testing"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestAutorateIngress(t *testing.T) {
	on := func(q *plan.QdiscState) { q.Cake.Autorate = true }
	up, down := onCakeOf("wan", on), onCakeOf("ifb4wan", on)
	checkSituations(t, AutorateIngress, []situation{
		{name: "on the way out", alter: up, want: Warning, says: "on the way out"},
		{name: "on the way out of a satellite's", access: "starlink", alter: up, want: Warning, says: "on the way out"},
		{name: "on the way in", direction: linklayer.Ingress, alter: down, want: Notice, says: "keep it if the line is mobile"},
		{name: "on the way in of cable", direction: linklayer.Ingress, access: "docsis", alter: down, want: Notice, says: "fixed on this line (cable"},
		{name: "on the way in of a mobile line", direction: linklayer.Ingress, access: "lte", alter: down, want: absent},
		{name: "off", direction: linklayer.Ingress, want: absent},
	})
}
