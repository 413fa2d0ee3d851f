package query

import (
	"context"
	"crypto/cipher"
	"fmt"
	"math"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// spec is what a read asks, without the type of what it yields. It is copied
// with the query that holds it, and what it points to is never changed.
type spec struct {
	table      *model.Table
	entity     string
	partition  keys.Key
	sort       keys.Template // nil where the table has no sort key
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
		if n := max(len(p.lo), len(p.hi)); n > model.MaxSortKey {
			return plan{}, s.wrap("Query", &model.SizeError{Entity: s.entity, Attribute: s.table.SortKey(), Size: n, Limit: model.MaxSortKey})
		}
	}
	return p, nil
}

// contains reports whether the sort key lies in the range asked.
func (s *spec) contains(sk string) bool {
	return !s.ranged || s.where.Contains(sk)
}

// request is a QueryInput together with what it points to: one allocation
// where there would be eight.
type request struct {
	in         dynamodb.QueryInput
	table      string
	condition  string
	filter     string
	projection string
	limit      int32
	forward    bool
	consistent bool
	pk, lo, hi types.AttributeValueMemberS
}

// input is the request for what follows start, a key, of which DynamoDB
// evaluates at most limit items. It shares nothing with another request that
// a client could change, but the values of the user's filter.
func (p *plan) input(start model.Item, limit int32) *dynamodb.QueryInput {
	r := &request{table: p.name, condition: conditions[p.op]}
	in := &r.in
	in.TableName = &r.table
	in.KeyConditionExpression = &r.condition
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes

	in.ExpressionAttributeNames = map[string]string{"#pk": p.table.PartitionKey()}
	r.pk.Value = p.pk
	in.ExpressionAttributeValues = map[string]types.AttributeValue{":pk": &r.pk}
	if o := operands[p.op]; o.lo || o.hi {
		in.ExpressionAttributeNames["#sk"] = p.table.SortKey()
		if o.lo {
			r.lo.Value = p.lo
			in.ExpressionAttributeValues[":lo"] = &r.lo
		}
		if o.hi {
			r.hi.Value = p.hi
			in.ExpressionAttributeValues[":hi"] = &r.hi
		}
	}
	if p.filter != nil {
		r.filter = p.filter.text
		in.FilterExpression = &r.filter
		for alias, name := range p.filter.names {
			in.ExpressionAttributeNames[alias] = name
		}
		for alias, value := range p.filter.values {
			in.ExpressionAttributeValues[alias] = value
		}
	}
	if p.projection != nil {
		r.projection = p.projection.text
		in.ProjectionExpression = &r.projection
		for alias, name := range p.projection.names {
			in.ExpressionAttributeNames[alias] = name
		}
	}
	if p.desc {
		in.ScanIndexForward = &r.forward
	}
	if p.consistent {
		r.consistent = true
		in.ConsistentRead = &r.consistent
	}
	if limit > 0 {
		r.limit = limit
		in.Limit = &r.limit
	}
	in.ExclusiveStartKey = start
	return in
}

// checkPartition holds the partition key to its template and to DynamoDB's limit.
func (s *spec) checkPartition(t keys.Template) error {
	if err := s.partition.Check(t); err != nil {
		return err
	}
	if n := len(s.partition.String()); n > model.MaxPartitionKey {
		return &model.SizeError{Entity: s.entity, Attribute: s.table.PartitionKey(), Size: n, Limit: model.MaxPartitionKey}
	}
	return nil
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
