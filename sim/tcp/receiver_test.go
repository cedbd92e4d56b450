package tcp

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// far is a receiver under test and the acknowledgements it has sent since one
// last looked.
type far struct {
	*Receiver
	out []qdisc.Packet
	now int64
}

func newFar() *far {
	f := &far{}
	f.Receiver = NewReceiver(3, testTrip, NewPort(func(p *qdisc.Packet, _ int64) { f.out = append(f.out, *p) }))
	f.quick = 0
	return f
}

func (f *far) get(numbers ...uint32) {
	for _, n := range numbers {
		f.now += int64(100 * time.Microsecond)
		f.Receive(&qdisc.Packet{Kind: qdisc.Data, Seq: n}, f.now)
	}
}

func (f *far) sent() []qdisc.Packet {
	out := f.out
	f.out = nil
	return out
}

// seqs is what acknowledgements say is expected.
func seqs(acks []qdisc.Packet) (all []uint32) {
	for _, a := range acks {
		all = append(all, a.Seq)
	}
	return all
}

func TestEverySecondIsAcknowledged(t *testing.T) {
	f := newFar()
	f.get(0, 1, 2, 3, 4)
	want(t, "acknowledged", seqs(f.sent()), []uint32{2, 4})
	want(t, "the last one waits", f.Deadline(), f.now+delayedAck)
	f.Late(f.Deadline())
	want(t, "acknowledged", seqs(f.sent()), []uint32{5})
	want(t, "nothing waits", f.Deadline(), int64(qdisc.Never))
}

func TestFirstAreAcknowledgedAtOnce(t *testing.T) {
	f := newFar()
	f.quick = quickAcks
	f.get(0, 1, 2)
	want(t, "acknowledged", seqs(f.sent()), []uint32{1, 2, 3})
}

// Blocks say what has come beyond a gap, the one with the newest segment first.
func TestBlocks(t *testing.T) {
	f := newFar()
	f.get(0, 1)
	f.sent()
	f.get(3, 5)
	acks := f.sent()
	last := acks[len(acks)-1]
	want(t, "expected", last.Seq, uint32(2))
	want(t, "first block", []uint32{last.Lo, last.Hi}, []uint32{5, 6})
	want(t, "second block", []uint32{last.Lo2, uint32(last.Len2)}, []uint32{3, 1})
	want(t, "size", last.Size, uint16(ackFrame+sackSize+8))
	f.get(4)
	last = f.sent()[0]
	want(t, "joined", []uint32{last.Lo, last.Hi, uint32(last.Len2)}, []uint32{3, 6, 0})
	f.get(2)
	last = f.sent()[0]
	want(t, "all there", []uint32{last.Seq, last.Lo, last.Hi}, []uint32{6, 0, 0})
	want(t, "arrived", f.Arrived, int64(6))
}

// A segment counts when it comes, and once.
func TestArrived(t *testing.T) {
	f := newFar()
	f.get(0, 3, 3, 5, 3, 5)
	want(t, "some missing, some twice", f.Arrived, int64(3))
	f.get(4, 4, 1, 1, 2, 5)
	want(t, "all there", f.Arrived, int64(6))
}

// While something is missing, three acknowledgements go out at once and later
// ones are joined, for a twentieth of a round trip.
func TestCompression(t *testing.T) {
	f := newFar()
	f.get(1, 2, 3)
	want(t, "at once", len(f.sent()), 3)
	f.get(4)
	at := f.now
	f.get(5, 6)
	want(t, "held back", len(f.sent()), 0)
	want(t, "until", f.Deadline(), at+testTrip/20)
	f.Late(f.Deadline())
	acks := f.sent()
	want(t, "joined", len(acks), 1)
	want(t, "block", []uint32{acks[0].Lo, acks[0].Hi}, []uint32{1, 7})
}

func TestTwiceIsAcknowledgedAtOnce(t *testing.T) {
	f := newFar()
	f.get(0, 1)
	f.sent()
	f.get(0)
	want(t, "acknowledged", seqs(f.sent()), []uint32{2})
}

// A mark is echoed until the sender says that it has slowed down.
func TestEcho(t *testing.T) {
	f := newFar()
	f.Receive(&qdisc.Packet{Seq: 0, ECN: qdisc.CE}, 0)
	f.get(1, 2, 3)
	for _, a := range f.sent() {
		want(t, "echo", a.Echo, true)
	}
	f.Receive(&qdisc.Packet{Seq: 4, Echo: true}, f.now)
	f.get(5)
	want(t, "echo after CWR", f.sent()[0].Echo, false)
}

// An acknowledgement tells whether what moved it on had been sent before.
func TestAgain(t *testing.T) {
	f := newFar()
	f.get(1)
	f.sent()
	f.Receive(&qdisc.Packet{Seq: 0, Again: true}, f.now)
	want(t, "again", f.sent()[0].Again, true)
	f.get(2, 3)
	want(t, "again", f.sent()[0].Again, false)
}
