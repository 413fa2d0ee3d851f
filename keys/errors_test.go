package keys

import (
	"errors"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var errUser = errors.New("no such customer")

// stubborn is a codec of a user that fails with an error of its own.
type stubborn struct{}

func (stubborn) Append([]byte, int) ([]byte, error) { return nil, errUser }
func (stubborn) Parse(string) (int, error)          { return 0, errUser }

// Every way in which a key, a range or a text is refused: what it is, through
// errors.Is, and where it is, in the fields of the *Error.
func TestErrors(t *testing.T) {
	const template = "S#<s>#<d>"
	c := MustCompile2(template, String, Day)
	other := MustCompile2(template, String, Day)
	enum := MustCompile1("E#<e>", Enum("OPEN", "DONE"))
	instant := MustCompile1("T#<t>", Time(Second))
	raw := MustCompile2("V#<v>#<x>", Verbatim, Int(2))
	user := MustCompile1("U#<u>", Codec[int](stubborn{}))
	wide := MustCompile1("W#<w>", Codec[string](widthOf(3)))
	folded := MustCompile1("F#<f>", Fold(String))
	hexed := MustCompile1("H#<h>", Bytes)
	number := MustCompile1("N#<n>", Int(3))
	count := MustCompile1("C#<c>", UintOf[uint8](3))
	float := MustCompile1("L#<l>", Float64)
	flag := MustCompile1("B#<b>", Bool)
	addr := MustCompile1("A#<a>", Text[netip.Addr]())
	day := Date{2026, 1, 31}
	long := strings.Repeat("x", maxSortKey)
	parse2 := func(text string) error { _, _, err := c.Parse(text); return err }
	parseRaw := func(text string) error { _, _, err := raw.Parse(text); return err }

	tests := []struct {
		reason string
		err    error
		is     error
		want   Error
	}{
		{"an empty string is no segment", c.Key("", day).Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"the first error wins", c.Key("", Date{}).Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"the zero Date is not set", c.Key("a", Date{}).Err(), ErrEmpty, Error{template, "d", -1, "0000-00-00", nil}},
		{"the calendar has no such day", c.Key("a", Date{2026, 2, 29}).Err(), ErrValue, Error{template, "d", -1, "2026-02-29", nil}},
		{"invalid UTF-8, with its place", c.Key("ab\xFF", day).Err(), ErrUTF8, Error{template, "s", 2, "ab\xFF", nil}},
		{"half a character", c.Key("ab\xF0\x9F\x98", day).Err(), ErrUTF8, Error{template, "s", 2, "ab\xF0\x9F\x98", nil}},
		{"a surrogate is no character", c.Key("\xED\xA0\x80", day).Err(), ErrUTF8, Error{template, "s", 0, "\xED\xA0\x80", nil}},
		{"At carries the error", c.At("").Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"and everything made of it", c.At("").Key(day).Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"and its ranges", c.At("").From(day).Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"and its All", c.At("").All().Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"and StartsWith", c.At("").StartsWith("2").Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"Exact of a bad key", c.Key("", day).Exact().Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"Tree of a bad key", c.Key("", day).Tree().Err(), ErrEmpty, Error{template, "s", -1, "", nil}},

		{"not listed", enum.Key("LOST").Err(), ErrValue, Error{"E#<e>", "e", -1, "LOST", nil}},
		{"an enum without a value", enum.Key("").Err(), ErrEmpty, Error{"E#<e>", "e", -1, "", nil}},
		{"the zero time", instant.Key(time.Time{}).Err(), ErrEmpty, Error{"T#<t>", "t", -1, "0001-01-01 00:00:00 +0000 UTC", nil}},
		{"what becomes the zero time", instant.Key(time.Time{}.Add(1)).Err(), ErrEmpty, Error{"T#<t>", "t", -1, "0001-01-01 00:00:00.000000001 +0000 UTC", nil}},
		{"year -1", instant.Key(time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)).Err(), ErrValue, Error{"T#<t>", "t", -1, "-0001-01-01 00:00:00 +0000 UTC", nil}},
		{"the year counts in UTC", instant.Key(time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("w", -3600))).Err(), ErrValue, Error{"T#<t>", "t", -1, "9999-12-31 23:00:00 -0100 w", nil}},
		{"the delimiter in a raw value", raw.Key("a#b", 1).Err(), ErrValue, Error{"V#<v>#<x>", "v", 1, "a#b", nil}},
		{"above the bound in a raw value", raw.Key("a😀", 1).Err(), ErrValue, Error{"V#<v>#<x>", "v", 1, "a😀", nil}},
		{"invalid UTF-8 in a raw value", raw.Key("a\xFF", 1).Err(), ErrUTF8, Error{"V#<v>#<x>", "v", 1, "a\xFF", nil}},
		{"too many digits", raw.Key("a", -100).Err(), ErrValue, Error{"V#<v>#<x>", "x", -1, "-100", nil}},
		{"NaN", float.Key(math.NaN()).Err(), ErrValue, Error{"L#<l>", "l", -1, "NaN", nil}},
		{"no bytes", hexed.Key(nil).Err(), ErrEmpty, Error{"H#<h>", "h", -1, "", nil}},
		{"an address that is not set", addr.Key(netip.Addr{}).Err(), ErrEmpty, Error{"A#<a>", "a", -1, "", nil}},
		{"the error of a user's codec", user.Key(7).Err(), errUser, Error{"U#<u>", "u", -1, "7", nil}},
		{"a codec that breaks its width", wide.Key("ab").Err(), ErrValue, Error{"W#<w>", "w", -1, "ab", nil}},
		{"a byte that fixed width cannot hold", wide.Key("a b").Err(), ErrValue, Error{"W#<w>", "w", 1, "a b", nil}},
		{"no ASCII in fixed width", wide.Key("é1").Err(), ErrValue, Error{"W#<w>", "w", 0, "é1", nil}},

		{"lower above upper", c.Between("b", "a").Err(), ErrRange, Error{template, "s", -1, "b > a", nil}},
		{"lower above upper, half open", c.Within("b", "a").Err(), ErrRange, Error{template, "s", -1, "b > a", nil}},
		{"a bad lower bound", c.Between("", "a").Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"a bad upper bound", c.Between("a", "\xFF").Err(), ErrUTF8, Error{template, "s", 0, "\xFF", nil}},
		{"raw text that something follows", raw.From("a").Err(), ErrUnordered, Error{"V#<v>#<x>", "v", -1, "", nil}},
		{"text of no known order", addr.To(netip.IPv6Unspecified()).Err(), ErrUnordered, Error{"A#<a>", "a", -1, "", nil}},
		{"a number has no prefix", number.StartsWith("0").Err(), ErrUnordered, Error{"N#<n>", "n", -1, "0", nil}},
		{"a boolean has no prefix", flag.StartsWith("0").Err(), ErrUnordered, Error{"B#<b>", "b", -1, "0", nil}},
		{"bytes have no prefix", hexed.StartsWith("0").Err(), ErrUnordered, Error{"H#<h>", "h", -1, "0", nil}},
		{"a prefix longer than the segment", c.At("a").StartsWith("2026-01-310").Err(), ErrValue, Error{template, "d", -1, "2026-01-310", nil}},
		{"a prefix that fixed width cannot hold", c.At("a").StartsWith("2026 ").Err(), ErrValue, Error{template, "d", 4, "2026 ", nil}},
		{"a prefix with the delimiter, raw", raw.StartsWith("a#").Err(), ErrValue, Error{"V#<v>#<x>", "v", 1, "a#", nil}},
		{"a prefix of half a character", c.StartsWith("\xF0\x9F").Err(), ErrUTF8, Error{template, "s", 0, "\xF0\x9F", nil}},
		{"Tree of raw text", raw.Key("a", 1).Tree().Err(), ErrUnordered, Error{"V#<v>#<x>", "v", -1, "V#a#001", nil}},
		{"a bound of 1025 bytes", c.At(long[:maxSortKey-2]).All().Err(), ErrTooLong, Error{template, "", maxSortKey, "S#" + long[:maxSortKey-2] + "#", nil}},
		{"a key of 1025 bytes", folded.Key(long[:maxSortKey-1]).Exact().Err(), ErrTooLong, Error{"F#<f>", "", maxSortKey, "F#" + long[:maxSortKey-1], nil}},

		{"a key of another template", c.Key("a", day).Check(other), ErrTemplate, Error{template, "", -1, "S#a#2026-01-31", nil}},
		{"no template", c.Key("a", day).Check(nil), ErrTemplate, Error{template, "", -1, "S#a#2026-01-31", nil}},
		{"a range of another template", c.At("a").All().Check(enum), ErrTemplate, Error{"E#<e>", "", -1, `begins_with "S#a#"`, nil}},
		{"a template with an error", c.Key("a", day).Check(c.At("")), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"the error of the key comes first", c.Key("", day).Check(nil), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"the error of the range comes first", c.From("").Check(nil), ErrEmpty, Error{template, "s", -1, "", nil}},

		{"another literal", parse2("R#a#2026-01-31"), ErrSyntax, Error{template, "", 0, "R#a#2026-01-31", nil}},
		{"shorter than the literal", parse2("S"), ErrSyntax, Error{template, "", 1, "S", nil}},
		{"no text", parse2(""), ErrSyntax, Error{template, "", 0, "", nil}},
		{"an empty segment", parse2("S##2026-01-31"), ErrEmpty, Error{template, "s", 2, "S##2026-01-31", nil}},
		{"nothing behind the literal", parse2("S#a#"), ErrEmpty, Error{template, "d", 4, "S#a#", nil}},
		{"the literal is missing", parse2("S#a"), ErrSyntax, Error{template, "", 3, "S#a", nil}},
		{"more than the template has", parse2("S#a#2026-01-31#x"), ErrSyntax, Error{template, "", 14, "S#a#2026-01-31#x", nil}},
		{"no such day", parse2("S#a#2026-02-30"), ErrValue, Error{template, "d", 4, "S#a#2026-02-30", nil}},
		{"too short for its width", parse2("S#a#2026-02"), ErrValue, Error{template, "d", 4, "S#a#2026-02", nil}},
		{"a raw space", parse2("S#a b#2026-01-31"), ErrSyntax, Error{template, "s", 3, "S#a b#2026-01-31", nil}},
		{"an escape in lower case", parse2("S#a%2f#2026-01-31"), ErrSyntax, Error{template, "s", 3, "S#a%2f#2026-01-31", nil}},
		{"an escape of what is not escaped", parse2("S#a%41#2026-01-31"), ErrSyntax, Error{template, "s", 3, "S#a%41#2026-01-31", nil}},
		{"half an escape", parse2("S#a%2#2026-01-31"), ErrSyntax, Error{template, "s", 3, "S#a%2#2026-01-31", nil}},
		{"invalid UTF-8 in a key", parse2("S#a\xFF#2026-01-31"), ErrUTF8, Error{template, "s", 3, "S#a\xFF#2026-01-31", nil}},
		{"a raw emoji", parse2("S#😀#2026-01-31"), ErrSyntax, Error{template, "s", 2, "S#😀#2026-01-31", nil}},
		{"U+FFFE without its digits", parse2("S#\uFFFE01F60#2026-01-31"), ErrSyntax, Error{template, "s", 2, "S#\uFFFE01F60#2026-01-31", nil}},
		{"U+FFFE and a character of the plane", parse2("S#\uFFFE000041#2026-01-31"), ErrSyntax, Error{template, "s", 2, "S#\uFFFE000041#2026-01-31", nil}},
		{"U+FFFE and no character", parse2("S#\uFFFE110000#2026-01-31"), ErrSyntax, Error{template, "s", 2, "S#\uFFFE110000#2026-01-31", nil}},
		{"the emoji in a raw segment", parseRaw("V#😀#01"), ErrValue, Error{"V#<v>#<x>", "v", 2, "V#😀#01", nil}},
		{"a digit that is none, with its place", parseRaw("V#a#0x1"), ErrValue, Error{"V#<v>#<x>", "x", 5, "V#a#0x1", nil}},
		{"-0", parseRaw("V#a#-99"), ErrValue, Error{"V#<v>#<x>", "x", 4, "V#a#-99", nil}},
		{"an integer of another sign", parseRaw("V#a#100"), ErrValue, Error{"V#<v>#<x>", "x", 4, "V#a#100", nil}},
		{"too great for its type", second(count.Parse("C#256")), ErrValue, Error{"C#<c>", "c", 2, "C#256", nil}},
		{"not listed, stored", second(enum.Parse("E#LOST")), ErrValue, Error{"E#<e>", "e", 2, "E#LOST", nil}},
		{"not folded, stored", second(folded.Parse("F#Ann")), ErrValue, Error{"F#<f>", "f", 2, "F#Ann", nil}},
		{"not in form C, stored", second(folded.Parse("F#e\u0301")), ErrValue, Error{"F#<f>", "f", 2, "F#e\u0301", nil}},
		{"half a byte", second(hexed.Parse("H#00F")), ErrValue, Error{"H#<h>", "h", 4, "H#00F", nil}},
		{"hexadecimal in lower case", second(hexed.Parse("H#00ff")), ErrValue, Error{"H#<h>", "h", 4, "H#00ff", nil}},
		{"neither true nor false", second(flag.Parse("B#2")), ErrValue, Error{"B#<b>", "b", 2, "B#2", nil}},
		{"the bits of NaN", second(float.Parse("L#FFF8000000000000")), ErrValue, Error{"L#<l>", "l", 2, "L#FFF8000000000000", nil}},
		{"the bits of -0", second(float.Parse("L#7FFFFFFFFFFFFFFF")), ErrValue, Error{"L#<l>", "l", 2, "L#7FFFFFFFFFFFFFFF", nil}},
		{"no bits", second(float.Parse("L#FFF800000000000g")), ErrValue, Error{"L#<l>", "l", 2, "L#FFF800000000000g", nil}},
		{"an instant with a comma", second(MustCompile1("T#<t>", Time(Milli)).Parse("T#2026-01-31T00:00:00,000Z")), ErrValue, Error{"T#<t>", "t", 2, "T#2026-01-31T00:00:00,000Z", nil}},
		{"the zero time, stored", second(instant.Parse("T#0001-01-01T00:00:00Z")), ErrValue, Error{"T#<t>", "t", 2, "T#0001-01-01T00:00:00Z", nil}},
		{"February the 30th", second(instant.Parse("T#2026-02-30T00:00:00Z")), ErrValue, Error{"T#<t>", "t", 2, "T#2026-02-30T00:00:00Z", nil}},
		{"another spelling of an address", second(addr.Parse("A#::0001")), ErrSyntax, Error{"A#<a>", "a", 2, "A#::0001", nil}},
		{"the error of a user's codec, parsing", second(user.Parse("U#7")), errUser, Error{"U#<u>", "u", 2, "U#7", nil}},
		{"another constant", Literal("PROFILE").Parse("PROFIT"), ErrSyntax, Error{"PROFILE", "", 5, "PROFIT", nil}},
		{"a constant and more", Literal("PROFILE").Parse("PROFILE#"), ErrSyntax, Error{"PROFILE", "", 7, "PROFILE#", nil}},
		{"what was given is not there", second(c.At("b").Parse("S#a#2026-01-31")), ErrSyntax, Error{template, "", 2, "S#a#2026-01-31", nil}},

		{"too few pointers", c.KeyFrom(new(string)).Err(), ErrValue, Error{template, "", -1, "1", nil}},
		{"too many pointers", c.KeyFrom(new(string), new(Date), new(int)).Err(), ErrValue, Error{template, "", -1, "3", nil}},
		{"no pointer", c.KeyFrom("a", new(Date)).Err(), ErrValue, Error{template, "s", -1, "string", nil}},
		{"a pointer to something else", c.KeyFrom(new(int), new(Date)).Err(), ErrValue, Error{template, "s", -1, "*int", nil}},
		{"a nil pointer is a missing part", c.KeyFrom((*string)(nil), new(Date)).Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"a nil pointer of a named type", c.KeyFrom((*name)(nil), new(Date)).Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"a plain nil is a missing part", c.KeyFrom(nil, new(Date)).Err(), ErrEmpty, Error{template, "s", -1, "", nil}},
		{"too great for the codec's type", count.KeyFrom(ptr(uint16(256))).Err(), ErrValue, Error{"C#<c>", "c", -1, "256", nil}},
		{"parsing into too few", c.ParseInto("S#a#2026-01-31", new(string)), ErrValue, Error{template, "", -1, "1", nil}},
		{"parsing into no pointer", c.ParseInto("S#a#2026-01-31", new(string), Date{}), ErrValue, Error{template, "d", 4, "S#a#2026-01-31", nil}},
		{"parsing into a nil pointer", c.ParseInto("S#a#2026-01-31", (*string)(nil), new(Date)), ErrValue, Error{template, "s", 2, "S#a#2026-01-31", nil}},
		{"parsing into another type", c.ParseInto("S#a#2026-01-31", new(int), new(Date)), ErrValue, Error{template, "s", 2, "S#a#2026-01-31", nil}},
		{"parsing into a type too small", number.ParseInto("N#0200", new(int8)), ErrValue, Error{"N#<n>", "n", 2, "N#0200", nil}},

		{"no date", second(ParseDate("2026-1-31")), ErrValue, Error{"", "", -1, "2026-1-31", nil}},
		{"a number that DynamoDB has not", second(float.Key(1e126).Parts()), ErrValue, Error{"L#<l>", "l", -1, "DA17A2ECC414A03F", nil}},
		{"the zero Key", Key{}.Err(), ErrZero, Error{"", "", -1, "", nil}},
		{"the zero Range", Range{}.Err(), ErrZero, Error{"", "", -1, "", nil}},
	}
	for _, tt := range tests {
		var e *Error
		if !errors.As(tt.err, &e) || !errors.Is(tt.err, tt.is) {
			t.Errorf("%s: error %v, want an *Error that is %q", tt.reason, tt.err, tt.is)
			continue
		}
		if diff := cmp.Diff(tt.want, *e, cmpopts.IgnoreFields(Error{}, "Err")); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tt.reason, e, diff)
		}
		for _, sentinel := range []error{ErrEmpty, ErrUTF8, ErrValue, ErrSyntax, ErrRange, ErrUnordered, ErrTooLong, ErrTemplate, ErrZero} {
			if errors.Is(e, sentinel) != (sentinel == tt.is) {
				t.Errorf("%s: errors.Is(%v, %q) = %v", tt.reason, e, sentinel, errors.Is(e, sentinel))
			}
		}
	}
}

func second[V any](_ V, err error) error { return err }

func ptr[V any](v V) *V { return &v }

func TestErrorMessages(t *testing.T) {
	c := MustCompile2("S#<s>#<d>", String, Day)
	tests := []struct {
		err  error
		want string
	}{
		{c.Key("", Date{}).Err(), `keys: S#<s>#<d>: <s> "": no value`},
		{c.Key("a\xFF", Date{}).Err(), `keys: S#<s>#<d>: <s> "a\xff" at byte 1: invalid UTF-8`},
		{second(ParseDate("x")), `keys: "x": value refused: "x" is not a date such as 2006-01-02`},
		{Key{}.Err(), `keys: zero value is not valid`},
		{c.Key(strings.Repeat("é", 200)+"\xFF", Date{}).Err(), `keys: S#<s>#<d>: <s> "` + strings.Repeat("é", 100) + `…" at byte 400: invalid UTF-8`},
		{second(Compile1("A#<a", String)), `keys: template "A#<a", offset 2: < without >; a placeholder is written <name>`},
		{second(Compile1("A#<a>", Enum[string]())), `keys: template "A#<a>", offset 2: codec of <a>: an enum without values; list them: keys.Enum(Open, Done)`},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("message\n     %s\nwant %s", got, tt.want)
		}
	}
}

// Where parsing fails, nothing is stored, not even what stands before.
func TestParseIntoStoresAllOrNothing(t *testing.T) {
	c := MustCompile2("S#<s>#<n>", String, Int(3))
	s, n := "before", int8(7)
	for _, text := range []string{"S#a#0200", "S#a#02x0", "S#a#0100#", "S#a"} {
		if err := c.ParseInto(text, &s, &n); err == nil || s != "before" || n != 7 {
			t.Errorf("ParseInto(%q): %v, %q, %d", text, err, s, n)
		}
	}
	if err := c.ParseInto("S#a#0100", nil, &n); err != nil || s != "before" || n != 100 {
		t.Errorf("with a plain nil: %v, %q, %d", err, s, n)
	}
	named := name("")
	if err := c.ParseInto("S#a%20b#-871", &named, &n); err != nil || named != "a b" || n != -128 {
		t.Errorf("into other types of the kind: %v, %q, %d", err, named, n)
	}
	if got := c.KeyFrom(&named, &n).String(); got != "S#a%20b#-871" {
		t.Errorf("KeyFrom: %q", got)
	}
}

// The zero value of every type is not valid, says so, and never panics.
func TestZeroValues(t *testing.T) {
	day := Date{2026, 1, 31}
	templates := map[string]Template{
		"Composite0": Composite0{}, "Composite1": Composite1[Date]{}, "Composite2": Composite2[Date, Date]{}, "Composite3": Composite3[Date, Date, Date]{},
		"Composite4": Composite4[Date, Date, Date, Date]{}, "Composite5": Composite5[Date, Date, Date, Date, Date]{},
		"Composite6":        Composite6[Date, Date, Date, Date, Date, Date]{},
		"Composite2, At":    Composite2[Date, Date]{}.At(day),
		"Composite6, At At": Composite6[Date, Date, Date, Date, Date, Date]{}.At(day).At(day),
	}
	valid := MustCompile1("A#<a>", Day)
	for what, z := range templates {
		if !errors.Is(z.Err(), ErrZero) {
			t.Errorf("%s: Err() = %v", what, z.Err())
		}
		for call, err := range map[string]error{
			"All":       z.All().Err(),
			"KeyFrom":   z.KeyFrom(&day).Err(),
			"ParseInto": z.ParseInto("A#2026-01-31", &day),
			"Composes":  second(z.Composes("", &day)),
			"Accepts":   z.Accepts(0, nil),
			"Check":     valid.Key(day).Check(z),
			"Range":     valid.All().Check(z),
		} {
			if !errors.Is(err, ErrZero) {
				t.Errorf("%s: %s: %v, want ErrZero", what, call, err)
			}
		}
		if z.String() != "" || len(z.Placeholders()) != 0 || z.Matches("") || z.Matches("A") || z.Overlaps(z) || z.Overlaps(valid) || valid.Overlaps(z) || z.Overlaps(nil) {
			t.Errorf("%s: is something", what)
		}
	}
	for what, none := range map[string]Template{"nil": nil, "a nil pointer": (*Composite1[Date])(nil)} {
		if valid.Overlaps(none) {
			t.Errorf("a template overlaps %s", what)
		}
		if err := valid.Key(day).Check(none); !errors.Is(err, ErrTemplate) {
			t.Errorf("a key of %s: %v, want ErrTemplate", what, err)
		}
		if err := valid.All().Check(none); !errors.Is(err, ErrTemplate) {
			t.Errorf("a range of %s: %v, want ErrTemplate", what, err)
		}
	}
	for what, err := range map[string]error{"Error": &Error{}, "TemplateError": &TemplateError{}} {
		if err.Error() == "" || errors.Unwrap(err) != nil {
			t.Errorf("the zero %s says %q and wraps %v", what, err, errors.Unwrap(err))
		}
	}

	one := Composite1[Date]{}
	for call, err := range map[string]error{
		"Key": one.Key(day).Err(), "At": one.At(day).Err(), "Parse": second(one.Parse("")), "Between": one.Between(day, day).Err(), "Within": one.Within(day, day).Err(),
		"From": one.From(day).Err(), "After": one.After(day).Err(), "To": one.To(day).Err(), "Before": one.Before(day).Err(), "StartsWith": one.StartsWith("2").Err(),
		"Composite0.Key": Composite0{}.Key().Err(), "Composite0.Parse": Composite0{}.Parse(""),
		"Composite6.Key": Composite6[Date, Date, Date, Date, Date, Date]{}.Key(day, day, day, day, day, day).Err(),
		"Key.Exact":      Key{}.Exact().Err(), "Key.Tree": Key{}.Tree().Err(), "Key.Parts": second(Key{}.Parts()), "Key.Check": Key{}.Check(nil),
		"Range.Check": Range{}.Check(nil), "Range.Parts": second(Range{}.Parts()), "Range.Check(t)": Range{}.Check(valid),
	} {
		if !errors.Is(err, ErrZero) {
			t.Errorf("zero value: %s: %v, want ErrZero", call, err)
		}
	}
	if k := (Key{}); k.String() != "" || k.Template() != "" || !k.IsZero() || k != (Key{}) || k.Compare(Key{}) != 0 || one.Key(day) != (Key{}) {
		t.Error("the zero Key is something")
	}
	r := Range{}
	if lo, hi := r.Bounds(); lo != "" || hi != "" || r.Contains("") || r.IsEmpty() || r.Template() != "" || r.String() == "" {
		t.Error("the zero Range is something")
	}
	if op, lo, hi, err := r.Condition(); op != OpNever || lo != "" || hi != "" || err == nil {
		t.Errorf("the condition of the zero Range: %v %q %q %v", op, lo, hi, err)
	}
	if bad := valid.Key(Date{}); bad.IsZero() || bad.String() != "" || bad.Template() != "A#<a>" || bad == (Key{}) {
		t.Error("a key with an error is no zero Key")
	}
	if lo, hi := valid.From(Date{}).Bounds(); lo != "" || hi != "" || valid.From(Date{}).Contains("A#2026-01-31") {
		t.Error("a range with an error contains something")
	}
}
