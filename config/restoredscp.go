package config

// readRestoreDSCP reads what is for the download alone: only there does a packet
// come before the kernel has looked up its connection. Marks that are your own
// are worth a priority, and worth keeping.
func readRestoreDSCP(t table, l *Link) {
	v, ok := t.values["restore_dscp"]
	if !ok {
		return
	}
	restore, f := readBool(v)
	if f != nil {
		t.report(t.at("restore_dscp"), f)
		return
	}
	s := &l.Download
	s.RestoreDSCP = Choice[bool]{Value: restore, Line: t.line("restore_dscp")}
	if !restore {
		return
	}
	if !s.Shaped() {
		t.report(t.at("restore_dscp"), &fault{"the download isn't shaped, so nothing looks at its marks", "remove it, or give the download a rate and a qdisc"})
	}
	if s.Diffserv.Line == 0 {
		s.Diffserv = Choice[string]{Value: "diffserv3", Reason: "the marks are your own, restored from the connection"}
	}
	if s.Wash.Line == 0 {
		s.Wash = Choice[bool]{Value: false, Reason: "the marks are your own, restored from the connection, and of use in your network"}
	}
	if s.Qdisc.Value == QdiscCake && s.Diffserv.Value == "besteffort" && s.Wash.Value {
		t.report(t.at("restore_dscp"), &fault{"with one priority and marks that are washed nothing would use them", `remove it, or write diffserv = { download = "diffserv3" }`})
	}
}
