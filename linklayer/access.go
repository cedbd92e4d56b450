package linklayer

import (
	"slices"
	"strings"
)

// Access is an access technology that people can name, and what follows from
// it. Encapsulation is relative to the IP packet, unless Raw is set.
type Access struct {
	Name          string // the profile's word: "vdsl2-pppoe"
	Title         string // for people: "VDSL2 with PPPoE"
	Arithmetic    string // where the overhead comes from: "2 PPP + 6 PPPoE + …"
	Encapsulation Encapsulation
	Keywords      string      // the same in the words of tc-cake(8): "pppoe-ptm ether-vlan"
	Raw           bool        // packets count with the device's own length, link header included
	Headroom      [2]Headroom // by Direction
}

// Headroom is the part of the invoice rate that a shaper leaves unused so
// that the queue forms in it.
type Headroom struct {
	Percent float64 // 10 means that 90 % of the invoice rate is used
	Reason  string
}

// AccessByName finds an access technology by the exact name.
func AccessByName(name string) (Access, bool) {
	i := slices.IndexFunc(accesses, func(a Access) bool { return a.Name == name })
	if i < 0 {
		return Access{}, false
	}
	return accesses[i], true
}

// AccessNames lists every access technology, related ones together.
func AccessNames() []string {
	names := make([]string, len(accesses))
	for i, a := range accesses {
		names[i] = a.Name
	}
	return names
}

// NearestAccess is the name that somebody most likely means by a word that is
// none: the type for another name of the technology or for a keyword of tc,
// else the name spelt most alike; "" if there is none.
func NearestAccess(word string) string {
	plain := plainName(word)
	if name, ok := otherNames[plain]; ok {
		return name
	}
	for _, a := range accesses {
		if a.Keywords == strings.ToLower(strings.TrimSpace(word)) {
			return a.Name
		}
	}
	return Nearest(word, AccessNames())
}

// otherNames are what people call a technology that has a type by another name.
var otherNames = map[string]string{
	"cable":              "docsis",
	"catv":               "docsis",
	"hfc":                "docsis",
	"fibre":              "gpon",
	"fiber":              "gpon",
	"ftth":               "gpon",
	"fttp":               "gpon",
	"epon":               "gpon",
	"xgs-pon":            "gpon",
	"pon":                "gpon",
	"gpon-vlan":          "gpon",
	"gpon-pppoe-vlan":    "gpon-pppoe",
	"fttb":               "ethernet",
	"lan":                "ethernet",
	"pppoe":              "vdsl2-pppoe",
	"vdsl-pppoe":         "vdsl2-pppoe",
	"vdsl":               "vdsl2",
	"fttc":               "vdsl2-pppoe",
	"fttn":               "vdsl2",
	"dsl":                "vdsl2-pppoe",
	"adsl":               "adsl-pppoe-llcsnap",
	"adsl2":              "adsl-pppoe-llcsnap",
	"adsl2+":             "adsl-pppoe-llcsnap",
	"adsl-pppoa-llcsnap": "adsl-pppoa-llc",
	"adsl-pppoe-llc":     "adsl-pppoe-llcsnap",
	"pppoa-llcsnap":      "adsl-pppoa-llc",
	"atm":                "conservative",
	"4g":                 "lte",
	"mobile":             "lte",
	"cellular":           "lte",
	"wwan":               "lte",
	"nr":                 "5g",
	"satellite":          "starlink",
	"leo":                "starlink",
	"wisp":               "fixed-wireless",
	"wireless":           "fixed-wireless",
	"fwa":                "fixed-wireless",
	"unknown":            "conservative",
	"other":              "conservative",
	"none":               "raw",
}
