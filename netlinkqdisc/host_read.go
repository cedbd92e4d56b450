package netlinkqdisc

import "github.com/sqmctl/sqmctl/plan"

// ReadHost reads what Read does, and what else on this machine decides whether a
// shaper works: flow tables, default routes, what the processors do, and which
// programs configure the devices. What isn't there, or isn't for this user to
// see, is left out.
func (k *Kernel) ReadHost() (plan.State, error) {
	found, err := k.Read()
	if err != nil {
		return found, err
	}
	names := map[uint32]string{}
	managed := hasManagers("/run")
	for i := range found.Devices {
		d := &found.Devices[i]
		names[uint32(d.Index)] = d.Name
		if managed {
			d.Manager = readManager("/run", d.Index)
		}
	}
	for _, index := range k.readDefaultRoutes() {
		if name := names[index]; name != "" {
			found.DefaultRoutes = append(found.DefaultRoutes, name)
		}
	}
	found.FlowTables = k.readFlowTables()
	found.Processors = readProcessors()
	found.MissingModules = readMissingModules()
	return found, nil
}
