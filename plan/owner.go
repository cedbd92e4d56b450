package plan

import "strings"

const (
	aliasPrefix  = "sqmctl: download of "
	aliasIngress = " (and its ingress qdisc)"
)

// OwnerAlias is the alias that marks an IFB as ours, to programs and to people
// who look at ip link. It also records whether sqmctl made the ingress qdisc
// of the device, because nothing about an ingress qdisc can: it has a fixed
// handle and no options.
func OwnerAlias(device string, ingressQdisc bool) string {
	if ingressQdisc {
		return aliasPrefix + device + aliasIngress
	}
	return aliasPrefix + device
}

// ParseOwnerAlias reads what OwnerAlias wrote; ok is false for any other text.
// It is unambiguous because a device name has no space in it.
func ParseOwnerAlias(alias string) (device string, ingressQdisc, ok bool) {
	device, found := strings.CutPrefix(alias, aliasPrefix)
	if !found {
		return "", false, false
	}
	device, ingressQdisc = strings.CutSuffix(device, aliasIngress)
	if device == "" || strings.ContainsAny(device, " \t\n") {
		return "", false, false
	}
	return device, ingressQdisc, true
}

// owner is the device whose download an IFB of ours takes in; "" if the device
// is no IFB or not ours.
func owner(d *Device) string {
	if d == nil || d.Kind != "ifb" {
		return ""
	}
	device, _, _ := ParseOwnerAlias(d.Alias)
	return device
}

// ownedIFBs are the IFBs that take in what a device receives; more than one
// only if somebody renamed one.
func ownedIFBs(device string, found *State) []*Device {
	var all []*Device
	for i := range found.Devices {
		if owner(&found.Devices[i]) == device {
			all = append(all, &found.Devices[i])
		}
	}
	return all
}

// madeIngressQdisc tells whether the ingress qdisc that a device has now is
// the one that sqmctl made for it. sqmctl never makes a clsact.
func madeIngressQdisc(device *Device, found *State) bool {
	if device == nil {
		return false
	}
	q := device.At(HandleIngress)
	if q == nil || q.Kind != "ingress" {
		return false
	}
	for _, ifb := range ownedIFBs(device.Name, found) {
		if _, made, _ := ParseOwnerAlias(ifb.Alias); made {
			return true
		}
	}
	return false
}

// looksInterrupted tells whether an unmarked IFB is what an apply leaves that
// is killed between making the IFB and marking it: the kernel can't do both at
// once. Such an IFB is down, has never carried a packet, has no qdisc of its
// own, and nobody sends anything to it, so nobody loses it.
func looksInterrupted(ifb *Device, found *State) bool {
	root := ifb.At(HandleRoot)
	return ifb.Kind == "ifb" && ifb.Alias == "" && !ifb.Up && ifb.Master == "" &&
		ifb.Counters == Counters{} && (root == nil || root.Handle == 0) &&
		len(ifb.Filters) == 0 && !isTarget(ifb.Name, found)
}

func isTarget(name string, found *State) bool {
	for i := range found.Devices {
		for _, f := range found.Devices[i].Filters {
			if f.Redirect == name || f.Mirror == name {
				return true
			}
		}
	}
	return false
}
