package query_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/singletable-go/singletable/internal/dbtest"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

// engine gives an empty table of the field service on a DynamoDB.
func engine(t *testing.T) *dynamodb.Client {
	client := dbtest.Client(t)
	name := dbtest.UniqueName(t)
	onEngine.Store(&name)
	t.Cleanup(func() { onEngine.Store(nil) })
	dbtest.Create(t, client, Service)
	return client
}

// write puts items, or deletes them.
func write(t interface{ Fatal(...any) }, client *dynamodb.Client, list []model.Item, del bool) {
	name := Service.PhysicalName(context.Background())
	for len(list) > 0 {
		var some []types.WriteRequest
		for _, item := range list[:min(25, len(list))] {
			if del {
				some = append(some, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: model.Item{"pk": item["pk"], "sk": item["sk"]}}})
			} else {
				some = append(some, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
			}
		}
		list = list[len(some):]
		out, err := client.BatchWriteItem(context.Background(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{name: some}})
		if err != nil || len(out.UnprocessedItems) > 0 {
			t.Fatal(err, out)
		}
	}
}

// A DynamoDB, asked anything that a query can ask, answers as a plain filter and
// sort does.
func TestPropertiesOnEngine(t *testing.T) {
	client := engine(t)
	rapid.Check(t, func(t *rapid.T) {
		orders, all := drawTable(t)
		list := marshal(t, all)
		write(t, client, list, false)
		defer write(t, client, list, true)
		for range 3 {
			checkQuestion(t, client, orders, drawQuestion(t))
		}
	})
}

func TestOnEngine(t *testing.T) {
	client := engine(t)
	ctx := t.Context()
	want := order(31, "w-1") // the last day, which a bound without the id loses
	write(t, client, append(items(t, want, order(31, "😀"), note(want, 1), expired(order(2, "old")), Profile{RegionID: "eu-west", Name: "West"}), stranger("STATUS#OPEN#x")), false)

	var stats query.Stats
	got, err := query.Get(ctx, client, Orders.Key(eu, Order.Key(Open, day(1, 31), "w-1")), query.Consistent(), query.Report(&stats))
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Get: %v (-want +got):\n%s", err, diff)
	}
	if stats.Requests != 1 || stats.Capacity != 1 {
		t.Errorf("stats of a consistent Get: %+v, want one unit", stats)
	}
	list, err := query.Of(Orders, eu).Where(Order.At(Open).Between(day(1, 1), day(1, 31))).Report(&stats).Collect(ctx, client)
	if diff := cmp.Diff([]string{"w-1", "😀"}, ids(list)); diff != "" || err != nil {
		t.Errorf("Collect: %v (-want +got):\n%s", err, diff)
	}
	if stats.Skipped != 1 || stats.Expired != 1 || stats.Evaluated != 4 || stats.Capacity != 0.5 {
		t.Errorf("stats %+v", stats)
	}
	if _, err := open.Collect(ctx, client); !errors.Is(err, query.ErrUndeclared) {
		t.Errorf("Collect = %v, want ErrUndeclared", err)
	}
	filtered := query.Of(Orders, eu).Where(Order.At(Open).Between(day(1, 1), day(1, 31))).
		Filter(expression.Name("customer").Equal(expression.Value("Ann"))).
		Filter(expression.Name("visits").In(expression.Value(31), expression.Value(30)))
	summaries, err := query.Into[Summary](filtered).Collect(ctx, client)
	if diff := cmp.Diff([]Summary{{"w-1", "Ann"}, {"😀", "Ann"}}, summaries); diff != "" || err != nil {
		t.Errorf("Into: %v (-want +got):\n%s", err, diff)
	}
	if err := query.CheckTable(ctx, client, Service); err != nil {
		t.Errorf("CheckTable = %v", err)
	}
	var e *model.CheckError
	if err := query.CheckTable(ctx, client, model.NewTable(Service.PhysicalName(ctx), model.PrimaryKey("pk"))); !errors.As(err, &e) {
		t.Errorf("CheckTable of another model = %v, want a *CheckError", err)
	}
	var gone *types.ResourceNotFoundException
	if err := query.CheckTable(ctx, client, model.NewTable("no-such-table", model.PrimaryKey("pk"))); !errors.As(err, &gone) {
		t.Errorf("CheckTable of a missing table = %v, want the service's error", err)
	}
}
