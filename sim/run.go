package sim

// Run runs a scenario to its end. An error says what in the scenario can't be.
func Run(s Scenario) (*Result, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	n := newNetwork(&s)
	n.run()
	if err := n.conserved(); err != nil {
		return nil, err
	}
	return n.result(), nil
}
