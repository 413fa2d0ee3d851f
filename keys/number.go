package keys

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
)

type (
	signed interface {
		~int | ~int8 | ~int16 | ~int32 | ~int64
	}
	unsigned interface {
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
	}
)

const (
	maxUintWidth = 20 // digits of the greatest uint64
	maxIntWidth  = 19 // digits of the greatest and of the least int64
)

// Uint is the codec of integers without a sign: width decimal digits, 1 to 20,
// padded with zeros. 42 at width 5 is 00042. A greater value is refused. 20
// digits hold every uint64.
func Uint(width int) Codec[uint64] { return UintOf[uint64](width) }

// UintOf is Uint for any unsigned type.
func UintOf[T unsigned](width int) Codec[T] { return uintCodec[T]{width} }

type uintCodec[T unsigned] struct{ width int }

func (c uintCodec[T]) Append(dst []byte, v T) ([]byte, error) {
	return appendDigits(dst, uint64(v), c.width)
}

func (c uintCodec[T]) Parse(text string) (T, error) {
	n, err := parseDigits(text, c.width)
	if err == nil && uint64(T(n)) != n {
		err = refuse("%s does not fit into %v", text, reflect.TypeFor[T]())
	}
	return T(n), err
}

func (c uintCodec[T]) check() error {
	if c.width < 1 || c.width > maxUintWidth {
		return fmt.Errorf("width %d; give 1 to %d digits", c.width, maxUintWidth)
	}
	return nil
}

func (c uintCodec[T]) Width() int { return c.width }
func (c uintCodec[T]) traits() traits {
	return traits{trusted: true, numeric: true, native: nativeInteger[T](c,
		func(v T) string { return strconv.FormatUint(uint64(v), 10) },
		func(s string) (T, error) {
			n, err := strconv.ParseUint(s, 10, reflect.TypeFor[T]().Bits())
			return T(n), err
		})}
}

// Int is the codec of integers with a sign: 0 and width decimal digits, 1 to 19,
// or - and the nines' complement of them. At width 4, 42 is 00042 and -42 is
// -9957. A value of more digits is refused. 19 digits hold every int64.
func Int(width int) Codec[int64] { return IntOf[int64](width) }

// IntOf is Int for any signed type.
func IntOf[T signed](width int) Codec[T] { return intCodec[T]{width} }

type intCodec[T signed] struct{ width int }

func (c intCodec[T]) Append(dst []byte, v T) ([]byte, error) {
	if v >= 0 {
		return appendDigits(append(dst, '0'), uint64(v), c.width)
	}
	n, nines := -uint64(int64(v)), nines(c.width) // in uint64 the least int64 has a negation
	if n > nines {
		return nil, refuse("more than %d digits", c.width)
	}
	return appendDigits(append(dst, '-'), nines-n, c.width)
}

func (c intCodec[T]) Parse(text string) (T, error) {
	if text == "" {
		return 0, ErrEmpty
	}
	n, err := parseDigits(text[1:], c.width)
	if a, ok := err.(at); ok {
		return 0, at{a.offset + 1, a.err}
	}
	if err != nil {
		return 0, err
	}
	var v int64
	switch {
	case text[0] == '0' && n <= math.MaxInt64:
		v = int64(n)
	case text[0] == '-' && n < nines(c.width) && nines(c.width)-n <= 1<<63:
		v = int64(-(nines(c.width) - n))
	default:
		return 0, refuse("%q is not an integer of %d digits", text, c.width)
	}
	if int64(T(v)) != v {
		return 0, refuse("%d does not fit into %v", v, reflect.TypeFor[T]())
	}
	return T(v), nil
}

func (c intCodec[T]) check() error {
	if c.width < 1 || c.width > maxIntWidth {
		return fmt.Errorf("width %d; give 1 to %d digits", c.width, maxIntWidth)
	}
	return nil
}

func (c intCodec[T]) Width() int { return c.width + 1 }
func (c intCodec[T]) traits() traits {
	return traits{trusted: true, numeric: true, native: nativeInteger[T](c,
		func(v T) string { return strconv.FormatInt(int64(v), 10) },
		func(s string) (T, error) {
			n, err := strconv.ParseInt(s, 10, reflect.TypeFor[T]().Bits())
			return T(n), err
		})}
}

// nines is the greatest number of width digits.
func nines(width int) uint64 {
	n := uint64(0)
	for range width {
		n = n*10 + 9
	}
	return n
}

func appendDigits(dst []byte, n uint64, width int) ([]byte, error) {
	var digits [maxUintWidth]byte
	i := len(digits)
	for ; n > 0; n /= 10 {
		i--
		digits[i] = byte('0' + n%10)
	}
	if len(digits)-i > width {
		return nil, refuse("more than %d digits", width)
	}
	for range width - (len(digits) - i) {
		dst = append(dst, '0')
	}
	return append(dst, digits[i:]...), nil
}

func parseDigits(text string, width int) (uint64, error) {
	if len(text) != width {
		return 0, refuse("%q has not %d digits", text, width)
	}
	n := uint64(0)
	for i, c := range []byte(text) {
		d := uint64(c - '0')
		if d > 9 {
			return 0, at{i, refuse("%q is not a number", text)}
		}
		if n > (math.MaxUint64-d)/10 {
			return 0, refuse("%s is more than 64 bits hold", text)
		}
		n = n*10 + d
	}
	return n, nil
}

// Float64 is the codec of floating-point numbers: the 16 upper-case hexadecimal
// digits of their bits, mapped so that they sort as the numbers do, from -Inf to
// +Inf. -0 is 0. NaN is refused.
var Float64 Codec[float64] = floatCodec{}

type floatCodec struct{}

const signBit = 1 << 63

func (floatCodec) Append(dst []byte, v float64) ([]byte, error) {
	if math.IsNaN(v) {
		return nil, refuse("NaN has no place in an order")
	}
	bits := math.Float64bits(v + 0) // -0 + 0 is 0
	if bits&signBit != 0 {
		bits = ^bits
	} else {
		bits |= signBit
	}
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[bits>>shift&15])
	}
	return dst, nil
}

func (floatCodec) Parse(text string) (float64, error) {
	hi, ok1 := unhex(text, 0, 6)
	mid, ok2 := unhex(text, 6, 6)
	lo, ok3 := unhex(text, 12, 4)
	if len(text) != 16 || !ok1 || !ok2 || !ok3 {
		return 0, refuse("%q is not 16 hexadecimal digits", text)
	}
	bits := uint64(hi)<<40 | uint64(mid)<<16 | uint64(lo)
	if bits&signBit != 0 {
		bits &^= signBit
	} else {
		bits = ^bits
	}
	v := math.Float64frombits(bits)
	if math.IsNaN(v) || v == 0 && math.Signbit(v) {
		return 0, refuse("%s is no number that is written so", strconv.Quote(text))
	}
	return v, nil
}

func (floatCodec) Width() int     { return 16 }
func (floatCodec) traits() traits { return traits{trusted: true, numeric: true, native: nativeFloat} }
