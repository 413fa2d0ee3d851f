package model

import (
	"fmt"
	"slices"

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
	if err := t.checkNative(s); err != nil {
		return fail(err)
	}
	fresh := &registry{byName: make(map[string]*schema, len(old.all)+1)}
	fresh.all = append(append(fresh.all, old.all...), s)
	for _, o := range fresh.all {
		fresh.byName[o.name] = o
	}
	t.entities.Store(fresh)
	return nil
}

// checkNative holds the native keys of an entity to those of the entities before
// it: an index has one list of attributes, an attribute one type.
func (t *Table) checkNative(s *schema) error {
	known := t.attributeTypes()
	for _, j := range s.joins {
		for _, a := range j.attrs {
			typ := a.plan.spec.Attributes[max(a.part, 0)].Type
			if was, ok := known[a.name]; ok && was != typ {
				return declaration("index %q: key attribute %q would be of type %s, elsewhere it is of type %s", j.index.name, a.name, typ, was)
			}
			known[a.name] = typ
		}
		hash, sort := t.schemaOf(j.index)
		var mySort []KeyAttribute
		if j.sk != nil {
			mySort = j.sk.spec.Attributes
		}
		if j.index.kind == nativeIndex && hash != nil && (!slices.Equal(hash, j.pk.spec.Attributes) || !slices.Equal(sort, mySort)) {
			return declaration("native index %q: other entities have the key attributes %v and %v there, this one %v and %v",
				j.index.name, hash, sort, j.pk.spec.Attributes, mySort)
		}
	}
	return nil
}

// attributeTypes gives the types of all key attributes that are known so far.
func (t *Table) attributeTypes() map[string]types.ScalarAttributeType {
	out := map[string]types.ScalarAttributeType{}
	for _, ix := range append([]*Index{nil}, t.indexes...) {
		hash, sort := t.schemaOf(ix)
		for _, a := range append(slices.Clone(hash), sort...) {
			out[a.Name] = a.Type
		}
	}
	return out
}

// confusable tells whether one primary key could be of both entities.
func (s *schema) confusable(o *schema) bool {
	if !s.pk.tmpl.Overlaps(o.pk.tmpl) {
		return false
	}
	return s.sk == nil || s.sk.tmpl.Overlaps(o.sk.tmpl)
}

// defined are the entities of the table, in the order of their definition.
func (t *Table) defined() []*schema {
	if t.isZero() {
		return nil
	}
	return t.entities.Load().all
}

// find gives the entity of an item, nil where there is none.
func (t *Table) find(item Item) *schema {
	if t.isZero() {
		return nil
	}
	r := t.entities.Load()
	if t.typeAttr != "" {
		tag, ok := textOf(item, t.typeAttr)
		if !ok {
			return nil
		}
		return r.byName[tag]
	}
	for _, s := range r.all {
		if s.hasKeys(item) {
			return s
		}
	}
	return nil
}

// hasKeys tells whether an item has the keys of the entity.
func (s *schema) hasKeys(item Item) bool {
	return s.pk.matches(item) && (s.sk == nil || s.sk.matches(item))
}

// matches tells whether an item has a key of the template.
func (k *keyPlan) matches(item Item) bool {
	a := k.spec.Attributes[0]
	text, ok := partText(a.Type, item[a.Name])
	if !ok {
		return false
	}
	if k.spec.Native {
		return k.tmpl.ParsePart(0, text, nil) == nil
	}
	return k.tmpl.Matches(text)
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
	key := textOfValue(item[t.pk])
	if sk := item[t.sk]; sk != nil && t.sk != "" {
		key += ", " + textOfValue(sk)
	}
	return &ItemError{Entity: entity, Key: key, Attribute: attr, Err: err}
}
