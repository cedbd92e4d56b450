package config

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
)

// readSettings reads every key that a link may have for each direction.
func readSettings(t table, l *Link) {
	setting(t, l, "headroom", func(s *Settings) *Choice[float64] { return &s.Headroom }, readHeadroom)
	setting(t, l, "overhead", func(s *Settings) *Choice[int] { return &s.Overhead }, readOverhead)
	setting(t, l, "mpu", func(s *Settings) *Choice[int] { return &s.MPU }, readMPU)
	setting(t, l, "framing", func(s *Settings) *Choice[linklayer.Framing] { return &s.Framing }, readFraming)
	setting(t, l, "diffserv", func(s *Settings) *Choice[string] { return &s.Diffserv }, readWord(diffservs))
	setting(t, l, "isolation", func(s *Settings) *Choice[string] { return &s.Isolation }, readWord(isolations))
	setting(t, l, "nat", func(s *Settings) *Choice[bool] { return &s.NAT }, readBool)
	setting(t, l, "wash", func(s *Settings) *Choice[bool] { return &s.Wash }, readBool)
	setting(t, l, "ack_filter", func(s *Settings) *Choice[string] { return &s.AckFilter }, readWord(ackFilters))
	setting(t, l, "rtt", func(s *Settings) *Choice[time.Duration] { return &s.RTT }, readRTT)
	setting(t, l, "memory_limit", func(s *Settings) *Choice[int] { return &s.MemoryLimit }, readSize)
	setting(t, l, "split_gso", func(s *Settings) *Choice[bool] { return &s.SplitGSO }, readBool)
	setting(t, l, "fwmark", func(s *Settings) *Choice[uint32] { return &s.FwMark }, readMask)
	checkAckFilter(t, l)
	checkRaw(t, l)
	readQdisc(t, l)
	readRestoreDSCP(t, l)
}

// setting reads a key's value, for both directions or, from a table, for each.
func setting[T any](t table, l *Link, key string, of func(*Settings) *Choice[T], read func(any) (T, *fault)) {
	v, ok := t.values[key]
	if !ok {
		return
	}
	each, perDirection := v.(map[string]any)
	if !perDirection {
		value, f := read(v)
		if f != nil {
			t.report(t.at(key), f)
			return
		}
		for _, d := range directions {
			*of(l.Direction(d)) = Choice[T]{Value: value, Line: t.line(key)}
		}
		return
	}
	t = t.sub(key, each)
	t.refuseOthers(directionKeys, directionAdvice)
	for _, d := range directions {
		v, ok := each[d.String()]
		if !ok {
			continue
		}
		value, f := read(v)
		if f != nil {
			t.report(t.at(d.String()), f)
			continue
		}
		*of(l.Direction(d)) = Choice[T]{Value: value, Line: t.line(d.String())}
	}
}

// checkAckFilter keeps the filter off the download: one value for both
// directions means the upload only.
func checkAckFilter(t table, l *Link) {
	each, ok := t.values["ack_filter"].(map[string]any)
	if !ok {
		l.Download.AckFilter = downloadDefaults.AckFilter
		return
	}
	if l.Download.AckFilter.Value != "off" {
		dt := t.sub("ack_filter", each)
		dt.report(dt.at("download"), &fault{"acknowledgements that arrive have passed the slow part of the line already", `remove it, or write "off"`})
	}
}

// checkRaw keeps an overhead, which counts from the IP packet, away from a
// type that counts from the device's own length.
func checkRaw(t table, l *Link) {
	if _, ok := t.values["overhead"]; ok && l.Type.Raw {
		t.report(t.at("overhead"), &fault{"type raw takes the device's packet length as it is", `remove it, or choose another type, such as "ethernet"`})
	}
}
