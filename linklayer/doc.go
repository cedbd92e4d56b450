// Package linklayer says what a packet costs on the wire and how long it
// takes: rates, framing, overhead, minimum packet unit, and the presets that
// belong to access technologies.
//
// It is arithmetic only. It knows no profile, no qdisc and no kernel, so the
// compiler, the simulator and the verifier can each use it to contradict the
// others.
package linklayer
