package model_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/internal/race"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// job is a WorkOrder that attributevalue can read, too, so that the two are
// compared on the same page: its key parts are stored beside the key.
type job struct {
	RegionID    string    `dynamodbav:"regionId"`
	Status      string    `dynamodbav:"status"`
	ScheduledOn string    `dynamodbav:"scheduledOn"`
	OrderID     string    `dynamodbav:"orderId"`
	Customer    string    `dynamodbav:"customer"`
	Engineer    string    `dynamodbav:"engineer,omitempty"`
	Minutes     int       `dynamodbav:"minutes"`
	ScheduledAt time.Time `dynamodbav:"scheduledAt,unixtime"`
	Tags        []string  `dynamodbav:"tags,stringset"`
	Lines       []line    `dynamodbav:"lines"`
	Version     int64     `dynamodbav:"version" model:"version"`
}

type line struct {
	Article string `dynamodbav:"article"`
	Count   int    `dynamodbav:"count"`
}

var jobKey = keys.MustCompile3("STATUS#<status>#<scheduledOn>#<orderId>", keys.String, keys.String, keys.String)

// page is a page of n items, as DynamoDB answers, of both shapes.
func page(tb testing.TB, n int) (orders *model.Entity[WorkOrder], orderItems []model.Item, jobs *model.Entity[job], jobItems []model.Item) {
	tb.Helper()
	_, orders, _ = fieldService()
	jobs = model.MustDefine[job](model.NewTable("jobs", model.PrimaryKey("pk", "sk")), "Job", Region, jobKey)
	for i := range n {
		o := anOrder()
		o.OrderID = fmt.Sprintf("w-%d", i)
		item, err := orders.Marshal(&o)
		if err != nil {
			tb.Fatal(err)
		}
		orderItems = append(orderItems, item)
		j := job{RegionID: o.RegionID, Status: "OPEN", ScheduledOn: "2026-01-31", OrderID: o.OrderID, Customer: o.Customer,
			Engineer: o.Engineer, Minutes: i, ScheduledAt: o.ScheduledAt, Tags: []string{"gas", "urgent"}, Lines: []line{{"pump", 1}}, Version: 1}
		if item, err = jobs.Marshal(&j); err != nil {
			tb.Fatal(err)
		}
		jobItems = append(jobItems, item)
	}
	return orders, orderItems, jobs, jobItems
}

func unmarshalPage[T any](tb testing.TB, e *model.Entity[T], items []model.Item) []T {
	out := make([]T, len(items))
	for i, item := range items {
		if err := e.UnmarshalInto(item, &out[i]); err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

func TestKeyOfAllocations(t *testing.T) {
	race.SkipAllocs(t)
	_, orders, _ := fieldService()
	o := anOrder()
	if n := testing.AllocsPerRun(200, func() {
		if _, err := orders.KeyOf(&o); err != nil {
			t.Fatal(err)
		}
	}); n > 2 {
		t.Errorf("KeyOf: %v allocations, want one for each text", n)
	}
}

// A page of 100 items costs at most a tenth more than attributevalue alone.
func TestUnmarshalAllocations(t *testing.T) {
	race.SkipAllocs(t)
	orders, orderItems, jobs, jobItems := page(t, 100)
	theirs := func(items []model.Item, out func() any) float64 {
		return testing.AllocsPerRun(20, func() {
			if err := attributevalue.UnmarshalListOfMaps(items, out()); err != nil {
				t.Fatal(err)
			}
		})
	}
	if ours, theirs := testing.AllocsPerRun(20, func() { unmarshalPage(t, orders, orderItems) }),
		theirs(orderItems, func() any { return new([]WorkOrder) }); ours > theirs*1.1 {
		t.Errorf("a page of what lives in the key: %v allocations, attributevalue %v", ours, theirs)
	}
	if ours, theirs := testing.AllocsPerRun(20, func() { unmarshalPage(t, jobs, jobItems) }),
		theirs(jobItems, func() any { return new([]job) }); ours > theirs*1.1 {
		t.Errorf("a page of what is stored as well: %v allocations, attributevalue %v", ours, theirs)
	}
}

func BenchmarkKeyOf(b *testing.B) {
	_, orders, _ := fieldService()
	o := anOrder()
	b.Run("model", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := orders.KeyOf(&o); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			pk := "REGION#" + o.RegionID
			sk := "STATUS#" + string(o.Status) + "#" + o.ScheduledOn.String() + "#" + o.OrderID
			if len(pk)+len(sk) == 0 {
				b.Fatal()
			}
		}
	})
	b.Run("Sprintf", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			pk := fmt.Sprintf("REGION#%s", o.RegionID)
			sk := fmt.Sprintf("STATUS#%s#%s#%s", o.Status, o.ScheduledOn, o.OrderID)
			if len(pk)+len(sk) == 0 {
				b.Fatal()
			}
		}
	})
}

func BenchmarkUnmarshalPage(b *testing.B) {
	orders, orderItems, jobs, jobItems := page(b, 100)
	b.Run("model", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			unmarshalPage(b, jobs, jobItems)
		}
	})
	b.Run("model, parts in the key alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			unmarshalPage(b, orders, orderItems)
		}
	})
	b.Run("attributevalue", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var out []job
			if err := attributevalue.UnmarshalListOfMaps(jobItems, &out); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			out := make([]WorkOrder, len(orderItems))
			for i, item := range orderItems {
				o := &out[i]
				o.RegionID = item["pk"].(*types.AttributeValueMemberS).Value[len("REGION#"):]
				parts := strings.Split(item["sk"].(*types.AttributeValueMemberS).Value, "#")
				o.Status, o.OrderID = Status(parts[1]), parts[3]
				day, err := keys.ParseDate(parts[2])
				if err != nil {
					b.Fatal(err)
				}
				o.ScheduledOn = day
				if err := attributevalue.UnmarshalMap(item, o); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

func BenchmarkMarshal(b *testing.B) {
	_, _, jobs, jobItems := page(b, 1)
	j, err := jobs.Unmarshal(jobItems[0])
	if err != nil {
		b.Fatal(err)
	}
	b.Run("model", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := jobs.Marshal(&j); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("attributevalue", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := attributevalue.MarshalMap(&j); err != nil {
				b.Fatal(err)
			}
		}
	})
}
