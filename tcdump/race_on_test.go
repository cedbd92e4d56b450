//go:build race

package tcdump

// The race detector makes everything several times slower.
const raceDetector = true
