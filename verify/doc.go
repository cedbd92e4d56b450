// Package verify judges, from what the kernel shows, whether a shaper is
// installed as planned and whether it really is the bottleneck: the one place
// where a queue can form and be managed.
//
// It works on plan.State values alone, whatever they were read from, and it
// knows nothing of netlink or of how findings are printed. It doesn't guess at
// latency: it says where the queue is, which is what decides latency.
package verify
