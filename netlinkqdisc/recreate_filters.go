package netlinkqdisc

import (
	"cmp"
	"encoding/binary"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// u32's handles: the hash table, the bucket, the number in the bucket
// (linux/pkt_cls.h). Root tables are numbered from 800: up, one for each
// priority, in the order of their creation.
const (
	u32Table     = 0xFFF00000
	u32Node      = 0xFFF
	u32Key       = 0xFFFFF // 0 for a hash table itself
	u32Hash      = 2       // TCA_U32_HASH
	u32FirstRoot = 0x80000000
	u32Step      = 0x00100000
)

// priority is the filters that the kernel keeps together, head first: of one
// chain, priority and protocol, and thus of one kind.
type priority []message

func (p priority) info() uint32  { return p[0].info }
func (p priority) chain() uint32 { return uint32(unsigned(p[0].attribute[unix.TCA_CHAIN])) }
func (p priority) isU32() bool   { return p[0].kind == "u32" }
func (p priority) same(o priority) bool {
	return p.info() == o.info() && p.chain() == o.chain()
}

// byPriority splits a dump of filters where a head begins.
func byPriority(messages []message) []priority {
	var all []priority
	for _, m := range messages {
		if m.handle == 0 || len(all) == 0 {
			all = append(all, nil)
		}
		last := len(all) - 1
		all[last] = append(all[last], m)
	}
	return all
}

// root is the root table of a priority of u32, which is its oldest and thus
// the last in the dump; 0 for other kinds.
func (p priority) root() plan.Handle {
	for _, m := range slices.Backward(p) {
		if m.isTable() && m.handle >= u32FirstRoot {
			return m.handle
		}
	}
	return 0
}

// filtersAgain makes priorities at one place again: first u32's tables, since
// a filter may lead to the table of another priority, then all filters.
func filtersAgain(priorities []priority) []request {
	all, after := tablesAgain(priorities)
	for _, p := range priorities {
		for _, m := range p {
			if m.handle == 0 || m.isTable() {
				continue // the head comes with its first filter
			}
			all = append(all, creation(&m, filterAgain(&m, p.root())))
		}
	}
	return append(all, after...)
}

// tablesAgain makes the priorities and tables of u32 again, in an order that
// gives root tables the numbers they had. A gap between two numbers is filled
// with an empty priority; after deletes those.
func tablesAgain(priorities []priority) (all, after []request) {
	byRoot := slices.Clone(priorities)
	slices.SortStableFunc(byRoot, func(a, b priority) int { return cmp.Compare(a.root(), b.root()) })
	next := plan.Handle(u32FirstRoot)
	for _, p := range byRoot {
		if p.root() == 0 {
			continue
		}
		for ; next < p.root(); next += u32Step {
			filler := header(p[0].index, 0, p[0].parent, freeInfo(priorities, len(after)))
			filler = appendFrom(filler, &p[0], unix.TCA_KIND)
			all = append(all, creation(&p[0], filler))
			after = append(after, request{"filler", unix.RTM_DELTFILTER, 0, filler})
		}
		next += u32Step
		head := header(p[0].index, 0, p[0].parent, p.info())
		all = append(all, creation(&p[0], appendFrom(head, &p[0], unix.TCA_KIND, unix.TCA_CHAIN)))
		for _, m := range slices.Backward(p) { // the oldest is last
			if m.isTable() && m.handle != p.root() {
				all = append(all, creation(&m, filterAgain(&m, p.root())))
			}
		}
	}
	return all, after
}

func creation(m *message, payload []byte) request {
	return request{m.object("filter"), unix.RTM_NEWTFILTER, unix.NLM_F_CREATE | unix.NLM_F_EXCL, payload}
}

// isTable says whether this is a hash table of u32.
func (m *message) isTable() bool {
	return m.kind == "u32" && m.handle != 0 && m.handle&u32Key == 0
}

// freeInfo is the n-th priority from the end that nothing else has.
func freeInfo(priorities []priority, n int) uint32 {
	for prio := uint32(0xFFFF); ; prio-- {
		used := func(p priority) bool { return p.info()>>16 == prio }
		if slices.ContainsFunc(priorities, used) {
			continue
		}
		if n == 0 {
			return prio<<16 | uint32(hostOrder(unix.ETH_P_ALL))
		}
		n--
	}
}

// restoreFilters brings a place back to the filters that it had. Where a u32
// is missing all u32 are made anew, since a root table's number is free again
// only when all have gone.
func (k *Kernel) restoreFilters(index uint32, parent plan.Handle, had []message) error {
	list, err := k.filtersAt(&snapshot{}, index, parent)
	if err != nil {
		return err
	}
	now := byPriority(list.messages)
	missing, redo := missingFrom(now, byPriority(had))
	for _, p := range redo {
		if err := k.deletePriority(p); err != nil {
			return &partError{p[0].object("filter"), err}
		}
	}
	_, err = k.sendAll(filtersAgain(append(missing, redo...)))
	return err
}

// missingFrom is the priorities that are not there now, and those that are but
// have to go and come back for their sake.
func missingFrom(now, had []priority) (missing, redo []priority) {
	isU32 := false
	for _, p := range had {
		if !slices.ContainsFunc(now, p.same) {
			missing = append(missing, p)
			isU32 = isU32 || p.isU32()
		}
	}
	for _, p := range now {
		if isU32 && p.isU32() {
			redo = append(redo, p)
		}
	}
	return missing, redo
}

func (k *Kernel) deletePriority(p priority) error {
	b := header(p[0].index, 0, p[0].parent, p.info())
	b = appendAttribute(b, unix.TCA_CHAIN, binary.NativeEndian.AppendUint32(nil, p.chain()))
	return k.send(unix.RTM_DELTFILTER, 0, b)
}
