package config

import (
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

// What qdisc can be.
const (
	QdiscCake    = "cake"
	QdiscCakeMQ  = "cake_mq"  // a CAKE for each transmit queue, that share the rate
	QdiscFQCodel = "fq_codel" // below an HTB class
	QdiscNone    = "none"     // the direction is left unshaped, for a reason
	QdiscFQ      = "fq"       // for a server only
)

var (
	qdiscs       = []string{QdiscCake, QdiscCakeMQ, QdiscFQCodel, QdiscNone}
	defaultQdisc = Choice[string]{Value: QdiscCake, Reason: "shapes, divides the rate evenly and keeps the queue short, all in one"}
)

// readQdisc reads qdisc and, for a direction that has none, the reason.
func readQdisc(t table, l *Link) {
	setting(t, l, "qdisc", func(s *Settings) *Choice[string] { return &s.Qdisc }, readLineQdisc)
	unshaped := slices.ContainsFunc(directions, func(d linklayer.Direction) bool { return l.Direction(d).Qdisc.Value == QdiscNone })
	_, given := t.values["reason"]
	switch {
	case given && !unshaped:
		t.text("reason", "")
		t.report(t.at("reason"), &fault{"nothing needs a reason", `it goes with qdisc = "none"; remove it`})
	case unshaped:
		l.Reason, _ = t.text("reason", "the processor can't shape a rate like this")
		if given && strings.TrimSpace(l.Reason) == "" {
			t.report(t.at("reason"), &fault{"the reason is empty", "write why the line is left unshaped, for whoever wonders later"})
		}
	}
	readTreeDiffserv(t, l)
	checkQdisc(t, l)
}

// treeDiffservs are the divisions into priorities that HTB gets.
var treeDiffservs = []string{"besteffort", "diffserv3"}

// readTreeDiffserv makes it one priority below HTB unless the profile says
// otherwise.
func readTreeDiffserv(t table, l *Link) {
	each, perDirection := t.values["diffserv"].(map[string]any)
	for _, d := range directions {
		s := l.Direction(d)
		if s.Qdisc.Value != QdiscFQCodel {
			continue
		}
		if s.Diffserv.Line == 0 {
			s.Diffserv = Choice[string]{Value: treeDiffservs[0], Reason: "one class is all that most lines need: fq_codel lets a call through by itself"}
		}
		if slices.Contains(treeDiffservs, s.Diffserv.Value) {
			continue
		}
		f := &fault{"fq_codel has no " + s.Diffserv.Value, `write "besteffort" or "diffserv3", or qdisc = "cake"`}
		if !perDirection {
			t.report(t.at("diffserv"), f)
			return
		}
		dt := t.sub("diffserv", each)
		dt.report(dt.at(d.String()), f)
	}
}

// isCake tells whether a qdisc has all that CAKE has.
func isCake(qdisc string) bool { return qdisc == QdiscCake || qdisc == QdiscCakeMQ }

// cakeOnly are the keys for what only CAKE can do.
var cakeOnly = []string{"isolation", "nat", "wash", "ack_filter", "split_gso", "fwmark"}

// checkQdisc keeps what a qdisc can't do from being asked of it in silence. A
// value for both directions may be for one of them alone.
func checkQdisc(t table, l *Link) {
	for _, key := range cakeOnly {
		if _, ok := t.values[key]; !ok {
			continue
		}
		each, perDirection := t.values[key].(map[string]any)
		lacking := 0
		for _, d := range directions {
			if isCake(l.Direction(d).Qdisc.Value) {
				continue
			}
			lacking++
			if _, ok := each[d.String()]; ok {
				kt := t.sub(key, each)
				kt.report(kt.at(d.String()), &fault{l.Direction(d).Qdisc.Value + " has nothing of the kind", `remove it, or write qdisc = "cake"`})
			}
		}
		if lacking == len(directions) && !perDirection {
			t.report(t.at(key), &fault{l.Upload.Qdisc.Value + " has nothing of the kind", `remove it, or write qdisc = "cake"`})
		}
	}
}
