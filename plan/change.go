package plan

import (
	"fmt"
	"strings"
)

// Action is what happens to an object.
type Action uint8

const (
	// Create makes what isn't there.
	Create Action = iota
	// Change alters attributes in place; handle and counters stay.
	Change
	// Replace puts an object in the place of another one.
	Replace
	// Delete removes it.
	Delete
)

func (a Action) String() string {
	return [...]string{"create", "change", "replace", "delete"}[a]
}

// Step is one difference between Plan and State, and what closes it. Steps
// are in the order in which they must be done.
type Step struct {
	Action     Action
	Object     Object      // as wanted; as found for Delete
	Was        Object      // as found; nil for Create
	Attributes []Attribute // what differs, for Change
	Note       string      // what a person should know: "replaces htb 1:, which sqmctl did not install"
}

// Attribute is one value that differs, in tc's words.
type Attribute struct {
	Name, Was, Want string
}

// String is one line for people: "change qdisc cake 7371: on wan: bandwidth
// 19mbit → 20mbit".
func (s Step) String() string {
	text := s.Action.String() + " " + s.Object.Name()
	if len(s.Attributes) > 0 {
		var all []string
		for _, a := range s.Attributes {
			all = append(all, a.String())
		}
		text += ": " + strings.Join(all, ", ")
	}
	if s.Note != "" {
		text += " (" + s.Note + ")"
	}
	return text
}

// String is "rtt 100ms → 30ms".
func (a Attribute) String() string {
	return fmt.Sprintf("%s %s → %s", a.Name, a.Was, a.Want)
}
