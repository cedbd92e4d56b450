package config

import "time"

// Preview is what «sqmctl preview» would else take for granted about a line.
// Nothing of it is installed. How much the line can queue is in Settings.
type Preview struct {
	RTT   Choice[time.Duration] // to a server, without any queue; 0: by type
	Flows Choice[int]           // how many transfers; 0: preview's own number
	// Wobble is by how many percent the line's rate varies, up and down; by type
	// if it has no Line.
	Wobble Choice[float64]
}

func readPreview(t table, l *Link) {
	v, ok := t.values["preview"]
	if !ok {
		return
	}
	values, ok := v.(map[string]any)
	if !ok {
		t.report(t.at("preview"), wrongType(v, "a table", `write preview = { buffer = "512 KiB", rtt = "24 ms", flows = 4, wobble = "15 %" }, with what you know of it`))
		return
	}
	t = t.sub("preview", values)
	t.refuseOthers(keysBelow("link.preview."), func(string) string { return "" })
	setting(t, l, "buffer", func(s *Settings) *Choice[int] { return &s.Buffer }, readSize)
	single(t, "rtt", &l.Preview.RTT, readPathRTT)
	single(t, "flows", &l.Preview.Flows, readFlows)
	single(t, "wobble", &l.Preview.Wobble, readWobble)
}

// single reads a key that has no value for each direction.
func single[T any](t table, key string, c *Choice[T], read func(any) (T, *fault)) {
	v, ok := t.values[key]
	if !ok {
		return
	}
	value, f := read(v)
	if f != nil {
		t.report(t.at(key), f)
		return
	}
	*c = Choice[T]{Value: value, Line: t.line(key)}
}

// readPathRTT reads a round-trip time that a simulation takes.
func readPathRTT(v any) (time.Duration, *fault) {
	rtt, f := readRTT(v)
	if f == nil && rtt > longestPath {
		return 0, &fault{describe(v) + " is above 20 s", `write the time to a server on this planet, such as "24 ms"`}
	}
	return rtt, f
}

const longestPath = 20 * time.Second

func readFlows(v any) (int, *fault) {
	return readInteger(v, 1, 1000, "write how many transfers to simulate, such as 4")
}

func readWobble(v any) (float64, *fault) {
	return readPercent(v, `write by how much the line's rate varies up and down, such as "15 %"`)
}
