package cases

import "strings"

func keyGroup() Group {
	const (
		schema  = "The provided key element does not match the schema"
		missing = "One or more parameter values were invalid: Missing the key "
		typ     = "One or more parameter values were invalid: Type mismatch for key "
		empty   = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
		hashBig = "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"
		sortBig = "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
	)
	one := func(name, why string, s Step) Case { return Case{Name: name, Why: why, Steps: []Step{s}} }
	key := func(op, table, key, rest string) string {
		return `{"TableName":"` + table + `","Key":` + key + rest + `}`
	}
	item := func(table, item string) string { return `{"TableName":"` + table + `","Item":` + item + `}` }
	of := func(n int) string { return "$k" + strings.Repeat("x", n-6) }

	cases := []Case{
		one("item without partition key", "every item has its keys", invalid("PutItem", item("$range", `{"sk":{"S":"a"}}`), missing+"pk in the item")),
		one("item without sort key", "every item has its keys", invalid("PutItem", item("$range", `{"pk":{"S":"$k"}}`), missing+"sk in the item")),
		one("item without attributes", "every item has its keys", invalid("PutItem", item("$range", `{}`), missing+"pk in the item")),
		one("partition key of another type", "key types are declared", invalid("PutItem", item("$hash", `{"pk":{"N":"1"}}`), typ+"pk expected: S actual: N")),
		one("sort key of another type", "key types are declared", invalid("PutItem", item("$num", `{"pk":{"S":"$k"},"sk":{"S":"1"}}`), typ+"sk expected: N actual: S")),
		one("null key", "NULL is no key", invalid("PutItem", item("$hash", `{"pk":{"NULL":true}}`), typ+"pk expected: S actual: NULL")),
		one("map key", "keys are scalars", invalid("PutItem", item("$hash", `{"pk":{"M":{}}}`), typ+"pk expected: S actual: M")),
		one("empty partition key", "keys have at least a byte", invalid("PutItem", item("$hash", `{"pk":{"S":""}}`), empty+"string value. Key: pk")),
		one("empty sort key", "keys have at least a byte", invalid("PutItem", item("$range", `{"pk":{"S":"$k"},"sk":{"S":""}}`), empty+"string value. Key: sk")),
		one("empty binary key", "keys have at least a byte", invalid("PutItem", item("$bin", `{"pk":{"S":"$k"},"sk":{"B":""}}`), empty+"binary value. Key: sk")),
		one("empty key read", "the same on reads", invalid("GetItem", key("", "$hash", `{"pk":{"S":""}}`, ""), empty+"string value. Key: pk")),
		one("empty key deleted", "the same on deletes", invalid("DeleteItem", key("", "$hash", `{"pk":{"S":""}}`, ""), empty+"string value. Key: pk")),
		one("empty key updated", "the same on updates", invalid("UpdateItem", key("", "$hash", `{"pk":{"S":""}}`, `,"UpdateExpression":"REMOVE x"`), empty+"string value. Key: pk")),
		one("long partition key", "2048 bytes at most", invalid("PutItem", item("$hash", `{"pk":{"S":"`+of(2049)+`"}}`), hashBig)),
		one("long partition key in characters of three bytes", "bytes count, not characters", invalid("PutItem", item("$hash", `{"pk":{"S":"$k`+strings.Repeat("x", 2040)+`漢"}}`), hashBig)),
		one("long sort key", "1024 bytes at most", invalid("PutItem", item("$range", `{"pk":{"S":"$k"},"sk":{"S":"`+of(1025)+`"}}`), sortBig)),
		one("long partition key read", "the same on reads", invalid("GetItem", key("", "$hash", `{"pk":{"S":"`+of(2049)+`"}}`, ""), hashBig)),
		one("long sort key read", "the same on reads", invalid("GetItem", key("", "$range", `{"pk":{"S":"$k"},"sk":{"S":"`+of(1025)+`"}}`, ""), sortBig)),
		one("long sort key deleted", "the same on deletes", invalid("DeleteItem", key("", "$range", `{"pk":{"S":"$k"},"sk":{"S":"`+of(1025)+`"}}`, ""), sortBig)),
		{Name: "longest keys", Why: "2048 and 1024 bytes are legal", Source: "developer guide, ServiceQuotas", Steps: []Step{
			put("$range", `{"pk":{"S":"`+of(2048)+`"},"sk":{"S":"`+of(1024)+`"}}`),
			get("$range", `{"pk":{"S":"`+of(2048)+`"},"sk":{"S":"`+of(1024)+`"}}`, `{"pk":{"S":"`+of(2048)+`"},"sk":{"S":"`+of(1024)+`"}}`)}},
		{Name: "case matters", Why: "AbC and abc are two items", Steps: []Step{
			put("$range", `{"pk":{"S":"$k"},"sk":{"S":"AbC"}}`), put("$range", `{"pk":{"S":"$k"},"sk":{"S":"abc"}}`),
			pickStep("Query", `{"TableName":"$range","KeyConditionExpression":"pk = :pk","Select":"COUNT"`+params(":pk")+`}`, `{"Count":2}`)}},
		{Name: "number partition key", Why: "1 and 1.0 are one key", Steps: []Step{
			put("$nhash", `{"pk":{"N":"1.0"},"v":{"S":"$k"}}`),
			get("$nhash", `{"pk":{"N":"1"}}`, `{"pk":{"N":"1"},"v":{"S":"$k"}}`)}},
		{Name: "binary partition key", Why: "bytes are a key", Steps: []Step{
			put("$bhash", `{"pk":{"B":"AP8B"},"v":{"S":"$k"}}`),
			get("$bhash", `{"pk":{"B":"AP8B"}}`, `{"pk":{"B":"AP8B"},"v":{"S":"$k"}}`)}},
	}
	for _, op := range []struct{ name, rest string }{{"GetItem", ""}, {"DeleteItem", ""}, {"UpdateItem", `,"UpdateExpression":"REMOVE x"`}} {
		cases = append(cases,
			one(op.name+" without sort key", "a key is whole", invalid(op.name, key(op.name, "$range", `{"pk":{"S":"$k"}}`, op.rest), schema)),
			one(op.name+" with too many attributes", "a key is nothing else", invalid(op.name, key(op.name, "$hash", `{"pk":{"S":"$k"},"x":{"S":"a"}}`, op.rest), schema)),
			one(op.name+" with another attribute", "a key is the table's", invalid(op.name, key(op.name, "$hash", `{"id":{"S":"$k"}}`, op.rest), schema)),
			one(op.name+" with another type", "key types are declared", invalid(op.name, key(op.name, "$hash", `{"pk":{"N":"1"}}`, op.rest), schema)),
			one(op.name+" with an empty key", "a key is whole", invalid(op.name, key(op.name, "$hash", `{}`, op.rest), schema)),
		)
	}
	return Group{Name: "keys", Cases: cases}
}
