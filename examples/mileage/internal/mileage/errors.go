package mileage

import (
	"errors"
	"strings"
)

var (
	// ErrNotFound: there is no such thing, or it is somebody else's.
	ErrNotFound = errors.New("not found")

	// ErrExists: there is such a thing already.
	ErrExists = errors.New("exists already")

	// ErrStale: the version that is to be changed is not the present one.
	ErrStale = errors.New("changed by somebody else")

	// ErrCursor: the page asked for does not belong to this list.
	ErrCursor = errors.New("not a page of this list")
)

// InvalidError is what is wrong with a value, field by field.
type InvalidError struct {
	Fields []FieldError
}

// FieldError is what is wrong with one field, named as in JSON: start.at.
type FieldError struct {
	Field  string
	Reason string
}

func (e *InvalidError) Error() string {
	var b strings.Builder
	for i, f := range e.Fields {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(f.Field + ": " + f.Reason)
	}
	return b.String()
}

func invalid(field, reason string) error {
	return &InvalidError{Fields: []FieldError{{field, reason}}}
}
