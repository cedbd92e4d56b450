//go:build !race

package kernellab

const raceDetector = false
