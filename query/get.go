package query

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// Option is a choice of a read by key: [Consistent] or [Report].
type Option interface{ apply(*options) }

type options struct {
	consistent bool
	report     *Stats
}

type option func(*options)

func (o option) apply(dst *options) { o(dst) }

// Consistent makes a read by key strongly consistent, at twice the price.
func Consistent() Option {
	return option(func(o *options) { o.consistent = true })
}

// Report has a read by key set s to what it did. A nil s reports to nobody.
func Report(s *Stats) Option {
	return option(func(o *options) { o.report = s })
}

// choose puts options together. The report is never nil.
func choose(opts []Option) options {
	var o options
	for _, opt := range opts {
		if opt != nil {
			opt.apply(&o)
		}
	}
	if o.report == nil {
		o.report = new(Stats)
	}
	*o.report = Stats{}
	return o
}

// Get reads one item by its key.
//
// Errors: [ErrNotFound] where nothing is there, or where what is there has
// expired; an [*ItemError] where what is there is of another entity or cannot be
// decoded; what the key carries, [ErrZero] for the zero Key, [ErrNoClient], the
// error of the context, or that of the request. What is not an [*ItemError] is in
// an [*Error]. The T is zero with any of them.
func Get[T any](ctx context.Context, db Client, key model.Key[T], opts ...Option) (T, error) {
	var zero T
	o := choose(opts)
	e := key.Entity()
	if e == nil {
		return zero, &Error{Op: "Get", Err: ErrZero}
	}
	fail := func(err error) (T, error) {
		return zero, &Error{Op: "Get", Table: e.Table().Name(), Entity: e.Name(), Err: err}
	}
	if err := checkClient(db); err != nil {
		return fail(err)
	}
	if err := key.Err(); err != nil {
		return fail(err)
	}
	if err := ctx.Err(); err != nil {
		return fail(err)
	}
	name := e.Table().PhysicalName(ctx)
	in := &dynamodb.GetItemInput{
		TableName:              &name,
		Key:                    key.Item(),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
	}
	if o.consistent {
		in.ConsistentRead = &o.consistent
	}
	out, err := db.GetItem(ctx, in)
	if err != nil {
		return fail(err)
	}
	if out == nil {
		return fail(ErrResponse)
	}
	o.report.Requests++
	o.report.consumed(out.ConsumedCapacity)
	if len(out.Item) == 0 {
		return fail(ErrNotFound)
	}
	o.report.Evaluated++
	if e.Classify(out.Item) == model.Expired {
		o.report.Expired++
		return fail(ErrNotFound)
	}
	var v T
	if err := e.UnmarshalInto(out.Item, &v); err != nil {
		o.report.Refused++
		return zero, &ItemError{Table: e.Table().Name(), Entity: e.Name(), Key: key.Item(), Err: err}
	}
	o.report.Returned++
	return v, nil
}
