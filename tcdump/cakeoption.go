package tcdump

import (
	"time"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

// cakeWords are the options of CAKE that are a word by themselves. Old versions
// print only those that are on.
var cakeWords = map[string]func(*plan.Cake){
	"unlimited":        func(c *plan.Cake) { c.Rate = 0 },
	"autorate-ingress": func(c *plan.Cake) { c.Autorate = true },
	"autorate_ingress": func(c *plan.Cake) { c.Autorate = true },
	"nat":              func(c *plan.Cake) { c.NAT = true },
	"nonat":            func(c *plan.Cake) { c.NAT = false },
	"wash":             func(c *plan.Cake) { c.Wash = true },
	"nowash":           func(c *plan.Cake) { c.Wash = false },
	"ingress":          func(c *plan.Cake) { c.Ingress = true },
	"egress":           func(c *plan.Cake) { c.Ingress = false },
	"split-gso":        func(c *plan.Cake) { c.SplitGSO = true },
	"no-split-gso":     func(c *plan.Cake) { c.SplitGSO = false },
	"raw":              func(c *plan.Cake) { c.Raw = true },
	"noatm":            func(c *plan.Cake) { c.Encapsulation.Framing = linklayer.Plain },
	"atm":              func(c *plan.Cake) { c.Encapsulation.Framing = linklayer.ATM },
	"ptm":              func(c *plan.Cake) { c.Encapsulation.Framing = linklayer.PTM },
}

// cakeValues are those with a value behind them.
var cakeValues = map[string]func(*plan.Cake, string) bool{
	"bandwidth": func(c *plan.Cake, s string) (ok bool) { c.Rate, ok = parseRate(s); return ok },
	"rtt":       func(c *plan.Cake, s string) (ok bool) { c.RTT, ok = parseTime(s); return ok },
	"overhead":  func(c *plan.Cake, s string) (ok bool) { c.Encapsulation.Overhead, ok = parseInt(s); return ok },
	"mpu":       func(c *plan.Cake, s string) (ok bool) { c.Encapsulation.MPU, ok = parseInt(s); return ok },
	"memlimit":  func(c *plan.Cake, s string) bool { n, ok := parseSize(s); c.MemoryLimit = uint32(n); return ok },
	"fwmark":    func(c *plan.Cake, s string) (ok bool) { c.FwMark, ok = parseHex(s); return ok },
}

// parseCake reads CAKE's options, and returns the words that are unknown: forks
// and later versions have some of their own.
func parseCake(w []string) (*plan.Cake, []string) {
	c := &plan.Cake{}
	var unknown []string
	for i := 0; i < len(w); i++ {
		if set := cakeValues[w[i]]; set != nil && i+1 < len(w) {
			if !set(c, w[i+1]) {
				unknown = append(unknown, w[i]+" "+w[i+1])
			}
			i++
			continue
		}
		if !readCakeWord(c, w[i]) {
			unknown = append(unknown, w[i])
		}
	}
	c.Target = cakeTarget(c.RTT)
	return c, unknown
}

func readCakeWord(c *plan.Cake, word string) bool {
	if set := cakeWords[word]; set != nil {
		set(c)
		return true
	}
	if d, ok := plan.ParseDiffserv(word); ok {
		c.Diffserv = d
		return true
	}
	if i, ok := plan.ParseIsolation(word); ok {
		c.Isolation = i
		return true
	}
	a, ok := plan.ParseAckFilter(word)
	if ok {
		c.AckFilter = a
	}
	return ok
}

// cakeTarget is the target that tc sets together with an rtt, and never prints
// (tc/q_cake.c).
func cakeTarget(rtt time.Duration) time.Duration {
	if rtt == 0 {
		return 0
	}
	return max(rtt/20, time.Microsecond).Truncate(time.Microsecond)
}
