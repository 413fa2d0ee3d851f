package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
)

// Index is a secondary index: an option of its table, and the name by which
// queries and entities mean it. It is immutable, and may be an option of several
// tables, which share nothing by that.
type Index struct {
	name       string
	kind       indexKind
	pk, sk     string // key attributes; "" in a native index
	projection types.ProjectionType
	include    []string
}

type indexKind uint8

const (
	globalIndex indexKind = iota
	localIndex
	nativeIndex
)

// An IndexOption is one thing declared about an index.
type IndexOption interface {
	applyIndex(*Index) error
}

type indexOption func(*Index) error

func (o indexOption) applyIndex(ix *Index) error { return o(ix) }

// GSI declares a global secondary index whose keys are joined texts, as those of
// the table: model.GSI("byVehicle", model.IndexKey("gsi1pk", "gsi1sk")). Entities
// join it with [On]. Everything is projected unless [KeysOnly] or [Include] says
// otherwise. GSI panics on a mistake, saying which.
func GSI(name string, opts ...IndexOption) *Index { return newIndex(name, globalIndex, opts) }

// LSI declares a local secondary index: another sort key within the partitions
// of the table. [IndexKey] names the partition key of the table and the sort key
// of the index. DynamoDB limits an item collection to 10 GB where there is one,
// and takes it only when the table is created. LSI panics on a mistake.
func LSI(name string, opts ...IndexOption) *Index { return newIndex(name, localIndex, opts) }

// NativeGSI declares a global secondary index with multi-attribute keys, which
// DynamoDB has since November 2025: every placeholder of the templates that
// entities join it with is an attribute of its own, named after the placeholder;
// one to four of the partition template, up to four of the sort template.
// Literals are not stored, so a template that has some tells nothing apart by
// them. It has no [IndexKey]. NativeGSI panics on a mistake.
//
// Where a field is stored under the name of such an attribute, that attribute is
// the field's, in the form of the key: what the codec narrows is what is stored.
func NativeGSI(name string, opts ...IndexOption) *Index { return newIndex(name, nativeIndex, opts) }

func newIndex(name string, kind indexKind, opts []IndexOption) *Index {
	ix := &Index{name: name, kind: kind, projection: types.ProjectionTypeAll}
	fail := func(err error) { panic(fmt.Sprintf("model: index %q: %v", name, err)) }
	if n := len(name); n < 3 || n > 255 {
		fail(fmt.Errorf("the name of an index has 3 to 255 characters, this one %d", n))
	}
	for i, o := range opts {
		if o == nil {
			fail(fmt.Errorf("option %d is nil", i))
		}
		if err := o.applyIndex(ix); err != nil {
			fail(err)
		}
	}
	switch {
	case kind == nativeIndex && ix.pk != "":
		fail(errors.New("a native index has no IndexKey: its attributes are named after the placeholders"))
	case kind != nativeIndex && ix.pk == "":
		fail(errors.New("the key is missing: add model.IndexKey(\"gsi1pk\", \"gsi1sk\")"))
	case kind == localIndex && ix.sk == "":
		fail(errors.New("a local index has a sort key: model.IndexKey(\"pk\", \"lsi1sk\") with the table's partition key"))
	}
	return ix
}

// IndexKey names the key attributes of an index: its partition key and, if it has
// one, its sort key. They may be attributes of the table's key, as in an inverted
// index.
func IndexKey(pk string, sk ...string) IndexOption {
	return indexOption(func(ix *Index) (err error) {
		if ix.pk != "" {
			return errors.New("IndexKey is given twice")
		}
		ix.pk, ix.sk, err = keyNames("IndexKey", pk, sk)
		return err
	})
}

// KeysOnly lets an index hold nothing but its own key and that of the table. An
// entity with a time to live cannot join such an index: nothing would tell that
// an entry has expired.
func KeysOnly() IndexOption {
	return indexOption(func(ix *Index) error {
		return ix.project(types.ProjectionTypeKeysOnly, nil)
	})
}

// Include lets an index hold the attributes named here beside the keys, 20 at
// most. The type attribute and that of the time to live are always held, too,
// without which an entry cannot be told apart, or be known to have expired.
func Include(attrs ...string) IndexOption {
	return indexOption(func(ix *Index) error {
		return ix.project(types.ProjectionTypeInclude, slices.Clone(attrs))
	})
}

func (ix *Index) project(p types.ProjectionType, include []string) error {
	if ix.projection != types.ProjectionTypeAll {
		return errors.New("what it projects is said twice")
	}
	for i, name := range include {
		if name == "" || slices.Contains(include[:i], name) {
			return fmt.Errorf("Include(%q): a name is empty or stands twice", include)
		}
	}
	ix.projection, ix.include = p, include
	return nil
}

// Name returns the name of the index.
func (ix *Index) Name() string {
	if ix == nil {
		return ""
	}
	return ix.name
}

// Local tells whether it is a local secondary index.
func (ix *Index) Local() bool { return ix != nil && ix.kind == localIndex }

// Native tells whether its keys are attributes of their own; see [NativeGSI].
func (ix *Index) Native() bool { return ix != nil && ix.kind == nativeIndex }

// Projection returns what the index holds of an item.
func (ix *Index) Projection() types.ProjectionType {
	if ix == nil {
		return ""
	}
	return ix.projection
}

// applyTable makes an index an option of a table.
func (ix *Index) applyTable(t *Table) error {
	if ix == nil {
		return errors.New("an index is nil")
	}
	for _, o := range t.indexes {
		if o.name == ix.name {
			return fmt.Errorf("index %q is given twice", ix.name)
		}
	}
	t.indexes = append(t.indexes, ix)
	return nil
}

// checkIndexes holds the indexes of a table to what DynamoDB takes.
func (t *Table) checkIndexes() error {
	var global, local, included int
	for _, ix := range t.indexes {
		if ix.kind == localIndex {
			local++
			switch {
			case t.sk == "":
				return fmt.Errorf("index %q is local, but the table has no sort key", ix.name)
			case ix.pk != t.pk:
				return fmt.Errorf("index %q is local, so its partition key is %q, that of the table: model.IndexKey(%q, %q)", ix.name, t.pk, t.pk, ix.sk)
			case ix.sk == t.sk:
				return fmt.Errorf("index %q has the sort key of the table", ix.name)
			}
		} else {
			global++
		}
		if t.typeAttr != "" && (ix.pk == t.typeAttr || ix.sk == t.typeAttr) {
			return fmt.Errorf("index %q has the type attribute as a key", ix.name)
		}
		included += len(ix.include)
		if len(ix.include) > 20 {
			return fmt.Errorf("index %q includes %d attributes, DynamoDB takes 20", ix.name, len(ix.include))
		}
	}
	switch {
	case global > 20:
		return fmt.Errorf("%d global indexes, DynamoDB takes 20", global)
	case local > 5:
		return fmt.Errorf("%d local indexes, DynamoDB takes 5", local)
	case included > 100:
		return fmt.Errorf("the indexes include %d attributes, DynamoDB takes 100 in all", included)
	}
	for attr := range t.types {
		used := attr == t.pk || attr == t.sk
		for _, ix := range t.indexes {
			used = used || attr == ix.pk || attr == ix.sk
		}
		if !used {
			return fmt.Errorf("NumberKey or BinaryKey names %q, which is no key attribute of the table or of a joined index", attr)
		}
	}
	return nil
}

// NumberKey says that these key attributes, of the table or of its joined
// indexes, are numbers. Their templates are one placeholder and nothing else,
// with a codec of numbers: keys.MustCompile1("<at>", keys.Int(19)). They are
// stored and read in ranges as DynamoDB numbers.
func NumberKey(attrs ...string) TableOption { return keyType(types.ScalarAttributeTypeN, attrs) }

// BinaryKey says that these key attributes are binary; their templates are one
// placeholder with the codec keys.Bytes.
func BinaryKey(attrs ...string) TableOption { return keyType(types.ScalarAttributeTypeB, attrs) }

func keyType(typ types.ScalarAttributeType, attrs []string) TableOption {
	return tableOption(func(t *Table) error {
		for _, attr := range attrs {
			if _, ok := t.types[attr]; ok {
				return fmt.Errorf("the type of key attribute %q is said twice", attr)
			}
			if t.types == nil {
				t.types = map[string]types.ScalarAttributeType{}
			}
			t.types[attr] = typ
		}
		return nil
	})
}

// typeOf is the declared type of a key attribute.
func (t *Table) typeOf(attr string) types.ScalarAttributeType {
	if typ, ok := t.types[attr]; ok {
		return typ
	}
	return types.ScalarAttributeTypeS
}

// Indexes returns the indexes of the table in the order of their declaration.
func (t *Table) Indexes() []*Index {
	if t == nil {
		return nil
	}
	return slices.Clone(t.indexes)
}

// Index returns the index of that name, nil where there is none.
func (t *Table) Index(name string) *Index {
	for _, ix := range t.Indexes() {
		if ix.name == name {
			return ix
		}
	}
	return nil
}

// KeyAttribute is an attribute of a key, and its type: S, N or B.
type KeyAttribute struct {
	Name string
	Type types.ScalarAttributeType
}

// KeySpec says how one key, of a table or an index, is stored and asked for.
type KeySpec struct {
	// Template makes the key; nil where the table or index has no such key, and
	// in the answers of [Table.KeySpecs], where every entity has its own.
	Template keys.Template

	// Attributes hold the key: one, or in a native index one for each placeholder
	// in the order of the template; none where there is no such key.
	Attributes []KeyAttribute

	// Native keys are stored as keys.Key.Parts gives them and asked for by
	// keys.Range.Parts: those of native indexes, numbers and binaries. All others
	// are the text of the key, asked for by keys.Range.Condition.
	Native bool
}

// Item returns the attributes that a key is stored as, a fresh map. It fails with
// the error of the key.
func (s KeySpec) Item(k keys.Key) (Item, error) {
	item := make(Item, len(s.Attributes))
	if err := s.put(item, k); err != nil {
		return nil, err
	}
	return item, nil
}

// put writes a key into an item.
func (s *KeySpec) put(item Item, k keys.Key) error {
	if err := k.Err(); err != nil {
		return err
	}
	if !s.Native {
		if len(s.Attributes) == 0 {
			return fmt.Errorf("%w: there is no such key", ErrIndex)
		}
		item[s.Attributes[0].Name] = &types.AttributeValueMemberS{Value: k.String()}
		return nil
	}
	parts, err := k.Parts()
	if err != nil {
		return err
	}
	if len(parts) != len(s.Attributes) {
		return fmt.Errorf("%w: %d parts for %d attributes", keys.ErrTemplate, len(parts), len(s.Attributes))
	}
	for i := range parts {
		item[s.Attributes[i].Name] = partValue(parts[i].Type, parts[i].Lo)
	}
	return nil
}

// partValue is the attribute value of one part of a native key.
func partValue(t keys.PartType, v string) types.AttributeValue {
	switch t {
	case keys.PartNumber:
		return &types.AttributeValueMemberN{Value: v}
	case keys.PartBinary:
		return &types.AttributeValueMemberB{Value: []byte(v)}
	}
	return &types.AttributeValueMemberS{Value: v}
}

// partText is its inverse.
func partText(t types.ScalarAttributeType, av types.AttributeValue) (string, bool) {
	if isNil(av) {
		return "", false
	}
	switch av := av.(type) {
	case *types.AttributeValueMemberS:
		return av.Value, t == types.ScalarAttributeTypeS
	case *types.AttributeValueMemberN:
		return av.Value, t == types.ScalarAttributeTypeN
	case *types.AttributeValueMemberB:
		return string(av.Value), t == types.ScalarAttributeTypeB
	}
	return "", false
}

// scalarType is the type of the attribute that holds a part.
func scalarType(t keys.PartType) types.ScalarAttributeType {
	switch t {
	case keys.PartNumber:
		return types.ScalarAttributeTypeN
	case keys.PartBinary:
		return types.ScalarAttributeTypeB
	}
	return types.ScalarAttributeTypeS
}

// EntityIndex says how an entity is in an index.
type EntityIndex struct {
	Index     *Index
	Partition KeySpec
	Sort      KeySpec // no attributes where the index has no sort key
	Complete  bool    // the index holds every attribute that an item of the entity can have
}

// DerivedIndex says what is written for an index, and from what.
type DerivedIndex struct {
	Index *Index

	// Attributes are written by this package alone, and only while an item is in
	// the index: an update may not name them.
	Attributes []string

	// Parts are the stored attributes that they follow from. In a native index an
	// attribute of the domain can be one of the key: it is a part then.
	Parts []string
}

// Derivation is what an update has to do to the index attributes of an item; see
// [Entity.Derive].
type Derivation struct {
	Set     Item          // to be written, also where the update writes something else there
	Remove  []string      // to be removed
	Missing []MissingPart // what is not known, but has to be: the update cannot be planned
	Used    []string      // attributes of given that the answer depends on
}

// MissingPart is a part of an index key that is not known.
type MissingPart struct {
	Index       *Index
	Placeholder string // "" where it is Only or a computed placeholder that reads it
	Attribute   string
}
