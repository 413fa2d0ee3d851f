package av

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// AppendJSON appends the value as the wire has it: {"S":"text"}. The zero Value
// is null. The fields of a map come in no particular order.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.kind {
	case S:
		dst = append(dst, `{"S":`...)
		dst = AppendString(dst, v.text)
	case N:
		dst = append(dst, `{"N":`...)
		dst = v.appendNumber(dst)
	case B:
		dst = append(dst, `{"B":`...)
		dst = v.appendBinary(dst)
	case BOOL:
		if v.flag {
			return append(dst, `{"BOOL":true}`...)
		}
		return append(dst, `{"BOOL":false}`...)
	case NULL:
		return append(dst, `{"NULL":true}`...)
	case M:
		dst = append(dst, `{"M":`...)
		dst = Item(v.ref.fields).AppendJSON(dst)
	case L:
		dst = append(dst, `{"L":`...)
		dst = appendArray(dst, v.ref.members, Value.AppendJSON)
	case SS:
		dst = append(dst, `{"SS":`...)
		dst = appendArray(dst, v.ref.members, Value.appendText)
	case NS:
		dst = append(dst, `{"NS":`...)
		dst = appendArray(dst, v.ref.members, Value.appendNumber)
	case BS:
		dst = append(dst, `{"BS":`...)
		dst = appendArray(dst, v.ref.members, Value.appendBinary)
	default:
		return append(dst, "null"...)
	}
	return append(dst, '}')
}

// AppendJSON appends the item as the wire has it, its attributes in no
// particular order.
func (it Item) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	first := true
	for name, v := range it {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = AppendString(dst, name)
		dst = append(dst, ':')
		dst = v.AppendJSON(dst)
	}
	return append(dst, '}')
}

// MarshalJSON returns AppendJSON(nil). It never fails.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// MarshalJSON returns AppendJSON(nil), and null for a nil item. It never fails.
func (it Item) MarshalJSON() ([]byte, error) {
	if it == nil {
		return []byte("null"), nil
	}
	return it.AppendJSON(nil), nil
}

func appendArray(dst []byte, vs []Value, each func(Value, []byte) []byte) []byte {
	dst = append(dst, '[')
	for i, v := range vs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = each(v, dst)
	}
	return append(dst, ']')
}

func (v Value) appendText(dst []byte) []byte { return AppendString(dst, v.text) }

func (v Value) appendNumber(dst []byte) []byte {
	dst = append(dst, '"')
	dst = append(dst, Number{v.text}.String()...)
	return append(dst, '"')
}

func (v Value) appendBinary(dst []byte) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, []byte(v.text))
	return append(dst, '"')
}

// AppendString appends s as a JSON string, quotes included. Bytes that are not
// UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, s[from:i]...)
				dst = append(dst, "\uFFFD"...)
				from = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// describe writes the members of a set as the service's messages list them.
func describe(vs []Value, kind Kind) string {
	texts := make([]string, len(vs))
	for i, v := range vs {
		texts[i] = v.text
		if kind == BS {
			texts[i] = base64.StdEncoding.EncodeToString([]byte(v.text))
		}
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
