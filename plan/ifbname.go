package plan

import (
	"fmt"
	"hash/fnv"
)

// maxNameLength is IFNAMSIZ without the byte that ends a name.
const maxNameLength = 15

const ifbPrefix = "ifb4"

// IFBName is the name of the IFB that takes in what a device receives: the
// prefix and the device's name if that fits a device name, else the prefix and
// 44 bits of a hash of the whole name. Cutting the name off instead would give
// devices whose names begin alike the same IFB, and a device with a long name
// its own name.
func IFBName(device string) string {
	if name := ifbPrefix + device; len(name) <= maxNameLength {
		return name
	}
	hash := fnv.New64a()
	hash.Write([]byte(device))
	return fmt.Sprintf("%s%011x", ifbPrefix, hash.Sum64()>>20)
}
