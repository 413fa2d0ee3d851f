package cases

import (
	"fmt"
	"strings"
)

func batchGroup() Group {
	const rejected = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
	no := func(name, why, op, in, msg string) Case {
		return Case{Name: name, Why: why, Steps: []Step{invalid(op, in, msg)}}
	}
	many := func(n int, format string) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(format, i))
		}
		return strings.Join(out, ",")
	}
	keys := func(from, n int) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(`{"pk":{"S":"$k%d"}}`, from+i))
		}
		return strings.Join(out, ",")
	}
	const putReq = `{"PutRequest":{"Item":{"pk":{"S":"$k%d"}}}}`
	return Group{Name: "batches", Cases: []Case{
		{Name: "write and get", Why: "puts and deletes, over tables", Source: "API reference, BatchWriteItem", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"}}`),
			ok("BatchWriteItem", `{"RequestItems":{"$hash":[{"DeleteRequest":{"Key":{"pk":{"S":"$k"}}}},{"PutRequest":{"Item":{"pk":{"S":"$k1"},"n":{"N":"1"}}}}],"$range":[{"PutRequest":{"Item":{"pk":{"S":"$k"},"sk":{"S":"a"}}}}]}}`, `{"UnprocessedItems":{}}`),
			ok("BatchGetItem", `{"RequestItems":{"$hash":{"Keys":[{"pk":{"S":"$k"}},{"pk":{"S":"$k1"}}],"ConsistentRead":true},"$range":{"Keys":[{"pk":{"S":"$k"},"sk":{"S":"a"}}],"ConsistentRead":true}}}`,
				`{"Responses":{"$hash":[{"pk":{"S":"$k1"},"n":{"N":"1"}}],"$range":[{"pk":{"S":"$k"},"sk":{"S":"a"}}]},"UnprocessedKeys":{}}`)}},
		{Name: "write 25", Why: "the most", Source: "developer guide, ServiceQuotas", Steps: []Step{
			ok("BatchWriteItem", `{"RequestItems":{"$hash":[`+many(25, putReq)+`]}}`, `{"UnprocessedItems":{}}`)}},
		{Name: "get 100", Why: "the most", Source: "developer guide, ServiceQuotas", Steps: []Step{
			ok("BatchGetItem", `{"RequestItems":{"$hash":{"Keys":[`+keys(0, 100)+`]}}}`, `{"Responses":{"$hash":[]},"UnprocessedKeys":{}}`)}},
		{Name: "get nothing", Why: "absent items are left out", Steps: []Step{
			ok("BatchGetItem", `{"RequestItems":{"$hash":{"Keys":[{"pk":{"S":"$k"}}]}}}`, `{"Responses":{"$hash":[]},"UnprocessedKeys":{}}`)}},
		{Name: "put replaces", Why: "as PutItem does", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"a":{"S":"1"}}`),
			anyStep("BatchWriteItem", `{"RequestItems":{"$hash":[{"PutRequest":{"Item":{"pk":{"S":"$k"},"b":{"S":"2"}}}}]}}`),
			get("$hash", `{"pk":{"S":"$k"}}`, `{"pk":{"S":"$k"},"b":{"S":"2"}}`)}},
		{Name: "get over 16 MB", Why: "the rest comes back as unprocessed", Source: "API reference, BatchGetItem", Slow: true, Steps: append(bigItems(45),
			pickStep("BatchGetItem", `{"RequestItems":{"$hash":{"Keys":[`+keys(0, 45)+`],"ConsistentRead":true,"ProjectionExpression":"pk"}}}`, `{"UnprocessedKeys.$hash.ConsistentRead":true,"UnprocessedKeys.$hash.ProjectionExpression":"pk"}`))},
		no("write 26", "one too many", "BatchWriteItem", `{"RequestItems":{"$hash":[`+many(26, putReq)+`]}}`, "1 validation error detected: Value '…' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"),
		no("write 26 over two tables", "the sum counts", "BatchWriteItem", `{"RequestItems":{"$hash":[`+many(25, putReq)+`],"$range":[{"PutRequest":{"Item":{"pk":{"S":"$k"},"sk":{"S":"a"}}}}]}}`, "Too many items requested for the BatchWriteItem call"),
		no("get 101", "one too many", "BatchGetItem", `{"RequestItems":{"$hash":{"Keys":[`+keys(0, 101)+`]}}}`, "1 validation error detected: Value '…' at 'requestItems.$hash.member.keys' failed to satisfy constraint: Member must have length less than or equal to 100"),
		no("get 101 over two tables", "the sum counts", "BatchGetItem", `{"RequestItems":{"$hash":{"Keys":[`+keys(0, 100)+`]},"$range":{"Keys":[{"pk":{"S":"$k"},"sk":{"S":"a"}}]}}}`, "Too many items requested for the BatchGetItem call"),
		no("write nothing", "a batch holds something", "BatchWriteItem", `{"RequestItems":{}}`, "1 validation error detected: Value '{}' at 'requestItems' failed to satisfy constraint: Member must have length greater than or equal to 1"),
		no("get nothing at all", "a batch holds something", "BatchGetItem", `{"RequestItems":{}}`, "1 validation error detected: Value '{}' at 'requestItems' failed to satisfy constraint: Member must have length greater than or equal to 1"),
		no("write twice", "no order is promised, so no item twice", "BatchWriteItem", `{"RequestItems":{"$hash":[`+putAt(0)+`,{"DeleteRequest":{"Key":{"pk":{"S":"$k0"}}}}]}}`, "Provided list of item keys contains duplicates"),
		no("get twice", "once is enough", "BatchGetItem", `{"RequestItems":{"$hash":{"Keys":[{"pk":{"S":"$k"}},{"pk":{"S":"$k"}}]}}}`, "Provided list of item keys contains duplicates"),
		no("get twice by value", "1 and 1.0 are one key", "BatchGetItem", `{"RequestItems":{"$num":{"Keys":[{"pk":{"S":"$k"},"sk":{"N":"1"}},{"pk":{"S":"$k"},"sk":{"N":"1.0"}}]}}}`, "Provided list of item keys contains duplicates"),
		no("put and delete in one", "a request is one of the two", "BatchWriteItem", `{"RequestItems":{"$hash":[{"PutRequest":{"Item":{"pk":{"S":"$k"}}},"DeleteRequest":{"Key":{"pk":{"S":"$k"}}}}]}}`, rejected),
		no("neither put nor delete", "a request is one of the two", "BatchWriteItem", `{"RequestItems":{"$hash":[{}]}}`, rejected),
		no("key of another shape", "a key is whole", "BatchGetItem", `{"RequestItems":{"$range":{"Keys":[{"pk":{"S":"$k"}}]}}}`, "The provided key element does not match the schema"),
		no("delete of another shape", "a key is whole", "BatchWriteItem", `{"RequestItems":{"$range":[{"DeleteRequest":{"Key":{"pk":{"S":"$k"}}}}]}}`, "The provided key element does not match the schema"),
		no("item without key", "every item has its keys", "BatchWriteItem", `{"RequestItems":{"$hash":[{"PutRequest":{"Item":{"x":{"S":"$k"}}}}]}}`, "One or more parameter values were invalid: Missing the key pk in the item"),
		no("item with an empty index key", "as PutItem refuses", "BatchWriteItem", `{"RequestItems":{"$idx":[{"PutRequest":{"Item":{"pk":{"S":"$k"},"sk":{"S":"1"},"a":{"S":""}}}}]}}`, "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: …, IndexKey: a"),
		no("unused name", "a typing error", "BatchGetItem", `{"RequestItems":{"$hash":{"Keys":[{"pk":{"S":"$k"}}],"ProjectionExpression":"a","ExpressionAttributeNames":{"#b":"b"}}}}`, "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}"),
		{Name: "one bad item", Why: "the batch is refused whole", Steps: []Step{
			invalid("BatchWriteItem", `{"RequestItems":{"$hash":[`+putAt(1)+`,{"PutRequest":{"Item":{"x":{"S":"$k"}}}}]}}`, "One or more parameter values were invalid: Missing the key pk in the item"),
			get("$hash", `{"pk":{"S":"$k1"}}`, "")}},
		{Name: "missing table", Why: "a table that is not there", Steps: []Step{
			refuse("BatchWriteItem", `{"RequestItems":{"$hash-missing":[`+putAt(1)+`]}}`, "ResourceNotFoundException", "Requested resource not found"),
			refuse("BatchGetItem", `{"RequestItems":{"$hash-missing":{"Keys":[{"pk":{"S":"$k"}}]}}}`, "ResourceNotFoundException", "Requested resource not found")}},
	}}
}

func putAt(i int) string {
	return fmt.Sprintf(`{"PutRequest":{"Item":{"pk":{"S":"$k%d"}}}}`, i)
}

// bigItems stores n items of 400 KB.
func bigItems(n int) []Step {
	v := strings.Repeat("x", 409500)
	var out []Step
	for i := range n {
		out = append(out, put("$hash", fmt.Sprintf(`{"pk":{"S":"$k%d"},"v":{"S":"%s"}}`, i, v)))
	}
	return out
}
