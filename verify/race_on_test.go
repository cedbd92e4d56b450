//go:build race

package verify

// The race detector makes everything several times slower.
const raceDetector = true
