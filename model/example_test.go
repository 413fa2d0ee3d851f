package model_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

func Example() {
	table := model.NewTable("field-service", model.PrimaryKey("pk", "sk"))
	orders := model.MustDefine[WorkOrder](table, "WorkOrder", Region, Order)

	o := WorkOrder{
		RegionID: "eu-west", Status: Open, ScheduledOn: keys.Date{Year: 2026, Month: time.January, Day: 31}, OrderID: "w-2314",
		Customer: "Brouwerij De Ster", ScheduledAt: time.Unix(1769850000, 0),
	}
	item, err := orders.Marshal(&o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(renderItem(item))

	back, err := orders.Unmarshal(item)
	fmt.Println(back.Status, back.ScheduledOn, back.OrderID, err)

	o.OrderID = ""
	_, err = orders.Marshal(&o)
	fmt.Println(errors.Is(err, keys.ErrEmpty), err)
	// Output:
	// _type          S "WorkOrder"
	// customer       S "Brouwerij De Ster"
	// pk             S "REGION#eu-west"
	// scheduledAt    N 1769850000
	// sk             S "STATUS#OPEN#2026-01-31#w-2314"
	// version        N 0
	// OPEN 2026-01-31 w-2314 <nil>
	// true model: entity "WorkOrder": placeholder <orderId>: field OrderID: keys: STATUS#<status>#<scheduledOn>#<orderId>: <orderId> "": no value
}

func ExampleComputed() {
	type Event struct {
		ID   string `dynamodbav:"-" key:"id"`
		Text string `dynamodbav:"text"`
	}
	shard := func(e *Event) uint64 {
		h := fnv.New32a()
		_, _ = h.Write([]byte(e.ID))
		return uint64(h.Sum32() % 10)
	}
	table := model.NewTable("events", model.PrimaryKey("pk", "sk"))
	events := model.MustDefine[Event](table, "Event",
		keys.MustCompile1("SHARD#<shard>", keys.Uint(1)), keys.MustCompile1("EVENT#<id>", keys.String),
		model.Computed("shard", shard, "id"))

	key, err := events.KeyOf(&Event{ID: "e-7"})
	fmt.Println(key, err)
	// Output: Event(SHARD#2, EVENT#e-7) <nil>
}

// An index over the open orders alone: an order that is done is not in it.
func ExampleOnly() {
	type Ticket struct {
		ID   string    `dynamodbav:"-" key:"id"`
		Open bool      `dynamodbav:"open"`
		Due  keys.Date `dynamodbav:"due,omitempty"`
	}
	byDue := model.GSI("byDue", model.IndexKey("gsi1pk", "gsi1sk"))
	table := model.NewTable("tickets", model.PrimaryKey("pk"), byDue)
	id := keys.MustCompile1("TICKET#<id>", keys.String)
	tickets := model.MustDefine[Ticket](table, "Ticket", id, nil,
		model.On(byDue, keys.Literal("OPEN"), keys.MustCompile2("<due>#<id>", keys.Day, keys.String),
			model.Only(func(t *Ticket) bool { return t.Open }, "open")))

	for _, t := range []Ticket{{ID: "1", Open: true, Due: day}, {ID: "2", Due: day}, {ID: "3", Open: true}} {
		item, err := tickets.Marshal(&t)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(t.ID, item["gsi1pk"] != nil, item["gsi1sk"] != nil)
	}

	// An update of one attribute: what follows for the index?
	key := tickets.Key(id.Key("1"))
	closed, err := tickets.Derive(key, model.Item{"open": no()}, nil)
	fmt.Println("close:", closed.Remove, err)
	opened, err := tickets.Derive(key, model.Item{"open": yes()}, nil)
	fmt.Println("open: missing", opened.Missing[0].Attribute, err)
	// Output:
	// 1 true true
	// 2 false false
	// 3 false false
	// close: [gsi1pk gsi1sk] <nil>
	// open: missing due <nil>
}

func ExampleViewOf() {
	type Line struct {
		ID       string `dynamodbav:"-" key:"orderId"`
		Customer string `dynamodbav:"customer"`
	}
	table := model.NewTable("field-service", model.PrimaryKey("pk", "sk"))
	orders := model.MustDefine[WorkOrder](table, "WorkOrder", Region, Order)
	lines, err := model.ViewOf[Line](orders)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(lines.Attributes())

	_, err = model.ViewOf[struct {
		Costumer string `dynamodbav:"costumer"`
	}](orders)
	fmt.Println(err)
	// Output:
	// [_type customer pk sk]
	// model: entity "WorkOrder": field Costumer: cannot be declared so: "costumer" is no attribute and no placeholder of the entity
}

func ExampleDefine_mistake() {
	type Order struct {
		Region string `dynamodbav:"-" key:"regionId"`
		Number int64  `dynamodbav:"-" key:"orderId"`
	}
	table := model.NewTable("orders", model.PrimaryKey("pk", "sk"))
	_, err := model.Define[Order](table, "Order", Region, keys.MustCompile1("ORDER#<orderId>", keys.String))
	var e *model.EntityError
	fmt.Println(errors.As(err, &e), e.Entity, e.Placeholder, e.Field)
	// Output: true Order orderId Number
}
