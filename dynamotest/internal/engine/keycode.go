package engine

import (
	"strings"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// Keys are compared as texts. A single S or B attribute is its own bytes, shared
// with the item. A number is written so that the order of bytes is the order of
// values. Several attributes are escaped, terminated and joined, which keeps
// their order attribute by attribute.

// lastSort sorts after every sort key: it is longer than a sort key can be, and
// no byte is greater.
var lastSort = strings.Repeat("\xff", 2*maxSortKey+2)

const (
	terminator  = "\x00\x01"
	escapedZero = "\x00\xff"
)

// keyText gives the ordered text of one key attribute.
func keyText(v av.Value) string {
	switch v.Kind() {
	case av.N:
		return numberText(v.Number().String())
	case av.B:
		return v.Raw()
	}
	return v.Str()
}

// joinKey gives the ordered text of several key attributes; of one, its own text.
func joinKey(values []av.Value) string {
	switch len(values) {
	case 0:
		return ""
	case 1:
		return keyText(values[0])
	}
	var b strings.Builder
	for _, v := range values {
		b.WriteString(escapeKey(keyText(v)))
		b.WriteString(terminator)
	}
	return b.String()
}

func escapeKey(s string) string {
	if strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\x00", escapedZero)
}

// afterPrefix gives the least text that is above every text with this prefix;
// lastSort if there is none.
func afterPrefix(prefix string) string {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			return prefix[:i] + string([]byte{prefix[i] + 1})
		}
	}
	return lastSort
}

// numberText writes a number in plain decimal notation so that byte order is numeric order: a sign,
// the exponent, and two digits a byte. A negative number has all but its sign
// complemented, and an end that sorts after every digit.
func numberText(decimal string) string {
	negative := strings.HasPrefix(decimal, "-")
	if negative {
		decimal = decimal[1:]
	}
	whole, fraction, _ := strings.Cut(decimal, ".")
	digits := whole + fraction
	exponent := len(whole) - 1
	for len(digits) > 0 && digits[0] == '0' {
		digits = digits[1:]
		exponent--
	}
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		return "\x80"
	}
	out := make([]byte, 0, 3+(len(digits)+1)/2)
	// The exponent of a number in range is -130 … 125.
	sign, power := byte(0x81), byte(exponent+130)
	if negative {
		sign, power = 0x7f, ^power
	}
	out = append(out, sign, power)
	for i := 0; i < len(digits); i += 2 {
		pair := (digits[i] - '0') * 10
		if i+1 < len(digits) {
			pair += digits[i+1] - '0'
		}
		pair++ // 1 … 100
		if negative {
			pair = 101 - pair // 1 … 100, reversed
		}
		out = append(out, pair)
	}
	if negative {
		out = append(out, 0xff)
	}
	return string(out)
}

// hashOf spreads partition keys over 64 bits (FNV-1a and a finalizer), the same
// in every process, so that the order of a scan can be relied on by nobody and
// reproduced by all.
func hashOf(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h ^= uint64(s[i])
		h *= 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return h
}
