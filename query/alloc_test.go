package query_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

// The request of a BETWEEN query costs at most 12 allocations beyond its key and
// its range.
func TestInputAllocs(t *testing.T) {
	ctx := t.Context()
	r := Order.At(Open).Between(day(1, 1), day(1, 31))
	got := testing.AllocsPerRun(200, func() {
		if _, err := query.Of(Orders, eu).Where(r).Limit(10).Input(ctx); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%v allocations", got)
	if got > 12 {
		t.Errorf("%v allocations, want at most 12", got)
	}
}

// stock is a page of items as it comes from DynamoDB. Everything of a Part is
// stored under its name as well, so that attributevalue reads all of it, too.
func stock(t testing.TB, n int) []model.Item {
	list := make([]model.Item, n)
	for i := range list {
		p := Part{Shelf: "s-1", ID: fmt.Sprintf("p-%03d", i), Name: "Valve", Maker: "Acme", Count: i, Weight: 1.5, Tags: []string{"brass", "half inch"}}
		var err error
		if list[i], err = Parts.Marshal(&p); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

type Part struct {
	Shelf  string   `dynamodbav:"shelf"`
	ID     string   `dynamodbav:"id"`
	Name   string   `dynamodbav:"name"`
	Maker  string   `dynamodbav:"maker"`
	Count  int      `dynamodbav:"count"`
	Weight float64  `dynamodbav:"weight"`
	Tags   []string `dynamodbav:"tags"`
}

var (
	Shelf  = keys.MustCompile1("SHELF#<shelf>", keys.String)
	PartID = keys.MustCompile1("PART#<id>", keys.String)
	Store  = model.NewTable("store", model.PrimaryKey("pk", "sk"))
	Parts  = model.MustDefine[Part](Store, "Part", Shelf, PartID)
)

// canned answers every query with the same page.
type canned struct {
	query.Client
	out dynamodb.QueryOutput
}

func (c *canned) Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return &c.out, nil
}

// A page of a hundred costs at most a tenth more than attributevalue takes for it.
func TestPageAllocs(t *testing.T) {
	list := stock(t, 100)
	db := &canned{out: dynamodb.QueryOutput{Items: list, ScannedCount: 100}}
	ctx := t.Context()
	q := query.Of(Parts, Shelf.Key("s-1"))
	ours := testing.AllocsPerRun(50, func() {
		page, err := q.Page(ctx, db, "")
		if err != nil || len(page.Items) != 100 {
			t.Fatal(len(page.Items), err)
		}
	})
	theirs := testing.AllocsPerRun(50, func() {
		var parts []Part
		if err := attributevalue.UnmarshalListOfMaps(list, &parts); err != nil || len(parts) != 100 {
			t.Fatal(len(parts), err)
		}
	})
	t.Logf("%v allocations, attributevalue alone %v", ours, theirs)
	if ours > 1.1*theirs {
		t.Errorf("%v allocations, want at most a tenth more than %v", ours, theirs)
	}
}

func BenchmarkInput(b *testing.B) {
	ctx := b.Context()
	from, to := day(1, 1), day(1, 31)
	b.Run("query", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).Between(from, to)).Input(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			table, condition := "field-service", "#pk = :pk AND #sk BETWEEN :lo AND :hi"
			sink = &dynamodb.QueryInput{
				TableName:                &table,
				KeyConditionExpression:   &condition,
				ExpressionAttributeNames: map[string]string{"#pk": "pk", "#sk": "sk"},
				ExpressionAttributeValues: map[string]types.AttributeValue{
					":pk": &types.AttributeValueMemberS{Value: "REGION#" + "eu-west"},
					":lo": &types.AttributeValueMemberS{Value: "STATUS#" + string(Open) + "#" + from.String() + "#"},
					":hi": &types.AttributeValueMemberS{Value: "STATUS#" + string(Open) + "#" + to.String() + "#\uffff"},
				},
			}
		}
	})
	b.Run("fmt.Sprintf", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			table, condition := "field-service", "#pk = :pk AND #sk BETWEEN :lo AND :hi"
			sink = &dynamodb.QueryInput{
				TableName:                &table,
				KeyConditionExpression:   &condition,
				ExpressionAttributeNames: map[string]string{"#pk": "pk", "#sk": "sk"},
				ExpressionAttributeValues: map[string]types.AttributeValue{
					":pk": &types.AttributeValueMemberS{Value: fmt.Sprintf("REGION#%s", "eu-west")},
					":lo": &types.AttributeValueMemberS{Value: fmt.Sprintf("STATUS#%s#%s#", Open, from)},
					":hi": &types.AttributeValueMemberS{Value: fmt.Sprintf("STATUS#%s#%s#\uffff", Open, to)},
				},
			}
		}
	})
	b.Run("expression", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e, err := expression.NewBuilder().WithKeyCondition(expression.KeyAnd(
				expression.Key("pk").Equal(expression.Value("REGION#eu-west")),
				expression.Key("sk").Between(expression.Value("STATUS#OPEN#"+from.String()+"#"), expression.Value("STATUS#OPEN#"+to.String()+"#\uffff")),
			)).Build()
			if err != nil {
				b.Fatal(err)
			}
			table := "field-service"
			sink = &dynamodb.QueryInput{
				TableName: &table, KeyConditionExpression: e.KeyCondition(),
				ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
			}
		}
	})
}

var sink *dynamodb.QueryInput

func BenchmarkPage(b *testing.B) {
	list := stock(b, 100)
	db := &canned{out: dynamodb.QueryOutput{Items: list, ScannedCount: 100}}
	b.Run("query", func(b *testing.B) {
		q := query.Of(Parts, Shelf.Key("s-1"))
		b.ReportAllocs()
		for b.Loop() {
			if page, err := q.Page(b.Context(), db, ""); err != nil || len(page.Items) != 100 {
				b.Fatal(len(page.Items), err)
			}
		}
	})
	b.Run("attributevalue", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var parts []Part
			if err := attributevalue.UnmarshalListOfMaps(list, &parts); err != nil || len(parts) != 100 {
				b.Fatal(len(parts), err)
			}
		}
	})
}
