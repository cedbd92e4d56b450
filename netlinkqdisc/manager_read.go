package netlinkqdisc

import (
	"os"
	"strconv"
	"strings"
)

const (
	networkdLinks = "/systemd/netif/links/"
	managerLinks  = "/NetworkManager/devices/"
)

// hasManagers tells whether one of the programs runs here.
func hasManagers(run string) bool {
	_, networkd := os.Stat(run + networkdLinks)
	_, manager := os.Stat(run + managerLinks)
	return networkd == nil || manager == nil
}

// readManager says which program configures a device, from the state files that
// it keeps by the device's index: systemd-networkd in /run/systemd/netif/links,
// NetworkManager in /run/NetworkManager/devices. "" if none does.
func readManager(run string, index int) string {
	number := strconv.Itoa(index)
	if b, err := os.ReadFile(run + networkdLinks + number); err == nil && hasLine(string(b), "NETWORK_FILE=", "") {
		return "systemd-networkd"
	}
	if b, err := os.ReadFile(run + managerLinks + number); err == nil && hasLine(string(b), "managed=", "true") {
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
