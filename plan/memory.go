package plan

import "fmt"

const (
	// memoryShare is the part of a machine's memory that all queues together
	// may hold unless the profile says how much: a flood then leaves a router
	// with 64 MiB, of which it uses some 40 itself, enough to work on.
	memoryShare = 16
	// leastQueue is what every queue may hold: a tenth of a second at 20 Mbit/s.
	leastQueue = 256 << 10
)

// memory is what a direction's queues may hold, in bytes.
func (s *Shaper) memory() (sum uint64) {
	if s.Qdisc.Cake != nil {
		return uint64(s.Qdisc.Cake.MemoryLimit) * s.cakes()
	}
	for _, f := range s.fqCodels() {
		sum += uint64(f.MemoryLimit)
	}
	return sum
}

// fqCodels are the options of each fq_codel of a direction.
func (s *Shaper) fqCodels() (all []*FQCodel) {
	for _, q := range append([]*Qdisc{&s.Qdisc}, s.Leaves...) {
		if q.FQCodel != nil {
			all = append(all, q.FQCodel)
		}
	}
	return all
}

// cakes is how many CAKEs a direction has, each with a limit of its own: cake_mq
// hands its limit to each (cake_mq_init in the kernel's net/sched/sch_cake.c).
func (s *Shaper) cakes() uint64 { return uint64(max(1, s.Cakes)) }

// QueueMemory is what waiting packets of all links can take, in bytes.
func (p *Plan) QueueMemory() (sum uint64) {
	for i := range p.Links {
		for _, s := range p.Links[i].Shapers() {
			sum += s.memory()
		}
	}
	return sum
}

// capMemory cuts what queues may hold by default to their share of the
// machine's memory, each by the same part. What the profile gives stays.
func (p *Plan) capMemory(machine uint64) {
	budget := machine / memoryShare
	var byDefault []*Shaper
	var free, given uint64
	for i := range p.Links {
		for _, s := range p.Links[i].Shapers() {
			if s.reason(memoryAttribute(s)).Line != 0 {
				given += s.memory()
				continue
			}
			byDefault = append(byDefault, s)
			free += s.memory()
		}
	}
	if machine == 0 || free == 0 || free+given <= budget {
		return
	}
	left := budget - min(given, budget)
	for _, s := range byDefault {
		s.cutMemory(max(s.memory()*left/free, leastQueue*s.cakes()), machine)
	}
}

func (s *Shaper) cutMemory(limit, machine uint64) {
	was := s.memory()
	if limit >= was {
		return
	}
	if s.Qdisc.Cake != nil {
		s.Qdisc.Cake.MemoryLimit = uint32(limit / s.cakes())
	}
	for _, f := range s.fqCodels() {
		f.MemoryLimit = uint32(uint64(f.MemoryLimit) * limit / was)
	}
	r := s.reason(memoryAttribute(s))
	r.Value = sizeWord(uint32(s.memory() / s.cakes()))
	if queues := s.Queues(); len(queues) > 0 { // it is that of each
		r.Value = sizeWord(queues[0].FQCodel.MemoryLimit)
	}
	r.Why += fmt.Sprintf("; cut, for all queues together may hold a %dth of this machine's %d MiB", memoryShare, machine>>20)
}

func memoryAttribute(s *Shaper) string {
	if s.Qdisc.Cake == nil {
		return "fq_codel memory_limit"
	}
	return "memlimit"
}

// reason is that of an attribute, to be changed.
func (s *Shaper) reason(attribute string) *Reason {
	for i := range s.Reasons {
		if s.Reasons[i].Attribute == attribute {
			return &s.Reasons[i]
		}
	}
	return &Reason{}
}
