package linklayer

// Access is an access technology that people can name, and what follows from
// it. Encapsulation is relative to the IP packet.
type Access struct {
	Name          string // the profile's word: "vdsl2-pppoe"
	Title         string // for people: "VDSL2 with PPPoE"
	Arithmetic    string // where the overhead comes from: "2 PPP + 6 PPPoE + …"
	Encapsulation Encapsulation
	Headroom      [2]Headroom // by Direction
}

// Headroom is the part of the invoice rate that a shaper leaves unused so
// that the queue forms in it.
type Headroom struct {
	Percent float64 // 10 means that 90 % of the invoice rate is used
	Reason  string
}
