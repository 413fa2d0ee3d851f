package cases

import (
	"fmt"
	"strings"
)

// ks names the partition and sort keys of items, as a list of items.
func ks(sorts ...string) string {
	var out []string
	for _, s := range sorts {
		out = append(out, `{"pk":{"S":"$k"},"sk":{"S":"`+s+`"}}`)
	}
	return strings.Join(out, ",")
}

func listed(items string, n int) string {
	return fmt.Sprintf(`{"Count":%d,"ScannedCount":%d,"Items":[%s]}`, n, n, items)
}

func queryGroup() Group {
	const (
		missed    = "Query condition missed key schema element: "
		unsupp    = "Query key condition not supported"
		operator  = "Invalid operator used in KeyConditionExpression: "
		start     = "The provided starting key is invalid"
		mismatch  = "One or more parameter values were invalid: Condition parameter type does not match schema type"
		condition = "Invalid condition in KeyConditionExpression: "
	)
	// The sort keys of the partition that most cases query.
	stored := []string{"a", "ab", "abc", "b", "c#1", "c#2", "d", "é", "￿", "😀"}
	var fill []Step
	for _, s := range []int{5, 2, 9, 0, 7, 3, 1, 8, 6, 4} {
		fill = append(fill, put("$range", `{"pk":{"S":"$k"},"sk":{"S":"`+stored[s]+`"}}`))
	}
	query := func(cond, vals, rest string) string {
		return `{"TableName":"$range","KeyConditionExpression":"` + cond + `","ExpressionAttributeValues":{":pk":{"S":"$k"}` + vals + `}` + rest + `}`
	}
	reads := func(name, why, cond, vals, rest string, want ...string) Case {
		return Case{Name: name, Why: why, Source: "developer guide, Query.KeyConditionExpressions", Steps: append(fill[:len(fill):len(fill)],
			ok("Query", query(cond, vals, rest), listed(ks(want...), len(want))))}
	}
	no := func(name, why, in, msg string) Case {
		return Case{Name: name, Why: why, Steps: []Step{invalid("Query", in, msg)}}
	}
	a, b, d := `,":a":{"S":"a"}`, `,":b":{"S":"b"}`, `,":d":{"S":"d"}`
	start1 := func(key string) string { return `,"ExclusiveStartKey":` + key }

	five := func(extra string) []Step {
		var s []Step
		for i := 1; i <= 5; i++ {
			s = append(s, put("$range", fmt.Sprintf(`{"pk":{"S":"$k"},"sk":{"S":"%d"},"n":{"N":"%d"}%s}`, i, i, extra)))
		}
		return s
	}
	fives := func(ns ...int) string {
		var out []string
		for _, n := range ns {
			out = append(out, fmt.Sprintf(`{"pk":{"S":"$k"},"sk":{"S":"%d"},"n":{"N":"%d"}}`, n, n))
		}
		return strings.Join(out, ",")
	}
	lek := func(n int) string { return fmt.Sprintf(`{"pk":{"S":"$k"},"sk":{"S":"%d"}}`, n) }

	var large []Step
	for i := range 5 {
		large = append(large, put("$range", fmt.Sprintf(`{"pk":{"S":"$k"},"sk":{"S":"%d"},"v":{"S":"%s"}}`, i, strings.Repeat("x", 300<<10))))
	}

	return Group{Name: "queries", Cases: []Case{
		reads("partition", "all of it, by the bytes of the sort key", "pk = :pk", "", "", stored...),
		reads("backwards", "the other way around", "pk = :pk", "", `,"ScanIndexForward":false`, "😀", "￿", "é", "d", "c#2", "c#1", "b", "abc", "ab", "a"),
		reads("equal", "one item", "pk = :pk AND sk = :a", a, "", "a"),
		reads("less", "the bound is excluded", "pk = :pk AND sk < :b", b, "", "a", "ab", "abc"),
		reads("less or equal", "the bound is included", "pk = :pk AND sk <= :b", b, "", "a", "ab", "abc", "b"),
		reads("greater", "the bound is excluded", "pk = :pk AND sk > :d", d, "", "é", "￿", "😀"),
		reads("greater or equal", "the bound is included", "pk = :pk AND sk >= :d", d, "", "d", "é", "￿", "😀"),
		reads("between", "both bounds are included", "pk = :pk AND sk BETWEEN :a AND :b", a+b, "", "a", "ab", "abc", "b"),
		reads("between backwards", "the operands keep their order", "pk = :pk AND sk BETWEEN :a AND :b", a+b, `,"ScanIndexForward":false`, "b", "abc", "ab", "a"),
		reads("begins_with", "a prefix", "pk = :pk AND begins_with(sk, :a)", a, "", "a", "ab", "abc"),
		reads("begins_with backwards", "a prefix the other way around", "pk = :pk AND begins_with(sk, :a)", a, `,"ScanIndexForward":false`, "abc", "ab", "a"),
		reads("begins_with the highest", "a prefix without a successor", "pk = :pk AND begins_with(sk, :a)", `,":a":{"S":"￿"}`, "", "￿"),
		reads("sort key first", "the order of the conditions is free", "sk = :a AND pk = :pk", a, "", "a"),
		reads("value first", "the value may stand on the left", ":pk = pk AND :b > sk", b, "", "a", "ab", "abc"),
		reads("parentheses", "around a condition", "(pk = :pk) AND (sk = :a)", a, "", "a"),
		reads("nothing", "an empty page", "pk = :pk AND sk > :a", `,":a":{"S":"😀"}`, ""),
		{Name: "absent partition", Why: "an empty page is no error", Steps: []Step{ok("Query", query("pk = :pk", "", ""), `{"Count":0,"ScannedCount":0,"Items":[]}`)}},
		{Name: "aliases", Why: "key attributes may be reserved words", Steps: append(fill[:len(fill):len(fill)],
			ok("Query", query("#pk = :pk AND #sk = :a", a, `,"ExpressionAttributeNames":{"#pk":"pk","#sk":"sk"}`), listed(ks("a"), 1)))},
		{Name: "binary order", Why: "bytes are unsigned", Steps: []Step{
			put("$bin", `{"pk":{"S":"$k"},"sk":{"B":"/w=="}}`), put("$bin", `{"pk":{"S":"$k"},"sk":{"B":"fw=="}}`), put("$bin", `{"pk":{"S":"$k"},"sk":{"B":"fwA="}}`), put("$bin", `{"pk":{"S":"$k"},"sk":{"B":"AA=="}}`), put("$bin", `{"pk":{"S":"$k"},"sk":{"B":"gA=="}}`),
			ok("Query", `{"TableName":"$bin","KeyConditionExpression":"pk = :pk","ProjectionExpression":"sk"`+params(":pk")+`}`, `{"Count":5,"ScannedCount":5,"Items":[{"sk":{"B":"AA=="}},{"sk":{"B":"fw=="}},{"sk":{"B":"fwA="}},{"sk":{"B":"gA=="}},{"sk":{"B":"/w=="}}]}`),
			ok("Query", `{"TableName":"$bin","KeyConditionExpression":"pk = :pk AND begins_with(sk, :b)","ProjectionExpression":"sk","ExpressionAttributeValues":{":pk":{"S":"$k"},":b":{"B":"fw=="}}}`, `{"Count":2,"ScannedCount":2,"Items":[{"sk":{"B":"fw=="}},{"sk":{"B":"fwA="}}]}`)}},
		{Name: "number range", Why: "by value", Steps: []Step{
			put("$num", `{"pk":{"S":"$k"},"sk":{"N":"9"}}`), put("$num", `{"pk":{"S":"$k"},"sk":{"N":"10"}}`), put("$num", `{"pk":{"S":"$k"},"sk":{"N":"-5"}}`),
			ok("Query", `{"TableName":"$num","KeyConditionExpression":"pk = :pk AND sk BETWEEN :a AND :b","ProjectionExpression":"sk","ExpressionAttributeValues":{":pk":{"S":"$k"},":a":{"N":"-5.0"},":b":{"N":"9.5"}}}`, `{"Count":2,"ScannedCount":2,"Items":[{"sk":{"N":"-5"}},{"sk":{"N":"9"}}]}`)}},

		// Pages.
		{Name: "limit", Why: "a page of two and its cursor", Source: "developer guide, Query.Pagination", Steps: append(five(""),
			ok("Query", query("pk = :pk", "", `,"Limit":2`), `{"Count":2,"ScannedCount":2,"Items":[`+fives(1, 2)+`],"LastEvaluatedKey":`+lek(2)+`}`),
			ok("Query", query("pk = :pk", "", `,"Limit":2`+start1(lek(2))), `{"Count":2,"ScannedCount":2,"Items":[`+fives(3, 4)+`],"LastEvaluatedKey":`+lek(4)+`}`),
			ok("Query", query("pk = :pk", "", `,"Limit":2`+start1(lek(4))), `{"Count":1,"ScannedCount":1,"Items":[`+fives(5)+`]}`))},
		{Name: "limit backwards", Why: "the cursor goes backwards too", Steps: append(five(""),
			ok("Query", query("pk = :pk", "", `,"Limit":2,"ScanIndexForward":false`), `{"Count":2,"ScannedCount":2,"Items":[`+fives(5, 4)+`],"LastEvaluatedKey":`+lek(4)+`}`),
			ok("Query", query("pk = :pk", "", `,"Limit":3,"ScanIndexForward":false`+start1(lek(4))), `{"Count":3,"ScannedCount":3,"Items":[`+fives(3, 2, 1)+`],"LastEvaluatedKey":`+lek(1)+`}`),
			ok("Query", query("pk = :pk", "", `,"ScanIndexForward":false`+start1(lek(1))), `{"Count":0,"ScannedCount":0,"Items":[]}`))},
		{Name: "limit that ends exactly", Why: "a full page has a cursor, whether or not more follows", Steps: append(five(""),
			ok("Query", query("pk = :pk", "", `,"Limit":5`), `{"Count":5,"ScannedCount":5,"Items":[`+fives(1, 2, 3, 4, 5)+`],"LastEvaluatedKey":`+lek(5)+`}`),
			ok("Query", query("pk = :pk", "", `,"Limit":5`+start1(lek(5))), `{"Count":0,"ScannedCount":0,"Items":[]}`))},
		{Name: "limit above the rest", Why: "no cursor, no more", Steps: append(five(""),
			ok("Query", query("pk = :pk", "", `,"Limit":6`), listed(fives(1, 2, 3, 4, 5), 5)))},
		{Name: "limit before filter", Why: "Limit is what is evaluated", Source: "developer guide, Query.FilterExpression", Steps: append(five(""),
			ok("Query", query("pk = :pk", `,":n":{"N":"2"}`, `,"Limit":3,"FilterExpression":"n > :n"`), `{"Count":1,"ScannedCount":3,"Items":[`+fives(3)+`],"LastEvaluatedKey":`+lek(3)+`}`),
			ok("Query", query("pk = :pk", `,":n":{"N":"4"}`, `,"Limit":3,"FilterExpression":"n > :n"`), `{"Count":0,"ScannedCount":3,"Items":[],"LastEvaluatedKey":`+lek(3)+`}`))},
		{Name: "start key of no item", Why: "a cursor is a position, not an item", Steps: append(five(""),
			ok("Query", query("pk = :pk", "", start1(`{"pk":{"S":"$k"},"sk":{"S":"3x"}}`)), listed(fives(4, 5), 2)))},
		{Name: "page of 1 MB", Why: "a page ends with the item that passes 1 MB", Source: "developer guide, Query.Pagination", Slow: true, Steps: append(large,
			pickStep("Query", query("pk = :pk", "", `,"Select":"COUNT"`), `{"Count":4,"ScannedCount":4,"LastEvaluatedKey":{"pk":{"S":"$k"},"sk":{"S":"3"}}}`),
			pickStep("Query", query("pk = :pk", `,":none":{"S":"none"}`, `,"FilterExpression":"v = :none"`), `{"Count":0,"ScannedCount":4,"LastEvaluatedKey":{"pk":{"S":"$k"},"sk":{"S":"3"}}}`),
			pickStep("Query", query("pk = :pk", "", `,"ProjectionExpression":"sk"`), `{"Count":4,"ScannedCount":4,"LastEvaluatedKey":{"pk":{"S":"$k"},"sk":{"S":"3"}}}`))},

		// Select.
		{Name: "select count", Why: "no items", Steps: append(five(""), ok("Query", query("pk = :pk", "", `,"Select":"COUNT"`), `{"Count":5,"ScannedCount":5}`))},
		{Name: "select all", Why: "the default, spelt out", Steps: append(five(""), ok("Query", query("pk = :pk", "", `,"Select":"ALL_ATTRIBUTES"`), listed(fives(1, 2, 3, 4, 5), 5)))},
		{Name: "select specific", Why: "with a projection", Steps: append(five(""), ok("Query", query("pk = :pk", "", `,"Select":"SPECIFIC_ATTRIBUTES","ProjectionExpression":"n","Limit":1`), `{"Count":1,"ScannedCount":1,"Items":[{"n":{"N":"1"}}],"LastEvaluatedKey":`+lek(1)+`}`))},
		no("select specific without projection", "nothing is specified", query("pk = :pk", "", `,"Select":"SPECIFIC_ATTRIBUTES"`), "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"),
		no("select all with projection", "the two contradict", query("pk = :pk", "", `,"Select":"ALL_ATTRIBUTES","ProjectionExpression":"n"`), "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"),
		no("select count with projection", "the two contradict", query("pk = :pk", "", `,"Select":"COUNT","ProjectionExpression":"n"`), "Cannot specify the ProjectionExpression when choosing to get …"),
		no("select projected of a table", "only an index has a projection", query("pk = :pk", "", `,"Select":"ALL_PROJECTED_ATTRIBUTES"`), "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"),

		// Filters.
		{Name: "filter", Why: "Count is after, ScannedCount before", Steps: append(five(""), ok("Query", query("pk = :pk", `,":n":{"N":"4"}`, `,"FilterExpression":"n >= :n"`), `{"Count":2,"ScannedCount":5,"Items":[`+fives(4, 5)+`]}`))},
		no("filter on the partition key", "keys belong to the key condition", query("pk = :pk", "", `,"FilterExpression":"pk <> :pk"`), "Filter Expression can only contain non-primary key attributes: Primary key attribute: pk"),
		no("filter on the sort key", "keys belong to the key condition", query("pk = :pk", a, `,"FilterExpression":"sk > :a"`), "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"),
		no("filter on the sort key by alias", "aliases are resolved first", query("pk = :pk", "", `,"FilterExpression":"attribute_exists(#s)","ExpressionAttributeNames":{"#s":"sk"}`), "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk"),

		// Refused key conditions.
		no("no condition", "a query has a partition", `{"TableName":"$range"}`, "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."),
		no("no partition key", "a query has a partition", `{"TableName":"$range","KeyConditionExpression":"sk = :a","ExpressionAttributeValues":{":a":{"S":"a"}}}`, missed+"pk"),
		no("another attribute", "conditions are on keys", query("pk = :pk AND x = :a", a, ""), missed+"sk"),
		no("another attribute without sort key", "conditions are on keys", `{"TableName":"$hash","KeyConditionExpression":"pk = :pk AND x = :pk"`+params(":pk")+`}`, unsupp),
		no("range of the partition key", "equality only", query("pk > :pk", "", ""), unsupp),
		no("begins_with on the partition key", "equality only", query("begins_with(pk, :pk)", "", ""), unsupp),
		no("between on the partition key", "equality only", query("pk BETWEEN :pk AND :pk", "", ""), unsupp),
		no("not equal", "not an ordered range", query("pk = :pk AND sk <> :a", a, ""), operator+"<>"),
		no("or", "one range", query("pk = :pk OR sk = :a", a, ""), operator+"OR"),
		no("not", "one range", query("pk = :pk AND NOT sk = :a", a, ""), operator+"NOT"),
		no("in", "one range", query("pk = :pk AND sk IN (:a, :b)", a+b, ""), operator+"IN"),
		no("contains", "no ordered range", query("pk = :pk AND contains(sk, :a)", a, ""), operator+"contains"),
		no("attribute_exists", "no range", query("pk = :pk AND attribute_exists(sk)", "", ""), operator+"attribute_exists"),
		no("size", "no attribute", query("pk = :pk AND size(sk) = :a", `,":a":{"N":"1"}`, ""), "KeyConditionExpressions cannot contain nested operations"),
		no("nested attribute", "keys are scalars", query("pk = :pk AND sk.x = :a", a, ""), "…KeyConditionExpressions cannot have conditions on nested attributes"),
		no("two conditions on the sort key", "one each", query("pk = :pk AND sk > :a AND sk < :b", a+b, ""), "KeyConditionExpressions must only contain one condition per key"),
		no("two attributes in one condition", "an attribute and a value", query("pk = sk AND sk = :pk", "", ""), condition+"Multiple attribute names used in one condition"),
		no("no attribute in a condition", "an attribute and a value", query("pk = :pk AND :a = :b", a+b, ""), condition+"No key attribute specified"),
		no("begins_with value first", "the attribute comes first", query("pk = :pk AND begins_with(:a, sk)", a, ""), condition+"begins_with operator must have the key attribute as its first operand"),
		no("between value first", "the attribute comes first", query("pk = :pk AND :a BETWEEN sk AND :b", a+b, ""), condition+"BETWEEN operator must have the key attribute as its first operand"),
		no("between bounds swapped", "an empty range is a mistake", query("pk = :pk AND sk BETWEEN :b AND :a", a+b, ""), "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"),
		no("begins_with of a number", "numbers have no prefix", `{"TableName":"$num","KeyConditionExpression":"pk = :pk AND begins_with(sk, :one)"`+params(":pk :one")+`}`, "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"),
		no("begins_with of the empty string", "an empty key value", query("pk = :pk AND begins_with(sk, :a)", `,":a":{"S":""}`, ""), "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk"),
		no("empty partition key", "no key is empty", `{"TableName":"$range","KeyConditionExpression":"pk = :e","ExpressionAttributeValues":{":e":{"S":""}}}`, "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"),
		no("empty sort key", "no key is empty", query("pk = :pk AND sk = :a", `,":a":{"S":""}`, ""), "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk"),
		no("partition key of another type", "key types are declared", `{"TableName":"$range","KeyConditionExpression":"pk = :one"`+params(":one")+`}`, mismatch),
		no("sort key of another type", "key types are declared", query("pk = :pk AND sk = :one", `,":one":{"N":"1"}`, ""), mismatch),
		no("empty expression", "nothing to ask", query("", "", ""), "Invalid KeyConditionExpression: The expression can not be empty;"),
		no("undefined value", "a typing error", query("pk = :pk AND sk = :undefined", "", ""), "Invalid KeyConditionExpression: An expression attribute value used in expression is not defined; attribute value: :undefined"),
		no("undefined alias", "a typing error", query("#undefined = :pk", "", ""), "Invalid KeyConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #undefined"),
		no("reserved word", "needs an alias", query("pk = :pk AND date = :a", a, ""), "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: date"),
		no("syntax", "a typing error", query("pk = :pk AND", "", ""), `Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: …`),
		no("unused value", "a typing error", query("pk = :pk", a, ""), "Value provided in ExpressionAttributeValues unused in expressions: keys: {:a}"),
		no("missing index", "a typing error", query("pk = :pk", "", `,"IndexName":"nope"`), "The table does not have the specified index: nope"),

		// Refused start keys.
		no("start key without sort key", "a position is a whole key", query("pk = :pk", "", start1(`{"pk":{"S":"$k"}}`)), start+"…"),
		no("start key with more", "a position is a key alone", query("pk = :pk", "", start1(`{"pk":{"S":"$k"},"sk":{"S":"a"},"x":{"S":"a"}}`)), start+"…"),
		no("start key of another type", "key types are declared", query("pk = :pk", "", start1(`{"pk":{"S":"$k"},"sk":{"N":"1"}}`)), start+"…"),
		no("start key of another partition", "outside of what is asked", query("pk = :pk", "", start1(`{"pk":{"S":"other"},"sk":{"S":"a"}}`)), "The provided starting key is outside query boundaries based on provided conditions"),
		no("start key outside the range", "outside of what is asked", query("pk = :pk AND sk > :b", b, start1(`{"pk":{"S":"$k"},"sk":{"S":"a"}}`)), "The provided starting key does not match the range key predicate"),
	}}
}

func scanGroup() Group {
	no := func(name, why, in, msg string) Case {
		return Case{Name: name, Why: why, Steps: []Step{invalid("Scan", in, msg)}}
	}
	table := func(n string) string {
		return `{"TableName":"` + n + `","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}`
	}
	own := func() []Step {
		s := []Step{anyStep("CreateTable", table("$T1"))}
		for i := 1; i <= 6; i++ {
			s = append(s, put("$T1", fmt.Sprintf(`{"pk":{"S":"p"},"sk":{"S":"%d"},"n":{"N":"%d"}}`, i, i)))
		}
		return s
	}
	items := func(ns ...int) string {
		var out []string
		for _, n := range ns {
			out = append(out, fmt.Sprintf(`{"pk":{"S":"p"},"sk":{"S":"%d"},"n":{"N":"%d"}}`, n, n))
		}
		return strings.Join(out, ",")
	}
	return Group{Name: "scans", Cases: []Case{
		{Name: "all", Why: "every item of the table", Steps: append(own(), Step{Op: "Scan", In: `{"TableName":"$T1","ConsistentRead":true}`, Want: listed(items(1, 2, 3, 4, 5, 6), 6), Unordered: true})},
		{Name: "empty", Why: "no item is no error", Steps: []Step{anyStep("CreateTable", table("$T1")), ok("Scan", `{"TableName":"$T1"}`, `{"Count":0,"ScannedCount":0,"Items":[]}`)}},
		{Name: "filter", Why: "Count is after, ScannedCount before", Steps: append(own(), Step{Op: "Scan", In: `{"TableName":"$T1","FilterExpression":"n > :four","ConsistentRead":true` + params(":four") + `}`, Want: `{"Count":2,"ScannedCount":6,"Items":[` + items(5, 6) + `]}`, Unordered: true})},
		{Name: "filter on a key", Why: "a scan may filter by keys", Steps: append(own(), ok("Scan", `{"TableName":"$T1","FilterExpression":"sk = :two","ConsistentRead":true,"ExpressionAttributeValues":{":two":{"S":"2"}}}`, `{"Count":1,"ScannedCount":6,"Items":[`+items(2)+`]}`))},
		{Name: "count", Why: "no items", Steps: append(own(), ok("Scan", `{"TableName":"$T1","Select":"COUNT","ConsistentRead":true}`, `{"Count":6,"ScannedCount":6}`))},
		{Name: "pages of one partition", Why: "a partition is in order, and cursors go on", Source: "developer guide, Scan.Pagination", Steps: append(own(),
			ok("Scan", `{"TableName":"$T1","Limit":4,"ConsistentRead":true}`, `{"Count":4,"ScannedCount":4,"Items":[`+items(1, 2, 3, 4)+`],"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"S":"4"}}}`),
			ok("Scan", `{"TableName":"$T1","Limit":4,"ConsistentRead":true,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"S":"4"}}}`, `{"Count":2,"ScannedCount":2,"Items":[`+items(5, 6)+`]}`))},
		{Name: "one segment", Why: "a whole in one part", Steps: append(own(), Step{Op: "Scan", In: `{"TableName":"$T1","Segment":0,"TotalSegments":1,"ConsistentRead":true}`, Want: listed(items(1, 2, 3, 4, 5, 6), 6), Unordered: true})},
		{Name: "projection", Why: "the attributes asked", Steps: append(own(), ok("Scan", `{"TableName":"$T1","Limit":1,"ProjectionExpression":"n","ConsistentRead":true}`, `{"Count":1,"ScannedCount":1,"Items":[{"n":{"N":"1"}}],"LastEvaluatedKey":{"pk":{"S":"p"},"sk":{"S":"1"}}}`))},
		no("segment without total", "one of how many?", `{"TableName":"$hash","Segment":1}`, "The TotalSegments parameter is required but was not present in the request when Segment parameter is present"),
		no("total without segment", "which one?", `{"TableName":"$hash","TotalSegments":2}`, "The Segment parameter is required but was not present in the request when parameter TotalSegments is present"),
		no("segment beyond total", "they count from zero", `{"TableName":"$hash","Segment":2,"TotalSegments":2}`, "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 2 is not less than TotalSegments: 2"),
		no("negative segment", "they count from zero", `{"TableName":"$hash","Segment":-1,"TotalSegments":2}`, "1 validation error detected: Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0"),
		no("no segments", "one at least", `{"TableName":"$hash","Segment":0,"TotalSegments":0}`, "1 validation error detected: Value '0' at 'totalSegments' failed to satisfy constraint: Member must have value greater than or equal to 1"),
		no("too many segments", "a million at most", `{"TableName":"$hash","Segment":0,"TotalSegments":1000001}`, "1 validation error detected: Value '1000001' at 'totalSegments' failed to satisfy constraint: Member must have value less than or equal to 1000000"),
		no("start key of another shape", "a position is a key", `{"TableName":"$hash","ExclusiveStartKey":{"x":{"S":"a"}}}`, "The provided starting key is invalid…"),
		no("missing index", "a typing error", `{"TableName":"$hash","IndexName":"nope"}`, "The table does not have the specified index: nope"),
		no("consistent scan of a global index", "it follows later", `{"TableName":"$idx","IndexName":"gall","ConsistentRead":true}`, "Consistent reads are not supported on global secondary indexes"),
		no("empty filter", "nothing to ask", `{"TableName":"$hash","FilterExpression":""}`, "Invalid FilterExpression: The expression can not be empty;"),
	}}
}
