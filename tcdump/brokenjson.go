package tcdump

import (
	"encoding/json"
	"regexp"
	"strings"
)

// noJSON is what to do about a tc that prints u32's words in the midst of JSON.
const noJSON = "this tc cannot print u32 filters as JSON; run tc -d filter show without -j"

// What stands in the broken JSON of a filter.
var (
	brokenWord     = regexp.MustCompile(`"(protocol|pref|kind|chain|parent)":\s*"?([^",{}\s]+)`)
	brokenHandle   = regexp.MustCompile(`\bfh ([0-9a-f:]+)`)
	brokenMatch    = regexp.MustCompile(`match [0-9a-f]{8}/([0-9a-f]{8})`)
	brokenMirred   = regexp.MustCompile(`"mirred_action":\s*"(\w+)",\s*"direction":\s*"egress",\s*"to_dev":\s*"([^"]+)"`)
	brokenRedirect = regexp.MustCompile(`mirred \(Egress (Redirect|Mirror) to device ([^)\s]+)\)`)
)

// readBroken reads a list that isn't JSON as a whole, object by object: some
// versions of tc print the options of some kinds as text in between.
func (r *reader) readBroken(number int, text string, err error) {
	parts := objectsIn(text)
	if len(parts) == 0 {
		r.cannotRead(number, "no JSON ("+err.Error()+"): "+text[:min(len(text), mostShown)])
	}
	filters := false
	for _, part := range parts {
		if strings.Contains(part, `"protocol":`) && !json.Valid([]byte(part)) {
			r.scanFilter(part)
			filters = true
			continue
		}
		var o object
		if json.Unmarshal([]byte(part), &o) != nil && json.Unmarshal([]byte(withoutWords(part)), &o) != nil || !r.readObject(o) {
			r.cannotRead(number, "no JSON: "+part)
		}
	}
	if filters {
		r.cannotRead(number, noJSON)
	}
}

// objectsIn cuts the objects of a list apart at their brackets; the last may have
// no end.
func objectsIn(text string) []string {
	var parts []string
	var b brackets
	start := 0
	for i := range len(text) {
		before := b.depth
		b.add(text[i : i+1])
		switch {
		case before == 1 && b.depth == 2:
			start = i
		case before == 2 && b.depth == 1 && len(parts) < mostObjects:
			parts = append(parts, text[start:i+1])
		}
	}
	if b.depth > 1 && len(parts) < mostObjects {
		parts = append(parts, text[start:])
	}
	return parts
}

// words are the braces with words in them, where JSON has names in quotes.
var words = regexp.MustCompile(`\{[^{}"]*\}`)

func withoutWords(text string) string { return words.ReplaceAllString(text, "{}") }

// scanFilter reads a filter with text in it.
func (r *reader) scanFilter(text string) {
	head := []string{"filter"}
	kind, chain, handle := "", "0", ""
	for _, m := range brokenWord.FindAllStringSubmatch(text, 5) {
		switch {
		case m[1] == "kind" && kind == "":
			kind = m[2]
		case m[1] == "chain":
			chain = m[2]
		case m[1] != "kind":
			head = append(head, m[1], m[2])
		}
	}
	if m := brokenHandle.FindStringSubmatch(text); m != nil {
		handle = m[1]
	}
	f := &filter{number: r.number}
	asked := r.listed("filter")
	f.Link, f.Parent = asked.device, asked.parent
	if kind == "" || f.readHead(append(head, kind)) < 0 || !isWayIn(f.Parent) {
		return
	}
	f.readHandle([]string{"chain", chain, "fh", handle})
	for _, m := range brokenMatch.FindAllStringSubmatch(text, -1) {
		f.readMatch([]string{"match", "/" + m[1]})
	}
	for _, pattern := range []*regexp.Regexp{brokenMirred, brokenRedirect} {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			f.send(strings.ToLower(m[1]), m[2])
		}
	}
	r.addFilter(f)
}
