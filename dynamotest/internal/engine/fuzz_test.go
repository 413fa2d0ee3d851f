package engine

import (
	"encoding/json"
	"testing"
)

// FuzzDo sends anything as a request of any operation. Whatever it is, the answer
// is JSON or a refusal of a known type, and the engine goes on.
func FuzzDo(f *testing.F) {
	for _, seed := range []drawn{
		{"CreateTable", mixTable},
		{"CreateTable", `{"TableName":"x","KeySchema":[null],"AttributeDefinitions":[{}],"GlobalSecondaryIndexes":[{"Projection":{}}]}`},
		{"UpdateTable", `{"TableName":"mix","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"plain"}}]}`},
		{"UpdateTable", `{"TableName":"mix","ProvisionedThroughput":{},"GlobalSecondaryIndexUpdates":[{"Create":{}},{"Update":{}},null]}`},
		{"PutItem", `{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"1e2"},"g":{"S":"\ud800"}},"ReturnValues":"ALL_OLD"}`},
		{"PutItem", `{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"g":null}}`},
		{"GetItem", `{"TableName":"mix","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"ProjectionExpression":"a.b[0]"}`},
		{"UpdateItem", `{"TableName":"mix","Key":{"pk":{"S":"a"},"sk":{"N":"1"}},"UpdateExpression":"SET a = :a","ExpressionAttributeValues":{":a":{"L":[{"M":{}}]}}}`},
		{"DeleteItem", `{"TableName":"mix","Key":[]}`},
		{"Query", `{"TableName":"mix","IndexName":"native","KeyConditionExpression":"g = :g AND l = :g","ExpressionAttributeValues":{":g":{"S":"x"}},"ExclusiveStartKey":{"pk":{"S":"a"}}}`},
		{"Query", `{"TableName":"mix","KeyConditionExpression":"pk = :g AND sk BETWEEN :n AND :n","ExpressionAttributeValues":{":g":{"S":"x"},":n":{"N":"-0"}},"Limit":1e3}`},
		{"Scan", `{"TableName":"mix","Segment":0,"TotalSegments":1000000,"ExclusiveStartKey":{"pk":{"S":"a"},"sk":{"N":"1"}}}`},
		{"BatchGetItem", `{"RequestItems":{"mix":{"Keys":[null,{}]}}}`},
		{"BatchWriteItem", `{"RequestItems":{"mix":[null,{"PutRequest":null}],"plain":{}}}`},
		{"TransactWriteItems", `{"ClientRequestToken":"t","TransactItems":[{"Put":{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"1"}}}},null]}`},
		{"TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"mix","Key":{"pk":{"S":"a"},"sk":{"N":"1"}}}},{}]}`},
		{"UpdateTimeToLive", `{"TableName":"mix","TimeToLiveSpecification":{"Enabled":"yes","AttributeName":"ttl"}}`},
		{"ListTables", `{"Limit":99999999999999999999,"Limit":1}`},
		{"DescribeTable", "\"\\u0000\""},
	} {
		f.Add(seed.op, seed.request)
	}
	known := map[string]bool{
		ConditionalCheckFailed: true, IdempotentParameterMismatch: true, LimitExceeded: true, ResourceInUse: true, ResourceNotFound: true,
		Serialization: true, TransactionCanceled: true, UnknownOperation: true, Validation: true,
	}
	f.Fuzz(func(t *testing.T, op, request string) {
		e := New(Config{})
		must(t, e, "CreateTable", mixTable)
		must(t, e, "CreateTable", plainTable)
		must(t, e, "PutItem", `{"TableName":"mix","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"g":{"S":"x"},"l":{"S":"x"},"n":{"N":"1"},"b":{"B":"AA=="}}}`)
		e.Targets(op, []byte(request))
		for range 2 {
			body, err := e.Do(op, []byte(request), Options{})
			if err != nil {
				body = err.AppendJSON(nil)
				if !known[err.Type] {
					t.Errorf("%s %s: %v", op, request, err)
				}
			}
			if !json.Valid(body) {
				t.Errorf("%s %s: the answer is no JSON: %s", op, request, body)
			}
		}
		if tb := e.table("mix"); tb != nil {
			checkIndexes(t, tb)
		}
	})
}
