package netlinkqdisc

import (
	"encoding/binary"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

const allProtocols = 3 // ETH_P_ALL

// readMarks reads the filters at an HTB; nil if there is none. Whatever doesn't
// compare the first four bytes of a packet and pick a class is a rule without a
// class.
func (l *filterList) readMarks(devices names, note func(*message, string, error)) *plan.Marks {
	var found *plan.Marks
	for i := range l.messages {
		m := &l.messages[i]
		rule, isFilter, err := readMark(m)
		note(m, "filter", err)
		if !isFilter && err == nil {
			continue
		}
		priority := uint16(m.info >> 16)
		if found == nil {
			found = &plan.Marks{Link: devices.of(l.index), Parent: l.parent, Priority: priority}
		}
		if priority != found.Priority {
			rule = plan.MarkRule{}
		}
		found.Rules = append(found.Rules, rule)
	}
	return found
}

func readMark(m *message) (rule plan.MarkRule, isFilter bool, err error) {
	options := m.attribute[unix.TCA_OPTIONS]
	if m.handle == 0 {
		return rule, false, nil
	}
	if m.kind != "u32" {
		return rule, true, nil
	}
	var table [u32Max + 1][]byte
	if err := parse(options, table[:]); err != nil || table[u32Divisor] != nil {
		return rule, false, err
	}
	selector := table[u32Sel]
	if len(selector) < u32SelLength+u32KeyLength {
		return rule, true, errOptions
	}
	key := selector[u32SelLength:]
	one := len(key) == u32KeyLength && unsigned64(key, 8) == 0 // at offset 0, wherever the packet begins
	if !one || table[u32Act] != nil || hostOrder(uint16(m.info)) != allProtocols {
		return rule, true, nil
	}
	return plan.MarkRule{
		Mask:  binary.BigEndian.Uint32(key),
		Value: binary.BigEndian.Uint32(key[4:]),
		Class: plan.Handle(unsigned(table[u32Class])),
	}, true, nil
}
