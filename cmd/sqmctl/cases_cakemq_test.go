package main

import (
	"github.com/sqmctl/sqmctl/internal/kernellab"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

const (
	sixteenQueues = "link add eth1 up numtxqueues 16 numrxqueues 16 type veth peer name far numtxqueues 16 numrxqueues 16\nlink set far up\n"
	spreadProfile = `schema = 1
[[link]]
interface = "eth1"
type      = "ethernet"
invoice   = { upload = "762 Mbit/s", download = "600 Mbit/s" }
headroom  = "0 %"
`
	oneQueueAdvice = `wan has one transmit queue, and cake_mq spreads over several: write qdisc = { upload = "cake", download = "cake_mq" }, or "cake" for both`
)

var troubledCakeMQ = []troubled{
	// A script put cake_mq in the place of cake and kept the other words. The
	// kernel said "Operation not supported" of the download, for its IFB had one
	// queue and autorate-ingress was on; people then took the handle for the
	// cause.
	{name: "cake_mq-not-supported", kernel: kernellab.CakeMQ, profile: spreadProfile, check: func(r *router) {
		r.Batch("ip", sixteenQueues)
		r.says(statusFine, []string{"qdisc cake 7371: on eth1"}, "apply") // it was not asked for
		if kind := r.device("eth1").At(plan.HandleRoot).Kind; kind != "cake" {
			r.t.Errorf("eth1 has %s", kind)
		}
		before := r.dump()

		r.write(spreadProfile + "qdisc = \"cake_mq\"\n")
		r.says(statusFine, []string{"numtxqueues 2 type ifb", "autorate-ingress  off", "eth1 has 16 transmit queues", "the fewest that cake_mq takes"}, "plan", "--explain")
		r.says(statusFindings, []string{"upload: warning: not as planned", "download: warning: not as planned", "kind is cake, the profile says cake_mq"}, "doctor", "--for", "1s")
		r.wantSame("after looking", before)
		r.says(statusFine, []string{"replace qdisc cake_mq 7372: on eth1", "create qdisc cake_mq 7371: on ifq4eth1", "delete ifb ifb4eth1"}, "apply")
		r.wantSpread("eth1", 16, 762*linklayer.Mbit)
		r.wantSpread("ifq4eth1", 2, 600*linklayer.Mbit)
		read := []string{"eth1 upload: ok: idle", "a judgement needs 609.6 Mbit/s", "eth1 download: ok: idle", "a judgement needs 480 Mbit/s"}
		r.says(statusFine, read, "doctor", "--for", "1s")
		r.profileGone(func() { r.says(statusFine, read, "doctor", "--for", "1s") })
		r.says(statusFine, []string{"eth1 upload: shaped at 762 Mbit/s", "eth1 download: shaped at 600 Mbit/s"}, "status")
	}},
	{name: "cake_mq-on-one-queue", kernel: kernellab.CakeMQ, profile: profileOf("ethernet", "90 Mbit/s", "20 Mbit/s", `qdisc = "cake_mq"`), check: refusedForOneQueue},
	{name: "cake_mq-on-one-queue-of-an-old-kernel", profile: profileOf("ethernet", "90 Mbit/s", "20 Mbit/s", `qdisc = "cake_mq"`), check: refusedForOneQueue},
	{name: "cake_mq-unknown-to-the-kernel", profile: spreadProfile + "qdisc = \"cake_mq\"\n", check: func(r *router) {
		r.Batch("ip", sixteenQueues)
		before := r.dump()
		r.says(statusFailed, []string{"ENOENT", `this kernel has no cake_mq, which came with Linux 7.0 and OpenWrt 25.12: write qdisc = "cake"`}, "apply")
		r.wantSame("after a refusal", before)
	}},
}

func refusedForOneQueue(r *router) {
	before := r.dump()
	r.says(statusUsage, []string{oneQueueAdvice}, "apply")
	r.wantSame("after a refusal", before)
}

// wantSpread expects a CAKE for each queue, which are one shaper.
func (r *router) wantSpread(device string, queues int, rate linklayer.Rate) {
	r.t.Helper()
	d := r.device(device)
	root := d.At(plan.HandleRoot)
	if root.Kind != "cake_mq" || !root.Handle.Owned() || len(root.Queues) != queues || d.ShapedRate() != rate || root.Cake.Autorate {
		r.t.Errorf("%s has %s %v with %d queues at %s", device, root.Kind, root.Handle, len(root.Queues), d.ShapedRate())
	}
}
