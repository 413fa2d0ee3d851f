package model

import (
	"fmt"
	"reflect"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
)

// Entity is one kind of item in a table, with the Go type of its values and the
// templates of its keys. It is immutable and safe for concurrent use.
type Entity[T any] struct {
	s *schema
}

// An EntityOption is one thing declared about an entity; see [Define].
type EntityOption interface {
	applyEntity(*definition) error
}

type entityOption func(*definition) error

func (o entityOption) applyEntity(d *definition) error { return o(d) }

// Define declares an entity of the table under a name that is unique in it: T is
// the struct that holds a value, pk and sk are the templates of its primary key.
// sk is nil exactly when the table has no sort key.
//
// Every mistake that can be found without a value is found here and returned as
// an *[EntityError] with the placeholder and the field: a placeholder that
// nothing feeds or whose field does not fit its codec, a template that is
// invalid or narrowed, a field that cannot be stored or read back, two fields
// with one name, a key, role or rest field behind an embedded pointer, a field
// stored under the name of a key attribute or the type attribute that does not
// feed that key, an attribute for the time to live that differs from that of the
// table's other entities, and, in a table without type attribute, keys that could
// be confused with those of another entity.
//
// Define may be called concurrently.
func Define[T any](t *Table, name string, pk, sk keys.Template, opts ...EntityOption) (*Entity[T], error) {
	s, err := define(t, name, reflect.TypeFor[T](), pk, sk, opts)
	if err != nil {
		return nil, err
	}
	e := &Entity[T]{s: s}
	s.unmarshal = func(item Item) (any, error) {
		v := new(T)
		if err := e.UnmarshalInto(item, v); err != nil {
			return nil, err
		}
		return v, nil
	}
	if err := t.register(s); err != nil {
		return nil, err
	}
	return e, nil
}

// MustDefine is [Define] for variables of a package: it panics on a mistake.
func MustDefine[T any](t *Table, name string, pk, sk keys.Template, opts ...EntityOption) *Entity[T] {
	e, err := Define[T](t, name, pk, sk, opts...)
	if err != nil {
		panic(err)
	}
	return e
}

// Lenient lets items be read whose stored key disagrees with the attributes that
// it is derived from. The attributes win: the key that [Entity.KeyOf] makes of
// such a value is then not the key that the item was read at, which
// [Entity.KeyOfItem] tells.
func Lenient() EntityOption {
	return entityOption(func(d *definition) error { d.lenient = true; return nil })
}

// Computed feeds a placeholder with what fn makes of a value, a shard number
// derived from an id for instance. parts names what fn reads, by placeholder or
// attribute name; with none named it is taken to read everything. fn must be
// deterministic, fast, and safe for concurrent use, and must not keep or change
// its argument. Its result is not stored but in the key; reading an item
// computes it again and compares.
//
// Define refuses a name that no template has, that is computed twice, or that a
// field feeds as well; a V that the codec of the placeholder does not take; and
// a T that is not the entity's.
func Computed[T, V any](name string, fn func(*T) V, parts ...string) EntityOption {
	return entityOption(func(d *definition) error {
		if want := reflect.TypeFor[T](); d.typ != want {
			return d.fault(name, "", &TypeError{Type: want, Expected: fmt.Sprintf("a function of *%v", d.typ)})
		}
		if fn == nil {
			return d.fault(name, "", fmt.Errorf("%w: Computed without a function", ErrDeclaration))
		}
		return d.compute(name, computation{
			typ:   reflect.TypeFor[V](),
			parts: parts,
			fn: func(value any) any {
				v := fn(value.(*T))
				return &v
			},
		})
	})
}

// Name returns the name of the entity, "" for a nil one.
func (e *Entity[T]) Name() string {
	if e.isZero() {
		return ""
	}
	return e.s.name
}

// Table returns the table of the entity, nil for a nil one.
func (e *Entity[T]) Table() *Table {
	if e.isZero() {
		return nil
	}
	return e.s.table
}

// PartitionTemplate returns the template of the partition key.
func (e *Entity[T]) PartitionTemplate() keys.Template {
	if e.isZero() {
		return nil
	}
	return e.s.pk.tmpl
}

// SortTemplate returns the template of the sort key, nil when the table has none.
func (e *Entity[T]) SortTemplate() keys.Template {
	if e.isZero() || e.s.sk == nil {
		return nil
	}
	return e.s.sk.tmpl
}

// Attributes returns the name of every top-level attribute that an item of this
// entity can have: the keys, the type attribute, the roles, and what else the
// type stores; not what a rest field may hold. Sorted, a fresh slice.
func (e *Entity[T]) Attributes() []string {
	if e.isZero() {
		return nil
	}
	return e.s.attributes()
}

// KeyParts returns the names of the attributes that the primary key is made of
// or from: those of the key itself, the type attribute, and every stored
// attribute that feeds a placeholder, also by way of a computed one. They cannot
// be changed in place; the item has to be moved. Sorted, a fresh slice.
func (e *Entity[T]) KeyParts() []string {
	if e.isZero() {
		return nil
	}
	return e.s.keyParts()
}

// HasRest tells whether the type has a field that keeps the attributes that it
// does not know.
func (e *Entity[T]) HasRest() bool { return !e.isZero() && e.s.rest != nil }

// Marshal makes the item of a value: its attributes, its keys and its type
// attribute. The item shares nothing with the value but what a rest field holds.
//
// It fails with an *[EntityError] that names the field when a part of a key is
// missing (it wraps [keys.ErrEmpty]) or refused by its codec, when a value cannot
// be stored (it wraps [ErrValue] or [keys.ErrUTF8]), or when a rest field holds a
// name that the type knows; with a *[SizeError] when a key or the item is too
// large; and with [ErrZero] for a nil value or entity.
func (e *Entity[T]) Marshal(v *T) (Item, error) {
	if err := e.check(v); err != nil {
		return nil, err
	}
	return e.s.marshal(reflect.ValueOf(v).Elem(), v)
}

// Unmarshal makes the value of an item. It does not look at expiry;
// [Entity.Classify] does. Attributes that the type does not know go into its
// rest field, or are passed over where it has none.
//
// It fails with an *[ItemError] when the item is of another entity (it wraps
// [ErrEntity]), lacks a key ([ErrMissing]), has a key that is not of the entity's
// templates ([keys.ErrSyntax], [keys.ErrValue]), an attribute that does not fit
// its field, or a key that disagrees with its attributes (a *[KeyMismatchError]);
// with [ErrZero] for a nil entity.
func (e *Entity[T]) Unmarshal(item Item) (T, error) {
	var v T
	if err := e.UnmarshalInto(item, &v); err != nil {
		var zero T
		return zero, err
	}
	return v, nil
}

// UnmarshalInto is [Entity.Unmarshal] into a value that is there already, an
// element of a slice for instance. What was in it is forgotten first; after an
// error it is the zero value.
func (e *Entity[T]) UnmarshalInto(item Item, v *T) error {
	if err := e.check(v); err != nil {
		return err
	}
	var zero T
	*v = zero
	if err := e.s.read(item, reflect.ValueOf(v).Elem(), v); err != nil {
		*v = zero
		return err
	}
	return nil
}

// isZero reports whether e is nil or was not made by [Define].
func (e *Entity[T]) isZero() bool { return e == nil || e.s == nil }

// check refuses an entity that is none and a nil value.
func (e *Entity[T]) check(v *T) error {
	if e.isZero() {
		return &EntityError{Err: fmt.Errorf("%w: Entity[%v] that Define has not made", ErrZero, reflect.TypeFor[T]())}
	}
	if v == nil {
		return &EntityError{Entity: e.s.name, Err: fmt.Errorf("%w: nil *%v", ErrZero, e.s.typ)}
	}
	return nil
}

// Encode makes the attribute value that a field stored under attr would have for
// v, so that a single attribute is written as the whole item would write it.
// Where the type does not know attr, v is encoded by its own type.
//
// A nil attribute value without an error means that the attribute is absent for
// this v, so that it has to be removed: an empty set, or what omitempty leaves
// out. v may be of the field's type, a pointer to it, what a pointer field points
// to, a value of the same kind that fits (an untyped constant for a named type
// or a narrower integer), or a ready types.AttributeValue that can be read into
// the field. Anything else is an *[EntityError] wrapping a *[TypeError].
func (e *Entity[T]) Encode(attr string, v any) (types.AttributeValue, error) {
	if e.isZero() {
		return nil, e.check(nil)
	}
	return e.s.encodeAttr(attr, v)
}

// Roles returns the attribute names of the entity's role fields.
func (e *Entity[T]) Roles() Roles {
	if e.isZero() {
		return Roles{}
	}
	return e.s.roles.names
}

// Stamps returns what the role fields of a value hold.
func (e *Entity[T]) Stamps(v *T) Stamps {
	if e.check(v) != nil {
		return Stamps{}
	}
	return e.s.roles.stamps(reflect.ValueOf(v).Elem())
}

// SetStamps sets those role fields of a value that its type has. A time is set as
// it will be read back: in UTC, without the monotonic clock, and in whole
// seconds where the field is stored so. A nil value or entity is left alone.
func (e *Entity[T]) SetStamps(v *T, s Stamps) {
	if e.check(v) == nil {
		e.s.roles.setStamps(reflect.ValueOf(v).Elem(), s)
	}
}

// Roles are the names of the attributes that hold an entity's roles, "" where it
// has no such field.
type Roles struct {
	Version string // counts the writes of an item
	Created string // when it was created
	Updated string // when it was written last
	TTL     string // second since 1970 from which on it is absent
	Write   string // id of the write that made it what it is
}

// Stamps are the values of the role fields that a write sets.
type Stamps struct {
	Version int64
	Created time.Time
	Updated time.Time
	Write   string
}
