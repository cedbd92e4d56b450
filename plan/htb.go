package plan

import (
	"fmt"
	"strconv"

	"github.com/sqmctl/sqmctl/linklayer"
)

// HTB is the options of an HTB qdisc, which only holds classes (tc-htb(8)). The
// kernel can't change them in place.
type HTB struct {
	Default     uint16 // minor number of the class for what no filter picks; 0: such packets pass unshaped
	DirectLimit uint32 // packets that may wait to pass unshaped
}

// HTBClass is the options of an HTB class.
type HTBClass struct {
	Rate, Ceil    linklayer.Rate
	Burst, CBurst int // bytes sent at once after a pause, at Rate and at Ceil
	Quantum       int // bytes in a turn beside other classes
	Priority      int // 0 is served first
}

func (h *HTB) options() []option {
	return []option{
		{"default", fmt.Sprintf("%#x", h.Default), fmt.Sprintf("default %#x", h.Default)},
		{"direct_qlen", strconv.Itoa(int(h.DirectLimit)), fmt.Sprintf("direct_qlen %d", h.DirectLimit)},
	}
}

func (c *HTBClass) options() []option {
	bytes := func(name string, n int) option { return option{name, strconv.Itoa(n), fmt.Sprintf("%s %db", name, n)} }
	return []option{
		{"rate", rateWord(c.Rate), "rate " + rateWord(c.Rate)},
		{"ceil", rateWord(c.Ceil), "ceil " + rateWord(c.Ceil)},
		bytes("burst", c.Burst),
		bytes("cburst", c.CBurst),
		{"quantum", strconv.Itoa(c.Quantum), fmt.Sprintf("quantum %d", c.Quantum)},
		{"prio", strconv.Itoa(c.Priority), fmt.Sprintf("prio %d", c.Priority)},
	}
}

// Class is a class of HTB.
type Class struct {
	Link   string
	Handle Handle
	Parent Handle // the qdisc, or another class
	HTB    *HTBClass
}

// Device is the netdev that the class is on.
func (c *Class) Device() string { return c.Link }

// Name is "class htb 7371:1 on wan".
func (c *Class) Name() string { return fmt.Sprintf("class htb %s on %s", c.Handle, c.Link) }

// Words is the class in tc's words.
func (c *Class) Words() string {
	return fmt.Sprintf("tc class replace dev %s parent %s classid %s htb %s",
		quote(c.Link), c.Parent, c.Handle, spelt(c.HTB.options()))
}
