package netlinkqdisc

import (
	"os"
	"strconv"
	"strings"
)

// readManager says which program configures a device, from the state files that
// it keeps by the device's index: systemd-networkd in /run/systemd/netif/links,
// NetworkManager in /run/NetworkManager/devices. "" if none does.
func readManager(run string, index int) string {
	number := strconv.Itoa(index)
	if b, err := os.ReadFile(run + "/systemd/netif/links/" + number); err == nil && hasLine(string(b), "NETWORK_FILE=", "") {
		return "systemd-networkd"
	}
	if b, err := os.ReadFile(run + "/NetworkManager/devices/" + number); err == nil && hasLine(string(b), "managed=", "true") {
		return "NetworkManager"
	}
	return ""
}

// hasLine tells whether a line begins with a key and has the value; any but none
// will do for "".
func hasLine(text, key, value string) bool {
	for line := range strings.Lines(text) {
		if got, ok := strings.CutPrefix(strings.TrimSpace(line), key); ok && got != "" && (value == "" || got == value) {
			return true
		}
	}
	return false
}
