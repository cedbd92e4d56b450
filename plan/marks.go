package plan

import (
	"fmt"
	"slices"
	"strings"
)

// Marks are the filters at an HTB that pick a class by a packet's DSCP. There is
// one rule for a DSCP of IPv4 and one for that of IPv6; what no rule takes goes
// to the HTB's default class.
type Marks struct {
	Link     string
	Parent   Handle // the HTB
	Priority uint16
	Rules    []MarkRule
}

// MarkRule compares the first four bytes of an IP header, as a number.
type MarkRule struct {
	Value, Mask uint32
	Class       Handle
}

const marksPriority = 1

// marksFor makes the rules for a DSCP (RFC 2474): it is the upper six bits of
// the byte behind the version and header length in IPv4 (RFC 791), and behind
// the version in IPv6 (RFC 8200). The version is compared too, so that the same
// list serves for every protocol, VLAN tags or not.
func marksFor(dscp uint32, class Handle) []MarkRule {
	return []MarkRule{
		{Value: 4<<28 | dscp<<18, Mask: 0xf<<28 | 0x3f<<18, Class: class},
		{Value: 6<<28 | dscp<<22, Mask: 0xf<<28 | 0x3f<<22, Class: class},
	}
}

// Device is the netdev that the HTB sits on.
func (m *Marks) Device() string { return m.Link }

// Name is "filters u32 prio 1 by DSCP on wan".
func (m *Marks) Name() string {
	return fmt.Sprintf("filters u32 prio %d by DSCP on %s", m.Priority, m.Link)
}

// Words is a line for each rule.
func (m *Marks) Words() string {
	var lines []string
	for _, r := range m.Rules {
		lines = append(lines, fmt.Sprintf("tc filter add dev %s parent %s protocol all prio %d u32 match u32 %#08x %#08x at 0 classid %s",
			quote(m.Link), m.Parent, m.Priority, r.Value, r.Mask, r.Class))
	}
	return strings.Join(lines, "\n")
}

// diffMarks compares the filters at an HTB with those wanted. They are made anew
// as a whole; packets go to the default class meanwhile.
func diffMarks(want *Marks, device *Device) []Step {
	found := device.marksAt(want.Parent)
	switch {
	case found == nil:
		return []Step{{Action: Create, Object: want}}
	case found.Priority == want.Priority && slices.Equal(found.Rules, want.Rules):
		return nil
	}
	return []Step{{Action: Replace, Object: want, Was: found, Note: fmt.Sprintf("%d of the %d rules were as planned", found.sharedWith(want), len(want.Rules))}}
}

func (m *Marks) sharedWith(other *Marks) int {
	n := 0
	for _, r := range m.Rules {
		if slices.Contains(other.Rules, r) {
			n++
		}
	}
	return n
}

func (d *Device) marksAt(parent Handle) *Marks {
	for i := range d.Marks {
		if d.Marks[i].Parent == parent {
			return &d.Marks[i]
		}
	}
	return nil
}
