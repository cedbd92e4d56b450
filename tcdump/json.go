package tcdump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// object is one of the objects that tc and ip list. Its values are decoded one by
// one, so that one of an unexpected type spoils nothing else.
type object map[string]json.RawMessage

// beginsJSON tells whether a line begins the JSON of tc or ip: a list, or on a
// line by itself its bracket.
func beginsJSON(text string) bool {
	if text[0] != '[' {
		return false
	}
	rest := strings.TrimLeft(text[1:], " ")
	return rest == "" || rest[0] == '{' || rest == "]"
}

// readJSON reads the list that the last line begins.
func (r *reader) readJSON() {
	r.leave()
	r.shown = &shown{details: r.shown.details && r.listings != nil, qdiscs: map[qdiscKey]bool{}}
	number := r.number
	text := r.listText()
	if err := r.readList(text); err != nil {
		r.readBroken(number, text, err)
	}
	r.leave()
}

// listText takes the lines of a list: as far as its brackets close, or to where
// something else begins.
func (r *reader) listText() string {
	var text strings.Builder
	var b brackets
	for {
		text.WriteString(r.line)
		text.WriteByte('\n')
		if b.add(r.line); b.depth <= 0 && !b.quoted {
			return text.String()
		}
		rest, number := r.rest, r.number
		if !r.next() {
			return text.String()
		}
		if words := strings.Fields(r.line); len(words) == 0 || endsJSON(words) {
			r.rest, r.number = rest, number
			return text.String()
		}
	}
}

// endsJSON tells lines that stand in no JSON.
func endsJSON(w []string) bool {
	if beginsTC[w[0]] && len(w) > 2 {
		return true
	}
	if strings.ContainsAny(w[0][:1], `"[]{},`) {
		return false
	}
	_, ok := behindPrompt(strings.Join(w, " "))
	return ok
}

// brackets counts how deep in JSON a text ends.
type brackets struct {
	depth           int
	quoted, escaped bool
}

func (b *brackets) add(line string) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case b.escaped:
			b.escaped = false
		case b.quoted:
			b.escaped, b.quoted = c == '\\', c != '"'
		case c == '"':
			b.quoted = true
		case c == '[' || c == '{':
			b.depth++
		case c == ']' || c == '}':
			b.depth--
		}
	}
}

// readList decodes a list, an object at a time, and reads each. Nothing is read
// of a list that isn't JSON to its end.
func (r *reader) readList(text string) error {
	decoder := json.NewDecoder(strings.NewReader(text))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	var all []object
	for decoder.More() {
		var o object
		if err := decoder.Decode(&o); err != nil {
			return err
		}
		if all = append(all, o); len(all) > mostObjects {
			return fmt.Errorf("more than %d objects", mostObjects)
		}
	}
	if _, err := decoder.Token(); err != nil {
		return err
	}
	for _, o := range all {
		if !r.readObject(o) {
			r.cannotRead(r.number, "an object of JSON that no tc or ip prints")
		}
	}
	return nil
}

// readObject tells the lists apart by their keys.
func (r *reader) readObject(o object) bool {
	switch {
	case len(o) == 0:
		return true
	case o.has("class"):
		return r.readClassObject(o)
	case o.has("kind") && o.has("pref"):
		return r.readFilterObject(o)
	case o.has("kind") && o.has("handle"):
		return r.readQdiscObject(o)
	case o.has("ifname"):
		return r.readLinkObject(o)
	case o.has("dst"):
		return r.readRouteObject(o)
	}
	return false
}

func (o object) has(key string) bool { return o[key] != nil }

// text is a string, or a number as it is written; "" if there is neither.
func (o object) text(key string) string {
	var s string
	if json.Unmarshal(o[key], &s) == nil {
		return s
	}
	raw := bytes.TrimSpace(o[key])
	if len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') {
		return string(raw)
	}
	return ""
}

// number is a number that isn't below zero; 0 if there is none.
func (o object) number(key string) uint64 {
	n, _ := parseCount(o.text(key))
	return n
}

// int is a number of 32 bits; 0 if there is none.
func (o object) int(key string) int {
	n, _ := parseInt(o.text(key))
	return n
}

func (o object) truth(key string) bool {
	var b bool
	return json.Unmarshal(o[key], &b) == nil && b
}

// inner is an object in an object; nil if there is none.
func (o object) inner(key string) object {
	var inner object
	if json.Unmarshal(o[key], &inner) != nil {
		return nil
	}
	return inner
}

func (o object) list(key string) []object {
	var all []object
	if json.Unmarshal(o[key], &all) != nil {
		return nil
	}
	return all
}

func (o object) texts(key string) []string {
	var all []string
	if json.Unmarshal(o[key], &all) != nil {
		return nil
	}
	return all
}
