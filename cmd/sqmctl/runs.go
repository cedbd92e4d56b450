package main

import (
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/sqmctl/sqmctl/sim"
)

// runAll runs scenarios and returns their results in order. stderr gets the
// progress bar.
func runAll(stderr io.Writer, scenarios []sim.Scenario) ([]*sim.Result, error) {
	results := make([]*sim.Result, len(scenarios))
	var total time.Duration
	for _, s := range scenarios {
		total += s.Duration
	}
	bar := startProgress(stderr, total)
	defer bar.stop()
	err := inParallel(len(scenarios), func(i int) (err error) {
		s := scenarios[i]
		s.Progress = bar.part()
		results[i], err = sim.Run(s)
		return err
	})
	return results, err
}

// inParallel does n pieces of work, as many at a time as there are processors.
// The error is that of the first piece, in order, that has one.
func inParallel(n int, do func(i int) error) error {
	failures := make([]error, n)
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i := range n {
		free <- struct{}{}
		all.Go(func() {
			failures[i] = do(i)
			<-free
		})
	}
	all.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}
