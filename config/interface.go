package config

import (
	"strings"
	"unicode"
)

// longestInterface is IFNAMSIZ without the zero byte, in bytes.
const longestInterface = 15

// readInterface reads the name of the line's device; "" if there is none that
// can be used.
func readInterface(t table, faultOf func(string) *fault) string {
	name, ok := t.text("interface", "eth0")
	if !ok {
		return ""
	}
	if f := faultOf(name); f != nil {
		t.report(t.at("interface"), f)
	}
	return name
}

const wanAdvice = `name the device that goes to the provider, such as "eth0", "wan" or "pppoe-wan"`

func interfaceFault(name string) *fault {
	if f := serverInterfaceFault(name); f != nil {
		return f
	}
	if isLAN(name) {
		return &fault{describe(name) + " is a LAN device, and seen from there upload and download are swapped", wanAdvice}
	}
	return nil
}

// serverInterfaceFault is what is wrong with any name. A server's network may
// well be a LAN.
func serverInterfaceFault(name string) *fault {
	const advice = `write the name that ip link shows, such as "eth0" or "pppoe-wan"`
	switch {
	case name == "":
		return &fault{"the name is empty", advice}
	case len(name) > longestInterface:
		return &fault{describe(name) + " is longer than 15 bytes", advice}
	case name == "." || name == ".." || strings.ContainsFunc(name, forbiddenInName):
		return &fault{describe(name) + " can't be the name of a device", advice}
	case strings.HasPrefix(strings.ToLower(name), "ifb"):
		return &fault{describe(name) + " is an IFB, which sqmctl makes by itself for the download", wanAdvice}
	case name == "lo":
		return &fault{`"lo" is the loopback device, where nothing goes to a provider`, wanAdvice}
	}
	return nil
}

// forbiddenInName is what the kernel's dev_valid_name refuses (net/core/dev.c),
// and what no terminal shows.
func forbiddenInName(r rune) bool {
	return r == '/' || r == ':' || unicode.IsSpace(r) || !unicode.IsPrint(r)
}

// isLAN goes by the names that routers give their LAN side. A bridge that is
// named for the WAN is none.
func isLAN(name string) bool {
	if strings.HasPrefix(name, "br-") {
		return !strings.HasPrefix(name, "br-wan")
	}
	if strings.HasPrefix(name, "wlan") {
		return true
	}
	rest, ok := strings.CutPrefix(name, "lan")
	return ok && (rest == "" || !unicode.IsLetter(rune(rest[0])))
}
