package netlinkqdisc

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// b16, b32 and b64 are numbers as the kernel writes them.
func b16(n uint16) []byte { return binary.NativeEndian.AppendUint16(nil, n) }
func b32(n uint32) []byte { return binary.NativeEndian.AppendUint32(nil, n) }
func b64(n uint64) []byte { return binary.NativeEndian.AppendUint64(nil, n) }

// nest is attributes one after the other: a type, a value, a type, a value.
func nest(pairs ...any) []byte {
	var b []byte
	for i := 0; i < len(pairs); i += 2 {
		b = appendAttribute(b, pairs[i].(int), pairs[i+1].([]byte))
	}
	return b
}

func TestParse(t *testing.T) {
	whole := nest(1, []byte("cake\x00"), 2, b32(7), 40, b64(1))
	tests := []struct {
		name  string
		bytes []byte
		want  [][]byte
		err   error
	}{
		{"nothing", nil, [][]byte{nil, nil, nil}, nil},
		{"types of the future are left out", whole, [][]byte{nil, []byte("cake\x00"), b32(7)}, nil},
		{"the last one of a type counts", nest(1, b16(1), 1, b16(2)), [][]byte{nil, b16(2), nil}, nil},
		{"an empty one is there", nest(2, []byte{}), [][]byte{nil, nil, {}}, nil},
		{"nested and byte order bits", nest(0x8000|1, b32(1), 0x4000|2, b32(2)), [][]byte{nil, b32(1), b32(2)}, nil},
		{"no padding behind the last", append(b16(6), append(b16(1), 9, 9)...), [][]byte{nil, {9, 9}, nil}, nil},
		{"cut off in a value", whole[:len(whole)-3], [][]byte{nil, []byte("cake\x00"), b32(7)}, errAttributes},
		{"cut off in a header", whole[:14], [][]byte{nil, []byte("cake\x00"), nil}, errAttributes},
		{"length 0", make([]byte, 8), [][]byte{nil, nil, nil}, errAttributes},
		{"length 3", append(b16(3), b16(1)...), [][]byte{nil, nil, nil}, errAttributes},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			table := make([][]byte, 3)
			if err := parse(test.bytes, table); !errors.Is(err, test.err) {
				t.Errorf("error %v, want %v", err, test.err)
			}
			if diff := cmp.Diff(test.want, table); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnsigned(t *testing.T) {
	tests := []struct {
		bytes []byte
		want  uint64
	}{
		{nil, 0},
		{[]byte{200}, 200},
		{b16(60000), 60000},
		{[]byte{1, 0, 9}, uint64(binary.NativeEndian.Uint16([]byte{1, 0}))},
		{b32(1 << 31), 1 << 31},
		{b64(1 << 63), 1 << 63},
		{append(b64(5), 1, 2, 3), 5},
	}
	for _, test := range tests {
		if got := unsigned(test.bytes); got != test.want {
			t.Errorf("unsigned(%v) = %d, want %d", test.bytes, got, test.want)
		}
	}
}

func TestStructsMayBeShort(t *testing.T) {
	b := append(b32(1), b64(2)...)
	if got := unsigned32(b, 0); got != 1 {
		t.Errorf("unsigned32 = %d", got)
	}
	if got := unsigned64(b, 4); got != 2 {
		t.Errorf("unsigned64 = %d", got)
	}
	if a, b := unsigned32(b, 9), unsigned64(b, 5); a != 0 || b != 0 {
		t.Errorf("beyond the end: %d, %d", a, b)
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{"": "", "ifb\x00": "ifb", "ifb": "ifb", "a\x00b": "a"} {
		if got := text([]byte(in)); got != want {
			t.Errorf("text(%q) = %q, want %q", in, got, want)
		}
	}
}
