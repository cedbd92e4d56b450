package plan

import "testing"

func TestRedirectTarget(t *testing.T) {
	const protocolIP = 0x0800
	to := func(target string, priority, protocol uint16) FilterState {
		return redirect("matchall", priority, protocol, target)
	}
	some := to("some", 1, protocolAll)
	some.Selective = true
	later := to("later", 1, protocolAll)
	later.Chain = 5
	tests := []struct {
		name    string
		filters []FilterState
		want    string
	}{
		{"none", nil, ""},
		{"one", []FilterState{to("a", 10, protocolAll)}, "a"},
		{"the one that is asked first", []FilterState{to("a", 10, protocolAll), to("b", 1, protocolAll)}, "b"},
		{"all before one protocol", []FilterState{to("a", 1, protocolIP), to("b", 10, protocolAll)}, "b"},
		{"one protocol", []FilterState{to("b", 2, protocolIP), to("a", 1, protocolIP)}, "a"},
		{"some packets don't count, nor another chain", []FilterState{some, later, to("a", 10, protocolAll)}, "a"},
		{"only some", []FilterState{some}, ""},
		{"gone", []FilterState{to(Gone, 10, protocolAll)}, Gone},
	}
	for _, test := range tests {
		if got := (&Device{Filters: test.filters}).RedirectTarget(); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
