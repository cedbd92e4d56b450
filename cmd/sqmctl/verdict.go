package main

import (
	"fmt"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim"
)

// far is who has the queue in front of the line.
func (s *simulated) far() string { return farEnd(s.direction) }

func farEnd(d linklayer.Direction) string {
	if d == linklayer.Ingress {
		return "provider"
	}
	return "modem"
}

func (s *simulated) where() sim.Bottleneck { return s.result.Where(s.way.Line.Rate) }

func (s *simulated) lineWords() string {
	buffer := sizeWords(s.way.Line.Buffer)
	if s.way.Line.BufferPackets > 0 {
		buffer = fmt.Sprintf("%d packets", s.way.Line.BufferPackets)
	}
	return fmt.Sprintf("a line of %s, where the %s can queue %s", s.way.Line.Rate, s.far(), buffer)
}

func (s *simulated) routerWords() string {
	words := "a router with " + string(s.way.Router.Qdisc)
	for _, then := range s.way.Router.Then {
		words += fmt.Sprintf(", from %s on %s", timeWords(then.At), then.Qdisc)
	}
	if rate := shaperOf(&s.way.Router); rate > 0 {
		return fmt.Sprintf("%s, shaped at %s", words, rate)
	}
	return words + ", not shaped"
}

// managing is what manages the queue in the router.
func (s *simulated) managing() string {
	if len(s.way.Router.Then) > 0 {
		return "one qdisc after the other"
	}
	return string(s.way.Router.Qdisc)
}

// shaperOf is the rate at which a router shapes; 0 if it doesn't.
func shaperOf(r *sim.Router) linklayer.Rate {
	if r.Qdisc == sim.Cake {
		return r.Cake.Rate
	}
	return r.Shaper
}

// verdict is one sentence.
func (s *simulated) verdict() string {
	added := s.result.Call.P95 - s.result.Call.Idle
	rate := shaperOf(&s.way.Router)
	switch where := s.where(); {
	case where == sim.ModemQueue && rate > 0 && s.way.Line.Vary.Shape != sim.Fixed:
		return fmt.Sprintf("The queue stands at the %s whenever the line gives less than the shaper's %s, and then adds up to %s to 95 %% of the call's packets.", s.far(), rate, msWords(added))
	case where == sim.ModemQueue && rate > 0:
		return fmt.Sprintf("The queue stands at the %s and adds up to %s to 95 %% of the call's packets: the shaper's %s is not below what the line gives, so it does next to nothing.", s.far(), msWords(added), rate)
	case where == sim.ModemQueue:
		return fmt.Sprintf("The queue stands at the %s and adds up to %s to 95 %% of the call's packets: without a shaper below the line's rate, no qdisc in the router can do anything about it.", s.far(), msWords(added))
	case where == sim.RouterQueue && added > tolerable:
		return fmt.Sprintf("The queue stands in the router, where %s lets it grow: it adds up to %s to 95 %% of the call's packets.", s.managing(), msWords(added))
	case where == sim.RouterQueue:
		return fmt.Sprintf("The queue stands in the router, where %s manages it: it adds no more than %s to 95 %% of the call's packets.", s.managing(), msWords(added))
	}
	return fmt.Sprintf("Nothing waits for long: 95 %% of the call's packets take at most %s longer than on an idle line.", msWords(added))
}
