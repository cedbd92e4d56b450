package verify

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func TestRateMoves(t *testing.T) {
	made := func(r linklayer.Rate) func(*plan.State) {
		return both(foreign, onCake(func(q *plan.QdiscState) { q.CakeStats.Capacity = r }))
	}
	moving := func(s *plan.State) {
		s.Device("wan").At(plan.HandleRoot).Cake.Rate += linklayer.Rate(s.Time.Unix()%2) * linklayer.Mbit
	}
	rate := func(p *plan.Plan) { p.Links[0].Egress.Qdisc.Cake = cake() }
	load := seconds(3, traffic{packets: 100}, traffic{})
	checkSituations(t, RateMoves, []situation{
		{name: "made with another rate", alter: made(100 * linklayer.Mbit), want: Notice, says: "was made with 100 Mbit/s and has 20 Mbit/s now"},
		{name: "made with this rate", alter: made(shapedRate), want: absent},
		{name: "tc rounded it", alter: made(shapedRate + shapedRate/1000), want: absent},
		{name: "sqmctl changed it", alter: onCake(func(q *plan.QdiscState) { q.CakeStats.Capacity = linklayer.Mbit }), want: absent},
		{name: "autorate", alter: both(made(linklayer.Mbit), onCake(func(q *plan.QdiscState) { q.Cake.Autorate = true })), want: absent},
		{name: "changes while doctor looks", intervals: load, alter: moving, want: Notice, says: "first 20 Mbit/s, now"},
		{name: "and so not what the profile says", intervals: load, alter: moving, profile: rate, want: Notice},
		{name: "autorate while doctor looks", intervals: load, alter: both(moving, onCake(func(q *plan.QdiscState) { q.Cake.Autorate = true })), want: absent},
		{name: "stays", intervals: load, want: absent},
	})
	checkSituations(t, NotAsPlanned, []situation{
		{name: "a rate that moves differs now and then", intervals: load, alter: moving, profile: rate, want: absent},
		{name: "another rate", intervals: load, alter: onCake(func(q *plan.QdiscState) { q.Cake.Rate *= 2 }), profile: rate, want: Warning, says: "the profile says 20mbit"},
	})
}

func TestCPUBound(t *testing.T) {
	busy := func(softIRQ, idle float64) func(*plan.State) {
		return func(s *plan.State) {
			passed := s.Time.Sub(time.Unix(1000, 0))
			part := func(share float64) time.Duration { return time.Duration(share * float64(passed)) }
			s.Processors = []plan.Processor{{Total: passed, Idle: passed}, {Total: passed, Idle: part(idle), SoftIRQ: part(softIRQ)}}
		}
	}
	some := seconds(5, traffic{packets: full / 2}, traffic{})
	checkSituations(t, CPUBound, []situation{
		{name: "no time left", intervals: some, alter: busy(0.95, 0), want: Fault, says: "processor 1: 95 % softirq, 0 % idle, in 5s"},
		{name: "half of its time", intervals: some, alter: busy(0.5, 0.4), want: absent},
		{name: "busy with something else", intervals: some, alter: busy(0.3, 0), want: absent},
		{name: "and the shaper holds the queue all the same", intervals: seconds(10, held, traffic{}), alter: busy(0.95, 0), want: absent},
		{name: "too short to tell", intervals: some[:3], alter: busy(0.95, 0), want: absent},
		{name: "one look", alter: busy(0.95, 0), want: absent},
		{name: "nobody knows", intervals: some, want: absent},
	})
}

func TestFlat(t *testing.T) {
	half := seconds(10, traffic{packets: full / 2}, traffic{})
	swings := seconds(10, traffic{packets: full / 2}, traffic{})
	for i := range swings {
		swings[i].packets += uint64(i%5) * 20
	}
	short := func(s *plan.State) {
		q := s.Device("wan").At(plan.HandleRoot)
		q.Stats.Bytes = q.Stats.Packets * 200
	}
	checkSituations(t, Flat, []situation{
		{name: "half of the rate all the time", intervals: half, want: Notice, says: "stood at 9.75 Mbit/s all the time, far below the shaper's 20 Mbit/s"},
		{name: "swings", intervals: swings, want: absent},
		{name: "a short while", intervals: half[:10], want: absent},
		{name: "a stream", intervals: seconds(10, traffic{packets: full / 20}, traffic{}), want: absent},
		{name: "a call", intervals: half, alter: short, want: absent},
		{name: "nothing", intervals: seconds(10, traffic{}, traffic{}), want: absent},
		{name: "at the shaper's rate", intervals: seconds(10, held, traffic{}), want: absent},
	})
}

func TestOneLook(t *testing.T) {
	counted := func(packets, drops, backlog uint64) func(*plan.State) {
		return onCake(func(q *plan.QdiscState) { q.Stats = plan.Stats{Packets: packets, Drops: drops, Backlog: backlog} })
	}
	checkSituations(t, HeldLittle, []situation{
		{name: "nothing of millions", alter: counted(3_621_190, 0, 0), want: Notice, says: "3621190 packets so far, of which 0 were dropped or marked"},
		{name: "three of a hundred thousand", alter: counted(100_000, 3, 0), want: Notice},
		{name: "as often as a lone sender makes it", alter: counted(1_363_170, 313, 0), want: absent},
		{name: "packets wait now", alter: counted(3_621_190, 0, 9000), want: absent},
		{name: "too few packets", alter: counted(4488, 0, 0), want: absent},
	})
	checkSituations(t, Engaged, []situation{
		{name: "as often as a lone sender makes it", alter: counted(1_363_170, 313, 0), want: Fine},
		{name: "packets wait now", alter: counted(5, 0, 9000), want: Fine},
		{name: "nothing", alter: counted(3_621_190, 0, 0), want: absent},
	})
	checkSituations(t, Idle, []situation{{name: "too few packets", alter: counted(4488, 0, 0), want: Fine, says: "has passed 4488 packets"}})
}
