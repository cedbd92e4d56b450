package netlinkqdisc

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// redirectModules are what a redirect takes, each by any one of its modules.
var redirectModules = [][]string{{"act_mirred"}, {"cls_matchall", "cls_u32"}, {"sch_ingress"}, {"ifb"}}

// readMissingModules lists what a redirect takes that this kernel seems not to
// have: no module of the name is loaded, built in or there to be loaded. Nil where
// the modules can't be looked at.
func readMissingModules() []string {
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return nil
	}
	release := unix.ByteSliceToString(name.Release[:])
	return missingModules("/lib/modules/"+release, "/sys/module")
}

// missingModules looks into a kernel's folder of modules: a list of files with
// their folders (Debian), or the files themselves (OpenWrt).
func missingModules(folder, loaded string) []string {
	known := knownModules(folder)
	if len(known) == 0 {
		return nil
	}
	var missing []string
	for _, any := range redirectModules {
		if !slices.ContainsFunc(any, func(m string) bool {
			_, err := os.Stat(loaded + "/" + m)
			return err == nil || known[m]
		}) {
			missing = append(missing, any...)
		}
	}
	return missing
}

func knownModules(folder string) map[string]bool {
	known := map[string]bool{}
	if entries, err := os.ReadDir(folder); err == nil {
		for _, e := range entries {
			addModule(known, e.Name())
		}
	}
	for _, list := range []string{"modules.dep", "modules.builtin"} {
		b, _ := os.ReadFile(folder + "/" + list)
		for line := range bytes.Lines(b) {
			path, _, _ := strings.Cut(strings.TrimSpace(string(line)), ":")
			addModule(known, path)
		}
	}
	return known
}

// addModule takes "kernel/net/sched/act_mirred.ko.xz" for act_mirred, and no file
// that is no module.
func addModule(known map[string]bool, path string) {
	file := path[strings.LastIndexByte(path, '/')+1:]
	if name, _, ok := strings.Cut(file, ".ko"); ok {
		known[strings.ReplaceAll(name, "-", "_")] = true
	}
}
