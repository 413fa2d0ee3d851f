package engine

import (
	"slices"
	"time"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// The service's limits.
const (
	maxHashKey       = 2048
	maxSortKey       = 1024
	maxItemSize      = 400 << 10
	maxPage          = 1 << 20
	maxRequest       = 16 << 20
	maxTransaction   = 4 << 20
	maxLocalIndexes  = 5
	maxGlobalIndexes = 20
	maxIncluded      = 20
	maxIncludedTotal = 100
	maxIndexKeyParts = 4
	maxThroughput    = 1000000000000
	maxTransactItems = 100
	maxBatchGetKeys  = 100
	maxBatchWrites   = 25
	maxListTables    = 100
	maxTotalSegments = 1000000
	maxClientToken   = 36
)

// keyPart is one attribute of a key.
type keyPart struct {
	name string
	kind av.Kind
}

// keySchema is the key of a table (one hash attribute, at most one range
// attribute) or of an index (up to four of each).
type keySchema struct {
	hash, sort []keyPart
}

// parts gives all attributes, hash first.
func (k keySchema) parts() []keyPart { return slices.Concat(k.hash, k.sort) }

func (k keySchema) has(attr string) bool {
	is := func(p keyPart) bool { return p.name == attr }
	return slices.ContainsFunc(k.hash, is) || slices.ContainsFunc(k.sort, is)
}

// The types of projections and of billing.
const (
	projectAll     = "ALL"
	projectKeys    = "KEYS_ONLY"
	projectInclude = "INCLUDE"
	provisioned    = "PROVISIONED"
	payPerRequest  = "PAY_PER_REQUEST"
)

type throughput struct {
	read, write          int64
	increased, decreased time.Time
	decreasesToday       int64
	decreasesDay         int // day of the year of the last decrease
}

// set changes the throughput and keeps the record that descriptions show.
func (t *throughput) set(read, write int64, now time.Time) {
	if read > t.read || write > t.write {
		t.increased = now
	}
	if read < t.read || write < t.write {
		t.decreased = now
		if t.decreasesDay != now.UTC().YearDay() {
			t.decreasesToday, t.decreasesDay = 0, now.UTC().YearDay()
		}
		t.decreasesToday++
	}
	t.read, t.write = read, write
}

// attributeDefinition keeps the order in which attributes were defined.
type attributeDefinition struct {
	name string
	kind av.Kind
}

// kindOf gives the type of a key attribute from its definition; 0 if it has none.
func kindOf(defs []attributeDefinition, name string) av.Kind {
	for _, d := range defs {
		if d.name == name {
			return d.kind
		}
	}
	return 0
}

func parseKeyKind(s string) av.Kind {
	switch s {
	case "S":
		return av.S
	case "N":
		return av.N
	case "B":
		return av.B
	}
	return 0
}

// keyOf reads the key attributes of an item in the order of the schema's parts;
// ok is false where one is absent or of another type.
func keyOf(item av.Item, parts []keyPart) (values []av.Value, ok bool) {
	values = make([]av.Value, len(parts))
	for i, p := range parts {
		v, present := item[p.name]
		if !present || v.Kind() != p.kind {
			return nil, false
		}
		values[i] = v
	}
	return values, true
}

// keyTextOf is joinKey of keyOf, without the slice in the common case of one part.
func keyTextOf(item av.Item, parts []keyPart) (string, bool) {
	if len(parts) == 1 {
		v, present := item[parts[0].name]
		if !present || v.Kind() != parts[0].kind {
			return "", false
		}
		return keyText(v), true
	}
	values, ok := keyOf(item, parts)
	if !ok {
		return "", false
	}
	return joinKey(values), true
}

const (
	keyMismatch = "The provided key element does not match the schema"
	notValid    = "One or more parameter values are not valid. "
)

func emptyKey(kind av.Kind, attr string) *Error {
	return invalid(notValid + "The AttributeValue for a key attribute cannot contain an empty " + kindWord(kind) + " value. Key: " + attr)
}

func emptyIndexKey(kind av.Kind, index, attr string) *Error {
	return invalid(notValid + "A value specified for a secondary index key is not supported. " +
		"The AttributeValue for a key attribute cannot contain an empty " + kindWord(kind) + " value. IndexName: " + index + ", IndexKey: " + attr)
}

func kindWord(kind av.Kind) string {
	if kind == av.B {
		return "binary"
	}
	return "string"
}

// bytesOf gives the length of an S or B key attribute; numbers count as 1, they
// have no limit of their own.
func bytesOf(v av.Value) int {
	switch v.Kind() {
	case av.S:
		return len(v.Str())
	case av.B:
		return len(v.Raw())
	}
	return 1
}

// checkKey refuses a key that is not exactly the schema's attributes, or whose
// values a key cannot have.
func (k keySchema) checkKey(key av.Item) *Error {
	if len(key) != len(k.hash)+len(k.sort) {
		return invalid(keyMismatch)
	}
	for _, p := range k.parts() {
		v, ok := key[p.name]
		if !ok || v.Kind() != p.kind {
			return invalid(keyMismatch)
		}
	}
	return k.checkKeyValues(key)
}

// checkKeyValues refuses empty and too long values of key attributes that are
// known to be there.
func (k keySchema) checkKeyValues(item av.Item) *Error {
	for _, p := range k.parts() {
		if bytesOf(item[p.name]) == 0 {
			return emptyKey(p.kind, p.name)
		}
	}
	for _, p := range k.hash {
		if bytesOf(item[p.name]) > maxHashKey {
			return badParam("Size of hashkey has exceeded the maximum size limit of2048 bytes")
		}
	}
	for _, p := range k.sort {
		if bytesOf(item[p.name]) > maxSortKey {
			return badParam("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
		}
	}
	return nil
}

// checkItem refuses an item that lacks a key attribute of the table or has one of
// another type.
func (k keySchema) checkItem(item av.Item) *Error {
	for _, p := range k.parts() {
		v, ok := item[p.name]
		if !ok {
			return badParam("Missing the key " + p.name + " in the item")
		}
		if v.Kind() != p.kind {
			return badParam("Type mismatch for key " + p.name + " expected: " + p.kind.String() + " actual: " + v.Kind().String())
		}
	}
	return k.checkKeyValues(item)
}

// checkIndexKeys refuses an item that has a key attribute of an index with a
// value that an index key cannot have. A missing one only means that the item is
// not in the index.
func (t *table) checkIndexKeys(item av.Item) *Error {
	for _, x := range t.indexes() {
		for _, p := range x.key.parts() {
			v, ok := item[p.name]
			if !ok || t.key.has(p.name) {
				continue
			}
			if v.Kind() != p.kind {
				return indexKeyMismatch(x.name, p, v.Kind())
			}
			if bytesOf(v) == 0 {
				return emptyIndexKey(p.kind, x.name, p.name)
			}
		}
		if err := x.checkSize(item); err != nil {
			return err
		}
	}
	return nil
}

func indexKeyMismatch(index string, p keyPart, actual av.Kind) *Error {
	return badParam("Type mismatch for Index Key " + p.name + " Expected: " + p.kind.String() + " Actual: " + actual.String() + " IndexName: " + index)
}

// checkSize refuses an index key above the limits of a key. The attributes of a
// native key count together.
func (x *index) checkSize(item av.Item) *Error {
	hash, sort := 0, 0
	for _, p := range x.key.hash {
		v, ok := item[p.name]
		if !ok {
			return nil
		}
		hash += bytesOf(v)
	}
	for _, p := range x.key.sort {
		v, ok := item[p.name]
		if !ok {
			return nil
		}
		sort += bytesOf(v)
	}
	if hash > maxHashKey {
		return badParam("Size of hashkey has exceeded the maximum size limit of2048 bytes")
	}
	if sort > maxSortKey {
		return badParam("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}
