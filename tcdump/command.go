package tcdump

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/sqmctl/sqmctl/plan"
)

// listing is what a command line asked tc or ip to list.
type listing struct {
	object  string // "qdisc", "class", "filter"; "" for anything else
	device  string // "" if it names none, or several
	parent  plan.Handle
	details bool
}

// readCommand reads a command line, behind a prompt or by itself, and a comment.
// It says what the lines that follow are: tc leaves out what it was asked for.
func (r *reader) readCommand(text string) bool {
	command, ok := behindPrompt(text)
	if !ok {
		return false
	}
	r.leave()
	r.listings, r.roots, r.shown = nil, 0, &shown{qdiscs: map[qdiscKey]bool{}}
	for _, one := range strings.FieldsFunc(command, func(c rune) bool { return strings.ContainsRune(";|&", c) }) {
		l, ok := parseListing(strings.Fields(one))
		if !ok {
			continue
		}
		r.asked = append(r.asked, l)
		r.listings = append(r.listings, l)
		r.shown.details = r.shown.details || l.details
	}
	return true
}

// listed is what the last command line said of qdiscs, classes or filters. Where
// it asked for those of several devices, nothing tells them apart.
func (r *reader) listed(object string) listing {
	found := listing{}
	for _, l := range r.listings {
		switch {
		case l.object != object:
		case found.object == "":
			found = l
		case found.device != l.device:
			found.device = ""
		}
	}
	return found
}

// placeQdisc fills in what tc left out of a qdisc because it was asked for it. A
// command line that asks for those of several devices gets one root after the other.
func (r *reader) placeQdisc(q *qdisc) {
	if q.Link != "" && q.Parent != 0 {
		return
	}
	var asked []listing
	for _, l := range r.listings {
		if l.object == "qdisc" {
			asked = append(asked, l)
		}
	}
	if len(asked) == 0 {
		return
	}
	if q.Parent == plan.HandleRoot {
		r.roots++
	}
	l := asked[max(0, min(r.roots, len(asked))-1)]
	if q.Link == "" {
		q.Link = l.device
	}
	if q.Parent == 0 {
		q.Parent = l.parent
	}
}

// programs are those of which people paste the command line without a prompt.
var programs = []string{"tc", "ip", "nft", "uci", "cat", "sudo", "sqmctl", "sysctl", "conntrack"}

// behindPrompt is the command in a line that has one.
func behindPrompt(text string) (string, bool) {
	words := strings.Fields(text)
	first := path.Base(words[0])
	if slices.Contains(programs, first) && looksTyped(first, words) {
		return text, true
	}
	at := strings.IndexAny(text, "#$%")
	if at < 0 || at > 64 {
		return "", false
	}
	before, rest := text[:at], strings.TrimSpace(text[at+1:])
	if before == "" {
		return rest, true // a comment, if no command
	}
	isPrompt := strings.ContainsAny(before, "@~") || strings.HasPrefix(before, "[") || isHost(before)
	isCommand := rest != "" && (rest[0] >= 'a' && rest[0] <= 'z' || rest[0] == '/' || rest[0] == '.')
	return rest, isPrompt && (isCommand || rest == "")
}

// isHost tells whether a word can be a host's name before a prompt's sign: "router:/etc".
func isHost(s string) bool {
	return strings.IndexFunc(s, unicode.IsLetter) >= 0 && !strings.ContainsAny(s, " =(,;")
}

// looksTyped tells a command line from prose that begins with the same word.
func looksTyped(program string, words []string) bool {
	if len(words) < 2 {
		return false
	}
	second := words[1]
	switch program {
	case "tc", "nft", "uci":
		return true
	case "cat":
		return strings.HasPrefix(second, "/")
	case "ip":
		return second[0] == '-' || slices.Contains([]string{"link", "l", "a", "addr", "address", "r", "ro", "route", "rule", "neigh"}, second)
	}
	return slices.Contains(programs, path.Base(second)) || second[0] == '-'
}

// parseListing reads the words of one command.
func parseListing(w []string) (listing, bool) {
	for len(w) > 0 && (w[0] == "sudo" || w[0] == "doas") {
		w = w[1:]
	}
	if len(w) == 0 || path.Base(w[0]) != "tc" {
		return listing{}, false
	}
	l := listing{}
	w = w[1:]
	for ; len(w) > 0 && w[0][0] == '-'; w = w[1:] {
		l.details = l.details || isPart(strings.TrimLeft(w[0], "-"), "details")
	}
	if len(w) == 0 {
		return l, false
	}
	for _, object := range []string{"qdisc", "class", "filter"} {
		if isPart(w[0], object) {
			l.object = object
		}
	}
	w = w[1:]
	if len(w) > 0 && slices.Contains([]string{"show", "list", "ls", "lst", "s", "sh"}, w[0]) {
		w = w[1:]
	} else if len(w) > 0 && w[0] != "dev" {
		return l, false
	}
	l.readPlace(w)
	return l, l.object != ""
}

// readPlace reads what limits a listing to a device and a parent.
func (l *listing) readPlace(w []string) {
	for i, word := range w {
		next := ""
		if i+1 < len(w) {
			next = w[i+1]
		}
		switch word {
		case "dev":
			if isName(next) {
				l.device = next
			}
		case "parent":
			l.parent, _ = parseHandle(next)
		case "root":
			l.parent = plan.HandleRoot
		case "ingress":
			l.parent = plan.HandleClsactIngress
		case "egress":
			l.parent = handleClsactEgress
		}
	}
}

// handleClsactEgress is where clsact keeps the filters of the way out.
const handleClsactEgress plan.Handle = 0xFFFFFFF3

// isPart tells whether a word is the beginning of another, as tc takes it.
func isPart(word, of string) bool { return word != "" && strings.HasPrefix(of, word) }
