// Package qdisc holds the queue disciplines of a router as the simulator runs
// them, one algorithm a file: written after the RFCs and after what the
// Linux kernel does where that is more than the RFC says.
//
// They know packets and nanoseconds, and nothing of links, senders or events:
// whoever drives one hands it packets and asks for them.
package qdisc
