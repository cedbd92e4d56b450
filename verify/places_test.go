package verify

import (
	"fmt"
	"testing"
	"time"

	"github.com/sqmctl/sqmctl/plan"
)

// A provider's router has a thousand devices with a shaper each: what doctor does
// besides looking takes less than a second.
func TestThousandDevices(t *testing.T) {
	const devices, looks = 1000, 50
	samples := make([]plan.State, looks)
	for i := range samples {
		samples[i].Time = time.Unix(0, 0).Add(time.Duration(i) * 200 * time.Millisecond)
		for n := range devices {
			one := sample(i, traffic{packets: uint64(i) * full, backlog: 9000}, nil)
			wan, ifb := one.Devices[0], one.Devices[1]
			wan.Name, ifb.Name = fmt.Sprintf("wan%d", n), fmt.Sprintf("ifb4wan%d", n)
			wan.Filters[0].Redirect = ifb.Name
			samples[i].Devices = append(samples[i].Devices, wan, ifb)
		}
	}
	start := time.Now()
	findings := Check(Observed(samples[looks-1]), samples)
	took := time.Since(start)
	t.Logf("%d findings in %s", len(findings), took)
	if len(findings) != 2*devices {
		t.Errorf("%d findings", len(findings))
	}
	if took > time.Second && !raceDetector {
		t.Errorf("took %s", took)
	}
}
