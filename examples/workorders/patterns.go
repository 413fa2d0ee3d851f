package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/query"
	"github.com/singletable-go/singletable/txn"
)

// The access patterns. Each is one request.

// All is every order of a region, grouped by status, in date order within each.
func All(region string) query.Query[WorkOrder] {
	return query.Of(Orders, Region.Key(region)).Where(Order.All())
}

// AllOpen is the open orders of a region, in date order.
func AllOpen(region string) query.Query[WorkOrder] {
	return query.Of(Orders, Region.Key(region)).Where(Order.At(Open).All())
}

// OpenBetween is the open orders of a region from one day to another, both days
// included.
func OpenBetween(region string, from, to keys.Date) query.Query[WorkOrder] {
	return query.Of(Orders, Region.Key(region)).Where(Order.At(Open).Between(from, to))
}

// Get is one order by its full key.
func Get(ctx context.Context, db query.Client, region string, status Status, day keys.Date, id string, opts ...query.Option) (WorkOrder, error) {
	return query.Get(ctx, db, Orders.Key(Region.Key(region), Order.Key(status, day, id)), opts...)
}

// ErrNotOpen: the order is not open, or not any more.
var ErrNotOpen = errors.New("not open any more")

// Close closes an order that was read as open. The status is part of the key, so
// the order is moved: a put at the new key and a delete at the old one, in one
// transaction, on condition that nobody has changed or moved it since. Who comes
// too late is told ErrNotOpen.
func Close(ctx context.Context, db txn.Client, o WorkOrder) (WorkOrder, txn.Result, error) {
	closed := o
	closed.Status = Done
	res, err := txn.Options{}.Commit(ctx, db, txn.Move(Orders, &o, &closed))
	if errors.Is(err, txn.ErrNotFound) {
		err = fmt.Errorf("order %s: %w: %w", o.OrderID, ErrNotOpen, err)
	}
	return closed, res, err
}
