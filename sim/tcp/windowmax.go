package tcp

// windowMax is the greatest value of the last window of rounds, by three
// candidates (Linux's lib/win_minmax.c, after Kathleen Nichols).
type windowMax struct {
	best [3]struct {
		round int
		value int64
	}
}

func (w *windowMax) get() int64 { return w.best[0].value }

// see takes a value of a round.
func (w *windowMax) see(window, round int, value int64) {
	b := &w.best
	now := b[0]
	now.round, now.value = round, value
	if value >= b[0].value || round-b[2].round > window {
		b[0], b[1], b[2] = now, now, now
		return
	}
	if value >= b[1].value {
		b[1], b[2] = now, now
	} else if value >= b[2].value {
		b[2] = now
	}
	switch age := round - b[0].round; {
	case age > window:
		b[0], b[1], b[2] = b[1], b[2], now
		if round-b[0].round > window {
			b[0], b[1], b[2] = b[1], b[2], now
		}
	case b[1].round == b[0].round && age > window/4:
		b[1], b[2] = now, now
	case b[2].round == b[1].round && age > window/2:
		b[2] = now
	}
}
