package query

import (
	"context"
	"math"

	"github.com/singletable-go/singletable/model"
)

// filteredLeast is what a limited query with a filter evaluates in its first
// request at the least: a filter that matches late would cost a request for
// every item otherwise.
const filteredLeast = 100

// reader fetches what a query asks, one request at a time.
type reader struct {
	plan
	op    string // the method it works for
	ctx   context.Context
	db    Client
	stats *Stats
	watch *watch

	back  bool       // against the order of the query, for a page before a cursor
	first bool       // from one end of the range, not from a position
	start model.Item // the key after which the next request reads; nil for the beginning
	done  bool       // nothing is left to ask for
	sent  int32      // the limit of the last request
	spent int        // items evaluated
}

// open makes a reader that begins at cursor, "" for the beginning. Where it
// fails the hooks have been told.
func (s *spec) open(ctx context.Context, db Client, op, cursor string) (*reader, error) {
	r := &reader{op: op, ctx: ctx, db: db, stats: s.report, first: true}
	if r.stats == nil {
		r.stats = new(Stats)
	}
	*r.stats = Stats{}
	r.watch = observe(ctx, db, r.stats, func() Event { return s.event(op) })
	err := func() (err error) {
		if err := checkClient(db); err != nil {
			return s.wrap(op, err)
		}
		if r.plan, err = s.plan(ctx); err != nil {
			return err
		}
		if cursor != "" {
			if err := r.seek(cursor); err != nil {
				return s.wrap(op, err)
			}
		}
		r.done = r.never
		return nil
	}()
	if err != nil {
		r.watch.end(err)
	}
	return r, err
}

func (s *spec) event(op string) Event {
	e := Event{Op: op, Entity: s.entity, Pattern: s.pattern()}
	if s.table != nil {
		e.Table, e.Index = s.table.Name(), s.schema.name()
	}
	return e
}

// exhausted reports whether the query may evaluate nothing more.
func (r *reader) exhausted() bool {
	return r.maxEvaluated > 0 && r.spent >= r.maxEvaluated
}

// next sends one request. want is the number of items that are still wanted, 0
// or less
// for all of them.
func (r *reader) next(want int) ([]model.Item, error) {
	if r.exhausted() {
		next, err := r.cursor(onward, r.start)
		if err == nil {
			err = &MaxEvaluatedError{Evaluated: r.spent, Next: next}
		}
		return nil, r.wrap(r.op, err)
	}
	if err := r.ctx.Err(); err != nil {
		return nil, r.wrap(r.op, err)
	}
	r.sent = r.pageSizeFor(want)
	out, err := r.db.Query(r.ctx, r.input(r.start, r.sent, r.desc != r.back))
	if err != nil {
		return nil, r.wrap(r.op, err)
	}
	if out == nil {
		return nil, r.wrap(r.op, ErrResponse)
	}
	evaluated := max(int(out.ScannedCount), len(out.Items))
	r.spent += evaluated
	r.start = out.LastEvaluatedKey
	r.done = len(out.LastEvaluatedKey) == 0

	r.stats.Requests++
	r.stats.Evaluated += evaluated
	r.stats.consumed(out.ConsumedCapacity)
	return out.Items, nil
}

// pageSizeFor is the DynamoDB limit of the next request: the page size where
// one is set, 0 (up to 1 MB) where all is wanted. Otherwise it begins with what
// is wanted and doubles with every request, so that items which are filtered or
// skipped cost a few requests more, never one each.
func (r *reader) pageSizeFor(want int) int32 {
	size := math.MaxInt32
	switch {
	case r.pageSize > 0:
		size = r.pageSize
	case want > 0 && r.sent > 0:
		size = max(want, 2*int(min(r.sent, math.MaxInt32/2)))
	case want > 0 && r.filter != nil:
		size = max(want, filteredLeast)
	case want > 0:
		size = want
	}
	if r.maxEvaluated > 0 {
		size = min(size, r.maxEvaluated-r.spent)
	}
	if size == math.MaxInt32 {
		return 0
	}
	return int32(size)
}
