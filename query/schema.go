package query

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// schema is the key schema of what is read: of a table or of an index.
type schema struct {
	index *model.Index // nil for the table itself
	hash  model.KeySpec
	sort  model.KeySpec // without attributes where there is no sort key

	// position is what a cursor holds: the key attributes that tell the items of
	// a partition apart. Behind the sort key of an index these are the primary
	// key of its table. What the query itself gives is not among them.
	position []model.KeyAttribute
}

// newSchema puts a schema together. primary is the primary key of the table.
func newSchema(ix *model.Index, hash, sort model.KeySpec, primary ...model.KeySpec) *schema {
	s := &schema{index: ix, hash: hash, sort: sort, position: sort.Attributes}
	for _, spec := range primary {
		for _, a := range spec.Attributes {
			if !s.has(a.Name) {
				s.position = append(slices.Clip(s.position), a)
			}
		}
	}
	return s
}

// name is that of the index, "" for the table itself.
func (s *schema) name() string {
	if s == nil || s.index == nil {
		return ""
	}
	return s.index.Name()
}

// global reports whether a global secondary index is read.
func (s *schema) global() bool { return s.index != nil && !s.index.Local() }

// joined reports whether both keys are one text each.
func (s *schema) joined() bool { return !s.hash.Native && !s.sort.Native }

// has reports whether an attribute is one of the key.
func (s *schema) has(name string) bool {
	is := func(a model.KeyAttribute) bool { return a.Name == name }
	return slices.ContainsFunc(s.hash.Attributes, is) || slices.ContainsFunc(s.sort.Attributes, is)
}

// same reports whether two items have the same key in this schema.
func (s *schema) same(a, b model.Item) bool {
	for _, attributes := range [][]model.KeyAttribute{s.hash.Attributes, s.sort.Attributes} {
		for _, at := range attributes {
			if order, ok := compare(a[at.Name], b[at.Name]); !ok || order != 0 {
				return false
			}
		}
	}
	return true
}

// keyBytes gives the value of a key attribute, false where it is not of its type.
func keyBytes(a model.KeyAttribute, v types.AttributeValue) (text string, ok bool) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value, a.Type == types.ScalarAttributeTypeS
	case *types.AttributeValueMemberN:
		return v.Value, a.Type == types.ScalarAttributeTypeN
	case *types.AttributeValueMemberB:
		return string(v.Value), a.Type == types.ScalarAttributeTypeB
	}
	return "", false
}

// keyValue is the inverse of keyBytes.
func keyValue(t types.ScalarAttributeType, text string) types.AttributeValue {
	switch t {
	case types.ScalarAttributeTypeN:
		return &types.AttributeValueMemberN{Value: text}
	case types.ScalarAttributeTypeB:
		return &types.AttributeValueMemberB{Value: []byte(text)}
	}
	return &types.AttributeValueMemberS{Value: text}
}
