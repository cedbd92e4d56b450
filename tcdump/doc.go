// Package tcdump reads what people paste into a forum: the output of tc, ip, nft
// and uci, as text or as JSON, with prompts, prose and damage in between. It
// fills the same plan.State that the kernel gives.
//
// A paste is what somebody chose to show. What was not shown is marked in the
// Unknown fields of package plan, and what can't be read is named and passed
// over: nothing in a paste is an error but its size.
package tcdump
