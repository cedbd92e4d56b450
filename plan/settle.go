package plan

import "slices"

// redirectPriority is where the redirect goes if that place is free. tc gives
// out priorities from 49152 downwards, so most other filters are asked later.
const redirectPriority = 10

// settle fits a link to what is found: which handle is free for the root
// qdisc, where the filter goes and who made the ingress qdisc. What it returns
// shares nothing with the link that it may change, and settling twice is the
// same as once.
func settle(link Link, found *State) Link {
	if link.Egress != nil {
		egress := *link.Egress
		settleHandles(&egress, found.Device(egress.Qdisc.Link))
		link.Egress = &egress
	}
	if link.Ingress != nil {
		ingress := *link.Ingress
		settleIngress(&ingress, found.Device(link.Interface), found)
		link.Ingress = &ingress
	}
	return link
}

func settleIngress(in *Shaper, device *Device, found *State) {
	ifb, redirect := *in.IFB, *in.Redirect
	in.IFB, in.Redirect = &ifb, &redirect
	there := found.Device(ifb.Link)
	if ifb.misfits(there) {
		there = nil
	}
	settleHandles(in, there)
	hasIngress := device != nil && device.At(HandleIngress) != nil
	ifb.Alias = OwnerAlias(redirect.Link, !hasIngress || madeIngressQdisc(device, found))
	redirect.Parent = HandleIngressQdisc
	if hasIngress && device.At(HandleIngress).Kind == "clsact" {
		redirect.Parent = HandleClsactIngress
	}
	redirect.Priority = redirectPriority
	if device == nil {
		return
	}
	if kept := device.redirectAs(in.Redirect); kept != nil {
		redirect.Kind, redirect.Priority = kept.Kind, kept.Priority
		return
	}
	redirect.Priority = freePriority(device)
}

// settleHandles gives a direction's qdiscs the handles that they have, or would
// get.
func settleHandles(s *Shaper, device *Device) {
	s.Qdisc.Handle = handleFor(&s.Qdisc, device, nil, HandleOwned, lastOwned)
	root := s.Qdisc.Handle
	classes, leaves := make([]*Class, 0, len(s.Classes)), make([]*Qdisc, 0, len(s.Leaves))
	for _, c := range s.Classes {
		class := *c
		class.Handle, class.Parent = inTree(c.Handle, root), inTree(c.Parent, root)
		classes = append(classes, &class)
	}
	taken, first, last := map[Handle]bool{root: true}, HandleOwned, lastOwned
	if len(s.Queues()) > 0 {
		first, last = HandleQueues, lastQueues
	}
	for _, q := range s.Leaves {
		leaf := *q
		leaf.Parent = inTree(q.Parent, root)
		leaf.Handle = handleFor(&leaf, device, taken, first, last)
		taken[leaf.Handle] = true
		leaves = append(leaves, &leaf)
	}
	s.Classes, s.Leaves = classes, leaves
	if s.Marks != nil {
		marks := *s.Marks
		marks.Parent, marks.Rules = root, slices.Clone(marks.Rules)
		for i := range marks.Rules {
			marks.Rules[i].Class = inTree(marks.Rules[i].Class, root)
		}
		s.Marks = &marks
	}
}

// inTree is the same place below another root.
func inTree(h, root Handle) Handle { return root | Handle(h.Minor()) }

// handleFor is the handle of a qdisc of ours, one of a range if it needs a new
// one. What is below the queue of an mq of ours is ours whatever its handle,
// other than 0, which is the kernel's own qdisc. The kernel refuses to change a
// qdisc's kind in place, and takes a handle that is in use elsewhere on the
// device for an order to move that qdisc.
func handleFor(q *Qdisc, device *Device, taken map[Handle]bool, first, last Handle) Handle {
	if device != nil {
		found := device.At(q.Parent)
		belongs := found != nil && (found.Handle.Owned() || first == HandleQueues && found.Handle != 0)
		if belongs && canBecome(found, q) {
			return found.Handle
		}
	}
	for h := first; h < last; h += 0x10000 {
		if !taken[h] && (device == nil || !device.hasHandle(h)) {
			return h
		}
	}
	return last
}

// canBecome tells whether the kernel can change one qdisc into another in
// place: HTB takes no change of its options at all, fq_codel none of its number
// of queues.
func canBecome(found *QdiscState, q *Qdisc) bool {
	switch {
	case found.Kind != q.Kind:
		return false
	case q.HTB != nil:
		return found.HTB != nil && *found.HTB == *q.HTB
	case q.FQCodel != nil:
		return found.FQCodel != nil && found.FQCodel.Flows == q.FQCodel.Flows
	}
	return true
}

func (d *Device) hasHandle(h Handle) bool {
	for i := range d.Qdiscs {
		if d.Qdiscs[i].Handle == h {
			return true
		}
	}
	return false
}

// freePriority is the usual place for the redirect, else the nearest before
// it, else the nearest behind it. One priority holds filters of one kind and
// protocol only (tcf_chain_tp_find in the kernel's net/sched/cls_api.c).
func freePriority(device *Device) uint16 {
	used := map[uint16]bool{0: true} // 0 has the kernel pick one
	for _, f := range device.Filters {
		used[f.Priority] = true
	}
	for p := uint16(redirectPriority); p > 0; p-- {
		if !used[p] {
			return p
		}
	}
	p := uint16(redirectPriority + 1)
	for used[p] {
		p++
	}
	return p
}
