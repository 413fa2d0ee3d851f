package main

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/examples/internal/show"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
	"github.com/singletable-go/singletable/txn"
)

// SparseOrder is a WorkOrder in the other design: its key is its id and says nothing
// else about it, so that the rest are attributes that can change in place.
type SparseOrder struct {
	RegionID    string    `dynamodbav:"regionId"`
	Status      Status    `dynamodbav:"status"`
	ScheduledOn keys.Date `dynamodbav:"scheduledOn"`
	OrderID     string    `dynamodbav:"-" key:"orderId"`

	Customer string `dynamodbav:"customer"`
	Task     string `dynamodbav:"task"`
	Engineer string `dynamodbav:"engineer,omitempty"`

	Version int64 `dynamodbav:"version" model:"version"`
}

// The list of the open orders of a region is an index that only open orders are in.
var (
	OrderID   = keys.MustCompile1("ORDER#<orderId>", keys.String)
	OpenOrder = keys.MustCompile2("<scheduledOn>#<orderId>", keys.Day, keys.String)
	OrderSort = keys.Literal("ORDER")
	ByRegion  = model.GSI("openByRegion", model.IndexKey("openpk", "opensk"))

	SparseTable = model.NewTable("field-service-sparse",
		model.PrimaryKey("pk", "sk"), model.NameFunc(sparseTableName), ByRegion)
	SparseOrders = model.MustDefine[SparseOrder](SparseTable, "WorkOrder", OrderID, OrderSort,
		model.On(ByRegion, Region, OpenOrder,
			model.Only(func(o *SparseOrder) bool { return o.Status == Open }, "status")))
)

func sparseTableName(ctx context.Context) string {
	if name := tableName(ctx); name != "" {
		return name + "-sparse"
	}
	return ""
}

// A design is how one of the two does the work of a day.
type design struct {
	name                  string
	open, postpone, close func(ctx context.Context, db txn.Client, o *WorkOrder) error
	list                  func(ctx context.Context, db query.Client) (int, error)
}

const east = "eu-east" // the region of the day

var statusInKey = design{
	name: "STATUS IN THE KEY",
	open: func(ctx context.Context, db txn.Client, o *WorkOrder) error {
		return txn.Commit(ctx, db, txn.Create(Orders, o))
	},
	postpone: func(ctx context.Context, db txn.Client, o *WorkOrder) error {
		later := *o
		later.ScheduledOn = o.ScheduledOn.AddDays(1)
		return txn.Commit(ctx, db, txn.Move(Orders, o, &later))
	},
	close: func(ctx context.Context, db txn.Client, o *WorkOrder) error {
		_, _, err := Close(ctx, db, *o)
		return err
	},
	list: func(ctx context.Context, db query.Client) (int, error) {
		return AllOpen(east).Count(ctx, db)
	},
}

var sparseIndex = design{
	name: "SURROGATE, SPARSE INDEX",
	open: func(ctx context.Context, db txn.Client, o *WorkOrder) error {
		v := SparseOrder(*o)
		err := txn.Commit(ctx, db, txn.Create(SparseOrders, &v))
		*o = WorkOrder(v)
		return err
	},
	// An update where it is. The entry of the index follows by itself.
	postpone: func(ctx context.Context, db txn.Client, o *WorkOrder) error {
		v := SparseOrder(*o)
		v.ScheduledOn = o.ScheduledOn.AddDays(1)
		return txn.Commit(ctx, db, txn.Put(SparseOrders, &v))
	},
	// One update. The entry of the index goes by itself.
	close: func(ctx context.Context, db txn.Client, o *WorkOrder) error {
		return txn.Commit(ctx, db,
			txn.Update(SparseOrders.Key(OrderID.Key(o.OrderID), OrderSort.Key()), txn.Set("status", Done)).
				If(expression.Name("status").Equal(expression.Value(Open))))
	},
	list: func(ctx context.Context, db query.Client) (int, error) {
		return query.On(SparseOrders, ByRegion, Region.Key(east)).Count(ctx, db)
	},
}

// The work of a day: how many orders, and how often the open ones are listed.
const dayOpened, dayPostponed, dayClosed, dayListings = 12, 4, 8, 20

func (s story) compare(ctx context.Context) error {
	s.say("8. The same day's work in the other design, in units of the table + of the index")
	rows := [][]string{
		{"WORK"},
		{fmt.Sprintf("%d orders opened", dayOpened)},
		{fmt.Sprintf("%d moved to another day", dayPostponed)},
		{fmt.Sprintf("%d closed", dayClosed)},
		{"written in all"},
		{fmt.Sprintf("%d listings of the open orders, read", dayListings)},
	}
	for _, d := range []design{statusInKey, sparseIndex} {
		costs, err := d.day(ctx, s.db)
		if err != nil {
			return err
		}
		rows[0] = append(rows[0], d.name)
		for i, c := range costs {
			rows[i+1] = append(rows[i+1], c.String())
		}
	}
	show.Table(s.out, rows)
	s.say("   Choose the status in the key where every status is listed, or a list must be consistent: it is one copy of")
	s.say("   the data, and every list is in it. Choose the surrogate with a sparse index where orders change often and few")
	s.say("   are open: changes are cheaper, the key of an order never changes, and the list follows a moment later.")
	return nil
}

// cost is what work consumed.
type cost struct{ table, index float64 }

func (c cost) String() string {
	if c.index == 0 {
		return show.Units(c.table)
	}
	return show.Units(c.table) + " + " + show.Units(c.index)
}

// day does the work of a day, and gives what opening, moving, closing, all of that,
// and listing cost.
func (d design) day(ctx context.Context, db *dynamodb.Client) (costs [5]cost, err error) {
	const written, read = 3, 4
	var now *cost // what is being done
	ctx = txn.WithHook(ctx, func(_ context.Context, e txn.Event) {
		for _, c := range e.Result.Capacity {
			index := 0.0
			for _, i := range c.GlobalSecondaryIndexes {
				index += aws.ToFloat64(i.CapacityUnits)
			}
			for _, sum := range []*cost{now, &costs[written]} {
				sum.table += aws.ToFloat64(c.CapacityUnits) - index
				sum.index += index
			}
		}
	})
	ctx = query.WithHook(ctx, func(_ context.Context, e query.Event) {
		costs[read].table += e.Stats.TableCapacity
		costs[read].index += e.Stats.Capacity - e.Stats.TableCapacity
	})

	orders := make([]WorkOrder, dayOpened)
	for i := range orders {
		orders[i] = WorkOrder{RegionID: east, Status: Open, ScheduledOn: monday.AddDays(i % 5),
			OrderID: fmt.Sprintf("w-%d", 5000+i), Customer: "Hotel Aan Zee", Task: "Smoke detector"}
	}
	for i, step := range []struct {
		orders []WorkOrder
		do     func(context.Context, txn.Client, *WorkOrder) error
	}{
		{orders, d.open},
		{orders[:dayPostponed], d.postpone},
		{orders[dayOpened-dayClosed:], d.close},
	} {
		now = &costs[i]
		for j := range step.orders {
			if err := step.do(ctx, db, &step.orders[j]); err != nil {
				return costs, err
			}
		}
	}
	for range dayListings {
		n, err := d.list(ctx, db)
		if err != nil {
			return costs, err
		}
		if n != dayOpened-dayClosed {
			return costs, fmt.Errorf("%d orders are listed as open, want %d", n, dayOpened-dayClosed)
		}
	}
	return costs, nil
}
