package query

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// Query reads the items of one entity in one partition, in the order of their
// sort keys. Begin with [Of] for a partition of a table, with [On] for one of an
// index, or with [Collection] for the items of several entities.
//
// A Query is an immutable value: every method returns another one, so that a
// query can be kept, shared by goroutines and refined in several ways. It holds
// no state of a read; every terminal ([Query.All], [Query.Page],
// [Query.Collect], [Query.First], [Query.ExactlyOne], [Query.Count]) begins
// anew. Only the target of [Query.Report] is shared between the reads of one
// query.
//
// A mistake made while composing (a range of another template, a filter over a
// key) travels in the query: every terminal returns it and nothing is sent. The
// zero Query is not valid, and its terminals return [ErrZero].
type Query[T any] struct {
	spec    spec
	decoder decoder[T]
	hydrate *model.View[struct{}] // the entries of an index whose items are fetched; nil for none
}

// decoder tells whose an item is and decodes it: an entity, or a view of one.
type decoder[T any] interface {
	Classify(item model.Item) model.Class
	UnmarshalInto(item model.Item, v *T) error
}

// Of reads the items of e in the partition pk, all of them until [Query.Where]
// narrows it. Without Where the whole partition is read; items of other entities
// in it are skipped and counted.
//
// Mistakes: [keys.ErrTemplate] where pk is not a key of the partition template
// of e, whatever error pk carries, a [*model.SizeError] over the 2048 bytes of a
// partition key, [ErrZero] for a nil entity.
func Of[T any](e *model.Entity[T], pk keys.Key) Query[T] {
	var q Query[T]
	if e.Table() == nil {
		q.spec.fail("Of", ErrZero)
		return q
	}
	q.decoder = e
	q.spec.table, q.spec.entity, q.spec.partition = e.Table(), e.Name(), pk
	hash, sort := e.KeySpecs()
	q.spec.schema = newSchema(nil, hash, sort)
	if err := q.spec.checkPartition(pk.Check(hash.Template)); err != nil {
		q.spec.fail("Of", err)
	}
	return q
}

// Where narrows the query to a range of the sort key. A second Where replaces
// the first. [keys.Key.Exact] and [keys.Key.Tree] of any key are accepted, other
// ranges only of the entity's own sort template.
//
// Mistakes: [keys.ErrTemplate] for a range of another template, whatever error r
// carries ([keys.ErrRange] where the lower bound is above the upper one,
// [keys.ErrZero] for the zero Range, …), [ErrNoSortKey].
//
// An empty range, such as Within(x, x), is legal: it finds nothing, and nothing
// is sent for it.
func (q Query[T]) Where(r keys.Range) Query[T] {
	if err := q.spec.narrow(r); err != nil {
		q.spec.fail("Where", err)
	}
	return q
}

// Filter leaves out the items that do not satisfy c, on DynamoDB's side. They
// are evaluated and paid for all the same; a range of the key is what saves
// that. A second Filter is joined to the first by AND.
//
// Mistakes: a [*FilterError] wrapping [ErrKeyInFilter] where c names a key
// attribute of what is read (DynamoDB refuses it), or [ErrFilter] where the
// expression package cannot build c.
func (q Query[T]) Filter(c expression.ConditionBuilder) Query[T] {
	if q.spec.schema == nil {
		q.spec.fail("Filter", ErrZero)
		return q
	}
	f, err := q.spec.filter.and(c, q.spec.schema.has)
	if err != nil {
		q.spec.fail("Filter", err)
		return q
	}
	q.spec.filter = f
	return q
}

// Consistent makes the read strongly consistent, at twice the price. A global
// index has no such read: [ErrConsistent].
func (q Query[T]) Consistent() Query[T] {
	q.spec.consistent = true
	return q
}

// Desc reads from the greatest sort key to the least.
func (q Query[T]) Desc() Query[T] {
	q.spec.desc = true
	return q
}

// Limit ends the read after n items returned, or makes a page of n items. It is
// not DynamoDB's Limit, which counts what is evaluated and is [Query.PageSize]
// here. n is at least 1, or else the query carries an [*ArgumentError].
func (q Query[T]) Limit(n int) Query[T] {
	q.spec.number("Limit", &q.spec.limit, n)
	return q
}

// PageSize sets how many items DynamoDB evaluates at most in one request, its
// Limit; 1 MB ends a request earlier. Without it a limited read asks for what it
// needs and any other for as much as DynamoDB gives. n is at least 1, or else
// the query carries an [*ArgumentError].
func (q Query[T]) PageSize(n int) Query[T] {
	q.spec.number("PageSize", &q.spec.pageSize, n)
	return q
}

// MaxEvaluated bounds what a read may cost: it evaluates at most n items, filtered
// and skipped ones included. Where more are left then, a [Query.Page] ends early
// and has a Next to go on from; the other terminals end with a
// [*MaxEvaluatedError], which holds it. n is at least 1, or else the query
// carries an [*ArgumentError].
func (q Query[T]) MaxEvaluated(n int) Query[T] {
	q.spec.number("MaxEvaluated", &q.spec.maxEvaluated, n)
	return q
}

// Report has every terminal of the query write to s what it did: s is cleared
// when a terminal begins and is kept up to date while it reads. Reads that run
// at the same time need a target each. A nil s reports to nobody.
func (q Query[T]) Report(s *Stats) Query[T] {
	q.spec.report = s
	return q
}

// Secret seals the cursors of the query with AES-GCM, so that they show nothing
// of the keys they hold and no one else can make one. The first secret seals and
// all of them open, so that a secret can be replaced while cursors are under
// way. A secret is 16, 24 or 32 random bytes, or else the query carries
// [ErrSecret]. The bytes are not kept.
func (q Query[T]) Secret(secrets ...[]byte) Query[T] {
	seals, err := newSeals(secrets)
	if err != nil {
		q.spec.fail("Secret", err)
	}
	q.spec.seals = seals
	return q
}

// Err is what is wrong with the query as it stands, nil where nothing is: the
// first mistake made while composing, [ErrPartial] or [ErrConsistent].
func (q Query[T]) Err() error { return q.spec.check() }

// Input is the first request that [Query.All] would send, for logs and tests.
// The caller may change it. Errors: what the query carries, or [ErrEmptyRange]
// where nothing would be sent.
func (q Query[T]) Input(ctx context.Context) (*dynamodb.QueryInput, error) {
	p, err := q.spec.plan(ctx)
	if err != nil {
		return nil, err
	}
	if p.never {
		return nil, q.spec.wrap("Input", ErrEmptyRange)
	}
	r := reader{plan: p}
	return p.input(nil, r.pageSizeFor(q.spec.limit), p.desc), nil
}

// All reads what the query asks, page by page as the loop goes on. Each range
// over it is a read of its own from the beginning; leaving the loop ends the read,
// and no further request is sent.
//
// An item that is of no declared entity, or that cannot be decoded, is yielded as
// an [*ItemError] with a zero T, and the loop may go on. Any other error is the
// last thing yielded: what the query carries, [ErrNoClient], a [*MaxEvaluatedError],
// the error of the context, or that of a failed request; each in an [*Error].
//
// A read is not a snapshot: DynamoDB answers page by page, so an item that is
// moved within the range meanwhile may be yielded twice or not at all.
func (q Query[T]) All(ctx context.Context, db Client) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		q.walk(ctx, db, "All", q.spec.limit, yield)
	}
}

// Collect gives what [Query.All] yields as a slice. At the first error it stops
// and returns what came before it, together with the error.
func (q Query[T]) Collect(ctx context.Context, db Client) ([]T, error) {
	var list []T
	var err error
	q.walk(ctx, db, "Collect", q.spec.limit, func(v T, e error) bool {
		if e != nil {
			err = e
			return false
		}
		list = append(list, v)
		return true
	})
	return list, err
}

// First gives the first item that [Query.All] would yield, or [ErrNotFound].
// An item that cannot be decoded is not passed over: it is the [*ItemError]
// returned.
func (q Query[T]) First(ctx context.Context, db Client) (T, error) {
	first, err := q.few(ctx, db, "First", 1)
	if err != nil {
		return first.v, err
	}
	if first.n == 0 {
		return first.v, q.spec.wrap("First", ErrNotFound)
	}
	return first.v, nil
}

// ExactlyOne gives the only item that [Query.All] would yield. It returns
// [ErrNotFound] where there is none and [ErrMoreThanOne] where there are several.
// A query with Limit(1) never yields several.
func (q Query[T]) ExactlyOne(ctx context.Context, db Client) (T, error) {
	var zero T
	first, err := q.few(ctx, db, "ExactlyOne", 2)
	switch {
	case err != nil:
		return zero, err
	case first.n == 0:
		return zero, q.spec.wrap("ExactlyOne", ErrNotFound)
	case first.n > 1:
		return zero, q.spec.wrap("ExactlyOne", ErrMoreThanOne)
	}
	return first.v, nil
}

// Count counts what [Query.All] would yield, and fails where it would yield an
// error, returning what it had counted. It reads and decodes the items, since
// DynamoDB can neither tell one that has expired nor one that is broken; the
// capacity consumed is the same either way. To have less sent over the network,
// count a small view: query.Into[struct{…}](q).Count.
func (q Query[T]) Count(ctx context.Context, db Client) (int, error) {
	var n int
	var err error
	q.walk(ctx, db, "Count", q.spec.limit, func(_ T, e error) bool {
		if e != nil {
			err = e
			return false
		}
		n++
		return true
	})
	return n, err
}

// few reads at most n items and keeps the first of them.
func (q *Query[T]) few(ctx context.Context, db Client, op string, n int) (got struct {
	v T
	n int
}, err error) {
	if q.spec.limit > 0 {
		n = min(n, q.spec.limit)
	}
	q.walk(ctx, db, op, n, func(v T, e error) bool {
		if e != nil {
			err = e
			return false
		}
		if got.n == 0 {
			got.v = v
		}
		got.n++
		return true
	})
	return got, err
}

// walk yields up to limit items, all of them where limit is 0. It counts limit
// down, so that without one it goes below 0.
func (q *Query[T]) walk(ctx context.Context, db Client, op string, limit int, yield func(T, error) bool) {
	var zero T
	r, err := q.spec.open(ctx, db, op, "")
	if err != nil {
		yield(zero, err)
		return
	}
	defer func() { r.watch.end(err) }()
	v := new(T)
	for !r.done {
		var items []model.Item
		if items, err = r.next(limit); err != nil {
			yield(zero, err)
			return
		}
		h := hydration{entries: items}
		for i := range items {
			var item model.Item
			if item, err = q.item(r, &h, i, limit); err != nil {
				err = r.wrap(op, err)
				yield(zero, err)
				return
			}
			if item == nil {
				continue
			}
			*v = zero
			own, err := q.decode(r, item, v)
			switch {
			case err != nil:
				if !yield(zero, err) {
					return
				}
			case own:
				r.stats.Returned++
				if !yield(*v, nil) {
					return
				}
				if limit--; limit == 0 {
					return
				}
			}
		}
	}
}

// decode puts one item into v. It reports false for an item that is not the
// query's to return, and an *ItemError for one that cannot be returned.
func (q *Query[T]) decode(r *reader, item model.Item, v *T) (own bool, err error) {
	switch class := q.decoder.Classify(item); class {
	case model.Other:
		r.stats.Skipped++
		return false, nil
	case model.Expired:
		r.stats.Expired++
		return false, nil
	case model.Unknown:
		err = q.spec.undeclared(item)
	default:
		err = q.decoder.UnmarshalInto(item, v)
	}
	if err != nil {
		r.stats.Refused++
		return false, &ItemError{Table: q.spec.table.Name(), Entity: q.spec.entity, Key: q.spec.primaryKey(item), Err: err}
	}
	return true, nil
}
