package keys

import (
	"cmp"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Keys: they are what the slow reference writes, are read back, differ where the
// values differ, and sort as the values do, field by field.
func TestKeyProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScheme(t, kinds)
		pools := s.drawPools(t)
		a, b := drawRecord(t, pools), drawRecord(t, pools)

		key := s.b.KeyFrom(a...)
		if err := key.Err(); err != nil {
			t.Fatalf("%q: %v", s.template, err)
		}
		if want := s.text(a); key.String() != want {
			t.Fatalf("%q: key %q, want %q", s.template, key, want)
		}

		back := make([]any, len(a))
		for i, k := range s.kinds {
			back[i] = k.fresh()
		}
		if err := s.b.ParseInto(key.String(), back...); err != nil {
			t.Fatalf("%q: parse %q: %v", s.template, key, err)
		}
		if s.compare(a, back) != 0 {
			t.Fatalf("%q: %q parsed as another value", s.template, key)
		}
		if !s.b.Matches(key.String()) {
			t.Fatalf("%q does not match its own key %q", s.template, key)
		}
		if again, err := s.b.ParseKey(key.String()); again != key || err != nil {
			t.Fatalf("%q: ParseKey(%q) = %q, %v", s.template, key, again, err)
		}

		other := s.b.KeyFrom(b...)
		same := s.compare(a, b) == 0
		if (key == other) != same || (key.String() == other.String()) != same {
			t.Fatalf("%q: keys %q and %q, but values equal: %v", s.template, key, other, same)
		}
		if s.sorts() && key.Compare(other) != s.compare(a, b) {
			t.Fatalf("%q: %q compares %d to %q, the values %d", s.template, key, key.Compare(other), other, s.compare(a, b))
		}
		if got, err := s.b.Composes(key.String(), b...); got != same || err != nil {
			t.Fatalf("%q: Composes(%q) = %v, %v, want %v", s.template, key, got, err, same)
		}

		// Narrowed, it is the same key, and parses the whole of it.
		narrowed := s.kinds[0].at(s.b, a[0])
		if got := narrowed.KeyFrom(a[1:]...); got != key {
			t.Fatalf("%q: narrowed key %q, want %q", s.template, got, key)
		}
		if err := narrowed.ParseInto(key.String(), back[1:]...); err != nil {
			t.Fatalf("%q: narrowed parse of %q: %v", s.template, key, err)
		}
		if got, want := narrowed.Matches(other.String()), s.kinds[0].compare(a[0], b[0]) == 0; got != want {
			t.Fatalf("%v: Matches(%q) = %v, want %v", narrowed, other, got, want)
		}
	})
}

// Ranges: a key is in a range exactly when its values satisfy it.
func TestRangeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScheme(t, kinds)
		pools := s.drawPools(t)
		given := drawRecord(t, pools)
		open := rapid.IntRange(0, len(s.kinds)-1).Draw(t, "open")
		k := s.kinds[open]
		b := s.b
		for i := range open {
			b = s.kinds[i].at(b, given[i])
		}
		prefix := s.literals[0]
		for i := range open {
			prefix += s.kinds[i].stored(given[i], s.delim) + s.literals[i+1]
		}
		lo, hi := rapid.SampledFrom(pools[open]).Draw(t, "lo"), rapid.SampledFrom(pools[open]).Draw(t, "hi")
		f := rapid.SampledFrom(orderedForms).Draw(t, "form")
		r := k.ranged(b, f, lo, hi)

		switch err := r.Err(); {
		case !s.ordered(open):
			if !errors.Is(err, ErrUnordered) {
				t.Fatalf("%q: %v over <%s>: error %v, want ErrUnordered", s.template, f, names[open], err)
			}
			return
		case f <= within && k.compare(lo, hi) > 0:
			if !errors.Is(err, ErrRange) {
				t.Fatalf("%q: %v(%q, %q): error %v, want ErrRange", s.template, f, k.plain(lo), k.plain(hi), err)
			}
			return
		case err != nil:
			// Only an operand that no sort key has room for is too long.
			longest := len(prefix) + max(len(k.stored(lo, s.delim)), len(k.stored(hi, s.delim))) + len(s.literals[open+1])
			if !errors.Is(err, ErrTooLong) || longest <= maxSortKey {
				t.Fatalf("%q: %v: %v, but the longest bound has %d bytes", s.template, f, err, longest)
			}
			return
		}

		mayTake := func(record []any) bool {
			for i := range open {
				if s.kinds[i].compare(record[i], given[i]) != 0 {
					return false
				}
			}
			return true
		}
		for range 4 {
			record := drawRecord(t, pools)
			key := s.text(record)
			if len(key) > maxSortKey {
				continue // cannot be stored
			}
			want := mayTake(record) && slowHolds(f, k.compare(record[open], lo), k.compare(record[open], hi))
			if got := r.Contains(key); got != want {
				lower, upper := r.Bounds()
				t.Fatalf("%q: %v(%q, %q).Contains(%q) = %v, want %v\nbounds %q\n       %q", s.template, f, k.plain(lo), k.plain(hi), key, got, want, lower, upper)
			}
			if got := b.All().Contains(key); got != mayTake(record) {
				t.Fatalf("%v: All().Contains(%q) = %v", b, key, got)
			}
			checkParts(t, s, r, record, want)
		}
	})
}

// StartsWith takes the keys whose value begins with the text.
func TestStartsWithProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScheme(t, kinds)
		pools := s.drawPools(t)
		k := s.kinds[0]
		of := k.plain(rapid.SampledFrom(pools[0]).Draw(t, "whose"))
		text := string([]rune(of)[:rapid.IntRange(0, len([]rune(of))).Draw(t, "length")])
		r := k.startsWith(s.b, text)
		if k.numeric {
			if !errors.Is(r.Err(), ErrUnordered) {
				t.Fatalf("%s: StartsWith(%q): %v, want ErrUnordered", k.name, text, r.Err())
			}
			return
		}
		if err := r.Err(); errors.Is(err, ErrTooLong) && len(s.literals[0])+len(slowEscape(text, s.delim)) > maxSortKey {
			return
		} else if err != nil {
			t.Fatalf("%q: StartsWith(%q): %v", s.template, text, err)
		}
		for range 3 {
			record := drawRecord(t, pools)
			key := s.text(record)
			want := strings.HasPrefix(k.plain(record[0]), slowPrefix(k, text))
			if got := r.Contains(key); got != want {
				t.Fatalf("%q: StartsWith(%q).Contains(%q) = %v, want %v", s.template, text, key, got, want)
			}
			checkParts(t, s, r, record, want)
			if lo, hi := r.Bounds(); len(key) <= maxSortKey && (lo <= key && key <= hi) != want {
				t.Fatalf("%q: StartsWith(%q): bounds %q, %q and key %q", s.template, text, lo, hi, key)
			}
		}
	})
}

func slowPrefix(k kind, text string) string {
	if k.name == "Fold" {
		return slowFold(text)
	}
	return text
}

// checkParts judges the range by its conditions on attributes, as DynamoDB would.
func checkParts(t *rapid.T, s scheme, r Range, record []any, want bool) {
	parts, err := r.Parts()
	values := map[string]any{}
	unstorable := false
	for i, k := range s.kinds {
		v := k.native(record[i])
		values[names[i]] = v
		unstorable = unstorable || v == nil
	}
	if err != nil {
		if !slices.ContainsFunc(s.kinds, func(k kind) bool { return k.name == "Float64" }) {
			t.Fatalf("%q: %v: parts: %v", s.template, r, err)
		}
		return
	}
	if unstorable || r.IsEmpty() {
		return
	}
	got := true
	for _, p := range parts {
		got = got && satisfies(t, values[p.Name], p)
	}
	if got != want {
		t.Fatalf("%q: %v: parts %+v take %q: %v, want %v", s.template, r, parts, s.text(record), got, want)
	}
}

func satisfies(t *rapid.T, v any, p Part) bool {
	compare := func(operand string) int {
		switch p.Type {
		case PartNumber:
			n, ok := new(big.Rat).SetString(operand)
			if !ok {
				t.Fatalf("%+v: %q is no number", p, operand)
			}
			return v.(*big.Rat).Cmp(n)
		case PartBinary:
			return strings.Compare(string(v.([]byte)), operand)
		}
		if validText(operand) != operand {
			t.Fatalf("%+v: operand is not UTF-8", p)
		}
		return cmp.Compare(v.(string), operand)
	}
	switch p.Op {
	case PartEqual:
		return compare(p.Lo) == 0
	case PartBetween:
		if compare(p.Lo) < 0 && compare(p.Hi) > 0 {
			t.Fatalf("%+v: lower above upper", p)
		}
		return compare(p.Lo) >= 0 && compare(p.Hi) <= 0
	case PartBeginsWith:
		return strings.HasPrefix(v.(string), p.Lo)
	case PartAtLeast:
		return compare(p.Lo) >= 0
	case PartAbove:
		return compare(p.Lo) > 0
	case PartAtMost:
		return compare(p.Hi) <= 0
	case PartBelow:
		return compare(p.Hi) < 0
	}
	panic("no such operator")
}

// The values of a key are its parts.
func TestKeyParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScheme(t, kinds)
		pools := s.drawPools(t)
		record, other := drawRecord(t, pools), drawRecord(t, pools)
		key := s.b.KeyFrom(record...)
		parts, err := key.Parts()
		if err == nil && len(parts) != len(s.kinds) {
			t.Fatalf("%q: parts %+v", s.template, parts)
		}
		if len(key.String()) <= maxSortKey {
			checkParts(t, s, key.Exact(), other, s.compare(record, other) == 0)
		}
	})
}

// Tree takes the key and what hangs below it, and no sibling.
func TestTreeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScheme(t, kinds)
		pools := s.drawPools(t)
		record := drawRecord(t, pools)
		key := s.b.KeyFrom(record...)
		n := len(s.kinds) - 1
		refused := slices.ContainsFunc(s.kinds, func(k kind) bool { return k.verbatim }) ||
			s.last(n) && s.kinds[n].width == 0 && s.delim > '%'
		r := key.Tree()
		if refused || len(key.String()) > maxSortKey {
			if err := r.Err(); refused && !errors.Is(err, ErrUnordered) || !refused && !errors.Is(err, ErrTooLong) {
				t.Fatalf("%q: Tree of %q: %v", s.template, key, err)
			}
			return
		}
		if err := r.Err(); err != nil {
			t.Fatalf("%q: Tree of %q: %v", s.template, key, err)
		}
		if !r.Contains(key.String()) {
			t.Fatalf("Tree of %q is without its root", key)
		}
		// A child goes on with the delimiter and any text that a key can have.
		child := key.String() + string(rune(s.delim)) + slowEscape(someText(t, s.delim), s.delim)
		if len(child) <= maxSortKey && !r.Contains(child) {
			t.Fatalf("Tree of %q is without %q", key, child)
		}
		if sibling := s.text(drawRecord(t, pools)); sibling != key.String() && r.Contains(sibling) {
			t.Fatalf("Tree of %q has the sibling %q", key, sibling)
		}
		if e := key.Exact(); !e.Contains(key.String()) || e.Contains(child) {
			t.Fatalf("Exact of %q: %v", key, e)
		}
	})
}

// No key of another template is inside a range, unless the other one begins as
// this one does; and even of those, none whose text at the open placeholder is
// outside the operands.
func TestRangeKeepsOthersOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		few := []kind{kinds[0], kinds[3], kinds[9], kinds[11]}
		s, o := drawScheme(t, few), drawScheme(t, few)
		pools := s.drawPools(t)
		k := s.kinds[0]
		lo, hi := rapid.SampledFrom(pools[0]).Draw(t, "lo"), rapid.SampledFrom(pools[0]).Draw(t, "hi")
		f := rapid.SampledFrom(orderedForms).Draw(t, "form")
		r := k.ranged(s.b, f, lo, hi)
		if r.Err() != nil {
			return
		}
		other := o.text(drawRecord(t, o.drawPools(t)))
		if rapid.Bool().Draw(t, "extends") {
			other = s.text(drawRecord(t, pools)) + string(rune(s.delim)) + other
		}
		if len(other) > maxSortKey || !r.Contains(other) {
			return
		}
		rest, ok := strings.CutPrefix(other, s.literals[0])
		if !ok && s.literals[0] != "" {
			t.Fatalf("%q: %v(%q, %q) contains %q", s.template, f, k.plain(lo), k.plain(hi), other)
		}
		if s.literals[0] != "" && s.delim < '%' && o.delim == s.delim && k.width == 0 {
			segment, _, _ := strings.Cut(rest, string(rune(s.delim)))
			a, b := k.stored(lo, s.delim), k.stored(hi, s.delim)
			if segment != "" && !slowHolds(f, strings.Compare(segment, a), strings.Compare(segment, b)) {
				t.Fatalf("%q: %v(%q, %q) contains %q", s.template, f, a, b, other)
			}
		}
	})
}

// Overlaps never says no where a text is a key of both.
func TestOverlapsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, o := drawScheme(t, kinds), drawScheme(t, kinds)
		text := s.text(drawRecord(t, s.drawPools(t)))
		if o.b.Matches(text) && !s.b.Overlaps(o.b) {
			t.Fatalf("%q and %q both write %q", s.template, o.template, text)
		}
		if s.b.Overlaps(o.b) != o.b.Overlaps(s.b) {
			t.Fatalf("%q and %q overlap one way only", s.template, o.template)
		}
		if !s.b.Overlaps(s.b) {
			t.Fatalf("%q does not overlap itself", s.template)
		}
	})
}

// Where a template can write a few texts only, Overlaps is exact.
func TestOverlapsIsExactForEnums(t *testing.T) {
	words := []string{"A", "B", "AB", "A#B", "A#", "é"}
	rapid.Check(t, func(t *rapid.T) {
		texts := func() (base, []string) {
			values := rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, 3, rapid.ID[string]).Draw(t, "values")
			literal := rapid.SampledFrom([]string{"", "A", "A#", "A#B#"}).Draw(t, "literal")
			tail := rapid.SampledFrom([]string{"", "#", "#B", "#A#B"}).Draw(t, "tail")
			c, err := Compile1(literal+"<v>"+tail, Enum(values...))
			if err != nil {
				t.Fatal(err)
			}
			delim := byte('#')
			if literal == "" || tail != "" || literal == "A" {
				delim = '#'
			}
			var all []string
			for _, v := range values {
				all = append(all, literal+slowEscape(v, delim)+tail)
			}
			return c.base, all
		}
		a, as := texts()
		b, bs := texts()
		want := slices.ContainsFunc(as, func(s string) bool { return slices.Contains(bs, s) })
		if got := a.Overlaps(b); got != want {
			t.Fatalf("%q overlaps %q: %v, want %v", as, bs, got, want)
		}
	})
}

// A text is a key of a template exactly when what is parsed from it composes it.
func TestParseProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScheme(t, kinds)
		text := s.text(drawRecord(t, s.drawPools(t)))
		// One byte of damage.
		i := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		c := rapid.SampledFrom([]string{"", "#", "%", "%23", "\xFF", "a", "\uFFFE", "\uFFFF", "0", " "}).Draw(t, "damage")
		text = text[:i] + c + text[i+rapid.IntRange(0, 1).Draw(t, "cut"):]

		values := make([]any, len(s.kinds))
		for i, k := range s.kinds {
			values[i] = k.fresh()
		}
		err := s.b.ParseInto(text, values...)
		if got := s.b.Matches(text); got != (err == nil) {
			t.Fatalf("%q: Matches(%q) = %v, but parsing gives %v", s.template, text, got, err)
		}
		if _, err2 := s.b.ParseKey(text); (err == nil) != (err2 == nil) {
			t.Fatalf("%q: ParseKey(%q): %v, but parsing gives %v", s.template, text, err2, err)
		}
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Template != s.template || e.Value != text || e.Offset < 0 || e.Offset > len(text) {
				t.Fatalf("%q: parse %q: %#v", s.template, text, err)
			}
			for i, k := range s.kinds {
				if k.name == "String" && *values[i].(*string) != "" {
					t.Fatalf("%q: parse %q failed, but stored", s.template, text)
				}
			}
			return
		}
		if got := s.b.KeyFrom(values...); got.String() != text {
			t.Fatalf("%q: %q parses, but is written %q: %v", s.template, text, got, got.Err())
		}
	})
}
