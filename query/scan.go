package query

import (
	"context"
	"iter"
	"maps"
	"sync"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// ScanQuery reads a whole table for the items of one entity, in no particular
// order. Begin with [Scan]. It is an immutable value, like [Query].
type ScanQuery[T any] struct {
	q        Query[T]
	segments int
}

// Scan reads all items of e, by reading its whole table: it is for jobs, not for
// requests. A nil entity is [ErrZero].
func Scan[T any](e *model.Entity[T]) ScanQuery[T] {
	var s ScanQuery[T]
	if e.Table() == nil {
		s.q.spec.fail("Scan", ErrZero)
		return s
	}
	s.q.decoder = e
	s.q.spec.table, s.q.spec.entity = e.Table(), e.Name()
	hash, sort := e.KeySpecs()
	s.q.spec.schema = newSchema(nil, hash, sort)
	return s
}

// Segments has n workers read n parts of the table at the same time. n is 1 to
// 1,000,000, DynamoDB's bound, or else the scan carries an [*ArgumentError].
func (s ScanQuery[T]) Segments(n int) ScanQuery[T] {
	const most = 1_000_000
	if n < 1 || n > most {
		s.q.spec.fail("Segments", &ArgumentError{Method: "Segments", Value: n, Least: 1, Most: most})
		return s
	}
	s.segments = n
	return s
}

// Filter is [Query.Filter], but may name key attributes.
func (s ScanQuery[T]) Filter(c expression.ConditionBuilder) ScanQuery[T] {
	if s.q.spec.table == nil {
		s.q.spec.fail("Filter", ErrZero)
		return s
	}
	f, err := s.q.spec.filter.and(c, func(string) bool { return false })
	if err != nil {
		s.q.spec.fail("Filter", err)
		return s
	}
	s.q.spec.filter = f
	return s
}

// Consistent is [Query.Consistent].
func (s ScanQuery[T]) Consistent() ScanQuery[T] {
	s.q.spec.consistent = true
	return s
}

// PageSize is [Query.PageSize].
func (s ScanQuery[T]) PageSize(n int) ScanQuery[T] {
	s.q = s.q.PageSize(n)
	return s
}

// Report is [Query.Report].
func (s ScanQuery[T]) Report(stats *Stats) ScanQuery[T] {
	s.q.spec.report = stats
	return s
}

// Err is the first mistake made while composing, nil where there is none.
func (s ScanQuery[T]) Err() error { return s.q.Err() }

// All reads the table as the loop goes on. It yields and fails as [Query.All]
// does. Leaving the loop ends all workers before the loop is left; each has at
// most one page read ahead.
func (s ScanQuery[T]) All(ctx context.Context, db Client) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		s.walk(ctx, db, "Scan", yield)
	}
}

// Count counts what [ScanQuery.All] would yield. At the first error it stops and
// returns what it had counted, together with the error.
func (s ScanQuery[T]) Count(ctx context.Context, db Client) (int, error) {
	var n int
	var err error
	s.walk(ctx, db, "Scan", func(_ T, e error) bool {
		if err = e; e != nil {
			return false
		}
		n++
		return true
	})
	return n, err
}

func (s *ScanQuery[T]) walk(ctx context.Context, db Client, op string, yield func(T, error) bool) {
	var zero T
	r, err := s.q.spec.open(ctx, db, op, "")
	if err != nil {
		yield(zero, err)
		return
	}
	defer func() { r.watch.end(err) }()

	pages, stop := s.read(r)
	defer stop()
	v := new(T)
	for page := range pages {
		if page.err != nil {
			err = r.wrap(op, page.err)
			yield(zero, err)
			return
		}
		r.stats.Requests++
		r.stats.Evaluated += max(int(page.out.ScannedCount), len(page.out.Items))
		r.stats.consumed(page.out.ConsumedCapacity)
		for _, item := range page.out.Items {
			*v = zero
			own, err := s.q.decode(r, item, v)
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
			}
		}
	}
}

// scanned is what one request of a scan brought.
type scanned struct {
	out *dynamodb.ScanOutput
	err error
}

// read has a worker for each segment hand over its pages. Whoever takes them must
// call stop when done, after which no worker is left.
func (s *ScanQuery[T]) read(r *reader) (pages <-chan scanned, stop func()) {
	ctx, cancel := context.WithCancel(r.ctx)
	ch := make(chan scanned)
	var workers sync.WaitGroup
	for segment := range max(s.segments, 1) {
		workers.Go(func() {
			var start model.Item
			for {
				page := s.request(ctx, r, segment, start)
				select {
				case ch <- page:
				case <-ctx.Done():
					if r.ctx.Err() == nil {
						return // nobody listens
					}
					ch <- scanned{err: r.ctx.Err()}
					return
				}
				if page.err != nil || len(page.out.LastEvaluatedKey) == 0 {
					return
				}
				start = page.out.LastEvaluatedKey
			}
		})
	}
	go func() {
		workers.Wait()
		close(ch)
	}()
	return ch, func() {
		cancel()
		for range ch {
		}
	}
}

func (s *ScanQuery[T]) request(ctx context.Context, r *reader, segment int, start model.Item) scanned {
	if err := ctx.Err(); err != nil {
		return scanned{err: err}
	}
	name := r.name
	in := &dynamodb.ScanInput{
		TableName:              &name,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
		ExclusiveStartKey:      start,
	}
	if s.segments > 1 {
		n, total := int32(segment), int32(s.segments)
		in.Segment, in.TotalSegments = &n, &total
	}
	if size := int32(r.pageSize); size > 0 {
		in.Limit = &size
	}
	if r.consistent {
		consistent := true
		in.ConsistentRead = &consistent
	}
	if f := r.filter; f != nil {
		text := f.text
		in.FilterExpression = &text
		in.ExpressionAttributeNames = maps.Clone(f.names)
		in.ExpressionAttributeValues = maps.Clone(f.values)
	}
	out, err := r.db.Scan(ctx, in)
	if err == nil && out == nil {
		err = ErrResponse
	}
	return scanned{out: out, err: err}
}
