package verify

import (
	"fmt"

	"github.com/sqmctl/sqmctl/linklayer"
)

// mostPTM is what VDSL2 adds at most: 34 with PPPoE and a VLAN tag, and 4 for a
// second tag.
const mostPTM = 34 + 4

// ptmOverhead is more than any line of the kind adds: the figure for lines that
// nobody knows, beside a framing that says what the line is.
func (d *direction) ptmOverhead() *Finding {
	e, ok := d.charge()
	if !ok || e.Framing != linklayer.PTM || e.Overhead <= mostPTM || d.rate(d.last()) == 0 || d.correctsCharge() {
		return nil
	}
	right := e
	right.Overhead = 34
	full := d.fullIPPacket()
	f := d.finding(PTMOverhead, Notice, "set overhead 34 with PPPoE and a VLAN tag, 30 without the tag, 26 or 22 without PPPoE; and leave ptm out if the rate is no sync rate but what a speed test or the provider's shaper gives, which is net of it",
		"an overhead of %d with ptm is more than VDSL2 adds, which is 34 with PPPoE and a VLAN tag: it costs a little rate and nothing else", e.Overhead)
	d.with(f, fmt.Sprintf("a full packet counts %d + %d, and a byte for each 64 started, = %d; with 34 it is %d, %s less",
		full, e.Overhead, e.WireSize(full), right.WireSize(full), percentLess(right.WireSize(full), e.WireSize(full))))
	return f.numbered("overhead_bytes", float64(e.Overhead)).numbered("full_packet_too_high_percent", 100*(float64(e.WireSize(full))/float64(right.WireSize(full))-1))
}
