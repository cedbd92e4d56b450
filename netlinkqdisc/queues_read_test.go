package netlinkqdisc

import "testing"

func TestQueuesNamed(t *testing.T) {
	if tx, rx := queuesNamed([]string{"rx-0", "rx-1", "tx-0", "tx-1", "tx-10"}); tx != 3 || rx != 2 {
		t.Errorf("%d to send, %d to receive", tx, rx)
	}
	if tx, rx := queuesNamed(nil); tx != 0 || rx != 0 {
		t.Errorf("%d to send, %d to receive", tx, rx)
	}
}
