package model

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/singletable-go/singletable/keys"
)

// What can be wrong. The typed errors of this package say where, and unwrap to
// one of these or to one of the sentinels of package keys: [keys.ErrEmpty] is a
// key part that the value does not have, [keys.ErrTemplate] a key that was made
// by another template, [keys.ErrUTF8] a text that is not UTF-8.
var (
	// ErrNotFound: there is no such item, or it has expired. Packages query and
	// txn return this very value.
	ErrNotFound = errors.New("no such item")

	// ErrDeclaration: a table or an entity is declared in a way that cannot work.
	ErrDeclaration = errors.New("cannot be declared so")

	// ErrEntity: the item is of another entity, or the key of another table.
	ErrEntity = errors.New("of another entity")

	// ErrMissing: the item lacks an attribute that it cannot be without.
	ErrMissing = errors.New("attribute missing")

	// ErrKeyMismatch: a stored key disagrees with what it is derived from.
	ErrKeyMismatch = errors.New("stored key disagrees with the attributes it is derived from")

	// ErrTooLarge: a key or an item is larger than DynamoDB takes.
	ErrTooLarge = errors.New("larger than DynamoDB allows")

	// ErrValue: a value is not of the type that its field or attribute has, or is
	// one that DynamoDB cannot hold.
	ErrValue = errors.New("value does not fit")

	// ErrIndex: the index is not one of the table, the entity is not in it, or it
	// does not hold what is asked of it.
	ErrIndex = errors.New("not in this index")

	// ErrZero: a zero Key, a nil entity or a nil value was used.
	ErrZero = errors.New("zero value is not valid")
)

// errZeroTable is what becomes of a use of no table.
var errZeroTable error = &EntityError{Err: fmt.Errorf("%w: a Table that NewTable has not made", ErrZero)}

// EntityError is what is wrong with the declaration of an entity, or with a
// value of it. Fields that do not apply are empty.
type EntityError struct {
	Entity      string // name of the entity
	Placeholder string // of a key template, without < and >
	Field       string // Go field, with its path: "Address.City"
	Attribute   string // name under which it is stored
	Err         error
}

func (e *EntityError) Error() string {
	var b strings.Builder
	b.WriteString("model: ")
	if e.Entity != "" {
		b.WriteString("entity " + strconv.Quote(e.Entity) + ": ")
	}
	if e.Placeholder != "" {
		b.WriteString("placeholder <" + e.Placeholder + ">: ")
	}
	if e.Field != "" {
		b.WriteString("field " + e.Field + ": ")
	}
	if e.Attribute != "" {
		b.WriteString("attribute " + strconv.Quote(e.Attribute) + ": ")
	}
	fmt.Fprint(&b, e.Err)
	return b.String()
}

func (e *EntityError) Unwrap() error { return e.Err }

// ItemError is an item that cannot be read as what it should be.
type ItemError struct {
	Entity    string // the entity asked for; "" where none is declared for the item
	Key       string // the item's primary key, for people to read
	Attribute string // the attribute at fault; "" where it is the whole item
	Err       error
}

func (e *ItemError) Error() string {
	var b strings.Builder
	b.WriteString("model: item")
	if e.Key != "" {
		b.WriteString(" " + e.Key)
	}
	if e.Entity != "" {
		b.WriteString(" as " + strconv.Quote(e.Entity))
	}
	b.WriteString(": ")
	if e.Attribute != "" {
		b.WriteString("attribute " + strconv.Quote(e.Attribute) + ": ")
	}
	fmt.Fprint(&b, e.Err)
	return b.String()
}

func (e *ItemError) Unwrap() error { return e.Err }

// KeyMismatchError is an item whose stored key is not the one that its
// attributes make: somebody changed an attribute and left the key, or the other
// way round. It unwraps to [ErrKeyMismatch]. [Lenient] accepts such items.
type KeyMismatchError struct {
	Entity    string
	Attribute string // of the key
	Template  string
	Stored    string // text of the stored key
	Derived   string // text that the attributes make; "" where they make none
	Err       error  // why the attributes make none, or nil
}

func (e *KeyMismatchError) Error() string {
	s := fmt.Sprintf("%v: %q is stored, template %q makes ", ErrKeyMismatch, e.Stored, e.Template)
	if e.Err != nil {
		return s + "none: " + e.Err.Error()
	}
	return s + strconv.Quote(e.Derived)
}

func (e *KeyMismatchError) Unwrap() []error {
	if e.Err != nil {
		return []error{ErrKeyMismatch, e.Err}
	}
	return []error{ErrKeyMismatch}
}

// SizeError is a key or an item that is larger than DynamoDB takes. It unwraps
// to [ErrTooLarge]; for a key, errors.Is finds [keys.ErrTooLong] too.
type SizeError struct {
	Entity    string
	Attribute string // of the key; "" where the whole item is too large
	Size      int    // bytes, as DynamoDB counts them
	Limit     int    // bytes
}

func (e *SizeError) Error() string {
	what := "item"
	if e.Attribute != "" {
		what = "key attribute " + strconv.Quote(e.Attribute)
	}
	return fmt.Sprintf("model: entity %q: %s of %d bytes, the limit is %d: %v", e.Entity, what, e.Size, e.Limit, ErrTooLarge)
}

func (e *SizeError) Unwrap() error { return ErrTooLarge }

// Is makes a key that is too long be keys.ErrTooLong, too: it does not matter
// which package has noticed.
func (e *SizeError) Is(target error) bool { return e.Attribute != "" && target == keys.ErrTooLong }

// TypeError is a Go type that does not fit where it is used: as the field of a
// placeholder, as the field of a role, or as the value of an attribute.
type TypeError struct {
	Type     reflect.Type // what was given; nil for an untyped nil
	Expected string       // what would fit
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("type %v does not fit: expected %s", e.Type, e.Expected)
}

func (e *TypeError) Unwrap() error { return ErrValue }

// CheckError lists every difference between a live table and its model, one
// sentence each.
type CheckError struct {
	Table       string // the declared name
	Differences []string
}

func (e *CheckError) Error() string {
	return fmt.Sprintf("model: table %q is not as declared: %s", e.Table, strings.Join(e.Differences, "; "))
}
