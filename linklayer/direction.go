package linklayer

// Direction is a way along the line, as the router sees it.
type Direction uint8

const (
	// Egress leaves the router for the provider: people say upload.
	Egress Direction = iota
	// Ingress comes from the provider: people say download.
	Ingress
)

// String is people's word: "upload" or "download".
func (d Direction) String() string {
	return [...]string{"upload", "download"}[d]
}
