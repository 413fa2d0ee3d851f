package model

import (
	"sort"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Class is what an item is to an entity.
type Class uint8

const (
	Unknown Class = iota // of no entity that the table declares
	Own                  // of this entity
	Other                // of another entity of the table
	Expired              // of this entity, but absent since its time to live has passed
)

// String returns the name of the class.
func (c Class) String() string {
	switch c {
	case Unknown:
		return "Unknown"
	case Own:
		return "Own"
	case Other:
		return "Other"
	case Expired:
		return "Expired"
	}
	return "Class(" + strconv.Itoa(int(c)) + ")"
}

// Classify tells what an item is to this entity, by its type attribute or, in a
// table without one, by its keys, and by the table's clock. An item is expired
// from the second that its ttl attribute holds. It allocates nothing. To a nil
// entity every item is Unknown.
func (e *Entity[T]) Classify(item Item) Class {
	if e.isZero() {
		return Unknown
	}
	return e.s.classify(item)
}

// Classify tells which entity of the table an item is of and whether it has
// expired. It answers Own, Expired, or Unknown with "" as the name.
func (t *Table) Classify(item Item) (entity string, c Class) {
	s := t.find(item)
	if s == nil {
		return "", Unknown
	}
	if s.expired(item) {
		return s.name, Expired
	}
	return s.name, Own
}

// Decode makes the value of an item of any entity of the table: a *T of its
// type. Like [Entity.Unmarshal] it does not look at expiry, and it fails in the
// same ways; an item of no declared entity is an *[ItemError] wrapping
// [ErrEntity].
func (t *Table) Decode(item Item) (any, error) {
	if t.isZero() {
		return nil, errZeroTable
	}
	s := t.find(item)
	if s == nil {
		return nil, t.itemError("", item, "", errNoEntity(t, item))
	}
	return s.unmarshal(item)
}

// EntityNames returns the names of the entities defined so far, sorted.
func (t *Table) EntityNames() []string {
	var names []string
	for _, s := range t.defined() {
		names = append(names, s.name)
	}
	sort.Strings(names)
	return names
}

func (s *schema) classify(item Item) Class {
	found := s.table.find(item)
	switch {
	case found == nil:
		return Unknown
	case found != s:
		return Other
	case s.expired(item):
		return Expired
	}
	return Own
}

// classifyByKeys does without the type attribute, which an entry of an index may
// not have.
func (s *schema) classifyByKeys(item Item) Class {
	c := Unknown
	for _, o := range s.table.defined() {
		switch {
		case !o.hasKeys(item):
		case c != Unknown:
			return Unknown // it could be of two
		case o == s:
			c = Own
		default:
			c = Other
		}
	}
	if c == Own && s.expired(item) {
		return Expired
	}
	return c
}

// expired compares the ttl attribute with the table's clock.
func (s *schema) expired(item Item) bool {
	return s.roles.names.TTL != "" && PastTTL(item, s.roles.names.TTL, s.table.Now())
}

// PastTTL tells whether an item is past its time to live, which the attribute
// holds in seconds since 1970: it is from that second on. Like DynamoDB it takes
// no notice of an attribute that is missing or not a number.
func PastTTL(item Item, ttl string, now time.Time) bool {
	n, ok := item[ttl].(*types.AttributeValueMemberN)
	return ok && n != nil && numberAtMost(n.Value, now.Unix())
}

// numberAtMost tells whether a DynamoDB number is at most limit.
func numberAtMost(n string, limit int64) bool {
	if i, err := strconv.ParseInt(n, 10, 64); err == nil {
		return i <= limit
	}
	f, err := strconv.ParseFloat(n, 64)
	return err == nil && f <= float64(limit)
}
