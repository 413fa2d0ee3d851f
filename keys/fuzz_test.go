package keys

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// seedTexts are values that break composite keys, each for its own reason.
var seedTexts = []struct{ text, reason string }{
	{"", "no segment"},
	{"w-2314", "an ordinary id"},
	{"Ann Lee", "a space sorts below #"},
	{"a#b", "the delimiter"},
	{"%23", "an escape as a value"},
	{"%", "what escapes begin with"},
	{"!\"$&", "around the delimiter and %"},
	{"\x00\x1F", "control characters"},
	{"\x7F\u0080", "from one byte to two"},
	{"\u07FF\u0800", "from two bytes to three"},
	{"\uD7FF\uE000", "around the surrogates"},
	{"\uFFFD", "the character for what is invalid, itself valid"},
	{"\uFFFE", "what long escapes begin with"},
	{"\uFFFE01F600", "a long escape as a value"},
	{"\uFFFF", "the bound"},
	{"\U00010000", "the first character above the bound"},
	{"😀", "an emoji as an id"},
	{"\U0010FFFF", "the last character"},
	{"é", "composed"},
	{"e\u0301", "decomposed"},
	{"\xFF", "invalid UTF-8"},
	{"a\xF0\x9F", "half a character"},
	{"\xED\xA0\x80", "a surrogate, which is invalid"},
	{"a-b/c:d", "other delimiters"},
}

func FuzzEscape(f *testing.F) {
	for _, s := range seedTexts {
		f.Add(s.text, byte('#'))
	}
	f.Add("a-b", byte('-')) // a delimiter above %
	f.Add("a b", byte(' ')) // a delimiter that is escaped anyway
	f.Fuzz(func(t *testing.T, text string, delim byte) {
		if !canDelimit(delim) {
			return
		}
		before := "before#"
		buf, invalid := escape([]byte(before+text), len(before), delim)
		if valid := utf8.ValidString(text); valid != (invalid < 0) {
			t.Fatalf("escape(%+q): invalid at %d, but valid: %v", text, invalid, valid)
		}
		if invalid >= 0 {
			if !utf8.ValidString(text[:invalid]) || utf8.RuneStart(text[invalid]) && utf8.FullRuneInString(text[invalid:]) && !isInvalid(text[invalid:]) {
				t.Fatalf("escape(%+q): invalid at %d", text, invalid)
			}
			return
		}
		got := string(buf)
		if want := before + slowEscape(text, delim); got != want {
			t.Fatalf("escape(%+q, %q) = %+q, want %+q", text, delim, got, want)
		}
		back, err := unescape(got[len(before):], delim)
		if err != nil || back != text {
			t.Fatalf("unescape(%+q) = %+q, %v; want %+q", got[len(before):], back, err, text)
		}
	})
}

func isInvalid(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return r == utf8.RuneError && n == 1
}

// Only what escape writes is read.
func FuzzUnescape(f *testing.F) {
	for _, s := range seedTexts {
		f.Add(s.text, byte('#'))
		f.Add(slowEscape(s.text, '#'), byte('#'))
	}
	f.Add("%2f", byte('/'))              // lower case
	f.Add("%2F", byte('/'))              // the delimiter, escaped
	f.Add("%2F", byte('#'))              // escaped without need
	f.Add("%", byte('#'))                // no digits
	f.Add("\uFFFE00FFFD", byte('#'))     // below what is escaped
	f.Add("\uFFFE110000", byte('#'))     // above every character
	f.Add("\uFFFE00FFFE\xFF", byte(0))   // a valid escape, then invalid UTF-8
	f.Add("%00%25\uFFFE10FFFF", byte(0)) // every kind of escape
	f.Fuzz(func(t *testing.T, text string, delim byte) {
		if !canDelimit(delim) {
			return
		}
		plain, err := unescape(text, delim)
		if err != nil {
			if a, ok := err.(at); !ok || a.offset < 0 || a.offset >= max(1, len(text)) || !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrUTF8) {
				t.Fatalf("unescape(%+q): %#v", text, err)
			}
			return
		}
		if again := slowEscape(plain, delim); again != text || !utf8.ValidString(plain) {
			t.Fatalf("unescape(%+q) = %+q, which is written %+q", text, plain, again)
		}
	})
}

// Two values in one place: different keys, in the order of the values, and every
// range between them as the predicate says, last and not last.
func FuzzRange(f *testing.F) {
	for i, s := range seedTexts {
		f.Add(s.text, seedTexts[(i+1)%len(seedTexts)].text, s.text+"!", uint16(0))
	}
	f.Add("Ann", "Anna", "Ann Lee", uint16(0))   // the beginning of a longer one
	f.Add("Ann", "Ann", "Ann", uint16(0))        // equal operands
	f.Add("\x7F", "a", "\x7F\x7F", uint16(1021)) // nothing greater fits
	f.Add("a", "b", "a", uint16(1019))           // M as U+07FF
	f.Add("a", "b", "a", uint16(1020))           // M as 0x7F
	f.Add("a", "b", "a", uint16(1022))           // no room at all
	codecs := []Codec[string]{String, Verbatim, Fold(String)}
	f.Fuzz(func(t *testing.T, lo, hi, v string, pad uint16) {
		p := strings.Repeat("P", int(pad)%maxSortKey) + "#"
		for i, codec := range codecs {
			last := MustCompile1(p+"<a>", codec)
			inner := MustCompile2(p+"<a>#L#<b>", codec, String)
			tail := MustCompile1(p+"<a>#", codec)
			key := last.Key(v)
			if key.Err() != nil || last.Key(lo).Err() != nil || last.Key(hi).Err() != nil {
				continue
			}
			a, b, c := lo, hi, v
			if i == 2 {
				a, b, c = slowFold(lo), slowFold(hi), slowFold(v)
			}
			if back, err := last.Parse(key.String()); err != nil || back != c {
				t.Fatalf("%+q: parsed as %+q, %v", key, back, err)
			}
			for _, form := range orderedForms {
				if form <= within && a > b {
					continue
				}
				want := slowHolds(form, strings.Compare(c, a), strings.Compare(c, b))
				check := func(base base, text string) {
					r := kinds[0].ranged(base, form, &lo, &hi)
					if r.Err() != nil || len(text) > maxSortKey {
						return
					}
					if got := r.Contains(text); got != want {
						t.Fatalf("%v: %v(%+q, %+q).Contains(%+q) = %v, want %v", base, form, lo, hi, text, got, want)
					}
				}
				check(last.base, key.String())
				if i == 1 {
					continue // raw text that something follows has no order
				}
				check(tail.base, tail.Key(v).String())
				for _, id := range []string{"x", "\x7F", "\u07FF", "\uFFFD"} {
					check(inner.base, inner.Key(v, id).String())
				}
			}
		}
	})
}

var fuzzTemplates = []Template{
	MustCompile3("STATUS#<status>#<day>#<id>", Enum("OPEN", "DONE"), Day, String),
	MustCompile2("<day>-<id>", Day, String),
	MustCompile6("<a>#<b>#<c>#<d>#<e>#<f>", Int(4), Uint(3), Float64, Bool, Bytes, Time(Milli)),
	MustCompile2("V/<v>/<f>/", Verbatim, Fold(String)),
	MustCompile2("T#<t>#<l>", OrderedText[Date](), Codec[string](lossy{})),
	MustCompile1("<w>", Codec[string](widthOf(3))),
	Literal("PROFILE"),
}

// Any text is parsed without a panic; and what is parsed is written back as that
// text and no other.
func FuzzParse(f *testing.F) {
	for _, s := range []struct{ text, reason string }{
		{"STATUS#OPEN#2026-01-31#w-2314", "a key"},
		{"STATUS#OPEN#2026-01-31#", "without its last segment"},
		{"STATUS#LOST#2026-01-31#w", "not listed"},
		{"STATUS#OPEN#2026-02-30#w", "no such day"},
		{"STATUS#OPEN#2026-01-31#w#x", "with a child"},
		{"2026-01-31-w%2D1", "a delimiter above %"},
		{"-9957#042#BFF0000000000000#1#00FF#2026-01-31T00:00:00.000Z", "all that has a fixed width"},
		{"00042#042#7FFFFFFFFFFFFFFF#1#00FF#2026-01-31T00:00:00.000Z", "the bits of -0"},
		{"V/raw text/folded/", "raw and folded"},
		{"V/raw text/Folded/", "not folded"},
		{"T#2026-01-31#abc", "text marshalers and a codec of a user"},
		{"T#2026-01-31#-abc", "what only its Parse takes"},
		{"a#b", "a fixed width with a byte that it cannot hold"},
		{"PROFILE", "a literal"},
		{"", "nothing"},
	} {
		f.Add(s.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, template := range fuzzTemplates {
			values := make([]any, len(template.Placeholders()))
			for i, s := range template.layout().segments {
				values[i] = freshOf(s)
			}
			err := template.ParseInto(text, values...)
			if template.Matches(text) != (err == nil) {
				t.Fatalf("%v: Matches(%+q), but %v", template, text, err)
			}
			if err != nil {
				var e *Error
				if !errors.As(err, &e) || e.Template != template.String() || e.Value != text || e.Offset < 0 || e.Offset > len(text) {
					t.Fatalf("%v: %+q: %#v", template, text, err)
				}
				continue
			}
			if key := template.KeyFrom(values...); key.String() != text {
				t.Fatalf("%v: %+q is written %+q: %v", template, text, key, key.Err())
			}
		}
	})
}

func freshOf(s segment) any {
	switch s.(type) {
	case *seg[string]:
		return new(string)
	case *seg[Date]:
		return new(Date)
	case *seg[int64]:
		return new(int64)
	case *seg[uint64]:
		return new(uint64)
	case *seg[float64]:
		return new(float64)
	case *seg[bool]:
		return new(bool)
	case *seg[[]byte]:
		return new([]byte)
	case *seg[time.Time]:
		return new(time.Time)
	}
	panic("no such codec among the templates")
}

// Any text is a template or an error with its place; and a template keeps what it
// promises.
func FuzzTemplate(f *testing.F) {
	for _, s := range []struct{ template, reason string }{
		{"STATUS#<status>#<day>", "ordinary"},
		{"<a>-<b>", "a delimiter above %"},
		{"<a><b>", "two that touch"},
		{"<a>#<a>", "a name twice"},
		{"A#<a", "not closed"},
		{"A#a>", "not opened"},
		{"<>", "without a name"},
		{"A %<a>", "sorts below"},
		{"\uFFFF<a>", "sorts above"},
		{"<a>x<b>", "no delimiter"},
		{"<a>#<b>/", "two delimiters"},
		{"\xFF", "invalid UTF-8"},
		{"<a\x00>", "a name with a control character"},
		{"", "nothing"},
	} {
		f.Add(s.template, "a b", "c")
	}
	f.Fuzz(func(t *testing.T, template, v, w string) {
		l, err := parseTemplate(template)
		if err != nil {
			var e *TemplateError
			if !errors.As(err, &e) || e.Template != template || e.Offset < 0 || e.Offset > len(template) || e.Reason == "" {
				t.Fatalf("%+q: %#v", template, err)
			}
			return
		}
		if len(l.names) != 2 {
			return
		}
		c, err := Compile2(template, String, String)
		if err != nil {
			t.Fatalf("%+q: %v", template, err)
		}
		key := c.Key(v, w)
		if key.Err() != nil {
			return
		}
		a, b, err := c.Parse(key.String())
		if err != nil || a != v || b != w {
			t.Fatalf("%+q: %+q parsed as %+q, %+q, %v", template, key, a, b, err)
		}
		if strings.Contains(key.String(), "\uFFFF") || !utf8.ValidString(key.String()) {
			t.Fatalf("%+q: %+q reaches the bound", template, key)
		}
		if l.delim < lastEscaped {
			other := c.Key(w, v)
			if got, want := key.Compare(other), cmp.Or(cmp.Compare(v, w), cmp.Compare(w, v)); got != want {
				t.Fatalf("%+q: %+q compares %d to %+q, want %d", template, key, got, other, want)
			}
		}
	})
}

// Numbers and instants sort as they do, and are read back.
func FuzzOrder(f *testing.F) {
	f.Add(int64(0), int64(-1))                             // around zero
	f.Add(int64(42), int64(-42))                           // one of each sign
	f.Add(int64(math.MinInt64), int64(math.MaxInt64))      // the ends
	f.Add(int64(9), int64(10))                             // one digit and two
	f.Add(int64(-1000), int64(-200))                       // as text, the other way round
	f.Add(int64(999999999), int64(1000000000))             // the nanoseconds of a second
	f.Add(int64(0x7FF0000000000000), int64(math.MinInt64)) // +Inf and -0 as bits
	f.Fuzz(func(t *testing.T, a, b int64) {
		fuzzOrder(t, Int(19), a, b, cmp.Compare)
		fuzzOrder(t, Uint(20), uint64(a), uint64(b), cmp.Compare)
		fuzzOrder(t, IntOf[int8](3), int8(a), int8(b), cmp.Compare)
		x, y := math.Float64frombits(uint64(a))+0, math.Float64frombits(uint64(b))+0
		if !math.IsNaN(x) && !math.IsNaN(y) {
			fuzzOrder(t, Float64, x, y, cmp.Compare)
		}
		p, q := time.Unix(a%2e11, b%1e9).UTC(), time.Unix(b%2e11, a%1e9).UTC()
		fuzzOrder(t, Time(Nano), p, q, time.Time.Compare)
		fuzzOrder(t, Time(Milli), p.Truncate(time.Millisecond), q.Truncate(time.Millisecond), time.Time.Compare)
		fuzzOrder(t, Day, DateOf(p), DateOf(q), Date.Compare)
		fuzzOrder(t, Bytes, []byte(p.String()), []byte(q.String()), bytes.Compare)
	})
}

func fuzzOrder[V any](t *testing.T, codec Codec[V], a, b V, compare func(a, b V) int) {
	t.Helper()
	c := MustCompile1("K#<k>", codec)
	x, y := c.Key(a), c.Key(b)
	if x.Err() != nil || y.Err() != nil {
		return // outside of its years
	}
	if got, want := x.Compare(y), compare(a, b); got != want {
		t.Errorf("%v and %v: keys %q and %q compare %d, want %d", a, b, x, y, got, want)
	}
	if back, err := c.Parse(x.String()); err != nil || compare(back, a) != 0 {
		t.Errorf("%v: %q is read as %v, %v", a, x, back, err)
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range seedTexts {
		f.Add(s.text)
	}
	f.Add("Ann.Lee@Example.COM")              // what it is for
	f.Add("I\u0307")                          // composes to a letter without lower case
	f.Add("\u03B1\u0345\u0300")               // the iota below, out of order
	f.Add("b\u0345")                          // the iota below nothing
	f.Add("ΑΣ")                               // a final sigma is a sigma
	f.Add("\u212A\u017F")                     // a kelvin and a long s
	f.Add("\u1E9E")                           // the capital of ß
	f.Add(strings.Repeat("\u0301", 40) + "A") // more marks than a normal form takes at once
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return
		}
		if got, want := fold(s), slowFold(s); got != want {
			t.Fatalf("fold(%+q) = %+q, want %+q", s, got, want)
		}
		checkFold(t, s)
		c := MustCompile1("F#<f>", Fold(String))
		if key := c.Key(s); key.Err() == nil {
			if back, err := c.Parse(key.String()); err != nil || back != fold(s) || !norm.NFC.IsNormalString(back) {
				t.Fatalf("%+q: %+q parsed as %+q, %v", s, key, back, err)
			}
			if c.Key(norm.NFD.String(s)) != key {
				t.Fatalf("%+q: another key when decomposed", s)
			}
		}
	})
}
