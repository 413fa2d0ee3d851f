package query_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/dynamotest"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

func ExampleOf() {
	q := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).Between(day(1, 10), day(1, 31)))
	in, err := q.Input(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(*in.KeyConditionExpression)
	for _, alias := range []string{":pk", ":lo", ":hi"} {
		fmt.Printf("%s %+q\n", alias, in.ExpressionAttributeValues[alias].(*types.AttributeValueMemberS).Value)
	}
	// Output:
	// #pk = :pk AND #sk BETWEEN :lo AND :hi
	// :pk "REGION#eu-west"
	// :lo "STATUS#OPEN#2026-01-10#"
	// :hi "STATUS#OPEN#2026-01-31#\uffff"
}

func ExampleQuery_Err() {
	q := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).Between(day(2, 1), day(1, 1)))
	fmt.Println(errors.Is(q.Err(), keys.ErrRange))
	_, err := q.Collect(context.Background(), nil) // nothing is sent
	fmt.Println(err != nil)
	// Output:
	// true
	// true
}

func ExampleQuery_Filter() {
	q := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).All())
	busy := q.Filter(expression.Name("visits").GreaterThan(expression.Value(3)))
	fmt.Println(busy.Err())

	// What is in the key is asked of the key. DynamoDB refuses it in a filter.
	wrong := q.Filter(expression.Name("sk").BeginsWith("STATUS#OPEN#2026-01"))
	fmt.Println(wrong.Err())
	right := q.Where(Order.At(Open).StartsWith("2026-01"))
	fmt.Println(right.Err())
	// Output:
	// <nil>
	// query: Filter field-service WorkOrder: "sk": a filter may not name a key attribute of what is read
	// <nil>
}

func ExampleInto() {
	type Line struct {
		OrderID  string `dynamodbav:"-" key:"orderId"`
		Customer string `dynamodbav:"customer"`
	}
	lines := query.Into[Line](query.Of(Orders, Region.Key("eu-west")))
	in, err := lines.Input(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(in.ExpressionAttributeNames), "attributes are sent instead of all")
	// Output: 5 attributes are sent instead of all
}

// service is a DynamoDB in this process, with a table of four orders and a note.
func service() (db *dynamodb.Client, stop func()) {
	engine := dynamotest.NewEngine()
	db = engine.Client()
	ctx := context.Background()
	in := Service.CreateInput()
	if _, err := db.CreateTable(ctx, in); err != nil {
		panic(err)
	}
	list, err := marshalAll([]any{order(2, "w-12"), order(9, "w-14"), order(31, "w-17"), order(31, "w-19"), note(order(9, "w-14"), 1)})
	if err != nil {
		panic(err)
	}
	for _, item := range list {
		if _, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: in.TableName, Item: item}); err != nil {
			panic(err)
		}
	}
	return db, engine.Close
}

func ExampleGet() {
	db, stop := service()
	defer stop()
	ctx := context.Background()
	key := Orders.Key(Region.Key("eu-west"), Order.Key(Open, day(1, 9), "w-14"))
	o, err := query.Get(ctx, db, key, query.Consistent())
	fmt.Println(o.OrderID, o.ScheduledOn, err)

	key = Orders.Key(Region.Key("eu-west"), Order.Key(Done, day(1, 9), "w-14"))
	_, err = query.Get(ctx, db, key)
	fmt.Println(errors.Is(err, query.ErrNotFound))
	// Output:
	// w-14 2026-01-09 <nil>
	// true
}

func ExampleQuery_All() {
	db, stop := service()
	defer stop()
	var stats query.Stats
	q := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).Between(day(1, 5), day(1, 31))).Report(&stats)
	for o, err := range q.All(context.Background(), db) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(o.ScheduledOn, o.OrderID)
	}
	fmt.Println(stats.Returned, "returned,", stats.Skipped, "skipped,", stats.Capacity, "units")
	// Output:
	// 2026-01-09 w-14
	// 2026-01-31 w-17
	// 2026-01-31 w-19
	// 3 returned, 1 skipped, 0.5 units
}

func ExampleQuery_Page() {
	db, stop := service()
	defer stop()
	q := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).All()).Limit(3)
	show := func(cursor string) query.Page[WorkOrder] {
		page, err := q.Page(context.Background(), db, cursor)
		if err != nil {
			fmt.Println(err)
		}
		for _, o := range page.Items {
			fmt.Print(o.OrderID, " ")
		}
		fmt.Println("| prev:", page.Prev != "", "next:", page.Next != "")
		return page
	}
	page := show("")
	page = show(page.Next)
	show(page.Prev)
	// Output:
	// w-12 w-14 w-17 | prev: false next: true
	// w-19 | prev: true next: false
	// w-12 w-14 w-17 | prev: false next: true
}

func ExampleGetMany() {
	db, stop := service()
	defer stop()
	key := func(d int, id string) model.Key[WorkOrder] {
		return Orders.Key(Region.Key("eu-west"), Order.Key(Open, day(1, d), id))
	}
	found, err := query.GetMany(context.Background(), db, []model.Key[WorkOrder]{key(31, "w-19"), key(1, "w-0"), key(2, "w-12")})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, o := range found {
		if o == nil {
			fmt.Println(i, "is not there")
			continue
		}
		fmt.Println(i, o.OrderID)
	}
	// Output:
	// 0 w-19
	// 1 is not there
	// 2 w-12
}

func ExampleCollection() {
	db, stop := service()
	defer stop()
	tree := Order.Key(Open, day(1, 9), "w-14").Tree() // the order and what belongs to it
	for v, err := range query.Collection(Service, Region.Key("eu-west")).Where(tree).All(context.Background(), db) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch v := v.(type) {
		case *WorkOrder:
			fmt.Println("order", v.OrderID)
		case *Note:
			fmt.Println("note", v.N, v.Text)
		}
	}
	// Output:
	// order w-14
	// note 1 call first
}

func ExampleGather() {
	db, stop := service()
	defer stop()
	var orders []WorkOrder
	var notes []Note
	err := query.Gather(context.Background(), db, query.Collection(Service, Region.Key("eu-west")),
		query.To(Orders, &orders), query.To(Notes, &notes))
	fmt.Println(len(orders), "orders,", len(notes), "note,", err)
	// Output: 4 orders, 1 note, <nil>
}

func ExampleWithHook() {
	db, stop := service()
	defer stop()
	ctx := query.WithHook(context.Background(), func(_ context.Context, e query.Event) {
		fmt.Println(e.Op, e.Entity, e.Pattern, e.Stats.Capacity, e.Err)
	})
	if _, err := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).From(day(1, 5))).Collect(ctx, db); err != nil {
		fmt.Println(err)
	}
	// Output: Collect WorkOrder REGION#<regionId> STATUS#<status>#<scheduledOn>#<orderId> BETWEEN 0.5 <nil>
}
