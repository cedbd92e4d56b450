package netlinkqdisc

import (
	"time"

	"github.com/sqmctl/sqmctl/plan"
)

// fqCodelOptions states every option but those that are off unless stated. The
// kernel takes the number of queues for a new qdisc only.
func fqCodelOptions(f *plan.FQCodel, isNew bool) []byte {
	var b []byte
	b = appendNumber(b, fqCodelTarget, microseconds(f.Target))
	b = appendNumber(b, fqCodelLimit, uint32(f.Limit))
	b = appendNumber(b, fqCodelInterval, microseconds(f.Interval))
	b = appendNumber(b, fqCodelECN, bit(f.ECN))
	if isNew {
		b = appendNumber(b, fqCodelFlows, uint32(f.Flows))
	}
	b = appendNumber(b, fqCodelQuantum, uint32(f.Quantum))
	b = appendNumber(b, fqCodelDropBatch, uint32(f.DropBatch))
	return appendNumber(b, fqCodelMemory, f.MemoryLimit)
}

func microseconds(d time.Duration) uint32 { return uint32(d / time.Microsecond) }
