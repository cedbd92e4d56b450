package config

import (
	"slices"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

// What role can be.
const (
	RoleLine   = "line"   // the device goes to a provider's line, which is shaped
	RoleServer = "server" // what the host itself sends is shared and paced; nothing is shaped
)

var (
	roles         = []string{RoleLine, RoleServer}
	serverQdiscs  = []string{QdiscFQ, QdiscFQCodel}
	serverKeys    = []string{"interface", "role", "qdisc"}
	defaultServer = Choice[string]{Value: QdiscFQ, Reason: "keeps the pace that TCP asks for, connection by connection, and lets the connections take turns"}
)

// readRole reads role. Where it can't be read, whatever says a line is one.
func readRole(t table) string {
	role := Choice[string]{Value: RoleLine}
	single(t, "role", &role, readWord(roles))
	if _, given := t.values["role"]; given && role.Line == 0 && !t.has("type") && !t.has("invoice") {
		return RoleServer
	}
	return role.Value
}

func (t table) has(key string) bool {
	_, ok := t.values[key]
	return ok
}

// readServer reads a link that has no line.
func readServer(t table, l *Link) {
	t.refuseOthers(keysBelow("link."), serverKeyAdvice)
	l.Interface = readInterface(t, serverInterfaceFault)
	l.Root = defaultServer
	single(t, "qdisc", &l.Root, readServerQdisc)
	l.Upload.Off, l.Download.Off = true, true
	for _, k := range keysBelow("link.") {
		if t.has(k) && !slices.Contains(serverKeys, k) {
			t.report(t.at(k), &fault{"a server shapes no line", "remove it, or remove role"})
		}
	}
}

// serverKeyAdvice is for an unknown key, which may be another tool's word for one
// of a line.
func serverKeyAdvice(key string) string {
	if strings.HasPrefix(otherKeyAdvice(key), "write interface") || linklayer.Nearest(key, serverKeys) != "" {
		return otherKeyAdvice(key)
	}
	return "remove it: a server has no other keys than " + strings.Join(serverKeys, ", ")
}

func readServerQdisc(v any) (string, *fault) {
	word, _ := v.(string)
	switch word {
	case QdiscCake:
		return "", &fault{`"cake" is for a line: without a rate it paces nothing`, `write "fq", or remove role and give the line's type and invoice`}
	case QdiscNone:
		return "", &fault{`"none" leaves nothing for a server`, "remove the link"}
	}
	if _, ok := v.(map[string]any); ok {
		return "", wrongType(v, "a word", `write "fq" or "fq_codel", in quotes: a server queues what it sends and nothing else`)
	}
	return readWord(serverQdiscs)(v)
}

// readLineQdisc reads the qdisc of a line's direction.
func readLineQdisc(v any) (string, *fault) {
	if v == QdiscFQ {
		return "", &fault{`"fq" has no rate and shapes no line`, `write "fq_codel" or "cake"; fq is for a host with role = "server"`}
	}
	return readWord(qdiscs)(v)
}

// IsServer tells whether a link has no line to shape.
func (l *Link) IsServer() bool { return l.Role == RoleServer }
