package netlinkqdisc

import (
	"fmt"

	"github.com/florianl/go-tc"
	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

const u32Terminal = 1 // TC_U32_TERMINAL: a match ends the search

// filterObject is a redirect as go-tc takes it, from the device with an index
// to the one with the index target.
func filterObject(f *plan.Filter, index, target uint32) (*tc.Object, error) {
	object := &tc.Object{
		Msg: tc.Msg{
			Ifindex: index,
			Parent:  uint32(f.Parent),
			Info:    filterInfo(f),
		},
		Attribute: tc.Attribute{Kind: f.Kind},
	}
	actions := []*tc.Action{redirectAction(target)}
	if f.RestoreDSCP {
		actions = append([]*tc.Action{restoreAction()}, actions...)
	}
	switch f.Kind {
	case "matchall":
		object.Matchall = &tc.Matchall{Actions: &actions}
	case "u32":
		object.U32 = &tc.U32{Sel: everything(), Actions: &actions}
	default:
		return nil, fmt.Errorf("%s can't be made; choose matchall or u32", f.Name())
	}
	return object, nil
}

// redirectAction hands the packet to another device's egress and stops there
// (tc-mirred(8)).
func redirectAction(target uint32) *tc.Action {
	return &tc.Action{Kind: "mirred", Mirred: &tc.Mirred{Parms: &tc.MirredParam{
		Action:  tc.ActStolen,
		Eaction: egressRedirect,
		IfIndex: target,
	}}}
}

// restoreAction gives the packet the DSCP in its connection's mark, and goes on
// (tc-ctinfo(8)).
func restoreAction() *tc.Action {
	return &tc.Action{Kind: "ctinfo", CtInfo: &tc.CtInfo{
		Act:                &tc.CtInfoAct{Action: tc.ActPipe},
		ParmsDscpMask:      number(plan.MarkDSCP),
		ParmsDscpStateMask: number(plan.MarkState),
	}}
}

// everything is a u32 selector with one key that looks at no bit. go-tc puts
// the fields behind NKeys one byte too early, which does no harm as they are 0.
func everything() *tc.U32Sel {
	return &tc.U32Sel{Flags: u32Terminal, NKeys: 1, Keys: []tc.U32Key{{}}}
}

// filterInfo is a filter's tcm_info: priority, and protocol in network order.
func filterInfo(f *plan.Filter) uint32 {
	return uint32(f.Priority)<<16 | uint32(hostOrder(f.Protocol))
}

func (k *Kernel) createFilter(f *plan.Filter, index, target uint32) error {
	object, err := filterObject(f, index, target)
	if err != nil {
		return err
	}
	return k.change(func() error { return k.tc.Filter().Add(object) })
}

// deleteFilters deletes all filters of one priority and protocol, of any kind.
func (k *Kernel) deleteFilters(index uint32, parent plan.Handle, info uint32) error {
	return k.send(unix.RTM_DELTFILTER, 0, header(index, 0, parent, info))
}

func number(n uint32) *uint32 { return &n }
