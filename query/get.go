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
	var v, zero T
	o := choose(opts)
	w := observe(ctx, db, o.report, func() Event { return keyEvent("Get", key.Entity()) })
	err := get(ctx, db, key, o, &v)
	w.end(err)
	if err != nil {
		return zero, err
	}
	return v, nil
}

func get[T any](ctx context.Context, db Client, key model.Key[T], o options, v *T) error {
	e := key.Entity()
	if e == nil {
		return &Error{Op: "Get", Err: ErrZero}
	}
	fail := func(err error) error {
		return &Error{Op: "Get", Table: e.Table().Name(), Entity: e.Name(), Err: err}
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
	there, err := decodeAt(key, out.Item, o.report, v)
	if err == nil && !there {
		return fail(ErrNotFound)
	}
	return err
}

// decodeAt puts the item that is at a key into v. It reports false for one that
// has expired, and an *ItemError for one that cannot be returned.
func decodeAt[T any](key model.Key[T], item model.Item, stats *Stats, v *T) (there bool, err error) {
	e := key.Entity()
	if e.Classify(item) == model.Expired {
		stats.Expired++
		return false, nil
	}
	if err := e.UnmarshalInto(item, v); err != nil {
		stats.Refused++
		return false, &ItemError{Table: e.Table().Name(), Entity: e.Name(), Key: key.Item(), Err: err}
	}
	stats.Returned++
	return true, nil
}

// keyEvent is the event of a read by key. e may be nil.
func keyEvent[T any](op string, e *model.Entity[T]) Event {
	if e == nil {
		return Event{Op: op}
	}
	text := e.PartitionTemplate().String()
	if sk := e.SortTemplate(); sk != nil {
		text += " " + sk.String() + " ="
	}
	return Event{Op: op, Table: e.Table().Name(), Entity: e.Name(), Pattern: text}
}
