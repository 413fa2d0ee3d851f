package model

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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
	joins  []*join
	entry  []*keyPlan // of a view over an index: the keys of that index
	noTag  bool       // of a view over an index: its entries have no type attribute
	fields []codecField
	byAttr map[string]*codecField // of fields
	roles  rolePlan
	rest   *field

	known map[string]struct{} // every attribute name that is not rest
	names []string            // known, sorted
	parts []string            // see Entity.KeyParts

	unmarshal func(Item) (any, error)
	views     sync.Map // viewKey -> *View
}

// keyPlan is how one key attribute is composed and taken apart.
type keyPlan struct {
	attr   string // "" in a native index
	spec   KeySpec
	index  *Index // nil: of the table
	tmpl   keys.Template
	limit  int
	parts  []part // one a placeholder
	verify bool   // something else than the key says what is in it, too
}

// part is where the value of a placeholder comes from: a field, a computation,
// or, in a view, nowhere.
type part struct {
	name    string
	typ     reflect.Type // of the value
	field   *field
	pointer bool // the field is a pointer to the value
	fn      func(value any) any
	reads   []*field // what fn reads
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
	requests []joinRequest
	partial  *schema // the entity that a view is of
	over     *join   // the index that a view is over
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
	if t.isZero() {
		return nil, d.fault("", "", declaration("the table is a zero Table: make it with NewTable"))
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
	if d.pk, err = d.keyPlan(nil, t.pk, pk, MaxPartitionKey); err != nil {
		return nil, err
	}
	switch {
	case t.sk == "" && sk != nil:
		return nil, d.fault("", "", declaration("table %q has no sort key, so the template %q has no use: give nil", t.name, sk))
	case t.sk != "" && sk == nil:
		return nil, d.fault("", "", declaration("table %q has the sort key %q: give it a template, keys.Literal for one that is always the same", t.name, t.sk))
	case t.sk != "":
		if d.sk, err = d.keyPlan(nil, t.sk, sk, MaxSortKey); err != nil {
			return nil, err
		}
	}
	for _, r := range d.requests {
		if err := d.join(r); err != nil {
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

// keyPlan binds the placeholders of a template; ix is nil for the table's key.
func (d *definition) keyPlan(ix *Index, attr string, tmpl keys.Template, limit int) (*keyPlan, error) {
	what := fmt.Sprintf("key attribute %q", attr)
	if ix != nil {
		what = fmt.Sprintf("a key of index %q", ix.name)
	}
	if tmpl == nil {
		return nil, d.fault("", "", declaration("%s has no template", what))
	}
	if v := reflect.ValueOf(tmpl); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, d.fault("", "", declaration("the template of %s is a nil pointer", what))
	}
	if err := tmpl.Err(); err != nil {
		return nil, d.fault("", "", err)
	}
	if tmpl.Narrowed() {
		return nil, d.fault("", "", declaration("template %q is narrowed by At: give the whole one", tmpl))
	}
	k := &keyPlan{attr: attr, index: ix, tmpl: tmpl, limit: limit}
	if err := k.specify(d.table); err != nil {
		return nil, d.fault("", "", err)
	}
	for i, name := range tmpl.Placeholders() {
		p, err := d.bind(k, i, name)
		if err != nil {
			return nil, err
		}
		k.parts = append(k.parts, p)
	}
	return k, nil
}

// specify says how a key is stored.
func (k *keyPlan) specify(t *Table) error {
	names, partTypes := k.tmpl.Placeholders(), k.tmpl.PartTypes()
	k.spec.Template = k.tmpl
	if k.attr == "" {
		k.spec.Native = true
		for i, name := range names {
			k.spec.Attributes = append(k.spec.Attributes, KeyAttribute{name, scalarType(partTypes[i])})
		}
		return nil
	}
	typ := t.typeOf(k.attr)
	k.spec.Attributes = []KeyAttribute{{k.attr, typ}}
	if typ == types.ScalarAttributeTypeS {
		return nil
	}
	k.spec.Native = true
	if len(names) != 1 || k.tmpl.String() != "<"+names[0]+">" {
		return declaration("key attribute %q is of type %s, so its template is one placeholder and nothing else, not %q", k.attr, typ, k.tmpl)
	}
	if got := scalarType(partTypes[0]); got != typ {
		return declaration("key attribute %q is of type %s, but the codec of <%s> makes %s", k.attr, typ, names[0], got)
	}
	return nil
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
		reads, err := d.reads(name, c.parts)
		return part{name: name, typ: c.typ, fn: c.fn, reads: reads}, err
	case f == nil && d.partial != nil:
		return part{name: name}, nil
	case f == nil:
		return part{}, d.fault(name, "", declaration("nothing feeds it: tag a field of %v key:%q, or store one as %q", d.typ, name, name))
	case f.viaPtr:
		return part{}, d.fault(name, f.path, declaration("it is behind an embedded pointer: embed the struct itself"))
	case k.index == nil && d.partial == nil && (f.role == "version" || f.role == "updated" || f.role == "write"):
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
	p.typ = typ
	f.feeds = true
	if k.index == nil {
		f.feedsPrimary = true
		f.inKey = f.inKey || f.attr == k.attr
	}
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
	primary := map[string]bool{t.pk: true}
	if t.sk != "" {
		primary[t.sk] = true
	}
	if t.typeAttr != "" {
		primary[t.typeAttr] = true
	}
	if err := d.checkPlaceholders(); err != nil {
		return err
	}
	if d.partial == nil {
		if err := d.finishJoins(); err != nil {
			return err
		}
	}
	for i := range d.all {
		f := &d.all[i]
		if f.inKey && f.role != "" && d.partial == nil {
			return d.fault("", f.path, declaration("a field with the role %q must be stored, %q is a key attribute", f.role, f.attr))
		}
		if f.attr == "" || f.inKey {
			continue
		}
		if what := t.reserved(f.attr); what != "" && f.own == nil && d.partial.ownCodec(f.attr) == nil {
			return d.fault("", f.path, declaration("it is stored as %q, which is %s", f.attr, what))
		}
		if d.partial != nil && !d.partial.holds(d.over, f.attr) {
			switch {
			case f.feeds:
				continue // the key has it, that is enough
			case d.over != nil && d.partial.storable(f.attr):
				return d.fault("", f.path, fmt.Errorf("%w: index %q does not project attribute %q", ErrIndex, d.over.index.name, f.attr))
			}
			return d.fault("", f.path, declaration("%q is no attribute and no placeholder of the entity", f.attr))
		}
		tc, err := d.fieldCodec(f)
		if err != nil {
			return err
		}
		d.fields = append(d.fields, codecField{*f, tc})
	}
	if d.partial == nil {
		if err := d.checkSeconds(); err != nil {
			return err
		}
	}
	d.byAttr = make(map[string]*codecField, len(d.fields))
	d.known = map[string]struct{}{}
	for name := range primary {
		d.known[name] = struct{}{}
	}
	for i := range d.fields {
		f := &d.fields[i]
		d.byAttr[f.attr] = f
		d.known[f.attr] = struct{}{}
	}
	if d.partial != nil {
		d.viewAttributes()
		return nil
	}
	for _, j := range d.joins {
		for _, a := range j.attrs {
			d.known[a.name] = struct{}{}
		}
	}
	d.names = slices.Sorted(maps.Keys(d.known))
	for _, j := range d.joins {
		j.complete = j.index.projection == types.ProjectionTypeAll || d.rest == nil && !slices.ContainsFunc(d.names, func(name string) bool { return !d.projected(j, name) })
	}
	for _, k := range d.keyPlans() {
		addParts(primary, k)
	}
	d.parts = sortedNames(primary)
	return nil
}

// checkSeconds refuses a time that is stored in whole seconds but feeds a codec
// that tells finer instants apart: the key that is written would not be the one
// that the stored attribute makes.
func (d *definition) checkSeconds() error {
	plans := d.keyPlans()
	for _, j := range d.joins {
		plans = append(slices.Clip(plans), j.plans()...)
	}
	for _, k := range plans {
		for i, p := range k.parts {
			f := p.field
			if f == nil || f.attr == "" || f.inKey || f.own != nil || !roleTags(f.role, f.tags).unixTime || !p.typ.ConvertibleTo(timeType) {
				continue
			}
			if k.tellsApart(i, p.typ, time.Unix(1e9, 0).UTC(), time.Unix(1e9, 123456789).UTC()) {
				return d.fault(p.name, f.path, declaration("it is stored in whole seconds, and its codec is finer: use keys.Time(keys.Second), or store it without unixtime"))
			}
		}
	}
	return nil
}

// tellsApart reports whether two times are written differently as placeholder i,
// whose type is typ.
func (k *keyPlan) tellsApart(i int, typ reflect.Type, a, b time.Time) bool {
	part := func(t time.Time) (keys.Part, error) {
		ptr := reflect.New(typ)
		ptr.Elem().Set(reflect.ValueOf(t).Convert(typ))
		return k.tmpl.PartFrom(i, ptr.Interface())
	}
	x, errX := part(a)
	y, errY := part(b)
	return errX == nil && errY == nil && x != y
}

// checkPlaceholders holds tags and options to the placeholders that there are, and
// notes which keys have to be verified.
func (d *definition) checkPlaceholders() error {
	placeholders := map[string]bool{}
	fed := map[*field]int{}
	for _, k := range d.keyPlans() {
		for _, p := range k.parts {
			placeholders[p.name] = true
			if p.field != nil {
				fed[p.field]++
			}
		}
	}
	for _, k := range d.keyPlans() {
		for _, p := range k.parts {
			k.verify = k.verify || p.fn != nil || fed[p.field] > 1 || p.field != nil && p.field.attr != "" && !p.field.inKey
		}
	}
	for _, j := range d.joins {
		for _, k := range j.plans() {
			for _, p := range k.parts {
				placeholders[p.name] = true
			}
		}
	}
	for _, k := range d.entry {
		for _, p := range k.parts {
			placeholders[p.name] = true
		}
	}
	for name, c := range d.computed {
		if !c.used {
			return d.fault(name, "", declaration("it is computed, but no template has this placeholder"))
		}
	}
	for i := range d.all {
		if f := &d.all[i]; f.key != "" && !placeholders[f.key] {
			return d.fault(f.key, f.path, declaration("no template of the entity has this placeholder"))
		}
	}
	return nil
}

// fieldCodec makes the codec of a field that is stored.
func (d *definition) fieldCodec(f *field) (tagged, error) {
	if f.own != nil {
		fit, err := f.own.fits(d, f)
		f.own = fit
		return tagged{codec: fit, absent: true}, err
	}
	tags := f.tags
	if d.partial == nil {
		tags = roleTags(f.role, tags)
	} else if own := d.partial.ownCodec(f.attr); own != nil {
		fit, err := own.fits(d, f)
		return tagged{codec: fit, absent: true}, err
	} else if o := d.partial.byAttr[f.attr]; o != nil && o.role == "ttl" {
		tags = roleTags("ttl", tags)
	}
	tc, err := d.compiler.tagged(f.typ, tags)
	if err == nil {
		return tc, nil
	}
	var inner *fieldError
	if errors.As(err, &inner) {
		err = &fieldError{f.path + "." + inner.path, inner.err}
	}
	return tc, d.fault("", f.path, err)
}

// reserved says what an attribute is that no field may be stored as.
func (t *Table) reserved(attr string) string {
	switch attr {
	case t.pk:
		return fmt.Sprintf("the partition key of table %q", t.name)
	case t.sk:
		return fmt.Sprintf("the sort key of table %q", t.name)
	case t.typeAttr:
		return fmt.Sprintf("the type attribute of table %q", t.name)
	}
	for _, ix := range t.indexes {
		if attr == ix.pk || attr == ix.sk {
			return fmt.Sprintf("a key of index %q: join it with model.On and the template <%s>, or store the field under another name", ix.name, attr)
		}
	}
	return ""
}

// addParts adds the attributes that a key is made from.
func addParts(set map[string]bool, k *keyPlan) {
	for _, p := range k.parts {
		if p.field != nil {
			set[p.field.attr] = true
			continue
		}
		for _, f := range p.reads {
			set[f.attr] = true
		}
	}
	delete(set, "")
}

// reads lists the fields that a function reads: those of the parts that are named,
// or else all.
func (d *definition) reads(placeholder string, parts []string) ([]*field, error) {
	var out []*field
	for _, name := range parts {
		f := d.feeding(name)
		if f == nil {
			return nil, d.fault(placeholder, "", declaration("a function reads %q, which is no placeholder and no attribute of %v", name, d.typ))
		}
		out = append(out, f)
	}
	if len(parts) == 0 {
		for i := range d.all {
			out = append(out, &d.all[i])
		}
	}
	return out, nil
}

func sortedNames(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

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

// projected tells whether an index holds an attribute of the entity.
func (s *schema) projected(j *join, attr string) bool {
	ix, t := j.index, s.table
	if ix.projection == types.ProjectionTypeAll || attr == t.pk || attr == t.sk {
		return true
	}
	for _, a := range j.attrs {
		if a.name == attr {
			return true
		}
	}
	if ix.projection == types.ProjectionTypeKeysOnly {
		return false
	}
	return slices.Contains(ix.include, attr) || attr == t.typeAttr || attr == s.roles.names.TTL
}

// holds tells whether an item of the entity, or its entry in an index, can have
// the attribute.
func (s *schema) holds(over *join, attr string) bool {
	return s.storable(attr) && (over == nil || s.projected(over, attr))
}

// view makes the schema of a view of the entity, over an index if j is not nil.
func (s *schema) view(typ reflect.Type, j *join) (*schema, error) {
	d := &definition{
		schema:   &schema{table: s.table, name: s.name, typ: typ, lenient: true},
		computed: map[string]*computation{},
		partial:  s,
		over:     j,
	}
	if err := d.collect(); err != nil {
		return nil, err
	}
	bind := func(k *keyPlan) (*keyPlan, error) { return d.keyPlan(k.index, k.attr, k.tmpl, k.limit) }
	var err error
	if d.pk, err = bind(s.pk); err != nil {
		return nil, err
	}
	if s.sk != nil {
		if d.sk, err = bind(s.sk); err != nil {
			return nil, err
		}
	}
	if j != nil {
		d.noTag = s.table.typeAttr != "" && !s.projected(j, s.table.typeAttr)
		for _, k := range j.plans() {
			if k.index == nil {
				continue
			}
			if k, err = bind(k); err != nil {
				return nil, err
			}
			d.entry = append(d.entry, k)
		}
	}
	if err := d.finish(); err != nil {
		return nil, err
	}
	return d.schema, nil
}

// viewAttributes lists what a read for a view has to fetch.
func (d *definition) viewAttributes() {
	if ttl := d.partial.roles.names.TTL; ttl != "" {
		d.known[ttl] = struct{}{}
	}
	for _, k := range d.entry {
		for _, a := range k.spec.Attributes {
			d.known[a.Name] = struct{}{}
		}
	}
	if d.noTag {
		delete(d.known, d.table.typeAttr)
	}
	d.names = slices.Sorted(maps.Keys(d.known))
}
