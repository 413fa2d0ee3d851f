package keys

import (
	"encoding"
	"fmt"
	"slices"
)

// Codec writes the values of one placeholder as text and reads them back.
//
// Append appends the plain text of v to dst and returns the extended slice; the
// composite does the escaping. Parse reads that text. Parse(Append(v)) must give
// v or what v is narrowed to (an instant that is truncated, a folded string), and
// keys sort by the text: a codec whose values are to be read in ranges writes
// text that sorts, byte by byte, as they do.
//
// A codec with a method
//
//	Width() int
//
// promises exactly that many bytes, ASCII above %, for every value. They are
// written as they are and read back by their number, and may contain the
// delimiter.
//
// A value that cannot be written, and a text that cannot be read, is an error.
// No text at all is ErrEmpty, without the help of the codec. A codec must be safe
// for concurrent use; it may not keep dst. Nothing else that it does to dst can
// damage a key, and what its Parse accepts is checked by writing it again.
type Codec[V any] interface {
	Append(dst []byte, v V) ([]byte, error)
	Parse(text string) (V, error)
}

// String is the codec of strings: any text but the empty one.
var String = StringOf[string]()

// StringOf is String for a named type.
func StringOf[T ~string]() Codec[T] { return stringCodec[T]{} }

// Verbatim is for keys that exist already, with values that nobody escaped: the
// bytes as they are. The delimiter, and characters from U+FFFF up, are refused.
// Raw text that another segment follows does not sort field by field, so ordered
// ranges over a verbatim segment are refused (ErrUnordered) unless nothing follows
// it in the template. Key.Tree of a template that has one is always refused: a raw
// sibling such as k! sorts between a key k and the keys k#… below it.
var Verbatim Codec[string] = verbatimCodec{}

type stringCodec[T ~string] struct{}

func (stringCodec[T]) Append(dst []byte, v T) ([]byte, error) { return append(dst, v...), nil }
func (stringCodec[T]) Parse(text string) (T, error)           { return T(text), nil }
func (stringCodec[T]) traits() traits                         { return traits{trusted: true} }

type verbatimCodec struct{ stringCodec[string] }

func (verbatimCodec) traits() traits { return traits{trusted: true, verbatim: true} }

// Enum is the codec of a closed list of strings. Any other value is refused
// (ErrValue), on writing and on reading; the empty one is ErrEmpty. Keys sort by the text of the values, not by their place
// in the list. At least one value is needed, none empty, none twice; a template
// is not compiled otherwise.
func Enum[T ~string](values ...T) Codec[T] { return enumCodec[T]{slices.Clone(values)} }

type enumCodec[T ~string] struct{ values []T }

func (c enumCodec[T]) Append(dst []byte, v T) ([]byte, error) {
	if v == "" {
		return nil, ErrEmpty
	}
	if !slices.Contains(c.values, v) {
		return nil, refuse("not one of %q", c.values)
	}
	return append(dst, v...), nil
}

func (c enumCodec[T]) Parse(text string) (T, error) {
	for _, v := range c.values {
		if string(v) == text {
			return v, nil
		}
	}
	return "", refuse("%q is not one of %q", text, c.values)
}

func (c enumCodec[T]) check() error {
	if len(c.values) == 0 {
		return fmt.Errorf("an enum without values; list them: keys.Enum(Open, Done)")
	}
	for i, v := range c.values {
		switch {
		case v == "":
			return fmt.Errorf("value %d of the enum is empty; a segment of a key has text", i)
		case invalidUTF8(string(v)) >= 0:
			return fmt.Errorf("value %d of the enum, %q, is not valid UTF-8", i, v)
		case slices.Contains(c.values[:i], v):
			return fmt.Errorf("value %d of the enum, %q, stands twice", i, v)
		}
	}
	return nil
}

func (c enumCodec[T]) traits() traits {
	t := traits{trusted: true}
	for _, v := range c.values {
		t.enum = append(t.enum, string(v))
	}
	return t
}

// Bool is the codec of booleans: 0 and 1.
var Bool Codec[bool] = boolCodec{}

type boolCodec struct{}

func (boolCodec) Append(dst []byte, v bool) ([]byte, error) {
	if v {
		return append(dst, '1'), nil
	}
	return append(dst, '0'), nil
}

func (boolCodec) Parse(text string) (bool, error) {
	switch text {
	case "0":
		return false, nil
	case "1":
		return true, nil
	}
	return false, refuse("%q is neither 0 nor 1", text)
}

func (boolCodec) Width() int     { return 1 }
func (boolCodec) traits() traits { return traits{trusted: true, numeric: true} }

// Bytes is the codec of binary values: two upper-case hexadecimal digits a byte,
// so that keys sort by unsigned bytes, as DynamoDB sorts binary attributes. An
// empty value is ErrEmpty.
var Bytes Codec[[]byte] = bytesCodec{}

type bytesCodec struct{}

func (bytesCodec) Append(dst []byte, v []byte) ([]byte, error) {
	for _, c := range v {
		dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
	}
	return dst, nil
}

func (bytesCodec) Parse(text string) ([]byte, error) {
	v := make([]byte, 0, len(text)/2)
	for i := 0; i < len(text); i += 2 {
		c, ok := unhex(text, i, 2)
		if !ok {
			return nil, at{i, refuse("%q is not pairs of upper-case hexadecimal digits", text)}
		}
		v = append(v, byte(c))
	}
	return v, nil
}

func (bytesCodec) traits() traits { return traits{trusted: true, numeric: true, native: nativeBytes} }

// textual is a *T that reads and writes itself as text.
type textual[T any] interface {
	*T
	encoding.TextMarshaler
	encoding.TextUnmarshaler
}

// Text is the codec of any type that marshals itself to text and back. Ordered
// ranges over it are refused (ErrUnordered): nothing says that the text sorts as
// the values do. Where it does, use OrderedText. A text that UnmarshalText
// accepts but MarshalText would write differently is not a key (ErrSyntax).
func Text[T any, P textual[T]]() Codec[T] { return textCodec[T, P]{} }

// OrderedText is Text for types whose text sorts, byte by byte, as the values do:
// ULID, UUIDv7.
func OrderedText[T any, P textual[T]]() Codec[T] { return textCodec[T, P]{ordered: true} }

type textCodec[T any, P textual[T]] struct{ ordered bool }

func (textCodec[T, P]) Append(dst []byte, v T) ([]byte, error) {
	p := P(&v)
	if a, ok := any(p).(encoding.TextAppender); ok {
		return a.AppendText(dst)
	}
	text, err := p.MarshalText()
	return append(dst, text...), err
}

func (textCodec[T, P]) Parse(text string) (v T, err error) {
	err = P(&v).UnmarshalText([]byte(text))
	return v, err
}

func (c textCodec[T, P]) traits() traits { return traits{unordered: !c.ordered} }
