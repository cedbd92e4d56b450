package netlinkqdisc

import (
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// CAKE's statistics (TCA_CAKE_STATS_* in linux/pkt_sched.h).
const (
	cakeStatsCapacity64   = 2 // bytes per second
	cakeStatsMemoryLimit  = 3
	cakeStatsMemoryUsed   = 4
	cakeStatsAvgNetoff    = 5
	cakeStatsMinNetlen    = 6
	cakeStatsMaxNetlen    = 7
	cakeStatsMinAdjlen    = 8
	cakeStatsMaxAdjlen    = 9
	cakeStatsTins         = 10
	cakeStatsActiveQueues = 17 // cake_mq
	cakeStatsMax          = 17

	cakeTins = 8 // CAKE_MAX_TINS
)

// Statistics of a tin (TCA_CAKE_TIN_STATS_* in linux/pkt_sched.h).
const (
	tinSentPackets        = 2
	tinSentBytes64        = 3
	tinDroppedPackets     = 4
	tinDroppedBytes64     = 5
	tinAcksDroppedPackets = 6
	tinAcksDroppedBytes64 = 7
	tinMarkedPackets      = 8
	tinMarkedBytes64      = 9
	tinBacklogPackets     = 10
	tinBacklogBytes       = 11
	tinThreshold64        = 12 // bytes per second
	tinTarget             = 13 // µs, as all times
	tinInterval           = 14
	tinWayIndirectHits    = 15
	tinWayMisses          = 16
	tinWayCollisions      = 17
	tinPeakDelay          = 18
	tinAverageDelay       = 19
	tinBaseDelay          = 20
	tinSparseFlows        = 21
	tinBulkFlows          = 22
	tinUnresponsiveFlows  = 23
	tinMaxPacketLength    = 24
	tinFlowQuantum        = 25
	tinMax                = 25
)

// readCakeStats reads what CAKE says about itself, which is only in TCA_STATS2
// under TCA_STATS_APP. It is nil without an error if there is nothing.
func readCakeStats(m *message) (*plan.CakeStats, error) {
	var nest [statsMax + 1][]byte
	if err := parse(m.attribute[unix.TCA_STATS2], nest[:]); err != nil || nest[statsApp] == nil {
		return nil, err
	}
	var table [cakeStatsMax + 1][]byte
	if err := parse(nest[statsApp], table[:]); err != nil {
		return nil, err
	}
	length := func(kind int) int { return int(int32(unsigned(table[kind]))) }
	s := &plan.CakeStats{
		Capacity:             linklayer.FromBytesPerSecond(unsigned(table[cakeStatsCapacity64])),
		MemoryLimit:          unsigned(table[cakeStatsMemoryLimit]),
		MemoryUsed:           unsigned(table[cakeStatsMemoryUsed]),
		AverageNetworkOffset: length(cakeStatsAvgNetoff),
		MinNetworkLength:     length(cakeStatsMinNetlen),
		MaxNetworkLength:     length(cakeStatsMaxNetlen),
		MinAdjustedLength:    length(cakeStatsMinAdjlen),
		MaxAdjustedLength:    length(cakeStatsMaxAdjlen),
		ActiveQueues:         length(cakeStatsActiveQueues),
	}
	var err error
	s.Tins, err = readTins(table[cakeStatsTins])
	return s, err
}

func readTins(nest []byte) ([]plan.Tin, error) {
	var table [cakeTins + 1][]byte
	if err := parse(nest, table[:]); err != nil {
		return nil, err
	}
	var tins []plan.Tin
	for _, b := range table[1:] {
		if b == nil {
			break
		}
		t, err := readTin(b)
		if err != nil {
			return tins, err
		}
		tins = append(tins, t)
	}
	return tins, nil
}

func readTin(b []byte) (plan.Tin, error) {
	var table [tinMax + 1][]byte
	if err := parse(b, table[:]); err != nil {
		return plan.Tin{}, err
	}
	number := func(kind int) uint64 { return unsigned(table[kind]) }
	count := func(kind int) int { return int(int32(number(kind))) }
	span := func(kind int) time.Duration { return time.Duration(uint32(number(kind))) * time.Microsecond }
	return plan.Tin{
		Threshold:         linklayer.FromBytesPerSecond(number(tinThreshold64)),
		SentBytes:         number(tinSentBytes64),
		SentPackets:       number(tinSentPackets),
		Drops:             number(tinDroppedPackets),
		DroppedBytes:      number(tinDroppedBytes64),
		Marks:             number(tinMarkedPackets),
		MarkedBytes:       number(tinMarkedBytes64),
		AcksDropped:       number(tinAcksDroppedPackets),
		AcksDroppedBytes:  number(tinAcksDroppedBytes64),
		BacklogBytes:      number(tinBacklogBytes),
		BacklogPackets:    number(tinBacklogPackets),
		Target:            span(tinTarget),
		Interval:          span(tinInterval),
		PeakDelay:         span(tinPeakDelay),
		AverageDelay:      span(tinAverageDelay),
		BaseDelay:         span(tinBaseDelay),
		WayIndirectHits:   number(tinWayIndirectHits),
		WayMisses:         number(tinWayMisses),
		WayCollisions:     number(tinWayCollisions),
		SparseFlows:       count(tinSparseFlows),
		BulkFlows:         count(tinBulkFlows),
		UnresponsiveFlows: count(tinUnresponsiveFlows),
		MaxPacketLength:   count(tinMaxPacketLength),
		Quantum:           count(tinFlowQuantum),
	}, nil
}
