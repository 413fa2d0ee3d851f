package keys

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold is a codec of strings in which upper and lower case are one, and composed
// and decomposed accents are one: for e-mail addresses and number plates. What is
// stored, read, compared and bounded is the folded value, in Unicode's normal
// form C and simple case folding; Parse gives it, and refuses text that is not
// folded.
func Fold[T ~string](codec Codec[T]) Codec[T] { return foldCodec[T]{codec} }

type foldCodec[T ~string] struct{ inner Codec[T] }

func (c foldCodec[T]) Append(dst []byte, v T) ([]byte, error) {
	return c.inner.Append(dst, T(fold(string(v))))
}

func (c foldCodec[T]) Parse(text string) (T, error) {
	v, err := c.inner.Parse(text)
	if err == nil && fold(string(v)) != string(v) {
		return "", refuse("%q is not folded", text)
	}
	return v, err
}

func (c foldCodec[T]) check() error {
	if c.inner == nil {
		return fmt.Errorf("keys.Fold of nil; give it a codec of strings, such as keys.String")
	}
	switch inner := c.inner.(type) {
	case hasWidth:
		return fmt.Errorf("keys.Fold of a codec of fixed width; give it a codec of strings, such as keys.String")
	case hasCheck:
		if err := inner.check(); err != nil {
			return err
		}
	}
	for _, v := range c.traits().enum {
		if fold(v) != v {
			return fmt.Errorf("keys.Fold of an enum with %q, which could never be written; list it folded: %q", v, fold(v))
		}
	}
	return nil
}

func (c foldCodec[T]) traits() (t traits) {
	if h, ok := c.inner.(hasTraits); ok {
		t = h.traits()
	}
	t.fold = fold
	return t
}

// fold gives the one form of s. Folding can undo the normal form and the other
// way round (there are accents with a case of their own), so both are repeated
// until nothing changes.
func fold(s string) string {
	if isFolded(s) {
		return s
	}
	if !utf8.ValidString(s) {
		return s // refused by the encoding, as it is
	}
	for {
		folded := norm.NFC.String(s)
		b := make([]byte, 0, len(folded))
		for _, r := range folded {
			b = utf8.AppendRune(b, foldRune(r))
		}
		if folded = string(b); folded == s {
			return s
		}
		s = folded
	}
}

// isFolded: lower-case ASCII, what most values are, needs no memory.
func isFolded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// foldRune gives the one rune that stands for all that differ from r in case
// alone: what the upper-case letter among them becomes in lower case. It is not
// ToLower(ToUpper(r)), which would make the dotless ı an i.
func foldRune(r rune) rune {
	least := r
	for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
		least = min(least, c)
	}
	for c := least; ; {
		if lower := unicode.ToLower(c); lower != c && inOrbit(lower, least) {
			return lower
		}
		if c = unicode.SimpleFold(c); c == least {
			return least
		}
	}
}

func inOrbit(r, of rune) bool {
	for c := of; ; {
		if c == r {
			return true
		}
		if c = unicode.SimpleFold(c); c == of {
			return false
		}
	}
}
