//go:build !race

package tcdump

const raceDetector = false
