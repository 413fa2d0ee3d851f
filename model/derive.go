package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
)

// entryOf derives the key attributes of a value in an index, nil where it is not
// in it; base is the pointer to v.
func (s *schema) entryOf(j *join, v reflect.Value, base any) (Item, error) {
	if j.only != nil && !j.only.fn(base) {
		return nil, nil
	}
	item := make(Item, len(j.attrs))
	for _, k := range j.plans() {
		key, err := s.compose(k, v, base)
		switch {
		case errors.Is(err, keys.ErrEmpty):
			return nil, nil
		case err != nil:
			return nil, err
		}
		if err := k.spec.put(item, key); err != nil {
			return nil, &EntityError{Entity: s.name, Err: err}
		}
	}
	return item, nil
}

// putIndexes writes the index keys of a value into its item.
func (s *schema) putIndexes(item Item, v reflect.Value, base any) error {
	for _, j := range s.joins {
		entry, err := s.entryOf(j, v, base)
		if err != nil {
			return err
		}
		if entry == nil {
			continue
		}
		for _, a := range j.attrs {
			if was, ok := item[a.name]; ok && !Equal(was, entry[a.name]) {
				return &EntityError{Entity: s.name, Attribute: a.name, Err: refused("two keys make it %s and %s",
					textOfValue(was), textOfValue(entry[a.name]))}
			}
			item[a.name] = entry[a.name]
		}
	}
	return nil
}

// CheckIndexes compares the index keys of a stored item with those that its
// attributes make, and returns a *[KeyMismatchError] for the first that differs,
// is missing, or should not be there. Unmarshal does not look at them, so that a
// changed layout of an index does not make every item unreadable; this is for the
// job that finds the items to be written anew. It fails as Unmarshal does, too.
func (e *Entity[T]) CheckIndexes(item Item) error {
	var v T
	if err := e.UnmarshalInto(item, &v); err != nil {
		return err
	}
	return e.s.checkIndexes(item, reflect.ValueOf(&v).Elem(), &v)
}

func (s *schema) checkIndexes(item Item, v reflect.Value, base any) error {
	want := Item{}
	if err := s.putIndexes(want, v, base); err != nil {
		return err
	}
	for _, j := range s.joins {
		for _, a := range j.attrs {
			got, derived := item[a.name], want[a.name]
			if a.table || a.own != nil && derived == nil || Equal(got, derived) {
				continue
			}
			return s.table.itemError(s.name, item, a.name, &KeyMismatchError{
				Entity: s.name, Attribute: a.name, Template: a.plan.tmpl.String(),
				Stored: textOfValue(got), Derived: textOfValue(derived),
			})
		}
	}
	return nil
}

// Derive says what an update has to do to the index attributes of an item, of
// which only the primary key is known, and what the update itself brings.
//
// change is everything that the update writes, role attributes included, by
// attribute name; a nil value stands for one that is removed. given is what the
// caller says of attributes that the update does not write, a nil value for one
// that is absent; the update must be conditional on those that the answer names
// as used. Attributes of both are as [Entity.Encode] makes them.
//
// Indexes of which change touches no part stay as they are. An item is known to
// leave an index as soon as one part is known to be empty, or Only to say no.
// Otherwise every part must be known: what is missing is in the answer, and
// nothing else then.
//
// It fails with the error of an invalid key; with an *[EntityError] for a value
// that does not fit its field or that a codec refuses; with a *[SizeError] for an
// index key that is too long.
func (e *Entity[T]) Derive(key Key[T], change, given Item) (Derivation, error) {
	if err := key.Err(); err != nil {
		return Derivation{}, err
	}
	if e != key.e {
		return Derivation{}, &EntityError{Entity: e.Name(), Err: fmt.Errorf("%w: key %v", ErrEntity, key)}
	}
	var v T
	p := planner{schema: e.s, v: reflect.ValueOf(&v).Elem(), base: &v, change: change, given: given}
	return p.derive(key.pk, key.sk)
}

// planner is one call of Derive.
type planner struct {
	*schema
	v             reflect.Value // what is known of the value
	base          any           // pointer to it
	change, given Item
}

func (p *planner) derive(pk, sk keys.Key) (Derivation, error) {
	joins := p.affected()
	if len(joins) == 0 {
		return Derivation{}, nil
	}
	if err := p.fill(pk, sk); err != nil {
		return Derivation{}, err
	}
	d := Derivation{Set: Item{}}
	if err := p.ownAttributes(&d, joins); err != nil {
		return Derivation{}, err
	}
	for _, j := range joins {
		if len(j.derived) == 0 {
			continue // what the update writes is the entry
		}
		missing, out, err := p.state(j)
		if err != nil {
			return Derivation{}, err
		}
		switch {
		case out:
		case len(missing) > 0:
			d.Missing = append(d.Missing, missing...)
			continue
		default:
			entry, err := p.entryOf(j, p.v, p.base)
			if err != nil {
				return Derivation{}, err
			}
			for _, name := range j.derived {
				if entry != nil {
					d.Set[name] = entry[name]
				}
			}
		}
		for _, name := range j.parts {
			if _, ok := p.given[name]; ok && !slices.Contains(d.Used, name) {
				d.Used = append(d.Used, name)
			}
		}
	}
	if len(d.Missing) > 0 {
		return Derivation{Missing: d.Missing}, nil
	}
	for _, j := range joins {
		for _, name := range j.derived {
			if _, ok := d.Set[name]; !ok && !slices.Contains(d.Remove, name) {
				d.Remove = append(d.Remove, name)
			}
		}
	}
	slices.Sort(d.Remove)
	slices.Sort(d.Used)
	return d, nil
}

// affected lists the indexes whose entry the update can change: those of which it
// touches a part, and those that share an attribute with one of them.
func (p *planner) affected() []*join {
	hit := make([]bool, len(p.joins))
	names := map[string]bool{}
	for name := range p.change {
		names[name] = true
	}
	for again := true; again; {
		again = false
		for i, j := range p.joins {
			touched := func(name string) bool { return names[name] }
			if hit[i] || !slices.ContainsFunc(j.parts, touched) && !slices.ContainsFunc(j.derived, touched) {
				continue
			}
			hit[i], again = true, true
			for _, name := range j.derived {
				names[name] = true
			}
		}
	}
	var out []*join
	for i, j := range p.joins {
		if hit[i] {
			out = append(out, j)
		}
	}
	return out
}

// fill puts what is known into the value.
func (p *planner) fill(pk, sk keys.Key) error {
	for i, k := range p.keyPlans() {
		key := pk
		if i == 1 {
			key = sk
		}
		if err := p.parseText(k, key.String(), p.v); err != nil {
			return &EntityError{Entity: p.name, Attribute: k.attr, Err: err}
		}
	}
	for i := range p.fields {
		f := &p.fields[i]
		if f.feedsPrimary {
			continue
		}
		av, ok := p.change[f.attr]
		if !ok {
			av, ok = p.given[f.attr]
		}
		if !ok || isNull(av) {
			continue
		}
		if err := f.tagged.decode(av, f.make(p.v)); err != nil {
			return p.valueError(f, err)
		}
	}
	return nil
}

// known tells whether the value of a field is known.
func (p *planner) known(f *field) bool {
	if f.feedsPrimary {
		return true
	}
	if f.attr == "" {
		return f.role != "rest" // neither stored nor in a key: always zero
	}
	_, changed := p.change[f.attr]
	_, told := p.given[f.attr]
	return changed || told
}

// state tells whether the item is known to be out of an index, and if not, what
// is not known.
func (p *planner) state(j *join) (missing []MissingPart, out bool, err error) {
	miss := func(placeholder string, fields []*field) bool {
		complete := true
		for _, f := range fields {
			if !p.known(f) {
				complete = false
				m := MissingPart{Index: j.index, Placeholder: placeholder, Attribute: f.attr}
				same := func(o MissingPart) bool { return o.Attribute == m.Attribute }
				if !slices.ContainsFunc(missing, same) {
					missing = append(missing, m)
				}
			}
		}
		return complete
	}
	for _, k := range j.plans() {
		for i := range k.parts {
			part := &k.parts[i]
			fields := part.reads
			if part.field != nil {
				fields = []*field{part.field}
			}
			placeholder := ""
			if part.field != nil {
				placeholder = part.name
			}
			if !miss(placeholder, fields) {
				continue
			}
			switch empty, err := p.isEmpty(k, i); {
			case err != nil:
				return nil, false, err
			case empty:
				return nil, true, nil
			}
		}
	}
	if j.only != nil && miss("", j.only.reads) && !j.only.fn(p.base) {
		return nil, true, nil
	}
	return missing, false, nil
}

// isEmpty tells whether a known part has no value.
func (p *planner) isEmpty(k *keyPlan, i int) (bool, error) {
	part := &k.parts[i]
	var ptr any
	if part.fn != nil {
		ptr = part.fn(p.base)
	} else {
		fv, _ := part.field.at(p.v)
		switch {
		case !part.pointer:
			fv = fv.Addr()
		case fv.IsNil():
			return true, nil
		}
		ptr = fv.Interface()
	}
	_, err := k.tmpl.PartFrom(i, ptr)
	switch {
	case err == nil:
		return false, nil
	case errors.Is(err, keys.ErrEmpty):
		return true, nil
	}
	return false, p.partError(k, err)
}

// ownAttributes puts attributes of the domain that are index keys, too, into the
// form of the key.
func (p *planner) ownAttributes(d *Derivation, joins []*join) error {
	for _, j := range joins {
		for _, a := range j.attrs {
			av, changed := p.change[a.name]
			if a.own == nil || !changed {
				continue
			}
			f := p.byAttr[a.name]
			fv, _ := f.at(p.v)
			want, err := f.tagged.encode(fv, 0)
			if err != nil {
				return p.valueError(f, err)
			}
			switch {
			case want == nil && av != nil && !slices.Contains(d.Remove, a.name):
				d.Remove = append(d.Remove, a.name)
			case want != nil && !Equal(want, av):
				d.Set[a.name] = want
			}
		}
	}
	return nil
}

// textOfValue is an attribute value of a key for people to read.
func textOfValue(av types.AttributeValue) string {
	if isNil(av) {
		return ""
	}
	switch av := av.(type) {
	case *types.AttributeValueMemberS:
		return av.Value
	case *types.AttributeValueMemberN:
		return av.Value
	case *types.AttributeValueMemberB:
		return fmt.Sprintf("%X", av.Value)
	}
	return kindOf(av)
}
