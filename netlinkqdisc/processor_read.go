package netlinkqdisc

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/sqmctl/sqmctl/plan"
)

// readProcessors reads what each processor has done; nil if nobody tells.
func readProcessors() []plan.Processor {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return nil
	}
	return parseProcessors(string(b))
}

// A line of /proc/stat is "cpu0 1 2 …" with times in hundredths of a second, by
// what the processor did: user, nice, system, idle, iowait, irq, softirq, steal;
// guests are in the first two already (proc_stat(5)).
const (
	processorTick                        = time.Second / 100 // USER_HZ on all that Go runs on
	idleAt, ioWaitAt, softIRQAt, fieldsN = 3, 4, 6, 8
)

func parseProcessors(text string) []plan.Processor {
	var all []plan.Processor
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) <= softIRQAt+1 || !isProcessor(fields[0]) {
			continue
		}
		var p plan.Processor
		for i, f := range fields[1:min(len(fields), fieldsN+1)] {
			n, err := strconv.ParseUint(f, 10, 40)
			if err != nil {
				return all
			}
			spent := time.Duration(n) * processorTick
			p.Total += spent
			switch i {
			case idleAt, ioWaitAt:
				p.Idle += spent
			case softIRQAt:
				p.SoftIRQ += spent
			}
		}
		all = append(all, p)
	}
	return all
}

// isProcessor tells "cpu0" from "cpu", which adds them all up.
func isProcessor(word string) bool {
	number, ok := strings.CutPrefix(word, "cpu")
	_, err := strconv.ParseUint(number, 10, 32)
	return ok && err == nil
}
