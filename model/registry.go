package model

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// registry is the entities of a table at one moment. It is never changed, so
// that it is read without a lock.
type registry struct {
	byName map[string]*schema
	all    []*schema // in the order of their definition
}

// register adds an entity to its table.
func (t *Table) register(s *schema) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	old := t.entities.Load()
	fail := func(err error) error { return &EntityError{Entity: s.name, Err: err} }
	if _, ok := old.byName[s.name]; ok {
		return fail(declaration("table %q has an entity of this name already", t.name))
	}
	for _, o := range old.all {
		if a, b := s.roles.names.TTL, o.roles.names.TTL; a != "" && b != "" && a != b {
			return fail(declaration("its time to live is attribute %q, that of entity %q is %q: a table has one", a, o.name, b))
		}
		if t.typeAttr == "" && s.confusable(o) {
			return fail(declaration("its keys could be taken for those of entity %q: without a type attribute, templates must tell the two apart", o.name))
		}
	}
	fresh := &registry{byName: make(map[string]*schema, len(old.all)+1)}
	fresh.all = append(append(fresh.all, old.all...), s)
	for _, o := range fresh.all {
		fresh.byName[o.name] = o
	}
	t.entities.Store(fresh)
	return nil
}

// confusable tells whether one primary key could be of both entities.
func (s *schema) confusable(o *schema) bool {
	if !s.pk.tmpl.Overlaps(o.pk.tmpl) {
		return false
	}
	return s.sk == nil || s.sk.tmpl.Overlaps(o.sk.tmpl)
}

// find gives the entity of an item, nil where there is none.
func (t *Table) find(item Item) *schema {
	r := t.entities.Load()
	if t.typeAttr != "" {
		tag, ok := textOf(item, t.typeAttr)
		if !ok {
			return nil
		}
		return r.byName[tag]
	}
	pk, ok := textOf(item, t.pk)
	if !ok {
		return nil
	}
	sk, ok := "", true
	if t.sk != "" {
		if sk, ok = textOf(item, t.sk); !ok {
			return nil
		}
	}
	for _, s := range r.all {
		if s.pk.tmpl.Matches(pk) && (s.sk == nil || s.sk.tmpl.Matches(sk)) {
			return s
		}
	}
	return nil
}

// textOf gives the string in an attribute.
func textOf(item Item, attr string) (string, bool) {
	s, ok := item[attr].(*types.AttributeValueMemberS)
	if !ok || s == nil {
		return "", false
	}
	return s.Value, true
}

func errNoEntity(t *Table, item Item) error {
	if t.typeAttr == "" {
		return fmt.Errorf("%w: its keys are of no entity of table %q", ErrEntity, t.name)
	}
	tag, ok := textOf(item, t.typeAttr)
	if !ok {
		return fmt.Errorf("%w: it has no attribute %q", ErrEntity, t.typeAttr)
	}
	return fmt.Errorf("%w: table %q declares no entity %q", ErrEntity, t.name, tag)
}

// itemError is an error of an item, which it names by its key.
func (t *Table) itemError(entity string, item Item, attr string, err error) error {
	key := ""
	if pk, ok := textOf(item, t.pk); ok {
		key = pk
	}
	if sk, ok := textOf(item, t.sk); ok && t.sk != "" {
		key += ", " + sk
	}
	return &ItemError{Entity: entity, Key: key, Attribute: attr, Err: err}
}
