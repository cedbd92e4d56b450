package netlinkqdisc

import (
	"encoding/binary"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

const (
	linkHeader = unix.SizeofIfInfomsg

	infoKind = 1 // IFLA_INFO_KIND in the nest IFLA_LINKINFO
	infoData = 2 // IFLA_INFO_DATA
)

// link is a netdev as the kernel sent it.
type link struct {
	index          uint32
	master, parent uint32 // 0: none
	device         plan.Device
	attribute      [unix.IFLA_LINK_NETNSID + 1][]byte
}

// readLink reads a RTM_NEWLINK message; struct ifinfomsg and IFLA_* of
// linux/if_link.h. With an error that isn't errShort, what could be read is
// there. Master and Parent are names, which only a whole dump knows: see
// nameLinks.
func readLink(b []byte) (link, error) {
	if len(b) < linkHeader {
		return link{}, errShort
	}
	l := link{index: binary.NativeEndian.Uint32(b[4:])}
	var faults [3]error
	faults[0] = parse(b[linkHeader:], l.attribute[:])
	var info [infoData + 1][]byte
	faults[1] = parse(l.attribute[unix.IFLA_LINKINFO], info[:])
	flags := binary.NativeEndian.Uint32(b[8:])
	l.device = plan.Device{
		Name:       text(l.attribute[unix.IFLA_IFNAME]),
		Index:      int(l.index),
		Kind:       text(info[infoKind]),
		Type:       binary.NativeEndian.Uint16(b[2:]),
		Up:         flags&unix.IFF_UP != 0,
		Carrier:    flags&unix.IFF_LOWER_UP != 0,
		MTU:        int(uint32(unsigned(l.attribute[unix.IFLA_MTU]))),
		Alias:      text(l.attribute[unix.IFLA_IFALIAS]),
		TxQueues:   int(uint32(unsigned(l.attribute[unix.IFLA_NUM_TX_QUEUES]))),
		RxQueues:   int(uint32(unsigned(l.attribute[unix.IFLA_NUM_RX_QUEUES]))),
		TxQueueLen: int(uint32(unsigned(l.attribute[unix.IFLA_TXQLEN]))),
		Counters:   readCounters(l.attribute[unix.IFLA_STATS64]),
	}
	faults[2] = readKind(&l.device, info[infoData])
	l.master = uint32(unsigned(l.attribute[unix.IFLA_MASTER]))
	l.parent = l.below()
	return l, first(faults[:]...)
}

// below is the index of the device that carries this one's packets. IFLA_LINK
// also has the other end of a veth, which carries nothing, and a number that
// belongs to another namespace.
func (l *link) below() uint32 {
	elsewhere := l.attribute[unix.IFLA_LINK_NETNSID] != nil
	if elsewhere || l.device.Kind == "veth" {
		return 0
	}
	return uint32(unsigned(l.attribute[unix.IFLA_LINK]))
}

// readCounters reads a struct rtnl_link_stats64.
func readCounters(b []byte) plan.Counters {
	return plan.Counters{
		RxPackets: unsigned64(b, 0),
		TxPackets: unsigned64(b, 8),
		RxBytes:   unsigned64(b, 16),
		TxBytes:   unsigned64(b, 24),
		RxDropped: unsigned64(b, 48),
		TxDropped: unsigned64(b, 56),
	}
}

// nameLinks fills in the names of masters and parents and returns all names.
func nameLinks(links []link) names {
	all := names{}
	for i := range links {
		all[links[i].index] = links[i].device.Name
	}
	for i := range links {
		l := &links[i]
		if l.master != 0 {
			l.device.Master = all.of(l.master)
		}
		if l.parent != 0 && l.parent != l.index {
			l.device.Parent = all.of(l.parent)
		}
	}
	return all
}

// readSpeed asks sysfs for the speed of a device. It is 0 where nobody knows:
// the file can't be read (EINVAL from a device that is down or that has no
// speed, as ifb and ppp; no sysfs) or says -1 (no carrier). A virtual device may
// make one up: veth and tun say 10 Gbit/s.
func readSpeed(device string) linklayer.Rate {
	b, err := os.ReadFile("/sys/class/net/" + device + "/speed")
	if err != nil {
		return 0
	}
	return parseSpeed(string(b))
}

func parseSpeed(s string) linklayer.Rate {
	mbits, err := strconv.ParseUint(strings.TrimSpace(s), 10, 32)
	if err != nil || mbits == 1<<32-1 {
		return 0
	}
	return linklayer.Rate(mbits) * linklayer.Mbit
}
