package txn_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/txn"
)

var update = flag.Bool("update", false, "write the golden files anew")

// goldenFile is what a file in testdata/txn holds.
type goldenFile struct {
	Reason   string
	Requests []request
}

// request is a request by what it means: aliases are replaced by the names and
// values that they stand for, and what is drawn at random by a word.
type request struct {
	Operation string
	Table     string            `json:",omitempty"`
	Key       map[string]string `json:",omitempty"`
	Item      map[string]string `json:",omitempty"`
	Update    string            `json:",omitempty"`
	Condition string            `json:",omitempty"`
	OnFailure string            `json:",omitempty"`
	Token     string            `json:",omitempty"`
	Consumed  string            `json:",omitempty"`
	Actions   []request         `json:",omitempty"`
}

// reader resolves the aliases of one request, and fails the test on one that
// stands for nothing or is not used.
type reader struct {
	t      testing.TB
	names  map[string]string
	values map[string]types.AttributeValue
}

var alias = regexp.MustCompile(`[#:][A-Za-z0-9_]+`)

func (r reader) resolve(texts ...*string) []string {
	used := map[string]bool{}
	var out []string
	for _, text := range texts {
		if text == nil {
			out = append(out, "")
			continue
		}
		out = append(out, alias.ReplaceAllStringFunc(*text, func(a string) string {
			used[a] = true
			if name, ok := r.names[a]; ok {
				return "`" + name + "`"
			}
			if v, ok := r.values[a]; ok {
				return plain(v)
			}
			r.t.Errorf("%q: %s stands for nothing", *text, a)
			return a
		}))
	}
	for a := range r.names {
		if !used[a] {
			r.t.Errorf("name %s is not used", a)
		}
	}
	for a := range r.values {
		if !used[a] {
			r.t.Errorf("value %s is not used", a)
		}
	}
	return out
}

// A write id is 26 letters and digits of base 32.
var random = regexp.MustCompile(`"[A-Z2-7]{26}"`)

func plain(v types.AttributeValue) string {
	raw, err := json.Marshal(tree(v))
	if err != nil {
		return err.Error()
	}
	return random.ReplaceAllString(string(raw), "<random>")
}

// tree is an attribute value in the form of JSON; numbers keep their digits.
func tree(v types.AttributeValue) any {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return json.Number(v.Value)
	case *types.AttributeValueMemberBOOL:
		return v.Value
	case *types.AttributeValueMemberNULL:
		return nil
	case *types.AttributeValueMemberSS:
		return map[string]any{"set": v.Value}
	case *types.AttributeValueMemberNS:
		return map[string]any{"set of numbers": v.Value}
	case *types.AttributeValueMemberM:
		out := map[string]any{}
		for k, e := range v.Value {
			out[k] = tree(e)
		}
		return out
	case *types.AttributeValueMemberL:
		out := []any{}
		for _, e := range v.Value {
			out = append(out, tree(e))
		}
		return out
	default:
		return "?"
	}
}

func flat(item model.Item) map[string]string {
	if item == nil {
		return nil
	}
	out := map[string]string{}
	for name, v := range item {
		out[name] = plain(v)
	}
	return out
}

func meaning(t testing.TB, in any) request {
	t.Helper()
	switch in := in.(type) {
	case *dynamodb.GetItemInput:
		return request{Operation: "GetItem", Table: *in.TableName, Key: flat(in.Key), Consumed: string(in.ReturnConsumedCapacity)}
	case *dynamodb.PutItemInput:
		texts := reader{t, in.ExpressionAttributeNames, in.ExpressionAttributeValues}.resolve(in.ConditionExpression)
		return request{Operation: "PutItem", Table: *in.TableName, Item: flat(in.Item), Condition: texts[0],
			OnFailure: string(in.ReturnValuesOnConditionCheckFailure), Consumed: string(in.ReturnConsumedCapacity)}
	case *dynamodb.UpdateItemInput:
		texts := reader{t, in.ExpressionAttributeNames, in.ExpressionAttributeValues}.resolve(in.UpdateExpression, in.ConditionExpression)
		return request{Operation: "UpdateItem", Table: *in.TableName, Key: flat(in.Key), Update: texts[0], Condition: texts[1],
			OnFailure: string(in.ReturnValuesOnConditionCheckFailure), Consumed: string(in.ReturnConsumedCapacity)}
	case *dynamodb.DeleteItemInput:
		texts := reader{t, in.ExpressionAttributeNames, in.ExpressionAttributeValues}.resolve(in.ConditionExpression)
		return request{Operation: "DeleteItem", Table: *in.TableName, Key: flat(in.Key), Condition: texts[0],
			OnFailure: string(in.ReturnValuesOnConditionCheckFailure), Consumed: string(in.ReturnConsumedCapacity)}
	case *dynamodb.TransactWriteItemsInput:
		out := request{Operation: "TransactWriteItems", Consumed: string(in.ReturnConsumedCapacity)}
		if n := len(*in.ClientRequestToken); n >= 1 && n <= 36 {
			out.Token = "<random>"
		}
		for _, item := range in.TransactItems {
			out.Actions = append(out.Actions, actionMeaning(t, item))
		}
		return out
	default:
		t.Errorf("unknown request %T", in)
		return request{}
	}
}

func actionMeaning(t testing.TB, item types.TransactWriteItem) request {
	switch {
	case item.Put != nil:
		a := item.Put
		texts := reader{t, a.ExpressionAttributeNames, a.ExpressionAttributeValues}.resolve(a.ConditionExpression)
		return request{Operation: "Put", Table: *a.TableName, Item: flat(a.Item), Condition: texts[0], OnFailure: string(a.ReturnValuesOnConditionCheckFailure)}
	case item.Update != nil:
		a := item.Update
		texts := reader{t, a.ExpressionAttributeNames, a.ExpressionAttributeValues}.resolve(a.UpdateExpression, a.ConditionExpression)
		return request{Operation: "Update", Table: *a.TableName, Key: flat(a.Key), Update: texts[0], Condition: texts[1], OnFailure: string(a.ReturnValuesOnConditionCheckFailure)}
	case item.Delete != nil:
		a := item.Delete
		texts := reader{t, a.ExpressionAttributeNames, a.ExpressionAttributeValues}.resolve(a.ConditionExpression)
		return request{Operation: "Delete", Table: *a.TableName, Key: flat(a.Key), Condition: texts[0], OnFailure: string(a.ReturnValuesOnConditionCheckFailure)}
	default:
		a := item.ConditionCheck
		texts := reader{t, a.ExpressionAttributeNames, a.ExpressionAttributeValues}.resolve(a.ConditionExpression)
		return request{Operation: "ConditionCheck", Table: *a.TableName, Key: flat(a.Key), Condition: texts[0], OnFailure: string(a.ReturnValuesOnConditionCheckFailure)}
	}
}

// golden compares the requests with testdata/txn/<name>.json.
func golden(t *testing.T, name string, file goldenFile) {
	t.Helper()
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(file); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "testdata", "txn", name+".json")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		t.Fatalf("no golden file: run go test ./txn -update and look at what it writes")
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text.String()); diff != "" {
		t.Errorf("%s: %s (-want +got):\n%s", name, file.Reason, diff)
	}
}

func TestRequests(t *testing.T) {
	f := newFixture(t, "field-service")
	order := func() *Order {
		return &Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann", Version: 3, Created: noon, Updated: noon, Write: "EARLIER"}
	}
	job := func() *Job { return &Job{Region: "eu", ID: "j-1", State: "queued", Until: noon.Add(time.Hour)} }
	note := func() *Note { return &Note{Region: "eu", Topic: "x", ID: "1", Text: "t"} }
	done := order()
	done.Status = "DONE"
	moved := note()
	moved.Topic = "y"
	visits := expression.Or(expression.Name("visits").LessThan(expression.Value(3)), expression.Name("customer").Equal(expression.Value("Ann")))
	for _, test := range []struct {
		name, reason string
		actions      []txn.Action
	}{
		{"create", "must not exist; the first version", []txn.Action{txn.Create(f.orders, &Order{Region: "eu", Status: "OPEN", ID: "w-1"})}},
		{"create-expiring", "or has expired", []txn.Action{txn.Create(f.jobs, job())}},
		{"put", "conditional on the version in the value", []txn.Action{txn.Put(f.orders, order())}},
		{"put-unversioned", "unconditional", []txn.Action{txn.Put(f.notes, note())}},
		{"overwrite", "unconditional", []txn.Action{txn.Overwrite(f.orders, order())}},
		{"delete", "conditional on the version in the value", []txn.Action{txn.Delete(f.orders, order())}},
		{"delete-key", "must exist", []txn.Action{txn.DeleteKey(f.note("x", "1"))}},
		{"delete-key-expiring", "and must not have expired", []txn.Action{txn.DeleteKey(f.job("j-1"))}},
		{"update", "must exist; every name is an alias; version, updated and write id go on", []txn.Action{txn.Update(f.order("OPEN", "w-1"),
			txn.Set("customer", "Kim"), txn.Remove("due"), txn.Add("visits", 1), txn.Subtract("tags", []string{"a"}), txn.Set("address", "Oslo").At("city"))}},
		{"update-if", "the caller's condition beside the library's, in one space of aliases", []txn.Action{
			txn.Update(f.note("x", "1"), txn.Set("text", expression.IfNotExists(expression.Name("text"), expression.Value("t"))), txn.Set("count", 1)).If(visits)}},
		{"check", "alone, it is a transaction", []txn.Action{txn.Check(f.order("OPEN", "w-1"), visits)}},
		{"move", "a put and a delete", []txn.Action{txn.Move(f.orders, order(), done)}},
		{"move-same-key", "one conditional put", []txn.Action{txn.Move(f.orders, order(), order())}},
		{"move-unversioned", "every attribute is compared", []txn.Action{txn.Move(f.notes, note(), moved)}},
		{"transaction", "in the caller's order", []txn.Action{
			txn.DeleteKey(f.note("x", "1")), txn.Create(f.notes, &Note{Region: "eu", Topic: "x", ID: "2"}),
			txn.CheckAbsent(f.job("j-1")), txn.Move(f.orders, order(), done), txn.Update(f.job("j-2"), txn.Set("until", noon))}},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := &recorder{}
			if err := txn.Commit(ctx, db, test.actions...); err != nil {
				t.Fatal(err)
			}
			file := goldenFile{Reason: test.reason}
			for _, in := range db.inputs {
				file.Requests = append(file.Requests, meaning(t, in))
			}
			golden(t, test.name, file)
		})
	}
}

func TestModifyRequests(t *testing.T) {
	f := newFixture(t, "field-service")
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann", Tags: []string{"a"}, Address: &Address{City: "Rome"}, Lines: []Line{{"x", 1}},
		Version: 3, Created: noon, Updated: noon, Write: "EARLIER"}
	item, err := f.orders.Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	item["geo.lat"] = n("41.90")
	note, err := f.notes.Marshal(&Note{Region: "eu", Topic: "x", ID: "1", Text: "t"})
	if err != nil {
		t.Fatal(err)
	}
	note["x"] = n("1.0")
	for _, test := range []struct {
		name, reason string
		run          func(db txn.Client) error
		item         model.Item
	}{
		{"modify", "only what changed, by path, on condition of the version", func(db txn.Client) error {
			_, err := txn.Modify(ctx, db, f.order("OPEN", "w-1"), func(o *Order) error {
				o.Address.City = "Oslo"
				o.Lines = append(o.Lines, Line{"y", 2})
				o.Tags = nil
				return nil
			})
			return err
		}, item},
		{"modify-moves", "the raw item at the new key", func(db txn.Client) error {
			_, err := txn.Modify(ctx, db, f.order("OPEN", "w-1"), func(o *Order) error { o.Status = "DONE"; return nil })
			return err
		}, item},
		{"modify-unversioned", "every raw attribute equal, every known absent one still absent", func(db txn.Client) error {
			_, err := txn.Modify(ctx, db, f.note("x", "1"), func(v *Note) error { v.Count = 7; return nil })
			return err
		}, note},
		{"modify-companions", "in one transaction", func(db txn.Client) error {
			_, err := txn.Modify(ctx, db, f.order("OPEN", "w-1"), func(o *Order) error { o.Visits = 1; return nil }, func(_, after *Order) []txn.Action {
				return []txn.Action{txn.Create(f.notes, &Note{Region: "eu", Topic: after.ID, ID: "visit"})}
			})
			return err
		}, item},
		{"modify-nothing", "a read alone", func(db txn.Client) error {
			_, err := txn.Modify(ctx, db, f.order("OPEN", "w-1"), func(o *Order) error { return nil })
			return err
		}, item},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := &recorder{item: test.item}
			if err := test.run(db); err != nil {
				t.Fatal(err)
			}
			file := goldenFile{Reason: test.reason}
			for _, in := range db.inputs {
				file.Requests = append(file.Requests, meaning(t, in))
			}
			golden(t, test.name, file)
		})
	}
}
