//go:build race

package kernellab

// The race detector can't map its shadow memory in the guest.
const raceDetector = true
