package netlinkqdisc

import (
	"math/bits"

	"github.com/florianl/go-tc"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// fqOptions states every option. A kernel passes over those that it doesn't
// know.
func fqOptions(f *plan.FQ) *tc.Fq {
	horizonDrop := uint8(0)
	if f.HorizonDrop {
		horizonDrop = 1
	}
	weights := make([]int32, 0, fqBands)
	for _, w := range f.Weights {
		weights = append(weights, int32(w))
	}
	return &tc.Fq{
		PLimit: number(uint32(f.Limit)), FlowPLimit: number(uint32(f.FlowLimit)),
		Quantum: number(uint32(f.Quantum)), InitQuantum: number(uint32(f.InitialQuantum)),
		RateEnable: oneIf(f.Pacing), FlowMaxRate: number(fqRate(f.MaxRate, fqUnlimited)),
		BucketsLog: number(uint32(bits.Len(uint(f.Buckets)) - 1)), FlowRefillDelay: number(microseconds(f.RefillDelay)),
		OrphanMask: number(f.OrphanMask), LowRateThreshold: number(fqRate(f.LowRateThreshold, 0)),
		CEThreshold: number(microseconds(f.CEThreshold)), TimerSlack: number(uint32(f.TimerSlack)),
		Horizon: number(microseconds(f.Horizon)), HorizonDrop: &horizonDrop,
		PrioMap: &tc.FqPrioQopt{Bands: fqBands, PrioMap: f.Bands}, Weights: &weights,
	}
}

// fqRate is a rate as fq takes it, or what it takes for none.
func fqRate(r linklayer.Rate, none uint32) uint32 {
	if r.BytesPerSecond() == 0 {
		return none
	}
	return uint32(min(r.BytesPerSecond(), fqUnlimited))
}
