package engine

import (
	"slices"
	"strconv"
	"strings"
)

// The definitions in a CreateTable or an UpdateTable, as sent: read, checked
// against the constraints of the model, and then against each other.

type keyElement struct{ name, keyType *string }

type indexDefinition struct {
	name        *string
	hasKey      bool
	key         []keyElement
	hasProject  bool
	projectType *string
	hasNonKey   bool
	nonKey      []string
	units       *unitsDefinition
}

type unitsDefinition struct{ read, write *int64 }

type attributeSent struct{ name, kind *string }

func (o object) readAttributeDefinitions() (defs []attributeSent, ok bool) {
	raws, ok := o.list("AttributeDefinitions")
	for _, raw := range raws {
		d := o.element(raw, "AttributeDefinition")
		defs = append(defs, attributeSent{d.str("AttributeName"), d.str("AttributeType")})
	}
	return defs, ok
}

func (o object) readKeySchema() (key []keyElement, ok bool) {
	raws, ok := o.list("KeySchema")
	for _, raw := range raws {
		k := o.element(raw, "KeySchemaElement")
		key = append(key, keyElement{k.str("AttributeName"), k.str("KeyType")})
	}
	return key, ok
}

func (o object) readUnits() *unitsDefinition {
	p, ok := o.structure("ProvisionedThroughput", "ProvisionedThroughput")
	if !ok {
		return nil
	}
	return &unitsDefinition{p.integer("ReadCapacityUnits", "Long"), p.integer("WriteCapacityUnits", "Long")}
}

func (o object) readIndex() indexDefinition {
	x := indexDefinition{name: o.str("IndexName"), units: o.readUnits()}
	x.key, x.hasKey = o.readKeySchema()
	var p object
	if p, x.hasProject = o.structure("Projection", "Projection"); x.hasProject {
		x.projectType = p.str("ProjectionType")
		x.nonKey, x.hasNonKey = p.strings("NonKeyAttributes")
	}
	return x
}

func (o object) readIndexes(name, shape string) (list []indexDefinition, ok bool) {
	raws, ok := o.list(name)
	for _, raw := range raws {
		list = append(list, o.element(raw, shape).readIndex())
	}
	return list, ok
}

// showKeySchema prints a key schema as the service does in its messages.
func showKeySchema(key []keyElement) string {
	parts := make([]string, len(key))
	for i, k := range key {
		parts[i] = "KeySchemaElement(attributeName=" + orNull(k.name) + ", keyType=" + orNull(k.keyType) + ")"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func orNull(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

func (c *constraints) checkKeySchema(key []keyElement, given bool, path string, most int) {
	if !given {
		c.missing(path)
		return
	}
	c.length(showKeySchema(key), path, len(key), 1, most)
	for i, k := range key {
		at := path + "." + strconv.Itoa(i+1) + ".member."
		if k.name == nil {
			c.missing(at + "attributeName")
		} else {
			c.length(*k.name, at+"attributeName", len(*k.name), 1, 255)
		}
		if k.keyType == nil {
			c.missing(at + "keyType")
		} else {
			c.enum(k.keyType, at+"keyType", "HASH", "RANGE")
		}
	}
}

func (c *constraints) checkAttributeDefinitions(defs []attributeSent) {
	for i, d := range defs {
		at := "attributeDefinitions." + strconv.Itoa(i+1) + ".member."
		if d.name == nil {
			c.missing(at + "attributeName")
		} else {
			c.length(*d.name, at+"attributeName", len(*d.name), 1, 255)
		}
		if d.kind == nil {
			c.missing(at + "attributeType")
		} else {
			c.enum(d.kind, at+"attributeType", "B", "N", "S")
		}
	}
}

func (c *constraints) checkUnits(u *unitsDefinition, path string) {
	if u == nil {
		return
	}
	if u.write == nil {
		c.missing(path + ".writeCapacityUnits")
	}
	c.atLeast(u.write, path+".writeCapacityUnits", 1)
	if u.read == nil {
		c.missing(path + ".readCapacityUnits")
	}
	c.atLeast(u.read, path+".readCapacityUnits", 1)
}

// checkIndex checks the constraints of one index; most is how long its key
// schema may be.
func (c *constraints) checkIndex(x indexDefinition, path string, most int) {
	if x.name == nil {
		c.missing(path + ".indexName")
	} else {
		c.checkIndexName(x.name, path+".indexName")
	}
	c.checkKeySchema(x.key, x.hasKey, path+".keySchema", most)
	if !x.hasProject {
		c.missing(path + ".projection")
	}
	c.enum(x.projectType, path+".projection.projectionType", projectAll, projectInclude, projectKeys)
	if x.hasNonKey {
		c.length("["+strings.Join(x.nonKey, ", ")+"]", path+".projection.nonKeyAttributes", len(x.nonKey), 1, maxIncluded)
	}
	c.checkUnits(x.units, path+".provisionedThroughput")
}

// keySchemaOf turns a key schema as sent into one of the engine, refusing what
// the service refuses. Only global indexes are native: they take several
// attributes of a kind.
func keySchemaOf(key []keyElement, defs []attributeDefinition, native bool) (keySchema, *Error) {
	var k keySchema
	names := make([]string, len(key))
	for i := range key {
		names[i] = *key[i].name
	}
	for _, name := range names {
		if kindOf(defs, name) == 0 {
			return k, undefinedKeys(names, defs)
		}
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return k, invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name")
		}
	}
	for i, el := range key {
		part := keyPart{*el.name, kindOf(defs, *el.name)}
		switch {
		case *el.keyType == "HASH" && i > 0 && (!native || len(k.sort) > 0):
			if i == 1 {
				return k, invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
			}
			return k, invalid("Invalid KeySchema: All HASH key elements must come before the RANGE key elements")
		case *el.keyType == "HASH":
			k.hash = append(k.hash, part)
		case i == 0:
			return k, invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")
		default:
			k.sort = append(k.sort, part)
		}
	}
	if len(k.hash) > maxIndexKeyParts {
		return k, invalid("Invalid KeySchema: The number of HASH key elements exceeds the limit of 4")
	}
	if len(k.sort) > maxIndexKeyParts {
		return k, invalid("Invalid KeySchema: The number of RANGE key elements exceeds the limit of 4")
	}
	return k, nil
}

func undefinedKeys(names []string, defs []attributeDefinition) *Error {
	defined := make([]string, len(defs))
	for i, d := range defs {
		defined[i] = d.name
	}
	return badParam("Some index key attributes are not defined in AttributeDefinitions. Keys: [" +
		strings.Join(names, ", ") + "], AttributeDefinitions: [" + strings.Join(defined, ", ") + "]")
}

// definitionsOf turns attribute definitions as sent into those of the engine.
func definitionsOf(sent []attributeSent) ([]attributeDefinition, *Error) {
	defs := make([]attributeDefinition, 0, len(sent))
	for _, s := range sent {
		if kindOf(defs, *s.name) != 0 {
			return nil, badParam("Duplicate AttributeName in AttributeDefinitions: " + *s.name)
		}
		defs = append(defs, attributeDefinition{*s.name, parseKeyKind(*s.kind)})
	}
	return defs, nil
}

// setProjection checks the projection of an index and gives it to x.
func (x *index) setProjection(d indexDefinition) *Error {
	switch {
	case d.projectType == nil:
		return badParam("Unknown ProjectionType: null")
	case *d.projectType != projectInclude && d.hasNonKey:
		return badParam("ProjectionType is " + *d.projectType + ", but NonKeyAttributes is specified")
	case *d.projectType == projectInclude && !d.hasNonKey:
		return badParam("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")
	}
	for i, name := range d.nonKey {
		if slices.Contains(d.nonKey[:i], name) {
			return badParam("Duplicate value in NonKeyAttributes: " + name)
		}
	}
	x.project, x.included = *d.projectType, d.nonKey
	return nil
}

// localIndex makes a local index from its definition.
func (t *table) localIndex(d indexDefinition) (*index, *Error) {
	key, err := keySchemaOf(d.key, t.attributes, false)
	if err != nil {
		return nil, err
	}
	if len(key.sort) == 0 {
		return nil, badParam("Index KeySchema does not have a range key for index: " + *d.name)
	}
	if key.hash[0].name != t.key.hash[0].name {
		return nil, badParam("Index KeySchema does not have the same leading hash key as table KeySchema for index: " + *d.name +
			". index hash key: " + key.hash[0].name + ", table hash key: " + t.key.hash[0].name)
	}
	x := &index{name: *d.name, isLocal: true, key: key, entries: newEntries()}
	if err := x.setProjection(d); err != nil {
		return nil, err
	}
	x.seal(t)
	return x, nil
}

// globalIndex makes a global index from its definition.
func (t *table) globalIndex(d indexDefinition) (*index, *Error) {
	key, err := keySchemaOf(d.key, t.attributes, true)
	if err != nil {
		return nil, err
	}
	x := &index{name: *d.name, key: key, entries: newEntries()}
	if err := x.setProjection(d); err != nil {
		return nil, err
	}
	switch {
	case t.billing == payPerRequest && d.units != nil:
		return nil, badParam("ProvisionedThroughput should not be specified for index: " + *d.name + " when BillingMode is PAY_PER_REQUEST")
	case t.billing == provisioned && d.units == nil:
		return nil, badParam("ProvisionedThroughput must be specified for index: " + *d.name)
	case d.units != nil:
		x.units.read, x.units.write = *d.units.read, *d.units.write
	}
	x.seal(t)
	return x, nil
}

// checkIndexSet refuses index names that are not unique and more indexes than a
// table may have.
func (t *table) checkIndexSet() *Error {
	seen := map[string]bool{}
	for _, x := range slices.Concat(t.local, t.global) {
		if seen[x.name] {
			return badParam("Duplicate index name: " + x.name)
		}
		seen[x.name] = true
	}
	if len(t.local) > maxLocalIndexes {
		return badParam("Number of LocalSecondaryIndexes exceeds per-table limit of 5")
	}
	if len(t.global) > maxGlobalIndexes {
		return badParam("GlobalSecondaryIndex count exceeds the per-table limit of 20")
	}
	included := 0
	for _, x := range slices.Concat(t.local, t.global) {
		included += len(x.included)
	}
	if included > maxIncludedTotal {
		return badParam("Number of non-key attributes in all indexes exceeds the per-table limit of 100")
	}
	return nil
}

// checkUse refuses attribute definitions that no key uses.
func (t *table) checkUse() *Error {
	if len(t.local) == 0 && len(t.global) == 0 && len(t.attributes) != len(t.key.parts()) {
		return badParam("Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions")
	}
	unused := t.unusedAttributes()
	if len(unused) > 0 {
		defined := make([]string, len(t.attributes))
		for i, d := range t.attributes {
			defined[i] = d.name
		}
		var used []string
		for _, d := range t.attributes {
			if !slices.Contains(unused, d.name) {
				used = append(used, d.name)
			}
		}
		slices.Sort(used)
		slices.Sort(defined)
		return badParam("Some AttributeDefinitions are not used. AttributeDefinitions: [" + strings.Join(defined, ", ") +
			"], keys used: [" + strings.Join(used, ", ") + "]")
	}
	return nil
}

func (t *table) unusedAttributes() (unused []string) {
	for _, d := range t.attributes {
		used := t.key.has(d.name)
		for _, x := range t.indexes() {
			used = used || x.key.has(d.name)
		}
		if !used {
			unused = append(unused, d.name)
		}
	}
	return unused
}

// dropUnusedAttributes forgets definitions that no key uses any more.
func (t *table) dropUnusedAttributes() {
	unused := t.unusedAttributes()
	t.attributes = slices.DeleteFunc(slices.Clone(t.attributes), func(d attributeDefinition) bool {
		return slices.Contains(unused, d.name)
	})
}
