package tcdump

import (
	"regexp"
	"strings"
)

// noJSON is what to do about a tc that prints u32's words in the midst of JSON.
const noJSON = "this tc cannot print u32 filters as JSON; run tc -d filter show without -j"

// What stands in the broken JSON of a filter.
var (
	brokenStart    = regexp.MustCompile(`\{\s*(?:"parent":\s*"[^"]*",\s*)?"protocol":`)
	brokenWord     = regexp.MustCompile(`"(protocol|pref|kind|chain|parent)":\s*"?([^",{}\s]+)`)
	brokenHandle   = regexp.MustCompile(`\bfh ([0-9a-f:]+)`)
	brokenMatch    = regexp.MustCompile(`match [0-9a-f]{8}/([0-9a-f]{8})`)
	brokenMirred   = regexp.MustCompile(`"mirred_action":\s*"(\w+)",\s*"direction":\s*"egress",\s*"to_dev":\s*"([^"]+)"`)
	brokenRedirect = regexp.MustCompile(`mirred \(Egress (Redirect|Mirror) to device ([^)\s]+)\)`)
)

// scanBroken reads what begins as JSON and isn't: the filters of a tc that prints
// text in between, line by line what is none.
func (r *reader) scanBroken(number int, text string, err error) {
	starts := brokenStart.FindAllStringIndex(text, -1)
	if len(starts) == 0 {
		r.cannotRead(number, "JSON that can't be read ("+err.Error()+"): "+text[:min(len(text), mostShown)])
		return
	}
	r.cannotRead(number, noJSON)
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		r.scanFilter(text[at[0]:end])
	}
}

// scanFilter reads one filter of such.
func (r *reader) scanFilter(text string) {
	words := []string{"filter"}
	kind, chain, handle := "", "0", ""
	for _, m := range brokenWord.FindAllStringSubmatch(text, 5) {
		switch {
		case m[1] == "kind" && kind == "":
			kind = m[2]
		case m[1] == "chain":
			chain = m[2]
		case m[1] != "kind":
			words = append(words, m[1], m[2])
		}
	}
	if m := brokenHandle.FindStringSubmatch(text); m != nil {
		handle = m[1]
	}
	f := &filter{number: r.number}
	f.Link, f.Parent = r.listing.device, r.listing.parent
	if kind == "" || f.readHead(append(words, kind)) < 0 || !isWayIn(f.Parent) {
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
