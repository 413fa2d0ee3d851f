package query

import (
	"slices"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// schema names the key attributes of what is read: of a table or of an index.
type schema struct {
	index string // "" for the table itself
	hash  []attribute
	sort  []attribute // none where there is no sort key

	// position is what a cursor holds: the key attributes that tell the items of
	// a partition apart. Behind the sort key of an index these are the primary
	// key of its table.
	position []attribute
}

type attribute struct {
	name string
	kind keys.PartType
}

// names are all key attributes, which a filter may not name.
func (s *schema) names() []string {
	var names []string
	for _, a := range slices.Concat(s.hash, s.sort) {
		names = append(names, a.name)
	}
	return names
}

// tableSchema is that of a table, in one allocation.
func tableSchema(t *model.Table) *schema {
	s := &struct {
		schema
		keys [2]attribute
	}{}
	s.keys[0].name, s.keys[1].name = t.PartitionKey(), t.SortKey()
	s.hash = s.keys[:1:1]
	if t.SortKey() != "" {
		s.sort = s.keys[1:]
		s.position = s.sort
	}
	return &s.schema
}
