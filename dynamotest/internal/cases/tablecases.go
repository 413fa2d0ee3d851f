package cases

import (
	"fmt"
	"strings"
)

func tableGroup() Group {
	const inv = "One or more parameter values were invalid: "
	def := func(name, attrs, keys, rest string) string {
		return `{"TableName":"` + name + `","AttributeDefinitions":[` + attrs + `],"KeySchema":[` + keys + `]` + rest + `}`
	}
	attr := func(names ...string) string {
		var out []string
		for _, n := range names {
			out = append(out, `{"AttributeName":"`+n+`","AttributeType":"S"}`)
		}
		return strings.Join(out, ",")
	}
	const (
		pk     = `{"AttributeName":"pk","KeyType":"HASH"}`
		sk     = `{"AttributeName":"sk","KeyType":"RANGE"}`
		demand = `,"BillingMode":"PAY_PER_REQUEST"`
		all    = `"Projection":{"ProjectionType":"ALL"}`
	)
	gsi := func(name, keys, rest string) string {
		return `{"IndexName":"` + name + `","KeySchema":[` + keys + `],` + rest + `}`
	}
	gsis := func(list ...string) string { return `,"GlobalSecondaryIndexes":[` + strings.Join(list, ",") + `]` }
	lsis := func(list ...string) string { return `,"LocalSecondaryIndexes":[` + strings.Join(list, ",") + `]` }
	g := `{"AttributeName":"g","KeyType":"HASH"}`
	gr := `{"AttributeName":"g","KeyType":"RANGE"}`
	plain := anyStep("CreateTable", def("$T1", attr("pk"), pk, demand))
	no := func(name, why, in, msg string) Case {
		return Case{Name: name, Why: why, Steps: []Step{invalid("CreateTable", in, msg)}}
	}
	var twentyOne, six []string
	for i := range 21 {
		twentyOne = append(twentyOne, gsi(fmt.Sprintf("index-%d", i), g, all))
	}
	for i := range 6 {
		six = append(six, gsi(fmt.Sprintf("index-%d", i), pk+","+gr, all))
	}
	multi := func(n int, typ string) (keys, attrs string) {
		var k, a []string
		for i := range n {
			k = append(k, fmt.Sprintf(`{"AttributeName":"m%s%d","KeyType":"%s"}`, strings.ToLower(typ), i, typ))
			a = append(a, fmt.Sprintf("m%s%d", strings.ToLower(typ), i))
		}
		return strings.Join(k, ","), attr(a...)
	}
	h4, ah4 := multi(4, "HASH")
	h5, ah5 := multi(5, "HASH")
	r4, ar4 := multi(4, "RANGE")
	ttl := func(rest string) string {
		return `{"TableName":"$T1","TimeToLiveSpecification":{"AttributeName":"ttl",` + rest + `}}`
	}
	describe := func(want string) Step {
		return Step{Op: "DescribeTable", In: `{"TableName":"$T1"}`, Want: want, Pick: true, Wait: true}
	}
	return Group{Name: "tables", Cases: []Case{
		{Name: "create, describe, delete", Why: "the life of a table", Source: "API reference, CreateTable", Steps: []Step{
			pickStep("CreateTable", def("$T1", attr("pk", "sk"), pk+","+sk, demand), `{"TableDescription.TableName":"$T1","TableDescription.KeySchema":[`+pk+`,`+sk+`],"TableDescription.BillingModeSummary.BillingMode":"PAY_PER_REQUEST","TableDescription.ItemCount":0}`),
			describe(`{"Table.TableName":"$T1","Table.TableStatus":"ACTIVE","Table.KeySchema":[` + pk + `,` + sk + `],"Table.ProvisionedThroughput.ReadCapacityUnits":0}`),
			pickStep("DeleteTable", `{"TableName":"$T1"}`, `{"TableDescription.TableName":"$T1","TableDescription.TableStatus":"DELETING"}`),
			{Op: "DescribeTable", In: `{"TableName":"$T1"}`, Code: "ResourceNotFoundException", Msg: "Requested resource not found: Table: $T1 not found", Wait: true}}},
		{Name: "provisioned", Why: "throughput is described", Steps: []Step{
			anyStep("CreateTable", def("$T1", attr("pk"), pk, `,"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6}`)),
			describe(`{"Table.ProvisionedThroughput.ReadCapacityUnits":5,"Table.ProvisionedThroughput.WriteCapacityUnits":6}`)}},
		{Name: "create twice", Why: "names are unique", Steps: []Step{plain, refuse("CreateTable", def("$T1", attr("pk"), pk, demand), "ResourceInUseException", "Table already exists: $T1")}},
		{Name: "describe missing", Why: "a table that is not there", Steps: []Step{refuse("DescribeTable", `{"TableName":"$T1"}`, "ResourceNotFoundException", "Requested resource not found: Table: $T1 not found")}},
		{Name: "delete missing", Why: "a table that is not there", Steps: []Step{refuse("DeleteTable", `{"TableName":"$T1"}`, "ResourceNotFoundException", "Requested resource not found: Table: $T1 not found")}},
		{Name: "update missing", Why: "a table that is not there", Steps: []Step{refuse("UpdateTable", `{"TableName":"$T1","BillingMode":"PAY_PER_REQUEST"}`, "ResourceNotFoundException", "Requested resource not found: Table: $T1 not found")}},
		{Name: "deleted items are gone", Why: "a table made again is empty", Steps: []Step{plain, put("$T1", `{"pk":{"S":"a"}}`), anyStep("DeleteTable", `{"TableName":"$T1"}`),
			{Op: "DescribeTable", In: `{"TableName":"$T1"}`, Code: "ResourceNotFoundException", Wait: true}, plain, ok("Scan", `{"TableName":"$T1","ConsistentRead":true}`, `{"Count":0,"ScannedCount":0,"Items":[]}`)}},
		{Name: "list", Why: "by name, in pages", Source: "API reference, ListTables", Steps: []Step{
			anyStep("CreateTable", def("$T3", attr("pk"), pk, demand)), plain, anyStep("CreateTable", def("$T2", attr("pk"), pk, demand)),
			ok("ListTables", `{"ExclusiveStartTableName":"$T1","Limit":1}`, `{"TableNames":["$T2"],"LastEvaluatedTableName":"$T2"}`),
			pickStep("ListTables", `{"ExclusiveStartTableName":"$T2","Limit":1}`, `{"TableNames":["$T3"]}`)}},
		{Name: "list with no limit", Why: "1 to 100", Steps: []Step{
			invalid("ListTables", `{"Limit":0}`, "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"),
			invalid("ListTables", `{"Limit":101}`, "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100")}},

		no("short name", "3 to 255 characters", def("ab", attr("pk"), pk, demand), "…"),
		no("name with a space", "letters, digits and _.-", def("a b c", attr("pk"), pk, demand), "…"),
		no("undefined key", "key attributes are declared", def("$T1", attr("x"), pk, demand), inv+"Some index key attributes are not defined in AttributeDefinitions. Keys: [pk], AttributeDefinitions: [x]"),
		no("unused definition", "key attributes alone are declared", def("$T1", attr("pk", "x"), pk, demand), inv+"Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"),
		no("one attribute twice", "two keys are two attributes", def("$T1", attr("pk", "x"), pk+`,{"AttributeName":"pk","KeyType":"RANGE"}`, demand), "…"),
		no("range first", "HASH, then RANGE", def("$T1", attr("sk"), sk, demand), "Invalid KeySchema: The first KeySchemaElement is not a HASH key type"),
		no("two partition keys", "HASH, then RANGE", def("$T1", attr("pk", "g"), pk+`,`+g, demand), "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"),
		no("three keys", "one or two", def("$T1", attr("pk", "sk", "g"), pk+`,`+sk+`,`+gr, demand), "1 validation error detected: Value '…' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2"),
		no("no billing", "provisioned needs throughput", def("$T1", attr("pk"), pk, ""), inv+"ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"),
		no("throughput on demand", "the two contradict", def("$T1", attr("pk"), pk, demand+`,"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`), inv+"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"),
		no("no throughput", "one unit at least", def("$T1", attr("pk"), pk, `,"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":1}`), "1 validation error detected: Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1"),
		no("no global indexes", "a list holds something", def("$T1", attr("pk"), pk, demand+gsis()), inv+"List of GlobalSecondaryIndexes is empty"),
		no("no local indexes", "a list holds something", def("$T1", attr("pk", "sk"), pk+","+sk, demand+lsis()), inv+"List of LocalSecondaryIndexes is empty"),
		no("21 global indexes", "20 at most", def("$T1", attr("pk", "g"), pk, demand+gsis(twentyOne...)), inv+"GlobalSecondaryIndex count exceeds the per-table limit of 20"),
		no("6 local indexes", "5 at most", def("$T1", attr("pk", "sk", "g"), pk+","+sk, demand+lsis(six...)), inv+"Number of LocalSecondaryIndexes exceeds per-table limit of 5"),
		no("index name twice", "names are unique", def("$T1", attr("pk", "g"), pk, demand+gsis(gsi("one", g, all), gsi("one", g, all))), inv+"Duplicate index name: one"),
		no("undefined index key", "key attributes are declared", def("$T1", attr("pk"), pk, demand+gsis(gsi("one", g, all))), "…"),
		no("no projection type", "ALL, KEYS_ONLY or INCLUDE", def("$T1", attr("pk", "g"), pk, demand+gsis(gsi("one", g, `"Projection":{}`))), inv+"Unknown ProjectionType: null"),
		no("attributes of all", "only INCLUDE names attributes", def("$T1", attr("pk", "g"), pk, demand+gsis(gsi("one", g, `"Projection":{"ProjectionType":"ALL","NonKeyAttributes":["x"]}`))), inv+"ProjectionType is ALL, but NonKeyAttributes is specified"),
		no("include of nothing", "INCLUDE names attributes", def("$T1", attr("pk", "g"), pk, demand+gsis(gsi("one", g, `"Projection":{"ProjectionType":"INCLUDE"}`))), inv+"ProjectionType is INCLUDE, but NonKeyAttributes is not specified"),
		no("local index without sort key of the table", "a local index reorders a partition", def("$T1", attr("pk", "g"), pk, demand+lsis(gsi("one", pk+","+gr, all))), inv+"Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex"),
		no("local index without sort key", "a local index has one", def("$T1", attr("pk", "sk"), pk+","+sk, demand+lsis(gsi("one", pk, all))), inv+"Index KeySchema does not have a range key for index: one"),
		no("local index of another partition key", "it is the table's", def("$T1", attr("pk", "sk", "g"), pk+","+sk, demand+lsis(gsi("one", g+","+sk, all))), inv+"Index KeySchema does not have the same leading hash key as table KeySchema for index: one. index hash key: g, table hash key: pk"),
		no("five partition parts", "four at most", def("$T1", attr("pk")+","+ah5, pk, demand+gsis(gsi("one", h5, all))), "…"),
		no("partition part after sort part", "all HASH first", def("$T1", attr("pk", "g", "sk"), pk, demand+gsis(gsi("one", g+","+sk+","+pk, all))), "…"),
		{Name: "eight parts", Why: "four and four are legal", Source: "developer guide, GSI.DesignPattern.MultiAttributeKeys", Steps: []Step{
			anyStep("CreateTable", def("$T1", attr("pk")+","+ah4+","+ar4, pk, demand+gsis(gsi("one", h4+","+r4, all))))}},

		// UpdateTable.
		{Name: "add and delete an index", Why: "what is stored is filled in", Source: "developer guide, GSI.OnlineOps", Slow: true, Steps: []Step{
			plain, put("$T1", `{"pk":{"S":"a"},"g":{"S":"x"}}`), put("$T1", `{"pk":{"S":"b"}}`),
			pickStep("UpdateTable", `{"TableName":"$T1","AttributeDefinitions":[`+attr("pk", "g")+`],"GlobalSecondaryIndexUpdates":[{"Create":`+gsi("one", g, all)+`}]}`, `{"TableDescription.GlobalSecondaryIndexes.0.IndexName":"one"}`),
			describe(`{"Table.TableStatus":"ACTIVE","Table.GlobalSecondaryIndexes.0.IndexStatus":"ACTIVE"}`),
			ok("Query", `{"TableName":"$T1","IndexName":"one","KeyConditionExpression":"g = :x"`+params(":x")+`}`, listed(`{"pk":{"S":"a"},"g":{"S":"x"}}`, 1)),
			anyStep("UpdateTable", `{"TableName":"$T1","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"one"}}]}`),
			describe(`{"Table.TableStatus":"ACTIVE","Table.GlobalSecondaryIndexes":null}`),
			invalid("Query", `{"TableName":"$T1","IndexName":"one","KeyConditionExpression":"g = :x"`+params(":x")+`}`, "The table does not have the specified index: one")}},
		{Name: "redefine another attribute", Why: "a definition that nothing new uses changes nothing", Steps: []Step{
			plain,
			pickStep("UpdateTable", `{"TableName":"$T1","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"N"},`+attr("g")+`],"GlobalSecondaryIndexUpdates":[{"Create":`+gsi("one", g, all)+`}]}`,
				`{"TableDescription.AttributeDefinitions":[`+attr("pk", "g")+`]}`)}},
		{Name: "redefine the key of a new index", Why: "an attribute has one type in all keys", Steps: []Step{
			plain,
			invalid("UpdateTable", `{"TableName":"$T1","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"N"}],"GlobalSecondaryIndexUpdates":[{"Create":`+gsi("one", pk, all)+`}]}`, "One or more parameter values were invalid: Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. …")}},
		{Name: "backfill leaves out what does not fit", Why: "items whose attribute has another type stay out", Source: "developer guide, GSI.OnlineOps", Slow: true, Steps: []Step{
			plain, put("$T1", `{"pk":{"S":"a"},"g":{"N":"1"}}`), put("$T1", `{"pk":{"S":"b"},"g":{"S":"x"}}`),
			anyStep("UpdateTable", `{"TableName":"$T1","AttributeDefinitions":[`+attr("pk", "g")+`],"GlobalSecondaryIndexUpdates":[{"Create":`+gsi("one", g, all)+`}]}`),
			describe(`{"Table.TableStatus":"ACTIVE","Table.GlobalSecondaryIndexes.0.IndexStatus":"ACTIVE"}`),
			{Op: "Scan", In: `{"TableName":"$T1","IndexName":"one"}`, Want: listed(`{"pk":{"S":"b"},"g":{"S":"x"}}`, 1)}}},
		{Name: "change throughput", Why: "described at once or soon", Steps: []Step{
			anyStep("CreateTable", def("$T1", attr("pk"), pk, `,"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}`)),
			pickStep("UpdateTable", `{"TableName":"$T1","ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":5}}`, `{"TableDescription.TableStatus":"UPDATING","TableDescription.ProvisionedThroughput.ReadCapacityUnits":5}`),
			describe(`{"Table.TableStatus":"ACTIVE","Table.ProvisionedThroughput.ReadCapacityUnits":7}`)}},
		{Name: "change nothing", Why: "the same throughput is a mistake", Steps: []Step{
			anyStep("CreateTable", def("$T1", attr("pk"), pk, `,"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}`)),
			invalid("UpdateTable", `{"TableName":"$T1","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}}`, "The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: 5. Requested ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 5. Requested WriteCapacityUnits: 5. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.")}},
		{Name: "change billing", Why: "to on demand", Steps: []Step{
			anyStep("CreateTable", def("$T1", attr("pk"), pk, `,"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}`)),
			anyStep("UpdateTable", `{"TableName":"$T1","BillingMode":"PAY_PER_REQUEST"}`),
			describe(`{"Table.TableStatus":"ACTIVE","Table.BillingModeSummary.BillingMode":"PAY_PER_REQUEST","Table.ProvisionedThroughput.ReadCapacityUnits":0}`)}},
		{Name: "update by a name with a space", Why: "faults of form come first", Steps: []Step{invalid("UpdateTable", `{"TableName":"a b c"}`, "1 validation error detected: Value 'a b c' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")}},
		{Name: "update with nothing", Why: "something must change", Steps: []Step{plain, invalid("UpdateTable", `{"TableName":"$T1"}`, "At least one of ProvisionedThroughput, …is required")}},
		{Name: "provisioned without throughput", Why: "the two belong together", Steps: []Step{plain, invalid("UpdateTable", `{"TableName":"$T1","BillingMode":"PROVISIONED"}`, inv+"ProvisionedThroughput must be specified when BillingMode is PROVISIONED")}},
		{Name: "throughput of an on-demand table", Why: "the two contradict", Steps: []Step{plain, invalid("UpdateTable", `{"TableName":"$T1","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5}}`, inv+"Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")}},
		{Name: "delete a missing index", Why: "an index that is not there", Steps: []Step{plain, refuse("UpdateTable", `{"TableName":"$T1","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"one"}}]}`, "ResourceNotFoundException", "")}},

		// TTL.
		{Name: "ttl", Why: "off, on, off", Source: "API reference, UpdateTimeToLive", Steps: []Step{
			plain,
			ok("DescribeTimeToLive", `{"TableName":"$T1"}`, `{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`),
			ok("UpdateTimeToLive", ttl(`"Enabled":true`), `{"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`),
			{Op: "DescribeTimeToLive", In: `{"TableName":"$T1"}`, Want: `{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ttl"}}`, Wait: true}}},
		{Name: "ttl twice", Why: "it is on", Steps: []Step{plain, anyStep("UpdateTimeToLive", ttl(`"Enabled":true`)), invalid("UpdateTimeToLive", ttl(`"Enabled":true`), "TimeToLive is already enabled")}},
		{Name: "ttl off twice", Why: "it is off", Steps: []Step{plain, invalid("UpdateTimeToLive", ttl(`"Enabled":false`), "TimeToLive is already disabled")}},
		{Name: "ttl of a missing table", Why: "a table that is not there", Steps: []Step{
			refuse("DescribeTimeToLive", `{"TableName":"$T1"}`, "ResourceNotFoundException", "Requested resource not found: Table: $T1 not found"),
			refuse("UpdateTimeToLive", ttl(`"Enabled":true`), "ResourceNotFoundException", "Requested resource not found: Table: $T1 not found")}},
	}}
}

// legacyGroup holds what the service says of the parameters from before
// expressions next to expressions. Alone they are legal, and outside of what
// the cases ask of an endpoint.
func legacyGroup() Group {
	const both = "Can not use both expression and non-expression parameters in the same request: "
	no := func(name, op, in, msg string) Case {
		return Case{Name: name, Why: "old and new parameters do not mix", Source: "developer guide, LegacyConditionalParameters", Steps: []Step{invalid(op, in, both+msg)}}
	}
	return Group{Name: "legacy", Cases: []Case{
		no("get", "GetItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"AttributesToGet":["a"],"ProjectionExpression":"b"}`, "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"),
		no("put", "PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"}},"Expected":{"a":{"Exists":false}},"ConditionExpression":"attribute_not_exists(a)"}`, "Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}"),
		no("delete", "DeleteItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"Expected":{"a":{"Exists":false}},"ConditionExpression":"attribute_not_exists(a)"}`, "Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}"),
		no("update", "UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"AttributeUpdates":{"a":{"Action":"DELETE"}},"UpdateExpression":"REMOVE a"}`, "Non-expression parameters: {AttributeUpdates} Expression parameters: {UpdateExpression}"),
		no("query", "Query", `{"TableName":"$hash","KeyConditionExpression":"pk = :pk","QueryFilter":{"a":{"ComparisonOperator":"NOT_NULL"}}`+params(":pk")+`}`, "Non-expression parameters: {QueryFilter} Expression parameters: {KeyConditionExpression}"),
		no("scan", "Scan", `{"TableName":"$hash","FilterExpression":"attribute_exists(a)","ScanFilter":{"a":{"ComparisonOperator":"NOT_NULL"}}}`, "Non-expression parameters: {ScanFilter} Expression parameters: {FilterExpression}"),
		no("batch get", "BatchGetItem", `{"RequestItems":{"$hash":{"Keys":[{"pk":{"S":"$k"}}],"AttributesToGet":["a"],"ProjectionExpression":"b"}}}`, "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"),
	}}
}
