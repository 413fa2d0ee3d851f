package model

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
)

// join is how an entity is in an index.
type join struct {
	index    *Index
	pk, sk   *keyPlan // sk is nil where the index has no sort key
	only     *condition
	attrs    []joinAttr
	derived  []string // attributes that are the index's alone
	parts    []string // stored attributes that decide about the entry
	complete bool
}

// joinAttr is one key attribute of an index.
type joinAttr struct {
	name  string
	plan  *keyPlan
	part  int    // of a native key; -1 where the attribute is the whole key
	own   *field // the attribute is that of this field, in the form of the key
	table bool   // the attribute is one of the table's key
}

// condition is an Only option.
type condition struct {
	fn    func(value any) bool
	parts []string
	reads []*field
}

// joinRequest is an On option.
type joinRequest struct {
	index  *Index
	pk, sk keys.Template
	only   *condition
}

// An OnOption is one thing declared about an entity in an index.
type OnOption interface {
	applyOn(*definition, *joinRequest) error
}

type onOption func(*definition, *joinRequest) error

func (o onOption) applyOn(d *definition, r *joinRequest) error { return o(d, r) }

// On puts an entity into an index, with the templates of its key there. sk is nil
// exactly when the index has no sort key; of a local index pk is nil or the
// entity's own partition template, and so is the template of every other
// attribute of the index that belongs to the table's key.
//
// The entity is in the index sparsely: an item of which a part of the index key
// is missing (nil, an empty string, a zero time) is not in it, its index
// attributes are absent. Placeholders are bound as those of the primary key, but
// what feeds nothing but an index must be stored.
//
// A field may be stored under the name of a key attribute of the index where the
// template is its placeholder and nothing else, <email> for an attribute email.
// The attribute is then the field's and there whenever the field has a value, in
// the form of the key: in a joined key that is the escaped text, in a native index
// the plain value. Of what is read, the plain form of the field is accepted, too.
//
// [Define] refuses an index of another table, an index twice, a template that
// does not fit it, attributes that two indexes would write differently, and, in a
// native index, other attributes than the table's other entities have there.
func On(ix *Index, pk, sk keys.Template, opts ...OnOption) EntityOption {
	return entityOption(func(d *definition) error {
		r := joinRequest{index: ix, pk: pk, sk: sk}
		for i, o := range opts {
			if o == nil {
				return d.fault("", "", declaration("option %d of On is nil", i))
			}
			if err := o.applyOn(d, &r); err != nil {
				return err
			}
		}
		d.requests = append(d.requests, r)
		return nil
	})
}

// Only keeps those items out of an index of which fn says no: model.On(OpenOrders,
// pk, sk, model.Only(isOpen, "status")). parts names what fn reads, by placeholder
// or attribute name, so that an update of them is noticed; with none named it is
// taken to read everything. fn must be deterministic, fast, and safe for
// concurrent use, and must not keep or change its argument.
func Only[T any](fn func(*T) bool, parts ...string) OnOption {
	return onOption(func(d *definition, r *joinRequest) error {
		switch want := reflect.TypeFor[T](); {
		case d.typ != want:
			return d.fault("", "", &TypeError{Type: want, Expected: fmt.Sprintf("Only with a function of *%v", d.typ)})
		case fn == nil:
			return d.fault("", "", declaration("Only without a function"))
		case r.only != nil:
			return d.fault("", "", declaration("Only is given twice"))
		}
		r.only = &condition{fn: func(v any) bool { return fn(v.(*T)) }, parts: slices.Clone(parts)}
		return nil
	})
}

// join makes the plan of an On option.
func (d *definition) join(r joinRequest) error {
	ix, t := r.index, d.table
	if ix == nil {
		return d.fault("", "", declaration("On without an index"))
	}
	fail := func(format string, args ...any) error {
		return d.fault("", "", declaration("index %q: "+format, append([]any{ix.name}, args...)...))
	}
	if !slices.Contains(t.indexes, ix) {
		return d.fault("", "", fmt.Errorf("%w: index %q is not one of table %q: make it an option of the table", ErrIndex, ix.name, t.name))
	}
	for _, j := range d.joins {
		if j.index == ix {
			return fail("the entity is in it already")
		}
	}
	j := &join{index: ix, only: r.only}
	if ix.Local() && r.pk == nil {
		r.pk = d.pk.tmpl
	}
	switch {
	case ix.kind != nativeIndex && ix.sk == "" && r.sk != nil:
		return fail("it has no sort key, so the template %q has no use: give nil", r.sk)
	case ix.kind != nativeIndex && ix.sk != "" && r.sk == nil:
		return fail("it has the sort key %q: give it a template", ix.sk)
	case d.roles.names.TTL != "" && ix.projection == types.ProjectionTypeKeysOnly:
		return fail("it projects keys only, so nothing would tell that an entry has expired: use model.Include()")
	}
	var err error
	if j.pk, err = d.indexPlan(ix, ix.pk, r.pk, MaxPartitionKey); err != nil {
		return err
	}
	if r.sk != nil {
		if j.sk, err = d.indexPlan(ix, ix.sk, r.sk, MaxSortKey); err != nil {
			return err
		}
	}
	if ix.kind == nativeIndex {
		if n := len(j.pk.parts); n < 1 || n > 4 {
			return fail("its partition key %q has %d placeholders, DynamoDB takes 1 to 4", j.pk.tmpl, n)
		}
		if j.sk != nil {
			if n := len(j.sk.parts); n < 1 || n > 4 {
				return fail("its sort key %q has %d placeholders, DynamoDB takes up to 4: give nil for none", j.sk.tmpl, n)
			}
		}
	}
	d.joins = append(d.joins, j)
	return d.joinAttrs(j)
}

// indexPlan binds the template of an index key.
func (d *definition) indexPlan(ix *Index, attr string, tmpl keys.Template, limit int) (*keyPlan, error) {
	for _, k := range d.keyPlans() {
		if attr != "" && k.attr == attr {
			if tmpl == nil || tmpl.Err() != nil || tmpl.All().Check(k.tmpl) != nil {
				return nil, d.fault("", "", declaration("index %q: its key attribute %q is one of the table's key: give it the very template that the entity has there, %q", ix.name, attr, k.tmpl))
			}
			return k, nil
		}
	}
	return d.keyPlan(ix, attr, tmpl, limit)
}

// joinAttrs lists the attributes of an index key and says whose they are.
func (d *definition) joinAttrs(j *join) error {
	for _, k := range j.plans() {
		for i, a := range k.spec.Attributes {
			ja := joinAttr{name: a.Name, plan: k, part: -1}
			if k.spec.Native {
				ja.part = i
			}
			ja.table = k.index == nil
			if f := d.ownField(k, i); f != nil && !ja.table {
				if f.own == nil {
					f.own = &ownCodec{tmpl: k.tmpl, part: i, whole: !k.spec.Native, typ: a.Type, pointer: k.parts[i].pointer}
				}
				ja.own = f
			}
			for _, other := range j.attrs {
				if other.name == a.Name {
					return d.fault("", "", declaration("index %q: attribute %q stands in its key twice", j.index.name, a.Name))
				}
			}
			j.attrs = append(j.attrs, ja)
		}
	}
	return nil
}

// ownField gives the field whose attribute is that of a key: the only placeholder
// of a joined key, or one of a native key. A field that is nowhere else becomes
// the owner of the native attribute.
func (d *definition) ownField(k *keyPlan, i int) *field {
	p, name := k.parts, k.spec.Attributes[i].Name
	if !k.spec.Native && (len(p) != 1 || k.tmpl.String() != "<"+p[0].name+">") {
		return nil
	}
	f := p[i].field
	if f == nil {
		return nil
	}
	if k.index != nil && k.index.kind == nativeIndex && f.attr == "" && !f.feedsPrimary {
		f.attr = name
	}
	if f.attr == name {
		return f
	}
	return nil
}

func (j *join) plans() []*keyPlan {
	if j.sk == nil {
		return []*keyPlan{j.pk}
	}
	return []*keyPlan{j.pk, j.sk}
}

// finishJoins checks what only all of the indexes show.
func (d *definition) finishJoins() error {
	users := map[string]int{} // of attributes that an index writes
	plans := map[string]*keyPlan{}
	for _, j := range d.joins {
		for _, a := range j.attrs {
			if a.table {
				continue
			}
			users[a.name]++
			if other := plans[a.name]; other != nil && (a.part < 0 || !other.spec.Native) && other.tmpl.All().Check(a.plan.tmpl) != nil {
				return d.fault("", "", declaration("attribute %q is a key of the indexes %q and %q, with two templates: %q and %q",
					a.name, other.index.name, j.index.name, other.tmpl, a.plan.tmpl))
			}
			plans[a.name] = a.plan
		}
	}
	for _, j := range d.joins {
		free := false
		for _, a := range j.attrs {
			if !a.table && a.own == nil {
				j.derived = append(j.derived, a.name)
				free = free || users[a.name] == 1
			}
		}
		if j.only != nil && !free {
			return d.fault("", "", declaration("index %q: Only could leave nothing out: every attribute of its key belongs to a field, the table or another index", j.index.name))
		}
		if err := d.joinParts(j); err != nil {
			return err
		}
	}
	for i := range d.all {
		f := &d.all[i]
		if f.feeds && !f.feedsPrimary && f.attr == "" {
			return d.fault(f.key, f.path, declaration("it feeds index keys alone, so it would be lost where an item is not in the index: store it"))
		}
	}
	return nil
}

// joinParts lists the stored attributes that decide about an entry.
func (d *definition) joinParts(j *join) error {
	set := map[string]bool{}
	for _, k := range j.plans() {
		addParts(set, k)
	}
	if j.only != nil {
		var err error
		if j.only.reads, err = d.reads("", j.only.parts); err != nil {
			return err
		}
		for _, f := range j.only.reads {
			set[f.attr] = true
		}
	}
	delete(set, "")
	for _, k := range d.keyPlans() {
		delete(set, k.attr)
	}
	j.parts = sortedNames(set)
	return nil
}

// Index says how the entity is in an index. It fails with an *[EntityError] that
// wraps [ErrIndex] when it is in none such, and [ErrZero] for a nil entity.
func (e *Entity[T]) Index(ix *Index) (EntityIndex, error) {
	if e.isZero() {
		return EntityIndex{}, e.check(nil)
	}
	j, err := e.s.joined(ix)
	if err != nil {
		return EntityIndex{}, err
	}
	out := EntityIndex{Index: ix, Partition: j.pk.spec.clone(), Complete: j.complete}
	if j.sk != nil {
		out.Sort = j.sk.spec.clone()
	}
	return out, nil
}

func (s *schema) joined(ix *Index) (*join, error) {
	for _, j := range s.joins {
		if j.index == ix && ix != nil {
			return j, nil
		}
	}
	name := "nil"
	if ix != nil {
		name = fmt.Sprintf("%q", ix.name)
	}
	return nil, &EntityError{Entity: s.name, Err: fmt.Errorf("%w: %s: join it with model.On", ErrIndex, name)}
}

// KeySpecs says how the primary key of the entity is stored and asked for.
func (e *Entity[T]) KeySpecs() (pk, sk KeySpec) {
	if e.isZero() {
		return KeySpec{}, KeySpec{}
	}
	pk = e.s.pk.spec.clone()
	if e.s.sk != nil {
		sk = e.s.sk.spec.clone()
	}
	return pk, sk
}

func (s KeySpec) clone() KeySpec {
	s.Attributes = slices.Clone(s.Attributes)
	return s
}

// Indexes says what is written for each index that the entity is in, and from
// what it follows.
func (e *Entity[T]) Indexes() []DerivedIndex {
	if e.isZero() {
		return nil
	}
	var out []DerivedIndex
	for _, j := range e.s.joins {
		out = append(out, DerivedIndex{Index: j.index, Attributes: slices.Clone(j.derived), Parts: slices.Clone(j.parts)})
	}
	return out
}
