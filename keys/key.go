package keys

import (
	"strings"
)

// Key is the text of one item's partition key or sort key. It remembers its
// template: == is true for the same text of the same template, and never panics.
// The zero Key is not valid.
//
// How long it is, is not checked: DynamoDB allows a partition key 2048 bytes and a
// sort key 1024 (developer guide, "Quotas"), and a Key may be either. Ranges are
// over sort keys and are checked.
type Key struct {
	text string
	lay  *layout // nil in a zero Key; poisoned where composing failed
}

// String gives the text as it is stored, "" where the key is not valid.
func (k Key) String() string { return k.text }

// Err gives the first value that could not be encoded, as an *Error, or ErrZero
// of a zero Key. Every use of the key returns it.
func (k Key) Err() error { return k.lay.fault() }

// IsZero reports whether k is the zero Key.
func (k Key) IsZero() bool { return k == Key{} }

// Template gives the template that made the key, as it was declared.
func (k Key) Template() string { return k.lay.text() }

// Compare is -1, 0 or +1 as DynamoDB sorts k before, with or after other: by the
// bytes of their text.
func (k Key) Compare(other Key) int { return strings.Compare(k.text, other.text) }

// Check returns nil where k is valid and was made by t, narrowed or not. Else it
// is the error of k, or an *Error that wraps ErrTemplate.
func (k Key) Check(t Template) error {
	if err := k.Err(); err != nil {
		return err
	}
	return madeBy(k.lay, t, k.text)
}

// madeBy tells whether a key or a range was made by a template.
func madeBy(l *layout, t Template, value string) error {
	if isNil(t) {
		return &Error{Template: l.template, Offset: -1, Value: value, Err: ErrTemplate}
	}
	if err := t.Err(); err != nil {
		return err
	}
	if t.layout().origin() != l.origin() {
		return &Error{Template: t.layout().template, Offset: -1, Value: value, Err: ErrTemplate}
	}
	return nil
}

// Exact is the range of this key alone.
func (k Key) Exact() Range {
	return Range{lay: k.lay, form: exact, prefix: k.text, lo: k.text, hi: k.text}.sized()
}

// Tree is the range of this key and of every key below it, k and k#… where # is
// the delimiter; never of its sibling k2. It is how an item is read together with
// the items that hang below it.
//
// It is ErrUnordered for a key that ends in a segment of variable width where the
// delimiter is above %, and for a template with a Verbatim segment: siblings
// could sort between the key and those below it.
func (k Key) Tree() Range {
	l := k.lay
	if err := k.Err(); err != nil {
		return Range{lay: l}
	}
	n := len(l.segments)
	for i, s := range l.segments {
		ends := i == n-1 && l.literals[n] == ""
		if s.traits().verbatim || ends && s.traits().width == 0 && l.delim > lastEscaped {
			return Range{lay: l.poison(l.error(i, k.text, ErrUnordered))}
		}
	}
	if len(k.text) >= maxSortKey {
		return Range{lay: l, form: tree, prefix: k.text, lo: k.text, hi: k.text}.sized()
	}
	e := newEncoder(l)
	defer e.free()
	e.max(k.text, nil, string(rune(l.delim)))
	text := string(e.buf)
	return Range{lay: l, form: tree, prefix: text[:len(k.text)], lo: text[:len(k.text)], hi: text}.sized()
}
