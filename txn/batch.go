package txn

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// MaxBatch is the number of actions that the service takes in one batch request.
// [Batch] takes any number and sends as many requests as it needs.
const MaxBatch = 25

// Batch writes any number of items, 25 a request, each on its own: there is no
// transaction, and no condition. It is for loading, copying and clearing, at the
// price of plain writes and fewer round trips.
//
// It takes the actions that demand nothing of what is at their key: [Overwrite],
// [Put] and [Delete] on an entity without a version, and [DeleteKey], which here
// does not demand that the item exists. Any other action, and one with a
// condition, is refused with [ErrInvalid] before anything is sent. So are two
// actions on one item, with [ErrSameItem] and their positions, whatever requests
// they would go into.
//
// What DynamoDB leaves unprocessed, and a request that fails for a reason that
// passes, is sent again with jittered exponential backoff, under the context, as
// long as the [Options.Attempts] last requests did not all come to nothing.
//
// Batch returns the actions that were not written, as they were and in the
// caller's order; it is empty exactly when err is nil. They can be given to Batch
// again. Where the answer of a request was lost its actions are among them, may
// have been written all the same, and the error is an [ErrInDoubt]. Values get
// their new stamps as they are written.
func Batch(ctx context.Context, db Client, actions ...Action) ([]Action, error) {
	left, _, err := Options{}.Batch(ctx, db, actions...)
	return left, err
}

// Batch is [Batch] with options and with a result, which is the sum of all
// requests. Idempotent has no effect: writing an item twice leaves it as once.
func (o Options) Batch(ctx context.Context, db Client, actions ...Action) (left []Action, res Result, err error) {
	if noClient(db) {
		return actions, res, &Error{Err: invalidf("nil client")}
	}
	if tell := observe(ctx, db, "Batch"); tell != nil {
		err = errPanicked // until there is a result
		defer func() { tell(res, err, describe(actions)) }()
	}
	return o.batch(ctx, db, actions)
}

func (o Options) batch(ctx context.Context, db Client, actions []Action) (left []Action, res Result, err error) {
	writes, err := batchWrites(ctx, actions)
	if err != nil {
		return actions, res, err
	}
	b := batch{left: writes, o: o}
	err = b.send(ctx, db)
	res = Result{Attempts: b.tries.sent, Capacity: b.capacity}
	if err == nil {
		return nil, res, nil
	}
	// b.left is in the order of sending; the caller gets its own.
	isLeft := make(map[int]bool, len(b.left))
	for _, w := range b.left {
		isLeft[w.index] = true
	}
	for i, a := range actions {
		if isLeft[i] {
			left = append(left, a)
		}
	}
	return left, res, err
}

// batchWrites makes the writes of the actions, and refuses what a batch cannot do.
func batchWrites(ctx context.Context, actions []Action) ([]*write, error) {
	p := &plan{}
	var failed []ActionError
	for i, a := range actions {
		if a.maker == nil {
			failed = append(failed, ActionError{Index: i, Err: invalidf("zero Action")})
			continue
		}
		d := a.maker.describe()
		writes, done, err := a.maker.make(ctx, a.conds, true)
		if err == nil {
			err = unconditional(a, d, writes)
		}
		if err != nil {
			failed = append(failed, ActionError{Index: i, Op: d.Op, Entity: d.Entity, Err: err})
			continue
		}
		w := writes[0]
		w.index, w.op, w.entity, w.done = i, d.Op, d.Entity, done
		p.writes = append(p.writes, w)
	}
	if failed = append(failed, p.sameItems()...); len(failed) > 0 {
		return nil, &Error{Actions: failed}
	}
	return p.writes, nil
}

// unconditional refuses an action that demands more of the item at its key than
// that it is there, or changes only a part of it.
func unconditional(a Action, d EventAction, writes []*write) error {
	w := writes[0]
	switch {
	case len(a.conds) > 0:
		return invalidf("a batch takes no conditions")
	case len(writes) > 1 || w.kind == updateKind || w.kind == checkKind,
		w.kind == putKind && w.cond != "",
		w.kind == deleteKind && w.expect.versAttr != "":
		return invalidf("%s of %s depends on what is there, a batch cannot", d.Op, d.Entity)
	}
	return nil
}

// batch is a batch under way.
type batch struct {
	o        Options
	left     []*write // in the order of sending
	tries    attempts
	capacity []types.ConsumedCapacity
}

// send sends requests until nothing is left.
func (b *batch) send(ctx context.Context, db Client) error {
	for idle := 0; len(b.left) > 0; {
		if err := ctx.Err(); err != nil {
			return b.failed(err)
		}
		chunk := b.left[:min(MaxBatch, len(b.left))]
		spent := b.tries.spent()
		unprocessed, err := b.request(ctx, db, chunk)
		switch {
		case err != nil && (!passes(err) || ctx.Err() != nil):
			return b.failed(err)
		case err != nil:
			idle += b.tries.spent() - spent
		case len(unprocessed) == len(chunk):
			idle++
		default:
			idle = 0
		}
		if err == nil {
			b.left = append(unprocessed, b.left[len(chunk):]...)
			if len(unprocessed) == 0 {
				continue
			}
		}
		if idle >= b.o.attempts() {
			if err == nil {
				err = ErrThrottled // that is what unprocessed means
			}
			return b.failed(err)
		}
		if waited := wait(ctx, b.o.backoff(idle+1)); waited != nil {
			if err != nil {
				waited = fmt.Errorf("%w, after %w", waited, err)
			}
			return b.failed(waited)
		}
	}
	return nil
}

func (b *batch) failed(err error) error {
	e := &Error{Attempts: b.tries.sent}
	for _, w := range b.left {
		e.InDoubt = e.InDoubt || w.lost
	}
	e.Err = fmt.Errorf("batch: %d actions left: %w", len(b.left), named(err))
	return e
}

// request sends one chunk and returns what of it was not processed.
func (b *batch) request(ctx context.Context, db Client, chunk []*write) ([]*write, error) {
	items := map[string][]types.WriteRequest{}
	for _, w := range chunk {
		items[w.table] = append(items[w.table], w.batchRequest())
	}
	var out *dynamodb.BatchWriteItemOutput
	b.tries.lost = false
	err := b.tries.call(func(option func(*dynamodb.Options)) (err error) {
		out, err = db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
			RequestItems:           items,
			ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
		}, option)
		return err
	})
	if err == nil && out == nil {
		err = errors.New("no output")
	}
	for _, w := range chunk {
		w.lost = w.lost || b.tries.lost
	}
	if err != nil {
		return nil, err
	}
	b.capacity = append(b.capacity, out.ConsumedCapacity...)
	unprocessed := make([]*write, 0, len(chunk))
	for _, w := range chunk {
		if w.isAmong(out.UnprocessedItems[w.table]) {
			unprocessed = append(unprocessed, w)
		} else if w.done != nil {
			w.done()
		}
	}
	return unprocessed, nil
}

func (w *write) batchRequest() types.WriteRequest {
	if w.kind == putKind {
		return types.WriteRequest{PutRequest: &types.PutRequest{Item: w.item}}
	}
	return types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: w.key}}
}

// isAmong finds the write among requests on its table, by its key.
func (w *write) isAmong(requests []types.WriteRequest) bool {
	for _, r := range requests {
		var item model.Item
		switch {
		case r.PutRequest != nil:
			item = r.PutRequest.Item
		case r.DeleteRequest != nil:
			item = r.DeleteRequest.Key
		}
		same := len(item) > 0
		for name, v := range w.key {
			same = same && sameValue(v, item[name])
		}
		if same {
			return true
		}
	}
	return false
}
