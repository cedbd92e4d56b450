package tcdump

import "slices"

// readLinkObject reads a device of ip -j link.
func (r *reader) readLinkObject(o object) bool {
	name := o.text("ifname")
	if !isName(name) {
		return false
	}
	d := r.named(name)
	d.linked, d.Index, d.at = true, o.int("ifindex"), o.text("link")
	flags := o.texts("flags")
	d.Up, d.Carrier = slices.Contains(flags, "UP"), slices.Contains(flags, "LOWER_UP")
	d.MTU, d.TxQueueLen, d.Master, d.Alias = o.int("mtu"), o.int("txqlen"), o.text("master"), o.text("ifalias")
	d.readLinkType([]string{"link/" + o.text("link_type")})
	d.detail = d.detail || o.has("promiscuity")
	if n := o.int("num_tx_queues"); n > 0 {
		d.TxQueues = n
	}
	info := o.inner("linkinfo")
	if kind := info.text("info_kind"); kind != "" {
		d.Kind = kind
	}
	if data := info.inner("info_data"); d.Kind == "vlan" && data != nil {
		d.VLAN, d.TagInside = data.int("id"), !slices.Contains(data.texts("flags"), "REORDER_HDR")
	}
	for _, key := range []string{"stats64", "stats"} {
		if stats := o.inner(key); stats != nil {
			d.readStatsObject(stats)
			break
		}
	}
	return true
}

func (d *device) readStatsObject(o object) {
	rx, tx := o.inner("rx"), o.inner("tx")
	if rx == nil || tx == nil {
		return
	}
	c := &d.Counters
	c.RxBytes, c.RxPackets, c.RxDropped = rx.number("bytes"), rx.number("packets"), rx.number("dropped")
	c.TxBytes, c.TxPackets, c.TxDropped = tx.number("bytes"), tx.number("packets"), tx.number("dropped")
	d.counted = true
}
