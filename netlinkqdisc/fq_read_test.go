package netlinkqdisc

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/plan"
)

// A kernel from before Linux 5.0 tells nothing of marks, slack, horizon and
// bands. As none of that can be set there, it must not seem to differ.
func TestReadFQOfAnOldKernel(t *testing.T) {
	var options []byte
	for _, o := range [][2]uint32{
		{fqLimit, 10_000}, {fqFlowLimit, 100}, {fqQuantum, 3028}, {fqInitialQuantum, 15140}, {fqRateEnable, 1},
		{fqMaxRate, fqUnlimited}, {fqBucketsLog, 10}, {fqRefillDelay, 40_000}, {fqOrphanMask, 1023}, {fqLowRate, 68_750},
	} {
		options = appendAttribute(options, int(o[0]), binary.NativeEndian.AppendUint32(nil, o[1]))
	}
	want := plan.FQDefaults(1514)
	got, err := readFQ(options)
	if diff := cmp.Diff(&want, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if _, err := readFQ(options[:len(options)-1]); err == nil {
		t.Error("options that are cut off are read")
	}
}
