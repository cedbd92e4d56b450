package tcp

import (
	"math/bits"
	"time"
)

// Cubic is the congestion control of RFC 9438 in Linux's fixed point: time in
// units of 1/1024 s, C = 410/1024, beta = 717/1024.
type Cubic struct {
	Exit     Exit  // of slow start
	lastMax  int   // W_max, after fast convergence
	epoch    int64 // ns: the start of congestion avoidance; 0: none yet
	origin   int   // the window at the inflection
	k        int64 // how long after epoch that is
	acked    int   // segments since the last look
	estimate int   // W_est of the Reno-friendly region
	every    int   // segments acknowledged for each segment of growth
	lastTime int64
	lastAt   int // the window at lastTime
	minDelay int64
}

const (
	cubicScale = 410 // C·1024
	cubicBeta  = 717 // beta·1024
	// renoScale is 8 · 3(1−beta)/(1+beta), inverted: so many eighths of the
	// window in acknowledged segments make W_est grow by one.
	renoScale = 8 * (1024 + cubicBeta) / 3 / (1024 - cubicBeta)
	tick      = int64(time.Second) / 1024
)

// Acked is Congestion's.
func (c *Cubic) Acked(s *Sender, n int, now int64) {
	if s.Window < s.Threshold {
		if n = c.slowStart(s, n); n == 0 {
			return
		}
	}
	c.look(s.Window, n, now)
	s.raise(c.every, n)
}

// slowStart is that of the sender, or a slower one while Exit is in doubt.
func (c *Cubic) slowStart(s *Sender, n int) (left int) {
	if c.Exit != nil && c.Exit.divisor() > 1 {
		s.raise(c.Exit.divisor(), n)
		return 0
	}
	return s.slowStart(n)
}

// look works out how fast to grow; with an unchanged window at most 32 times
// a second, as Linux does.
func (c *Cubic) look(window, n int, now int64) {
	c.acked += n
	if c.lastAt == window && now-c.lastTime <= int64(time.Second)/32 {
		return
	}
	if c.epoch == 0 || now != c.lastTime {
		c.lastAt, c.lastTime = window, now
		if c.epoch == 0 {
			c.begin(window, now, n)
		}
		c.every = c.towards(window, c.target(now))
	}
	c.friendly(window)
	c.every = max(c.every, 2)
}

func (c *Cubic) begin(window int, now int64, n int) {
	c.epoch, c.acked, c.estimate = now, n, window
	c.k, c.origin = 0, window
	if window < c.lastMax {
		c.k = int64(cubeRoot(uint64(c.lastMax-window) << 40 / cubicScale))
		c.origin = c.lastMax
	}
}

// target is the window one round trip from now on the cubic curve (RFC 9438,
// section 4.2).
func (c *Cubic) target(now int64) int {
	away := (now-c.epoch+c.minDelay)/tick - c.k
	if away < 0 {
		return c.origin - cubed(-away)
	}
	return c.origin + cubed(away)
}

// cubed is C·away³ in segments, away in ticks; beyond 256 s no more.
func cubed(away int64) int {
	away = min(away, 1<<18)
	return int(cubicScale * away * away * away >> 40)
}

// towards is how many segments have to be acknowledged for one of growth.
func (c *Cubic) towards(window, target int) int {
	every := 100 * window
	if target > window {
		every = window / (target - window)
	}
	// Before the first loss there is no curve to follow.
	if c.lastMax == 0 {
		every = min(every, 20)
	}
	return every
}

// friendly grows no slower than Reno would (RFC 9438, section 4.3).
func (c *Cubic) friendly(window int) {
	for step := window * renoScale >> 3; c.acked > step; c.acked -= step {
		c.estimate++
	}
	if c.estimate > window {
		c.every = min(c.every, window/(c.estimate-window))
	}
}

// RoundTrip is Congestion's.
func (c *Cubic) RoundTrip(s *Sender, rtt, now int64) {
	if c.epoch != 0 && now-c.epoch < int64(time.Second) {
		return // Linux trusts no round trip that soon after a loss
	}
	if c.minDelay == 0 || rtt < c.minDelay {
		c.minDelay = rtt
	}
	if s.Window < s.Threshold && c.Exit != nil && c.Exit.leave(s, rtt, c.minDelay, now) {
		s.Threshold = s.Window
	}
}

// Reduce is Congestion's, with fast convergence (RFC 9438, section 4.7).
func (c *Cubic) Reduce(s *Sender, now int64) int {
	c.epoch = 0
	if s.Window < c.lastMax {
		c.lastMax = s.Window * (1024 + cubicBeta) / 2048
	} else {
		c.lastMax = s.Window
	}
	return max(s.Window*cubicBeta/1024, 2)
}

// TimedOut is Congestion's.
func (c *Cubic) TimedOut(*Sender) {
	*c = Cubic{Exit: c.Exit}
	if c.Exit != nil {
		c.Exit.reset()
	}
}

// cubeRoot is the largest number whose cube is not above x, which is below 2^63.
func cubeRoot(x uint64) uint64 {
	var root uint64
	for bit := uint64(1) << (bits.Len64(x) / 3); bit > 0; bit >>= 1 {
		if r := root | bit; r*r*r <= x {
			root = r
		}
	}
	return root
}
