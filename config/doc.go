// Package config turns a TOML profile into a Profile: the schema, every
// default with its reason, and problems that carry file, line, key and advice.
//
// It knows nothing of tc, netlink or the kernel, and it opens no file but the
// profile it is given.
package config
