package house_test

// This file is the code of the README's guide, so that it cannot rot: every Go
// block there stands here too, is compiled, and runs. TestReadme compares them.

import (
	"context"
	"errors"
	"fmt"
	"log"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/dynamotest"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
	"github.com/singletable-go/singletable/txn"
)

type Status string

const (
	Open Status = "OPEN"
	Done Status = "DONE"
)

type WorkOrder struct {
	RegionID    string    `dynamodbav:"-" key:"regionId"` // lives in the key alone
	Status      Status    `dynamodbav:"-" key:"status"`
	ScheduledOn keys.Date `dynamodbav:"-" key:"scheduledOn"`
	OrderID     string    `dynamodbav:"-" key:"orderId"`
	Customer    string    `dynamodbav:"customer"`
	Engineer    string    `dynamodbav:"engineer,omitempty"`
	ScheduledAt time.Time `dynamodbav:"scheduledAt,unixtime"`
	Visits      int       `dynamodbav:"visits"`
	Version     int64     `dynamodbav:"version" model:"version"`
	Updated     time.Time `dynamodbav:"updated" model:"updated"`
	WriteID     string    `dynamodbav:"writeId" model:"write"`
}

var (
	Region = keys.MustCompile1("REGION#<regionId>", keys.String)
	Order  = keys.MustCompile3("STATUS#<status>#<scheduledOn>#<orderId>", keys.Enum(Open, Done), keys.Day, keys.String)
	Table  = model.NewTable("field-service", model.PrimaryKey("pk", "sk"))
	Orders = model.MustDefine[WorkOrder](Table, "WorkOrder", Region, Order)
)

type Trip struct {
	TripID    string    `dynamodbav:"-" key:"tripId"` // a surrogate: everything else can change in place
	UserID    string    `dynamodbav:"userId"`
	Number    string    `dynamodbav:"number"`
	StartedAt time.Time `dynamodbav:"startedAt"`
	Km        int       `dynamodbav:"km"`
	Private   bool      `dynamodbav:"private"`
}

var (
	TripID    = keys.MustCompile1("TRIP#<tripId>", keys.String)
	Vehicle   = keys.MustCompile2("USER#<userId>#<number>", keys.String, keys.Fold(keys.String))
	TripOrder = keys.MustCompile2("<startedAt>#<tripId>", keys.Time(keys.Second), keys.String)

	ByVehicle = model.GSI("byVehicle", model.IndexKey("gsi1pk", "gsi1sk"))
	Mileage   = model.NewTable("mileage", model.PrimaryKey("pk", "sk"), ByVehicle)
	Trips     = model.MustDefine[Trip](Mileage, "Trip", TripID, keys.Literal("TRIP"),
		model.On(ByVehicle, Vehicle, TripOrder))
)

func trips(ctx context.Context, db *dynamodb.Client) ([]Trip, error) {
	march, err := query.On(Trips, ByVehicle, Vehicle.Key("u-1", "67-PK-KS")).
		Where(TripOrder.StartsWith("2026-03")).Desc().Collect(ctx, db)

	return march, err
}

func collection(ctx context.Context, db *dynamodb.Client) error {
	for item, err := range query.Collection(Table, Region.Key("eu-west")).All(ctx, db) {
		if err != nil {
			return err
		}
		switch v := item.(type) {
		case *WorkOrder:
			fmt.Println(v.OrderID)
		}
	}
	return nil
}

func opening(ctx context.Context, db *dynamodb.Client, monday, friday keys.Date, key model.Key[WorkOrder]) error {
	// The open orders of a region from monday to friday, friday included and nothing else.
	list, err := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).Between(monday, friday)).Collect(ctx, db)

	if err != nil {
		return err
	}
	fmt.Println(len(list))

	// Closing one changes its key: it is moved, in one transaction that leaves no gap.
	closed, err := txn.Modify(ctx, db, key, func(o *WorkOrder) error { o.Status = Done; return nil })

	fmt.Println(closed.Status)
	return err
}

func ranges(monday, friday keys.Date) []keys.Range {
	open := Order.At(Open) // a composite that is narrowed by one

	return []keys.Range{
		open.All(),                   // everything that is OPEN
		open.Between(monday, friday), // both days included
		open.Within(monday, friday),  // friday is not
		open.From(monday),            // and After, To, Before
		open.StartsWith("2026-01"),   // the days of a month
		open.At(monday).All(),        // one day
		Order.All(),                  // every status
	}
}

func reads(ctx context.Context, db *dynamodb.Client, day keys.Date, cursor string) error {
	key := Orders.Key(Region.Key("eu-west"), Order.Key(Open, day, "w-2314"))
	o, err := query.Get(ctx, db, key)
	if errors.Is(err, query.ErrNotFound) {
		log.Printf("no order at %v", key)
	}

	q := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).From(day))
	for o, err := range q.All(ctx, db) { // pages are fetched as the loop goes on
		if err != nil {
			return err
		}
		fmt.Println(o.OrderID, o.Customer)
	}

	var stats query.Stats
	page, err := q.Limit(10).Filter(expression.Name("engineer").Equal(expression.Value("Kim"))).
		Report(&stats).Page(ctx, db, cursor) // ten items that Kim has; page.Next is the next cursor

	_, _ = o, page
	return err
}

func writes(ctx context.Context, db *dynamodb.Client, o WorkOrder, key model.Key[WorkOrder]) error {
	err := txn.Commit(ctx, db, txn.Create(Orders, &o)) // one action: a plain conditional put
	if errors.Is(err, txn.ErrExists) {
		return err
	}

	err = txn.Commit(ctx, db, txn.Update(key, txn.Set("engineer", "Kim"), txn.Add("visits", 1)))
	if err != nil {
		return err
	}

	before, after := o, o
	after.Status = Done
	err = txn.Commit(ctx, db, txn.Move(Orders, &before, &after))

	return err
}

func modify(ctx context.Context, db *dynamodb.Client, key model.Key[WorkOrder]) error {
	closed, err := txn.Modify(ctx, db, key, func(o *WorkOrder) error {
		if o.Engineer == "" {
			return errors.New("nobody has been there")
		}
		o.Status = Done
		return nil
	})

	_ = closed
	return err
}

func TestOrders(t *testing.T) {
	db := dynamotest.New(t) // a *dynamodb.Client on a fresh DynamoDB in this process
	if _, err := db.CreateTable(t.Context(), Table.CreateInput()); err != nil {
		t.Fatal(err)
	}
	// … your code, with your db

	guide(t, db)
}

func production(ctx context.Context, db *dynamodb.Client) error {
	// At start-up: does the live table have the keys, indexes and time to live of the model?
	return query.CheckTable(ctx, db, Table)
}

// guide runs what the README shows.
func guide(t *testing.T, db *dynamodb.Client) {
	ctx := t.Context()
	monday := keys.Date{Year: 2026, Month: time.January, Day: 26}
	friday := monday.AddDays(4)
	o := WorkOrder{RegionID: "eu-west", Status: Open, ScheduledOn: friday, OrderID: "w-2314", Customer: "Hotel Aan Zee"}
	key, err := Orders.KeyOf(&o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range ranges(monday, friday) {
		if err := r.Err(); err != nil {
			t.Error(err)
		}
	}
	if err := writes(ctx, db, o, key); err == nil {
		t.Error("the move of a value that an update has overtaken should have failed")
	} else if !errors.Is(err, txn.ErrChanged) {
		t.Fatal(err)
	}
	if err := reads(ctx, db, friday, ""); err != nil {
		t.Fatal(err)
	}
	if err := modify(ctx, db, key); err != nil {
		t.Fatal(err)
	}
	if err := opening(ctx, db, monday, friday, key); !errors.Is(err, txn.ErrNotFound) {
		t.Fatalf("closing what is closed: %v, want ErrNotFound", err)
	}
	if err := production(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := collection(ctx, db); err != nil {
		t.Fatal(err)
	}

	if _, err := db.CreateTable(ctx, Mileage.CreateInput()); err != nil {
		t.Fatal(err)
	}
	trip := Trip{TripID: "t-1", UserID: "u-1", Number: "67-pk-ks", StartedAt: time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), Km: 42}
	if err := txn.Commit(ctx, db, txn.Create(Trips, &trip)); err != nil {
		t.Fatal(err)
	}
	if march, err := trips(ctx, db); err != nil || len(march) != 1 {
		t.Fatalf("trips of March: %v, %v; want the one", march, err)
	}
}
