package model

import "reflect"

// View reads items of an entity into a type that has only some of its parts, so
// that a half-filled entity never looks like a whole one. It is immutable and
// safe for concurrent use.
type View[V any] struct {
	s      *schema // of V
	entity *schema // of the entity that is read
}

// ViewOf makes the view of an entity's items as values of V. The fields of V are
// bound as [Define] binds those of an entity, but to any subset of the entity's
// placeholders and attributes. A field that is neither is an *[EntityError],
// unless the entity has a rest field. V needs no role or rest fields; the tags of
// such are passed over.
//
// A view takes what is in the key from the key; an attribute that is stored as
// well wins, and is not compared with it.
//
// The view of a pair of types is made once and remembered with the entity.
func ViewOf[V, T any](e *Entity[T]) (*View[V], error) {
	if e.isZero() {
		return nil, e.check(nil)
	}
	return viewOf[V](e.s, nil)
}

// ViewOn is ViewOf over the entries of an index: a field may be bound to what the
// index holds alone, an attribute that it projects or a part of its key or of the
// table's. One that is not held is an *[EntityError] wrapping [ErrIndex].
//
// Where an index projects no type attribute ([KeysOnly]), entries are told apart
// by the templates of the table's keys; one that could be of two entities is
// Unknown.
func ViewOn[V, T any](e *Entity[T], ix *Index) (*View[V], error) {
	if e.isZero() {
		return nil, e.check(nil)
	}
	j, err := e.s.joined(ix)
	if err != nil {
		return nil, err
	}
	return viewOf[V](e.s, j)
}

// viewKey is what a view is remembered by.
type viewKey struct {
	typ  reflect.Type
	over *join
}

func viewOf[V any](s *schema, over *join) (*View[V], error) {
	key := viewKey{reflect.TypeFor[V](), over}
	if v, ok := s.views.Load(key); ok {
		return v.(*View[V]), nil
	}
	made, err := s.view(key.typ, over)
	if err != nil {
		return nil, err
	}
	v, _ := s.views.LoadOrStore(key, &View[V]{s: made, entity: s})
	return v.(*View[V]), nil
}

// Attributes returns the names of the top-level attributes that a read has to
// fetch for the view: the primary key, that of the index, the type attribute, the
// ttl attribute and those of V. Sorted, a fresh slice.
func (v *View[V]) Attributes() []string {
	if v == nil || v.s == nil {
		return nil
	}
	return v.s.attributes()
}

// Classify is that of the entity.
func (v *View[V]) Classify(item Item) Class {
	if v == nil || v.s == nil {
		return Unknown
	}
	if v.s.noTag {
		return v.entity.classifyByKeys(item)
	}
	return v.entity.classify(item)
}

// Unmarshal makes the value of an item. It fails as [Entity.Unmarshal] does.
func (v *View[V]) Unmarshal(item Item) (V, error) {
	var out V
	err := v.UnmarshalInto(item, &out)
	return out, err
}

// UnmarshalInto is Unmarshal into a value that is there already. What was in it
// is forgotten first; after an error it is the zero value.
func (v *View[V]) UnmarshalInto(item Item, out *V) error {
	if v == nil || v.s == nil || out == nil {
		return &EntityError{Err: errNilView(reflect.TypeFor[V]())}
	}
	var zero V
	*out = zero
	if err := v.s.read(item, reflect.ValueOf(out).Elem(), out); err != nil {
		*out = zero
		return err
	}
	return nil
}
