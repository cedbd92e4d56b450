// Package netlinkqdisc carries plan values to the kernel and back over
// rtnetlink: it reads devices, qdiscs, classes and filters into a plan.State,
// does the steps of a plan.Diff with an undo log, and compares what it reads
// back. It holds the only sockets of the program.
//
// It decides nothing: what should be installed, and what differs, is plan's.
// It starts no other program and loads no module itself.
//
// Requests for qdiscs and filters are made by go-tc. What the kernel sends is
// decoded here, because a dump must never break on a kind or an attribute that
// nobody knew when this was written.
package netlinkqdisc
