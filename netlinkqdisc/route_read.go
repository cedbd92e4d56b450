package netlinkqdisc

import (
	"encoding/binary"
	"slices"

	"golang.org/x/sys/unix"
)

const routeHeader = unix.SizeofRtMsg

// readDefaultRoutes lists the indexes of the devices that default routes of the
// main table leave by, IPv4 before IPv6, each once.
func (k *Kernel) readDefaultRoutes() []uint32 {
	var devices []uint32
	for _, family := range []byte{unix.AF_INET, unix.AF_INET6} {
		header := make([]byte, routeHeader)
		header[0] = family
		answers, err := k.dump(unix.RTM_GETROUTE, header)
		if err != nil {
			continue
		}
		for _, b := range answers {
			for _, index := range defaultRoute(b) {
				if !slices.Contains(devices, index) {
					devices = append(devices, index)
				}
			}
		}
	}
	return devices
}

// defaultRoute reads a RTM_NEWROUTE message: the devices of a default route, of
// which a multipath route has several; nil for any other route. A route that
// rejects has no device that matters.
func defaultRoute(b []byte) []uint32 {
	const lengthAt, tableAt, typeAt = 1, 4, 7
	if len(b) < routeHeader || b[lengthAt] != 0 || b[tableAt] != unix.RT_TABLE_MAIN || b[typeAt] != unix.RTN_UNICAST {
		return nil
	}
	var table [unix.RTA_MULTIPATH + 1][]byte
	if parse(b[routeHeader:], table[:]) != nil {
		return nil
	}
	var devices []uint32
	if out := table[unix.RTA_OIF]; out != nil {
		devices = append(devices, unsigned32(out, 0))
	}
	// Each hop is a struct rtnexthop: length, flags, hops, index.
	for hops := table[unix.RTA_MULTIPATH]; len(hops) >= unix.SizeofRtNexthop; {
		devices = append(devices, unsigned32(hops, 4))
		length := align4(int(binary.NativeEndian.Uint16(hops)))
		if length < unix.SizeofRtNexthop {
			break
		}
		hops = hops[min(length, len(hops)):]
	}
	return devices
}
