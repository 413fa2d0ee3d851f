package txn_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/dynamotest"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/txn"
)

type WorkOrder struct {
	RegionID string `dynamodbav:"-" key:"regionId"`
	Status   string `dynamodbav:"-" key:"status"`
	OrderID  string `dynamodbav:"-" key:"orderId"`
	Customer string `dynamodbav:"customer"`
	Visits   int    `dynamodbav:"visits"`
	Version  int64  `dynamodbav:"version" model:"version"`
	Write    string `dynamodbav:"write" model:"write"`
}

var (
	Region = keys.MustCompile1("REGION#<regionId>", keys.String)
	Status = keys.MustCompile2("STATUS#<status>#<orderId>", keys.String, keys.String)

	FieldService = model.NewTable("field-service", model.PrimaryKey("pk", "sk"))
	WorkOrders   = model.MustDefine[WorkOrder](FieldService, "WorkOrder", Region, Status)
)

// openTable gives a client of a DynamoDB in this process that has the table.
func openTable() *dynamodb.Client {
	db := dynamotest.NewEngine().Client()
	if _, err := db.CreateTable(context.Background(), FieldService.CreateInput()); err != nil {
		panic(err)
	}
	return db
}

func ExampleCommit() {
	ctx, db := context.Background(), openTable()
	a := WorkOrder{RegionID: "eu", Status: "OPEN", OrderID: "w-1", Customer: "Ann"}
	b := WorkOrder{RegionID: "eu", Status: "OPEN", OrderID: "w-2", Customer: "Bob"}
	if err := txn.Commit(ctx, db, txn.Create(WorkOrders, &a), txn.Create(WorkOrders, &b)); err != nil {
		fmt.Println(err)
	}
	fmt.Println("version", a.Version)

	// All or nothing: the second action fails, so the first is not applied.
	c := WorkOrder{RegionID: "eu", Status: "OPEN", OrderID: "w-3", Customer: "Cem"}
	again := WorkOrder{RegionID: "eu", Status: "OPEN", OrderID: "w-1", Customer: "Zoe"}
	err := txn.Commit(ctx, db, txn.Create(WorkOrders, &c), txn.Create(WorkOrders, &again))
	fmt.Println(err)
	var e *txn.Error
	if errors.As(err, &e) && errors.Is(err, txn.ErrExists) {
		there, _ := WorkOrders.Unmarshal(e.Actions[0].Item)
		fmt.Println("there is one of", there.Customer)
	}
	// Output:
	// version 1
	// txn: action 1 (create WorkOrder pk="REGION#eu" sk="STATUS#OPEN#w-1"): item exists already
	// there is one of Ann
}

func ExampleMove() {
	ctx, db := context.Background(), openTable()
	open := WorkOrder{RegionID: "eu", Status: "OPEN", OrderID: "w-1", Customer: "Ann"}
	if err := txn.Commit(ctx, db, txn.Create(WorkOrders, &open)); err != nil {
		fmt.Println(err)
	}
	done := open
	done.Status = "DONE"
	fmt.Println(txn.Commit(ctx, db, txn.Move(WorkOrders, &open, &done)), "version", done.Version)

	// It is not there any more.
	err := txn.Commit(ctx, db, txn.Move(WorkOrders, &open, &done))
	fmt.Println(errors.Is(err, txn.ErrNotFound), errors.Is(err, txn.ErrExists))
	// Output:
	// <nil> version 2
	// true true
}

func ExampleModify() {
	ctx, db := context.Background(), openTable()
	o := WorkOrder{RegionID: "eu", Status: "OPEN", OrderID: "w-1", Customer: "Ann"}
	if err := txn.Commit(ctx, db, txn.Create(WorkOrders, &o)); err != nil {
		fmt.Println(err)
	}
	key := WorkOrders.Key(Region.Key("eu"), Status.Key("OPEN", "w-1"))
	closed, err := txn.Modify(ctx, db, key, func(o *WorkOrder) error {
		o.Visits++
		o.Status = "DONE" // part of the key: the item is moved
		return nil
	})
	fmt.Println(closed.Status, closed.Visits, closed.Version, err)
	// Output: DONE 1 2 <nil>
}

func ExampleUpdate() {
	ctx, db := context.Background(), openTable()
	key := WorkOrders.Key(Region.Key("eu"), Status.Key("OPEN", "w-1"))
	visit := txn.Update(key, txn.Set("customer", "Ann"), txn.Add("visits", 1))
	fmt.Println(txn.Commit(ctx, db, visit)) // an update never makes an item

	o := WorkOrder{RegionID: "eu", Status: "OPEN", OrderID: "w-1"}
	atMost := expression.Name("visits").LessThan(expression.Value(1))
	fmt.Println(txn.Commit(ctx, db, txn.Create(WorkOrders, &o)))
	fmt.Println(txn.Commit(ctx, db, visit.If(atMost)))
	fmt.Println(errors.Is(txn.Commit(ctx, db, visit.If(atMost)), txn.ErrCondition))
	// Output:
	// txn: action 0 (update WorkOrder pk="REGION#eu" sk="STATUS#OPEN#w-1"): no such item
	// <nil>
	// <nil>
	// true
}

func ExampleOptions_Commit() {
	ctx, db := context.Background(), openTable()
	o := WorkOrder{RegionID: "eu", Status: "OPEN", OrderID: "w-1"}
	res, err := txn.Options{Idempotent: true}.Commit(ctx, db, txn.Create(WorkOrders, &o))
	fmt.Println(res.Attempts, res.WriteUnits(), res.Token != "", err)
	// Output: 1 2 true <nil>
}

func ExampleBatch() {
	ctx, db := context.Background(), openTable()
	var actions []txn.Action
	for i := range 60 {
		o := &WorkOrder{RegionID: "eu", Status: "OPEN", OrderID: fmt.Sprintf("w-%02d", i)}
		actions = append(actions, txn.Overwrite(WorkOrders, o))
	}
	left, res, err := txn.Options{}.Batch(ctx, db, actions...)
	fmt.Println(len(left), res.Attempts, res.WriteUnits(), err)
	// Output: 0 3 60 <nil>
}

// Ten lines tell a logger, a counter or a tracer of every write.
func ExampleObserve() {
	ctx := context.Background()
	db := txn.Observe(openTable(), func(_ context.Context, e txn.Event) {
		for _, a := range e.Actions {
			fmt.Println(e.Op, a.Op, a.Entity, a.Pattern)
		}
		fmt.Println(e.Result.WriteUnits(), "units,", e.Err)
	})
	o := WorkOrder{RegionID: "eu", Status: "OPEN", OrderID: "w-1"}
	if err := txn.Commit(ctx, db, txn.Create(WorkOrders, &o)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Commit create WorkOrder REGION#<regionId> STATUS#<status>#<orderId>
	// 1 units, <nil>
}
