package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// do sends one request and decodes the answer, or the refusal.
func do(t testing.TB, e *Engine, op, request string) (map[string]any, *Error) {
	t.Helper()
	body, err := e.Do(op, []byte(request), Options{})
	if err != nil {
		return nil, err
	}
	var answer map[string]any
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatalf("%s %s: the answer is no JSON: %v\n%s", op, request, err, body)
	}
	return answer, nil
}

// must is do for requests that succeed.
func must(t testing.TB, e *Engine, op, request string) map[string]any {
	t.Helper()
	answer, err := do(t, e, op, request)
	if err != nil {
		t.Fatalf("%s %s: %v", op, request, err)
	}
	return answer
}

// mixTable makes a table with a string key pk and sk, a local
// index and global ones of every kind.
const mixTable = `{"TableName":"mix","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[
		{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},
		{"AttributeName":"l","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"},
		{"AttributeName":"n","AttributeType":"N"},{"AttributeName":"b","AttributeType":"B"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
	"LocalSecondaryIndexes":[
		{"IndexName":"local","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"l","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],
	"GlobalSecondaryIndexes":[
		{"IndexName":"plain","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}},
		{"IndexName":"ranged","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["v"]}},
		{"IndexName":"native","KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"l","KeyType":"HASH"},
			{"AttributeName":"n","KeyType":"RANGE"},{"AttributeName":"b","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]}`

const plainTable = `{"TableName":"plain","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}`

func newMix(t testing.TB, c Config) *Engine {
	t.Helper()
	e := New(c)
	must(t, e, "CreateTable", mixTable)
	return e
}

func TestGlobalIndexesLagByTheClock(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	e := newMix(t, Config{Now: func() time.Time { return now }, GSILag: time.Second})
	must(t, e, "PutItem", `{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"},"l":{"S":"y"}}}`)
	count := func(index, condition string) any {
		return must(t, e, "Query", `{"TableName":"mix","IndexName":"`+index+`","KeyConditionExpression":"`+condition+` = :v","ExpressionAttributeValues":{":v":{"S":"`+map[string]string{"g": "x", "pk": "a"}[condition]+`"}}}`)["Count"]
	}
	if got := count("plain", "g"); got != 0.0 {
		t.Errorf("the global index shows %v items at once, want 0", got)
	}
	if got := count("local", "pk"); got != 1.0 {
		t.Errorf("the local index shows %v items, want 1: it never lags", got)
	}
	now = now.Add(time.Second)
	if got := count("plain", "g"); got != 1.0 {
		t.Errorf("after the lag the global index shows %v items, want 1", got)
	}
	must(t, e, "DeleteItem", `{"TableName":"mix","Key":{"pk":{"S":"a"},"sk":{"N":"1"}}}`)
	if got := count("plain", "g"); got != 1.0 {
		t.Errorf("the global index shows %v items right after the delete, want 1", got)
	}
	e.SettleIndexes()
	if got := count("plain", "g"); got != 0.0 {
		t.Errorf("settled, the global index shows %v items, want 0", got)
	}
}

func TestItemsExpireByTheClock(t *testing.T) {
	start := time.Unix(1_800_000_000, 0)
	for _, test := range []struct {
		reason string
		ttl    string
		after  time.Duration
		delay  time.Duration
		gone   bool
	}{
		{"its time has not come", `{"N":"1800000060"}`, 59 * time.Second, 0, false},
		{"the clock must be past the time", `{"N":"1800000060"}`, time.Minute, 0, false},
		{"it has expired", `{"N":"1800000060"}`, time.Minute + 1, 0, true},
		{"fractions of a second are cut off", `{"N":"1800000060.9"}`, time.Minute + 1, 0, true},
		{"a text is no time", `{"S":"1800000060"}`, time.Hour, 0, false},
		{"five years is too long ago to be meant", `{"N":"1600000000"}`, time.Hour, 0, false},
		{"zero is too long ago to be meant", `{"N":"0"}`, time.Hour, 0, false},
		{"a year ago is not too long", `{"N":"1770000000"}`, time.Second, 0, true},
		{"expired items may linger", `{"N":"1800000060"}`, time.Hour, 2 * time.Hour, false},
		{"and go when they have lingered", `{"N":"1800000060"}`, 3 * time.Hour, 2 * time.Hour, true},
		{"beyond all clocks", `{"N":"1E+100"}`, time.Hour, 0, false},
	} {
		now := start
		e := newMix(t, Config{Now: func() time.Time { return now }, TTLDelay: test.delay})
		must(t, e, "UpdateTimeToLive", `{"TableName":"mix","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`)
		must(t, e, "PutItem", `{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"},"ttl":`+test.ttl+`}}`)
		now = now.Add(test.after)
		_, there := must(t, e, "GetItem", `{"TableName":"mix","Key":{"pk":{"S":"a"},"sk":{"N":"1"}}}`)["Item"]
		if there == test.gone {
			t.Errorf("ttl %s after %v: there is %v, want %v: %s", test.ttl, test.after, there, !test.gone, test.reason)
		}
		inIndex := must(t, e, "Scan", `{"TableName":"mix","IndexName":"plain","Select":"COUNT"}`)["Count"] == 1.0
		if inIndex == test.gone {
			t.Errorf("ttl %s after %v: the index holds it is %v: %s", test.ttl, test.after, inIndex, test.reason)
		}
	}
}

func TestExpiryFollowsUpdates(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	e := newMix(t, Config{Now: func() time.Time { return now }})
	must(t, e, "PutItem", `{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"ttl":{"N":"1800000010"}}}`)
	must(t, e, "PutItem", `{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"2"},"ttl":{"N":"1800000010"}}}`)
	must(t, e, "UpdateTimeToLive", `{"TableName":"mix","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`)
	must(t, e, "UpdateItem", `{"TableName":"mix","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"UpdateExpression":"SET #t = :t","ExpressionAttributeNames":{"#t":"ttl"},"ExpressionAttributeValues":{":t":{"N":"1800000100"}}}`)
	now = now.Add(time.Minute)
	if got := must(t, e, "Scan", `{"TableName":"mix"}`)["Count"]; got != 1.0 {
		t.Errorf("%v items are left, want the one whose time was put off", got)
	}
	must(t, e, "UpdateTimeToLive", `{"TableName":"mix","TimeToLiveSpecification":{"Enabled":false,"AttributeName":"ttl"}}`)
	now = now.Add(time.Hour)
	if got := must(t, e, "Scan", `{"TableName":"mix"}`)["Count"]; got != 1.0 {
		t.Errorf("%v items are left, want 1: nothing expires any more", got)
	}
}

func TestClientTokens(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	e := New(Config{Now: func() time.Time { return now }})
	must(t, e, "CreateTable", plainTable)
	add := func(token, amount string) *Error {
		_, err := do(t, e, "TransactWriteItems", `{"ClientRequestToken":"`+token+`","TransactItems":[{"Update":{"TableName":"plain","Key":{"pk":{"S":"a"}},
			"UpdateExpression":"ADD n :n","ExpressionAttributeValues":{":n":{"N":"`+amount+`"}}}}]}`)
		return err
	}
	value := func() string {
		item := must(t, e, "GetItem", `{"TableName":"plain","Key":{"pk":{"S":"a"}}}`)["Item"].(map[string]any)
		return item["n"].(map[string]any)["N"].(string)
	}
	if err := add("t", "1"); err != nil {
		t.Fatal(err)
	}
	if err := add("t", "1"); err != nil || value() != "1" {
		t.Errorf("repeated: %v, n is %s, want success and 1", err, value())
	}
	if err := add("t", "2"); err == nil || err.Type != IdempotentParameterMismatch {
		t.Errorf("another request under the token: %v, want %s", err, IdempotentParameterMismatch)
	}
	now = now.Add(tokenLife - 1)
	if err := add("t", "1"); err != nil || value() != "1" {
		t.Errorf("just before ten minutes: %v, n is %s, want success and 1", err, value())
	}
	now = now.Add(1)
	if err := add("t", "1"); err != nil || value() != "2" {
		t.Errorf("after ten minutes: %v, n is %s, want success and 2", err, value())
	}
	failing := `{"ClientRequestToken":"f","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"b"}},"ConditionExpression":"attribute_exists(pk)"}}]}`
	for range 2 {
		if _, err := do(t, e, "TransactWriteItems", failing); err == nil || err.Type != TransactionCanceled {
			t.Errorf("a transaction that failed, sent again: %v, want %s as before", err, TransactionCanceled)
		}
	}
}

func TestTokensDoNotSeeTheOrderOfMaps(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", plainTable)
	must(t, e, "TransactWriteItems", `{"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"plain","Item":{"pk":{"S":"a"},"x":{"N":"1"}}}}]}`)
	must(t, e, "TransactWriteItems", `{"TransactItems":[{"Put":{"Item":{"x":{"N":"1"}, "pk":{"S":"a"}},"TableName":"plain"}}],"ClientRequestToken":"t"}`)
}

func TestCapacityOfWrites(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", `{"TableName":"cap","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
		"GlobalSecondaryIndexes":[{"IndexName":"all","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}},
			{"IndexName":"keys","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`)
	big := strings.Repeat("x", 3000)
	for _, test := range []struct {
		reason, item     string
		table, all, keys float64 // of the indexes, 0 where they are not named
	}{
		{"not in an index", `{"pk":{"S":"a"}}`, 1, 0, 0},
		{"enters both", `{"pk":{"S":"a"},"g":{"S":"x"}}`, 1, 1, 1},
		{"nothing changes", `{"pk":{"S":"a"},"g":{"S":"x"}}`, 1, 0, 0},
		{"an attribute that only one of them projects, and that is large", `{"pk":{"S":"a"},"g":{"S":"x"},"v":{"S":"` + big + `"}}`, 3, 3, 0},
		{"the key changes: out of the old place and into the new", `{"pk":{"S":"a"},"g":{"S":"y"},"v":{"S":"` + big + `"}}`, 3, 6, 2},
		{"leaves both, and becomes small", `{"pk":{"S":"a"}}`, 3, 3, 1},
	} {
		answer := must(t, e, "PutItem", `{"TableName":"cap","ReturnConsumedCapacity":"INDEXES","Item":`+test.item+`}`)
		want := map[string]any{"TableName": "cap", "CapacityUnits": test.table + test.all + test.keys, "Table": map[string]any{"CapacityUnits": test.table}}
		indexes := map[string]any{}
		if test.all > 0 {
			indexes["all"] = map[string]any{"CapacityUnits": test.all}
		}
		if test.keys > 0 {
			indexes["keys"] = map[string]any{"CapacityUnits": test.keys}
		}
		if len(indexes) > 0 {
			want["GlobalSecondaryIndexes"] = indexes
		}
		if diff := cmp.Diff(want, answer["ConsumedCapacity"]); diff != "" {
			t.Errorf("%s: consumed capacity (-want +got):\n%s", test.reason, diff)
		}
	}
}

func TestPagesEndAtAMegabyte(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", mixTable)
	for i := range 8 {
		must(t, e, "PutItem", fmt.Sprintf(`{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"%d"},"v":{"S":"%s"}}}`, i, strings.Repeat("x", 300<<10)))
	}
	seen, pages, start := 0, 0, ""
	for {
		answer := must(t, e, "Query", `{"TableName":"mix","ReturnConsumedCapacity":"TOTAL","KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"a"}}`+start+`}`)
		pages++
		seen += int(answer["Count"].(float64))
		last, more := answer["LastEvaluatedKey"]
		if !more {
			break
		}
		if got := answer["Count"]; got != 4.0 {
			t.Errorf("page %d has %v items, want the 4 that pass 1 MB", pages, got)
		}
		raw, _ := json.Marshal(last)
		start = `,"ExclusiveStartKey":` + string(raw)
	}
	if seen != 8 || pages != 3 {
		t.Errorf("%d items on %d pages, want 8 on 3, the last of them empty", seen, pages)
	}
}

func TestBackfill(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", plainTable)
	for _, item := range []string{
		`{"pk":{"S":"1"},"g":{"S":"x"}}`, `{"pk":{"S":"2"},"g":{"N":"7"}}`, `{"pk":{"S":"3"},"g":{"S":""}}`, `{"pk":{"S":"4"}}`, `{"pk":{"S":"5"},"g":{"S":"x"}}`,
	} {
		must(t, e, "PutItem", `{"TableName":"plain","Item":`+item+`}`)
	}
	answer := must(t, e, "UpdateTable", `{"TableName":"plain","AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"}],
		"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"byG","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`)
	description := answer["TableDescription"].(map[string]any)
	if got := description["GlobalSecondaryIndexes"].([]any)[0].(map[string]any)["IndexStatus"]; got != "CREATING" {
		t.Errorf("the answer shows the index as %v, want CREATING", got)
	}
	if got := must(t, e, "Scan", `{"TableName":"plain","IndexName":"byG"}`)["Count"]; got != 2.0 {
		t.Errorf("the index has %v items, want the 2 whose g is a text that a key can be", got)
	}
	// An item that could not be indexed when the index was made stays writable.
	must(t, e, "UpdateItem", `{"TableName":"plain","Key":{"pk":{"S":"3"}},"UpdateExpression":"SET v = :v","ExpressionAttributeValues":{":v":{"S":"x"}}}`)
	must(t, e, "UpdateTable", `{"TableName":"plain","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"byG"}}]}`)
	table := must(t, e, "DescribeTable", `{"TableName":"plain"}`)["Table"].(map[string]any)
	if table["GlobalSecondaryIndexes"] != nil || len(table["AttributeDefinitions"].([]any)) != 1 {
		t.Errorf("after the index is gone the table is %v", table)
	}
}

func TestUnprocessed(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", plainTable)
	opts := Options{Unprocessed: func(_ string, key av.Item) bool { return key["pk"].Str() == "b" }}
	body, err := e.Do("BatchWriteItem", []byte(`{"RequestItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},{"PutRequest":{"Item":{"pk":{"S":"b"}}}}]}}`), opts)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"UnprocessedItems":{"plain":[{"PutRequest":{"Item":{"pk":{"S":"b"}}}}]}}`; string(body) != want {
		t.Errorf("got  %s\nwant %s", body, want)
	}
	body, err = e.Do("BatchGetItem", []byte(`{"RequestItems":{"plain":{"Keys":[{"pk":{"S":"a"}},{"pk":{"S":"b"}}],"ConsistentRead":true}}}`), opts)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"Responses":{"plain":[{"pk":{"S":"a"}}]},"UnprocessedKeys":{"plain":{"Keys":[{"pk":{"S":"b"}}],"ConsistentRead":true}}}`; string(body) != want {
		t.Errorf("got  %s\nwant %s", body, want)
	}
}

func TestClosedEngineRefuses(t *testing.T) {
	e := New(Config{})
	e.Close()
	if _, err := do(t, e, "ListTables", `{}`); err == nil || err.Status != 500 {
		t.Errorf("got %v, want an internal error", err)
	}
}
