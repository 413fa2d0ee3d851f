package keys

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// slowFoldRune gives one rune of the orbit of r: what its least capital is in
// lower case, by a search through the whole orbit.
func slowFoldRune(r rune) rune {
	orbit := []rune{r}
	for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
		orbit = append(orbit, c)
	}
	least := orbit[0]
	for _, c := range orbit {
		least = min(least, c)
	}
	for range orbit {
		for _, c := range orbit {
			if c != least && unicode.ToLower(least) == c {
				return c
			}
		}
		least = unicode.SimpleFold(least)
	}
	for _, c := range orbit {
		least = min(least, c)
	}
	return least
}

// Two runes fold to one exactly where Unicode's simple folding says so. All of
// them are tried.
func TestFoldRuneIsSimpleFolding(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		got := foldRune(r)
		inOrbit := got == r
		for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
			inOrbit = inOrbit || c == got
			if foldRune(c) != got {
				t.Fatalf("%U folds to %U, but %U, which differs in case alone, to %U", r, got, c, foldRune(c))
			}
		}
		if !inOrbit {
			t.Fatalf("%U folds to %U, which is another letter", r, got)
		}
		if again := foldRune(got); again != got {
			t.Fatalf("%U folds to %U, and that to %U", r, got, again)
		}
	}
}

// Every character alone folds to something that stays, whatever form it is in.
func TestFoldOfEveryRune(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if 0xD800 <= r && r < 0xE000 {
			continue // no text has surrogates
		}
		checkFold(t, string(r))
	}
}

type tester interface {
	Helper()
	Fatalf(string, ...any)
}

func checkFold(t tester, s string) {
	t.Helper()
	want := fold(s)
	if !norm.NFC.IsNormalString(want) {
		t.Fatalf("fold(%+q) = %+q, which is not in form C", s, want)
	}
	for what, variant := range map[string]string{
		"itself folded": want,
		"form C":        norm.NFC.String(s),
		"form D":        norm.NFD.String(s),
		"other case":    strings.Map(otherCase, s),
	} {
		if got := fold(variant); got != want {
			t.Fatalf("fold(%+q) = %+q, but in %s, %+q, it is %+q", s, want, what, variant, got)
		}
	}
}

// otherCase goes round the letters that differ from r in case alone, but for the
// iota below, whose place among the accents says what it is.
func otherCase(r rune) rune {
	if r == '\u0345' {
		return r
	}
	if r = unicode.SimpleFold(r); r == '\u0345' {
		r = unicode.SimpleFold(r)
	}
	return r
}

func TestFoldProperties(t *testing.T) {
	letters := []rune("aAkK\u212AsſSẞßıIiİ\u0307éÉe\u0301E\u0345\u03B1\u0391ςσΣǅǆǄ\u1FBC\u1FB3ΩΩåÅ\u212B\u030A가각\u11A8ﬀﬁꭰᎠ中😀𐐀𐐨")
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(letters), rapid.Rune()), 0, 5).Draw(t, "text"))
		checkFold(t, s)
	})
}
