package model

import (
	"fmt"
	"reflect"

	"github.com/singletable-go/singletable/keys"
)

// Key is the primary key of an item of one entity, so that a read knows what it
// returns. It is a small immutable value, safe for concurrent use. Two valid
// keys are == when they are of one entity and have the same text. The zero Key
// is not valid.
//
// What is wrong with a key travels in it, as with [keys.Key]: [Key.Err] tells
// it, and whatever takes the key returns it before anything is sent.
type Key[T any] struct {
	e      *Entity[T]
	pk, sk keys.Key
	err    error // of a pointer type, so that == cannot panic
}

// Key makes the key of an item from the keys of its partition and its place in
// it. Its error tells of a key made by another template, of a missing or
// superfluous sort key, and of a key that is too long (a *[SizeError]).
func (e *Entity[T]) Key(pk keys.Key, sk ...keys.Key) Key[T] {
	if e.isZero() {
		return Key[T]{err: e.check(nil)}
	}
	k := Key[T]{e: e, pk: pk}
	if len(sk) > 0 {
		k.sk = sk[0]
	}
	k.err = e.s.checkKey(pk, sk)
	return k
}

// KeyOf derives the key of a value. It fails as [Entity.Marshal] does.
func (e *Entity[T]) KeyOf(v *T) (Key[T], error) {
	if err := e.check(v); err != nil {
		return Key[T]{err: err}, err
	}
	pk, sk, err := e.s.keysOf(reflect.ValueOf(v).Elem(), v)
	if err != nil {
		return Key[T]{e: e, err: err}, err
	}
	return Key[T]{e: e, pk: pk, sk: sk}, nil
}

// KeyOfItem returns the key that an item is stored at, whatever its other
// attributes say. It fails with an *[ItemError] when a key attribute is missing
// ([ErrMissing]) or is not a key of the entity's templates.
func (e *Entity[T]) KeyOfItem(item Item) (Key[T], error) {
	if e.isZero() {
		err := e.check(nil)
		return Key[T]{err: err}, err
	}
	pk, sk, err := e.s.keysOfItem(item)
	if err != nil {
		return Key[T]{e: e, err: err}, err
	}
	return Key[T]{e: e, pk: pk, sk: sk}, nil
}

// Entity returns the entity that the key is of, nil for the zero Key.
func (k Key[T]) Entity() *Entity[T] { return k.e }

// Partition returns the key of the partition.
func (k Key[T]) Partition() keys.Key { return k.pk }

// Sort returns the sort key, the zero keys.Key when the table has none.
func (k Key[T]) Sort() keys.Key { return k.sk }

// Err returns what is wrong with the key, nil when it can be used.
func (k Key[T]) Err() error {
	if k.err == nil && k.e == nil {
		return &EntityError{Err: fmt.Errorf("%w: zero Key[%v]", ErrZero, reflect.TypeFor[T]())}
	}
	return k.err
}

// Item returns the key as the attributes that a request wants, a fresh map; nil
// for a key with an error.
func (k Key[T]) Item() Item {
	if k.Err() != nil {
		return nil
	}
	item := make(Item, 2)
	if err := k.e.s.putKey(item, k.pk, k.sk); err != nil {
		return nil // not for a key without error: Key and KeyOf have checked it
	}
	return item
}

// String returns the key for people to read: WorkOrder(REGION#eu, STATUS#OPEN#…).
func (k Key[T]) String() string {
	if k.e == nil {
		return "invalid key"
	}
	s := k.e.Name() + "(" + k.pk.String()
	if k.e.s.sk != nil {
		s += ", " + k.sk.String()
	}
	return s + ")"
}
