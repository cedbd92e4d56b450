package tcp

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

const testTrip = int64(20 * time.Millisecond)

// line is a sender under test and what it has sent since one last looked.
type line struct {
	*Sender
	out []uint32
	all []qdisc.Packet
	now int64
}

func newLine(c Congestion) *line {
	l := &line{}
	l.Sender = NewSender(7, c, false, NewPort(func(p *qdisc.Packet, _ int64) {
		l.out = append(l.out, p.Seq)
		l.all = append(l.all, *p)
	}))
	return l
}

// sent is the segments sent since the last look.
func (l *line) sent() []uint32 {
	out := l.out
	l.out = nil
	return out
}

// ack lets an acknowledgement arrive a moment later.
func (l *line) ack(seq uint32, blocks ...uint32) {
	p := qdisc.Packet{Kind: qdisc.Ack, Flow: 7, Seq: seq}
	if len(blocks) > 0 {
		p.Lo, p.Hi = blocks[0], blocks[1]
	}
	l.now += int64(time.Millisecond)
	l.Acknowledge(&p, l.now)
}

// begin sends the initial window, of which a round trip later two are
// acknowledged.
func (l *line) begin() {
	l.Start(0)
	l.sent()
	l.now = testTrip
	l.ack(2)
	l.sent()
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (- want, + got):\n%s", what, diff)
	}
}

func TestSlowStart(t *testing.T) {
	l := newLine(Reno{})
	l.Start(0)
	want(t, "the initial window", len(l.sent()), InitialWindow)
	l.now = testTrip
	l.ack(2)
	want(t, "two for each acknowledged", l.sent(), []uint32{10, 11, 12, 13})
	want(t, "window", l.Window, 12)
}

// A loss is learnt from three segments beyond it, answered with one
// retransmission at once, and ends with half the window.
func TestRecovery(t *testing.T) {
	l := newLine(Reno{})
	l.begin()
	l.ack(2, 3, 4)
	l.ack(2, 3, 5)
	want(t, "two beyond the gap let two new ones go", l.sent(), []uint32{14, 15})
	l.ack(2, 3, 6)
	want(t, "three make it a loss", l.sent(), []uint32{2})
	want(t, "threshold", l.Threshold, 6)
	for hi := uint32(7); hi <= 14; hi++ {
		l.ack(2, 3, hi)
	}
	if l.inFlight() > 6 {
		t.Errorf("%d in flight at the end of the reduction, which is to 6", l.inFlight())
	}
	l.sent()
	l.ack(14)
	want(t, "window after the recovery: what the acknowledgement passes doesn't count as delivered", l.Window, 6)
	want(t, "state", l.state, recovers)
	l.ack(l.next)
	want(t, "state when all of that time has come", l.state, open)
}

// A retransmission that is lost too is sent again once something later has
// come.
func TestLostAgain(t *testing.T) {
	l := newLine(Reno{})
	l.begin()
	for hi := uint32(4); hi <= 14; hi++ {
		l.ack(2, 3, hi)
	}
	l.sent()
	l.now += testTrip
	for n := uint32(14); n < l.next; n++ { // all sent after the retransmission
		l.ack(2, 3, n+1)
		if sent := l.sent(); len(sent) > 0 && sent[0] == 2 {
			return
		}
	}
	t.Error("what was lost again has not been sent again")
}

// A hole in the middle of what has arrived may be filled; it is not lost again.
func TestHoleFilled(t *testing.T) {
	l := newLine(Reno{})
	l.begin()
	l.ack(2, 3, 4)
	l.ack(2, 5, 8) // 2 and 4 are missing
	l.ack(2, 5, 10)
	want(t, "taken for lost", l.missing, []uint32{2, 4})
	l.ack(2, 3, 10) // 4 fills the hole
	want(t, "taken for lost", l.missing, []uint32{2})
	want(t, "lost", int(l.lostOut), 1)
	want(t, "arrived beyond the gap", int(l.sackedOut), 7)
}

// With one segment beyond a gap there is a wait for what may be reordered.
func TestReorderTimer(t *testing.T) {
	l := newLine(Reno{})
	l.begin()
	l.ack(2, 9, 10)
	want(t, "the deadline's purpose", l.wait, forReordered)
	l.sent()
	l.Late(l.Deadline())
	if sent := l.sent(); len(sent) == 0 || sent[0] != 2 {
		t.Errorf("sent %v, not the segment that is missing", sent)
	}
	want(t, "state", l.state, recovers)
}

// The first thing tried after silence is a new segment, not a timeout; then the
// window falls to one segment.
func TestProbeThenTimeout(t *testing.T) {
	l := newLine(Reno{})
	l.begin()
	next, window := l.next, l.Window
	l.Late(l.Deadline())
	want(t, "a probe", l.sent(), []uint32{next})
	want(t, "the window stays", l.Window, window)
	l.Late(l.Deadline())
	want(t, "a timeout", l.sent(), []uint32{2})
	want(t, "window", l.Window, 1)
	first := l.timeout()
	l.Late(l.Deadline())
	want(t, "the same again", l.sent(), []uint32{2})
	want(t, "the time until the next is twice as long", l.timeout(), 2*first)
}

// A timeout is taken back when what was sent again had come the first time.
func TestTimeoutTakenBack(t *testing.T) {
	l := newLine(Reno{})
	l.begin()
	window := l.Window
	l.Late(l.Deadline())
	l.now = l.Deadline()
	l.Late(l.now)
	want(t, "window", l.Window, 1)
	l.sent()
	l.ack(3) // not Again: the first one has come
	want(t, "state", l.state, open)
	if l.Window < window || l.lostOut != 0 {
		t.Errorf("window %d, %d taken for lost; want %d and none", l.Window, l.lostOut, window)
	}
	for _, n := range l.sent() {
		if n < 14 {
			t.Errorf("%d was sent again although nothing is lost", n)
		}
	}
}

// The timer begins anew when the oldest segment is sent again.
func TestTimerBeginsAnew(t *testing.T) {
	l := newLine(Reno{})
	l.begin()
	l.now += int64(150 * time.Millisecond)
	for hi := uint32(4); hi <= 6; hi++ {
		l.ack(2, 3, hi)
	}
	want(t, "sent again", l.all[len(l.all)-1].Again, true)
	if left := l.Deadline() - l.now; left < leastTimeout {
		t.Errorf("%v until the timeout, less than the least", time.Duration(left))
	}
}

// Marks are answered once until the answer to the first segment after that has
// come, with a segment that says so; what is sent again is not marked.
func TestMarks(t *testing.T) {
	l := newLine(Reno{})
	l.ecn = qdisc.ECT
	l.begin()
	echo := func(seq uint32) {
		p := qdisc.Packet{Kind: qdisc.Ack, Seq: seq, Echo: true}
		l.now += int64(time.Millisecond)
		l.Acknowledge(&p, l.now)
	}
	end := l.next
	for seq := uint32(4); seq <= end; seq += 2 {
		echo(seq)
	}
	want(t, "threshold after a window of marks", l.Threshold, 6)
	var told []uint32
	for _, p := range l.all {
		if p.Echo {
			told = append(told, p.Seq)
		}
	}
	want(t, "the segment that says that the sender has slowed down", told, []uint32{end})
	want(t, "state", l.state, reduced)
	l.ack(end + 1)
	want(t, "state after the answer to it", l.state, open)
}

// Where one segment is lost again and again, others stop at the receiver's
// room.
func TestRoom(t *testing.T) {
	l := newLine(Reno{})
	l.Start(0)
	l.now = testTrip
	for hi := uint32(2); l.next < 1000 && hi < 1000; hi++ {
		l.ack(0, 1, hi)
	}
	if l.next > firstRoom {
		t.Errorf("%d segments beyond the missing one, room is for %d", l.next, firstRoom)
	}
}
