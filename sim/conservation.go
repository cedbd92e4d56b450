package sim

import "fmt"

// conserved finds packets that got lost, or came from nowhere, in the program
// instead of in the network.
func (n *network) conserved() error {
	for _, p := range n.paths {
		if lost := p.lost(); lost != 0 {
			return fmt.Errorf("a fault of the simulator: nobody accounts for %d packets of the %v; please report it with the scenario", lost, p.direction)
		}
		if p.router == nil {
			continue
		}
		if lost := p.router.lost(); lost != 0 {
			return fmt.Errorf("a fault of the simulator: nobody accounts for %d packets in the router of the %v; please report it with the scenario", lost, p.direction)
		}
	}
	return nil
}

// lost is how many of a path's packets have neither arrived nor been dropped
// nor are on their way; 0 or there is a fault.
func (p *path) lost() int64 {
	lost := p.entered - p.arrived - int64(p.entering.length()+p.arriving.length())
	if p.line != nil {
		lost -= p.line.refused
	}
	if p.router != nil {
		lost -= p.router.in - p.router.out
	}
	return lost
}

// lost is how many packets came and neither left nor were dropped nor wait; 0
// or there is a fault.
func (r *router) lost() int64 {
	all := r.all()
	return r.in - r.out - r.gone - all.Dropped() - int64(r.q.Len())
}
