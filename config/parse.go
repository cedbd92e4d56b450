package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/BurntSushi/toml"
)

// largestProfile bounds what Load reads, in bytes; a profile has a few
// hundred.
const largestProfile = 1 << 20

// Load reads a profile from a file. The error is a *Problems.
func Load(path string) (*Profile, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, &Problems{[]Problem{fileProblem(path, err)}}
	}
	return Parse(path, data)
}

var errTooLarge = fmt.Errorf("larger than %d bytes", largestProfile)

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, largestProfile+1))
	if err == nil && len(data) > largestProfile {
		err = errTooLarge
	}
	return data, err
}

func fileProblem(path string, err error) Problem {
	p := Problem{File: path, Text: "cannot be read", Advice: "name a profile, which is a TOML file"}
	var detail *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.Text, p.Advice = "there is no such file", "write a profile there, or name the one you have"
	case errors.Is(err, fs.ErrPermission):
		p.Text, p.Advice = "may not be read by this user", "run as a user who may, or change the file's mode"
	case errors.Is(err, errTooLarge):
		p.Text = errTooLarge.Error()
	case errors.As(err, &detail):
		p.Text += ": " + detail.Err.Error()
	}
	return p
}

// Parse reads a profile from its text; file is only for the problems. The
// error is a *Problems, with every problem there is, and no Profile then.
func Parse(file string, data []byte) (*Profile, error) {
	text := string(data)
	var values map[string]any
	if _, err := toml.Decode(text, &values); err != nil {
		return nil, &Problems{[]Problem{syntaxProblem(file, text, err)}}
	}
	d := &document{file: file, index: newIndex(text)}
	links := readProfile(table{d, "", values})
	if len(d.problems.List) > 0 {
		d.problems.sort()
		return nil, &d.problems
	}
	return &Profile{File: file, Links: links}, nil
}

// readProfile reads the outermost table.
func readProfile(t table) []Link {
	t.refuseOthers(keysBelow(""), strayAdvice)
	readSchema(t)
	var links []Link
	seen := map[string]int{}
	for _, lt := range linkTables(t) {
		l := readLink(lt)
		if line, ok := seen[l.Interface]; ok && l.Interface != "" {
			lt.report(lt.at("interface"), &fault{
				fmt.Sprintf("%q has a link already, in line %d", l.Interface, line),
				"put both directions into one [[link]]",
			})
		} else {
			seen[l.Interface] = l.Line
		}
		links = append(links, l)
	}
	return links
}

// strayAdvice is for keys of a link that stand outside any.
func strayAdvice(key string) string {
	for _, known := range keysBelow("link.") {
		if key == known {
			return "put it under [[link]]"
		}
	}
	if strings.EqualFold(key, "links") {
		return "write [[link]]"
	}
	return ""
}

func readSchema(t table) {
	const advice = "write schema = 1"
	v, ok := t.values["schema"]
	if !ok {
		t.missing("schema", advice+" in the first line")
		return
	}
	if n, ok := v.(int64); !ok {
		t.report("schema", wrongType(v, "a whole number", advice))
	} else if n != 1 {
		t.report("schema", &fault{fmt.Sprintf("%d is not a schema that this version knows", n), advice})
	}
}

// linkTables are the tables of [[link]], or of the same written inline.
func linkTables(t table) []table {
	const advice = "describe each line under [[link]], with two brackets"
	var all []table
	switch v := t.values["link"].(type) {
	case nil:
		t.missing("link", advice)
		return nil
	case []map[string]any:
		for i, values := range v {
			all = append(all, table{t.document, elementPath("link", i+1), values})
		}
	case []any:
		if len(v) == 0 {
			t.report("link", &fault{"an empty list", advice})
		}
		for i, element := range v {
			path := elementPath("link", i+1)
			values, ok := element.(map[string]any)
			if !ok {
				t.report(path, wrongType(element, "a table", advice))
				continue
			}
			all = append(all, table{t.document, path, values})
		}
	case map[string]any:
		t.report("link", &fault{"a single table, not a list of them", advice})
		return nil
	default:
		t.report("link", wrongType(v, "a table", advice))
		return nil
	}
	return all
}
