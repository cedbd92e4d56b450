package tcdump

import (
	"fmt"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// reader goes through a paste line by line. What the lines that follow belong to
// is in the fields below it; each line that begins something sets them anew.
type reader struct {
	rest   string // what is still to be read
	number int    // of the line that was read last
	line   string // that, cleaned

	devices map[string]*device
	order   []*device
	objects int
	asked   []listing     // what command lines asked for
	loose   []*filter     // whose device no line told
	classes []*classBlock // whose device no line told
	host    host
	unread  []Line
	more    int

	listings []listing // what the last command line asked for
	roots    int       // of qdiscs without a device since then
	shown    *shown    // what the lines since then show
	qdisc    *qdisc
	filter   *filter
	block    *classBlock // that the last class went to
	link     *device
	config   *section
	nft      nftBlock
	counted  *plan.Stats // whose counters come next
	sent     *bool       // is set when they came
	foreign  bool        // what comes next belongs to an object of no concern
}

// device is a netdev as far as it was shown.
type device struct {
	plan.Device
	qdiscs  []*qdisc
	qdiscAt map[qdiscKey]int
	parents map[plan.Handle]bool // that qdiscs have
	classAt map[plan.Handle]int
	filters []*filter // of the way in
	ruleAt  map[ruleKey]int
	linked  bool   // by ip link
	detail  bool   // with -d
	rounded bool   // something of it was read from text
	counted bool   // with -s
	classed bool   // its classes were listed
	at      string // the name behind @: the device below it, or a veth's other end
	columns []string
	sending bool // the columns are of TX
}

// qdisc is a qdisc as far as it was shown.
type qdisc struct {
	plan.QdiscState
	shown   *shown
	counted bool
	bare    string // htb's default without 0x, in hexadecimal or decimal
}

// shown is what one output of tc shows.
type shown struct {
	details bool // with -d: there is something that tc prints only then
	qdiscs  map[qdiscKey]bool
}

type qdiscKey struct {
	device string
	plan.Handle
	parent plan.Handle
}

func newReader(text string) *reader {
	return &reader{rest: text, devices: map[string]*device{}, host: host{sections: map[string]*section{}}, shown: &shown{qdiscs: map[qdiscKey]bool{}}}
}

// next goes on to the next line.
func (r *reader) next() bool {
	if r.rest == "" {
		return false
	}
	r.line = clean(r.cut())
	r.number++
	return true
}

// cut takes a line off the rest.
func (r *reader) cut() string {
	end := strings.IndexByte(r.rest, '\n')
	if end < 0 {
		end = len(r.rest)
	}
	line := r.rest[:end]
	r.rest = r.rest[min(end+1, len(r.rest)):]
	return strings.TrimSuffix(line, "\r")
}

// readLine reads a line and, where it begins JSON, those that belong to it.
func (r *reader) readLine() {
	text := strings.TrimSpace(r.line)
	switch {
	case text == "":
		return
	case beginsJSON(text):
		r.readJSON()
		return
	case len(text) > mostLine:
		r.cannotRead(r.number, text)
		return
	case r.readCommand(text):
		return
	}
	for part := range strings.SplitSeq(text, `\`) { // where ip -o joins lines
		words := strings.Fields(part)
		if len(words) > 0 && !r.readWords(words) {
			r.cannotRead(r.number, part)
		}
	}
}

// readWords reads a line that is neither JSON nor a command.
func (r *reader) readWords(w []string) bool {
	if r.nft.depth > 0 && !beginsTC[w[0]] && w[0] != "config" { // else its end is missing
		return r.readLinkHead(w) || r.readNft(w)
	}
	if read := beginnings[w[0]]; read != nil && read(r, w) {
		return true
	}
	for _, read := range []func(*reader, []string) bool{
		(*reader).readLinkHead, (*reader).readLinkLine, (*reader).readStatsLine, (*reader).readQdiscLine,
		(*reader).readFilterLine, (*reader).readUCIShow, (*reader).readConntrack, (*reader).readRoute, (*reader).readSysctl,
	} {
		if read(r, w) {
			return true
		}
	}
	if i := indexOf(w, "qdisc"); i > 0 && i < 4 && strings.HasSuffix(w[i-1], ":") { // "later: qdisc noqueue 0: …"
		return r.readQdisc(w[i:])
	}
	if r.filter == nil && r.counted != nil && r.qdisc == nil && ofClass[w[0]] {
		return true
	}
	return r.foreign && strings.HasPrefix(r.line, " ") // what is indented below something of no concern
}

// ofClass are the words that begin the other counters of a class.
var ofClass = map[string]bool{"lended:": true, "tokens:": true, "period": true, "level": true}

var beginsTC = map[string]bool{"qdisc": true, "class": true, "filter": true}

// beginnings are the words that begin a thing. They are filled in by init, since
// what reads them reads words again.
var beginnings map[string]func(*reader, []string) bool

func init() {
	beginnings = map[string]func(*reader, []string) bool{
		"qdisc": (*reader).readQdisc, "class": (*reader).readClass, "filter": (*reader).readFilter,
		"table": (*reader).readNft, "flowtable": (*reader).readNft,
		"config": (*reader).readSection, "option": (*reader).readOption, "list": (*reader).readOption,
	}
}

// leave forgets what the last lines belonged to.
func (r *reader) leave() {
	r.qdisc, r.filter, r.block, r.link, r.config, r.counted, r.sent = nil, nil, nil, nil, nil, nil, nil
	r.nft, r.foreign = nftBlock{}, false
}

// named is the device with a name; a new one if it wasn't named before.
func (r *reader) named(name string) *device {
	d := r.devices[name]
	if d == nil {
		d = &device{
			Device: plan.Device{Name: name}, qdiscAt: map[qdiscKey]int{}, parents: map[plan.Handle]bool{},
			classAt: map[plan.Handle]int{}, ruleAt: map[ruleKey]int{},
		}
		r.devices[name] = d
		r.order = append(r.order, d)
	}
	return d
}

const mostName = 15 // bytes of a device's name

// isName tells whether a word can be a device's name, as the kernel has it
// (dev_valid_name in its net/core/dev.c).
func isName(s string) bool {
	return s != "" && len(s) <= mostName && s != "." && s != ".." && !strings.ContainsAny(s, "/: \t")
}

// cannotRead names something that couldn't be read.
func (r *reader) cannotRead(number int, text string) {
	if len(r.unread) >= mostUnread {
		r.more++
		return
	}
	text = strings.Join(strings.Fields(text[:min(len(text), 8*mostShown)]), " ")
	for i := range text {
		if i >= mostShown {
			text = text[:i] + "…"
			break
		}
	}
	r.unread = append(r.unread, Line{number, strings.ToValidUTF8(text, "?")})
}

// tooMany says what there is more of than a router has; "" if nothing.
func (r *reader) tooMany() string {
	switch {
	case len(r.order) > mostDevices:
		return fmt.Sprintf("more than %d devices", mostDevices)
	case r.objects > mostObjects:
		return fmt.Sprintf("more than %d qdiscs, classes and filters", mostObjects)
	}
	return ""
}
