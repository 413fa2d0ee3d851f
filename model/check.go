package model

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// CreateInput returns the request that creates the table as it is declared, with
// its indexes, under its declared name, paid per request. A fresh value: set
// another TableName, throughput, tags or encryption as you need.
//
// A native index has its attributes from the entities that join it, so define
// them first; one that nobody has joined is left out. The time to live is switched
// on by another request, UpdateTimeToLive, once the table exists;
// [Table.TTLAttribute] names its attribute.
func (t *Table) CreateInput() *dynamodb.CreateTableInput {
	if t.isZero() {
		return &dynamodb.CreateTableInput{}
	}
	in := &dynamodb.CreateTableInput{
		TableName:   aws.String(t.name),
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   t.keySchema(nil),
	}
	defined := map[string]bool{}
	for _, ix := range append([]*Index{nil}, t.indexes...) {
		hash, sort := t.schemaOf(ix)
		if hash == nil {
			continue
		}
		for _, a := range append(slices.Clone(hash), sort...) {
			if !defined[a.Name] {
				defined[a.Name] = true
				in.AttributeDefinitions = append(in.AttributeDefinitions,
					types.AttributeDefinition{AttributeName: aws.String(a.Name), AttributeType: a.Type})
			}
		}
		switch {
		case ix == nil:
		case ix.kind == localIndex:
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{
				IndexName: aws.String(ix.name), KeySchema: t.keySchema(ix), Projection: t.projection(ix)})
		default:
			in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
				IndexName: aws.String(ix.name), KeySchema: t.keySchema(ix), Projection: t.projection(ix)})
		}
	}
	return in
}

func (t *Table) keySchema(ix *Index) []types.KeySchemaElement {
	var out []types.KeySchemaElement
	hash, sort := t.schemaOf(ix)
	for _, a := range hash {
		out = append(out, types.KeySchemaElement{AttributeName: aws.String(a.Name), KeyType: types.KeyTypeHash})
	}
	for _, a := range sort {
		out = append(out, types.KeySchemaElement{AttributeName: aws.String(a.Name), KeyType: types.KeyTypeRange})
	}
	return out
}

func (t *Table) projection(ix *Index) *types.Projection {
	return &types.Projection{ProjectionType: ix.projection, NonKeyAttributes: t.included(ix)}
}

// included lists the attributes that an index with Include holds beside the keys.
func (t *Table) included(ix *Index) []string {
	if ix.projection != types.ProjectionTypeInclude {
		return nil
	}
	names := map[string]bool{t.typeAttr: true, t.TTLAttribute(): true}
	for _, name := range ix.include {
		names[name] = true
	}
	delete(names, "")
	for _, of := range []*Index{nil, ix} {
		hash, sort := t.schemaOf(of)
		for _, a := range append(slices.Clone(hash), sort...) {
			delete(names, a.Name)
		}
	}
	return sortedNames(names)
}

// TTLAttribute returns the name of the attribute that holds the time to live of
// the table's items, "" when no entity defined so far has one.
func (t *Table) TTLAttribute() string {
	for _, s := range t.defined() {
		if name := s.roles.names.TTL; name != "" {
			return name
		}
	}
	return ""
}

// Check compares a live table, as DescribeTable tells it, with the declaration.
// It returns nil, or a *[CheckError] that names every difference: the key schema
// and the types of key attributes, of the table and of every declared index; what
// an index projects, and whether it is active; and, where a description of the
// time to live is given, whether it is switched on for the attribute that the
// entities use, or for one that none uses. An index that projects more than is
// declared is fine. What the declaration says nothing of (physical name,
// throughput, tags, further indexes) is not looked at.
func (t *Table) Check(d *types.TableDescription, ttl ...*types.TimeToLiveDescription) error {
	if t.isZero() {
		return errZeroTable
	}
	c := checker{table: t}
	if d == nil {
		c.note("there is no description of it")
	} else {
		c.checkTable(d)
	}
	for _, l := range ttl {
		t.checkTTL(l, c.note)
	}
	if len(c.diff) == 0 {
		return nil
	}
	return &CheckError{Table: t.name, Differences: c.diff}
}

// checker gathers the differences between a live table and its declaration.
type checker struct {
	table *Table
	diff  []string
}

func (c *checker) note(format string, args ...any) {
	c.diff = append(c.diff, fmt.Sprintf(format, args...))
}

func (c *checker) checkTable(d *types.TableDescription) {
	t := c.table
	c.checkKeys("its", nil, d.KeySchema)
	type live struct {
		keys       []types.KeySchemaElement
		projection *types.Projection
		status     types.IndexStatus
	}
	global, local := map[string]live{}, map[string]live{}
	for _, g := range d.GlobalSecondaryIndexes {
		global[aws.ToString(g.IndexName)] = live{g.KeySchema, g.Projection, g.IndexStatus}
	}
	for _, l := range d.LocalSecondaryIndexes {
		local[aws.ToString(l.IndexName)] = live{l.KeySchema, l.Projection, ""}
	}
	for _, ix := range t.indexes {
		if hash, _ := t.schemaOf(ix); hash == nil {
			continue // nobody is in it
		}
		mine, others, kind := global, local, "global"
		if ix.kind == localIndex {
			mine, others, kind = local, global, "local"
		}
		got, ok := mine[ix.name]
		if !ok {
			if _, ok := others[ix.name]; ok {
				c.note("its index %q is not %s", ix.name, kind)
			} else {
				c.note("it has no index %q", ix.name)
			}
			continue
		}
		its := fmt.Sprintf("index %q: its", ix.name)
		c.checkKeys(its, ix, got.keys)
		c.checkProjection(its, ix, got.projection)
		if got.status != "" && got.status != types.IndexStatusActive {
			c.note("%s status is %s", its, got.status)
		}
	}
	c.checkTypes(d.AttributeDefinitions)
}

func (c *checker) checkKeys(its string, ix *Index, live []types.KeySchemaElement) {
	hash, sort := c.table.schemaOf(ix)
	for _, k := range []struct {
		what string
		want []KeyAttribute
		typ  types.KeyType
	}{{"partition key", hash, types.KeyTypeHash}, {"sort key", sort, types.KeyTypeRange}} {
		var want, got []string
		for _, a := range k.want {
			want = append(want, strconv.Quote(a.Name))
		}
		for _, e := range live {
			if e.KeyType == k.typ {
				got = append(got, strconv.Quote(aws.ToString(e.AttributeName)))
			}
		}
		if !slices.Equal(want, got) {
			c.note("%s %s is %s, declared is %s", its, k.what, listed(got), listed(want))
		}
	}
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (c *checker) checkProjection(its string, ix *Index, live *types.Projection) {
	got := types.Projection{}
	if live != nil {
		got = *live
	}
	if got.ProjectionType == types.ProjectionTypeAll {
		return
	}
	if ix.projection == types.ProjectionTypeAll {
		c.note("%s projection is %s, declared is %s", its, got.ProjectionType, ix.projection)
		return
	}
	for _, name := range c.table.included(ix) {
		if !slices.Contains(got.NonKeyAttributes, name) {
			c.note("%s projection lacks attribute %q", its, name)
		}
	}
}

func (c *checker) checkTypes(live []types.AttributeDefinition) {
	got := map[string]types.ScalarAttributeType{}
	for _, a := range live {
		got[aws.ToString(a.AttributeName)] = a.AttributeType
	}
	want := c.table.attributeTypes()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if typ, ok := got[name]; ok && typ != want[name] {
			c.note("its attribute %q is of type %s, declared is %s", name, typ, want[name])
		}
	}
}

func (t *Table) checkTTL(l *types.TimeToLiveDescription, note func(string, ...any)) {
	if l == nil {
		return
	}
	want, got := t.TTLAttribute(), ""
	if l.TimeToLiveStatus == types.TimeToLiveStatusEnabled || l.TimeToLiveStatus == types.TimeToLiveStatusEnabling {
		got = aws.ToString(l.AttributeName)
	}
	switch {
	case got == want:
	case got == "":
		note("its time to live is not switched on, declared is attribute %q", want)
	case want == "":
		note("its time to live is attribute %q, declared is none", got)
	default:
		note("its time to live is attribute %q, declared is %q", got, want)
	}
}
