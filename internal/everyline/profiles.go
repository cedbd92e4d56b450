package everyline

import (
	"fmt"
	"strings"

	"github.com/sqmctl/sqmctl/linklayer"
)

// Profile is one of a line at the device wan.
type Profile struct {
	Name   string
	Device string // what wan is, a key of Devices
	Text   string
}

// Devices are lines for «ip -batch» that make wan, which is one end of a cable
// and has the address 192.0.2.1/24, into another kind of device; the cable is
// called port then.
var Devices = map[string]string{
	"Ethernet":  "",
	"VLAN":      rename + "link add link port name wan type vlan id 7\nlink set wan txqueuelen 1000 up\n",
	"bridge":    rename + "link add wan type bridge\nlink set port master wan\nlink set wan txqueuelen 1000 up\n",
	"WireGuard": rename + "link add wan type wireguard\nlink set wan txqueuelen 1000 up\n",
	"GRE":       rename + "link add wan type gre local 192.0.2.1 remote 192.0.2.2 key 5\nlink set wan txqueuelen 1000 up\n",
}

const rename = "link set wan down\nlink set wan name port\nlink set port up\n"

// deviceNames are in an order of their own, so that a change of a table changes
// no combination.
var deviceNames = []string{"Ethernet", "VLAN", "bridge", "WireGuard", "GRE"}

// Of makes a profile of a line at wan with some more lines.
func Of(access, download, upload string, more ...string) string {
	return `schema = 1
[[link]]
interface = "wan"
type      = "` + access + `"
invoice   = { download = "` + download + `", upload = "` + upload + `" }
` + strings.Join(more, "\n") + "\n"
}

// Profiles are those by hand, which have every key and every extreme, and one of
// each type with every qdisc on each kind of device.
func Profiles() []Profile {
	return append(append([]Profile{}, byHand...), combined()...)
}

// combined goes through the types, the devices, the qdiscs and the directions
// with steps that have no divisor in common.
func combined() (all []Profile) {
	qdiscs := []string{
		`qdisc = "cake"`,
		`qdisc = "fq_codel"`,
		"qdisc = \"fq_codel\"\ndiffserv = \"diffserv3\"",
		`qdisc = { download = "fq_codel", upload = "cake" }`,
		"qdisc = { download = \"cake\", upload = \"fq_codel\" }\ndiffserv = { upload = \"diffserv3\" }",
	}
	rates := [][2]string{{"100 Mbit/s", "40 Mbit/s"}, {"16 Mbit/s", "2.4 Mbit/s"}, {"off", "30 Mbit/s"}, {"500 Mbit/s", "50 Mbit/s"}, {"24 Mbit/s", "off"}, {"1 Gbit/s", "20 Mbit/s"}, {"6 Mbit/s", "0.6 Mbit/s"}}
	for i, name := range linklayer.AccessNames() {
		for turn := range 2 {
			n := 2*i + turn
			device, qdisc, rate := deviceNames[n%len(deviceNames)], qdiscs[(n/3+turn)%len(qdiscs)], rates[(3*n+turn)%len(rates)]
			all = append(all, Profile{
				Name:   fmt.Sprintf("%s on %s, %d", name, device, turn+1),
				Device: device,
				Text:   Of(name, rate[0], rate[1], qdisc),
			})
		}
	}
	return all
}
