package model

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/singletable-go/singletable/keys"
)

// schema is what Define has found out about an entity, without its type
// parameter. It is not changed after that.
type schema struct {
	table   *Table
	name    string
	typ     reflect.Type
	lenient bool

	pk, sk *keyPlan // sk is nil in a table without sort key
	fields []codecField
	byAttr map[string]*codecField // of fields
	roles  rolePlan
	rest   *field

	known map[string]struct{} // every attribute name that is not rest
	names []string            // known, sorted
	parts []string            // see Entity.KeyParts

	unmarshal func(Item) (any, error)
	views     sync.Map // reflect.Type -> *View of it
}

// keyPlan is how one key attribute is composed and taken apart.
type keyPlan struct {
	attr   string
	tmpl   keys.Template
	limit  int
	parts  []part // one a placeholder
	verify bool   // something else than the key says what is in it, too
}

// part is where the value of a placeholder comes from: a field, a computation,
// or, in a view, nowhere.
type part struct {
	name    string
	field   *field
	pointer bool // the field is a pointer to the value
	fn      func(value any) any
}

// computation is a Computed option.
type computation struct {
	typ   reflect.Type
	parts []string
	fn    func(value any) any
	used  bool
}

// definition is a schema in the making.
type definition struct {
	*schema
	all      []field
	computed map[string]*computation
	compiler compiler
	partial  *schema // the entity that a view is of
}

// fault is an error of the declaration.
func (d *definition) fault(placeholder, path string, err error) error {
	var f *fieldError
	if errors.As(err, &f) {
		path, err = f.path, f.err
	}
	if !errors.Is(err, ErrDeclaration) {
		err = &declarationError{err}
	}
	return &EntityError{Entity: d.name, Placeholder: placeholder, Field: path, Err: err}
}

// declarationError makes any error one of a declaration.
type declarationError struct{ err error }

func (e *declarationError) Error() string   { return e.err.Error() }
func (e *declarationError) Unwrap() []error { return []error{e.err, ErrDeclaration} }

func define(t *Table, name string, typ reflect.Type, pk, sk keys.Template, opts []EntityOption) (*schema, error) {
	d := &definition{schema: &schema{table: t, name: name, typ: typ}, computed: map[string]*computation{}}
	if t == nil {
		return nil, d.fault("", "", declaration("the table is nil"))
	}
	if name == "" {
		return nil, d.fault("", "", declaration("an entity needs a name"))
	}
	if err := checkText(name); err != nil {
		return nil, d.fault("", "", err)
	}
	if err := d.collect(); err != nil {
		return nil, err
	}
	for i, o := range opts {
		if o == nil {
			return nil, d.fault("", "", declaration("option %d is nil", i))
		}
		if err := o.applyEntity(d); err != nil {
			return nil, err
		}
	}
	var err error
	if d.pk, err = d.keyPlan(t.pk, pk, MaxPartitionKey); err != nil {
		return nil, err
	}
	switch {
	case t.sk == "" && sk != nil:
		return nil, d.fault("", "", declaration("table %q has no sort key, so the template %q has no use: give nil", t.name, sk))
	case t.sk != "" && sk == nil:
		return nil, d.fault("", "", declaration("table %q has the sort key %q: give it a template, keys.Literal for one that is always the same", t.name, t.sk))
	case t.sk != "":
		if d.sk, err = d.keyPlan(t.sk, sk, MaxSortKey); err != nil {
			return nil, err
		}
	}
	if err := d.finish(); err != nil {
		return nil, err
	}
	return d.schema, nil
}

// collect lists the fields of the type and sorts out their roles.
func (d *definition) collect() error {
	t := d.typ
	if t.Kind() != reflect.Struct {
		return d.fault("", "", &TypeError{Type: t, Expected: "a struct"})
	}
	for _, i := range codingTypes[:2] {
		if has(t, i) {
			return d.fault("", "", &TypeError{Type: t, Expected: "a struct without " + i.String() + " of its own, which would not be asked"})
		}
	}
	fields, err := collectFields(t)
	if err != nil {
		return d.fault("", "", err)
	}
	d.all = fields
	keyed := map[string]string{}
	for i := range d.all {
		f := &d.all[i]
		if f.key != "" {
			if other, ok := keyed[f.key]; ok {
				return d.fault(f.key, f.path, declaration("field %s says key:%q, too", other, f.key))
			}
			keyed[f.key] = f.path
		}
		if f.role != "" && d.partial == nil {
			if err := d.role(f); err != nil {
				return d.fault("", f.path, err)
			}
		}
	}
	return nil
}

// compute notes a Computed option.
func (d *definition) compute(name string, c computation) error {
	if _, ok := d.computed[name]; ok {
		return d.fault(name, "", declaration("it is computed twice"))
	}
	d.computed[name] = &c
	return nil
}

// keyPlan binds the placeholders of a template.
func (d *definition) keyPlan(attr string, tmpl keys.Template, limit int) (*keyPlan, error) {
	if tmpl == nil {
		return nil, d.fault("", "", declaration("key attribute %q has no template", attr))
	}
	if v := reflect.ValueOf(tmpl); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, d.fault("", "", declaration("the template of key attribute %q is a nil pointer", attr))
	}
	if err := tmpl.Err(); err != nil {
		return nil, d.fault("", "", err)
	}
	if tmpl.Narrowed() {
		return nil, d.fault("", "", declaration("template %q is narrowed by At: give the whole one", tmpl))
	}
	k := &keyPlan{attr: attr, tmpl: tmpl, limit: limit}
	for i, name := range tmpl.Placeholders() {
		p, err := d.bind(k, i, name)
		if err != nil {
			return nil, err
		}
		k.parts = append(k.parts, p)
	}
	return k, nil
}

// bind finds what feeds a placeholder: the field that says key:"name", else the
// one stored under that name, else a computation.
func (d *definition) bind(k *keyPlan, i int, name string) (part, error) {
	f := d.feeding(name)
	c := d.computed[name]
	switch {
	case f != nil && c != nil:
		return part{}, d.fault(name, f.path, declaration("it is fed by this field, and computed"))
	case c != nil:
		c.used = true
		if err := k.tmpl.Accepts(i, c.typ); err != nil {
			return part{}, d.fault(name, "", err)
		}
		return part{name: name, fn: c.fn}, nil
	case f == nil && d.partial != nil:
		return part{name: name}, nil
	case f == nil:
		return part{}, d.fault(name, "", declaration("nothing feeds it: tag a field of %v key:%q, or store one as %q", d.typ, name, name))
	case f.viaPtr:
		return part{}, d.fault(name, f.path, declaration("it is behind an embedded pointer: embed the struct itself"))
	case f.role == "rest":
		return part{}, d.fault(name, f.path, declaration("a rest field cannot feed a key"))
	case f.role == "version" || f.role == "updated" || f.role == "write":
		return part{}, d.fault(name, f.path, declaration("its role %q changes with every write, and with it the key would", f.role))
	}
	p := part{name: name, field: f}
	typ := f.typ
	if typ.Kind() == reflect.Pointer && typ.Name() == "" {
		typ, p.pointer = typ.Elem(), true
	}
	if err := k.tmpl.Accepts(i, typ); err != nil {
		return part{}, d.fault(name, f.path, err)
	}
	f.feeds = true
	f.inKey = f.inKey || f.attr == k.attr
	return p, nil
}

func (d *definition) feeding(name string) *field {
	var stored *field
	for i := range d.all {
		f := &d.all[i]
		if f.key == name {
			return f
		}
		if f.attr == name {
			stored = f
		}
	}
	return stored
}

// finish makes the codecs of what is stored and checks what only the whole shows.
func (d *definition) finish() error {
	t := d.table
	reserved := map[string]string{t.pk: "the partition key"}
	if t.sk != "" {
		reserved[t.sk] = "the sort key"
	}
	if t.typeAttr != "" {
		reserved[t.typeAttr] = "the type attribute"
	}
	placeholders := map[string]bool{}
	fed := map[*field]int{}
	for _, k := range d.keyPlans() {
		for _, p := range k.parts {
			placeholders[p.name] = true
			if p.field == nil {
				k.verify = k.verify || p.fn != nil
				continue
			}
			fed[p.field]++
			k.verify = k.verify || p.field.attr != "" && !p.field.inKey
		}
	}
	for _, k := range d.keyPlans() {
		for _, p := range k.parts {
			k.verify = k.verify || fed[p.field] > 1
		}
	}
	for name, c := range d.computed {
		if !c.used {
			return d.fault(name, "", declaration("it is computed, but no template has this placeholder"))
		}
	}
	for i := range d.all {
		f := &d.all[i]
		if f.key != "" && !placeholders[f.key] {
			return d.fault(f.key, f.path, declaration("no template of the entity has this placeholder"))
		}
		if f.inKey && f.role != "" && d.partial == nil {
			return d.fault("", f.path, declaration("a field with the role %q must be stored, %q is a key attribute", f.role, f.attr))
		}
		if f.attr == "" || f.inKey {
			continue
		}
		if what, ok := reserved[f.attr]; ok {
			return d.fault("", f.path, declaration("it is stored as %q, which is %s of table %q", f.attr, what, t.name))
		}
		if d.partial != nil && !d.partial.storable(f.attr) {
			if f.feeds {
				continue // the entity has it in the key alone
			}
			return d.fault("", f.path, declaration("%q is no attribute and no placeholder of the entity", f.attr))
		}
		tags := f.tags
		if d.partial == nil {
			tags = roleTags(f.role, tags)
		} else if o := d.partial.byAttr[f.attr]; o != nil && o.role == "ttl" {
			tags = roleTags("ttl", tags)
		}
		tc, err := d.compiler.tagged(f.typ, tags)
		if err != nil {
			var inner *fieldError
			if errors.As(err, &inner) {
				err = &fieldError{f.path + "." + inner.path, inner.err}
			}
			return d.fault("", f.path, err)
		}
		d.fields = append(d.fields, codecField{*f, tc})
	}
	d.byAttr = make(map[string]*codecField, len(d.fields))
	d.known = map[string]struct{}{}
	for name := range reserved {
		d.known[name] = struct{}{}
	}
	for i := range d.fields {
		f := &d.fields[i]
		d.byAttr[f.attr] = f
		d.known[f.attr] = struct{}{}
	}
	if d.partial != nil {
		if ttl := d.partial.roles.names.TTL; ttl != "" {
			d.known[ttl] = struct{}{}
		}
	}
	d.names = slices.Sorted(maps.Keys(d.known))
	if d.partial != nil {
		return nil
	}
	return d.findParts(reserved)
}

// findParts lists the attributes that the primary key is made of or from.
func (d *definition) findParts(reserved map[string]string) error {
	set := map[string]bool{}
	for name := range reserved {
		set[name] = true
	}
	for _, k := range d.keyPlans() {
		for _, p := range k.parts {
			if p.field != nil {
				set[p.field.attr] = true
				continue
			}
			reads := d.computed[p.name].parts
			for _, name := range reads {
				f := d.feeding(name)
				if f == nil {
					return d.fault(p.name, "", declaration("it is computed from %q, which is no placeholder and no attribute of %v", name, d.typ))
				}
				set[f.attr] = true
			}
			if len(reads) == 0 {
				for _, f := range d.fields {
					set[f.attr] = true
				}
			}
		}
	}
	delete(set, "")
	d.parts = slices.Sorted(maps.Keys(set))
	return nil
}

func (s *schema) keyPlans() []*keyPlan {
	if s.sk == nil {
		return []*keyPlan{s.pk}
	}
	return []*keyPlan{s.pk, s.sk}
}

func (s *schema) attributes() []string { return slices.Clone(s.names) }
func (s *schema) keyParts() []string   { return slices.Clone(s.parts) }

// storable tells whether an item of the entity can have the attribute.
func (s *schema) storable(attr string) bool {
	_, ok := s.known[attr]
	return ok || s.rest != nil
}

// view makes the schema of a view of the entity.
func (s *schema) view(typ reflect.Type) (*schema, error) {
	d := &definition{
		schema:   &schema{table: s.table, name: s.name, typ: typ, lenient: true},
		computed: map[string]*computation{},
		partial:  s,
	}
	if err := d.collect(); err != nil {
		return nil, err
	}
	var err error
	if d.pk, err = d.keyPlan(s.pk.attr, s.pk.tmpl, s.pk.limit); err != nil {
		return nil, err
	}
	if s.sk != nil {
		if d.sk, err = d.keyPlan(s.sk.attr, s.sk.tmpl, s.sk.limit); err != nil {
			return nil, err
		}
	}
	if err := d.finish(); err != nil {
		return nil, err
	}
	return d.schema, nil
}
