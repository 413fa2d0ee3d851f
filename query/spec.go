package query

import (
	"context"
	"crypto/cipher"
	"fmt"
	"math"

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
	sorts      []keys.Template // those of which Where takes a range
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
	if s.schema != nil {
		e.Index = s.schema.index
	}
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

// checkPartition holds the partition key to one of the templates and to
// DynamoDB's limit.
func (s *spec) checkPartition(templates ...keys.Template) error {
	err := s.partition.Err()
	for _, t := range templates {
		if err = s.partition.Check(t); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	return s.checkSize(s.schema.hash[0].name, len(s.partition.String()), model.MaxPartitionKey)
}

func (s *spec) checkSize(attribute string, size, limit int) error {
	if size > limit {
		return &model.SizeError{Entity: s.entity, Attribute: attribute, Size: size, Limit: limit}
	}
	return nil
}

// narrow sets the range of the sort key.
func (s *spec) narrow(r keys.Range) error {
	switch {
	case s.table == nil:
		return ErrZero
	case len(s.schema.sort) == 0:
		return ErrNoSortKey
	}
	s.where, s.ranged = r, true
	err := r.Err()
	for _, t := range s.sorts {
		if err = r.Check(t); err == nil {
			return nil
		}
	}
	return err
}

// contains reports whether the sort key lies in the range asked.
func (s *spec) contains(sk string) bool {
	return !s.ranged || s.where.Contains(sk)
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
	name   string // of the table, as DynamoDB knows it
	pk     string
	op     keys.Op
	lo, hi string
}

func (s *spec) plan(ctx context.Context) (plan, error) {
	if s.table == nil && s.err == nil {
		return plan{}, s.wrap("Query", ErrZero)
	}
	if s.err != nil {
		return plan{}, s.err
	}
	p := plan{spec: s, name: s.table.PhysicalName(ctx), pk: s.partition.String(), op: keys.OpAll}
	if s.ranged {
		var err error
		if p.op, p.lo, p.hi, err = s.where.Condition(); err != nil {
			return plan{}, s.wrap("Query", err)
		}
		if err := s.checkSize(s.schema.sort[0].name, max(len(p.lo), len(p.hi)), model.MaxSortKey); err != nil {
			return plan{}, s.wrap("Query", err)
		}
	}
	return p, nil
}
