package keys

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold is a codec of strings in which upper and lower case are one, and composed
// and decomposed accents are one: for e-mail addresses and number plates. What is
// stored, read, compared and bounded is the folded value, in Unicode's normal
// form C and simple case folding (ß stays ß, and a dotless ı is no i); Parse gives
// it, and refuses text that is not folded (ErrValue).
//
// Unicode promises that neither form of a character changes once it is assigned;
// a text with characters that are not yet may fold otherwise with a later release
// of Go.
//
// The codec must be one of strings without a fixed width; the values of an Enum
// inside are listed folded. A template is not compiled otherwise.
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

// fold gives the one form of s. It folds what is decomposed: composed first, a
// capital I and a dot would be the letter İ, which has no lower case in simple
// folding, while the small i and a dot stay two characters.
//
// U+0345, the iota below a Greek vowel, is a mark to the normal forms and a small
// iota to case folding. It is a mark where it has a vowel to stand below, an iota
// elsewhere.
func fold(s string) string {
	if isFolded(s) || !utf8.ValidString(s) { // what is invalid is refused by the encoding
		return s
	}
	marks := strings.Map(func(r rune) rune {
		if r == iotaBelow {
			return r
		}
		return foldRune(r)
	}, norm.NFD.String(s))
	return strings.ReplaceAll(norm.NFC.String(marks), string(iotaBelow), string(foldRune(iotaBelow)))
}

const iotaBelow = '\u0345'

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
