package keys

import (
	"errors"
	"strings"
	"testing"
)

// Close to the 1024 bytes of a sort key U+FFFF does not fit behind a bound any
// more, and a longer text is no key. Every range of some values is asked at every
// distance from the limit, and answers as everywhere else.
func TestRangesNearTheLimit(t *testing.T) {
	values := []string{"a", "\x7F", "\x7F\x7F", "߿", "\x7F߿", "ࠀ", "\uFFFD", "a\x7F", "\x00", "\uFFFE"}
	tails := []string{"", "#", "#<b>", "#X#<b>", "#<b>#"}
	for _, tail := range tails {
		for room := range 16 {
			p := strings.Repeat("P", maxSortKey-room-1) + "#"
			followers := []string{"a", "\x7F", "߿", "\uFFFD", "\uFFFE", "\x7F\x7F"}
			single := !strings.Contains(tail, "<b>")
			segments := []segment{newSeg(String), newSeg(String)}
			if single {
				segments, followers = segments[:1], followers[:1]
			}
			b, err := compileWith(p+"<a>"+tail, func(b base) base { return b }, segments...)
			if err != nil {
				t.Fatal(err)
			}
			type stored struct{ value, text string }
			var keys []stored
			for _, v := range values {
				for _, w := range followers {
					text := p + slowEscape(v, '#') + strings.ReplaceAll(tail, "<b>", slowEscape(w, '#'))
					if len(text) <= maxSortKey {
						keys = append(keys, stored{v, text})
					}
				}
			}
			for _, f := range orderedForms {
				for _, lo := range values {
					for _, hi := range values {
						if f <= within && lo > hi {
							continue
						}
						r := kinds[0].ranged(b, f, &lo, &hi)
						if err := r.Err(); err != nil {
							literal, _, _ := strings.Cut(tail, "<b>")
							longest := len(p) + max(len(slowEscape(lo, '#')), len(slowEscape(hi, '#'))) + len(literal)
							if !errors.Is(err, ErrTooLong) || longest <= maxSortKey {
								t.Fatalf("room %d, tail %q: %v(%+q, %+q): %v", room, tail, f, lo, hi, err)
							}
							continue
						}
						for _, k := range keys {
							want := slowHolds(f, strings.Compare(k.value, lo), strings.Compare(k.value, hi))
							if got := r.Contains(k.text); got != want {
								a, b := r.Bounds()
								t.Errorf("room %d, tail %q: %v(%+q, %+q).Contains(P %+q) = %v, want %v; bounds P %+q, P %+q",
									room, tail, f, lo, hi, k.text[len(p):], got, want, strings.TrimPrefix(a, p), strings.TrimPrefix(b, p))
							}
						}
						if lower, upper := r.Bounds(); len(lower) > maxSortKey || len(upper) > maxSortKey {
							t.Fatalf("room %d, tail %q: %v(%+q, %+q): bounds of %d and %d bytes", room, tail, f, lo, hi, len(lower), len(upper))
						}
					}
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}

// Raw text goes on with any byte: what sorts below the delimiter is above, too.
func TestAfterRawText(t *testing.T) {
	c := MustCompile1("U#<a>", Verbatim)
	for _, longer := range []string{"Ann\x00", "Ann ", "Ann!", "Ann$", "Anna"} {
		if !c.After("Ann").Contains(c.Key(longer).String()) {
			t.Errorf("After(Ann) is without %+q", longer)
		}
	}
	if c.After("Ann").Contains(c.Key("Ann").String()) {
		t.Error("After(Ann) has Ann")
	}
}
