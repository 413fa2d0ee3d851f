package keys

import (
	"flag"
	"fmt"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	update      = flag.Bool("update", false, "write the golden files anew, but not the stored bytes")
	breakStored = flag.Bool("break-stored-keys", false, "with -update: write the stored bytes anew, so that no key written before is found again")
)

// golden compares got with a file, or writes it.
func golden(t *testing.T, file, got string, write bool) {
	t.Helper()
	path := filepath.Join("..", "testdata", "keys", file)
	if write {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// goldenKey is one line: what was declared, the value, and the bytes.
func goldenKey(b *strings.Builder, codec, value string, key Key) {
	text := fmt.Sprintf("%+q", key.String())
	if key.Err() != nil {
		text = "refused"
	}
	fmt.Fprintf(b, "%-34s %-44s %s\n", codec, value, text)
}

func goldenCodec[V any](b *strings.Builder, codec string, c Codec[V], values ...V) {
	composite := MustCompile1("<v>", c)
	for _, v := range values {
		value := fmt.Sprint(any(v))
		if _, ok := any(v).(fmt.Stringer); !ok {
			value = fmt.Sprintf("%+q", fmt.Sprint(any(v)))
		}
		goldenKey(b, codec, value, composite.Key(v))
	}
}

// The bytes of a codec are for ever: a key that was written by another version of
// the package must be found. This file changes by new lines alone.
func TestStoredBytes(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Stored bytes of every codec, alone in a template with the delimiter #.\n# They are for ever. A changed line means keys that nobody finds again.\n\n")

	goldenCodec(&b, "String", String, "a", "w-2314", "Ann Lee", "a#b", "100%", "%23", "\x00\x01\x1F", " !\"#$%&", "\x7F\u0080", "é", "e\u0301", "\u07FF\u0800", "中文",
		"\uD7FF\uE000", "\uFFFD", "\uFFFE", "\uFFFF", "\U00010000", "😀", "\U0010FFFF", "", "\xFF")
	goldenCodec(&b, "StringOf", StringOf[name](), "Ann Lee")
	goldenCodec(&b, "Verbatim", Verbatim, "Ann Lee", "100%", "\x00", "\uFFFE", "a#b", "\uFFFF", "😀")
	goldenCodec(&b, "Enum(OPEN, IN WORK, DONE)", Enum("OPEN", "IN WORK", "DONE"), "OPEN", "IN WORK", "DONE", "LOST", "")
	goldenCodec(&b, "Uint(1)", Uint(1), 0, 9, 10)
	goldenCodec(&b, "Uint(5)", Uint(5), 0, 42, 99999, 100000)
	goldenCodec(&b, "Uint(20)", Uint(20), 0, 1, math.MaxUint64)
	goldenCodec(&b, "UintOf[uint8](3)", UintOf[uint8](3), 0, 7, 255)
	goldenCodec(&b, "Int(4)", Int(4), -9999, -1000, -42, -1, 0, 1, 42, 9999, 10000, -10000)
	goldenCodec(&b, "Int(19)", Int(19), math.MinInt64, -1, 0, 1, math.MaxInt64)
	goldenCodec(&b, "IntOf[int8](3)", IntOf[int8](3), -128, -1, 0, 127)
	goldenCodec(&b, "Float64", Float64, math.Inf(-1), -math.MaxFloat64, -1.5, -math.SmallestNonzeroFloat64, math.Copysign(0, -1), 0,
		math.SmallestNonzeroFloat64, 1, 1.5, math.Pi, math.MaxFloat64, math.Inf(1), math.NaN())
	goldenCodec(&b, "Bool", Bool, false, true)
	goldenCodec(&b, "Bytes", Bytes, []byte{0}, []byte{0x00, 0x23, 0xFF}, nil)
	goldenCodec(&b, "Day", Day, Date{0, 1, 1}, Date{1, 1, 1}, Date{1969, 7, 20}, Date{2024, 2, 29}, Date{2026, 1, 31}, Date{9999, 12, 31}, Date{2026, 2, 29}, Date{10000, 1, 1}, Date{})
	instant := time.Date(2026, 8, 22, 1, 0, 0, 123456789, time.FixedZone("", 9*3600))
	for i, p := range []Precision{Second, Milli, Micro, Nano} {
		goldenCodec(&b, "Time("+[]string{"Second", "Milli", "Micro", "Nano"}[i]+")", Time(p), instant, time.Unix(0, 0).UTC(), time.Unix(-1, 999999999).UTC(),
			time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC), time.Time{}, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
	}
	goldenCodec(&b, "Text[netip.Addr]", Text[netip.Addr](), netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("fe80::1%eth0"), netip.Addr{})
	goldenCodec(&b, "OrderedText[keys.Date]", OrderedText[Date](), Date{2026, 1, 31}, Date{})
	goldenCodec(&b, "Fold(String)", Fold(String), "Ann.Lee@Example.COM", "É", "E\u0301", "STRASSE", "STRAẞE", "Straße", "ΣΊΣΥΦΟΣ", "İ", "ı", "ſ\u212A", "Ǆ", "Å", "")
	goldenCodec(&b, "Fold(Enum(a, b))", Fold(Enum("a", "b")), "A", "b", "C")
	goldenCodec(&b, "Fold(Verbatim)", Fold(Verbatim), "AB 123 C")

	b.WriteString("\n# Templates: delimiters, literals, fixed widths.\n\n")
	day := Date{2026, 1, 31}
	goldenKey(&b, "STATUS#<status>#<day>#<id>", "OPEN, 2026-01-31, w-2314", MustCompile3("STATUS#<status>#<day>#<id>", String, Day, String).Key("OPEN", day, "w-2314"))
	goldenKey(&b, "<day>-<id>", "2026-01-31, w-1", MustCompile2("<day>-<id>", Day, String).Key(day, "w-1"))
	goldenKey(&b, "USER/<id>", "a/b#c", MustCompile1("USER/<id>", String).Key("a/b#c"))
	goldenKey(&b, "USER <id>", "a b", MustCompile1("USER <id>", String).Key("a b"))
	goldenKey(&b, "user:<id>:v1", "a:b", MustCompile1("user:<id>:v1", String).Key("a:b"))
	goldenKey(&b, "A#<a>#B#<b>#", "é, 中", MustCompile2("A#<a>#B#<b>#", String, String).Key("é", "中"))
	goldenKey(&b, "PROFILE", "", Literal("PROFILE").Key())

	if *update && !*breakStored {
		t.Fatal("-update does not touch stored bytes: keys that are written already would never be found again; -break-stored-keys says that this is meant")
	}
	golden(t, "stored.txt", b.String(), *update && *breakStored)
}

// The bounds of every range, beside the table of the package documentation.
func TestBoundsTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("# The bounds of every range, as they are sent. Compare with the table in the package documentation.\n")
	section := func(title string, ranges ...any) {
		fmt.Fprintf(&b, "\n%s\n", title)
		for i := 0; i < len(ranges); i += 2 {
			r := ranges[i+1].(Range)
			op, lo, hi, err := r.Condition()
			line := ""
			switch {
			case err != nil:
				line = "refused: " + err.Error()
			case op == OpAll:
				line = "no condition"
			case op == OpNever:
				line = "nothing is sent"
			case op == OpEqual:
				line = fmt.Sprintf("=           %+q", lo)
			case op == OpBeginsWith:
				line = fmt.Sprintf("begins_with %+q", lo)
			case op == OpBetween:
				line = fmt.Sprintf("BETWEEN     %-28s AND %+q", fmt.Sprintf("%+q", lo), hi)
			case op == OpAtMost:
				line = fmt.Sprintf("<=          %+q", hi)
			}
			fmt.Fprintf(&b, "  %-24s %s\n", ranges[i], line)
		}
	}

	two := MustCompile2("P#<a>#L#<b>", String, String)
	section("not last: P#<a>#L#<b>",
		"All", two.All(), "Between(Ann, Bob)", two.Between("Ann", "Bob"), "Between(Ann, Ann)", two.Between("Ann", "Ann"), "Between(Bob, Ann)", two.Between("Bob", "Ann"),
		"Within(Ann, Bob)", two.Within("Ann", "Bob"), "Within(Ann, Ann)", two.Within("Ann", "Ann"), "From(Ann)", two.From("Ann"), "After(Ann)", two.After("Ann"),
		"To(Bob)", two.To("Bob"), "Before(Bob)", two.Before("Bob"), "StartsWith(A)", two.StartsWith("A"), "StartsWith()", two.StartsWith(""),
		"At(Ann).All", two.At("Ann").All(), "Key.Exact", two.Key("Ann", "1").Exact(), "Key.Tree", two.Key("Ann", "1").Tree())

	one := MustCompile1("P#<a>", String)
	section("last: P#<a>",
		"All", one.All(), "Between(Ann, Bob)", one.Between("Ann", "Bob"), "Within(Ann, Bob)", one.Within("Ann", "Bob"), "Within(Ann, Ann)", one.Within("Ann", "Ann"),
		"From(Ann)", one.From("Ann"), "After(Ann)", one.After("Ann"), "To(Bob)", one.To("Bob"), "Before(Bob)", one.Before("Bob"), "StartsWith(A)", one.StartsWith("A"),
		"Key.Tree", one.Key("Ann").Tree())

	bare := MustCompile1("<a>", String)
	section("last, nothing before: <a>",
		"All", bare.All(), "Between(Ann, Bob)", bare.Between("Ann", "Bob"), "Within(Ann, Bob)", bare.Within("Ann", "Bob"),
		"From(Ann)", bare.From("Ann"), "After(Ann)", bare.After("Ann"), "To(Bob)", bare.To("Bob"), "Before(Bob)", bare.Before("Bob"), "StartsWith(A)", bare.StartsWith("A"),
		"StartsWith()", bare.StartsWith(""))

	first := MustCompile2("<a>#<b>", String, String)
	section("not last, nothing before: <a>#<b>", "All", first.All(), "To(Bob)", first.To("Bob"), "Before(Bob)", first.Before("Bob"), "From(Ann)", first.From("Ann"))

	section("the greatest text below: P#<a>",
		"Before(a)", one.Before("a"), "Before(é)", one.Before("é"), "Before(U+0080)", one.Before("\u0080"), "Before(U+0800)", one.Before("\u0800"), "Before(U+E000)", one.Before("\uE000"),
		"Before(U+0000)", one.Before("\x00"), "Before(U+10000)", one.Before("\U00010000"))

	dashed := MustCompile2("<day>-<id>", Day, String)
	day := Date{2026, 1, 31}
	section("delimiter above %, fixed width: <day>-<id>",
		"Between(31st, 31st)", dashed.Between(day, day), "After(31st)", dashed.After(day), "Before(31st)", dashed.Before(day), "StartsWith(2026-01)", dashed.StartsWith("2026-01"),
		"At(31st).All", dashed.At(day).All(), "At(31st).From(w-1)", dashed.At(day).From("w-1"), "At(31st).StartsWith(w-)", dashed.At(day).StartsWith("w-"), "Key.Tree", dashed.Key(day, "w-1").Tree())

	byDay := MustCompile1("DAY/<day>", Day)
	section("delimiter above %, fixed width, last: DAY/<day>", "After(31st)", byDay.After(day), "Key.Tree", byDay.Key(day).Tree())

	raw, rawLast := MustCompile2("U#<a>#<b>", Verbatim, String), MustCompile1("U:<a>", Verbatim)
	section("verbatim: U#<a>#<b>", "From(Ann)", raw.From("Ann"), "StartsWith(A)", raw.StartsWith("A"), "At(Ann).From(1)", raw.At("Ann").From("1"), "Key.Tree", raw.Key("Ann", "1").Tree())
	section("verbatim, last: U:<a>", "From(Ann)", rawLast.From("Ann"), "After(Ann)", rawLast.After("Ann"), "Before(U+0000)", rawLast.Before("\x00"), "Key.Tree", rawLast.Key("Ann").Tree())

	rawHash := MustCompile1("U#<a>", Verbatim)
	section("verbatim, last, delimiter below %: U#<a>", "After(Ann)", rawHash.After("Ann"), "To(Ann)", rawHash.To("Ann"))

	section("PROFILE", "All", Literal("PROFILE").All(), "Key.Tree", Literal("PROFILE").Key().Tree())

	b.WriteString("\nclose to the 1024 bytes of a sort key: P is as many bytes shorter\n")
	for room := 1; room <= 6; room++ {
		p := strings.Repeat("P", maxSortKey-1-room) + "#"
		c := MustCompile2(p+"<a>#<b>", String, String)
		l := MustCompile1(p+"<a>", String)
		for _, r := range []struct {
			name string
			Range
		}{{"From(a), upper", l.From("a")}, {"To(a), not last, upper", c.To("a")}, {"After(a), lower", l.After("a")}, {"After(a), not last, lower", c.After("a")}, {"Before(b), upper", l.Before("b")}} {
			lo, hi := r.Bounds()
			text := hi
			if strings.HasSuffix(r.name, "lower") {
				text = lo
			}
			line := fmt.Sprintf("P %+q", strings.TrimPrefix(text, p))
			if r.Err() != nil {
				line = "refused: too long"
			}
			fmt.Fprintf(&b, "  %d  %-26s %s\n", room, r.name, line)
		}
	}
	golden(t, "bounds.txt", b.String(), *update)
}
