package verify

import (
	"fmt"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

const (
	// unevenShare is the part of the bytes in one queue from which the others
	// hardly help.
	unevenShare = 0.8
	// spreadFlows is how many transfers at a time should spread: of eight, by
	// chance, all go the same of two ways once in 128 times.
	spreadFlows = 8
	// spreadBytes is how much has to pass to judge by.
	spreadBytes = 1 << 20
)

// oneQueue is cake_mq whose packets nearly all went through one queue although
// there were transfers enough to spread. One processor then does the work, which
// CAKE could do as well, with one fair share for all.
func (d *direction) oneQueue() *Finding {
	queues := d.queueBytes()
	if len(queues) < 2 {
		return nil
	}
	var sum, most uint64
	var each []string
	for _, bytes := range queues {
		sum, most = sum+bytes, max(most, bytes)
		each = append(each, fmt.Sprint(bytes))
	}
	last, flows := d.root(d.last()), d.mostFlows()
	if sum < spreadBytes || float64(most) < unevenShare*float64(sum) || flows < spreadFlows {
		return nil
	}
	f := d.finding(OneQueue, Notice,
		`if `+last.Link+` really has that many queues in use, spread what arrives over processors (RPS, or a network card's receive queues); else write qdisc = "cake"`,
		"%s on %s: one of its %d queues carried %.0f %% of the bytes while %d transfers ran, so one processor does the work, as with cake",
		last.Kind, last.Link, len(queues), 100*float64(most)/float64(sum), flows)
	f.numbered("queues", float64(len(queues))).numbered("busiest_queue_percent", 100*float64(most)/float64(sum)).numbered("bulk_flows", float64(flows))
	return d.with(f, "bytes by queue: "+strings.Join(each, ", "))
}

// mostFlows is the most transfers that a look at CAKE showed waiting.
func (d *direction) mostFlows() (most int) {
	for i := range d.samples {
		most = max(most, bulkFlows(d.root(&d.samples[i])))
	}
	return most
}

func bulkFlows(q *plan.QdiscState) (sum int) {
	if q == nil || q.CakeStats == nil {
		return 0
	}
	for i := range q.CakeStats.Tins {
		sum += q.CakeStats.Tins[i].BulkFlows
	}
	return sum
}
