package qdisc

// mix is a hash of 32 bits in which every bit of the result depends on every
// bit of the value (the finalizer of MurmurHash3, which is in the public
// domain). Together with a seed it stands for the kernel's keyed flow hash.
func mix(x uint32) uint32 {
	x ^= x >> 16
	x *= 0x85ebca6b
	x ^= x >> 13
	x *= 0xc2b2ae35
	return x ^ x>>16
}

// flowHash is the hash of a flow under a seed.
func flowHash(flow uint16, seed uint32) uint32 { return mix(mix(uint32(flow)+1^seed) + seed) }

// random is a generator of pseudo-random numbers (xorshift, Marsaglia 2003),
// for what a kernel does at random. It must not be 0.
type random uint64

// newRandom gives every seed a sequence of its own.
func newRandom(seed uint64) random {
	return random(uint64(mix(uint32(seed)))<<32 | uint64(mix(uint32(seed>>32)+0x9e3779b9)) | 1)
}

func (r *random) next() uint64 {
	x := *r
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*r = x
	return uint64(x) * 0x2545f4914f6cdd1d
}

// uint32 is a number below 2^32.
func (r *random) uint32() uint32 { return uint32(r.next() >> 32) }
