package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// Check judges every direction that the plan shapes. Samples are in order of
// time; the first and the last give the differences, and every one between
// them is a further look at the backlog. One sample is enough to say what is
// installed, two are needed to say whether it works.
//
// The checks of a direction form a chain from cause to consequence: the first
// that fails is reported, and what follows from it isn't.
func Check(p plan.Plan, samples []plan.State) []Finding {
	var findings []Finding
	ofHost := false // said once
	places := placesOf(samples)
	for i := range p.Links {
		for _, shaper := range p.Links[i].Shapers() {
			shaper = onOtherIFB(shaper, samples)
			d := direction{link: &p.Links[i], shaper: shaper, samples: samples, places: places}
			if !d.link.Server {
				findings = append(findings, d.check()...)
				if f := d.defaultFIFO(); f != nil && !ofHost {
					findings, ofHost = append(findings, *f), true
				}
				continue
			}
			findings = append(findings, d.server()...)
			if !ofHost {
				findings = append(findings, d.host()...)
			}
			ofHost = true
		}
		findings = append(findings, unshaped(&p.Links[i])...)
	}
	return findings
}

// unshaped repeats what the profile says of the directions that it leaves alone.
func unshaped(l *plan.Link) []Finding {
	var findings []Finding
	for d, why := range l.Unshaped {
		if why != "" {
			findings = append(findings, Finding{
				Code: Unshaped, Severity: Fine, Link: l.Interface, Direction: linklayer.Direction(d),
				Text: "left unshaped on purpose, so the queue stands in the line; the profile's reason: " + why,
			})
		}
	}
	return findings
}

// direction is one direction of one link under judgement.
type direction struct {
	link    *plan.Link
	shaper  *plan.Shaper
	samples []plan.State
	places  places
}

// other is the link's other direction.
func (d *direction) other(shaper *plan.Shaper) *direction {
	return &direction{link: d.link, shaper: shaper, samples: d.samples, places: d.places}
}

// asides are looked for wherever the planned qdisc is in its place: what one of
// them finds neither hides the others nor whether the shaper works.
var asides = []func(*direction) *Finding{
	(*direction).owned,
	(*direction).lanSide,
	(*direction).rateUnits,
	(*direction).rateMoves,
	(*direction).aboveDevice,
	(*direction).doubleShaped,
	(*direction).overheadTwice,
	(*direction).overheadNegative,
	(*direction).overheadLengths,
	(*direction).stabOverhead,
	(*direction).atmCells,
	(*direction).mpu,
	(*direction).ptmOverhead,
	(*direction).autorate,
	(*direction).isolation,
	(*direction).ackFilter,
	(*direction).memoryLimit,
	(*direction).burst,
	(*direction).quantum,
	(*direction).unclassified,
	(*direction).harmlessDirect,
	(*direction).fifo,
	(*direction).superPackets,
	(*direction).harmlessSuperPackets,
	(*direction).neverUsed,
	(*direction).oneFlow,
	(*direction).oneQueue,
}

func (d *direction) check() []Finding {
	for _, cause := range []func() *Finding{d.deviceMissing, d.notRedirected, d.qdiscMissing, d.onTunnel, d.noShaper, d.unlimited} {
		if f := cause(); f != nil {
			return []Finding{*f}
		}
	}
	var findings []Finding
	for _, difference := range []func() *Finding{d.otherOwner, d.swapped, d.notAsPlanned} {
		if f := difference(); f != nil {
			findings = append(findings, *f)
			break
		}
	}
	for _, aside := range asides {
		if f := aside(d); f != nil {
			findings = append(findings, *f)
		}
	}
	return append(findings, d.works()...)
}

// works says whether the shaper holds the queue, and what keeps it from that.
func (d *direction) works() []Finding {
	for _, round := range []func() *Finding{d.bypassed, d.totalsGoRound} {
		if f := round(); f != nil {
			return []Finding{*f}
		}
	}
	verdict := d.engagement()
	engaged := verdict.Code == Engaged
	if f := d.hardwareOffload(engaged); f != nil {
		if engaged {
			return []Finding{*f, verdict}
		}
		return []Finding{*f}
	}
	if f := d.softwareOffload(); f != nil {
		return []Finding{*f, verdict}
	}
	return []Finding{verdict}
}

// finding fills in where a finding belongs.
func (d *direction) finding(code Code, severity Severity, advice, text string, args ...any) *Finding {
	return &Finding{
		Code: code, Severity: severity, Advice: advice,
		Link: d.link.Interface, Direction: d.shaper.Direction,
		Text: fmt.Sprintf(text, args...),
	}
}

func (d *direction) with(f *Finding, evidence ...string) *Finding {
	f.Evidence = append(f.Evidence, evidence...)
	return f
}

// last is the newest sample.
func (d *direction) last() *plan.State { return &d.samples[len(d.samples)-1] }

// device is the link's own device in a sample; nil when it isn't there.
func (d *direction) device(s *plan.State) *plan.Device { return d.places.device(s, d.link.Interface) }

// root is the qdisc that should do the shaping, in a sample; nil when it or
// its device isn't there.
func (d *direction) root(s *plan.State) *plan.QdiscState {
	device := d.queued(s)
	if device == nil {
		return nil
	}
	return device.At(plan.HandleRoot)
}

// queued is the device at which the direction is queued; nil when it isn't
// there.
func (d *direction) queued(s *plan.State) *plan.Device {
	return d.places.device(s, d.shaper.Qdisc.Link)
}

// rate is the shaper's in a sample; 0 if there is none.
func (d *direction) rate(s *plan.State) linklayer.Rate {
	device := d.queued(s)
	if device == nil {
		return 0
	}
	return device.ShapedRate()
}

func (d *direction) ingress() bool { return d.shaper.Direction == linklayer.Ingress }
