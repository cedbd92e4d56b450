package kernellab

import "testing"

// SkipUnderRaceDetector skips what boots kernels by other ways than Run.
func SkipUnderRaceDetector(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip(raceReason)
	}
}
