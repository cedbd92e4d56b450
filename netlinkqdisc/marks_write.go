package netlinkqdisc

import (
	"encoding/binary"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// marksRequests make a filter for each rule, in their order.
func marksRequests(m *plan.Marks, index uint32) []request {
	var all []request
	for _, r := range m.Rules {
		all = append(all, request{m.Name(), unix.RTM_NEWTFILTER, unix.NLM_F_CREATE | unix.NLM_F_EXCL, markMessage(m, r, index)})
	}
	return all
}

func marksInfo(m *plan.Marks) uint32 {
	return uint32(m.Priority)<<16 | uint32(hostOrder(allProtocols))
}

// markMessage is a struct tcmsg with a u32 that has one key (linux/pkt_cls.h:
// struct tc_u32_sel, then mask and value in network order, offset and its mask).
func markMessage(m *plan.Marks, r plan.MarkRule, index uint32) []byte {
	selector := make([]byte, u32SelLength+u32KeyLength)
	selector[0], selector[2] = u32Terminal, 1 // flags, number of keys
	binary.BigEndian.PutUint32(selector[u32SelLength:], r.Mask)
	binary.BigEndian.PutUint32(selector[u32SelLength+4:], r.Value)
	var options []byte
	options = appendNumber(options, u32Class, uint32(r.Class))
	options = appendAttribute(options, u32Sel, selector)
	b := header(index, 0, m.Parent, marksInfo(m))
	b = appendAttribute(b, unix.TCA_KIND, []byte("u32\x00"))
	return appendAttribute(b, unix.TCA_OPTIONS, options)
}
