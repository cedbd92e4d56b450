package plan

import (
	"fmt"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

// fewestQueues is what the kernel wants of a device for cake_mq
// (netif_is_multiqueue in mq_init_common of the kernel's net/sched/sch_mq.c).
const fewestQueues = 2

// spread makes the CAKE of a direction into one for each transmit queue. For the
// way in the IFB has those.
func (s *Shaper) spread(l *config.Link, found *State) error {
	device := found.Device(l.Interface)
	var why string
	if s.Direction == linklayer.Ingress {
		s.Cakes, why = ifbQueues(l.Interface, device, found.OnlineProcessors)
	} else {
		if device != nil && device.TxQueues > 0 && device.queues() == 1 {
			return oneQueue(l, device)
		}
		s.Cakes, why = deviceQueues(l.Interface, device)
	}
	s.Reasons = append(s.Reasons, Reason{Attribute: "queues", Value: queuesWord(s.Cakes), Why: why +
		"; each has a CAKE of its own, so that several processors can shape: those that are busy share the rate evenly, anew every 200 µs, but hosts and flows share only what their queue gets, and priorities count within it"})
	limit := s.reason("memlimit")
	limit.Why += "; of each queue"
	return nil
}

// oneQueue refuses cake_mq where the kernel says EOPNOTSUPP and no more, and
// where it takes it and has nothing to spread over.
func oneQueue(l *config.Link, device *Device) error {
	advice := `write qdisc = "cake"`
	if l.Download.Shaped() && l.Download.Qdisc.Value == config.QdiscCakeMQ {
		advice = `write qdisc = { upload = "cake", download = "cake_mq" }, or "cake" for both`
	}
	has := fmt.Sprintf("%s has one transmit queue", l.Interface)
	if device.TxQueues > 1 {
		has = fmt.Sprintf("%s uses one of its %d transmit queues", l.Interface, device.TxQueues)
		advice += fmt.Sprintf("; or have it use more (ethtool -L %s)", l.Interface)
	}
	return fmt.Errorf("%s, and cake_mq spreads over several: %s", has, advice)
}

func deviceQueues(name string, device *Device) (n int, why string) {
	if device == nil || device.TxQueues == 0 {
		return 0, fmt.Sprintf("as many as %s will have transmit queues", name)
	}
	return device.queues(), fmt.Sprintf("%s has %d transmit queues", name, device.queues())
}

// ifbQueues is how many an IFB gets: a packet keeps the number of the queue that
// it was received by (skb_tx_hash in the kernel's net/core/dev.c), so more than
// the device's receive queues would stay empty, and more than processors don't
// make it faster. A device with one receive queue may have its packets spread by
// their hash.
func ifbQueues(name string, device *Device, processors int) (n int, why string) {
	switch {
	case device != nil && device.RxQueues >= fewestQueues && (processors == 0 || device.RxQueues <= processors):
		n, why = device.RxQueues, fmt.Sprintf("as many as %s has receive queues", name)
	case processors >= fewestQueues:
		n, why = processors, "one for each processor"
	default:
		n, why = fewestQueues, "the fewest that cake_mq takes"
	}
	return n, why
}

func queuesWord(n int) string {
	if n == 0 {
		return "several"
	}
	return fmt.Sprintf("%d", n)
}

// misfits tells whether an IFB that is there has to be made anew: its queues are
// set when it is made, and cake_mq wants the planned number. An IFB for anything
// else may have more queues than the one it needs, for one qdisc serves them all.
func (i *IFB) misfits(found *Device) bool {
	return found != nil && i.Queues != 0 && found.TxQueues != 0 && found.TxQueues != i.Queues
}

// withoutIFB takes an IFB away that has to be made anew, and what sqmctl has put
// on the way in. Until the steps that follow make both again, the download goes
// unshaped rather than lost: what is redirected to a device that is gone is.
func withoutIFB(want *IFB, device *Device, found *State) ([]Step, *Device, *State) {
	steps := teardownFilters(device, found)
	for i := range steps {
		steps[i].Note = joinNotes("it is made again for the new IFB", steps[i].Note)
	}
	gone := deleteIFB(found.Device(want.Link))
	gone.Note = fmt.Sprintf("it has %d transmit queues instead of %d, which can't be changed; the download is unshaped until it is made again",
		found.Device(want.Link).TxQueues, want.Queues)
	left := *found
	left.Devices = nil
	for i := range found.Devices {
		if found.Devices[i].Name != want.Link {
			left.Devices = append(left.Devices, found.Devices[i])
		}
	}
	rest := left.Device(device.Name)
	rest.Filters = nil
	for _, f := range device.Filters {
		if f.Chain != 0 || !isDeleted(f.Priority, steps) {
			rest.Filters = append(rest.Filters, f)
		}
	}
	return append(steps, gone), rest, &left
}

func isDeleted(priority uint16, steps []Step) bool {
	for _, s := range steps {
		if s.Object.(*Filter).Priority == priority {
			return true
		}
	}
	return false
}

func joinNotes(notes ...string) (text string) {
	for _, n := range notes {
		if text != "" && n != "" {
			text += "; "
		}
		text += n
	}
	return text
}
