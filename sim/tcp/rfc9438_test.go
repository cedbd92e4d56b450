package tcp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// pipe is a path without a queue that loses segments.
type pipe struct {
	sender   *Sender
	receiver *Receiver
	trip     int64 // ns, there and back
	sent     int64
	lose     func(sent int64) bool
	ways     qdisc.Ring // by arrival, which is in Enqueued
}

func newPipe(c Congestion, trip time.Duration, lose func(sent int64) bool) *pipe {
	p := &pipe{trip: int64(trip), lose: lose}
	p.sender = NewSender(0, c, false, NewPort(p.send))
	p.sender.Threshold = InitialWindow // slow start is not what is looked at
	p.receiver = NewReceiver(0, p.trip, NewPort(func(ack *qdisc.Packet, now int64) { p.sender.Acknowledge(ack, now) }))
	return p
}

func (p *pipe) send(segment *qdisc.Packet, now int64) {
	if p.sent++; !p.lose(p.sent) {
		p.ways.PushAt(segment, now+p.trip)
	}
}

// run goes on until so many segments have been sent, and gives the moment.
func (p *pipe) run(segments, now int64) int64 {
	for p.sent < segments {
		arrival := int64(qdisc.Never)
		if p.ways.Len() > 0 {
			arrival = p.ways.Head().Enqueued
		}
		now = min(arrival, p.sender.Deadline(), p.receiver.Deadline())
		switch now {
		case arrival:
			segment := p.ways.Pop()
			p.receiver.Receive(&segment, now)
		case p.receiver.Deadline():
			p.receiver.Late(now)
		default:
			p.sender.Late(now)
		}
	}
	return now
}

// averageWindow is that of a sender, in segments, over so many segments after
// a quarter as many.
func averageWindow(c Congestion, trip time.Duration, segments int64, lose func(sent int64) bool) float64 {
	p := newPipe(c, trip, lose)
	p.sender.Start(0)
	began := p.run(segments/4, 0)
	before := p.receiver.Arrived
	ended := p.run(segments/4+segments, began)
	return float64(p.receiver.Arrived-before) * float64(trip) / float64(ended-began)
}

// The average windows of RFC 9438, section 5.1, tables 1 and 2: of every so
// many segments the last is lost. With short round trips CUBIC is in its
// Reno-friendly region. TestLinuxAverageWindow has the three that are not here.
func TestAverageWindow(t *testing.T) {
	for _, tt := range []struct {
		name  string
		new   func() Congestion
		trip  time.Duration
		every int64
		want  float64
	}{
		{"reno", renoOf, 100 * time.Millisecond, 1e3, 38},
		{"reno", renoOf, 100 * time.Millisecond, 1e4, 120},
		{"reno", renoOf, 100 * time.Millisecond, 1e5, 379},
		{"cubic", cubicOf, 100 * time.Millisecond, 1e5, 1054},
		{"cubic", cubicOf, 10 * time.Millisecond, 1e4, 120},
		{"cubic", cubicOf, 10 * time.Millisecond, 1e5, 379},
	} {
		t.Run(fmt.Sprintf("%s_%v_%d", tt.name, tt.trip, tt.every), func(t *testing.T) {
			t.Parallel()
			within(t, averageWindow(tt.new(), tt.trip, 40*tt.every, func(sent int64) bool { return sent%tt.every == 0 }), tt.want)
		})
	}
}

// In three rows of the RFC's tables Linux itself is not where the RFC is, which
// calculates with fractions: CUBIC at 100 ms has 38 segments for a loss in 1000
// and 187 for one in 10000 there, and at 10 ms 38 for one in 1000. Linux's
// curve is cut down to whole segments, so it is back at its top more than a
// second early, and if losses are as regular as in the RFC it stays at any
// window from which it gets there (44 and 210 segments here). And it looks at
// its curve 32 times a second, which at 10 ms is in every fourth round trip (34
// segments). So what is wanted here is what Linux 6.12 measured with losses at
// random, by tc's netem.
func TestLinuxAverageWindow(t *testing.T) {
	for _, tt := range []struct {
		name  string
		new   func() Congestion
		trip  time.Duration
		every int64
		want  float64
	}{
		{"reno", renoOf, 10 * time.Millisecond, 1e3, 39.45},
		{"reno", renoOf, 100 * time.Millisecond, 1e3, 39.95},
		{"cubic", cubicOf, 10 * time.Millisecond, 1e3, 37.89},
		{"cubic", cubicOf, 100 * time.Millisecond, 1e3, 42.46},
		{"cubic", cubicOf, 100 * time.Millisecond, 1e4, 221}, // in seven times 500 s from 211 to 247
	} {
		t.Run(fmt.Sprintf("%s_%v_%d", tt.name, tt.trip, tt.every), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 0))
			within(t, averageWindow(tt.new(), tt.trip, 1000*tt.every, func(int64) bool { return random.Int64N(tt.every) == 0 }), tt.want)
		})
	}
}

func within(t *testing.T, got, want float64) {
	t.Helper()
	t.Logf("average window %.1f, should be %.2f", got, want)
	if math.Abs(got/want-1) > 0.08 {
		t.Errorf("average window %.1f, should be %.2f", got, want)
	}
}

func renoOf() Congestion  { return Reno{} }
func cubicOf() Congestion { return &Cubic{} }
