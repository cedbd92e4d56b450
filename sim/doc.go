// Package sim simulates a subscriber's line packet by packet: bulk TCP senders,
// sparse flows such as a call, the router's qdisc and shaper, and the modem's
// queue in front of the line, both ways. It says what a shaper will do to
// latency before it is installed.
//
// It runs on a clock of its own, in one goroutine, from an explicit seed, in
// integers: the same scenario gives the same result, byte for byte, on every
// processor. It reads no kernel and no file.
//
// The yardstick is Linux: senders and qdiscs do what its TCP and its qdiscs
// do, and the package's tests compare the results with runs of a real kernel.
package sim
