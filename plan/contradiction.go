package plan

import (
	"fmt"
	"strings"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

// contradiction is what the type of a link says that its device can't be; nil
// if both agree, or if the profile gives the overhead, which is then taken at
// its word.
func contradiction(l *config.Link, found *State) error {
	device := found.Device(l.Interface)
	if ports := switchPorts(l.Interface, found); len(ports) > 0 {
		return fmt.Errorf("it is the processor's port of a switch, which carries what all of %s send and receive: name the one that goes to the provider", strings.Join(ports, ", "))
	}
	if device == nil || l.Type.Raw || saysOverhead(l) {
		return nil
	}
	switch {
	case device.Tunnel != nil && device.Tunnel.Outer == 0:
		return fmt.Errorf("it is a %s tunnel, and nobody tells what it adds to a packet: write overhead = the line's %d + that (IP and UDP take 28 of it, or 48 with IPv6)",
			device.Kind, l.Type.Encapsulation.Overhead)
	case device.Type == arphrdPPP && !carriesPPP(&l.Type):
		return notPPP(l)
	case isRawIP(device) && carriesEthernet(&l.Type):
		return fmt.Errorf("it is a modem's raw IP device, over which no Ethernet%s goes, and type %q counts %d bytes of it (%s): write type = \"lte\" or \"5g\"",
			orPPPoE(&l.Type), l.Type.Name, l.Type.Encapsulation.Overhead, l.Type.Arithmetic)
	}
	return nil
}

// switchPorts are the ports of a switch (DSA) that a device carries the packets
// of.
func switchPorts(conduit string, found *State) (ports []string) {
	for i := range found.Devices {
		if d := &found.Devices[i]; d.Kind == "dsa" && d.Parent == conduit {
			ports = append(ports, d.Name)
		}
	}
	return ports
}

func saysOverhead(l *config.Link) bool {
	return l.Upload.Overhead.Line != 0 || l.Download.Overhead.Line != 0
}

func carriesPPP(a *linklayer.Access) bool {
	return strings.Contains(a.Name, "ppp") || isCellular(a) || a.Name == "conservative"
}

func isCellular(a *linklayer.Access) bool { return a.Name == "lte" || a.Name == "5g" }

func carriesEthernet(a *linklayer.Access) bool {
	return strings.Contains(a.Arithmetic, "Ethernet header")
}

func orPPPoE(a *linklayer.Access) string {
	if strings.Contains(a.Name, "pppoe") {
		return " or PPPoE"
	}
	return ""
}

// notPPP advises the type that has the PPP which the device shows.
func notPPP(l *config.Link) error {
	overhead := l.Type.Encapsulation.Overhead
	with := fmt.Sprintf("2 PPP + 6 PPPoE + %d make %d: write overhead = %[2]d", overhead, overhead+pppoeHeader)
	if access, ok := linklayer.AccessByName(withPPP[l.Type.Name]); ok {
		with = fmt.Sprintf("with it they are %d (%s): write type = %q", access.Encapsulation.Overhead, access.Arithmetic, access.Name)
	}
	return fmt.Errorf("it is a PPP device, and type %q counts no PPP in its %d bytes (%s); %s, or overhead = what your tunnel adds, if this is one",
		l.Type.Name, overhead, l.Type.Arithmetic, with)
}

// withPPP are the types of the same lines with PPP. PPP over ATM has other
// headers than IP over ATM.
var withPPP = map[string]string{
	"ethernet":             "ethernet-pppoe",
	"ethernet-vlan":        "ethernet-pppoe-vlan",
	"gpon":                 "gpon-pppoe",
	"vdsl2":                "vdsl2-pppoe",
	"vdsl2-vlan":           "vdsl2-pppoe-vlan",
	"adsl-bridged-vcmux":   "adsl-pppoe-vcmux",
	"adsl-bridged-llcsnap": "adsl-pppoe-llcsnap",
	"adsl-ipoa-vcmux":      "adsl-pppoa-vcmux",
	"adsl-ipoa-llcsnap":    "adsl-pppoa-llc",
}
