package keys

import "unicode/utf8"

// maxSortKey is the number of bytes that DynamoDB allows a sort key (developer
// guide, "Quotas"). A bound is as long at most.
const maxSortKey = 1024

// bounds appends the lower and the upper bound of an ordered range over segment i
// and returns the length of the lower one. It is the table of the package
// documentation: P is everything before the open segment, lo and hi are the
// operands, L is the literal that follows, D the delimiter.
func (e *encoder) bounds(f form, P string, i int, lo, hi []byte) (cut int) {
	start, last := len(e.buf), e.lay.last(i)
	L, D := e.lay.literals[i+1], string(rune(e.lay.delim))
	switch {
	case f == to || f == before:
		e.add(P, nil, "")
	case f == after && !last && len(P)+len(lo)+len(D+M) <= maxSortKey:
		e.max(P, lo, D)
	case f == after:
		if !e.next(P, lo, last) {
			return len(e.buf) - start // no upper bound: the range is empty
		}
	default: // between, within, from
		e.add(P, lo, L)
	}
	cut = len(e.buf) - start
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
	return cut
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

// M is above every character that a key has behind a bound.
const M = "\uFFFF"

// greatest is M, or the greatest character of at most room bytes.
func greatest(room int) string {
	switch {
	case room >= len(M):
		return M
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
	e.buf = utf8.AppendRune(e.buf, runeBefore(c))
	e.buf = append(e.buf, greatest(maxSortKey-(len(e.buf)-start))...)
}

// next appends the least text above p operand and above the keys that go on from
// there with the delimiter: it goes on with the byte after the delimiter, because
// a longer value goes on with a greater one. Where it is the last segment and a
// longer value may go on with any byte, that is U+0000.
//
// It reports false where no text of the size of a sort key is above.
func (e *encoder) next(p string, operand []byte, last bool) bool {
	start := len(e.buf)
	e.add(p, operand, "")
	size := len(e.buf) - start
	if size < maxSortKey {
		c := e.lay.delim + 1
		if last && (e.lay.delim > lastEscaped || e.lay.segments[len(e.lay.segments)-1].traits().verbatim) {
			c = 0
		}
		e.buf = append(e.buf, c)
		return true
	}
	// No longer text is a key. The next one is as long or shorter, and ends in a
	// greater character.
	for rest := e.buf; size > len(p); size = len(rest) - start {
		c, n := utf8.DecodeLastRune(rest)
		rest = rest[:len(rest)-n]
		if c = runeAfter(c); len(rest)-start+utf8.RuneLen(c) <= maxSortKey {
			e.buf = utf8.AppendRune(rest, c)
			return true
		}
	}
	return false
}

// runeBefore and runeAfter step over the surrogates, which no text has.

func runeBefore(r rune) rune {
	if r == 0xE000 {
		return 0xD7FF
	}
	return r - 1
}

func runeAfter(r rune) rune {
	if r == 0xD7FF {
		return 0xE000
	}
	return r + 1
}
