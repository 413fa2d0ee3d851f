package query

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

const transactSize = 100 // items of one TransactGetItems, by its API reference

// GetAll reads items by their keys as they were together at one moment: in one
// transaction, so that an item which is moved meanwhile is seen at exactly one of
// its two keys. It costs twice what a consistent [Get] of each does. The answer is
// that of [GetMany].
//
// A transaction reads at most 100 different items, or else a [*TooManyError] is
// returned and nothing is sent, and 4 MB, which DynamoDB refuses to exceed. One
// that is cancelled because a write was under way, or for lack of capacity alone, is
// sent again after a random wait that grows, ten times at most and until the
// context ends it; what is returned then is DynamoDB's own
// [*types.TransactionCanceledException]. The other errors are those of [GetMany].
// [Consistent] changes nothing: a transaction always is.
func GetAll[T any](ctx context.Context, db Client, keys []model.Key[T], opts ...Option) ([]*T, error) {
	return getList(ctx, db, "GetAll", keys, opts, transact)
}

// transact reads in one transaction.
func transact(ctx context.Context, db Client, want []address, o options) ([]model.Item, error) {
	once := distinct(want)
	if len(once) > transactSize {
		return nil, &TooManyError{Keys: len(once), Most: transactSize}
	}
	if len(once) == 0 {
		return nil, nil
	}
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out, err := db.TransactGetItems(ctx, transactInput(once))
		if err != nil {
			if attempt == patience || !passing(err) {
				return nil, err
			}
			if err := pause(ctx, attempt); err != nil {
				return nil, err
			}
			continue
		}
		if out == nil || len(out.Responses) != len(once) {
			return nil, ErrResponse
		}
		o.report.Requests++
		for i := range out.ConsumedCapacity {
			o.report.consumed(&out.ConsumedCapacity[i])
		}
		found := make(map[place]model.Item, len(once))
		for i, a := range once {
			if item := out.Responses[i].Item; len(item) > 0 {
				found[a.place()] = item
				o.report.Evaluated++
			}
		}
		return spread(want, found), nil
	}
}

// passing reports whether a transaction was cancelled for nothing that stays so.
func passing(err error) bool {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return false
	}
	passing := false
	for _, r := range cancelled.CancellationReasons {
		if r.Code == nil {
			continue
		}
		switch *r.Code {
		case "", "None":
		case "TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError":
			passing = true
		default:
			return false
		}
	}
	return passing
}

func transactInput(list []address) *dynamodb.TransactGetItemsInput {
	in := &dynamodb.TransactGetItemsInput{
		TransactItems:          make([]types.TransactGetItem, len(list)),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
	}
	for i := range list {
		a := list[i]
		in.TransactItems[i].Get = &types.Get{TableName: &a.table, Key: a.key}
	}
	return in
}
