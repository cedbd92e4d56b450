package tcdump

import (
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// readQdisc reads the first line of a qdisc:
//
//	qdisc cake 8001: dev eth0 root refcnt 2 bandwidth 20Mbit …
//
// tc leaves out the device that it was asked for.
func (r *reader) readQdisc(w []string) bool {
	if len(w) < 3 {
		return false
	}
	handle, ok := parseHandle(w[2])
	if !ok || handle.Minor() != 0 {
		return false
	}
	q := &qdisc{QdiscState: plan.QdiscState{Qdisc: plan.Qdisc{Kind: w[1], Handle: handle}}}
	w = q.readPlace(w[3:])
	r.placeQdisc(q)
	if !isName(q.Link) || q.Parent == 0 {
		return false
	}
	r.leave()
	r.addQdisc(q)
	r.named(q.Link).rounded = true
	for _, unknown := range q.readOptions(w) {
		r.cannotRead(r.number, unknown+" (of "+q.Name()+")")
	}
	return true
}

// readPlace reads where a qdisc is, and returns the words of its options.
func (q *qdisc) readPlace(w []string) []string {
	for len(w) > 0 {
		switch w[0] {
		case "root":
			q.Parent, w = plan.HandleRoot, w[1:]
			continue
		case "[deleted]", "deleted", "offloaded":
			w = w[1:]
			continue
		}
		if len(w) < 2 {
			return w
		}
		switch w[0] {
		case "dev":
			q.Link = w[1]
		case "parent":
			q.Parent, _ = parseHandle(w[1])
		case "refcnt", "ingress_block", "egress_block":
		default:
			return w
		}
		w = w[2:]
	}
	return nil
}

// addQdisc makes a qdisc the one that the next lines are about. One that was
// shown before is told anew.
func (r *reader) addQdisc(q *qdisc) {
	key := qdiscKey{q.Link, q.Handle, q.Parent}
	if r.shown.qdiscs[key] { // tc lists each once: this is another output
		r.shown = &shown{qdiscs: map[qdiscKey]bool{}}
	}
	r.shown.qdiscs[key] = true
	q.shown = r.shown
	d := r.named(q.Link)
	i, there := d.qdiscAt[key]
	if there {
		q.keep(d.qdiscs[i])
		d.qdiscs[i] = q
	} else {
		r.objects++
		d.qdiscAt[key], d.parents[q.Parent] = len(d.qdiscs), true
		d.qdiscs = append(d.qdiscs, q)
	}
	r.qdisc, r.counted, r.sent = q, &q.Stats, &q.counted
	r.foreign = !known[q.Kind]
}

// known are the kinds whose options package plan has, or that have none.
var known = map[string]bool{
	"cake": true, "cake_mq": true, "htb": true, "fq_codel": true, "fq": true,
	"ingress": true, "clsact": true, "noqueue": true, "mq": true,
}

// keep takes over from an earlier showing what a later one may lack.
func (q *qdisc) keep(old *qdisc) {
	if old.Kind != q.Kind {
		return
	}
	q.Stats, q.counted = old.Stats, old.counted
	q.CakeStats, q.FQStats, q.FQCodelStats = old.CakeStats, old.FQStats, old.FQCodelStats
	q.Stab = old.Stab
	if old.shown.details {
		q.shown.details = true
	}
}

// readOptions reads what a qdisc's kind tells, and returns the words that are
// unknown.
func (q *qdisc) readOptions(w []string) (unknown []string) {
	text := strings.Join(w, " ")
	switch {
	case strings.HasPrefix(text, "[Unknown qdisc"), strings.HasPrefix(text, "[cannot parse"), len(w) == 0 && hasOptions(q.Kind):
		q.Unknown.Options = true
	case q.Kind == "cake" || q.Kind == "cake_mq":
		q.Cake, unknown = parseCake(w)
	case q.Kind == "htb":
		unknown = q.readHTB(w)
	case q.Kind == "fq_codel":
		q.FQCodel, unknown = parseFQCodel(w)
	case q.Kind == "fq":
		q.FQ, unknown = parseFQ(w)
	}
	return unknown
}

func hasOptions(kind string) bool {
	switch kind {
	case "cake", "cake_mq", "htb", "fq_codel", "fq":
		return true
	}
	return false
}

// readQdiscLine reads a line that tells more of the last qdisc.
func (r *reader) readQdiscLine(w []string) bool {
	q := r.qdisc
	if q == nil {
		return false
	}
	if w[0] == "linklayer" {
		stab, ok := parseStab(w)
		if ok {
			q.Stab, q.shown.details = stab, true
		}
		return ok
	}
	switch q.Kind {
	case "cake", "cake_mq":
		return q.readCakeStats(w)
	case "fq_codel":
		return q.readFQCodelStats(w)
	case "fq":
		return q.readFQStats(w)
	}
	return q.readMarks(w)
}

// parseStab reads a size table, which tc shows with -d only:
//
//	linklayer atm overhead 44 mpu 64 mtu 2047 tsize 512
func parseStab(w []string) (*plan.Stab, bool) {
	s := &plan.Stab{}
	numbers := map[string]*int{"overhead": &s.Overhead, "mpu": &s.MPU, "mtu": &s.MTU, "tsize": &s.Size}
	for i := 0; i+1 < len(w); i += 2 {
		if w[i] == "linklayer" {
			s.ATM = w[i+1] == "atm" || w[i+1] == "adsl"
			continue
		}
		field := numbers[w[i]]
		if field == nil {
			return nil, false
		}
		n, ok := parseInt(w[i+1])
		if !ok {
			return nil, false
		}
		*field = n
	}
	return s, len(w)%2 == 0
}

// readMarks reads the packets that a qdisc of another kind marked. The rest of
// its own counters is of no concern.
func (q *qdisc) readMarks(w []string) bool {
	words := map[string][]string{"red": {"marked"}, "codel": {"ecn_mark"}, "pie": {"ecn_mark"}, "fq_pie": {"ecn_mark"}}[q.Kind]
	for i := 0; i+1 < len(w); i++ {
		n, ok := parseCount(w[i+1])
		if ok && slices.Contains(words, w[i]) {
			q.Stats.Marks = n
			return true
		}
	}
	return false
}
