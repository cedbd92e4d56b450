package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// elsewhere are the codes that no situation here can have, and why.
var elsewhere = map[string]string{
	"held-little":      "one look only, as of a dump",
	"above-device":     "a virtual cable has no speed",
	"cpu-bound":        "on a virtual clock a processor is never busy",
	"burst":            "takes a kernel whose timer is late",
	"hardware-offload": "takes hardware",
	"default-qdisc":    "a namespace doesn't see the machine's",
	"no-shaper":        "takes another default qdisc, which is the machine's",
	"one-queue":        "takes a device with several transmit queues",
	"one-flow":         "takes a tunnel that hides what is in it",
}

// Every finding that doctor knows has a situation, or a reason why not.
func TestEveryCodeHasASituation(t *testing.T) {
	wanted := map[string]bool{}
	for _, s := range scenes {
		for _, then := range s.then {
			for where := range then.want {
				for _, f := range then.want.findings(where) {
					wanted[strings.Fields(f)[1]] = true
				}
			}
		}
	}
	for _, code := range declaredCodes(t) {
		if _, reason := elsewhere[code]; wanted[code] == reason {
			t.Errorf("%s: in a situation: %v; elsewhere: %v", code, wanted[code], reason)
		}
	}
}

// declaredCodes are those that package verify declares.
func declaredCodes(t *testing.T) (all []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../verify/finding.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			if kind, ok := spec.Type.(*ast.Ident); ok && kind.Name == "Code" {
				code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, code)
			}
		}
		return true
	})
	if len(all) < 20 {
		t.Fatalf("verify has %d codes, so they are declared elsewhere now", len(all))
	}
	return all
}
