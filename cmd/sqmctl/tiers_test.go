package main

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/plan"
)

const tiersProfile = `qdisc = { upload = "fq_codel" }
diffserv = "diffserv3"`

// Every DSCP of IPv4 and IPv6 goes to the class that is to HTB what the tin is
// that CAKE puts it into, on a device with a VLAN tag too.
func TestTiersAreThoseOfCake(t *testing.T) {
	for _, device := range []string{"wan", "wan.7"} {
		t.Run(device, func(t *testing.T) {
			kernellab.Run(t, func(t *testing.T) {
				profile := strings.Replace(profileOf("ethernet", "off", "20 Mbit/s", `diffserv = "diffserv3"`), `"wan"`, `"`+device+`"`, 1)
				r := newRouter(t, profile)
				r.Batch("ip", "link add link wan name wan.7 type vlan id 7\nlink set wan.7 up\n")
				time.Sleep(3 * time.Second)
				r.apply()
				cake := r.sortedBy(device, func(d *plan.Device) (all [3]uint64) {
					for i, tin := range d.At(plan.HandleRoot).CakeStats.Tins {
						all[[]int{2, 0, 1}[i]] = tin.SentPackets // CAKE's order is bulk, best effort, voice
					}
					return all
				})
				r.write(profile + "qdisc = \"fq_codel\"\n")
				r.apply()
				tiers := r.sortedBy(device, func(d *plan.Device) (all [3]uint64) {
					for _, c := range d.Classes {
						if minor := c.Handle.Minor(); minor > 1 {
							all[minor-2] = c.Stats.Packets
						}
					}
					return all
				})
				for i := range cake {
					if cake[i] != tiers[i] {
						t.Errorf("DSCP %d of IPv%d goes to tier %d, with CAKE to %d", i/2, 4+i%2*2, tiers[i], cake[i])
					}
				}
			})
		})
	}
}

// sortedBy sends a packet with each DSCP and tells which count it raised.
func (r *router) sortedBy(device string, count func(*plan.Device) [3]uint64) (tier [128]int) {
	r.t.Helper()
	for i := range tier {
		before := r.state()
		r.In(func() { kernellab.SendPackets(r.t, device, marked(i/2, i%2 == 1)) })
		time.Sleep(100 * time.Millisecond)
		after := r.state()
		was, is := count(before.Device(device)), count(after.Device(device))
		tier[i] = -1
		for c := range is {
			if is[c]-was[c] == 1 && tier[i] < 0 {
				tier[i] = c
			} else if is[c] != was[c] {
				r.t.Fatalf("DSCP %d: %v, then %v", i/2, was, is)
			}
		}
		if tier[i] < 0 {
			r.t.Fatalf("DSCP %d is counted nowhere: %v", i/2, is)
		}
	}
	return tier
}

// marked is a UDP packet with a DSCP.
func marked(dscp int, six bool) []byte {
	packet := kernellab.UDPPacket(200)
	packet[1] = byte(dscp << 2)
	if six {
		packet = make([]byte, 200)
		binary.BigEndian.PutUint32(packet, 6<<28|uint32(dscp)<<22)
		copy(packet[4:], []byte{0, 160, unix.IPPROTO_UDP, 64, 0x20, 1, 0xd, 0xb8})
	}
	return packet
}

// Whatever somebody does to the filters that pick a class, the next apply makes
// them as they were, and leaves the rest alone.
func TestTierFiltersAreMended(t *testing.T) {
	kernellab.Run(t, func(t *testing.T) {
		r := newRouter(t, profileOf("ethernet", "50 Mbit/s", "20 Mbit/s", tiersProfile))
		r.apply()
		applied := r.dump()
		for _, harm := range []string{
			"filter del dev wan parent 7371: prio 1",
			"filter del dev wan parent 7371: prio 1 handle 800::800 u32",
			"filter add dev wan parent 7371: prio 1 u32 match u32 0 0 at 0 classid 7371:4",
			"filter add dev wan parent 7371: protocol ip prio 7 u32 match ip dport 22 0xffff classid 7371:3",
			"filter add dev wan parent 7371: prio 2 matchall classid 7371:4",
			"filter replace dev wan parent 7371: prio 1 handle 800::803 u32 match u32 0x60400000 0xffc00000 at 0 classid 7371:2",
		} {
			r.Batch("tc", harm+"\n")
			if o := r.sqmctl("doctor", "--for", "1ms"); !strings.Contains(o.stdout, "filters by DSCP") {
				t.Errorf("after %q doctor says\n%s", harm, o.stdout)
			}
			if o := r.must("apply"); strings.Count(o, "\n") != 2 {
				t.Errorf("after %q apply says\n%s", harm, o)
			}
			r.wantAlike(fmt.Sprintf("after %q and apply", harm), applied)
			if again := r.apply(); again != 0 {
				t.Errorf("after %q a second apply sent %d requests", harm, again)
			}
		}
		r.remove()
	})
}
