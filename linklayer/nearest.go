package linklayer

import "strings"

// Nearest is the known name that a misspelt word most likely means, or "" when
// none is near. Case, and "_" or a space instead of "-", cost nothing. Of names
// equally near the first one wins.
func Nearest(word string, known []string) string {
	const longest = 64 // bytes; nobody names anything longer, and the cost is quadratic
	if len(word) > longest {
		return ""
	}
	word = plainName(word)
	best, bestDistance := "", len(word)/3+2
	for _, name := range known {
		if d := editDistance(word, plainName(name)); d < bestDistance && d < len(name) {
			best, bestDistance = name, d
		}
	}
	return best
}

func plainName(s string) string {
	return strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(strings.TrimSpace(s)))
}

// editDistance counts the bytes to insert, delete, replace or swap with their
// neighbour to get from a to b (optimal string alignment).
func editDistance(a, b string) int {
	var older, old []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, old, row = old, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
