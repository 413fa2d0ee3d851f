package query_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a request with testdata/query/<name>.json by what it means:
// aliases are replaced by the names and values that they stand for.
func golden(t *testing.T, name string, request any) {
	t.Helper()
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(request); err != nil {
		t.Fatal(err)
	}
	got := text.Bytes()
	path := filepath.Join("..", "testdata", "query", name+".json")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		t.Fatalf("no golden file: run go test ./query -update and look at what it writes")
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("request %s (-want +got):\n%s", name, diff)
	}
}

var alias = regexp.MustCompile(`[#:][A-Za-z0-9_]+`)

// meaning writes a QueryInput without aliases.
func meaning(t *testing.T, in *dynamodb.QueryInput) any {
	t.Helper()
	used := map[string]bool{}
	resolve := func(text *string) string {
		if text == nil {
			return ""
		}
		return alias.ReplaceAllStringFunc(*text, func(a string) string {
			used[a] = true
			if name, ok := in.ExpressionAttributeNames[a]; ok {
				return "`" + name + "`"
			}
			if v, ok := in.ExpressionAttributeValues[a]; ok {
				return plain(v)
			}
			t.Errorf("%q: %s stands for nothing", *text, a)
			return a
		})
	}
	out := struct {
		TableName              string
		KeyCondition           string
		Filter                 string            `json:",omitempty"`
		Projection             string            `json:",omitempty"`
		ScanIndexForward       *bool             `json:",omitempty"`
		ConsistentRead         *bool             `json:",omitempty"`
		Limit                  *int32            `json:",omitempty"`
		ExclusiveStartKey      map[string]string `json:",omitempty"`
		Select                 string            `json:",omitempty"`
		ReturnConsumedCapacity string
	}{
		TableName:              *in.TableName,
		KeyCondition:           resolve(in.KeyConditionExpression),
		Filter:                 resolve(in.FilterExpression),
		Projection:             resolve(in.ProjectionExpression),
		ScanIndexForward:       clone(in.ScanIndexForward),
		ConsistentRead:         clone(in.ConsistentRead),
		Limit:                  clone(in.Limit),
		Select:                 string(in.Select),
		ReturnConsumedCapacity: string(in.ReturnConsumedCapacity),
	}
	for name, v := range in.ExclusiveStartKey {
		if out.ExclusiveStartKey == nil {
			out.ExclusiveStartKey = map[string]string{}
		}
		out.ExclusiveStartKey[name] = plain(v)
	}
	for a := range in.ExpressionAttributeNames {
		if !used[a] {
			t.Errorf("name %s is not used", a)
		}
	}
	for a := range in.ExpressionAttributeValues {
		if !used[a] {
			t.Errorf("value %s is not used", a)
		}
	}
	return out
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

func plain(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return fmt.Sprintf("%+q", v.Value)
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberBOOL:
		return fmt.Sprint(v.Value)
	}
	return fmt.Sprintf("%T", v)
}

type Summary struct {
	OrderID  string `dynamodbav:"-" key:"orderId"`
	Customer string `dynamodbav:"customer"`
}

func TestRequests(t *testing.T) {
	from, to := day(1, 10), day(1, 31)
	orders := query.Of(Orders, eu)
	january := orders.Where(Order.At(Open).Between(from, to))
	ann := expression.Name("customer").Equal(expression.Value("Ann"))
	for _, tt := range []struct {
		name, reason string
		q            interface {
			input(*testing.T) *dynamodb.QueryInput
		}
	}{
		{"partition", "no range: no condition on the sort key", in(orders)},
		{"all", "everything of the template: begins_with", in(orders.Where(Order.All()))},
		{"status", "one status, and not one whose name it begins", in(orders.Where(Order.At(Open).All()))},
		{"between", "the last day is included", in(january)},
		{"from", "stays in the status", in(orders.Where(Order.At(Open).From(from)))},
		{"exact", "one key: =", in(orders.Where(Order.Key(Open, from, "w-1").Exact()))},
		{"tree", "a key and what is below it", in(orders.Where(Order.Key(Open, from, "w-1").Tree()))},
		{"at-most", "nothing before the first segment: <=", in(query.Of(Plains, PlainKey.Key("a")).Where(PlainSort.To("m")))},
		{"desc", "backward", in(january.Desc())},
		{"consistent", "strongly consistent", in(january.Consistent())},
		{"limit", "what is wanted is what is asked for", in(january.Limit(3))},
		{"page-size", "DynamoDB's limit", in(january.PageSize(7).Limit(3))},
		{"max-evaluated", "a bound on what is evaluated", in(january.MaxEvaluated(5))},
		{"filter", "a filter beside the key condition", in(january.Filter(ann))},
		{"filters", "two filters are joined", in(january.Filter(ann).Filter(expression.Name("visits").GreaterThan(expression.Value(2))))},
		{"filter-nested", "a nested attribute may be named as a key is", in(january.Filter(expression.Name("address.pk").AttributeExists()))},
		{"filter-limit", "a filtered limit evaluates more than it wants", in(january.Filter(ann).Limit(1))},
		{"into", "a projection keeps keys, tag and ttl", in(query.Into[Summary](january))},
		{"into-filter", "a projection does not limit what is filtered by", in(query.Into[Summary](january.Filter(expression.Name("visits").Equal(expression.Value(1)))))},
		{"no-sort-key", "a table without a sort key", in(query.Of(Persons, PersonID.Key("p-1")))},
		{"reserved", "key attributes that are reserved words", in(query.Of(Plains, PlainKey.Key("a")).Where(PlainSort.StartsWith("b")))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name, struct {
				Reason  string
				Request any
			}{tt.reason, meaning(t, tt.q.input(t))})
		})
	}
}

type asked[T any] struct{ q query.Query[T] }

func in[T any](q query.Query[T]) asked[T] { return asked[T]{q} }

func (a asked[T]) input(t *testing.T) *dynamodb.QueryInput {
	t.Helper()
	in, err := a.q.Input(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// Plain has keys without any literal text, under reserved words.
type Plain struct {
	Name string `dynamodbav:"-" key:"name"`
	Date string `dynamodbav:"-" key:"date"`
}

var (
	PlainKey   = keys.MustCompile1("<name>", keys.String)
	PlainSort  = keys.MustCompile1("<date>", keys.String)
	PlainTable = model.NewTable("plain", model.PrimaryKey("hash", "range"))
	Plains     = model.MustDefine[Plain](PlainTable, "Plain", PlainKey, PlainSort)
)
