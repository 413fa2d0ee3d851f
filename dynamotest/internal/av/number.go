package av

import (
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Number is an exact decimal with the service's range: up to 38 significant
// digits, magnitude from 1E-130 up to 9.99…E+125, and 0. The zero Number is 0,
// and == is equality of value.
//
// It is held in its normal form, which is the one that the service answers
// with: plain digits without an exponent, no leading or trailing zero, no
// negative zero. Two of these compare as fast as two strings and need no
// conversion on the way in or out; only arithmetic does.
type Number struct {
	text string // the normal form; "" is 0
}

// The limits of a number.
const (
	maxDigits   = 38
	maxExponent = 125
	minExponent = -130
)

// ParseNumber reads a number in plain or scientific notation.
//
// What is no number, a magnitude out of range and more than 38 significant
// digits are a ValidationException with the service's message.
func ParseNumber(s string) (Number, error) {
	n, e := parseNumber(s)
	if e != nil {
		return Number{}, e
	}
	return n, nil
}

func parseNumber(s string) (Number, *Error) {
	if s == "" {
		return Number{}, invalid(msgNotNumeric)
	}
	negative := s[0] == '-'
	start := 0
	if negative || s[0] == '+' {
		start = 1
	}
	i := start
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	whole, frac := s[start:i], ""
	point := i < len(s) && s[i] == '.'
	if point {
		from := i + 1
		for i = from; i < len(s) && isDigit(s[i]); {
			i++
		}
		frac = s[from:i]
	}
	if whole == "" && frac == "" {
		return Number{}, notNumeric(s)
	}
	exp := 0
	if i < len(s) {
		var ok bool
		if exp, ok = parseExponent(s[i:]); !ok {
			return Number{}, notNumeric(s)
		}
	}
	if i == len(s) && s[0] != '+' && isNormal(whole, frac, point) && len(whole)+len(frac) <= maxDigits {
		if whole == "0" && frac == "" {
			return Number{}, nil
		}
		return Number{s}, nil
	}
	return normalize(negative, whole, frac, exp)
}

func notNumeric(s string) *Error { return invalid(msgNotNumeric + ": " + s) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// parseExponent reads e or E and an integer. As in the service's own reader,
// an exponent of more than ten digits is no exponent.
func parseExponent(s string) (exp int, ok bool) {
	if s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	s = s[1:]
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		s = s[1:]
	}
	if s == "" {
		return 0, false
	}
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
	}
	s = strings.TrimLeft(s, "0")
	if len(s) > 10 {
		return 0, false
	}
	for i := range len(s) {
		exp = exp*10 + int(s[i]-'0')
	}
	if negative {
		exp = -exp
	}
	return exp, true
}

// isNormal tells whether the digits of a number are written as the normal form
// writes them.
func isNormal(whole, frac string, point bool) bool {
	if whole == "" || (whole[0] == '0' && len(whole) > 1) {
		return false
	}
	if !point {
		return true
	}
	return frac != "" && frac[len(frac)-1] != '0'
}

// normalize builds the normal form of whole.frac × 10^exp.
func normalize(negative bool, whole, frac string, exp int) (Number, *Error) {
	digits := whole + frac
	first := 0
	for first < len(digits) && digits[first] == '0' {
		first++
	}
	if first == len(digits) {
		return Number{}, nil
	}
	last := len(digits)
	for digits[last-1] == '0' {
		last--
	}
	exp += len(whole) - first - 1 // of the first significant digit
	digits = digits[first:last]
	switch {
	case exp > maxExponent:
		return Number{}, invalid(msgOverflow)
	case exp < minExponent:
		return Number{}, invalid(msgUnderflow)
	case len(digits) > maxDigits:
		return Number{}, invalid(msgManyDigits)
	}
	var buf [maxDigits + maxExponent - minExponent + 4]byte
	b := buf[:0]
	if negative {
		b = append(b, '-')
	}
	switch {
	case exp < 0:
		b = append(b, "0."...)
		b = appendZeros(b, -exp-1)
		b = append(b, digits...)
	case exp >= len(digits)-1:
		b = append(b, digits...)
		b = appendZeros(b, exp-len(digits)+1)
	default:
		b = append(b, digits[:exp+1]...)
		b = append(b, '.')
		b = append(b, digits[exp+1:]...)
	}
	return Number{string(b)}, nil
}

func appendZeros(b []byte, n int) []byte {
	for range n {
		b = append(b, '0')
	}
	return b
}

// Int returns the number i.
func Int(i int64) Number {
	if i == 0 {
		return Number{}
	}
	return Number{strconv.FormatInt(i, 10)}
}

// String returns the normal form.
func (n Number) String() string {
	if n.text == "" {
		return "0"
	}
	return n.text
}

// parts returns the sign and the digits before and after the point. The digits
// before it are "" where the magnitude is below 1.
func (n Number) parts() (negative bool, whole, frac string) {
	s := n.text
	if s != "" && s[0] == '-' {
		negative, s = true, s[1:]
	}
	if i := strings.IndexByte(s, '.'); i >= 0 {
		s, frac = s[:i], s[i+1:]
	}
	if s == "0" {
		s = ""
	}
	return negative, s, frac
}

// Cmp returns -1, 0 or +1 as n is below, equal to or above m.
func (n Number) Cmp(m Number) int {
	if n.text == m.text {
		return 0
	}
	negative, whole, frac := n.parts()
	negative2, whole2, frac2 := m.parts()
	if negative != negative2 {
		if negative {
			return -1
		}
		return 1
	}
	c := len(whole) - len(whole2)
	if c == 0 {
		c = strings.Compare(whole, whole2)
	}
	if c == 0 {
		c = strings.Compare(frac, frac2)
	}
	if (c < 0) != negative {
		return -1
	}
	return 1
}

// Add returns n + m, exactly. A sum out of range or of more than 38 significant
// digits is a ValidationException.
func (n Number) Add(m Number) (Number, error) {
	if a, ok := n.small(); ok {
		if b, ok := m.small(); ok {
			return Int(a + b), nil
		}
	}
	return n.combine(m, apd.BaseContext.Add)
}

// Sub returns n - m, exactly. Its errors are those of Add.
func (n Number) Sub(m Number) (Number, error) {
	if a, ok := n.small(); ok {
		if b, ok := m.small(); ok {
			return Int(a - b), nil
		}
	}
	return n.combine(m, apd.BaseContext.Sub)
}

// combine applies an operation of the base context, which does not round.
func (n Number) combine(m Number, op func(d, x, y *apd.Decimal) (apd.Condition, error)) (Number, error) {
	var x, y, d apd.Decimal
	if _, _, err := x.SetString(n.String()); err != nil {
		return Number{}, notNumeric(n.text)
	}
	if _, _, err := y.SetString(m.String()); err != nil {
		return Number{}, notNumeric(m.text)
	}
	if _, err := op(&d, &x, &y); err != nil {
		return Number{}, invalid(msgOverflow)
	}
	return ParseNumber(d.Text('f'))
}

// small returns n where it is an integer of so few digits that the sum of two
// fits into an int64.
func (n Number) small() (int64, bool) {
	if len(n.text) > 18 {
		return 0, false
	}
	s, negative := n.text, false
	if s != "" && s[0] == '-' {
		s, negative = s[1:], true
	}
	var i int64
	for k := range len(s) {
		if !isDigit(s[k]) {
			return 0, false
		}
		i = i*10 + int64(s[k]-'0')
	}
	if negative {
		i = -i
	}
	return i, true
}

// Size returns the bytes that the service counts: 1, one for each two
// significant digits before and after the point (rounded up on either side),
// and 1 for a negative sign. 0 counts 1.
func (n Number) Size() int {
	if n.text == "" {
		return 1
	}
	negative, whole, frac := n.parts()
	if frac == "" {
		for whole[len(whole)-1] == '0' {
			whole = whole[:len(whole)-1]
		}
	}
	if whole == "" {
		for frac[0] == '0' {
			frac = frac[1:]
		}
	}
	size := 1 + (len(whole)+1)/2 + (len(frac)+1)/2
	if negative {
		size++
	}
	return size
}
