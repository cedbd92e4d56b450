package plan

import (
	"fmt"
	"hash/fnv"
)

// maxNameLength is IFNAMSIZ without the byte that ends a name.
const maxNameLength = 15

const (
	ifbPrefix = "ifb4"
	// spreadPrefix is that of an IFB with several transmit queues, which only its
	// making can give it. A name of its own lets such an IFB be made beside the
	// other, and the download never goes unshaped when one takes the other's
	// place.
	spreadPrefix = "ifq4"
)

// IFBName is the name of the IFB that takes in what a device receives: the
// prefix and the device's name if that fits a device name, else the prefix and
// 44 bits of a hash of the whole name. Cutting the name off instead would give
// devices whose names begin alike the same IFB, and a device with a long name
// its own name.
func IFBName(device string) string { return ifbName(ifbPrefix, device) }

// SpreadIFBName is likewise that of the IFB with several transmit queues, for
// cake_mq.
func SpreadIFBName(device string) string { return ifbName(spreadPrefix, device) }

func ifbName(prefix, device string) string {
	if name := prefix + device; len(name) <= maxNameLength {
		return name
	}
	hash := fnv.New64a()
	hash.Write([]byte(device))
	return fmt.Sprintf("%s%011x", prefix, hash.Sum64()>>20)
}
