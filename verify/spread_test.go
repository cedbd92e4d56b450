package verify

import (
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/plan"
)

// spreadRun is samples of cake_mq with four queues that share the packets of each
// interval, so and so much of the backlog at each look.
func spreadRun(backlogs []uint64, packets uint64, each [4]uint64, flows int) []plan.State {
	var samples []plan.State
	for i := range len(backlogs) + 1 {
		s := box()
		s.Time = time.Unix(1000, 0).Add(time.Duration(i) * 200 * time.Millisecond)
		root := s.Device("wan").At(plan.HandleRoot)
		root.Kind = "cake_mq"
		n := uint64(i)
		for _, part := range each {
			root.Queues = append(root.Queues, plan.Stats{Bytes: n * packets * fullPacket * part / 100})
		}
		root.Stats = plan.Stats{Packets: n * packets, Bytes: n * packets * fullPacket, Overlimits: n}
		if i > 0 {
			root.Stats.Backlog = backlogs[i-1]
		}
		root.CakeStats.Tins[0].BulkFlows = flows
		samples = append(samples, s)
	}
	return samples
}

// looks are 50 looks, so many in a hundred with a backlog of so many bytes.
func looks(percent int, backlog uint64) []uint64 {
	all := make([]uint64, 50)
	for i := range all {
		if i*100/len(all) < percent {
			all[i] = backlog
		}
	}
	return all
}

// At 20 Mbit/s, 2 ms are 5000 bytes and 200 ms are 325 full packets.
func TestCakeMQEngagement(t *testing.T) {
	evenly, one := [4]uint64{97, 1, 1, 1}, [4]uint64{100, 0, 0, 0}
	for _, tt := range []struct {
		name     string
		backlogs []uint64
		packets  uint64
		each     [4]uint64
		want     Code
	}{
		{"full rate never reached", looks(40, 6000), 290, evenly, Engaged},
		{"loaded by halves, packets standing", looks(40, 6000), 160, evenly, Engaged},
		{"now and then", looks(10, 6000), 290, evenly, NotJudged},
		{"too short a backlog", looks(100, 4900), 290, evenly, NotBottleneck},
		{"nothing waits", looks(0, 0), 290, evenly, NotBottleneck},
		{"one queue alone could use it all", looks(100, 6000), 290, one, NotBottleneck},
		{"one queue alone does", looks(100, 6000), 325, one, Engaged},
		{"idle", looks(0, 0), 30, evenly, Idle},
	} {
		findings := Check(upload(), spreadRun(tt.backlogs, tt.packets, tt.each, 1))
		record(findings...)
		if last := findings[len(findings)-1]; last.Code != tt.want {
			t.Errorf("%s: %s, should be %s; %q", tt.name, last.Code, tt.want, last.Evidence)
		}
	}
}

func TestOneQueue(t *testing.T) {
	for _, tt := range []struct {
		name    string
		each    [4]uint64
		packets uint64
		flows   int
		want    bool
	}{
		{"all in one", [4]uint64{100, 0, 0, 0}, 300, 8, true},
		{"most in one", [4]uint64{0, 81, 19, 0}, 300, 20, true},
		{"spread", [4]uint64{70, 10, 10, 10}, 300, 20, false},
		{"too few transfers to spread", [4]uint64{100, 0, 0, 0}, 300, 7, false},
		{"too little traffic", [4]uint64{100, 0, 0, 0}, 10, 8, false},
	} {
		findings := Check(upload(), spreadRun(looks(0, 0), tt.packets, tt.each, tt.flows))
		record(findings...)
		if got := hasCode(findings, OneQueue); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// A download that goes through the IFB of the profile before is judged there.
func TestOtherIFBOfOurs(t *testing.T) {
	for _, tt := range []struct {
		alias string
		want  Code
	}{
		{plan.OwnerAlias("wan", true), NotAsPlanned},
		{plan.OwnerAlias("lan", true), ForeignRedirect},
		{"", ForeignRedirect},
	} {
		s := box()
		s.Device("ifb4wan").Alias = tt.alias
		p := download()
		in := p.Links[0].Ingress
		in.Qdisc.Kind, in.Qdisc.Link = "cake_mq", "ifq4wan"
		in.Redirect = &plan.Filter{Link: "wan", Redirect: "ifq4wan"}
		if findings := Check(p, []plan.State{s}); !hasCode(findings, tt.want) {
			t.Errorf("%q: %+v", tt.alias, findings)
		}
		if in.Qdisc.Link != "ifq4wan" {
			t.Error("the plan was changed")
		}
	}
}
