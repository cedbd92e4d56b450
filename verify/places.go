package verify

import "github.com/sqmctl/sqmctl/plan"

// places are where the devices of each sample are, by name: every check looks
// them up in every sample, and a router of a provider has a thousand of them.
type places map[*plan.State]map[string]int

func placesOf(samples []plan.State) places {
	all := places{}
	for i := range samples {
		at := make(map[string]int, len(samples[i].Devices))
		for j := len(samples[i].Devices) - 1; j >= 0; j-- { // of two with a name the first counts
			at[samples[i].Devices[j].Name] = j
		}
		all[&samples[i]] = at
	}
	return all
}

// device is a device of a sample, nil if there is none. Of a state that isn't one
// of the samples it looks itself.
func (p places) device(s *plan.State, name string) *plan.Device {
	at, ok := p[s]
	if !ok {
		return s.Device(name)
	}
	if i, ok := at[name]; ok {
		return &s.Devices[i]
	}
	return nil
}
