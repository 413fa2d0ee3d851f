package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// What can go wrong in a read. An [*Error] says in which one.
var (
	// ErrNotFound: no item is there, or one that has expired. It is one value
	// with [model.ErrNotFound].
	ErrNotFound = model.ErrNotFound

	// ErrMoreThanOne: [Query.ExactlyOne] found a second item.
	ErrMoreThanOne = errors.New("more than one item")

	// ErrBadCursor: the cursor was not made by a query like this one, or was
	// changed on its way. A [*CursorError] says why.
	ErrBadCursor = errors.New("bad cursor")

	// ErrMaxEvaluated: the items of [Query.MaxEvaluated] were evaluated and more
	// were left. A [*MaxEvaluatedError] holds the cursor to go on from.
	ErrMaxEvaluated = errors.New("evaluated as many items as were allowed, and more are left")

	// ErrEmptyRange: the range holds no key, so there is no request to show.
	// Only [Query.Input] returns it; every other read finds nothing and sends
	// nothing.
	ErrEmptyRange = errors.New("the range is empty, so nothing is sent")

	// ErrKeyInFilter: a filter names a key attribute of what is read, which
	// DynamoDB refuses. Narrow by the key with Where.
	ErrKeyInFilter = errors.New("a filter may not name a key attribute of what is read")

	// ErrFilter: a filter cannot be built.
	ErrFilter = errors.New("bad filter")

	// ErrArgument: a number given to a method of a query is out of its range.
	ErrArgument = errors.New("argument out of range")

	// ErrSecret: a key given to Secret has no length that AES has, or none was given.
	ErrSecret = errors.New("a secret is 16, 24 or 32 bytes")

	// ErrNoSortKey: a range was asked of a table that has no sort key.
	ErrNoSortKey = errors.New("the table has no sort key")

	// ErrProjected: [Into] or [Hydrate] was given a query that one of them had
	// made, or that is of no single entity.
	ErrProjected = errors.New("not a query of whole items of one entity")

	// ErrPartial: the index that is read does not hold all attributes of the entity.
	// Read [Into] a type of what it holds, or [Hydrate].
	ErrPartial = errors.New("the index does not hold the whole item")

	// ErrConsistent: a consistent read of a global secondary index was asked for,
	// which DynamoDB does not have.
	ErrConsistent = errors.New("a global index cannot be read consistently")

	// ErrTooMany: more keys were given than one transaction reads. A
	// [*TooManyError] says how many.
	ErrTooMany = errors.New("too many keys")

	// ErrUnprocessed: DynamoDB gave back keys of a batch unread until the patience
	// of this package was at its end. An [*UnprocessedError] says how many.
	ErrUnprocessed = errors.New("keys left unread")

	// ErrTarget: what [Gather] was given to fill is not fit for it.
	ErrTarget = errors.New("not fit to gather into")

	// ErrZero: a zero Query, or a nil entity or table. It is one value with
	// [model.ErrZero].
	ErrZero = model.ErrZero

	// ErrNoClient: the client is nil.
	ErrNoClient = errors.New("the client is nil")

	// ErrUndeclared: an item is of no entity that its table declares.
	ErrUndeclared = errors.New("item of no declared entity")

	// ErrResponse: DynamoDB answered with something that cannot be: no response
	// at all, or one without the keys of its items.
	ErrResponse = errors.New("malformed response")
)

// Error says which read failed. Err is one of the sentinels of this package or
// of keys and model, wraps one, or is the error of the client.
type Error struct {
	Op     string // the method of this package: "Get", "Query", …
	Table  string // as it was declared
	Index  string // "" for the table itself
	Entity string // "" where no single one is meant
	Err    error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("query: ")
	b.WriteString(e.Op)
	for _, s := range []string{e.Table, e.Index, e.Entity} {
		if s != "" {
			b.WriteString(" ")
			b.WriteString(s)
		}
	}
	b.WriteString(": ")
	fmt.Fprint(&b, e.Err)
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// ItemError is one item that cannot be handed out: it is of no declared entity,
// or it cannot be decoded. The read it was met in can go on.
type ItemError struct {
	Table  string     // as it was declared
	Entity string     // the entity that was read; "" where several were
	Key    model.Item // the primary key of the item
	Err    error
}

func (e *ItemError) Error() string {
	var b strings.Builder
	b.WriteString("query: ")
	b.WriteString(e.Table)
	if e.Entity != "" {
		b.WriteString(" " + e.Entity)
	}
	b.WriteString(" item ")
	b.WriteString(keyText(e.Key))
	b.WriteString(": ")
	fmt.Fprint(&b, e.Err)
	return b.String()
}

func (e *ItemError) Unwrap() error { return e.Err }

// keyText writes a primary key for a reader: its attributes by name, sorted.
func keyText(key model.Item) string {
	names := make([]string, 0, len(key))
	for name := range key {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		switch v := key[name].(type) {
		case *types.AttributeValueMemberS:
			names[i] = fmt.Sprintf("%s=%q", name, v.Value)
		case *types.AttributeValueMemberN:
			names[i] = name + "=" + v.Value
		case *types.AttributeValueMemberB:
			names[i] = fmt.Sprintf("%s=0x%x", name, v.Value)
		default:
			names[i] = fmt.Sprintf("%s=%T", name, v)
		}
	}
	return "{" + strings.Join(names, " ") + "}"
}

// CursorError says what is wrong with a cursor. It wraps [ErrBadCursor].
type CursorError struct {
	Cursor string // as it was given
	Reason string
}

func (e *CursorError) Error() string {
	return fmt.Sprintf("%v %q: %s", ErrBadCursor, shorten(e.Cursor), e.Reason)
}

func (e *CursorError) Unwrap() error { return ErrBadCursor }

// shorten keeps a message readable; the value itself is kept whole in the error.
func shorten(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}

// MaxEvaluatedError ends a read that was to return everything, but was allowed
// to evaluate only so many items. It wraps [ErrMaxEvaluated].
type MaxEvaluatedError struct {
	Evaluated int
	Next      string // the cursor with which [Query.Page] goes on
}

func (e *MaxEvaluatedError) Error() string {
	return fmt.Sprintf("%v (%d)", ErrMaxEvaluated, e.Evaluated)
}

func (e *MaxEvaluatedError) Unwrap() error { return ErrMaxEvaluated }

// FilterError is a filter that cannot be sent. Err is [ErrKeyInFilter], with
// the attribute, or wraps [ErrFilter].
type FilterError struct {
	Attribute string
	Err       error
}

func (e *FilterError) Error() string {
	if e.Attribute == "" {
		return fmt.Sprint(e.Err)
	}
	return fmt.Sprintf("%q: %v", e.Attribute, e.Err)
}

func (e *FilterError) Unwrap() error { return e.Err }

// ArgumentError is a number that a method refuses. It wraps [ErrArgument].
type ArgumentError struct {
	Method string
	Value  int
	Least  int
	Most   int
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%s(%d): %v %d to %d", e.Method, e.Value, ErrArgument, e.Least, e.Most)
}

func (e *ArgumentError) Unwrap() error { return ErrArgument }

// KeyError is a key of a list that is not valid.
type KeyError struct {
	Position int // in the list as it was given, from 0
	Err      error
}

func (e *KeyError) Error() string { return fmt.Sprintf("key %d: %v", e.Position, e.Err) }

func (e *KeyError) Unwrap() error { return e.Err }

// TooManyError is a list of keys that is too long. It wraps [ErrTooMany].
type TooManyError struct {
	Keys int // different keys
	Most int
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("%v: %d, at most %d are read at once", ErrTooMany, e.Keys, e.Most)
}

func (e *TooManyError) Unwrap() error { return ErrTooMany }

// UnprocessedError is a batch of which DynamoDB has not read everything, however
// often it was asked. It wraps [ErrUnprocessed].
type UnprocessedError struct {
	Keys int // left unread
}

func (e *UnprocessedError) Error() string {
	return fmt.Sprintf("%v: %d", ErrUnprocessed, e.Keys)
}

func (e *UnprocessedError) Unwrap() error { return ErrUnprocessed }
