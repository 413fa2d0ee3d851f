package keys

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// layout is a compiled template. It is made once and never changed, and keys,
// ranges and composites point to it. An error made while composing is a copy of
// it with err set: a poisoned layout.
type layout struct {
	template string
	delim    byte
	names    []string  // the placeholders
	literals []string  // literals[i] stands before segment i, the last one behind the last
	segments []segment // one a placeholder; *seg[V] behind the interface

	err  error   // a poisoned layout: the first error
	base *layout // a poisoned layout: the one it was made from
}

// poison gives a layout that carries err. The first error wins; a nil layout has
// one already.
func (l *layout) poison(err error) *layout {
	if l == nil || l.err != nil {
		return l
	}
	p := *l
	p.err, p.base = err, l
	return &p
}

// fault is the error that l carries; a nil layout is that of a zero value.
func (l *layout) fault() error {
	if l == nil {
		return &Error{Offset: -1, Err: ErrZero}
	}
	return l.err
}

// origin is the layout that was compiled, also for a poisoned one.
func (l *layout) origin() *layout {
	if l != nil && l.base != nil {
		return l.base
	}
	return l
}

func (l *layout) text() string {
	if l == nil {
		return ""
	}
	return l.template
}

// error is what is wrong with the value of segment i, or with the whole key
// where i is -1.
func (l *layout) error(i int, value string, err error) *Error {
	e := &Error{Template: l.template, Offset: -1, Value: value, Err: err}
	if i >= 0 {
		e.Placeholder = l.names[i]
	}
	if a, ok := err.(at); ok {
		e.Offset, e.Err = a.offset, a.err
	}
	return e
}

// last reports whether nothing follows segment i.
func (l *layout) last(i int) bool {
	return i == len(l.segments)-1 && l.literals[i+1] == ""
}

// sorts reports whether keys sort as the values of segment i do, where all before
// it is the same.
func (l *layout) sorts(i int) bool {
	t := l.segments[i].traits()
	switch {
	case t.unordered:
		return false
	case t.verbatim:
		return l.last(i) // what follows would be compared with the text of a longer value
	case t.width > 0:
		return true
	}
	return l.delim < lastEscaped // a greater one is not in its place where it is escaped
}

// maxPlaceholders is how many the greatest composite has.
const maxPlaceholders = 6

// compile parses a template and joins it with the codecs of its placeholders.
func compile(template string, segments ...segment) (*layout, error) {
	l, err := parseTemplate(template)
	if err != nil {
		return nil, err
	}
	if n := len(l.names); n != len(segments) {
		advice := fmt.Sprintf("use Compile%d", n)
		switch {
		case n == 0:
			advice = "use Literal"
		case n > maxPlaceholders:
			advice = fmt.Sprintf("%d are the most that a key can have", maxPlaceholders)
		}
		return nil, &TemplateError{template, len(template), fmt.Sprintf("%d placeholders, but %d codecs; %s", n, len(segments), advice)}
	}
	l.segments = segments
	for i, s := range segments {
		if err := s.check(); err != nil {
			return nil, &TemplateError{template, strings.Index(template, "<"+l.names[i]+">"),
				fmt.Sprintf("codec of <%s>: %v", l.names[i], err)}
		}
	}
	return l, nil
}

// parseTemplate reads the grammar that the package documentation gives.
func parseTemplate(template string) (*layout, error) {
	bad := func(offset int, format string, args ...any) (*layout, error) {
		return nil, &TemplateError{template, offset, fmt.Sprintf(format, args...)}
	}
	if template == "" {
		return bad(0, "is empty; write the key as text, such as ORDER#<orderId>")
	}
	if i := invalidUTF8(template); i >= 0 {
		return bad(i, "invalid UTF-8")
	}

	l := &layout{template: template}
	var starts []int // of each literal, for messages
	for rest := template; ; {
		at := len(template) - len(rest)
		open := strings.IndexByte(rest, '<')
		literal := rest
		if open >= 0 {
			literal = rest[:open]
		}
		if i := strings.IndexByte(literal, '>'); i >= 0 {
			return bad(at+i, "> without <; a placeholder is written <name>")
		}
		if literal == "" && len(l.names) > 0 && open >= 0 {
			return bad(at, "two placeholders touch; put a delimiter between <%s> and the next", l.names[len(l.names)-1])
		}
		l.literals, starts = append(l.literals, literal), append(starts, at)
		if open < 0 {
			break
		}
		end := strings.IndexAny(rest[open+1:], "<>")
		if end < 0 || rest[open+1+end] == '<' {
			return bad(at+open, "< without >; a placeholder is written <name>")
		}
		name := rest[open+1 : open+1+end]
		if name == "" {
			return bad(at+open, "a placeholder without a name; name the attribute that it comes from")
		}
		for _, other := range l.names {
			if other == name {
				return bad(at+open, "<%s> stands twice; a name is one attribute", name)
			}
		}
		l.names = append(l.names, name)
		rest = rest[open+end+2:]
	}

	// The delimiter.
	n := len(l.names)
	for i := 1; i <= n; i++ {
		follows := l.literals[i]
		if follows == "" {
			continue // the last one, at the end
		}
		switch c := follows[0]; {
		case !canDelimit(c):
			return bad(starts[i], "%q cannot be a delimiter; use punctuation in ASCII, but not %%, < or >", first(follows))
		case l.delim != 0 && c != l.delim:
			return bad(starts[i], "the delimiter is %q before, but %q here; use one throughout", l.delim, c)
		default:
			l.delim = c
		}
	}
	if before := l.literals[0]; l.delim == 0 && n == 1 && before != "" && canDelimit(before[len(before)-1]) {
		l.delim = before[len(before)-1]
	}
	if l.delim == 0 {
		l.delim = '#'
	}

	for i, literal := range l.literals {
		for j, r := range literal {
			if r <= lastEscaped && r != rune(l.delim) {
				return bad(starts[i]+j, "%q in a literal sorts below the delimiter's escapes; use letters, digits or punctuation above %%", r)
			}
			if r >= leadRune {
				return bad(starts[i]+j, "%U in a literal sorts above the upper bound of every range", r)
			}
		}
	}
	return l, nil
}

// canDelimit reports whether c is printable ASCII, no letter, no digit, and not
// one of %, < and >.
func canDelimit(c byte) bool {
	switch {
	case c < ' ' || c > '~', c == '%', c == '<', c == '>':
		return false
	case '0' <= c && c <= '9', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z':
		return false
	}
	return true
}

func first(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// invalidUTF8 is the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8[T string | []byte](s T) int {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
