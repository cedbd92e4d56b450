package verify

import (
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// onOtherIFB is a download as it is judged: at the IFB of ours that takes it in,
// though the profile now wants another, as it does when its qdisc was changed from
// cake to cake_mq and not applied yet.
func onOtherIFB(s *plan.Shaper, samples []plan.State) *plan.Shaper {
	if s.Direction != linklayer.Ingress || s.Redirect == nil || len(samples) == 0 {
		return s
	}
	found := &samples[len(samples)-1]
	device := found.Device(s.Redirect.Link)
	if device == nil {
		return s
	}
	ifb := found.Device(device.RedirectTarget())
	if ifb == nil || ifb.Name == s.Qdisc.Link {
		return s
	}
	if of, _, ours := plan.ParseOwnerAlias(ifb.Alias); !ours || of != device.Name {
		return s
	}
	there := *s
	there.Qdisc.Link = ifb.Name
	return &there
}
