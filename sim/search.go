package sim

import "github.com/sqmctl/sqmctl/linklayer"

// searchStep is how near HighestShaper comes, as a part of the line's rate:
// less than the step between two rates that a person would try.
const searchStep = 200

// SearchRuns is how many runs HighestShaper makes, at the most.
const SearchRuns = 8

// Managed tells whether what waits on a line of this rate waits in the router:
// packets wait in the modem for at most half as long, or for the two packets
// that a sender has on its way at once, or nowhere. A shaper just above the
// line's rate has the longer queue now and then, but the modem has one too.
func (w WayResult) Managed(rate linklayer.Rate) bool {
	switch w.Where(rate) {
	case NoBottleneck:
		return true
	case ModemQueue:
		return false
	}
	return w.Modem.Mean <= max(w.Router.Mean/2, 2*rate.Time(1538))
}

// HighestShaper is the highest rate of the router's shaper in one direction at
// which the result is still Managed, found by halving; the answer is
// at most half a percent of the line's rate too low. It is 0 if the modem
// queues even at half the line's rate, and the line must have a rate.
func HighestShaper(s Scenario, d linklayer.Direction) (linklayer.Rate, error) {
	line := s.Ways[d].Line.Rate
	low, high := line/2, line+line/20
	if ok, err := managedAt(s, d, low); !ok || err != nil {
		return 0, err
	}
	for high-low > line/searchStep {
		middle := low + (high-low)/2
		ok, err := managedAt(s, d, middle)
		switch {
		case err != nil:
			return 0, err
		case ok:
			low = middle
		default:
			high = middle
		}
	}
	return low.Less(0), nil // whole kbit/s, as a profile has it
}

// managedAt runs the scenario with another rate of the shaper. s is a
// copy, and what it shares with the caller's is not touched.
func managedAt(s Scenario, d linklayer.Direction, rate linklayer.Rate) (bool, error) {
	if r := &s.Ways[d].Router; r.Qdisc == Cake {
		r.Cake.Rate = rate
	} else {
		r.Shaper = rate
	}
	result, err := Run(s)
	if err != nil {
		return false, err
	}
	return result.Ways[d].Managed(s.Ways[d].Line.Rate), nil
}
