package netlinkqdisc

import (
	"os"
	"strings"

	"github.com/sqmctl/sqmctl/plan"
)

// countQueues finds how many of a device's queues are in use. The kernel's
// messages say how many there could be, sysfs how many there are
// (netdev_queue_update_kobjects in net/core/net-sysfs.c).
func countQueues(d *plan.Device) {
	if d.TxQueues == 1 && d.RxQueues == 1 {
		d.TxQueuesInUse = 1
		return
	}
	entries, err := os.ReadDir("/sys/class/net/" + d.Name + "/queues")
	if err != nil {
		return
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	tx, rx := queuesNamed(names)
	d.TxQueuesInUse = tx
	if rx > 0 {
		d.RxQueues = rx
	}
}

// queuesNamed counts "tx-0" and "rx-0".
func queuesNamed(names []string) (tx, rx int) {
	for _, n := range names {
		switch {
		case strings.HasPrefix(n, "tx-"):
			tx++
		case strings.HasPrefix(n, "rx-"):
			rx++
		}
	}
	return tx, rx
}
