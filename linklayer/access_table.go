package linklayer

// A shaper has to be slower than the line, or the queue forms in the line.
// How much slower depends on which end of the line it sits at and on how well
// the invoice tells the rate.
var (
	steadyUpload = Headroom{5, "the upload queue forms in this router already, so a small gap below the line's rate keeps the modem's buffer empty"}
	farDownload  = Headroom{10, "the download is shaped behind the provider's queue, which drains only as fast as the shaped rate stays below the line's"}
	fastDownload = Headroom{5, "the download is shaped behind the provider's queue, but a line this fast drains it soon enough with 5 % to spare"}

	steady = [2]Headroom{Egress: steadyUpload, Ingress: farDownload}
	fast   = [2]Headroom{Egress: steadyUpload, Ingress: fastDownload}

	cellular = [2]Headroom{
		Egress:  {25, "a cell's rate changes by the minute and no fixed rate fits: this one wastes some when the cell is free, and the modem still queues when it is full"},
		Ingress: {30, "a cell's rate changes by the minute and no fixed rate fits, and the download is shaped behind the cell's queue: measure at a busy hour and take that rate"},
	}
	satellite = [2]Headroom{
		Egress:  {25, "a satellite's rate changes every few seconds and no fixed rate fits: this one wastes some at good moments, and the terminal still queues at bad ones"},
		Ingress: {30, "a satellite's rate changes every few seconds and no fixed rate fits, and the download is shaped behind the provider's queue: measure at a busy hour and take that rate"},
	}
	radio = [2]Headroom{
		Egress:  {15, "a radio link's rate changes with weather and neighbours, so a fixed rate is a compromise: too high queues in the radio, too low wastes what it could give"},
		Ingress: {20, "a radio link's rate changes with weather and neighbours, so a fixed rate is a compromise, and the download is shaped behind the radio's queue"},
	}
)

// accesses are the types of line, with the header arithmetic spelt out. Sizes
// are from IEEE 802.3 (Ethernet: 7 preamble + 1 start, 14 header, 4 check
// sequence, 12 gap; at least 64 from header to check sequence), IEEE 802.1Q
// (VLAN tag), RFC 2516 (PPPoE), RFC 2684 and RFC 2364 (ATM), IEEE 802.3 61.3
// (PTM).
var accesses = []Access{
	{
		Name: "docsis", Title: "cable (DOCSIS)",
		// The cable operator's shaper counts Ethernet frames, not what the cable
		// carries (DOCSIS MULPI, maximum sustained traffic rate).
		Arithmetic:    "14 Ethernet header + 4 check sequence",
		Encapsulation: Encapsulation{Overhead: 18, MPU: 64}, Keywords: "docsis",
		Headroom: steady,
	},
	{
		Name: "ethernet", Title: "Ethernet",
		Arithmetic:    "8 preamble + 14 Ethernet header + 4 check sequence + 12 gap",
		Encapsulation: Encapsulation{Overhead: 38, MPU: 84}, Keywords: "ethernet",
		Headroom: fast,
	},
	{
		Name: "ethernet-vlan", Title: "Ethernet with a VLAN tag",
		Arithmetic:    "8 preamble + 14 Ethernet header + 4 VLAN + 4 check sequence + 12 gap",
		Encapsulation: Encapsulation{Overhead: 42, MPU: 84}, Keywords: "ethernet ether-vlan",
		Headroom: fast,
	},
	{
		Name: "ethernet-pppoe", Title: "Ethernet with PPPoE",
		Arithmetic:    "2 PPP + 6 PPPoE + 8 preamble + 14 Ethernet header + 4 check sequence + 12 gap",
		Encapsulation: Encapsulation{Overhead: 46, MPU: 84}, Keywords: "overhead 46 mpu 84",
		Headroom: fast,
	},
	{
		Name: "ethernet-pppoe-vlan", Title: "Ethernet with PPPoE and a VLAN tag",
		Arithmetic:    "2 PPP + 6 PPPoE + 8 preamble + 14 Ethernet header + 4 VLAN + 4 check sequence + 12 gap",
		Encapsulation: Encapsulation{Overhead: 50, MPU: 84}, Keywords: "overhead 50 mpu 84",
		Headroom: fast,
	},
	{
		Name: "gpon", Title: "fibre (GPON, XGS-PON)",
		// The fibre itself carries less: 14 + 4 + 4 and a GEM header of 5 (ITU-T
		// G.984.3). But the provider's shaper may count full Ethernet with a
		// tag, and 44 is the usual figure for fibre that nobody knows more about.
		Arithmetic:    "8 preamble + 14 Ethernet header + 4 VLAN + 4 check sequence + 12 gap + 2 to spare",
		Encapsulation: Encapsulation{Overhead: 44, MPU: 84}, Keywords: "overhead 44 mpu 84",
		Headroom: fast,
	},
	{
		Name: "gpon-pppoe", Title: "fibre (GPON, XGS-PON) with PPPoE",
		Arithmetic:    "2 PPP + 6 PPPoE + 8 preamble + 14 Ethernet header + 4 VLAN + 4 check sequence + 12 gap + 2 to spare",
		Encapsulation: Encapsulation{Overhead: 52, MPU: 84}, Keywords: "overhead 52 mpu 84",
		Headroom: fast,
	},
	{
		Name: "vdsl2", Title: "VDSL2",
		Arithmetic:    "14 Ethernet header + 4 check sequence + 1 start + 1 end + 2 PTM check sequence",
		Encapsulation: Encapsulation{Overhead: 22, Framing: PTM}, Keywords: "bridged-ptm",
		Headroom: steady,
	},
	{
		Name: "vdsl2-vlan", Title: "VDSL2 with a VLAN tag",
		Arithmetic:    "14 Ethernet header + 4 VLAN + 4 check sequence + 1 start + 1 end + 2 PTM check sequence",
		Encapsulation: Encapsulation{Overhead: 26, Framing: PTM}, Keywords: "bridged-ptm ether-vlan",
		Headroom: steady,
	},
	{
		Name: "vdsl2-pppoe", Title: "VDSL2 with PPPoE",
		Arithmetic:    "2 PPP + 6 PPPoE + 14 Ethernet header + 4 check sequence + 1 start + 1 end + 2 PTM check sequence",
		Encapsulation: Encapsulation{Overhead: 30, Framing: PTM}, Keywords: "pppoe-ptm",
		Headroom: steady,
	},
	{
		Name: "vdsl2-pppoe-vlan", Title: "VDSL2 with PPPoE and a VLAN tag",
		Arithmetic:    "2 PPP + 6 PPPoE + 14 Ethernet header + 4 VLAN + 4 check sequence + 1 start + 1 end + 2 PTM check sequence",
		Encapsulation: Encapsulation{Overhead: 34, Framing: PTM}, Keywords: "pppoe-ptm ether-vlan",
		Headroom: steady,
	},
	{
		Name: "adsl-ipoa-vcmux", Title: "ADSL, IP over ATM, VC-Mux",
		Arithmetic:    "8 AAL5 trailer",
		Encapsulation: Encapsulation{Overhead: 8, Framing: ATM}, Keywords: "ipoa-vcmux",
		Headroom: steady,
	},
	{
		Name: "adsl-ipoa-llcsnap", Title: "ADSL, IP over ATM, LLC/SNAP",
		Arithmetic:    "3 LLC + 5 SNAP + 8 AAL5 trailer",
		Encapsulation: Encapsulation{Overhead: 16, Framing: ATM}, Keywords: "ipoa-llcsnap",
		Headroom: steady,
	},
	{
		Name: "adsl-bridged-vcmux", Title: "ADSL, bridged Ethernet, VC-Mux",
		Arithmetic:    "14 Ethernet header + 2 padding + 8 AAL5 trailer",
		Encapsulation: Encapsulation{Overhead: 24, Framing: ATM}, Keywords: "bridged-vcmux",
		Headroom: steady,
	},
	{
		Name: "adsl-bridged-llcsnap", Title: "ADSL, bridged Ethernet, LLC/SNAP",
		Arithmetic:    "14 Ethernet header + 3 LLC + 5 SNAP + 2 padding + 8 AAL5 trailer",
		Encapsulation: Encapsulation{Overhead: 32, Framing: ATM}, Keywords: "bridged-llcsnap",
		Headroom: steady,
	},
	{
		Name: "adsl-pppoa-vcmux", Title: "ADSL, PPP over ATM, VC-Mux",
		Arithmetic:    "2 PPP + 8 AAL5 trailer",
		Encapsulation: Encapsulation{Overhead: 10, Framing: ATM}, Keywords: "pppoa-vcmux",
		Headroom: steady,
	},
	{
		Name: "adsl-pppoa-llc", Title: "ADSL, PPP over ATM, LLC",
		Arithmetic:    "2 PPP + 3 LLC + 1 NLPID + 8 AAL5 trailer",
		Encapsulation: Encapsulation{Overhead: 14, Framing: ATM}, Keywords: "pppoa-llc",
		Headroom: steady,
	},
	{
		Name: "adsl-pppoe-vcmux", Title: "ADSL, PPPoE, VC-Mux",
		Arithmetic:    "2 PPP + 6 PPPoE + 14 Ethernet header + 2 padding + 8 AAL5 trailer",
		Encapsulation: Encapsulation{Overhead: 32, Framing: ATM}, Keywords: "pppoe-vcmux",
		Headroom: steady,
	},
	{
		Name: "adsl-pppoe-llcsnap", Title: "ADSL, PPPoE, LLC/SNAP",
		Arithmetic:    "2 PPP + 6 PPPoE + 14 Ethernet header + 3 LLC + 5 SNAP + 2 padding + 8 AAL5 trailer",
		Encapsulation: Encapsulation{Overhead: 40, Framing: ATM}, Keywords: "pppoe-llcsnap",
		Headroom: steady,
	},
	{
		Name: "lte", Title: "mobile (LTE)",
		// 3GPP TS 36.323 6.2.3, 36.322 6.2.1.4, 36.321 6.2.1, without segmentation.
		Arithmetic:    "2 PDCP + 2 RLC + 3 MAC",
		Encapsulation: Encapsulation{Overhead: 7}, Keywords: "overhead 7",
		Headroom: cellular,
	},
	{
		Name: "5g", Title: "mobile (5G)",
		// 3GPP TS 37.324 6.2.2, 38.323 6.2.2, 38.322 6.2.2, 38.321 6.1.2, without
		// segmentation.
		Arithmetic:    "1 SDAP + 3 PDCP + 3 RLC + 3 MAC",
		Encapsulation: Encapsulation{Overhead: 10}, Keywords: "overhead 10",
		Headroom: cellular,
	},
	{
		Name: "starlink", Title: "satellite (Starlink)",
		Arithmetic:    "44 as for fibre, since the framing isn't published",
		Encapsulation: Encapsulation{Overhead: 44, MPU: 84}, Keywords: "overhead 44 mpu 84",
		Headroom: satellite,
	},
	{
		Name: "fixed-wireless", Title: "fixed wireless",
		Arithmetic:    "44 as for fibre, since the framing differs by radio",
		Encapsulation: Encapsulation{Overhead: 44, MPU: 84}, Keywords: "overhead 44 mpu 84",
		Headroom: radio,
	},
	{
		Name: "conservative", Title: "unknown line",
		Arithmetic:    "48 a whole cell, more than any known line adds",
		Encapsulation: Encapsulation{Overhead: 48, Framing: ATM}, Keywords: "conservative",
		Headroom: steady,
	},
	{
		Name: "raw", Title: "the device's own packet length",
		Arithmetic: "0 added",
		Keywords:   "raw", Raw: true,
		Headroom: steady,
	},
}
