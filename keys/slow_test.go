package keys

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// This file says a second time, slowly and obviously, what the package does:
// how a value is written, and when a key is in a range. Ranges are judged on the
// values alone; nothing here knows of bounds.

// slowEscape writes a segment of variable width, character by character.
func slowEscape(text string, delim byte) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r <= 0x25, r == rune(delim):
			fmt.Fprintf(&b, "%%%02X", r)
		case r >= 0xFFFE:
			fmt.Fprintf(&b, "\uFFFE%06X", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// slowHolds is a range as a predicate on the values of the open placeholder.
func slowHolds(f form, compareLo, compareHi int) bool {
	switch f {
	case between:
		return compareLo >= 0 && compareHi <= 0
	case within:
		return compareLo >= 0 && compareHi < 0
	case from:
		return compareLo >= 0
	case after:
		return compareLo > 0
	case to:
		return compareHi <= 0
	case before:
		return compareHi < 0
	}
	panic("no such form")
}

var orderedForms = []form{between, within, from, after, to, before}

func (f form) String() string {
	return [...]string{"none", "All", "Between", "Within", "From", "After", "To", "Before", "StartsWith", "Exact", "Tree"}[f]
}

// kind is a codec without its type, with what the reference says of it. Values
// are pointers, as model binds them.
type kind struct {
	name      string
	width     int // of the text; 0 where it varies
	verbatim  bool
	unordered bool // compare is by text, ranges are refused
	numeric   bool // no StartsWith

	segment func() segment
	fresh   func() any
	draw    func(t *rapid.T, delim byte) any // a value, and what it is narrowed to
	plain   func(v any) string               // the text, before escaping
	compare func(a, b any) int
	native  func(v any) any // what the attribute of its own holds: string, []byte or *big.Rat; nil where no number can

	ranged     func(b base, f form, lo, hi any) Range
	startsWith func(b base, text string) Range
	at         func(b base, v any) base
}

// stored is the slow text of a value in a key.
func (k kind) stored(v any, delim byte) string {
	if k.verbatim || k.width > 0 {
		return k.plain(v)
	}
	return slowEscape(k.plain(v), delim)
}

func newKind[V any](name string, c Codec[V], draw func(t *rapid.T, delim byte) V, plain func(V) string, compare func(a, b V) int) kind {
	return kind{
		name:    name,
		segment: func() segment { return newSeg(c) },
		fresh:   func() any { return new(V) },
		draw:    func(t *rapid.T, delim byte) any { v := draw(t, delim); return &v },
		plain:   func(v any) string { return plain(*v.(*V)) },
		compare: func(a, b any) int { return compare(*a.(*V), *b.(*V)) },
		native:  func(v any) any { return plain(*v.(*V)) },
		ranged: func(b base, f form, lo, hi any) Range {
			h, l, r := head[V]{b}, *lo.(*V), *hi.(*V)
			switch f {
			case between:
				return h.Between(l, r)
			case within:
				return h.Within(l, r)
			case from:
				return h.From(l)
			case after:
				return h.After(l)
			case to:
				return h.To(r)
			case before:
				return h.Before(r)
			}
			panic("no such form")
		},
		startsWith: func(b base, text string) Range { return head[V]{b}.StartsWith(text) },
		at:         func(b base, v any) base { return head[V]{b}.at(*v.(*V)) },
	}
}

// GoString is what rapid reports of a kind.
func (k kind) GoString() string { return k.name }

func (k kind) with(change func(*kind)) kind { change(&k); return k }

// alphabet holds what breaks composite keys: what sorts below the delimiter, what
// an escape is made of, both sides of every step in the length of UTF-8, of the
// surrogates, and of the bound.
var alphabet = []rune{
	0x00, 0x01, 0x1F, ' ', '!', '"', '#', '$', '%', '&', '-', '.', '/', '0', '2', '3', '9', ':',
	'A', 'F', '_', 'a', 'b', '|', '~', 0x7F, 0x80, 'é', '\u0301', 0x7FF, 0x800, '中', 0xD7FF, 0xE000,
	0xFFFD, 0xFFFE, 0xFFFF, 0x10000, '😀', 0x10FFFF,
}

// someText is short, and often the beginning of another one.
func someText(t *rapid.T, _ byte) string {
	s := rapid.SampledFrom([]string{"", "", "a", "Ann", "Ann ", "\uFFFE", "\x7F\x7F"}).Draw(t, "stem") +
		string(rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 3).Draw(t, "text"))
	if s == "" {
		return "a"
	}
	return s
}

// rawText is someText that a verbatim segment takes.
func rawText(t *rapid.T, delim byte) string {
	s := strings.Map(func(r rune) rune {
		if r == rune(delim) || r > 0xFFFE {
			return -1
		}
		return r
	}, someText(t, delim))
	if s == "" {
		return "b"
	}
	return s
}

type (
	name  string
	level uint8
	delta int16
)

// pair is a codec of a user with a fixed width; its text may hold the delimiter.
type pair struct{}

func (pair) Append(dst []byte, v [2]byte) ([]byte, error) { return append(dst, v[0], v[1]), nil }
func (pair) Width() int                                   { return 2 }
func (pair) Parse(text string) (v [2]byte, err error) {
	copy(v[:], text)
	return v, nil
}

// boxed is a codec of a user that does everything it may: it keeps nothing, but
// takes memory of its own and scribbles over what it was given.
type boxed struct{}

func (boxed) Append(dst []byte, v name) ([]byte, error) {
	all := dst[:cap(dst)]
	for i := range all {
		all[i] = '!'
	}
	return append(make([]byte, 0, 2*len(v)), v...), nil
}
func (boxed) Parse(text string) (name, error) { return name(text), nil }

func asRat(n *big.Int) any { return new(big.Rat).SetInt(n) }

func timeKind(label string, p Precision, unit time.Duration, layout string) kind {
	draw := func(t *rapid.T, _ byte) time.Time {
		sec := rapid.OneOf(rapid.Int64Range(0, 2), rapid.Int64Range(-62167219200, 253402300799)).Draw(t, "sec")
		nsec := rapid.OneOf(rapid.SampledFrom([]int64{0, 1, 5e8, 999999999, 123456789}), rapid.Int64Range(0, 999999999)).Draw(t, "nsec")
		return time.Unix(sec, nsec-nsec%int64(unit)).UTC()
	}
	plain := func(v time.Time) string {
		s := v.Format("2006-01-02T15:04:05.000000000")
		return s[:len(layout)] + "Z"
	}
	k := newKind(label, Time(p), draw, plain, time.Time.Compare)
	k.width = len(layout) + 1
	return k
}

// kinds are all codecs of the package, and two of a user.
var kinds = []kind{
	newKind("String", String, someText, func(v string) string { return v }, strings.Compare),
	newKind("StringOf", StringOf[name](), func(t *rapid.T, d byte) name { return name(someText(t, d)) },
		func(v name) string { return string(v) }, func(a, b name) int { return strings.Compare(string(a), string(b)) }),
	newKind("Verbatim", Verbatim, rawText, func(v string) string { return v }, strings.Compare).
		with(func(k *kind) { k.verbatim = true }),
	newKind("Enum", Enum[name]("OPEN", "OPENED", "OPEN WORK", "O#-/", "É😀"), func(t *rapid.T, _ byte) name {
		return rapid.SampledFrom([]name{"OPEN", "OPENED", "OPEN WORK", "O#-/", "É😀"}).Draw(t, "enum")
	}, func(v name) string { return string(v) }, func(a, b name) int { return strings.Compare(string(a), string(b)) }),
	newKind("Uint20", Uint(20), func(t *rapid.T, _ byte) uint64 { return rapid.Uint64().Draw(t, "uint") },
		func(v uint64) string { return fmt.Sprintf("%020d", v) }, cmp.Compare[uint64]).
		with(func(k *kind) {
			k.width, k.numeric = 20, true
			k.native = func(v any) any { return asRat(new(big.Int).SetUint64(*v.(*uint64))) }
		}),
	newKind("UintOf3", UintOf[level](3), func(t *rapid.T, _ byte) level { return level(rapid.Uint8().Draw(t, "level")) },
		func(v level) string { return fmt.Sprintf("%03d", v) }, cmp.Compare[level]).
		with(func(k *kind) {
			k.width, k.numeric = 3, true
			k.native = func(v any) any { return asRat(new(big.Int).SetUint64(uint64(*v.(*level)))) }
		}),
	newKind("Int19", Int(19), func(t *rapid.T, _ byte) int64 { return rapid.Int64().Draw(t, "int") },
		slowInt[int64](19), cmp.Compare[int64]).
		with(func(k *kind) {
			k.width, k.numeric = 20, true
			k.native = func(v any) any { return asRat(big.NewInt(*v.(*int64))) }
		}),
	newKind("IntOf2", IntOf[delta](2), func(t *rapid.T, _ byte) delta { return delta(rapid.IntRange(-99, 99).Draw(t, "delta")) },
		slowInt[delta](2), cmp.Compare[delta]).
		with(func(k *kind) {
			k.width, k.numeric = 3, true
			k.native = func(v any) any { return asRat(big.NewInt(int64(*v.(*delta)))) }
		}),
	newKind("Float64", Float64, func(t *rapid.T, _ byte) float64 {
		v := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-130, -1e-130, 9e125,
			math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64})).Draw(t, "float")
		if math.IsNaN(v) || v == 0 {
			return 0
		}
		return v
	}, func(v float64) string {
		bits := math.Float64bits(v)
		if math.Signbit(v) {
			return fmt.Sprintf("%016X", ^bits)
		}
		return fmt.Sprintf("%016X", bits|1<<63)
	}, cmp.Compare[float64]).
		with(func(k *kind) {
			k.width, k.numeric = 16, true
			k.native = func(v any) any {
				f := *v.(*float64)
				if m := math.Abs(f); math.IsInf(f, 0) || m >= 1e126 || m < 1e-130 && m != 0 {
					return nil
				}
				r, _ := new(big.Rat).SetString(fmt.Sprintf("%.17g", f))
				if s, _ := new(big.Rat).SetString(fmt.Sprint(f)); s != nil {
					r = s
				}
				return r
			}
		}),
	newKind("Bool", Bool, func(t *rapid.T, _ byte) bool { return rapid.Bool().Draw(t, "bool") },
		func(v bool) string {
			if v {
				return "1"
			}
			return "0"
		}, func(a, b bool) int {
			return map[[2]bool]int{{false, true}: -1, {true, false}: +1}[[2]bool{a, b}]
		}).with(func(k *kind) { k.width, k.numeric = 1, true }),
	newKind("Bytes", Bytes, func(t *rapid.T, _ byte) []byte {
		return rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 0x23, 0x7F, 0xFE, 0xFF}), 1, 3).Draw(t, "bytes")
	}, func(v []byte) string { return fmt.Sprintf("%X", v) }, bytes.Compare).
		with(func(k *kind) {
			k.numeric = true
			k.native = func(v any) any { return *v.(*[]byte) }
		}),
	newKind("Day", Day, func(t *rapid.T, _ byte) Date {
		return DateOf(time.Unix(rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(-719528, 2932896)).Draw(t, "day")*86400, 0).UTC())
	}, func(v Date) string { return fmt.Sprintf("%04d-%02d-%02d", v.Year, int(v.Month), v.Day) }, Date.Compare).
		with(func(k *kind) { k.width = 10 }),
	timeKind("Second", Second, time.Second, "2006-01-02T15:04:05"),
	timeKind("Milli", Milli, time.Millisecond, "2006-01-02T15:04:05.000"),
	timeKind("Micro", Micro, time.Microsecond, "2006-01-02T15:04:05.000000"),
	timeKind("Nano", Nano, time.Nanosecond, "2006-01-02T15:04:05.000000000"),
	newKind("Text", Text[netip.Addr](), func(t *rapid.T, _ byte) netip.Addr {
		return rapid.SampledFrom([]netip.Addr{netip.MustParseAddr("::1"), netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("9.0.0.1"), netip.MustParseAddr("fe80::1%eth0")}).Draw(t, "addr")
	}, netip.Addr.String, func(a, b netip.Addr) int { return strings.Compare(a.String(), b.String()) }).
		with(func(k *kind) { k.unordered = true }),
	newKind("OrderedText", OrderedText[Date](), func(t *rapid.T, _ byte) Date {
		return Date{2026, time.January, 1}.AddDays(rapid.IntRange(0, 40).Draw(t, "day"))
	}, Date.String, Date.Compare),
	newKind("Fold", Fold(String), func(t *rapid.T, d byte) string { return slowFold(someText(t, d)) },
		func(v string) string { return v }, strings.Compare),
	newKind("user, fixed width", pair{}, func(t *rapid.T, _ byte) [2]byte {
		c := rapid.SampledFrom([]byte("&#-0AZ~\x7F"[1:]))
		return [2]byte{max(c.Draw(t, "first"), '&'), max(c.Draw(t, "second"), '&')}
	}, func(v [2]byte) string { return string(v[:]) }, func(a, b [2]byte) int { return bytes.Compare(a[:], b[:]) }).
		with(func(k *kind) { k.width = 2 }),
	newKind("user, scribbling", boxed{}, func(t *rapid.T, d byte) name { return name(someText(t, d)) },
		func(v name) string { return string(v) }, func(a, b name) int { return strings.Compare(string(a), string(b)) }),
}

func slowInt[T ~int64 | ~int16](width int) func(T) string {
	return func(v T) string {
		if v >= 0 {
			return fmt.Sprintf("0%0*d", width, v)
		}
		return "-" + strings.Map(func(d rune) rune { return '9' - d + '0' }, fmt.Sprintf("%0*s", width, fmt.Sprint(v)[1:]))
	}
}

// slowFold folds what is decomposed, by a search through the orbits of
// unicode.SimpleFold.
func slowFold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if r != '\u0345' {
			r = slowFoldRune(r)
		}
		b.WriteRune(r)
	}
	return strings.ReplaceAll(norm.NFC.String(b.String()), "\u0345", "ι")
}

// scheme is a template drawn at random, its codecs, and the composite.
type scheme struct {
	b        base
	template string
	delim    byte
	literals []string
	kinds    []kind
}

// names of placeholders.
var names = []string{"a", "b", "c", "d", "e", "f"}

func drawScheme(t *rapid.T, some []kind) scheme {
	var s scheme
	n := rapid.IntRange(1, 3).Draw(t, "placeholders")
	s.delim = rapid.SampledFrom([]byte("###$! \"-/:|~&")).Draw(t, "delimiter")
	word := func(label string, delimited bool) string {
		w := string(rapid.SliceOfN(rapid.SampledFrom([]rune("ABz9é中\uFFFD")), 0, 2).Draw(t, label))
		if delimited {
			w = string(rune(s.delim)) + w
		}
		if len(w) > 1 && rapid.Bool().Draw(t, "delimiter again") {
			w += string(rune(s.delim))
		}
		return w
	}
	s.literals = []string{word("first literal", false)}
	// Where nothing would say which delimiter it is, # is.
	lastLiteral := rapid.Bool().Draw(t, "last literal")
	if n == 1 && !lastLiteral {
		if s.literals[0] == "" {
			s.delim = '#'
		} else {
			s.literals[0] += string(rune(s.delim))
		}
	}
	// Close to the 1024 bytes of a sort key the bound does not fit any more.
	if rapid.IntRange(0, 3).Draw(t, "near the limit") == 0 {
		s.literals[0] = strings.Repeat("P", max(0, maxSortKey-rapid.IntRange(1, 24).Draw(t, "room")-len(s.literals[0]))) + s.literals[0]
	}
	s.template = s.literals[0]
	var segments []segment
	for i := range n {
		k := rapid.SampledFrom(some).Draw(t, "codec")
		s.kinds, segments = append(s.kinds, k), append(segments, k.segment())
		literal := ""
		if i < n-1 || lastLiteral {
			literal = word("literal", true)
		}
		s.literals = append(s.literals, literal)
		s.template += "<" + names[i] + ">" + literal
	}
	b, err := compileWith(s.template, func(b base) base { return b }, segments...)
	if err != nil {
		t.Fatalf("%q: %v", s.template, err)
	}
	if b.lay.delim != s.delim {
		t.Fatalf("%q: delimiter %q, want %q", s.template, b.lay.delim, s.delim)
	}
	s.b = b
	return s
}

// drawRecord draws values, each from a few, so that values meet again.
func (s scheme) drawPools(t *rapid.T) [][]any {
	pools := make([][]any, len(s.kinds))
	for i, k := range s.kinds {
		for range 3 {
			pools[i] = append(pools[i], k.draw(t, s.delim))
		}
	}
	return pools
}

func drawRecord(t *rapid.T, pools [][]any) []any {
	var record []any
	for _, pool := range pools {
		record = append(record, rapid.SampledFrom(pool).Draw(t, "value"))
	}
	return record
}

// text is the slow text of a key.
func (s scheme) text(record []any) string {
	text := s.literals[0]
	for i, k := range s.kinds {
		text += k.stored(record[i], s.delim) + s.literals[i+1]
	}
	return text
}

// last reports whether nothing follows placeholder i.
func (s scheme) last(i int) bool { return i == len(s.kinds)-1 && s.literals[i+1] == "" }

// ordered reports whether ranges over placeholder i are answers.
func (s scheme) ordered(i int) bool {
	k := s.kinds[i]
	switch {
	case k.unordered:
		return false
	case k.verbatim:
		return s.last(i)
	}
	return k.width > 0 || s.delim < '%'
}

// sorts reports whether keys sort as their values do, field by field.
func (s scheme) sorts() bool {
	for i, k := range s.kinds {
		if k.unordered || s.delim > '%' && k.width == 0 || k.verbatim && !s.last(i) {
			return false
		}
	}
	return true
}

func (s scheme) compare(a, b []any) int {
	for i, k := range s.kinds {
		if c := k.compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "?")
}
