package config

import _ "embed"

//go:embed example.toml
var example string

// Example is a short profile with comments, for the manual and for a first
// try.
func Example() string { return example }
