// Package tcp holds the two ends of a bulk transfer as the simulator runs them:
// a sender with infinitely much to send under a congestion control, and a
// receiver that acknowledges. Windows count in segments, times in nanoseconds.
//
// They do what Linux's TCP does where that shows in a queue: detection of loss
// by gaps (RFC 8985), proportional rate reduction (RFC 6937), tail loss
// probes, delayed acknowledgements, SACK. There is no handshake, no flow
// control and no end.
package tcp
