package tcdump

import (
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// section is a section of OpenWrt's configuration (uci).
type section struct {
	name   string // "sqm.eth1", "firewall.@defaults[0]" where uci show tells it
	kind   string // "queue", "defaults"; "" if no line told it
	values map[string]string
}

const mostValues = 64 // of a section

// readSection reads "config queue 'eth1'" of a file below /etc/config.
func (r *reader) readSection(w []string) bool {
	if len(w) > 3 {
		return false
	}
	r.leave()
	r.config = r.host.section("", unquoted(strings.Join(w[1:min(2, len(w))], "")))
	return true
}

// readOption reads "option overhead '44'".
func (r *reader) readOption(w []string) bool {
	if r.config == nil || len(w) < 3 {
		return false
	}
	if w[0] == "option" {
		r.config.set(w[1], strings.Join(w[2:], " "))
	}
	return true
}

// readUCIShow reads a line of uci show: "sqm.eth1=queue", "sqm.eth1.upload='9000'".
func (r *reader) readUCIShow(w []string) bool {
	key, value, ok := strings.Cut(strings.Join(w, " "), "=")
	file, rest, hasFile := strings.Cut(key, ".")
	if !ok || !hasFile || strings.ContainsAny(key, " /") || r.host.sysctl(key) != nil {
		return false
	}
	if file != "sqm" && file != "firewall" {
		return isUCI(file)
	}
	name, option, isOption := strings.Cut(rest, ".")
	s := r.host.section(file+"."+name, "")
	if !isOption {
		s.kind = unquoted(value)
		return true
	}
	s.set(option, value)
	return true
}

// isUCI tells the other files that people paste along.
func isUCI(file string) bool {
	return file == "network" || file == "dhcp" || file == "wireless" || file == "system"
}

// section is the section with a name; a new one if there is none, or no name.
func (h *host) section(name, kind string) *section {
	if s := h.sections[name]; s != nil && name != "" {
		return s
	}
	s := &section{name: name, kind: kind, values: map[string]string{}}
	if len(h.configured) < mostDevices {
		h.configured = append(h.configured, s)
	}
	if name != "" && len(h.sections) < mostDevices {
		h.sections[name] = s
	}
	return s
}

func (s *section) set(option, value string) {
	if len(s.values) < mostValues {
		s.values[option] = unquoted(value)
	}
}

func unquoted(s string) string { return strings.Trim(s, `'"`) }

// isQueue tells a section of sqm-scripts, and isDefaults the one of the firewall
// with the flow tables.
func (s *section) isQueue() bool {
	return s.kind == "queue" || s.kind == "" && strings.HasPrefix(s.name, "sqm.")
}

func (s *section) isDefaults() bool {
	return s.kind == "defaults" || s.kind == "" && strings.HasPrefix(s.name, "firewall.@defaults")
}

// queueOf is what a section of sqm-scripts says; ok is false if it names no
// device. Its rates are in kbit/s, and 0 leaves a direction alone.
func (s *section) queueOf() (c plan.Configured, ok bool) {
	rate := func(option string) linklayer.Rate {
		n, _ := parseCount(s.values[option])
		return linklayer.Rate(min(n, 1<<40)) * linklayer.Kbit
	}
	return plan.Configured{
		Program: "sqm-scripts", File: "/etc/config/sqm",
		Device: s.values["interface"], Enabled: s.values["enabled"] == "1",
		Upload: rate("upload"), Download: rate("download"),
		Qdisc: s.values["qdisc"], Script: s.values["script"],
	}, isName(s.values["interface"])
}
