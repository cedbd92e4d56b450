package netlinkqdisc

import (
	"github.com/florianl/go-tc"

	"github.com/sqmctl/sqmctl/plan"
)

// fqCodelOptions states every option but those that are off unless stated. The
// kernel takes the number of queues for a new qdisc only.
func fqCodelOptions(f *plan.FQCodel, isNew bool) *tc.FqCodel {
	options := &tc.FqCodel{
		Target: number(microseconds(f.Target)), Interval: number(microseconds(f.Interval)),
		Limit: number(uint32(f.Limit)), Quantum: number(uint32(f.Quantum)),
		ECN: oneIf(f.ECN), DropBatchSize: number(uint32(f.DropBatch)), MemoryLimit: number(f.MemoryLimit),
	}
	if isNew {
		options.Flows = number(uint32(f.Flows))
	}
	return options
}
