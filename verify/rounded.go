package verify

import (
	"math"
	"strconv"
	"strings"
)

// printedUnits are those of plan's words, in the smallest of their kind.
var printedUnits = map[string]float64{
	"bit": 1, "kbit": 1e3, "mbit": 1e6, "gbit": 1e9,
	"us": 1, "ms": 1e3, "s": 1e6,
	"b": 1, "Kb": 1 << 10, "Mb": 1 << 20,
}

// roundedAlike tells whether two values with a unit may be the same one, of which
// tc printed the first with three digits, or cut it to four.
func roundedAlike(printed, exact string) bool {
	const halfOfThirdDigit = 0.005
	a, ok1 := printedValue(printed)
	b, ok2 := printedValue(exact)
	return ok1 && ok2 && math.Abs(a-b) <= halfOfThirdDigit*math.Max(a, b)
}

func printedValue(words string) (float64, bool) {
	end := strings.LastIndexAny(words, "0123456789") + 1
	n, err := strconv.ParseFloat(words[:end], 64)
	unit, ok := printedUnits[words[end:]]
	return n * unit, err == nil && ok
}
