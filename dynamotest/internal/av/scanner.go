package av

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads JSON. What is no JSON is a SerializationException without a
// message, as the service has it.
type scanner struct {
	src string
	pos int
}

func notJSON() error { return malformed("") }

// next passes over white space and returns the byte that follows, 0 at the end.
func (s *scanner) next() byte {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// end tells whether nothing follows.
func (s *scanner) end() error {
	if s.next(); s.pos < len(s.src) {
		return notJSON()
	}
	return nil
}

// object reads an object, whose opening brace is next, and calls member for
// each name, at its value.
func (s *scanner) object(member func(name string) error) error {
	s.pos++
	if s.next() == '}' {
		s.pos++
		return nil
	}
	for {
		if s.next() != '"' {
			return notJSON()
		}
		name, err := s.text()
		if err != nil {
			return err
		}
		if s.next() != ':' {
			return notJSON()
		}
		s.pos++
		if err := member(name); err != nil {
			return err
		}
		switch s.next() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			return nil
		default:
			return notJSON()
		}
	}
}

// array reads an array, whose opening bracket is next, and calls element at
// each element.
func (s *scanner) array(element func() error) error {
	s.pos++
	if s.next() == ']' {
		s.pos++
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		switch s.next() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			return nil
		default:
			return notJSON()
		}
	}
}

// text reads a string, whose opening quote is next. Without escapes it is a
// part of the source.
func (s *scanner) text() (string, error) {
	s.pos++
	start, ascii := s.pos, true
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '"':
			text := s.src[start:s.pos]
			s.pos++
			if !ascii {
				text = strings.ToValidUTF8(text, "\uFFFD")
			}
			return text, nil
		case c == '\\':
			return s.escaped(start)
		case c < ' ':
			return "", notJSON()
		case c >= utf8.RuneSelf:
			ascii = false
		}
		s.pos++
	}
	return "", notJSON()
}

// escaped reads on in a string that began at start and has an escape next.
func (s *scanner) escaped(start int) (string, error) {
	b := append(make([]byte, 0, len(s.src[start:s.pos])+32), s.src[start:s.pos]...)
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		s.pos++
		switch {
		case c == '"':
			return strings.ToValidUTF8(string(b), "\uFFFD"), nil
		case c < ' ':
			return "", notJSON()
		case c != '\\':
			b = append(b, c)
			continue
		}
		if s.pos == len(s.src) {
			break
		}
		c = s.src[s.pos]
		s.pos++
		switch c {
		case '"', '\\', '/':
			b = append(b, c)
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			r, ok := s.hex4()
			if !ok {
				return "", notJSON()
			}
			if utf16.IsSurrogate(r) {
				r = s.lowSurrogate(r)
			}
			b = utf8.AppendRune(b, r)
		default:
			return "", notJSON()
		}
	}
	return "", notJSON()
}

// lowSurrogate reads the second half of a pair. A half without the other is
// U+FFFD.
func (s *scanner) lowSurrogate(high rune) rune {
	if !strings.HasPrefix(s.src[s.pos:], `\u`) {
		return utf8.RuneError
	}
	back := s.pos
	s.pos += 2
	if low, ok := s.hex4(); ok {
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			return r
		}
	}
	s.pos = back
	return utf8.RuneError
}

func (s *scanner) hex4() (rune, bool) {
	if s.pos+4 > len(s.src) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s.src[s.pos : s.pos+4]) {
		r <<= 4
		switch {
		case isDigit(c):
			r |= rune(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r |= rune(c|0x20-'a') + 10
		default:
			return 0, false
		}
	}
	s.pos += 4
	return r, true
}

// literal reads true, false or null.
func (s *scanner) literal() error {
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(s.src[s.pos:], word) {
			s.pos += len(word)
			return nil
		}
	}
	return notJSON()
}

// number reads a number and tells whether it has a fraction or an exponent.
func (s *scanner) number() (decimal bool, err error) {
	if s.peek() == '-' {
		s.pos++
	}
	switch {
	case s.peek() == '0':
		s.pos++
	case !s.digits():
		return false, notJSON()
	}
	if s.peek() == '.' {
		s.pos++
		if decimal = true; !s.digits() {
			return false, notJSON()
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		if decimal = true; !s.digits() {
			return false, notJSON()
		}
	}
	return decimal, nil
}

func (s *scanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

func (s *scanner) digits() bool {
	start := s.pos
	for isDigit(s.peek()) {
		s.pos++
	}
	return s.pos > start
}

// scalar reads a string, a number, or true, false or null.
func (s *scanner) scalar() error {
	switch s.next() {
	case '"':
		_, err := s.text()
		return err
	case 't', 'f', 'n':
		return s.literal()
	}
	_, err := s.number()
	return err
}

// maxSkip is how deep JSON that is passed over may nest.
const maxSkip = 1000

// skip passes over one value.
func (s *scanner) skip() error { return s.skipAt(0) }

func (s *scanner) skipAt(depth int) error {
	if depth > maxSkip {
		return notJSON()
	}
	switch s.next() {
	case '{':
		return s.object(func(string) error { return s.skipAt(depth + 1) })
	case '[':
		return s.array(func() error { return s.skipAt(depth + 1) })
	}
	return s.scalar()
}
