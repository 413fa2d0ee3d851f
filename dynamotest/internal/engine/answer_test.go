package engine

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestItemCollectionMetrics are given for tables with local indexes, each
// collection once.
func TestItemCollectionMetrics(t *testing.T) {
	e := newMix(t, Config{})
	must(t, e, "CreateTable", plainTable)
	collection := func(pk string) any {
		return map[string]any{"ItemCollectionKey": map[string]any{"pk": map[string]any{"S": pk}}, "SizeEstimateRangeGB": []any{0.0, 1.0}}
	}
	for _, test := range []struct {
		reason, op, request string
		want                any
	}{
		{"one item", "PutItem", `{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"l":{"S":"x"}},"ReturnItemCollectionMetrics":"SIZE"}`, collection("a")},
		{"not asked for", "PutItem", `{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"1"}},"ReturnItemCollectionMetrics":"NONE"}`, nil},
		{"no local index", "PutItem", `{"TableName":"plain","Item":{"pk":{"S":"a"}},"ReturnItemCollectionMetrics":"SIZE"}`, nil},
		{"a delete", "DeleteItem", `{"TableName":"mix","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ReturnItemCollectionMetrics":"SIZE"}`, collection("a")},
		{"a batch", "BatchWriteItem", `{"ReturnItemCollectionMetrics":"SIZE","RequestItems":{"mix":[{"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"1"}}}},
			{"DeleteRequest":{"Key":{"pk":{"S":"a"},"sk":{"N":"2"}}}},{"PutRequest":{"Item":{"pk":{"S":"b"},"sk":{"N":"1"}}}}],"plain":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]}}`,
			map[string]any{"mix": []any{collection("a"), collection("b")}}},
		{"a transaction", "TransactWriteItems", `{"ReturnItemCollectionMetrics":"SIZE","TransactItems":[{"Put":{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"1"}}}},
			{"ConditionCheck":{"TableName":"mix","Key":{"pk":{"S":"c"},"sk":{"N":"1"}},"ConditionExpression":"attribute_not_exists(pk)"}}]}`,
			map[string]any{"mix": []any{collection("a")}}},
	} {
		if diff := cmp.Diff(test.want, must(t, e, test.op, test.request)["ItemCollectionMetrics"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
	}
}

// TestCapacityOfTransactions: a transaction costs twice on the table and once on
// its indexes, by the table; sent again under its token it costs a reading.
func TestCapacityOfTransactions(t *testing.T) {
	e := newMix(t, Config{})
	must(t, e, "CreateTable", plainTable)
	request := `{"ClientRequestToken":"t","ReturnConsumedCapacity":"INDEXES","TransactItems":[
		{"Put":{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"},"l":{"S":"y"},"v":{"S":"` + strings.Repeat("x", 5000) + `"}}}},
		{"Delete":{"TableName":"plain","Key":{"pk":{"S":"none"}}}}]}`
	units := func(kind string, n float64) map[string]any { return map[string]any{"CapacityUnits": n, kind: n} }
	table := func(name, kind string, total, own float64, indexes map[string]any) map[string]any {
		out := units(kind, total)
		out["TableName"], out["Table"] = name, units(kind, own)
		for k, v := range indexes {
			out[k] = v
		}
		return out
	}
	want := []any{
		table("mix", "WriteCapacityUnits", 16, 10, map[string]any{
			"LocalSecondaryIndexes":  map[string]any{"local": units("WriteCapacityUnits", 1)},
			"GlobalSecondaryIndexes": map[string]any{"plain": units("WriteCapacityUnits", 5)},
		}),
		table("plain", "WriteCapacityUnits", 2, 2, nil),
	}
	if diff := cmp.Diff(want, must(t, e, "TransactWriteItems", request)["ConsumedCapacity"]); diff != "" {
		t.Errorf("done (-want +got):\n%s", diff)
	}
	want = []any{table("mix", "ReadCapacityUnits", 4, 4, nil), table("plain", "ReadCapacityUnits", 2, 2, nil)}
	if diff := cmp.Diff(want, must(t, e, "TransactWriteItems", request)["ConsumedCapacity"]); diff != "" {
		t.Errorf("sent again (-want +got):\n%s", diff)
	}
}

func TestTablesByARN(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", plainTable)
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/plain"
	must(t, e, "PutItem", `{"TableName":"`+arn+`","Item":{"pk":{"S":"a"}}}`)
	must(t, e, "TransactWriteItems", `{"TransactItems":[{"Delete":{"TableName":"`+arn+`","Key":{"pk":{"S":"b"}}}}]}`)
	must(t, e, "BatchGetItem", `{"RequestItems":{"`+arn+`":{"Keys":[{"pk":{"S":"a"}}]}}}`)
	if got := must(t, e, "DescribeTable", `{"TableName":"`+arn+`"}`)["Table"].(map[string]any)["ItemCount"]; got != 1.0 {
		t.Errorf("the table has %v items, want 1", got)
	}
	_, err := do(t, e, "GetItem", `{"TableName":"`+arn+`x","Key":{"pk":{"S":"a"}}}`)
	if err == nil || err.Type != ResourceNotFound {
		t.Errorf("the ARN of no table: %v, want %s", err, ResourceNotFound)
	}
}

// TestALocalIndexFetches what it does not project from the table, at the price of
// a reading of each item.
func TestALocalIndexFetches(t *testing.T) {
	e := newMix(t, Config{})
	for _, sk := range []string{"1", "2"} {
		must(t, e, "PutItem", `{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"`+sk+`"},"l":{"S":"x"},"v":{"S":"`+strings.Repeat("v", 5000)+`"}}}`)
	}
	query := func(more string) map[string]any {
		return must(t, e, "Query", `{"TableName":"mix","IndexName":"local","ReturnConsumedCapacity":"INDEXES","KeyConditionExpression":"pk = :a",`+more+`}`)
	}
	for _, test := range []struct {
		reason, more string
		table        float64
	}{
		{"what the index holds", `"ExpressionAttributeValues":{":a":{"S":"a"}}`, 0},
		{"all attributes", `"Select":"ALL_ATTRIBUTES","ExpressionAttributeValues":{":a":{"S":"a"}}`, 2},
		{"one attribute that it does not hold, read consistently", `"ConsistentRead":true,"ProjectionExpression":"v","ExpressionAttributeValues":{":a":{"S":"a"}}`, 4},
		{"a filter on one", `"FilterExpression":"attribute_exists(v)","ExpressionAttributeValues":{":a":{"S":"a"}}`, 2},
	} {
		answer := query(test.more)
		if answer["Count"] != 2.0 {
			t.Errorf("%s: %v items, want 2", test.reason, answer["Count"])
		}
		if got := answer["ConsumedCapacity"].(map[string]any)["Table"].(map[string]any)["CapacityUnits"]; got != test.table {
			t.Errorf("%s: the table's part is %v units, want %v", test.reason, got, test.table)
		}
	}
	_, err := do(t, e, "Query", `{"TableName":"mix","IndexName":"ranged","KeyConditionExpression":"g = :a","ProjectionExpression":"v, w, a.b","ExpressionAttributeValues":{":a":{"S":"a"}}}`)
	if diff := cmp.Diff(badParam("Global secondary index ranged does not project [a, w]"), err); diff != "" {
		t.Errorf("a global index fetches nothing (-want +got):\n%s", diff)
	}
}

func TestIndexThroughput(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", `{"TableName":"abc","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},`+definitions("pk", "g")+`,`+key("pk")+`,
		"GlobalSecondaryIndexes":[{"IndexName":"byG",`+key("g")+`,`+all+`,"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}]}`)
	update := func(units string) (map[string]any, *Error) {
		return do(t, e, "UpdateTable", `{"TableName":"abc","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"byG","ProvisionedThroughput":{"ReadCapacityUnits":`+units+`,"WriteCapacityUnits":1}}}]}`)
	}
	if _, err := update("1"); err == nil || !strings.HasPrefix(err.Message, "The provisioned throughput for the index will not change.") {
		t.Errorf("what it is: %v, want a refusal", err)
	}
	if _, err := update("2000000000000"); err == nil || err.Type != Validation {
		t.Errorf("too much: %v, want a refusal", err)
	}
	answer, err := update("7")
	if err != nil {
		t.Fatal(err)
	}
	index := answer["TableDescription"].(map[string]any)["GlobalSecondaryIndexes"].([]any)[0].(map[string]any)
	if got := index["ProvisionedThroughput"].(map[string]any)["ReadCapacityUnits"]; got != 1.0 || index["IndexStatus"] != "UPDATING" {
		t.Errorf("the answer shows %v, want what was before", index)
	}
	described := must(t, e, "DescribeTable", `{"TableName":"abc"}`)["Table"].(map[string]any)["GlobalSecondaryIndexes"].([]any)[0].(map[string]any)
	if got := described["ProvisionedThroughput"].(map[string]any)["ReadCapacityUnits"]; got != 7.0 || described["IndexStatus"] != "ACTIVE" {
		t.Errorf("afterwards there is %v, want 7 units", described)
	}
}
