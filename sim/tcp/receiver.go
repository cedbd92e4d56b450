package tcp

import (
	"time"

	"github.com/sqmctl/sqmctl/sim/qdisc"
)

// Sizes of frames: IP packet and 14 bytes of Ethernet, with TCP's timestamps.
const (
	Frame    = 1514 // a full segment
	Payload  = 1448 // and what it carries
	ackFrame = 66
	sackSize = 12 // with one block; 8 for each further
)

// Receiver is the far end of a transfer. It acknowledges as Linux does: every
// second segment, all while something is missing, but then not more often than
// senders need.
type Receiver struct {
	Arrived  int64 // segments, each once, as they come
	port     *Port
	next     uint32
	flow     uint16
	echo     bool   // ECE, until the sender says that it reduced
	again    bool   // the segment that moved next had been sent before
	gaps     []span // what arrived beyond next, the newest first
	deadline int64  // of a delayed acknowledgement
	waiting  int32  // segments in order that are not acknowledged
	quick    int32  // acknowledgements that won't be delayed

	patience   int64  // ns that an acknowledgement waits while something is missing
	of         uint32 // what duplicates say is missing
	duplicates int32  // so many have gone out at once
	compressed int32  // and so many have not gone out at all
}

// span is the segments [lo, hi).
type span struct{ lo, hi uint32 }

const (
	delayedAck = int64(40 * time.Millisecond) // Linux's TCP_DELACK_MIN
	quickAcks  = 16                           // Linux's TCP_MAX_QUICKACKS

	mostPatience   = int64(time.Millisecond) // net.ipv4.tcp_comp_sack_delay_ns
	mostCompressed = 44                      // net.ipv4.tcp_comp_sack_nr
)

// NewReceiver is a receiver whose acknowledgements go out through a port,
// which is told when. The connection took a round trip of so many ns to make.
func NewReceiver(flow uint16, rtt int64, out *Port) *Receiver {
	return &Receiver{flow: flow, port: out, quick: quickAcks, deadline: qdisc.Never, patience: min(rtt/20, mostPatience)}
}

// Receive takes a segment that arrives.
func (r *Receiver) Receive(p *qdisc.Packet, now int64) {
	r.Late(now)
	if p.Echo { // the sender has reduced (CWR)
		r.echo = false
	}
	if p.ECN == qdisc.CE {
		if !r.echo {
			r.quick = max(r.quick, 2)
		}
		r.echo = true
	}
	switch {
	case before(p.Seq, r.next): // once more
		r.quick = quickAcks
		r.acknowledge(now)
	case p.Seq == r.next:
		r.again = p.Again
		r.inOrder(now)
	default:
		r.outOfOrder(p.Seq)
		r.soon(now)
	}
}

func (r *Receiver) inOrder(now int64) {
	missing := len(r.gaps) > 0
	before := r.next
	r.Arrived++
	r.advance(r.next + 1)
	r.waiting += int32(r.next - before)
	switch {
	case r.waiting >= 2 || r.quick > 0 || missing && len(r.gaps) == 0:
		r.acknowledge(now)
	case missing:
		r.soon(now)
	default:
		r.deadline = now + delayedAck
	}
}

// soon sends an acknowledgement while something is missing: the first three
// at once, so that the sender learns of the loss, others a little later and
// fewer.
func (r *Receiver) soon(now int64) {
	if r.of != r.next {
		r.of, r.duplicates = r.next, 0
	}
	switch {
	case r.quick > 0 || r.compressed >= mostCompressed:
		r.acknowledge(now)
	case r.duplicates < duplicates:
		r.duplicates++
		r.acknowledge(now)
	default:
		r.compressed++
		r.deadline = min(r.deadline, now+r.patience)
	}
}

// Late sends the acknowledgement that was delayed until now, if there is one.
func (r *Receiver) Late(now int64) {
	if r.deadline <= now {
		r.acknowledge(r.deadline)
	}
}

// Deadline is when Late has something to do; Never if it hasn't.
func (r *Receiver) Deadline() int64 { return r.deadline }

func (r *Receiver) acknowledge(now int64) {
	r.quick = max(r.quick-1, 0)
	r.waiting, r.compressed, r.deadline = 0, 0, qdisc.Never
	p := &r.port.packet
	*p = qdisc.Packet{Kind: qdisc.Ack, Flow: r.flow, Seq: r.next, Size: ackFrame, Echo: r.echo, Again: r.again}
	if len(r.gaps) > 0 {
		p.Lo, p.Hi = r.gaps[0].lo, r.gaps[0].hi
		p.Size += sackSize
	}
	if len(r.gaps) > 1 {
		second := r.gaps[1]
		p.Lo2, p.Len2 = second.lo, uint16(min(second.hi-second.lo, 1<<16-1))
		p.Size += 8
	}
	r.port.out(p, now)
}

// outOfOrder notes a segment while some are missing.
func (r *Receiver) outOfOrder(number uint32) {
	merged := span{number, number + 1}
	known := false
	kept := r.gaps[:0]
	for _, g := range r.gaps {
		switch {
		case !before(g.hi, merged.lo) && !before(merged.hi, g.lo):
			known = known || !before(number, g.lo) && before(number, g.hi)
			merged = span{lower(g.lo, merged.lo), higher(g.hi, merged.hi)}
		default:
			kept = append(kept, g)
		}
	}
	if !known {
		r.Arrived++
	}
	r.gaps = append(kept, span{})
	copy(r.gaps[1:], r.gaps)
	r.gaps[0] = merged
}

// advance moves the next expected segment over what has arrived beyond it.
func (r *Receiver) advance(next uint32) {
	for i, g := range r.gaps {
		if g.lo == next {
			next = g.hi
			r.gaps = append(r.gaps[:i], r.gaps[i+1:]...)
			break
		}
	}
	r.next = next
}

func lower(a, b uint32) uint32 {
	if before(a, b) {
		return a
	}
	return b
}

func higher(a, b uint32) uint32 {
	if before(a, b) {
		return b
	}
	return a
}
