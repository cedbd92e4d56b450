package netlinkqdisc

import (
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// pppoeSessions lists the sessions of PPPoE of the calling thread's namespace.
// Everybody may read it; it isn't there in a kernel without PPPoE or proc.
const pppoeSessions = "/proc/thread-self/net/pppoe"

// markPPPoE notes which devices carry sessions of PPPoE that end here. The
// kernel tells nobody which PPP device a session belongs to, and rtnetlink has
// nothing of either: a PPP device has no IFLA_LINK.
func markPPPoE(found *plan.State) {
	b, err := os.ReadFile(pppoeSessions)
	if err != nil {
		return
	}
	for _, name := range parsePPPoESessions(string(b)) {
		if d := found.Device(name); d != nil {
			d.PPPoE = true
		}
	}
}

// parsePPPoESessions is the devices of the sessions (pppoe_seq_show in the
// kernel's drivers/net/ppp/pppoe.c): after a line of titles, for each session
// its number, the other end's address, and the name that the device had when
// the session began. It leaves lines out that are something else.
func parsePPPoESessions(text string) (devices []string) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		_, notNumber := strconv.ParseUint(fields[0], 16, 32)
		_, notAddress := net.ParseMAC(fields[1])
		if notNumber == nil && notAddress == nil {
			devices = append(devices, fields[2])
		}
	}
	return devices
}
