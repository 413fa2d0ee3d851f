package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/examples/internal/show"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
	"github.com/singletable-go/singletable/txn"
)

// tables are the tables of the story.
var tables = []*model.Table{Table, SparseTable}

// The week that the dispatcher looks at.
var (
	monday   = keys.Date{Year: 2026, Month: time.January, Day: 26}
	saturday = keys.Date{Year: 2026, Month: time.January, Day: 31}
)

// story tells what the table does, on paper.
type story struct {
	db       *dynamodb.Client
	out      io.Writer
	measured func(int) string // how a number is shown that differs from run to run
}

func (s story) tell(ctx context.Context) error {
	orders, err := load(ctx, s.db)
	if err != nil {
		return err
	}
	s.say("%d work orders of 2 regions in one table, without an index:", len(orders))
	s.say("  pk %s", Region)
	s.say("  sk %s", Order)
	for _, chapter := range []func(context.Context) error{
		s.listAll, s.listOpen, s.listBetween, s.getOne, s.closeOne, s.closeWhileListing, s.costs, s.compare,
	} {
		s.say("")
		if err := chapter(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s story) say(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

// traced is the client that prints what it sends.
func (s story) traced() show.Client { return show.Client{Client: s.db, Out: s.out} }

// list runs a query and prints its request, its rows and what it cost.
func (s story) list(ctx context.Context, q query.Query[WorkOrder]) error {
	var stats query.Stats
	orders, err := q.Report(&stats).Collect(ctx, s.traced())
	if err != nil {
		return err
	}
	printOrders(s.out, orders...)
	s.say("   %d orders, %s read units", len(orders), show.Units(stats.Capacity))
	return nil
}

func (s story) listAll(ctx context.Context) error {
	s.say("1. The orders of eu-west, grouped by status, in date order within each")
	return s.list(ctx, All("eu-west"))
}

func (s story) listOpen(ctx context.Context) error {
	s.say("2. The open orders of eu-north alone")
	return s.list(ctx, AllOpen("eu-north"))
}

func (s story) listBetween(ctx context.Context) error {
	s.say("3. The open orders of eu-west from %s to %s, the last day included", monday, saturday)
	if err := s.list(ctx, OpenBetween("eu-west", monday, saturday)); err != nil {
		return err
	}
	s.say("")
	s.say("   What BETWEEN <from> AND <to> would have returned: the keys go on with #<orderId>,")
	s.say("   so that those of %s are above the bound.", saturday)
	return s.naive(ctx, monday, saturday)
}

// naive sends the range that is written by hand everywhere.
func (s story) naive(ctx context.Context, from, to keys.Date) error {
	out, err := s.traced().Query(ctx, &dynamodb.QueryInput{
		TableName:              aws.String(Table.PhysicalName(ctx)),
		KeyConditionExpression: aws.String("pk = :pk AND sk BETWEEN :from AND :to"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":pk":   &types.AttributeValueMemberS{Value: "REGION#eu-west"},
			":from": &types.AttributeValueMemberS{Value: "STATUS#OPEN#" + from.String()},
			":to":   &types.AttributeValueMemberS{Value: "STATUS#OPEN#" + to.String()},
		},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return err
	}
	var orders []WorkOrder
	for _, item := range out.Items {
		o, err := Orders.Unmarshal(item)
		if err != nil {
			return err
		}
		orders = append(orders, o)
	}
	printOrders(s.out, orders...)
	s.say("   %d orders, %s read units, and none of %s", len(orders), show.Units(aws.ToFloat64(out.ConsumedCapacity.CapacityUnits)), to)
	return nil
}

func (s story) getOne(ctx context.Context) error {
	s.say("4. One order by its full key")
	var stats query.Stats
	o, err := Get(ctx, s.traced(), "eu-west", Open, saturday, "w-2314", query.Report(&stats))
	if err != nil {
		return err
	}
	printOrders(s.out, o)
	s.say("   %s read units", show.Units(stats.Capacity))
	return nil
}

func (s story) closeOne(ctx context.Context) error {
	s.say("5. Closing w-2314: its status is in its key, so it is moved")
	if err := s.board(ctx, "before"); err != nil {
		return err
	}
	o, err := Get(ctx, s.db, "eu-west", Open, saturday, "w-2314")
	if err != nil {
		return err
	}
	_, res, err := Close(ctx, s.traced(), o)
	if err != nil {
		return err
	}
	if err := s.board(ctx, "after"); err != nil {
		return err
	}
	s.say("   %s write units", show.Units(res.WriteUnits()))

	s.say("")
	s.say("   Closing it again, from a screen that was not refreshed:")
	if _, _, err := Close(ctx, s.db, o); errors.Is(err, ErrNotOpen) {
		s.say("   %v", err)
	} else {
		return fmt.Errorf("closing w-2314 twice: %v, want %v", err, ErrNotOpen)
	}

	s.say("")
	s.say("   Closing w-2315 from two screens at once:")
	if o, err = Get(ctx, s.db, "eu-west", Open, saturday, "w-2315"); err != nil {
		return err
	}
	errs := make([]error, 2)
	var both sync.WaitGroup
	for i := range errs {
		both.Go(func() { _, _, errs[i] = Close(ctx, s.db, o) })
	}
	both.Wait()
	if errs[0] != nil {
		errs[0], errs[1] = errs[1], errs[0]
	}
	if errs[0] != nil || !errors.Is(errs[1], ErrNotOpen) {
		return fmt.Errorf("closing w-2315 twice at once: %v and %v, want one nil and one %v", errs[0], errs[1], ErrNotOpen)
	}
	s.say("   one: closed")
	s.say("   the other: %v", errs[1])
	return nil
}

// board prints the lists of a region in short.
func (s story) board(ctx context.Context, title string) error {
	orders, err := All("eu-west").Collect(ctx, s.db)
	if err != nil {
		return err
	}
	printIDs(s.out, title, orders)
	return nil
}

func (s story) costs(ctx context.Context) error {
	s.say("7. What closing an order costs, in write units")
	var cost [3]float64

	o, err := Get(ctx, s.db, "eu-west", Open, saturday, "w-2318")
	if err != nil {
		return err
	}
	_, res, err := Close(ctx, s.db, o)
	if err != nil {
		return err
	}
	cost[0] = res.WriteUnits()

	day := keys.Date{Year: 2026, Month: time.January, Day: 30}
	if o, err = Get(ctx, s.db, "eu-west", Open, day, "w-2313"); err != nil {
		return err
	}
	closed := o
	closed.Status = Done
	for _, action := range []txn.Action{txn.Delete(Orders, &o), txn.Create(Orders, &closed)} {
		res, err := txn.Options{}.Commit(ctx, s.db, action)
		if err != nil {
			return err
		}
		cost[1] += res.WriteUnits()
	}

	key, err := Orders.KeyOf(&closed)
	if err != nil {
		return err
	}
	if res, err = (txn.Options{}).Commit(ctx, s.db, txn.Update(key, txn.Set("engineer", "Sanne"))); err != nil {
		return err
	}
	cost[2] = res.WriteUnits()

	show.Table(s.out, [][]string{
		{"WAY", "UNITS", "A READER MAY FIND"},
		{"move: a put and a delete in one transaction", show.Units(cost[0]), "the order, once"},
		{"a delete and a put, one after the other", show.Units(cost[1]), "no order, for ever if the program dies in between"},
		{"an update in place, were the status not in the key", show.Units(cost[2]), "the order, but no list of the open ones"},
	})
	return nil
}
