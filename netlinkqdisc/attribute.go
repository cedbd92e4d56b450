package netlinkqdisc

import (
	"encoding/binary"
	"errors"
)

// errAttributes is what a message gets that ends in the middle of an
// attribute: what stands before it has been read.
var errAttributes = errors.New("its attributes are cut off or garbled")

const (
	attributeHeader = 4      // struct nlattr: length and type, 16 bits each
	attributeType   = 0x3FFF // without NLA_F_NESTED and NLA_F_NET_BYTEORDER
)

// eachAttribute calls f for each attribute in b, in order.
func eachAttribute(b []byte, f func(kind int, value []byte)) error {
	for len(b) > 0 {
		if len(b) < attributeHeader {
			return errAttributes
		}
		length := int(binary.NativeEndian.Uint16(b))
		if length < attributeHeader || length > len(b) {
			return errAttributes
		}
		f(int(binary.NativeEndian.Uint16(b[2:])&attributeType), b[attributeHeader:length])
		b = b[min(align4(length), len(b)):]
	}
	return nil
}

// parse puts each attribute's value at the index of its type, as the kernel's
// nla_parse does. Types beyond the table are from the future: they are left
// out.
func parse(b []byte, table [][]byte) error {
	return eachAttribute(b, func(kind int, value []byte) {
		if kind < len(table) {
			table[kind] = value
		}
	})
}

// appendAttribute adds an attribute to a message.
func appendAttribute(b []byte, kind int, value []byte) []byte {
	b = binary.NativeEndian.AppendUint16(b, uint16(attributeHeader+len(value)))
	b = binary.NativeEndian.AppendUint16(b, uint16(kind))
	b = append(b, value...)
	return append(b, make([]byte, align4(len(value))-len(value))...)
}

// appendNumber adds an attribute of 32 bits.
func appendNumber(b []byte, kind int, n uint32) []byte {
	return appendAttribute(b, kind, binary.NativeEndian.AppendUint32(nil, n))
}

func align4(n int) int { return (n + 3) &^ 3 }

// unsigned reads a number of whatever width the kernel gave it; 0 if there is
// none.
func unsigned(b []byte) uint64 {
	switch {
	case len(b) >= 8:
		return binary.NativeEndian.Uint64(b)
	case len(b) >= 4:
		return uint64(binary.NativeEndian.Uint32(b))
	case len(b) >= 2:
		return uint64(binary.NativeEndian.Uint16(b))
	case len(b) == 1:
		return uint64(b[0])
	}
	return 0
}

// unsigned32 is the 32-bit number at an offset of a struct; 0 beyond its end,
// which is where older kernels have shorter structs.
func unsigned32(b []byte, offset int) uint32 {
	if len(b) < offset+4 {
		return 0
	}
	return binary.NativeEndian.Uint32(b[offset:])
}

// unsigned64 is the 64-bit number at an offset of a struct; 0 beyond its end.
func unsigned64(b []byte, offset int) uint64 {
	if len(b) < offset+8 {
		return 0
	}
	return binary.NativeEndian.Uint64(b[offset:])
}

// text is a string with or without its closing zero.
func text(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
