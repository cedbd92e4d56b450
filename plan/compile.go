package plan

import (
	"fmt"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

// Compile makes the plan for a profile. Every attribute of every qdisc is
// stated, each with a Reason. found decides what depends on the device: where
// the redirect goes, which handle is free, whether PPPoE runs above it; a
// device that isn't there yet is planned as if nothing were on it.
//
// A link that can't be planned has a Problem and nothing else; it keeps no other
// link from its plan.
func Compile(profile *config.Profile, found State) Plan {
	var p Plan
	for i := range profile.Links {
		l := &profile.Links[i]
		link, err := compileLink(l, &found)
		if err != nil {
			problem := &ProblemError{File: profile.File, Line: l.Line, Device: l.Interface, Err: err}
			link = Link{Interface: link.Interface, Title: link.Title, On: link.On, Problem: problem}
		}
		p.Links = append(p.Links, settle(link, &found))
	}
	p.capMemory(found.Memory)
	return p
}

func compileLink(l *config.Link, found *State) (Link, error) {
	link := Link{Interface: l.Interface, Title: l.Type.Title, On: kindOf(l.Interface, found.Device(l.Interface)).title}
	if d := found.Device(l.Interface); d != nil && d.Kind == "ifb" {
		return link, fmt.Errorf("it is an IFB: name the device that the line is at; its download gets an IFB by itself")
	}
	if l.IsServer() {
		link.Server, link.Title, link.Egress = true, serverTitle, compileServer(l, found)
		return link, nil
	}
	err := contradiction(l, found)
	if err != nil {
		return link, err
	}
	if l.Upload.Shaped() {
		if link.Egress, err = compileShaper(l, linklayer.Egress, l.Interface, found); err != nil {
			return link, err
		}
	}
	if l.Download.Shaped() {
		ifb := IFBName(l.Interface)
		if l.Download.Qdisc.Value == config.QdiscCakeMQ {
			ifb = SpreadIFBName(l.Interface)
		}
		if link.Ingress, err = compileShaper(l, linklayer.Ingress, ifb, found); err != nil {
			return link, err
		}
		link.Ingress.redirectFrom(l.Interface)
		link.Ingress.restoreDSCP(&l.Download.RestoreDSCP)
	}
	for _, d := range []linklayer.Direction{linklayer.Egress, linklayer.Ingress} {
		if s := l.Direction(d); !s.Off && !s.Shaped() {
			link.Unshaped[d] = l.Reason
		}
	}
	return link, nil
}

// compileShaper plans a direction, queued at a device: the link's own, or its
// IFB.
func compileShaper(l *config.Link, d linklayer.Direction, device string, found *State) (*Shaper, error) {
	qdisc := l.Direction(d).Qdisc.Value
	switch qdisc {
	case config.QdiscCake, config.QdiscCakeMQ:
	case config.QdiscFQCodel:
		tree, err := compileTree(l, d, device, found)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d, err)
		}
		return tree, nil
	default:
		return nil, fmt.Errorf("%s: qdisc %q is not known: write qdisc = \"cake\"", d, qdisc)
	}
	cake, reasons, err := compileCake(l, d, found)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	s := &Shaper{
		Direction: d,
		Invoice:   l.Direction(d).Invoice,
		Qdisc:     Qdisc{Link: device, Kind: qdisc, Handle: HandleOwned, Parent: HandleRoot, Cake: cake},
		Reasons:   reasons,
	}
	if qdisc == config.QdiscCakeMQ {
		if err := s.spread(l, found); err != nil {
			return nil, fmt.Errorf("%s: %w", d, err)
		}
	}
	return s, nil
}

// redirectFrom adds the IFB that the qdisc is on and the way into it.
func (s *Shaper) redirectFrom(device string) {
	name := s.Qdisc.Link
	s.IFB = &IFB{Link: name, Alias: OwnerAlias(device, true), Up: true, Queues: s.Cakes}
	s.Redirect = &Filter{
		Link: device, Parent: HandleIngressQdisc, Kind: "matchall",
		Priority: redirectPriority, Protocol: protocolAll, Redirect: name,
	}
	why := "the kernel can queue only what a device sends, so what " + device + " receives is sent through this device first"
	if prefix := name[:len(ifbPrefix)]; name != prefix+device {
		why += fmt.Sprintf("; %s%s would be longer than the %d bytes of a device's name, so the name is made of its hash", prefix, device, maxNameLength)
	}
	s.Reasons = append(s.Reasons, Reason{Attribute: "ifb", Value: name, Why: why})
}

// restoreDSCP has the redirect bring back the marks first, if the profile says so.
func (s *Shaper) restoreDSCP(choice *config.Choice[bool]) {
	if !choice.Value {
		return
	}
	s.Redirect.RestoreDSCP = true
	s.Reasons = append(s.Reasons, Reason{
		Attribute: "ctinfo", Value: fmt.Sprintf("dscp %#x %#x", MarkDSCP, MarkState), Line: choice.Line,
		Why: fmt.Sprintf("line %d of the profile: where the connection's mark has the bit %#x, its low bits %#x become the packet's DSCP", choice.Line, MarkState, MarkDSCP),
	})
}
