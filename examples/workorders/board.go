package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/examples/internal/show"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
	"github.com/singletable-go/singletable/txn"
)

const (
	closings = 100 // orders that are closed while the board lists
	boards   = 2   // boards that list
)

func (s story) closeWhileListing(ctx context.Context) error {
	s.say("6. A board keeps listing a region while %d of its orders are closed", closings)
	rows := [][]string{
		{"CLOSED BY", "LISTINGS", "ORDER IN NONE", "ORDER IN TWO", "PAIR READS", "FOUND NONE", "FOUND TWO"},
	}
	for i, w := range ways {
		listings, pairs, err := watch(ctx, s.db, fmt.Sprintf("eu-south-%d", i+1), w.close)
		if err != nil {
			return err
		}
		row := []string{w.name}
		for _, n := range []*atomic.Int64{&listings.made, &listings.none, &listings.two, &pairs.made, &pairs.none, &pairs.two} {
			row = append(row, s.measured(int(n.Load())))
		}
		if w.atomic { // what is certain is not shown as measured, but checked
			row[5], row[6] = fmt.Sprint(pairs.none.Load()), fmt.Sprint(pairs.two.Load())
		}
		rows = append(rows, row)
	}
	show.Table(s.out, rows)
	s.say("   A listing is one Query. DynamoDB makes it no snapshot: it is read-committed, so that one which runs")
	s.say("   at the very moment of a move may show the order twice or not at all. The next one is right, and no")
	s.say("   failure can make it last. Between two separate writes every listing is wrong, and stays so where the")
	s.say("   program dies. A pair read is a TransactGetItems of both keys, which never sees half a move.")
	return nil
}

type closer func(ctx context.Context, db txn.Client, o, closed *WorkOrder) error

// ways are those of closing an order.
var ways = []struct {
	name   string
	atomic bool
	close  closer
}{
	{"a delete, then a put", false, func(ctx context.Context, db txn.Client, o, closed *WorkOrder) error {
		if err := txn.Commit(ctx, db, txn.Delete(Orders, o)); err != nil {
			return err
		}
		return txn.Commit(ctx, db, txn.Overwrite(Orders, closed))
	}},
	{"a put, then a delete", false, func(ctx context.Context, db txn.Client, o, closed *WorkOrder) error {
		if err := txn.Commit(ctx, db, txn.Overwrite(Orders, closed)); err != nil {
			return err
		}
		return txn.Commit(ctx, db, txn.Delete(Orders, o))
	}},
	{"a move", true, func(ctx context.Context, db txn.Client, o, closed *WorkOrder) error {
		return txn.Commit(ctx, db, txn.Move(Orders, o, closed))
	}},
}

// sightings counts what readers saw.
type sightings struct{ made, none, two atomic.Int64 }

func (s *sightings) count(none, two bool) {
	s.made.Add(1)
	if none {
		s.none.Add(1)
	}
	if two {
		s.two.Add(1)
	}
}

// watch opens orders in a region and closes them one by one, while boards list
// the region and read both keys of the order that is being closed.
func watch(ctx context.Context, db *dynamodb.Client, region string, way closer) (listings, pairs *sightings, err error) {
	orders := make([]WorkOrder, closings)
	for i := range orders {
		orders[i] = WorkOrder{RegionID: region, Status: Open, ScheduledOn: saturday,
			OrderID: fmt.Sprintf("w-%d", 4000+i), Customer: "Hotel Aan Zee", Task: "Smoke detector"}
		if err := txn.Commit(ctx, db, txn.Create(Orders, &orders[i])); err != nil {
			return nil, nil, err
		}
	}

	listings, pairs = new(sightings), new(sightings)
	watching, stop := context.WithCancelCause(ctx)
	var current atomic.Pointer[WorkOrder] // the order that is being closed
	current.Store(&orders[0])
	var readers sync.WaitGroup
	for range boards {
		readers.Go(func() {
			for watching.Err() == nil {
				if err := listings.list(watching, db, region); err != nil {
					stop(err)
				}
				if err := pairs.readBoth(watching, db, current.Load()); err != nil {
					stop(err)
				}
			}
		})
	}
	allClosed := errors.New("all are closed")
	for i := range orders {
		current.Store(&orders[i])
		closed := orders[i]
		closed.Status = Done
		if err := way(watching, db, &orders[i], &closed); err != nil {
			stop(err)
		}
	}
	stop(allClosed)
	readers.Wait()
	if err := context.Cause(watching); err != allClosed {
		return nil, nil, err
	}
	return listings, pairs, nil
}

// list lists a region as a board does, and counts whether an order was missing
// or stood there twice.
func (s *sightings) list(ctx context.Context, db *dynamodb.Client, region string) error {
	times, two := make(map[string]int, closings), false
	for o, err := range All(region).All(ctx, db) {
		if err != nil {
			return err
		}
		times[o.OrderID]++
		two = two || times[o.OrderID] > 1
	}
	s.count(len(times) < closings, two)
	return nil
}

// readBoth reads both keys that an order can have, in one transaction, and counts
// whether it was at neither or at both.
func (s *sightings) readBoth(ctx context.Context, db *dynamodb.Client, o *WorkOrder) error {
	region := Region.Key(o.RegionID)
	found, err := query.GetAll(ctx, db, []model.Key[WorkOrder]{
		Orders.Key(region, Order.Key(Open, o.ScheduledOn, o.OrderID)),
		Orders.Key(region, Order.Key(Done, o.ScheduledOn, o.OrderID)),
	})
	if err != nil {
		return err
	}
	open, done := found[0] != nil, found[1] != nil
	s.count(!open && !done, open && done)
	return nil
}
