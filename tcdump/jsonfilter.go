package tcdump

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// readFilterObject reads a filter of tc -j.
func (r *reader) readFilterObject(o object) bool {
	f := &filter{number: r.number}
	asked := r.listed("filter")
	f.Link, f.Parent = asked.device, asked.parent
	words := []string{"filter"}
	for _, key := range []string{"dev", "parent", "protocol", "pref"} {
		if text := o.text(key); text != "" {
			words = append(words, key, text)
		}
	}
	for _, key := range []string{"root", "ingress", "egress"} {
		if o.truth(key) {
			words = append(words, key)
		}
	}
	if f.readHead(append(words, o.text("kind"))) < 0 {
		return false
	}
	options := o.inner("options")
	handle := []string{"handle", hexOf(options, "handle")}
	if fh := options.text("fh"); fh != "" {
		handle = []string{"fh", fh}
	}
	f.readHandle(append(handle, "chain", o.text("chain")))
	f.Selective = f.Selective || matchesSome(o["options"])
	if f.Link == noDevice || o.has("block") || !isWayIn(f.Parent) {
		return true
	}
	f.readActions(options.list("actions"))
	r.addFilter(f)
	return true
}

// hexOf is a handle that tc prints as a number, or in hexadecimal as a string.
func hexOf(o object, key string) string {
	var n uint32
	if json.Unmarshal(o[key], &n) == nil {
		return strconv.FormatUint(uint64(n), 16)
	}
	return o.text(key)
}

// u32Masks are the masks of what u32 compares. Several have the same key, of which
// a decoder would keep the last.
var u32Masks = regexp.MustCompile(`"mask":\s*"0*[1-9a-fA-F]`)

// matchesSome tells whether a u32 compares anything: with tc -p it says so in
// words.
func matchesSome(options []byte) bool {
	return u32Masks.Match(options) || bytes.Contains(options, []byte(`"match":"`))
}

// readActions reads where a filter sends packets, and the counters of its first
// action.
func (f *filter) readActions(all []object) {
	for i, a := range all {
		if counts := a.inner("stats"); i == 0 && counts != nil {
			f.Stats = statsOf(counts)
		}
		switch a.text("kind") {
		case "mirred":
			if a.text("direction") == "egress" {
				f.send(strings.ToLower(a.text("mirred_action")), a.text("to_dev"))
			}
		case "ctinfo":
			if !a.has("cpmark") {
				mask, _ := parseHex(a.text("dscpmask"))
				state, _ := parseHex(a.text("dscpstatemask"))
				f.restore(mask, state)
			}
		}
	}
}
