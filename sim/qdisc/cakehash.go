package qdisc

import "github.com/sqmctl/sqmctl/plan"

// cakeWays is the size of the sets of queues in which a flow may find one.
const cakeWays = 8

// hostSides are the hosts that a rate is shared between first.
type hostSides struct{ source, destination bool }

// sidesOf are the hosts that an isolation shares between (cake_dsrc and
// cake_ddst). srchost, dsthost and hosts make a flow of a host instead.
func sidesOf(i plan.Isolation) hostSides {
	return hostSides{
		source:      i == plan.DualSrchost || i == plan.TripleIsolate,
		destination: i == plan.DualDsthost || i == plan.TripleIsolate,
	}
}

// hostTable counts the bulk flows of hosts.
type hostTable struct {
	tags  [cakeQueues]uint32
	flows [cakeQueues]uint16
}

// place is where a host is counted: at its own place, else at a free one of
// the set, else in its own, together with another host.
func (h *hostTable) place(hash uint32) uint16 {
	first := uint16(hash % cakeQueues)
	set, own := first&^(cakeWays-1), first%cakeWays
	for i := range uint16(cakeWays) {
		if k := set + (own+i)%cakeWays; h.tags[k] == hash {
			return k
		}
	}
	k := first
	for i := range uint16(cakeWays) {
		if free := set + (own+i)%cakeWays; h.flows[free] == 0 {
			k = free
			break
		}
	}
	h.tags[k] = hash
	return k
}

// countHosts adds n bulk flows to the hosts of a queue.
func (t *tin) countHosts(f *cakeFlow, sides hostSides, n int) {
	if sides.source {
		t.hosts[0].add(f.source, n)
	}
	if sides.destination {
		t.hosts[1].add(f.destination, n)
	}
}

func (h *hostTable) add(k uint16, n int) {
	h.flows[k] = uint16(min(max(int(h.flows[k])+n, 0), cakeQueues))
}

// load is how many bulk flows the busier host of a queue has, at least 1.
func (t *tin) load(f *cakeFlow, sides hostSides) int {
	load := uint16(1)
	if sides.source {
		load = max(load, t.hosts[0].flows[f.source])
	}
	if sides.destination {
		load = max(load, t.hosts[1].flows[f.destination])
	}
	return int(load)
}

// hash is what flows are told apart by.
func (q *Cake) hash(flow uint16) uint32 {
	var source, destination uint32
	switch q.options.Isolation {
	case plan.Srchost, plan.Dsthost, plan.Hosts:
		source, destination = q.hostHashes(flow)
	}
	switch q.options.Isolation {
	case plan.Srchost:
		return source
	case plan.Dsthost:
		return destination
	case plan.Hosts:
		return source ^ destination
	}
	return flowHash(flow, q.seed)
}

func (q *Cake) hostHashes(flow uint16) (source, destination uint32) {
	var s, d uint16
	if q.Hosts != nil {
		s, d = q.Hosts(flow)
	}
	return flowHash(s, q.seed+1), flowHash(d, q.seed+2)
}

// queueOf is the queue of a flow in a tin, reserved for it from now on.
func (q *Cake) queueOf(t *tin, flow uint16) uint16 {
	if q.options.Isolation == plan.Flowblind {
		return 0
	}
	hash := q.hash(flow)
	i := uint16(hash % cakeQueues)
	if t.tags[i] == hash && t.flows[i].set != unused {
		return i
	}
	return q.reserve(t, flow, hash)
}

// reserve finds a queue in the set of the flow's own: the one that is reserved
// for it, else one that is not in use, else its own, which it shares then.
func (q *Cake) reserve(t *tin, flow uint16, hash uint32) uint16 {
	first := uint16(hash % cakeQueues)
	set, own := first&^(cakeWays-1), first%cakeWays
	for i := range uint16(cakeWays) {
		if k := set + (own+i)%cakeWays; t.tags[k] == hash {
			if t.flows[k].set == unused {
				q.assignHosts(t, k, flow)
			}
			return k
		}
	}
	k := first
	for i := range uint16(cakeWays) {
		if free := set + (own+i)%cakeWays; t.flows[free].set == unused {
			k = free
			break
		}
	}
	t.tags[k] = hash
	q.assignHosts(t, k, flow)
	return k
}

// assignHosts says whose flow a queue is. If it is in use it was somebody
// else's.
func (q *Cake) assignHosts(t *tin, k, flow uint16) {
	if !q.sides.source && !q.sides.destination {
		return
	}
	f := &t.flows[k]
	if f.set == bulk {
		t.countHosts(f, q.sides, -1)
	}
	source, destination := q.hostHashes(flow)
	if q.sides.source {
		f.source = t.hosts[0].place(source)
	}
	if q.sides.destination {
		f.destination = t.hosts[1].place(destination)
	}
	if f.set == bulk {
		t.countHosts(f, q.sides, 1)
	}
}
