package keys

import (
	"errors"
	"math/big"
	"net/netip"
	"strings"
	"testing"
)

// badCodec is a codec of a user that does with dst what a test says.
type badCodec func(dst []byte, v string) []byte

func (c badCodec) Append(dst []byte, v string) ([]byte, error) { return c(dst, v), nil }
func (badCodec) Parse(text string) (string, error)             { return text, nil }

// A codec cannot damage the key: what it returns is the segment, and nothing that
// it does to the memory it was handed reaches the rest.
func TestCodecsThatMisuseDst(t *testing.T) {
	kept := []byte("kept")
	tests := []struct {
		reason string
		codec  badCodec
		want   string // the segment for the value "v"; "" where it is ErrEmpty
	}{
		{"appends, as it should", func(dst []byte, v string) []byte { return append(dst, v...) }, "v"},
		{"forgets what it was given", func(_ []byte, v string) []byte { return []byte(v) }, "v"},
		{"returns nothing", func([]byte, string) []byte { return nil }, ""},
		{"returns dst as it was", func(dst []byte, _ string) []byte { return dst }, ""},
		{"scribbles over all of dst, then appends", func(dst []byte, v string) []byte {
			scribble(dst)
			return append(dst, v...)
		}, "v"},
		{"scribbles over all of dst, and returns memory of its own", func(dst []byte, v string) []byte {
			scribble(dst)
			return []byte(v)
		}, "v"},
		{"returns a later part of dst", func(dst []byte, v string) []byte {
			copy(dst[:cap(dst)], "xxx"+v+"yyy")
			return dst[:cap(dst)][3 : 3+len(v)]
		}, "v"},
		{"returns dst with other content", func(dst []byte, _ string) []byte { return append(dst[:0], "other"...) }, "other"},
		{"returns memory that it keeps", func([]byte, string) []byte { return kept }, "kept"},
		{"returns far more than there is room for", func(dst []byte, v string) []byte {
			return append(dst, strings.Repeat("long", 1000)...)
		}, strings.Repeat("long", 1000)},
		{"writes what must be escaped", func(dst []byte, _ string) []byte { return append(dst, "a#b 😀"...) }, "a%23b%20\uFFFE01F600"},
	}
	for _, tt := range tests {
		c := MustCompile3("A#<a>#<bad>#<c>", String, Codec[string](tt.codec), String)
		key := c.Key("before", "v", "behind")
		if tt.want == "" {
			if !errors.Is(key.Err(), ErrEmpty) {
				t.Errorf("a codec that %s: %v, want ErrEmpty", tt.reason, key.Err())
			}
			continue
		}
		copy(kept, "gone")
		if want := "A#before#" + tt.want + "#behind"; key.String() != want {
			t.Errorf("a codec that %s: %q, want %q (%v)", tt.reason, key, want, key.Err())
		}
		copy(kept, "kept")
		if len(tt.want) > maxSortKey {
			continue
		}
		r := c.At("before").Between("v", "v")
		if want := "A#before#" + tt.want + "#"; r.Err() != nil || r.lo != want || r.hi != want+M {
			t.Errorf("a codec that %s: range %v", tt.reason, r)
		}
		if !c.Matches(key.String()) {
			t.Errorf("a codec that %s: %q is no key", tt.reason, key)
		}
	}
}

func scribble(dst []byte) {
	all := dst[:cap(dst)]
	for i := range all {
		all[i] = 0xFF
	}
}

// lossy is a codec whose Parse takes more than its Append writes.
type lossy struct{}

func (lossy) Append(dst []byte, v string) ([]byte, error) {
	if v == "" {
		return nil, errUser
	}
	return append(dst, strings.ToLower(v)...), nil
}
func (lossy) Parse(text string) (string, error) { return strings.Trim(text, "-"), nil }

// Only the one text that a codec writes is a key, whatever else its Parse takes.
func TestParseIsCheckedByEncodingAgain(t *testing.T) {
	c := MustCompile1("L#<l>", Codec[string](lossy{}))
	tests := []struct {
		text string
		is   error
	}{
		{"L#abc", nil}, {"L#ABC", ErrSyntax}, {"L#-abc", ErrSyntax}, {"L#-", errUser},
	}
	for _, tt := range tests {
		if _, err := c.Parse(tt.text); !errors.Is(err, tt.is) || (err == nil) != (tt.is == nil) {
			t.Errorf("Parse(%q): %v, want %v", tt.text, err, tt.is)
		}
		if c.Matches(tt.text) != (tt.is == nil) {
			t.Errorf("Matches(%q) = %v", tt.text, c.Matches(tt.text))
		}
	}
}

// Text marshalers of the standard library, with the appending method and without.
func TestText(t *testing.T) {
	addr := MustCompile1("A#<a>", Text[netip.Addr]())
	if got, err := addr.Parse("A#fe80::1%25eth0"); err != nil || got != netip.MustParseAddr("fe80::1%eth0") {
		t.Errorf("netip.Addr: %v, %v", got, err)
	}
	number := MustCompile1("N#<n>", Text[big.Int]())
	key := number.Key(*big.NewInt(-12345))
	got, err := number.Parse(key.String())
	if err != nil || key.String() != "N#-12345" || got.Cmp(big.NewInt(-12345)) != 0 {
		t.Errorf("big.Int: %q, %v, %v", key, &got, err)
	}
	if _, err := number.Parse("N#+12345"); !errors.Is(err, ErrSyntax) {
		t.Errorf("big.Int with a sign that is not written: %v", err)
	}
	if err := number.From(*big.NewInt(1)).Err(); !errors.Is(err, ErrUnordered) {
		t.Errorf("range over text: %v", err)
	}
	if r := addr.StartsWith("10."); r.Err() != nil || !r.Contains("A#10.0.0.1") {
		t.Errorf("prefix of text: %v", r)
	}
	if err := MustCompile1("D#<d>", OrderedText[Date]()).Key(Date{2026, 2, 30}).Err(); !errors.Is(err, ErrValue) {
		t.Errorf("a date that is none, as text: %v", err)
	}
}

// plate is a type that marshals, but cannot append.
type plate struct{ text string }

func (p plate) MarshalText() ([]byte, error) {
	if p.text == "none" {
		return nil, errUser
	}
	return []byte(p.text), nil
}
func (p *plate) UnmarshalText(text []byte) error { p.text = string(text); return nil }

func TestTextWithoutAppend(t *testing.T) {
	c := MustCompile1("P#<p>", OrderedText[plate]())
	if key := c.Key(plate{"B AB 1"}); key.String() != "P#B%20AB%201" {
		t.Errorf("%q, %v", key, key.Err())
	}
	if got, err := c.Parse("P#B%20AB%201"); err != nil || got != (plate{"B AB 1"}) {
		t.Errorf("%v, %v", got, err)
	}
	if err := c.Key(plate{"none"}).Err(); !errors.Is(err, errUser) {
		t.Errorf("an error of MarshalText: %v", err)
	}
	if err := c.Key(plate{}).Err(); !errors.Is(err, ErrEmpty) {
		t.Errorf("no text: %v", err)
	}
}

// Codecs that are called by hand, as a codec around another one does, refuse as
// they do in a template.
func TestCodecsByHand(t *testing.T) {
	for what, err := range map[string]error{
		"no digits":             second(Int(4).Parse("")),
		"no number":             second(Int(4).Parse("00x42")),
		"too few digits":        second(Uint(4).Parse("42")),
		"more than 64 bits":     second(Uint(20).Parse("18446744073709551616")),
		"more than int64":       second(Int(19).Parse("09223372036854775808")),
		"less than int64":       second(Int(19).Parse("-0776627963145224190")),
		"too much for its type": second(IntOf[int8](3).Parse("0128")),
		"no day":                second(Day.Parse("")),
		"no instant":            second(Time(Second).Parse("")),
		"no bytes of a float":   second(Float64.Parse("BFF")),
		"half a byte":           second(Bytes.Parse("0")),
	} {
		if !errors.Is(err, ErrValue) && !errors.Is(err, ErrEmpty) || err.Error() == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Enum keeps no memory of the caller's.
func TestEnumIsCopied(t *testing.T) {
	values := []string{"A", "B"}
	c := MustCompile1("E#<e>", Enum(values...))
	values[0] = "C"
	if c.Key("A").Err() != nil || c.Key("C").Err() == nil {
		t.Error("the list of an enum changed after it was declared")
	}
}

// Bytes gives memory that is the caller's to change.
func TestBytesAreCopied(t *testing.T) {
	c := MustCompile1("B#<b>", Bytes)
	v, err := c.Parse("B#0102")
	if err != nil {
		t.Fatal(err)
	}
	v[0] = 9
	if again, _ := c.Parse("B#0102"); again[0] != 1 {
		t.Error("a parsed value is shared")
	}
}
