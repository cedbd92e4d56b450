package netlinkqdisc

import "github.com/sqmctl/sqmctl/plan"

// An action of a filter (TCA_ACT_* in linux/pkt_cls.h).
const (
	actKind    = 1
	actOptions = 2
	actStats   = 4
	actMax     = 4

	actions = 32 // TCA_ACT_MAX_PRIO
)

// The action mirred (linux/tc_act/tc_mirred.h).
const (
	mirredParms = 2 // struct tc_mirred
	mirredMax   = 2

	mirredLength        = 28
	mirredEactionOffset = 20
	mirredIndexOffset   = 24

	egressRedirect = 1 // TCA_EGRESS_REDIR
	egressMirror   = 2 // TCA_EGRESS_MIRROR
)

// The action ctinfo (linux/tc_act/tc_ctinfo.h).
const (
	ctinfoAct       = 3
	ctinfoZone      = 4
	ctinfoDSCPMask  = 5
	ctinfoStateMask = 6
	ctinfoCPMark    = 7
)

// readActions reads where a filter's actions send packets, and the counters
// of the first. Actions that don't hand a packet to a device are passed over.
func readActions(nest []byte, f *plan.FilterState, devices names) error {
	var list [actions + 1][]byte
	if err := parse(nest, list[:]); err != nil {
		return err
	}
	for i, b := range list[1:] {
		if b == nil {
			break
		}
		var table [actMax + 1][]byte
		if err := parse(b, table[:]); err != nil {
			return err
		}
		if i == 0 {
			var err error
			if f.Stats, err = readStats2(table[actStats]); err != nil {
				return err
			}
		}
		var err error
		switch text(table[actKind]) {
		case "ctinfo":
			err = readCtinfo(table[actOptions], f)
		case "mirred":
			err = readMirred(table[actOptions], f, devices)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readCtinfo notes a ctinfo that restores the DSCP from where plan has it, before
// the packet is handed on.
func readCtinfo(options []byte, f *plan.FilterState) error {
	var table [ctinfoCPMark + 1][]byte
	if err := parse(options, table[:]); err != nil {
		return err
	}
	as := unsigned(table[ctinfoDSCPMask]) == plan.MarkDSCP && unsigned(table[ctinfoStateMask]) == plan.MarkState && unsigned(table[ctinfoCPMark]) == 0
	if as && f.Redirect == "" && f.Mirror == "" {
		f.RestoreDSCP = true
	}
	return nil
}

// readMirred keeps the first redirect and the first mirror of a filter: a
// redirect takes the packet away, so that nothing after it matters.
func readMirred(options []byte, f *plan.FilterState, devices names) error {
	var table [mirredMax + 1][]byte
	if err := parse(options, table[:]); err != nil {
		return err
	}
	parms := table[mirredParms]
	if len(parms) < mirredLength {
		return errOptions
	}
	target := devices.of(unsigned32(parms, mirredIndexOffset))
	switch unsigned32(parms, mirredEactionOffset) {
	case egressRedirect:
		if f.Redirect == "" {
			f.Redirect = target
		}
	case egressMirror:
		if f.Mirror == "" && f.Redirect == "" {
			f.Mirror = target
		}
	}
	return nil
}
