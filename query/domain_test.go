package query_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// The tests read a field service: work orders of a region, the notes written on
// an order (whose keys extend that of the order, so that they lie in its
// ranges), and a profile of the region.

type Status string

const (
	Open Status = "OPEN"
	Done Status = "DONE"
)

type WorkOrder struct {
	RegionID    string    `dynamodbav:"-" key:"regionId"`
	Status      Status    `dynamodbav:"-" key:"status"`
	ScheduledOn keys.Date `dynamodbav:"-" key:"scheduledOn"`
	OrderID     string    `dynamodbav:"-" key:"orderId"`
	Customer    string    `dynamodbav:"customer,omitempty"`
	Visits      int       `dynamodbav:"visits"`
	Until       time.Time `dynamodbav:"until,unixtime" model:"ttl"`
}

type Note struct {
	RegionID    string    `dynamodbav:"-" key:"regionId"`
	Status      Status    `dynamodbav:"-" key:"status"`
	ScheduledOn keys.Date `dynamodbav:"-" key:"scheduledOn"`
	OrderID     string    `dynamodbav:"-" key:"orderId"`
	N           int       `dynamodbav:"-" key:"n"`
	Text        string    `dynamodbav:"text"`
}

type Profile struct {
	RegionID string `dynamodbav:"-" key:"regionId"`
	Name     string `dynamodbav:"name"`
}

// Person lives in a table that has no sort key.
type Person struct {
	ID   string `dynamodbav:"-" key:"personId"`
	Name string `dynamodbav:"name"`
}

var (
	// The clock of the tables is ahead, so that no engine deletes what has expired.
	now = time.Date(2040, 1, 15, 12, 0, 0, 0, time.UTC)

	Region   = keys.MustCompile1("REGION#<regionId>", keys.String)
	Order    = keys.MustCompile3("STATUS#<status>#<scheduledOn>#<orderId>", keys.Enum(Open, Done), keys.Day, keys.String)
	NoteKey  = keys.MustCompile4("STATUS#<status>#<scheduledOn>#<orderId>#NOTE#<n>", keys.Enum(Open, Done), keys.Day, keys.String, keys.IntOf[int](4))
	PersonID = keys.MustCompile1("PERSON#<personId>", keys.String)

	Service  = model.NewTable("field-service", model.PrimaryKey("pk", "sk"), model.Clock(func() time.Time { return now }), model.NameFunc(engineName))
	Orders   = model.MustDefine[WorkOrder](Service, "WorkOrder", Region, Order)
	Notes    = model.MustDefine[Note](Service, "Note", Region, NoteKey)
	Profiles = model.MustDefine[Profile](Service, "Profile", Region, keys.Literal("PROFILE"))

	People  = model.NewTable("people", model.PrimaryKey("id"))
	Persons = model.MustDefine[Person](People, "Person", PersonID, nil)
)

// onEngine is the name of the table of a test that runs on an engine.
var onEngine atomic.Pointer[string]

func engineName(context.Context) string {
	if name := onEngine.Load(); name != nil {
		return *name
	}
	return "" // the declared name
}

var eu = Region.Key("eu-west")

func day(month time.Month, d int) keys.Date { return keys.Date{Year: 2026, Month: month, Day: d} }

// order is an open order of January in eu-west.
func order(d int, id string) WorkOrder {
	return WorkOrder{RegionID: "eu-west", Status: Open, ScheduledOn: day(1, d), OrderID: id, Customer: "Ann", Visits: d}
}

func expired(o WorkOrder) WorkOrder {
	o.Until = now.Add(-time.Hour)
	return o
}

func note(o WorkOrder, n int) Note {
	return Note{RegionID: o.RegionID, Status: o.Status, ScheduledOn: o.ScheduledOn, OrderID: o.OrderID, N: n, Text: "call first"}
}

// items marshals values of any of the entities. A model.Item is taken as it is.
func items(t testing.TB, values ...any) []model.Item {
	t.Helper()
	list, err := marshalAll(values)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func marshalAll(values []any) ([]model.Item, error) {
	list := make([]model.Item, len(values))
	for i, v := range values {
		var err error
		switch v := v.(type) {
		case WorkOrder:
			list[i], err = Orders.Marshal(&v)
		case Note:
			list[i], err = Notes.Marshal(&v)
		case Profile:
			list[i], err = Profiles.Marshal(&v)
		case Person:
			list[i], err = Persons.Marshal(&v)
		case model.Item:
			list[i] = v
		default:
			err = fmt.Errorf("no entity for a %T", v)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// stranger is an item of no declared entity.
func stranger(sk string) model.Item {
	return model.Item{
		"pk":    &types.AttributeValueMemberS{Value: eu.String()},
		"sk":    &types.AttributeValueMemberS{Value: sk},
		"_type": &types.AttributeValueMemberS{Value: "Invoice"},
	}
}

// broken is an order that cannot be decoded.
func broken(t testing.TB, o WorkOrder) model.Item {
	item := items(t, o)[0]
	item["visits"] = &types.AttributeValueMemberS{Value: "many"}
	return item
}

// ids are the ids of orders, in a row.
func ids(orders []WorkOrder) []string {
	var list []string
	for _, o := range orders {
		list = append(list, o.OrderID)
	}
	return list
}
