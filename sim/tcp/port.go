package tcp

import "github.com/sqmctl/sqmctl/sim/qdisc"

// Port is where packets go out. Those of one side of all transfers may share
// one, so that the packet being sent is in the cache.
type Port struct {
	out    func(p *qdisc.Packet, now int64)
	packet qdisc.Packet // the one being sent
}

// NewPort is a port whose packets out takes. It must not keep the pointer.
func NewPort(out func(p *qdisc.Packet, now int64)) *Port { return &Port{out: out} }
