package query_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/internal/race"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

// The request of a BETWEEN query costs at most 12 allocations beyond its key and
// its range.
func TestInputAllocs(t *testing.T) {
	race.SkipAllocs(t)
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

// Everything of these types is stored under its name as well, so that
// attributevalue reads all of it, too.
type Part struct {
	Shelf  string   `dynamodbav:"shelf"`
	ID     string   `dynamodbav:"id"`
	Name   string   `dynamodbav:"name"`
	Maker  string   `dynamodbav:"maker"`
	Count  int      `dynamodbav:"count"`
	Weight float64  `dynamodbav:"weight"`
	Tags   []string `dynamodbav:"tags"`
}

type Bin struct {
	Shelf string   `dynamodbav:"shelf"`
	ID    string   `dynamodbav:"id"`
	Sizes []int    `dynamodbav:"sizes"`
	Notes []string `dynamodbav:"notes"`
}

type Label struct {
	Shelf string            `dynamodbav:"shelf"`
	ID    string            `dynamodbav:"id"`
	Text  map[string]string `dynamodbav:"text"`
}

var (
	Shelf   = keys.MustCompile1("SHELF#<shelf>", keys.String)
	PartID  = keys.MustCompile1("PART#<id>", keys.String)
	Maker   = keys.MustCompile1("MAKER#<maker>", keys.String)
	ByMaker = model.GSI("byMaker", model.IndexKey("gsi1pk", "gsi1sk"))
	Store   = model.NewTable("store", model.PrimaryKey("pk", "sk"), ByMaker)
	Parts   = model.MustDefine[Part](Store, "Part", Shelf, PartID, model.On(ByMaker, Maker, PartID))
	Bins    = model.MustDefine[Bin](Store, "Bin", Shelf, keys.MustCompile1("BIN#<id>", keys.String))
	Labels  = model.MustDefine[Label](Store, "Label", Shelf, keys.MustCompile1("LABEL#<id>", keys.String))
)

// stock is n items of each kind as they come from DynamoDB.
func stock(t testing.TB, n int) (parts, bins, labels []model.Item) {
	add := func(list *[]model.Item, item model.Item, err error) {
		if err != nil {
			t.Fatal(err)
		}
		*list = append(*list, item)
	}
	for i := range n {
		id := fmt.Sprintf("%03d", i)
		item, err := Parts.Marshal(&Part{Shelf: "s-1", ID: id, Name: "Valve", Maker: "Acme", Count: i, Weight: 1.5, Tags: []string{"brass", "half inch"}})
		add(&parts, item, err)
		item, err = Bins.Marshal(&Bin{Shelf: "s-1", ID: id, Sizes: []int{1, 2, 3}, Notes: []string{"left", "low"}})
		add(&bins, item, err)
		item, err = Labels.Marshal(&Label{Shelf: "s-1", ID: id, Text: map[string]string{"en": "Valves", "nl": "Kleppen"}})
		add(&labels, item, err)
	}
	return parts, bins, labels
}

// canned answers every query with the same page.
type canned struct {
	query.Client
	out dynamodb.QueryOutput
}

func (c *canned) Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return &c.out, nil
}

// allocs holds what is read here against attributevalue: at most a tenth more.
func allocs(t *testing.T, ours, theirs func()) {
	t.Helper()
	race.SkipAllocs(t)
	a, b := testing.AllocsPerRun(50, ours), testing.AllocsPerRun(50, theirs)
	t.Logf("%v allocations, attributevalue alone %v", a, b)
	if a > 1.1*b {
		t.Errorf("%v allocations, want at most a tenth more than %v", a, b)
	}
}

func unmarshal[T any](t testing.TB, items []model.Item) {
	var list []T
	if err := attributevalue.UnmarshalListOfMaps(items, &list); err != nil || len(list) != len(items) {
		t.Fatal(len(list), err)
	}
}

func TestPageAllocs(t *testing.T) {
	parts, _, _ := stock(t, 100)
	db := &canned{out: dynamodb.QueryOutput{Items: parts, ScannedCount: 100}}
	for name, q := range map[string]query.Query[Part]{
		"table": query.Of(Parts, Shelf.Key("s-1")),
		"index": query.On(Parts, ByMaker, Maker.Key("Acme")),
	} {
		t.Run(name, func(t *testing.T) {
			allocs(t, func() {
				page, err := q.Page(t.Context(), db, "")
				if err != nil || len(page.Items) != 100 {
					t.Fatal(len(page.Items), err)
				}
			}, func() { unmarshal[Part](t, parts) })
		})
	}
}

func TestCollectionAllocs(t *testing.T) {
	parts, bins, labels := stock(t, 100)
	db := &canned{out: dynamodb.QueryOutput{Items: slices.Concat(bins, labels, parts), ScannedCount: 300}}
	q := query.Collection(Store, Shelf.Key("s-1"))
	allocs(t, func() {
		var p []Part
		var b []Bin
		var l []Label
		err := query.Gather(t.Context(), db, q, query.To(Parts, &p), query.To(Bins, &b), query.To(Labels, &l))
		if err != nil || len(p) != 100 || len(b) != 100 || len(l) != 100 {
			t.Fatal(len(p), len(b), len(l), err)
		}
	}, func() {
		unmarshal[Part](t, parts)
		unmarshal[Bin](t, bins)
		unmarshal[Label](t, labels)
	})
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
	parts, _, _ := stock(b, 100)
	db := &canned{out: dynamodb.QueryOutput{Items: parts, ScannedCount: 100}}
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
			unmarshal[Part](b, parts)
		}
	})
}
