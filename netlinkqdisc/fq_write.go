package netlinkqdisc

import (
	"encoding/binary"
	"math/bits"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// fqOptions states every option. A kernel passes over those that it doesn't
// know.
func fqOptions(f *plan.FQ) []byte {
	var b []byte
	b = appendNumber(b, fqLimit, uint32(f.Limit))
	b = appendNumber(b, fqFlowLimit, uint32(f.FlowLimit))
	b = appendNumber(b, fqQuantum, uint32(f.Quantum))
	b = appendNumber(b, fqInitialQuantum, uint32(f.InitialQuantum))
	b = appendNumber(b, fqRateEnable, bit(f.Pacing))
	b = appendNumber(b, fqMaxRate, fqRate(f.MaxRate, fqUnlimited))
	b = appendNumber(b, fqBucketsLog, uint32(bits.Len(uint(f.Buckets))-1))
	b = appendNumber(b, fqRefillDelay, microseconds(f.RefillDelay))
	b = appendNumber(b, fqOrphanMask, f.OrphanMask)
	b = appendNumber(b, fqLowRate, fqRate(f.LowRateThreshold, 0))
	b = appendNumber(b, fqCEThreshold, microseconds(f.CEThreshold))
	b = appendNumber(b, fqTimerSlack, uint32(f.TimerSlack))
	b = appendNumber(b, fqHorizon, microseconds(f.Horizon))
	b = appendAttribute(b, fqHorizonDrop, []byte{byte(bit(f.HorizonDrop))})
	bands := append(binary.NativeEndian.AppendUint32(nil, fqBands), f.Bands[:]...)
	b = appendAttribute(b, fqPriomap, bands)
	var weights []byte
	for _, w := range f.Weights {
		weights = binary.NativeEndian.AppendUint32(weights, uint32(w))
	}
	return appendAttribute(b, fqWeights, weights)
}

// fqRate is a rate as fq takes it, or what it takes for none.
func fqRate(r linklayer.Rate, none uint32) uint32 {
	if r.BytesPerSecond() == 0 {
		return none
	}
	return uint32(min(r.BytesPerSecond(), fqUnlimited))
}
