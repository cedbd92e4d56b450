package netlinkqdisc

import (
	"fmt"
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// CAKE's options (TCA_CAKE_* in linux/pkt_sched.h).
const (
	cakeRate64    = 2 // bytes per second; 0 is unlimited
	cakeDiffserv  = 3
	cakeATM       = 4
	cakeFlowMode  = 5
	cakeOverhead  = 6 // signed
	cakeRTT       = 7 // µs
	cakeTarget    = 8 // µs
	cakeAutorate  = 9
	cakeMemory    = 10
	cakeNAT       = 11
	cakeRaw       = 12 // being there is what counts
	cakeWash      = 13
	cakeMPU       = 14
	cakeIngress   = 15
	cakeAckFilter = 16
	cakeSplitGSO  = 17
	cakeFwMark    = 18
	cakeMax       = 18
)

// isCake says whether a kind has CAKE's options and statistics.
func isCake(kind string) bool { return kind == "cake" || kind == "cake_mq" }

// readCake reads CAKE's options. What an older kernel doesn't have is zero.
func readCake(options []byte) (*plan.Cake, error) {
	var table [cakeMax + 1][]byte
	if err := parse(options, table[:]); err != nil {
		return nil, err
	}
	number := func(kind int) uint32 { return uint32(unsigned(table[kind])) }
	is := func(kind int) bool { return number(kind) != 0 }
	framing, ok := framings[number(cakeATM)]
	if !ok {
		return nil, fmt.Errorf("its framing %d is unknown", number(cakeATM))
	}
	c := &plan.Cake{
		Rate:      linklayer.FromBytesPerSecond(unsigned(table[cakeRate64])),
		Autorate:  is(cakeAutorate),
		Diffserv:  plan.Diffserv(number(cakeDiffserv)),
		Isolation: plan.Isolation(number(cakeFlowMode)),
		NAT:       is(cakeNAT),
		Wash:      is(cakeWash),
		Ingress:   is(cakeIngress),
		AckFilter: plan.AckFilter(number(cakeAckFilter)),
		SplitGSO:  is(cakeSplitGSO),
		RTT:       time.Duration(number(cakeRTT)) * time.Microsecond,
		Target:    time.Duration(number(cakeTarget)) * time.Microsecond,
		Raw:       table[cakeRaw] != nil,
		Encapsulation: linklayer.Encapsulation{
			Overhead: int(int32(number(cakeOverhead))),
			MPU:      int(number(cakeMPU)),
			Framing:  framing,
		},
		MemoryLimit: number(cakeMemory),
		FwMark:      number(cakeFwMark),
	}
	return c, nil
}

// framings are CAKE_ATM_*.
var framings = map[uint32]linklayer.Framing{0: linklayer.Plain, 1: linklayer.ATM, 2: linklayer.PTM}
