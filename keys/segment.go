package keys

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"
)

// A segment is the text of one placeholder in a key. seg[V] joins its codec with
// the encoding; the interface is what can be said of it without the type.
type segment interface {
	check() error                 // can the codec work at all
	accepts(t reflect.Type) error // may a *t be given
	appendPtr(e *encoder, i int, ptr any)
	scanPtr(p parser, ptr any, store bool) parser
	storePlain(l *layout, plain string, ptr any) error
	traits() *traits
}

// traits is what a codec says of itself.
type traits struct {
	width     int  // of a segment that is written as it is; 0 where it varies
	verbatim  bool // written as it is, whatever its width
	unordered bool // the text does not sort as the values do
	numeric   bool // a prefix of the text means nothing
	trusted   bool // a codec of this package: Parse accepts only what Append writes
	enum      []string
	fold      func(string) string // what a prefix goes through
	native    native
}

type seg[V any] struct {
	codec Codec[V]
	t     traits
}

// Codecs of this package tell their traits through these methods; Fold hands on
// those of the codec inside.
type (
	hasTraits interface{ traits() traits }
	hasCheck  interface{ check() error }
	hasWidth  interface{ Width() int }
)

func newSeg[V any](c Codec[V]) segment {
	s := &seg[V]{codec: c}
	if h, ok := c.(hasTraits); ok {
		s.t = h.traits()
	}
	return s
}

func (s *seg[V]) traits() *traits { return &s.t }

func (s *seg[V]) check() error {
	if s.codec == nil {
		return fmt.Errorf("is nil; give a codec for %v", reflect.TypeFor[V]())
	}
	if c, ok := s.codec.(hasCheck); ok {
		if err := c.check(); err != nil {
			return err
		}
	}
	if w, ok := s.codec.(hasWidth); ok {
		s.t.width = w.Width()
		if s.t.width < 1 || s.t.width > maxSortKey {
			return fmt.Errorf("its Width is %d; give one from 1 to %d, or no method Width", s.t.width, maxSortKey)
		}
	}
	return nil
}

// An encoder is the buffer that a key or the bounds of a range are written in.
// It is pooled, so that a key costs the one allocation of its text.
type encoder struct {
	buf []byte
	lay *layout
	err error
}

var encoders = sync.Pool{New: func() any { return &encoder{buf: make([]byte, 0, 256)} }}

func newEncoder(l *layout) *encoder {
	e := encoders.Get().(*encoder)
	e.buf, e.lay, e.err = e.buf[:0], l, l.fault()
	return e
}

func (e *encoder) free() {
	if cap(e.buf) > 1<<16 {
		return // one huge value is no reason to keep its memory
	}
	e.lay, e.err = nil, nil
	encoders.Put(e)
}

// put appends the text of v as segment i. The codec gets the free end of the
// buffer, not the buffer: it cannot touch what is written already.
func put[V any](e *encoder, i int, v V) {
	if e.err != nil {
		return
	}
	s := e.lay.segments[i].(*seg[V])
	start := len(e.buf)
	out, err := s.codec.Append(e.buf[start:], v)
	if err != nil {
		e.err = e.lay.error(i, fmt.Sprint(any(v)), err)
		return
	}
	e.take(out)
	e.close(i, start)
}

// take appends what a codec returned, which is the end of the buffer already
// unless the codec took memory of its own.
func (e *encoder) take(out []byte) {
	start := len(e.buf)
	if len(out) > 0 && cap(e.buf) > start && &out[0] == &e.buf[:start+1][start] {
		e.buf = e.buf[:start+len(out)]
		return
	}
	e.buf = append(e.buf, out...)
}

// close checks and escapes the plain text that stands at buf[start:].
func (e *encoder) close(i, start int) {
	text, t, delim := e.buf[start:], e.lay.segments[i].traits(), e.lay.delim
	fail := func(err error) { e.err = e.lay.error(i, string(text), err) }
	switch {
	case len(text) == 0:
		fail(ErrEmpty)
	case t.width > 0:
		if err := checkFixed(text, t.width); err != nil {
			fail(err)
		}
	case t.verbatim:
		if err := checkVerbatim(text, delim); err != nil {
			fail(err)
		}
	default:
		buf, invalid := escape(e.buf, start, delim)
		if invalid >= 0 {
			fail(at{invalid, ErrUTF8})
			return
		}
		e.buf = buf
	}
}

// checkFixed: a segment that is written as it is and read back by its width has
// that many ASCII bytes, all above %.
func checkFixed[T string | []byte](text T, width int) error {
	if len(text) != width {
		return refuse("%d bytes, but the width of its codec is %d", len(text), width)
	}
	return checkFixedBytes(text)
}

func checkFixedBytes[T string | []byte](text T) error {
	for i := range len(text) {
		if c := text[i]; c <= lastEscaped || c >= utf8.RuneSelf {
			return at{i, refuse("byte 0x%02X in a segment of fixed width; ASCII above %% alone", c)}
		}
	}
	return nil
}

// checkVerbatim: a segment that is written as it is has no delimiter, and nothing
// that the bound U+FFFF does not hold.
func checkVerbatim[T string | []byte](text T, delim byte) error {
	if i := invalidUTF8(text); i >= 0 {
		return at{i, ErrUTF8}
	}
	for i, r := range string(text) {
		if r == rune(delim) {
			return at{i, refuse("the delimiter %q in a verbatim value", delim)}
		}
		if r > leadRune {
			return at{i, refuse("%U in a verbatim value sorts at or above the upper bound of every range", r)}
		}
	}
	return nil
}

// A parser reads the segments of one key text from left to right.
type parser struct {
	lay  *layout
	text string
	pos  int
	seg  int
	err  error
}

func (p *parser) fail(offset int, err error) {
	if p.err == nil {
		p.err = &Error{Template: p.lay.template, Offset: offset, Value: p.text, Err: err}
	}
}

// raw cuts out the text of the next segment, as it is stored, and the literal
// behind it.
func (p *parser) raw() (raw string, ok bool) {
	if p.err != nil {
		return "", false
	}
	l, t := p.lay, p.lay.segments[p.seg].traits()
	rest := p.text[p.pos:]
	end := l.segmentEnd(p.seg, rest)
	if end == 0 {
		p.failAt(p.pos, ErrEmpty)
		return "", false
	}
	if t.width > 0 {
		if err := checkFixed(rest[:end], t.width); err != nil {
			p.failAt(p.pos, err)
			return "", false
		}
	}
	literal := l.literals[p.seg+1]
	if !strings.HasPrefix(rest[end:], literal) {
		p.fail(p.pos+end, fmt.Errorf("%w: %q expected", ErrSyntax, literal))
		return "", false
	}
	return rest[:end], true
}

// segmentEnd is where segment i ends in the rest of a text that begins with it.
func (l *layout) segmentEnd(i int, rest string) int {
	if width := l.segments[i].traits().width; width > 0 {
		return min(len(rest), width)
	}
	if end := strings.IndexByte(rest, l.delim); end >= 0 {
		return end
	}
	return len(rest)
}

// failAt is fail for the segment that is being read.
func (p *parser) failAt(offset int, err error) {
	if a, ok := err.(at); ok {
		offset, err = offset+a.offset, a.err
	}
	p.fail(offset, err)
	if e, ok := p.err.(*Error); ok {
		e.Placeholder = p.lay.names[p.seg]
	}
}

// next parses the next segment as a V.
func next[V any](p *parser) (v V) {
	raw, ok := p.raw()
	if !ok {
		return v
	}
	s := p.lay.segments[p.seg].(*seg[V])
	v, err := s.parse(p.lay, raw)
	if err != nil {
		p.failAt(p.pos, err)
		return *new(V)
	}
	p.pos += len(raw) + len(p.lay.literals[p.seg+1])
	p.seg++
	return v
}

func (p *parser) end() error {
	if p.err == nil && p.pos != len(p.text) {
		p.fail(p.pos, fmt.Errorf("%w: more than the template has", ErrSyntax))
	}
	return p.err
}

// parse reads the stored text of one segment. What a codec of the user accepts is
// checked by encoding it again: only the canonical text is a key.
func (s *seg[V]) parse(l *layout, raw string) (v V, err error) {
	plain := raw
	switch {
	case s.t.width > 0:
	case s.t.verbatim:
		err = checkVerbatim(raw, l.delim)
	default:
		plain, err = unescape(raw, l.delim)
	}
	if err != nil {
		return v, err
	}
	return s.parsePlain(l, plain)
}

// parsePlain is parse of the text that the codec wrote, before the encoding.
func (s *seg[V]) parsePlain(l *layout, plain string) (v V, err error) {
	v, err = s.codec.Parse(plain)
	if err != nil {
		return v, err
	}
	if !s.t.trusted {
		e := newEncoder(l)
		defer e.free()
		out, err := s.codec.Append(e.buf, v)
		if err != nil {
			return v, err
		}
		if !bytes.Equal(out, []byte(plain)) {
			return v, fmt.Errorf("%w: its codec writes the value as %q", ErrSyntax, out)
		}
	}
	return v, nil
}

// Binding by pointer, for package model. The pointer of a field is enough to
// read it and to set it, without an allocation.

func (s *seg[V]) accepts(t reflect.Type) error {
	want := reflect.TypeFor[V]()
	if t == want || t != nil && sameKind(t, want) {
		return nil
	}
	return refuse("a field of type %v; the codec takes %v", t, want)
}

// sameKind: a named string fits a codec of strings, and an integer of any size
// one of integers that are signed as it is.
func sameKind(t, want reflect.Type) bool {
	class := func(t reflect.Type) reflect.Kind {
		switch k := t.Kind(); {
		case k == reflect.String, k == reflect.Bool, k == reflect.Float64:
			return k
		case reflect.Int <= k && k <= reflect.Int64:
			return reflect.Int
		case reflect.Uint <= k && k <= reflect.Uint64:
			return reflect.Uint
		}
		return reflect.Invalid
	}
	c := class(want)
	return c != reflect.Invalid && class(t) == c
}

// pointer gives ptr as a *V where the memory it points to is that of a V.
func pointer[V any](ptr any) (p *V, ok bool) {
	if p, ok := ptr.(*V); ok {
		return p, p != nil
	}
	rv := reflect.ValueOf(ptr)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return nil, false
	}
	t, want := rv.Type().Elem(), reflect.TypeFor[V]()
	if t.Kind() != want.Kind() || !sameKind(t, want) {
		return nil, false
	}
	p, ok = rv.Convert(reflect.TypeFor[*V]()).Interface().(*V)
	return p, ok
}

func (s *seg[V]) appendPtr(e *encoder, i int, ptr any) {
	if e.err != nil {
		return
	}
	if p, ok := pointer[V](ptr); ok {
		put(e, i, *p)
		return
	}
	rv := reflect.ValueOf(ptr)
	if ptr == nil {
		e.err = e.lay.error(i, "", ErrEmpty)
		return
	}
	if rv.Kind() != reflect.Pointer {
		e.err = e.lay.error(i, fmt.Sprintf("%T", ptr), refuse("a pointer is needed"))
		return
	}
	if err := s.accepts(rv.Type().Elem()); err != nil {
		e.err = e.lay.error(i, fmt.Sprintf("%T", ptr), err)
		return
	}
	if rv.IsNil() {
		e.err = e.lay.error(i, "", ErrEmpty)
		return
	}
	var v V
	if err := convert(reflect.ValueOf(&v).Elem(), rv.Elem()); err != nil {
		e.err = e.lay.error(i, fmt.Sprint(rv.Elem().Interface()), err)
		return
	}
	put(e, i, v)
}

// scanPtr parses the next segment, and stores it where store says so and ptr is
// not a plain nil. A caller reads the whole key once before it stores anything.
// The parser comes and goes by value, so that it stays on the stack.
func (s *seg[V]) scanPtr(p parser, ptr any, store bool) parser {
	offset := p.pos
	v := next[V](&p)
	if p.err != nil || ptr == nil {
		return p
	}
	if to, ok := pointer[V](ptr); ok {
		if store {
			*to = v
		}
		return p
	}
	if err := s.storeConverted(v, ptr, store); err != nil {
		p.seg-- // it is the segment that has been read
		p.failAt(offset, err)
	}
	return p
}

// storePlain parses the text that the codec wrote and stores the value, unless
// ptr is a plain nil.
func (s *seg[V]) storePlain(l *layout, plain string, ptr any) error {
	v, err := s.parsePlain(l, plain)
	if err != nil || ptr == nil {
		return err
	}
	if to, ok := pointer[V](ptr); ok {
		*to = v
		return nil
	}
	return s.storeConverted(v, ptr, true)
}

// storeConverted stores v in an integer of another size.
func (s *seg[V]) storeConverted(v V, ptr any, store bool) error {
	rv := reflect.ValueOf(ptr)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return refuse("a pointer is needed, not %T", ptr)
	}
	if err := s.accepts(rv.Type().Elem()); err != nil {
		return err
	}
	into := reflect.New(rv.Type().Elem()).Elem()
	if err := convert(into, reflect.ValueOf(v)); err != nil {
		return err
	}
	if store {
		rv.Elem().Set(into)
	}
	return nil
}

// convert sets an integer from one of another size, with a check that it fits.
func convert(to, from reflect.Value) error {
	if from.CanInt() && !to.OverflowInt(from.Int()) {
		to.SetInt(from.Int())
		return nil
	}
	if from.CanUint() && !to.OverflowUint(from.Uint()) {
		to.SetUint(from.Uint())
		return nil
	}
	return refuse("%v does not fit into %v", from.Interface(), to.Type())
}
