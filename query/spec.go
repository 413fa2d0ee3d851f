package query

import (
	"context"
	"crypto/cipher"
	"fmt"
	"math"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// spec is what a read asks, without the type of what it yields. It is copied
// with the query that holds it, and what it points to is never changed.
type spec struct {
	table      *model.Table
	schema     *schema // of the table, or of the index that is read
	entity     string
	partition  keys.Key
	collection bool // of any entity
	partial    bool // the index does not hold all that is asked for
	where      keys.Range
	ranged     bool // where was given
	filter     *filter
	projection *projection

	consistent   bool
	desc         bool
	limit        int // 0 for none, as in the two below
	pageSize     int
	maxEvaluated int

	report *Stats
	seals  []cipher.AEAD

	err error // the first mistake made while composing; every use returns it
}

// fail remembers the first mistake.
func (s *spec) fail(op string, err error) {
	if s.err == nil {
		s.err = s.wrap(op, err)
	}
}

// wrap says which read err is of.
func (s *spec) wrap(op string, err error) error {
	e := &Error{Op: op, Entity: s.entity, Err: err}
	if s.table != nil {
		e.Table = s.table.Name()
	}
	e.Index = s.schema.name()
	return e
}

// number checks the argument of a method that takes a count of items.
func (s *spec) number(method string, dst *int, n int) {
	const most = math.MaxInt32 - 1 // one more is asked for, and DynamoDB takes an int32
	if n < 1 || n > most {
		s.fail(method, &ArgumentError{Method: method, Value: n, Least: 1, Most: most})
		return
	}
	*dst = n
}

// checkPartition holds the partition key to DynamoDB's limit; err is what is
// wrong with it otherwise.
func (s *spec) checkPartition(err error) error {
	if err != nil {
		return err
	}
	if s.schema.hash.Native {
		terms, err := keyTerms(s.schema.hash, s.partition)
		if err != nil {
			return err
		}
		return s.checkTerms(terms, model.MaxPartitionKey)
	}
	return s.checkSize(s.schema.hash.Attributes[0].Name, len(s.partition.String()), model.MaxPartitionKey)
}

func (s *spec) checkSize(attribute string, size, limit int) error {
	if size > limit {
		return &model.SizeError{Entity: s.entity, Attribute: attribute, Size: size, Limit: limit}
	}
	return nil
}

// checkTerms holds the parts of a key to the limit of the whole.
func (s *spec) checkTerms(terms []term, limit int) error {
	size := 0
	for _, t := range terms {
		size += max(valueSize(t.lo), valueSize(t.hi))
	}
	if size <= limit {
		return nil
	}
	return s.checkSize(terms[0].name, size, limit)
}

// narrow sets the range of the sort key.
func (s *spec) narrow(r keys.Range) error {
	switch {
	case s.table == nil || s.schema == nil:
		return ErrZero
	case len(s.schema.sort.Attributes) == 0:
		return ErrNoSortKey
	}
	s.where, s.ranged = r, true
	if s.collection {
		return s.table.CheckRange(s.schema.index, r)
	}
	return r.Check(s.schema.sort.Template)
}

// project has only these attributes sent.
func (s *spec) project(attributes []string) {
	aliases := map[string]string{}
	if s.schema.joined() {
		aliases[s.schema.hash.Attributes[0].Name] = "#pk"
		for _, a := range s.schema.sort.Attributes {
			aliases[a.Name] = "#sk"
		}
	}
	s.projection = newProjection(attributes, aliases)
}

// primaryKey is what an item has of its table's primary key.
func (s *spec) primaryKey(item model.Item) model.Item {
	key := make(model.Item, 2)
	for _, name := range []string{s.table.PartitionKey(), s.table.SortKey()} {
		if v, ok := item[name]; ok {
			key[name] = v
		}
	}
	return key
}

// undeclared says why an item is of no declared entity.
func (s *spec) undeclared(item model.Item) error {
	if _, err := s.table.Decode(item); err != nil {
		return fmt.Errorf("%w: %w", ErrUndeclared, err)
	}
	return ErrUndeclared
}

// plan is a spec made ready to be sent, for one context.
type plan struct {
	*spec
	name  string // of the table, as DynamoDB knows it
	never bool   // nothing is in the range

	// The key condition where both keys are one text each.
	pk     string
	op     keys.Op
	lo, hi string

	// And where they are not: hash and sort are its terms.
	hash, sort []term
}

// check gives the first mistake, or what is wrong with the query as it stands.
func (s *spec) check() error {
	switch {
	case s.err != nil:
		return s.err
	case s.table == nil:
		return s.wrap("Query", ErrZero)
	case s.partial:
		return s.wrap("Query", ErrPartial)
	case s.consistent && s.schema.global():
		return s.wrap("Query", ErrConsistent)
	}
	return nil
}

func (s *spec) plan(ctx context.Context) (plan, error) {
	if err := s.check(); err != nil {
		return plan{}, err
	}
	p := plan{spec: s, name: s.table.PhysicalName(ctx), pk: s.partition.String(), op: keys.OpAll}
	if s.ranged {
		var err error
		if p.op, p.lo, p.hi, err = s.where.Condition(); err != nil {
			return plan{}, s.wrap("Query", err)
		}
		p.never = p.op == keys.OpNever
	}
	if s.schema.joined() {
		if s.ranged {
			if err := s.checkSize(s.schema.sort.Attributes[0].Name, max(len(p.lo), len(p.hi)), model.MaxSortKey); err != nil {
				return plan{}, s.wrap("Query", err)
			}
		}
		return p, nil
	}
	var err error
	if p.hash, p.sort, err = s.terms(); err == nil {
		err = s.checkTerms(p.sort, model.MaxSortKey)
	}
	if err != nil {
		return plan{}, s.wrap("Query", err)
	}
	return p, nil
}

// contains reports whether the sort key of an item lies in the range asked.
func (p *plan) contains(item model.Item) bool {
	if !p.schema.joined() {
		for _, t := range p.sort {
			if !t.holds(item[t.name]) {
				return false
			}
		}
		return true
	}
	if !p.ranged {
		return true
	}
	text, ok := keyBytes(p.schema.sort.Attributes[0], item[p.schema.sort.Attributes[0].Name])
	return ok && p.where.Contains(text)
}

// partitionKey is the partition key that is asked, as the attributes it is stored as.
func (p *plan) partitionKey() model.Item {
	if p.schema.joined() {
		return model.Item{p.schema.hash.Attributes[0].Name: &types.AttributeValueMemberS{Value: p.pk}}
	}
	item := model.Item{}
	for _, t := range p.hash {
		item[t.name] = t.lo
	}
	return item
}
