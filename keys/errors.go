package keys

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// What can be wrong with a key, a range or a text that is parsed. An [*Error]
// says where.
var (
	// ErrEmpty: a segment has no text. It also stands for a value that means
	// "nothing here": a nil pointer, the zero time, the zero Date.
	ErrEmpty = errors.New("no value")

	// ErrUTF8: a text is not valid UTF-8. The JSON layer of the AWS SDK would
	// replace what is invalid without a word.
	ErrUTF8 = errors.New("invalid UTF-8")

	// ErrValue: a codec cannot write the value, or not read the text.
	ErrValue = errors.New("value refused")

	// ErrSyntax: a text is not a key of the template, or not in the one form in
	// which the template writes it.
	ErrSyntax = errors.New("not a key of this template")

	// ErrRange: the lower bound of a range is above its upper bound.
	ErrRange = errors.New("lower bound above upper bound")

	// ErrUnordered: keys of this template do not sort as the values of this
	// placeholder do, so a range over them would be a wrong answer.
	ErrUnordered = errors.New("no ordered range over this placeholder")

	// ErrTooLong: a bound is longer than the 1024 bytes that DynamoDB allows a
	// sort key.
	ErrTooLong = errors.New("longer than a sort key can be (" + strconv.Itoa(maxSortKey) + " bytes)")

	// ErrTemplate: the key or range was made by another template.
	ErrTemplate = errors.New("made by another template")

	// ErrZero: a zero Key, Range or composite, which is not valid.
	ErrZero = errors.New("zero value is not valid")
)

// Error is what is wrong with one value, key or range. Err is one of the
// sentinels of this package or wraps one, except where a codec of the user
// fails with an error of its own.
type Error struct {
	Template    string // as it was declared
	Placeholder string // without < and >; empty where the whole key is meant
	Offset      int    // byte in Value at which it goes wrong, -1 where all of it is meant
	Value       string // the value or text that is refused
	Err         error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("keys: ")
	if e.Template != "" {
		b.WriteString(e.Template)
		b.WriteString(": ")
	}
	if e.Placeholder != "" {
		b.WriteString("<" + e.Placeholder + "> ")
	}
	if e.Template != "" || e.Value != "" { // else there is nothing that it could be
		fmt.Fprintf(&b, "%q", shorten(e.Value))
		if e.Offset >= 0 {
			fmt.Fprintf(&b, " at byte %d", e.Offset)
		}
		b.WriteString(": ")
	}
	fmt.Fprint(&b, e.Err) // which is nil in an Error that this package has not made
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// shorten keeps a message readable; the value itself is kept whole in Error.
func shorten(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}

// TemplateError is what is wrong with a template or with the codecs that it is
// compiled with.
type TemplateError struct {
	Template string
	Offset   int // byte in Template
	Reason   string
}

func (e *TemplateError) Error() string {
	return fmt.Sprintf("keys: template %q, offset %d: %s", e.Template, e.Offset, e.Reason)
}

// at says at which byte of a value a codec or an encoding stopped.
type at struct {
	offset int
	err    error
}

func (e at) Error() string { return e.err.Error() }
func (e at) Unwrap() error { return e.err }

// refuse is the error of a codec that says why.
func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrValue, fmt.Sprintf(format, args...))
}
