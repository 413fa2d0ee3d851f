package model

import (
	"strconv"
	"strings"
)

// decimal is a number as DynamoDB holds it: 0.digits times ten to the power of
// exp. Zero has no digits.
type decimal struct {
	neg    bool
	digits string // without zeros at either end
	exp    int
}

// parseDecimal reads the text of a number: an optional sign, digits with at most
// one point among them, and an optional exponent.
func parseDecimal(s string) (decimal, bool) {
	var d decimal
	switch {
	case strings.HasPrefix(s, "-"):
		d.neg, s = true, s[1:]
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exp := s[i+1:]
		if len(exp) > 1 && exp[0] == '+' && exp[1] != '-' && exp[1] != '+' {
			exp = exp[1:]
		}
		n, err := strconv.Atoi(exp)
		if err != nil || n > 1<<20 || n < -1<<20 {
			return decimal{}, false
		}
		d.exp, s = n, s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if len(whole)+len(fraction) == 0 {
		return decimal{}, false
	}
	digits := whole + fraction
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return decimal{}, false
		}
	}
	d.exp += len(whole)
	trimmed := strings.TrimLeft(digits, "0")
	d.exp -= len(digits) - len(trimmed)
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		return decimal{}, true
	}
	return d, true
}

// storable tells whether DynamoDB holds the number: up to 38 significant digits,
// from 1E-130 to 9.99…E+125.
func (d decimal) storable() bool {
	return d.digits == "" || len(d.digits) <= 38 && d.exp > -130 && d.exp <= 126
}

// size is the number of bytes that DynamoDB counts, as measured on the service:
// one, and one for each two digits before and behind the point, zeros at the ends
// left out, and one for a minus.
func (d decimal) size() int {
	before := min(max(d.exp, 0), len(d.digits))
	behind := len(d.digits) - before
	n := 1 + (before+1)/2 + (behind+1)/2
	if d.neg {
		n++
	}
	return n
}

// sameNumber compares two numbers by their value, and texts that are none by
// their text.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, ok := parseDecimal(a)
	y, ok2 := parseDecimal(b)
	return ok && ok2 && x == y
}
