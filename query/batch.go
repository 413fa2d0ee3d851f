package query

import (
	"context"
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

const (
	batchSize = 100 // keys of one BatchGetItem, by its API reference

	// The waits before something is asked again: a random part of a time that
	// doubles, and after how many answers that brought nothing to give up.
	firstWait = 50 * time.Millisecond
	mostWait  = 5 * time.Second
	patience  = 10
)

// sleep waits, or returns the error of the context. Tests replace it.
var sleep = func(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// pause waits before attempt n, from 1, is made again.
func pause(ctx context.Context, n int) error {
	most := min(firstWait<<min(n-1, 20), mostWait)
	return sleep(ctx, rand.N(most)+1)
}

// GetMany reads many items by their keys, in batches. The answer has a value for
// every key, in the order of the keys: nil where nothing is there, or where what
// is there has expired. A key that is given twice is read once and answered at
// both positions, with values of their own. The keys may be of several entities
// and tables. No keys are answered without a request.
//
// A batch is no snapshot: each item is read on its own. [GetAll] reads one.
//
// What DynamoDB leaves unread for lack of capacity, or because an answer has
// 16 MB, is asked for again after a random wait that grows, until the context ends
// it; ten answers in a row that bring nothing end it with an [*UnprocessedError].
//
// An item that is of another entity or cannot be decoded is nil in the answer,
// and the error joins an [*ItemError] for each; see [ItemErrors]. With any other
// error the answer is nil: a [*KeyError] for a key that is not valid,
// [ErrNoClient], the error of the context, or that of a request; each in an
// [*Error].
func GetMany[T any](ctx context.Context, db Client, keys []model.Key[T], opts ...Option) ([]*T, error) {
	return getList(ctx, db, "GetMany", keys, opts, fetch)
}

// getList reads the items of keys with fetch and decodes them.
func getList[T any](ctx context.Context, db Client, op string, keys []model.Key[T], opts []Option, fetch fetcher) (list []*T, err error) {
	o := choose(opts)
	var first *model.Entity[T]
	if len(keys) > 0 {
		first = keys[0].Entity()
	}
	w := observe(ctx, db, o.report, func() Event { return keyEvent(op, first) })
	defer func() { w.end(err) }()
	fail := func(err error) ([]*T, error) {
		e := &Error{Op: op, Err: err}
		if first != nil {
			e.Table, e.Entity = first.Table().Name(), first.Name()
		}
		return nil, e
	}

	if err := checkClient(db); err != nil {
		return fail(err)
	}
	addresses := make([]address, len(keys))
	for i, key := range keys {
		if err := key.Err(); err != nil {
			return fail(&KeyError{Position: i, Err: err})
		}
		addresses[i] = at(ctx, key.Entity().Table(), key.Item())
	}
	items, err := fetch(ctx, db, addresses, o)
	if err != nil {
		return fail(err)
	}
	list = make([]*T, len(keys))
	var refused []error
	for i, item := range items {
		if item == nil {
			continue
		}
		v := new(T)
		switch there, err := decodeAt(keys[i], item, o.report, v); {
		case err != nil:
			refused = append(refused, err)
		case there:
			list[i] = v
		}
	}
	return list, errors.Join(refused...)
}

// address is where an item is.
type address struct {
	table  string // as DynamoDB knows it
	pk, sk string // the names of the key attributes, sk is "" where there is none
	key    model.Item
}

// at gives the address of an item with this key, which may hold more than the key.
func at(ctx context.Context, t *model.Table, item model.Item) address {
	a := address{table: t.PhysicalName(ctx), pk: t.PartitionKey(), sk: t.SortKey()}
	a.key = model.Item{a.pk: item[a.pk]}
	if a.sk != "" {
		a.key[a.sk] = item[a.sk]
	}
	return a
}

// place is an address as a value that can be compared.
type place struct{ table, pk, sk string }

func (a address) place() place { return a.of(a.key) }

// of is the place of an item of the same table.
func (a address) of(item model.Item) place {
	p := place{table: a.table, pk: identity(item[a.pk])}
	if a.sk != "" {
		p.sk = identity(item[a.sk])
	}
	return p
}

// identity writes the value of a key attribute so that equal ones are equal
// texts.
func identity(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return "S" + v.Value
	case *types.AttributeValueMemberN:
		return "N" + numberText(v.Value)
	case *types.AttributeValueMemberB:
		return "B" + base64.StdEncoding.EncodeToString(v.Value)
	}
	return ""
}

// fetcher reads what is at addresses: an item for each, nil where there is none.
type fetcher func(context.Context, Client, []address, options) ([]model.Item, error)

// fetch reads in batches.
func fetch(ctx context.Context, db Client, want []address, o options) ([]model.Item, error) {
	found := make(map[place]model.Item, len(want))
	pending := distinct(want)
	for idle := 0; len(pending) > 0; {
		if idle == patience {
			return nil, &UnprocessedError{Keys: len(pending)}
		}
		if idle > 0 {
			if err := pause(ctx, idle); err != nil {
				return nil, err
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := min(batchSize, len(pending))
		chunk, rest := pending[:n], pending[n:]
		out, err := db.BatchGetItem(ctx, batchInput(chunk, o))
		if err != nil {
			return nil, err
		}
		if out == nil {
			return nil, ErrResponse
		}
		o.report.Requests++
		for i := range out.ConsumedCapacity {
			o.report.consumed(&out.ConsumedCapacity[i])
		}
		table := map[string]address{}
		for _, a := range chunk {
			table[a.table] = a
		}
		for name, items := range out.Responses {
			for _, item := range items {
				found[table[name].of(item)] = item
				o.report.Evaluated++
			}
		}
		unread := map[place]bool{}
		for name, k := range out.UnprocessedKeys {
			for _, key := range k.Keys {
				unread[table[name].of(key)] = true
			}
		}
		var again []address
		for _, a := range chunk {
			if unread[a.place()] {
				again = append(again, a)
			}
		}
		switch len(again) {
		case 0:
			idle = 0
		case n:
			idle++
		default:
			idle = 1
		}
		pending = append(again, rest...)
	}
	return spread(want, found), nil
}

// spread gives each address its item. One that is wanted again gets a copy, so
// that values which hold attribute values as they are do not share them.
func spread(want []address, found map[place]model.Item) []model.Item {
	items := make([]model.Item, len(want))
	given := make(map[place]bool, len(found))
	for i, a := range want {
		p := a.place()
		if items[i] = found[p]; given[p] {
			items[i] = model.CloneItem(items[i])
		}
		given[p] = true
	}
	return items
}

// distinct leaves out addresses that came before.
func distinct(list []address) []address {
	seen := make(map[place]bool, len(list))
	var kept []address
	for _, a := range list {
		if p := a.place(); !seen[p] {
			seen[p] = true
			kept = append(kept, a)
		}
	}
	return kept
}

func batchInput(chunk []address, o options) *dynamodb.BatchGetItemInput {
	tables := map[string]types.KeysAndAttributes{}
	for _, a := range chunk {
		k := tables[a.table]
		k.Keys = append(k.Keys, a.key)
		if o.consistent {
			k.ConsistentRead = &o.consistent
		}
		tables[a.table] = k
	}
	return &dynamodb.BatchGetItemInput{RequestItems: tables, ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes}
}
