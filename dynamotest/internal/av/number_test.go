package av

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func mustNumber(t testing.TB, s string) Number {
	t.Helper()
	n, err := ParseNumber(s)
	if err != nil {
		t.Fatalf("ParseNumber(%q): %v", s, err)
	}
	return n
}

func TestParseNumber(t *testing.T) {
	nines := strings.Repeat("9", 38)
	for _, tt := range []struct{ reason, in, want string }{
		{"plain", "42", "42"},
		{"negative", "-42", "-42"},
		{"plus sign", "+42", "42"},
		{"zero", "0", "0"},
		{"negative zero", "-0", "0"},
		{"zero with fraction", "0.00", "0"},
		{"zero whatever its exponent", "0e500", "0"},
		{"leading zeros", "007", "7"},
		{"trailing zeros of a fraction", "1.50", "1.5"},
		{"fraction of zeros", "5.0", "5"},
		{"no digit before the point", ".5", "0.5"},
		{"no digit behind the point", "5.", "5"},
		{"exponent is expanded", "1E+2", "100"},
		{"negative exponent", "15e-1", "1.5"},
		{"leading zeros of an exponent", "1e0000000000002", "100"},
		{"38 digits", nines, nines},
		{"38 digits and zeros", nines + "00", nines + "00"},
		{"38 digits around the point", "-" + nines[:19] + "." + nines[19:], "-" + nines[:19] + "." + nines[19:]},
		{"greatest", "9." + nines[1:] + "E125", nines + strings.Repeat("0", 88)},
		{"least magnitude", "1e-130", "0." + strings.Repeat("0", 129) + "1"},
		{"least magnitude written otherwise", "10e-131", "0." + strings.Repeat("0", 129) + "1"},
	} {
		n, err := ParseNumber(tt.in)
		if err != nil || n.String() != tt.want {
			t.Errorf("%s: ParseNumber(%q) = %q, %v, want %q", tt.reason, tt.in, n, err, tt.want)
		}
	}
}

func TestParseNumberRefuses(t *testing.T) {
	const not = "The parameter cannot be converted to a numeric value"
	for _, tt := range []struct{ reason, in, want string }{
		{"empty", "", not},
		{"a word", "abc", not + ": abc"},
		{"leading space", " 1", not + ":  1"},
		{"trailing space", "1 ", not + ": 1 "},
		{"sign alone", "-", not + ": -"},
		{"two signs", "--1", not + ": --1"},
		{"point alone", ".", not + ": ."},
		{"two points", "1.2.3", not + ": 1.2.3"},
		{"exponent without digits", "1e", not + ": 1e"},
		{"exponent with a sign alone", "1e+", not + ": 1e+"},
		{"exponent with a fraction", "1e1.5", not + ": 1e1.5"},
		{"exponent of eleven digits", "1e99999999999", not + ": 1e99999999999"},
		{"hexadecimal", "0x1", not + ": 0x1"},
		{"underscore", "1_0", not + ": 1_0"},
		{"not a number", "NaN", not + ": NaN"},
		{"infinity", "Infinity", not + ": Infinity"},
		{"too great", "1e126", msgOverflow},
		{"too great and negative", "-1e126", msgOverflow},
		{"greatest exponent that is one", "1e9999999999", msgOverflow},
		{"too small", "1e-131", msgUnderflow},
		{"39 digits", strings.Repeat("1", 39), msgManyDigits},
		{"39 digits around the point", "1." + strings.Repeat("1", 38), msgManyDigits},
		{"the magnitude counts before the digits", strings.Repeat("1", 200), msgOverflow},
	} {
		n, err := ParseNumber(tt.in)
		e, ok := err.(*Error)
		if !ok || e.Type != ValidationException || e.Message != tt.want {
			t.Errorf("%s: ParseNumber(%q) = %q, %v, want %q", tt.reason, tt.in, n, err, tt.want)
		}
	}
}

func TestNumberSize(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want int
	}{
		{"0", 1}, {"42", 2}, {"100", 2}, {"1010", 3}, {"1.5", 3}, {"3.14159", 5}, {"0.15", 2}, {"-42", 3},
		{"0.0015", 2}, {"100.5", 4}, {"1.05", 3}, {"-0.5", 3}, {"1e125", 2}, {"1e-130", 2},
		{strings.Repeat("9", 38), 20}, {"-" + strings.Repeat("9", 38), 21},
	} {
		if got := mustNumber(t, tt.in).Size(); got != tt.want {
			t.Errorf("Size of %s = %d, want %d", tt.in, got, tt.want)
		}
	}
}

func TestArithmetic(t *testing.T) {
	nines := strings.Repeat("9", 38)
	for _, tt := range []struct {
		a, op, b, want string
	}{
		{"1", "+", "2", "3"},
		{"1", "-", "1", "0"},
		{"0.1", "+", "0.2", "0.3"},
		{"1e20", "-", "1", "99999999999999999999"},
		{"-1.5", "+", "1.50", "0"},
		{"999999999999999999", "+", "999999999999999999", "1999999999999999998"},
		{"1e37", "+", "1", "10000000000000000000000000000000000001"},
		{"1e38", "+", "1", msgManyDigits},
		{nines, "+", "1", "1" + strings.Repeat("0", 38)},
		{nines + "e88", "+", nines + "e88", msgOverflow},
		{"-" + nines + "e88", "-", "1e125", msgOverflow},
		{"1.1e-129", "-", "1e-129", "0." + strings.Repeat("0", 129) + "1"},
		{"1.01e-129", "-", "1e-129", msgUnderflow},
		{"1e125", "+", "1e-130", msgManyDigits},
	} {
		a, b := mustNumber(t, tt.a), mustNumber(t, tt.b)
		do := a.Add
		if tt.op == "-" {
			do = a.Sub
		}
		n, err := do(b)
		got := n.String()
		if e, ok := err.(*Error); ok {
			got = e.Message
		}
		if got != tt.want {
			t.Errorf("%s %s %s = %s, want %s", tt.a, tt.op, tt.b, got, tt.want)
		}
	}
}

// drawDecimal draws a decimal around the limits of a Number.
func drawDecimal(t *rapid.T, label string) string {
	s := rapid.SampledFrom([]string{"", "-", "+"}).Draw(t, label+" sign")
	digits := rapid.StringMatching(`[0-9]{1,42}`).Draw(t, label+" digits")
	if rapid.Bool().Draw(t, label+" short") {
		digits = digits[:1+len(digits)/10]
	}
	point := rapid.IntRange(0, len(digits)).Draw(t, label+" point")
	s += digits[:point]
	if point < len(digits) || rapid.Bool().Draw(t, label+" bare point") {
		s += "." + digits[point:]
	}
	if rapid.Bool().Draw(t, label+" has exponent") {
		s += fmt.Sprintf("e%d", rapid.IntRange(-140, 140).Draw(t, label+" exponent"))
	}
	return s
}

// The limits as rationals, for a slow and obvious reference.
var (
	ten      = big.NewInt(10)
	tooGreat = new(big.Rat).SetInt(new(big.Int).Exp(ten, big.NewInt(126), nil))
	least    = new(big.Rat).Inv(new(big.Rat).SetInt(new(big.Int).Exp(ten, big.NewInt(130), nil)))
)

func significant(r *big.Rat) int {
	n, frac := new(big.Int).Set(r.Num()), new(big.Int).Set(r.Denom())
	// Scale by a power of ten that clears the denominator, which is made of twos
	// and fives alone.
	for frac.Cmp(big.NewInt(1)) != 0 {
		n.Mul(n, ten)
		g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(n), frac)
		n.Quo(n, g)
		frac.Quo(frac, g)
	}
	return len(strings.TrimRight(new(big.Int).Abs(n).String(), "0"))
}

// refusal returns the message for a rational that is no Number, "" for one.
func refusal(r *big.Rat) string {
	abs := new(big.Rat).Abs(r)
	switch {
	case r.Sign() == 0:
		return ""
	case abs.Cmp(tooGreat) >= 0:
		return msgOverflow
	case abs.Cmp(least) < 0:
		return msgUnderflow
	case significant(r) > 38:
		return msgManyDigits
	}
	return ""
}

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("no rational: " + s)
	}
	return r
}

func agree(t *rapid.T, what string, n Number, err error, want *big.Rat) {
	message := ""
	if e, ok := err.(*Error); ok {
		message = e.Message
	}
	if message != refusal(want) {
		t.Fatalf("%s: got %q, want refusal %q", what, message, refusal(want))
	}
	if err == nil && rat(n.String()).Cmp(want) != 0 {
		t.Fatalf("%s: got %s, want %s", what, n, want.RatString())
	}
}

func TestNumberAgainstRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, u := drawDecimal(t, "a"), drawDecimal(t, "b")
		a, errA := ParseNumber(s)
		agree(t, "ParseNumber("+s+")", a, errA, rat(s))
		b, errB := ParseNumber(u)
		if errA != nil || errB != nil {
			return
		}
		if got, want := a.Cmp(b), rat(s).Cmp(rat(u)); got != want {
			t.Fatalf("Cmp(%s, %s) = %d, want %d", a, b, got, want)
		}
		if (a == b) != (a.Cmp(b) == 0) {
			t.Fatalf("%s == %s is not Cmp", a, b)
		}
		sum, err := a.Add(b)
		agree(t, s+" + "+u, sum, err, new(big.Rat).Add(rat(s), rat(u)))
		diff, err := a.Sub(b)
		agree(t, s+" - "+u, diff, err, new(big.Rat).Sub(rat(s), rat(u)))
	})
}

func TestNormalFormIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawDecimal(t, "n")
		n, err := ParseNumber(s)
		if err != nil {
			return
		}
		again, err := ParseNumber(n.String())
		if err != nil || again != n {
			t.Fatalf("%q: normal form %q reads as %q, %v", s, n, again, err)
		}
		if n.Size() < 1 || n.Size() > 22 {
			t.Fatalf("%q: size %d", s, n.Size())
		}
	})
}

func TestInt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.Int64().Draw(t, "i")
		if n, err := ParseNumber(fmt.Sprint(i)); err != nil || n != Int(i) {
			t.Fatalf("Int(%d) = %s, want %s, %v", i, Int(i), n, err)
		}
	})
}

func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{"0", "-0", "1e2", "1E-130", "9e125", ".5", "5.", "1e", "+1", "1e9999999999", strings.Repeat("9", 39)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseNumber(s)
		if err != nil {
			if _, ok := err.(*Error); !ok {
				t.Fatalf("error of type %T", err)
			}
			return
		}
		if strings.ContainsAny(n.String(), "eE+") {
			t.Fatalf("%q: normal form %q", s, n)
		}
		again, err := ParseNumber(n.String())
		if err != nil || again != n {
			t.Fatalf("%q: normal form %q reads as %q, %v", s, n, again, err)
		}
		// The reference would expand the exponent, so only small ones are compared.
		if _, exp, _ := strings.Cut(strings.ToLower(s), "e"); len(exp) <= 4 && len(s) < 1000 {
			if want := rat(s); rat(n.String()).Cmp(want) != 0 {
				t.Fatalf("%q reads as %s", s, n)
			}
		}
	})
}
