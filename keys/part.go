package keys

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Part is the condition on one placeholder, for a key that stores each of them as
// an attribute of its own: a native, multi-attribute index key. There a value is
// stored plain, not escaped and not padded, and DynamoDB compares it by the type
// of its attribute.
type Part struct {
	Name string // the placeholder
	Type PartType
	Op   PartOp
	Lo   string // operand of all but PartAtMost and PartBelow
	Hi   string // operand of PartBetween, PartAtMost and PartBelow
}

// PartType is the type of the attribute that a placeholder is stored as.
type PartType uint8

// The types of a Part, with the form of its operands.
const (
	PartString PartType = iota // S: the text that the codec writes
	PartNumber                 // N: a decimal number; of Uint, Int and Float64
	PartBinary                 // B: the bytes themselves; of Bytes
)

// PartOp is the operator of a Part.
type PartOp uint8

// The operators of a Part.
const (
	PartEqual      PartOp = iota // = Lo
	PartBetween                  // BETWEEN Lo AND Hi
	PartBeginsWith               // begins_with Lo
	PartAtLeast                  // >= Lo
	PartAbove                    // > Lo
	PartAtMost                   // <= Hi
	PartBelow                    // < Hi
)

// Parts gives the values of a key, one Part with PartEqual a placeholder. The
// error is that of Err.
func (k Key) Parts() ([]Part, error) {
	if err := k.Err(); err != nil {
		return nil, err
	}
	return k.lay.parts(k.text, len(k.lay.segments))
}

// Parts gives the range as one condition for each placeholder that it speaks of:
// PartEqual for those that are given, and the range over the open one. Literals
// have no part. Nothing is to be sent where IsEmpty is true.
//
// Tree gives the parts of its key. The error is that of Err, or an *Error where
// an operand has no form as a number of DynamoDB. Err speaks of the range as one
// text: it is ErrTooLong also where the parts alone, which are not escaped, would
// fit into a sort key.
func (r Range) Parts() ([]Part, error) {
	if err := r.Err(); err != nil {
		return nil, err
	}
	l := r.lay
	if r.form == exact || r.form == tree {
		return l.parts(r.prefix, len(l.segments))
	}
	parts, err := l.parts(r.prefix, r.given)
	if err != nil || r.form == all || r.IsEmpty() {
		return parts, err
	}
	lo, err := l.part(r.given, r.a)
	if err != nil {
		return nil, err
	}
	hi, err := l.part(r.given, r.b)
	if err != nil {
		return nil, err
	}
	open := Part{Name: lo.Name, Type: lo.Type, Lo: lo.Lo, Hi: hi.Lo}
	switch r.form {
	case startsWith:
		if r.a == "" {
			return parts, nil
		}
		open.Op = PartBeginsWith
	case between:
		open.Op = PartBetween
	case within:
		t := l.segments[r.given].traits()
		below := t.native.below
		switch {
		case below != nil:
		case t.width > 0:
			below = belowFixed
		default:
			below = belowText
		}
		open.Op, open.Hi = PartBetween, below(open.Hi, roomBehind(parts))
	case from:
		open.Op = PartAtLeast
	case after:
		open.Op = PartAbove
	case to:
		open.Op = PartAtMost
	case before:
		open.Op = PartBelow
	}
	return append(parts, open), nil
}

// roomBehind is how many bytes a value can have behind these. DynamoDB allows the
// sort attributes of a native index 1024 bytes together, in a condition as in an
// item.
func roomBehind(parts []Part) int {
	room := maxSortKey
	for _, p := range parts {
		size := len(p.Lo)
		if p.Type == PartNumber {
			size = numberSize(p.Lo)
		}
		room -= size
	}
	return room
}

// numberSize is what DynamoDB counts for a number at the most: a byte, one for
// each two digits before and behind the point, and one for a minus.
func numberSize(text string) int {
	mantissa, _, _ := strings.Cut(text, "e")
	digits := strings.Trim(mantissa, "-")
	size := 2 + len(digits)/2
	if digits != mantissa {
		size++
	}
	return size
}

// PartTypes gives the types of attribute that the open placeholders are stored
// as where each of them is an attribute of its own, as in a native index.
func (b base) PartTypes() []PartType {
	if b.lay == nil {
		return nil
	}
	types := make([]PartType, 0, len(b.lay.segments))
	for _, s := range b.lay.segments[b.given:] {
		types = append(types, s.traits().native.kind)
	}
	return types
}

// PartFrom gives the value of open placeholder i as an attribute of its own, from
// a pointer of a type that Accepts allows. The errors are those of KeyFrom, and
// an *Error for a value that no number of DynamoDB holds.
func (b base) PartFrom(i int, ptr any) (Part, error) {
	i, err := b.open(i)
	if err != nil {
		return Part{}, err
	}
	e := newEncoder(b.lay)
	defer e.free()
	e.lay.segments[i].appendPtr(e, i, ptr)
	if e.err != nil {
		return Part{}, e.err
	}
	return b.lay.part(i, string(e.buf))
}

// ParsePart reads the operand of a Part of open placeholder i, as PartFrom writes
// it or, of a number, in any form in which DynamoDB returns it, and stores the
// value through the pointer. A plain nil only checks. What cannot be read is an
// *Error, and nothing is stored.
func (b base) ParsePart(i int, operand string, ptr any) error {
	i, err := b.open(i)
	if err != nil {
		return err
	}
	s, plain := b.lay.segments[i], operand
	switch text := s.traits().native.text; {
	case operand == "":
		err = ErrEmpty
	case text != nil:
		plain, err = text(operand)
	}
	if err == nil {
		err = s.storePlain(b.lay, plain, ptr)
	}
	if err != nil {
		return b.lay.error(i, operand, err)
	}
	return nil
}

// open gives the segment of open placeholder i.
func (b base) open(i int) (int, error) {
	if err := b.Err(); err != nil {
		return 0, err
	}
	if i < 0 || i >= len(b.lay.segments)-b.given {
		return 0, &Error{Template: b.lay.template, Offset: -1, Value: strconv.Itoa(i), Err: refuse("no such placeholder")}
	}
	return b.given + i, nil
}

// parts cuts the first n segments out of the text of a key.
func (l *layout) parts(text string, n int) ([]Part, error) {
	p := parser{lay: l, text: text, pos: len(l.literals[0])}
	parts := make([]Part, 0, n+1)
	for ; p.seg < n; p.seg++ {
		raw, _ := p.raw()
		part, err := l.part(p.seg, raw)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		p.pos += len(raw) + len(l.literals[p.seg+1])
	}
	return parts, p.err
}

// part gives the encoded text of a segment as the value of an attribute. No text,
// as of an operand that a range has not, gives no operand.
func (l *layout) part(i int, raw string) (Part, error) {
	t := l.segments[i].traits()
	part := Part{Name: l.names[i], Type: t.native.kind}
	if raw == "" {
		return part, nil
	}
	var err error
	if part.Lo = raw; t.width == 0 && !t.verbatim {
		part.Lo, err = unescape(raw, l.delim)
	}
	if err == nil && t.native.value != nil {
		part.Lo, err = t.native.value(part.Lo)
	}
	if err != nil {
		return Part{}, l.error(i, raw, err)
	}
	return part, nil
}

// native is how a codec is stored where the placeholder is an attribute of its
// own. The zero value is that of codecs of text.
type native struct {
	kind  PartType
	value func(text string) (string, error)   // from the text of the codec; nil: the text itself
	text  func(value string) (string, error)  // the inverse
	below func(value string, room int) string // the greatest value below, of room bytes; nil: belowFixed or belowText
}

var (
	nativeFloat = native{PartNumber, decimalFloat, func(value string) (string, error) {
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return "", refuse("%q is not a number of 64 bits", value)
		}
		return written(Float64.Append(nil, v))
	}, belowFloat}
	nativeBytes = native{PartBinary, decodeHex, func(value string) (string, error) {
		return written(Bytes.Append(nil, []byte(value)))
	}, belowBytes}
)

// nativeInteger is the native form of a codec of integers, whose text is padded.
func nativeInteger[T signed | unsigned](c Codec[T], format func(T) string, parse func(string) (T, error)) native {
	return native{
		kind: PartNumber,
		value: func(text string) (string, error) {
			v, err := c.Parse(text)
			return format(v), err
		},
		text: func(value string) (string, error) {
			v, err := parse(value)
			if err != nil {
				return "", refuse("%q is not an integer that fits", value)
			}
			return written(c.Append(nil, v))
		},
		below: func(value string, _ int) string {
			v, _ := parse(value) // what value gave
			return format(v - 1)
		},
	}
}

func written(text []byte, err error) (string, error) { return string(text), err }

// The magnitudes of a DynamoDB number: from 1e-130 to 9.99…e125, which has 38
// digits and which a float64 cannot tell from 1e126 (developer guide, "Supported
// data types and naming rules").
const (
	leastNumber = 1e-130
	aboveNumber = 1e126
)

func decimalFloat(text string) (string, error) {
	v, err := Float64.Parse(text)
	if m := math.Abs(v); err == nil && (m >= aboveNumber || m < leastNumber && m != 0) {
		err = refuse("%v is outside what a DynamoDB number holds", v)
	}
	return strconv.FormatFloat(v, 'g', -1, 64), err
}

func belowFloat(value string, _ int) string {
	v, _ := strconv.ParseFloat(value, 64)
	v = math.Nextafter(v, math.Inf(-1))
	switch {
	case -leastNumber < v && v < 0:
		v = -leastNumber
	case 0 < v && v < leastNumber:
		v = 0
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// decodeHex gives the bytes that Bytes wrote.
func decodeHex(text string) (string, error) {
	b, err := Bytes.Parse(text)
	return string(b), err
}

func belowBytes(value string, room int) string {
	n := len(value) - 1
	if value[n] == 0 {
		return value[:n]
	}
	return value[:n] + string([]byte{value[n] - 1}) + strings.Repeat("\xFF", max(0, room-len(value)))
}

// belowFixed: all values have the width of this one, so that none goes on behind
// its last character.
func belowFixed(value string, _ int) string {
	n := len(value) - 1
	return value[:n] + string(rune(value[n]-1))
}

// belowText: where text is stored plain it may go on with any character, not only
// with those up to the bound of escaped text.
func belowText(value string, room int) string {
	c, n := utf8.DecodeLastRuneInString(value)
	w := value[:len(value)-n]
	if c == 0 {
		return w
	}
	w += string(runeBefore(c))
	w += strings.Repeat(string(utf8.MaxRune), max(0, room-len(w))/utf8.UTFMax)
	return w + greatest(room-len(w))
}
