package tcp

import "math"

// HyStartPlus is HyStart++ (RFC 9406): when round trips grow, slow start goes
// on at a quarter of its pace for five rounds, or until they shrink again.
type HyStartPlus struct {
	end             uint32 // the round ends when this segment is acknowledged
	started         bool
	samples         int
	current, before int64 // least round trips of this round and the one before
	baseline        int64 // of the round that raised the doubt; 0: no doubt
	doubtful        int   // rounds of doubt
}

const (
	conservativeDivisor = 4 // CSS_GROWTH_DIVISOR
	conservativeRounds  = 5 // CSS_ROUNDS
)

func (h *HyStartPlus) leave(s *Sender, rtt, _, _ int64) bool {
	if !h.started || !before(s.acknowledged, h.end) {
		if h.nextRound(s) {
			return true
		}
	}
	h.current = min(h.current, rtt)
	if h.samples++; h.samples < hystartSamples {
		return false
	}
	if h.baseline > 0 {
		if h.current < h.baseline {
			h.baseline, h.doubtful = 0, 0
		}
		return false
	}
	least := min(max(h.before/8, hystartLeast), hystartMost)
	if h.before < math.MaxInt64 && h.current >= h.before+least {
		h.baseline = h.current
	}
	return false
}

// nextRound begins a round; true when there was doubt for long enough.
func (h *HyStartPlus) nextRound(s *Sender) (leave bool) {
	if h.baseline > 0 {
		h.doubtful++
	}
	h.before = h.current
	if !h.started {
		h.before = math.MaxInt64
	}
	h.started, h.end, h.samples, h.current = true, s.next, 0, math.MaxInt64
	return h.doubtful >= conservativeRounds
}

func (h *HyStartPlus) divisor() int {
	if h.baseline > 0 {
		return conservativeDivisor
	}
	return 1
}

func (h *HyStartPlus) reset() { *h = HyStartPlus{} }
