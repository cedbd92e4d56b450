package verify

import "fmt"

// The bounds, in bytes, of the quantum that HTB works out for a class by itself.
// It puts a line in the kernel's log where it has to use one of them
// (htb_change_class in its net/sched/sch_htb.c).
const leastQuantum, mostQuantum = 1000, 200_000

// quantum says that these lines are no fault: a quantum only decides in what turns
// classes share what is left.
func (d *direction) quantum() *Finding {
	var evidence []string
	for _, c := range leafClasses(d.queued(d.last())) {
		if c.HTB != nil && (c.HTB.Quantum == leastQuantum || c.HTB.Quantum == mostQuantum) {
			evidence = append(evidence, fmt.Sprintf("class %s: %d bytes", c.Handle, c.HTB.Quantum))
		}
	}
	if len(evidence) == 0 {
		return nil
	}
	f := d.finding(Quantum, Fine, "", "a class of HTB on %s has a quantum at the kernel's bound, which puts a line in its log (\"quantum of class is big\" or \"small\"): that is harmless, it only decides in what turns classes share what is left", d.queued(d.last()).Name)
	return d.with(f, evidence...)
}
