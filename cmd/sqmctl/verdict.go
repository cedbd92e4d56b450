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

// shared tells whether a shaper leaves the modem a queue although it is below
// the line's rate, or has a good part of the queue itself.
func (s *simulated) shared() bool {
	r, line := s.result, s.way.Line.Rate
	if s.where() == sim.ModemQueue {
		return shaperOf(&s.way.Router) < line || r.Router.Mean*4 > r.Modem.Mean
	}
	return !r.Managed(line)
}

// nearWords say why a shaper that is near the line's rate isn't the bottleneck.
func (s *simulated) nearWords() string {
	rate := shaperOf(&s.way.Router)
	counted, taken := s.charge().WireSize(fullPacket), s.way.Line.Encapsulation.WireSize(fullPacket)
	if counted < taken {
		return fmt.Sprintf("the shaper, at %s, counts a full packet as %d bytes, of which the line of %s makes %d; add --count wire, or shape lower", rate, counted, s.way.Line.Rate, taken)
	}
	return fmt.Sprintf("the shaper's %s is so near to what the line gives; shape lower", rate)
}

// charge is what the router's shaper adds to a packet.
func (s *simulated) charge() linklayer.Encapsulation {
	r := &s.way.Router
	if r.Qdisc == sim.Cake {
		return r.Cake.Encapsulation
	}
	return *r.Charge
}

// verdict is one sentence.
func (s *simulated) verdict() string {
	added := s.result.Call.P95 - s.result.Call.Idle
	rate := shaperOf(&s.way.Router)
	switch where := s.where(); {
	case where == sim.ModemQueue && rate > 0 && s.way.Line.Vary.Shape != sim.Fixed:
		return fmt.Sprintf("The queue stands at the %s whenever the line gives less than the shaper's %s, and then adds up to %s to 95 %% of the call's packets.", s.far(), rate, msWords(added))
	case rate > 0 && s.shared():
		return fmt.Sprintf("Packets wait %s on average at the %s and %s in the router, which adds up to %s to 95 %% of the call's packets: %s.",
			msWords(s.result.Modem.Mean), s.far(), msWords(s.result.Router.Mean), msWords(added), s.nearWords())
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
