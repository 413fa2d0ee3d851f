package keys

import "unicode/utf8"

// maxSortKey is the number of bytes that DynamoDB allows a sort key (developer
// guide, "Quotas"). A bound is as long at most.
const maxSortKey = 1024

// bounds appends the lower and the upper bound of an ordered range and returns
// where the one ends and the other begins. It is the table of the package
// documentation: P is everything before the open segment, lo and hi are the
// operands, L is the literal that follows, D the delimiter.
func (e *encoder) bounds(f form, P string, lo, hi []byte, L, D string) (cut int) {
	start, last := len(e.buf), L == ""
	switch {
	case f == to || f == before:
		e.add(P, nil, "")
	case f == after && last:
		e.next(P, lo)
	case f == after:
		e.max(P, lo, D)
	default: // between, within, from
		e.add(P, lo, L)
	}
	cut = len(e.buf)
	switch {
	case f == from || f == after:
		e.max(P, nil, "")
	case f == within || f == before:
		e.below(P, hi)
	case last: // between, to
		e.add(P, hi, "")
	default:
		e.max(P, hi, L)
	}
	return cut - start
}

// add appends one bound.
func (e *encoder) add(p string, operand []byte, literal string) {
	e.buf = append(e.buf, p...)
	e.buf = append(e.buf, operand...)
	e.buf = append(e.buf, literal...)
}

// max appends one bound and M behind it, the greatest character that fits.
func (e *encoder) max(p string, operand []byte, literal string) {
	start := len(e.buf)
	e.add(p, operand, literal)
	e.buf = append(e.buf, greatest(maxSortKey-(len(e.buf)-start))...)
}

// greatest is M: the greatest character of at most room bytes.
func greatest(room int) string {
	switch {
	case room >= 3:
		return "\uFFFF"
	case room == 2:
		return "\u07FF"
	case room == 1:
		return "\x7F"
	}
	return ""
}

// below appends the greatest text below p operand: its last character w c becomes
// w, the one before c, and M; or w alone where c is the first one of all.
func (e *encoder) below(p string, operand []byte) {
	start := len(e.buf)
	e.add(p, operand, "")
	c, n := utf8.DecodeLastRune(e.buf[start:])
	e.buf = e.buf[:len(e.buf)-n]
	if c == 0 {
		return
	}
	if c--; c == 0xDFFF { // no text has surrogates
		c = 0xD7FF
	}
	e.buf = utf8.AppendRune(e.buf, c)
	e.buf = append(e.buf, greatest(maxSortKey-(len(e.buf)-start))...)
}

// next appends the least text above p operand, which nothing follows, and above
// the keys below it: the byte after the delimiter, because a longer value goes on
// with a greater one; or U+0000 where a longer value may go on with any byte.
func (e *encoder) next(p string, operand []byte) {
	start := len(e.buf)
	e.add(p, operand, "")
	if len(e.buf)-start < maxSortKey {
		c := byte(0)
		if t := e.lay.segments[len(e.lay.segments)-1].traits(); e.lay.delim < lastEscaped && !t.verbatim {
			c = e.lay.delim + 1
		}
		e.buf = append(e.buf, c)
		return
	}
	// No longer text is a key. The next one is as long or shorter, and ends in a
	// greater character.
	for len(e.buf) > start+len(p) {
		c, n := utf8.DecodeLastRune(e.buf)
		e.buf = e.buf[:len(e.buf)-n]
		if c++; c == 0xD800 {
			c = 0xE000
		}
		if c <= utf8.MaxRune && len(e.buf)-start+utf8.RuneLen(c) <= maxSortKey {
			e.buf = utf8.AppendRune(e.buf, c)
			return
		}
	}
	e.buf = append(e.buf, "\uFFFF\uFFFF"...) // above every key of the template
}
