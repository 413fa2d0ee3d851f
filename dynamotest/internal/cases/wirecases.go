package cases

func wireGroup() Group {
	one := func(name, why string, s Step) Case { return Case{Name: name, Why: why, Steps: []Step{s}} }
	ser := func(op, in, msg string) Step { return rawRefuse(op, in, "SerializationException", msg) }
	item := func(v string) string { return `{"TableName":"$hash","Item":{"pk":{"S":"$k"},"v":` + v + `}}` }
	const null = "1 validation error detected: Value null at '"
	return Group{Name: "wire", Cases: []Case{
		one("unknown operation", "a typing error in the target", rawRefuse("FetchItem", `{}`, "UnknownOperationException", "")),
		one("no JSON", "a broken body", ser("GetItem", `{`, "")),
		one("number for string", "the JSON types are checked", ser("PutItem", `{"TableName":5}`, "NUMBER_VALUE cannot be converted to String")),
		one("boolean for string", "the JSON types are checked", ser("PutItem", `{"TableName":true}`, "TRUE_VALUE cannot be converted to String")),
		one("number for S", "numbers are strings on the wire", ser("PutItem", item(`{"S":5}`), "")),
		one("number for N", "numbers are strings on the wire", ser("PutItem", item(`{"N":5}`), "")),
		one("string for SS", "a set is a list", ser("PutItem", item(`{"SS":"a"}`), "")),
		one("string for a value", "a value is an object", ser("PutItem", item(`"a"`), "")),
		one("list for M", "a map is an object", ser("PutItem", item(`{"M":[]}`), "")),
		one("no base64", "binary is base64", ser("PutItem", item(`{"B":"*"}`), "")),
		one("list for item", "an item is an object", ser("PutItem", `{"TableName":"$hash","Item":[]}`, "")),
		one("string for number", "the JSON types are checked", ser("Scan", `{"TableName":"$hash","Limit":"5"}`, "STRING_VALUE cannot be converted to Integer")),
		one("no table name", "a required member", rawInvalid("GetItem", `{"Key":{"pk":{"S":"a"}}}`, null+"tableName' failed to satisfy constraint: Member must not be null")),
		one("no key", "a required member", rawInvalid("GetItem", `{"TableName":"$hash"}`, null+"key' failed to satisfy constraint: Member must not be null")),
		one("no item", "a required member", rawInvalid("PutItem", `{"TableName":"$hash"}`, null+"item' failed to satisfy constraint: Member must not be null")),
		one("no key to delete", "a required member", rawInvalid("DeleteItem", `{"TableName":"$hash"}`, null+"key' failed to satisfy constraint: Member must not be null")),
		one("no key to update", "a required member", rawInvalid("UpdateItem", `{"TableName":"$hash"}`, null+"key' failed to satisfy constraint: Member must not be null")),
		one("no batch", "a required member", rawInvalid("BatchGetItem", `{}`, null+"requestItems' failed to satisfy constraint: Member must not be null")),
		one("no transaction", "a required member", rawInvalid("TransactWriteItems", `{}`, null+"transactItems' failed to satisfy constraint: Member must not be null")),
		one("null members are absent", "JSON null is as good as nothing", Step{Op: "GetItem", Raw: true, In: `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"ProjectionExpression":null,"ConsistentRead":null}`, Want: `{}`}),
		one("unknown members are ignored", "newer clients send more", Step{Op: "GetItem", Raw: true, In: `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"Novelty":{"x":1}}`, Want: `{}`}),
		one("table name with a space", "letters, digits and _.-", invalid("GetItem", `{"TableName":"a b c","Key":{"pk":{"S":"a"}}}`, "1 validation error detected: Value 'a b c' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")),
		one("limit of zero", "a page holds something", invalid("Scan", `{"TableName":"$hash","Limit":0}`, "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1")),
		one("unknown select", "four words exist", invalid("Scan", `{"TableName":"$hash","Select":"SOME"}`, "1 validation error detected: Value 'SOME' at 'select' failed to satisfy constraint: Member must satisfy enum value set: […]")),
	}}
}
