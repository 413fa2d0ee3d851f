package keys

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Template is what a composite is without the types of its values: what package
// model declares entities with. Composite0 to Composite6 implement it, and
// nothing else can.
//
// A composite that At has narrowed still has the methods; they then speak of the
// placeholders that are left, and Narrowed tells.
type Template interface {
	// String gives the template, with what has been given in its place.
	String() string
	// Placeholders gives the names that are open, in their order.
	Placeholders() []string
	// Narrowed reports whether At has been called. No entity can be declared with
	// such a composite.
	Narrowed() bool
	// Err gives the error that the composite carries.
	Err() error
	// All is the range of every key of the template.
	All() Range

	// Accepts tells whether a *t may be given for open placeholder i to the methods
	// below: the type of its codec, or a string, bool, float64 or integer type of
	// the same kind, of any size. The error says what is expected.
	Accepts(i int, t reflect.Type) error
	// KeyFrom composes a key from pointers to the values of the open placeholders.
	// A nil pointer is ErrEmpty, a pointer that Accepts refuses ErrValue.
	KeyFrom(ptrs ...any) Key
	// Composes reports whether KeyFrom would make exactly this text. It allocates
	// nothing.
	Composes(text string, ptrs ...any) (bool, error)
	// ParseInto is the inverse: it parses a whole key and stores the values of the
	// open placeholders; a plain nil is checked and not stored. Where it fails,
	// nothing is stored.
	ParseInto(text string, ptrs ...any) error
	// ParseKey gives the text of a stored key as a Key.
	ParseKey(text string) (Key, error)
	// Matches reports whether text is a key of the template.
	Matches(text string) bool
	// Overlaps reports whether one text could be a key of both. It is true where
	// that cannot be excluded.
	Overlaps(other Template) bool

	// PartTypes gives the types of attribute that the open placeholders are stored
	// as where each is one of its own.
	PartTypes() []PartType
	// PartFrom gives the value of open placeholder i so, from a pointer.
	PartFrom(i int, ptr any) (Part, error)
	// ParsePart is the inverse: it reads the operand of such a part and stores the
	// value; a plain nil only checks it.
	ParsePart(i int, operand string, ptr any) error

	layout() *layout
}

// isNil reports whether t is nil or a nil pointer to a composite, on which no
// method can be called.
func isNil(t Template) bool {
	if t == nil {
		return true
	}
	rv := reflect.ValueOf(t)
	return rv.Kind() == reflect.Pointer && rv.IsNil()
}

// base is what composites are without the types of their values.
type base struct {
	lay    *layout
	given  int    // placeholders that have their value
	prefix string // P: the text up to the first open placeholder
}

func (b base) layout() *layout { return b.lay }

// Err gives the first value that could not be encoded, as an *Error, or ErrZero
// of a zero composite. Every key and range made of the composite has it too.
func (b base) Err() error { return b.lay.fault() }

// Narrowed reports whether At has been called.
func (b base) Narrowed() bool { return b.given > 0 }

// Placeholders gives the names of the placeholders that are open, in their order.
func (b base) Placeholders() []string {
	if b.lay == nil {
		return nil
	}
	return slices.Clone(b.lay.names[b.given:])
}

// String gives the template, with what has been given in its place.
func (b base) String() string {
	if b.lay == nil {
		return ""
	}
	if b.given == 0 || b.Err() != nil {
		return b.lay.template
	}
	_, rest, _ := strings.Cut(b.lay.template, "<"+b.lay.names[b.given-1]+">")
	return b.prefix + strings.TrimPrefix(rest, b.lay.literals[b.given])
}

// All is the range of every key that begins with what has been given so far. It
// reads a whole partition where the template begins with a placeholder.
func (b base) All() Range {
	return Range{lay: b.lay, form: all, given: b.given, prefix: b.prefix, lo: b.prefix}.sized()
}

// Accepts tells whether a *t may be given for open placeholder i to KeyFrom and
// ParseInto. The *Error says what is expected.
func (b base) Accepts(i int, t reflect.Type) error {
	if err := b.Err(); err != nil {
		return err
	}
	i, err := b.open(i)
	if err != nil {
		return err
	}
	if err := b.lay.segments[i].accepts(t); err != nil {
		return b.lay.error(i, fmt.Sprint(t), err)
	}
	return nil
}

// KeyFrom composes a key from pointers to the values of the open placeholders. It
// is Key for callers that know the types at run time only.
func (b base) KeyFrom(ptrs ...any) Key { return b.compose(ptrs).key() }

// Composes reports whether KeyFrom of the same pointers would make exactly this
// text. The error is that of the key.
func (b base) Composes(text string, ptrs ...any) (bool, error) {
	e := b.compose(ptrs)
	defer e.free()
	return e.err == nil && string(e.buf) == text, e.err
}

func (b base) compose(ptrs []any) *encoder {
	e := b.begin()
	if e.err == nil && len(ptrs) != len(e.lay.segments)-b.given {
		e.err = b.count(ptrs)
	}
	for i, ptr := range ptrs {
		if e.err != nil {
			break
		}
		i += b.given
		e.lay.segments[i].appendPtr(e, i, ptr)
		e.literal(i)
	}
	return e
}

// ParseInto parses a whole key and stores the values of the open placeholders
// through the pointers; where one is a plain nil, the value is checked and not
// stored. Where it fails, with an *Error, nothing is stored.
func (b base) ParseInto(text string, ptrs ...any) error {
	if err := b.Err(); err != nil {
		return err
	}
	if len(ptrs) != len(b.lay.segments)-b.given {
		return b.count(ptrs)
	}
	for _, store := range []bool{false, true} {
		p := b.parser(text)
		for i, ptr := range ptrs {
			if p.err == nil {
				p = b.lay.segments[b.given+i].scanPtr(p, ptr, store)
			}
		}
		if err := p.end(); err != nil {
			return err
		}
	}
	return nil
}

func (b base) count(ptrs []any) error {
	return &Error{Template: b.lay.template, Offset: -1, Value: fmt.Sprint(len(ptrs)),
		Err: refuse("%d pointers for %d open placeholders", len(ptrs), len(b.lay.segments)-b.given)}
}

// Matches reports whether text is a key of the template: with what has been given
// in its place, and in the one form in which the template writes it.
func (b base) Matches(text string) bool {
	if b.Err() != nil || !strings.HasPrefix(text, b.prefix) {
		return false
	}
	// Most texts that do not match belong to another entity and differ in their
	// literals. They are told apart without an error being made.
	rest := text[len(b.prefix):]
	for i := b.given; i < len(b.lay.segments); i++ {
		var ok bool
		if rest, ok = strings.CutPrefix(rest[b.lay.segmentEnd(i, rest):], b.lay.literals[i+1]); !ok {
			return false
		}
	}
	return rest == "" && b.read(text) == nil
}

// ParseKey gives the text of a stored key as a Key. Text that Matches does not
// accept is an *Error.
func (b base) ParseKey(text string) (Key, error) {
	if err := b.read(text); err != nil {
		return Key{}, err
	}
	return Key{text: text, lay: b.lay}, nil
}

// read parses a whole key and drops its values.
func (b base) read(text string) error {
	if err := b.Err(); err != nil {
		return err
	}
	p := b.parser(text)
	for _, s := range b.lay.segments[b.given:] {
		p = s.scanPtr(p, nil, false)
	}
	return p.end()
}

// begin gives an encoder that holds what has been given.
func (b base) begin() *encoder {
	e := newEncoder(b.lay)
	e.buf = append(e.buf, b.prefix...)
	return e
}

// parser gives a parser that has read what has been given.
func (b base) parser(text string) parser {
	p := parser{lay: b.lay, text: text, pos: len(b.prefix), seg: b.given, err: b.Err()}
	if p.err == nil && !strings.HasPrefix(text, b.prefix) {
		n := 0
		for n < len(text) && n < len(b.prefix) && text[n] == b.prefix[n] {
			n++
		}
		p.fail(n, fmt.Errorf("%w: %q expected", ErrSyntax, b.prefix[n:]))
	}
	return p
}

// literal appends the literal behind segment i.
func (e *encoder) literal(i int) {
	if e.err == nil {
		e.buf = append(e.buf, e.lay.literals[i+1]...)
	}
}

// set appends segment i and the literal behind it.
func set[V any](e *encoder, i int, v V) {
	put(e, i, v)
	e.literal(i)
}

// key ends the encoder with the text as a key.
func (e *encoder) key() Key {
	defer e.free()
	if e.err != nil {
		return Key{lay: e.lay.poison(e.err)}
	}
	return Key{text: string(e.buf), lay: e.lay}
}

// head is a composite seen from its first open placeholder, whose type is A. All
// ordered ranges are over that one.
type head[A any] struct{ base }

// at gives the first value.
func (h head[A]) at(a A) base {
	e := h.begin()
	set(e, h.given, a)
	k := e.key()
	return base{lay: k.lay, given: h.given + 1, prefix: k.text}
}

// Between is the range lo <= a <= hi, both included, whatever follows them. lo
// above hi is ErrRange.
func (h head[A]) Between(lo, hi A) Range { return h.ordered(between, &lo, &hi) }

// Within is the range lo <= a < hi. Within(x, x) is legal and empty, and nothing
// is sent for it. lo above hi is ErrRange.
func (h head[A]) Within(lo, hi A) Range { return h.ordered(within, &lo, &hi) }

// From is the range a >= lo.
func (h head[A]) From(lo A) Range { return h.ordered(from, &lo, nil) }

// After is the range a > lo.
func (h head[A]) After(lo A) Range { return h.ordered(after, &lo, nil) }

// To is the range a <= hi, hi included, whatever follows it.
func (h head[A]) To(hi A) Range { return h.ordered(to, nil, &hi) }

// Before is the range a < hi.
func (h head[A]) Before(hi A) Range { return h.ordered(before, nil, &hi) }

func (h head[A]) ordered(f form, lo, hi *A) Range {
	e := newEncoder(h.lay)
	defer e.free()
	i := h.given
	if e.err == nil {
		if !e.lay.sorts(i) {
			e.err = e.lay.error(i, "", ErrUnordered)
		}
	}
	// The operands, then the bounds, in one buffer, so that one allocation holds
	// them all.
	if lo != nil {
		put(e, i, *lo)
	}
	endA := len(e.buf)
	if hi != nil {
		put(e, i, *hi)
	}
	endB := len(e.buf)
	if e.err == nil && lo != nil && hi != nil && string(e.buf[:endA]) > string(e.buf[endA:endB]) {
		e.err = e.lay.error(i, string(e.buf[:endA])+" > "+string(e.buf[endA:endB]), ErrRange)
	}
	if e.err != nil {
		return Range{lay: e.lay.poison(e.err)}
	}
	a, b := e.buf[:endA], e.buf[endA:endB]
	cut := endB + e.bounds(f, h.prefix, i, a, b)
	text := string(e.buf)
	r := Range{lay: e.lay, form: f, given: i, prefix: h.prefix, lo: text[endB:cut], hi: text[cut:], a: text[:endA], b: text[endA:endB]}
	if f == within && r.a == r.b {
		r.hi = "" // nothing is both at lo and below it
	}
	return r.sized()
}

// StartsWith is the range of the keys in which the text of the open placeholder
// begins with text: a prefix of a string, "2026-01" for the days of a month. The
// empty prefix is All. Codecs of numbers and booleans, whose text is not what
// people read, are ErrUnordered; a prefix longer than a segment of fixed width is
// ErrValue.
func (h head[A]) StartsWith(text string) Range {
	e := h.begin()
	defer e.free()
	i := h.given
	if e.err == nil {
		e.prefix(i, text)
	}
	if e.err != nil {
		return Range{lay: e.lay.poison(e.err)}
	}
	lo := string(e.buf)
	return Range{lay: e.lay, form: startsWith, given: i, prefix: h.prefix, lo: lo, a: lo[len(h.prefix):]}.sized()
}

// prefix appends the beginning of segment i.
func (e *encoder) prefix(i int, text string) {
	t := e.lay.segments[i].traits()
	fail := func(err error) { e.err = e.lay.error(i, text, err) }
	if t.numeric {
		fail(ErrUnordered)
		return
	}
	if t.fold != nil {
		text = t.fold(text)
	}
	start := len(e.buf)
	e.buf = append(e.buf, text...)
	switch {
	case t.width > 0 && len(text) > t.width:
		fail(refuse("longer than the %d bytes of the segment", t.width))
	case t.width > 0:
		if err := checkFixedBytes(text); err != nil {
			fail(err)
		}
	case t.verbatim:
		if err := checkVerbatim(text, e.lay.delim); err != nil {
			fail(err)
		}
	default:
		buf, invalid := escape(e.buf, start, e.lay.delim)
		if invalid >= 0 {
			fail(at{invalid, ErrUTF8})
			return
		}
		e.buf = buf
	}
}
