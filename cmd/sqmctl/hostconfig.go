package main

import (
	"os"

	"github.com/sqmctl/sqmctl/netlinkqdisc"
	"github.com/sqmctl/sqmctl/plan"
	"github.com/sqmctl/sqmctl/tcdump"
)

// otherShapers are the files in which OpenWrt has what another shaper should do,
// and whether the firewall hands connections to flow tables.
var otherShapers = []string{"/etc/config/sqm", "/etc/config/firewall"}

// readHost is all that doctor wants to know of this machine at one moment.
func readHost(kernel *netlinkqdisc.Kernel) (plan.State, error) {
	found, err := kernel.ReadHost()
	if err != nil {
		return found, err
	}
	for _, file := range otherShapers {
		addConfigured(&found, file)
	}
	return found, nil
}

// addConfigured adds what a file says. Of flow tables the kernel knows better: a
// file only counts where the kernel showed none. A file that can't be read says
// nothing.
func addConfigured(found *plan.State, file string) {
	input, err := os.Open(file)
	if err != nil {
		return
	}
	defer input.Close()
	dump, err := tcdump.Read(input, file)
	if err != nil {
		return
	}
	found.Configured = append(found.Configured, dump.State.Configured...)
	if len(found.FlowTables) == 0 {
		found.FlowTables = dump.State.FlowTables
	}
}
