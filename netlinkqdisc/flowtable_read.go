package netlinkqdisc

import (
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// Flow tables over netlink (linux/netfilter/nf_tables.h, nfnetlink.h).
const (
	nftablesSubsystem = 10
	getFlowTable      = 23 // NFT_MSG_GETFLOWTABLE
	nfgenHeader       = 4  // struct nfgenmsg: family, version, resource

	flowTableName  = 2
	flowTableHook  = 3 // a nest
	flowTableFlags = 7 // big-endian
	flowTableMax   = 7

	flowHookDevices = 3 // a nest of names
	flowHookMax     = 3

	flowTableOffload = 1 // in the flags: NFT_FLOWTABLE_HW_OFFLOAD
)

// readFlowTables lists the flow tables of all families; nil too where the kernel
// has no nftables, or doesn't let this user see them.
func (k *Kernel) readFlowTables() []plan.FlowTable {
	request := nl.NewNetlinkRequest(nftablesSubsystem<<8|getFlowTable, unix.NLM_F_DUMP)
	request.AddRawData(make([]byte, nfgenHeader))
	answers, err := request.Execute(unix.NETLINK_NETFILTER, 0)
	if err != nil {
		return nil
	}
	var tables []plan.FlowTable
	for _, b := range answers {
		if t, ok := readFlowTable(b); ok {
			tables = append(tables, t)
		}
	}
	return tables
}

// readFlowTable reads a NFT_MSG_NEWFLOWTABLE message.
func readFlowTable(b []byte) (plan.FlowTable, bool) {
	if len(b) < nfgenHeader {
		return plan.FlowTable{}, false
	}
	var table [flowTableMax + 1][]byte
	var hook [flowHookMax + 1][]byte
	if parse(b[nfgenHeader:], table[:]) != nil || parse(table[flowTableHook], hook[:]) != nil {
		return plan.FlowTable{}, false
	}
	t := plan.FlowTable{Name: text(table[flowTableName]), Family: nftablesFamilies[b[0]]}
	if flags := table[flowTableFlags]; len(flags) == 4 {
		t.Hardware = flags[3]&flowTableOffload != 0
	}
	err := eachAttribute(hook[flowHookDevices], func(_ int, name []byte) { t.Devices = append(t.Devices, text(name)) })
	return t, err == nil
}

// nftablesFamilies are nft's words for NFPROTO_*.
var nftablesFamilies = map[byte]string{1: "inet", 2: "ip", 10: "ip6"}
