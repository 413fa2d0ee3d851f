package cases

import (
	"fmt"
	"strings"
)

// entry is an item of the idx table in the partition $k, with a unique index
// partition $k.
func entry(sk, rest string) string {
	return `{"pk":{"S":"$k"},"sk":{"S":"` + sk + `"}` + rest + `}`
}

func indexGroup() Group {
	a := func(b int) string { return fmt.Sprintf(`,"a":{"S":"$k"},"b":{"N":"%d"}`, b) }
	xyz := `,"x":{"S":"x"},"y":{"S":"y"},"z":{"S":"z"}`
	q := func(index, cond, vals, rest string) string {
		return `{"TableName":"$idx","IndexName":"` + index + `","KeyConditionExpression":"` + cond + `","ExpressionAttributeValues":{":k":{"S":"$k"}` + vals + `}` + rest + `}`
	}
	no := func(name, why, op, in, msg string) Case {
		return Case{Name: name, Why: why, Steps: []Step{invalid(op, in, msg)}}
	}
	// lekOf is the cursor of an entry in gall.
	lekOf := func(sk string, b int) string { return entry(sk, a(b)) }
	var same []Step
	for i := range 5 {
		same = append(same, put("$idx", entry(fmt.Sprint(i), a(7))))
	}
	const empty = "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: …, IndexKey: a"
	return Group{Name: "indexes", Cases: []Case{
		{Name: "global index order", Why: "by the index's sort key", Source: "developer guide, GSI", Steps: []Step{
			put("$idx", entry("1", a(10))), put("$idx", entry("2", a(9))), put("$idx", entry("3", a(-1))),
			ok("Query", q("gall", "a = :k", "", ""), listed(entry("3", a(-1))+","+entry("2", a(9))+","+entry("1", a(10)), 3)),
			ok("Query", q("gall", "a = :k AND b > :b", `,":b":{"N":"-1"}`, `,"ScanIndexForward":false`), listed(entry("1", a(10))+","+entry("2", a(9)), 2))}},
		{Name: "keys only", Why: "the keys of index and table", Source: "developer guide, GSI.Projections", Steps: []Step{
			put("$idx", entry("1", a(1)+xyz)), ok("Query", q("gkeys", "a = :k", "", ""), listed(entry("1", `,"a":{"S":"$k"}`), 1))}},
		{Name: "include", Why: "keys and the attributes named", Source: "developer guide, GSI.Projections", Steps: []Step{
			put("$idx", entry("1", a(1)+xyz)), ok("Query", q("ginc", "a = :k", "", ""), listed(entry("1", `,"a":{"S":"$k"},"x":{"S":"x"},"y":{"S":"y"}`), 1))}},
		{Name: "sparse by partition", Why: "an item without the key is not in the index", Source: "developer guide, bp-indexes-general-sparse-indexes", Steps: []Step{
			put("$idx", entry("1", `,"b":{"N":"1"}`)), ok("Query", q("gall", "a = :k", "", ""), `{"Count":0,"ScannedCount":0,"Items":[]}`)}},
		{Name: "sparse by sort key", Why: "an item without half the key is not in the index", Steps: []Step{
			put("$idx", entry("1", `,"a":{"S":"$k"}`)), ok("Query", q("gall", "a = :k", "", ""), `{"Count":0,"ScannedCount":0,"Items":[]}`),
			ok("Query", q("gkeys", "a = :k", "", ""), listed(entry("1", `,"a":{"S":"$k"}`), 1))}},
		{Name: "leaves by removal", Why: "a removed key takes the entry along", Steps: []Step{
			put("$idx", entry("1", a(1))),
			anyStep("UpdateItem", `{"TableName":"$idx","Key":`+entry("1", "")+`,"UpdateExpression":"REMOVE a"}`),
			ok("Query", q("gall", "a = :k", "", ""), `{"Count":0,"ScannedCount":0,"Items":[]}`)}},
		{Name: "moves with its key", Why: "the entry follows", Steps: []Step{
			put("$idx", entry("1", a(1))), put("$idx", entry("2", a(2))),
			anyStep("UpdateItem", `{"TableName":"$idx","Key":`+entry("1", "")+`,"UpdateExpression":"SET b = :b","ExpressionAttributeValues":{":b":{"N":"3"}}}`),
			ok("Query", q("gall", "a = :k", "", ""), listed(entry("2", a(2))+","+entry("1", a(3)), 2))}},
		{Name: "goes with its item", Why: "a delete takes the entry along", Steps: []Step{
			put("$idx", entry("1", a(1))), anyStep("DeleteItem", `{"TableName":"$idx","Key":`+entry("1", "")+`}`),
			ok("Query", q("gall", "a = :k", "", ""), `{"Count":0,"ScannedCount":0,"Items":[]}`)}},
		{Name: "duplicates", Why: "index keys are not unique", Steps: append(same[:5:5],
			Step{Op: "Query", In: q("gall", "a = :k", "", ""), Unordered: true, Want: listed(entry("0", a(7))+","+entry("1", a(7))+","+entry("2", a(7))+","+entry("3", a(7))+","+entry("4", a(7)), 5)})},
		{Name: "cursor", Why: "index key and table key, nothing else", Source: "API reference, Query, ExclusiveStartKey", Steps: []Step{
			put("$idx", entry("1", a(1)+xyz)), put("$idx", entry("2", a(2)+xyz)), put("$idx", entry("3", a(3)+xyz)),
			pickStep("Query", q("gall", "a = :k", "", `,"Limit":2`), `{"Count":2,"LastEvaluatedKey":`+lekOf("2", 2)+`}`),
			ok("Query", q("gall", "a = :k", "", `,"Limit":2,"ExclusiveStartKey":`+lekOf("2", 2)), listed(entry("3", a(3)+xyz), 1))}},
		{Name: "local order", Why: "by the index's sort key", Source: "developer guide, LSI", Steps: []Step{
			put("$idx", entry("1", `,"a":{"S":"z"}`)), put("$idx", entry("2", `,"a":{"S":"m"}`)), put("$idx", entry("3", "")),
			ok("Query", q("lall", "pk = :k", "", `,"ConsistentRead":true`), listed(entry("2", `,"a":{"S":"m"}`)+","+entry("1", `,"a":{"S":"z"}`), 2))}},
		{Name: "local keys only", Why: "the keys of index and table", Source: "developer guide, LSI.Projections", Steps: []Step{
			put("$idx", entry("1", a(4)+xyz)), ok("Query", q("lkeys", "pk = :k", "", ""), listed(entry("1", `,"b":{"N":"4"}`), 1))}},
		{Name: "local fetches the rest", Why: "a local index reads the table for what it has not", Source: "developer guide, LSI.Projections", Steps: []Step{
			put("$idx", entry("1", a(4)+xyz)),
			ok("Query", q("lkeys", "pk = :k", "", `,"Select":"ALL_ATTRIBUTES"`), listed(entry("1", a(4)+xyz), 1)),
			ok("Query", q("lkeys", "pk = :k", "", `,"ProjectionExpression":"x"`), listed(`{"x":{"S":"x"}}`, 1))}},
		{Name: "local filter", Why: "what a filter looks at is not what an answer holds", Source: "developer guide, LSI.Projections", Steps: []Step{
			put("$idx", entry("1", a(4)+xyz)),
			pickStep("Query", q("lkeys", "pk = :k", `,":none":{"S":"none"}`, `,"FilterExpression":"x <> :none"`), `{"Items":[`+entry("1", `,"b":{"N":"4"}`)+`]}`),
			pickStep("Query", q("lkeys", "pk = :k", `,":none":{"S":"none"}`, `,"Select":"ALL_PROJECTED_ATTRIBUTES","FilterExpression":"x <> :none"`), `{"Items":[`+entry("1", `,"b":{"N":"4"}`)+`]}`)}},
		{Name: "projection of what a global index lacks", Why: "a global index cannot fetch", Source: "developer guide, GSI.Projections", Steps: []Step{
			invalid("Query", q("gkeys", "a = :k", "", `,"ProjectionExpression":"sk, x"`), "One or more parameter values were invalid: Global secondary index gkeys does not project [x]")}},
		{Name: "local duplicates are in table order", Why: "equal index keys follow the table's sort key", Steps: []Step{
			put("$idx", entry("2", `,"a":{"S":"m"}`)), put("$idx", entry("1", `,"a":{"S":"m"}`)),
			ok("Query", q("lall", "pk = :k", "", ""), listed(entry("1", `,"a":{"S":"m"}`)+","+entry("2", `,"a":{"S":"m"}`), 2))}},
		{Name: "local cursor", Why: "table key and index sort key", Steps: []Step{
			put("$idx", entry("1", `,"a":{"S":"m"}`)), put("$idx", entry("2", `,"a":{"S":"n"}`)),
			pickStep("Query", q("lall", "pk = :k", "", `,"Limit":1`), `{"LastEvaluatedKey":`+entry("1", `,"a":{"S":"m"}`)+`}`),
			pickStep("Query", q("lall", "pk = :k", "", `,"Limit":1,"ExclusiveStartKey":`+entry("1", `,"a":{"S":"m"}`)), `{"Items.0.sk.S":"2"}`)}},
		{Name: "select projected", Why: "what the index holds", Steps: []Step{
			put("$idx", entry("1", a(4)+xyz)), ok("Query", q("gkeys", "a = :k", "", `,"Select":"ALL_PROJECTED_ATTRIBUTES"`), listed(entry("1", `,"a":{"S":"$k"}`), 1))}},
		{Name: "filter on a key of the table", Why: "it is no key of the index", Steps: []Step{
			put("$idx", entry("1", a(1))), put("$idx", entry("2", a(2))),
			pickStep("Query", q("gall", "a = :k", `,":two":{"S":"2"}`, `,"FilterExpression":"sk = :two"`), `{"Count":1,"ScannedCount":2}`)}},

		no("filter on a key of the index", "keys belong to the key condition", "Query", q("gall", "a = :k", `,":b":{"N":"1"}`, `,"FilterExpression":"b = :b"`), "Filter Expression can only contain non-primary key attributes: Primary key attribute: b"),
		no("consistent read", "it follows later", "Query", q("gall", "a = :k", "", `,"ConsistentRead":true`), "Consistent reads are not supported on global secondary indexes"),
		no("table key on the index", "the condition is on the index's keys", "Query", q("gall", "pk = :k", "", ""), "Query condition missed key schema element: a"),
		no("all of keys only", "a global index cannot fetch", "Query", q("gkeys", "a = :k", "", `,"Select":"ALL_ATTRIBUTES"`), "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index gkeys because its projection type is not ALL"),
		no("cursor of the table alone", "an index position needs the index key", "Query", q("gall", "a = :k", "", `,"ExclusiveStartKey":`+entry("1", "")), "The provided starting key is invalid…"),
		no("index key of another type", "index keys are declared", "PutItem", `{"TableName":"$idx","Item":`+entry("1", `,"a":{"N":"1"}`)+`}`, "One or more parameter values were invalid: Type mismatch for Index Key a Expected: S Actual: N IndexName: …"),
		no("index key null", "NULL is no key", "PutItem", `{"TableName":"$idx","Item":`+entry("1", `,"a":{"NULL":true}`)+`}`, "One or more parameter values were invalid: Type mismatch for Index Key a Expected: S Actual: NULL IndexName: …"),
		no("index key empty", "keys have at least a byte", "PutItem", `{"TableName":"$idx","Item":`+entry("1", `,"a":{"S":""}`)+`}`, empty),
		no("index key of another type by update", "index keys are declared", "UpdateItem", `{"TableName":"$idx","Key":`+entry("1", "")+`,"UpdateExpression":"SET b = :k","ExpressionAttributeValues":{":k":{"S":"$k"}}}`, "One or more parameter values were invalid: Type mismatch for Index Key b Expected: N Actual: S IndexName: …"),
		no("index key of another type by update and a condition that fails", "types that are known are checked first", "UpdateItem", `{"TableName":"$idx","Key":`+entry("1", "")+`,"UpdateExpression":"SET b = :k","ConditionExpression":"attribute_exists(pk)","ExpressionAttributeValues":{":k":{"S":"$k"}}}`, "One or more parameter values were invalid: Type mismatch for Index Key b Expected: N Actual: S IndexName: …"),
		no("index key of another type by list_append", "its type is known", "UpdateItem", `{"TableName":"$idx","Key":`+entry("1", "")+`,"UpdateExpression":"SET b = list_append(gone, gone)"}`, "One or more parameter values were invalid: Type mismatch for Index Key b Expected: N Actual: L IndexName: …"),
		no("index key of another type by a default", "the type of a default is known, needed or not", "UpdateItem", `{"TableName":"$idx","Key":`+entry("1", "")+`,"UpdateExpression":"SET b = if_not_exists(n, :k)","ExpressionAttributeValues":{":k":{"S":"$k"}}}`, "One or more parameter values were invalid: Type mismatch for Index Key b Expected: N Actual: S IndexName: …"),
		{Name: "index key of another type by path", Why: "a type that the item decides", Steps: []Step{
			put("$idx", entry("1", `,"n":{"S":"x"},"b":{"N":"1"}`)),
			invalid("UpdateItem", `{"TableName":"$idx","Key":`+entry("1", "")+`,"UpdateExpression":"SET b = n"}`, "The update expression attempted to update the secondary index key to unsupported type"),
			get("$idx", entry("1", ""), entry("1", `,"n":{"S":"x"},"b":{"N":"1"}`))}},
		no("index key empty by update", "keys have at least a byte", "UpdateItem", `{"TableName":"$idx","Key":`+entry("1", "")+`,"UpdateExpression":"SET a = :e","ExpressionAttributeValues":{":e":{"S":""}}}`, "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.…"),
		no("index key empty in a transaction", "the request is refused, not its action", "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"$idx","Item":`+entry("1", `,"a":{"S":""}`)+`}}]}`, empty),
		no("index key empty by update in a transaction", "the request is refused, not its action", "TransactWriteItems", `{"TransactItems":[{"Update":{"TableName":"$idx","Key":`+entry("1", "")+`,"UpdateExpression":"SET a = :e","ExpressionAttributeValues":{":e":{"S":""}}}}]}`, "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value.…"),
		no("index key too long", "1024 bytes for a sort key", "PutItem", `{"TableName":"$idx","Item":`+entry("1", `,"a":{"S":"`+strings.Repeat("x", 1025)+`"}`)+`}`, "One or more parameter values were invalid: …"),
	}}
}

func multiGroup() Group {
	item := func(id, r1 string, r2 int, r3 string) string {
		return fmt.Sprintf(`{"pk":{"S":"$k%s"},"h1":{"S":"$k"},"h2":{"N":"7"},"r1":{"S":"%s"},"r2":{"N":"%d"},"r3":{"S":"%s"}}`, id, r1, r2, r3)
	}
	items := []string{item("1", "a", 2, "x"), item("2", "a", 10, "x"), item("3", "a", 10, "y"), item("4", "b", -1, "x"), item("5", "b", 3, "x")}
	var fill []Step
	for _, i := range []int{3, 1, 4, 0, 2} {
		fill = append(fill, put("$multi", items[i]))
	}
	q := func(cond, vals, rest string) string {
		return `{"TableName":"$multi","IndexName":"m22","KeyConditionExpression":"` + cond + `","ExpressionAttributeValues":{":h1":{"S":"$k"},":h2":{"N":"7"}` + vals + `}` + rest + `}`
	}
	const hash = "h1 = :h1 AND h2 = :h2"
	reads := func(name, why, cond, vals, rest string, want ...int) Case {
		var l []string
		for _, w := range want {
			l = append(l, items[w-1])
		}
		return Case{Name: name, Why: why, Source: "developer guide, GSI.DesignPattern.MultiAttributeKeys", Steps: append(fill[:len(fill):len(fill)], ok("Query", q(cond, vals, rest), listed(strings.Join(l, ","), len(l))))}
	}
	no := func(name, why, in string) Case {
		return Case{Name: name, Why: why, Source: "developer guide, GSI.DesignPattern.MultiAttributeKeys", Steps: []Step{invalid("Query", in, "")}}
	}
	sparse := func(name, without string) Case {
		i := strings.Replace(items[0], without, "", 1)
		return Case{Name: name, Why: "an item that misses a part is not in the index", Steps: []Step{put("$multi", i), ok("Query", q(hash, "", ""), `{"Count":0,"ScannedCount":0,"Items":[]}`)}}
	}
	a, b := `,":a":{"S":"a"}`, `,":b":{"S":"b"}`
	return Group{Name: "multi-attribute keys", Cases: []Case{
		reads("order", "by each part in turn, numbers as numbers", hash, "", "", 1, 2, 3, 4, 5),
		reads("backwards", "all parts the other way around", hash, "", `,"ScanIndexForward":false`, 5, 4, 3, 2, 1),
		reads("first part equal", "left to right", hash+" AND r1 = :a", a, "", 1, 2, 3),
		reads("first part ranged", "the last part used may be a range", hash+" AND r1 > :a", a, "", 4, 5),
		reads("second part ranged", "after an equality", hash+" AND r1 = :a AND r2 BETWEEN :lo AND :hi", a+`,":lo":{"N":"3"},":hi":{"N":"10"}`, "", 2, 3),
		reads("third part prefix", "after two equalities", hash+" AND r1 = :a AND r2 = :n AND begins_with(r3, :y)", a+`,":n":{"N":"10"},":y":{"S":"y"}`, "", 3),
		reads("all parts equal", "one item", hash+" AND r1 = :b AND r2 = :n AND r3 = :x", b+`,":n":{"N":"3"},":x":{"S":"x"}`, "", 5),
		reads("conditions in any order", "the order of the conditions is free", "r2 < :n AND r1 = :b AND h2 = :h2 AND h1 = :h1", b+`,":n":{"N":"3"}`, "", 4),
		{Name: "pages", Why: "the cursor has all parts and the table's key", Steps: append(fill[:len(fill):len(fill)],
			pickStep("Query", q(hash, "", `,"Limit":2`), `{"Count":2,"LastEvaluatedKey":`+items[1]+`}`),
			pickStep("Query", q(hash, "", `,"Limit":2,"ExclusiveStartKey":`+items[1]), `{"Count":2,"LastEvaluatedKey":`+items[3]+`}`),
			pickStep("Query", q(hash, "", `,"Limit":2,"ExclusiveStartKey":`+items[3]), `{"Count":1,"LastEvaluatedKey":null}`))},
		sparse("sparse by partition part", `"h2":{"N":"7"},`),
		sparse("sparse by first part", `"r1":{"S":"a"},`),
		sparse("sparse by last part", `,"r3":{"S":"x"}`),
		no("a partition part is missing", "every one is asked by equality", q("h1 = :h1 AND r1 = :h1", "", "")),
		no("a partition part ranged", "equality only", q("h1 = :h1 AND h2 > :h2", "", "")),
		no("a gap", "no part is left out", q(hash+" AND r2 = :n", `,":n":{"N":"3"}`, "")),
		no("a range before an equality", "only the last one used", q(hash+" AND r1 > :a AND r2 = :n", a+`,":n":{"N":"3"}`, "")),
		{Name: "part of another type", Why: "parts are declared", Steps: []Step{
			invalid("PutItem", `{"TableName":"$multi","Item":{"pk":{"S":"$k"},"h2":{"S":"7"}}}`, "One or more parameter values were invalid: Type mismatch for Index Key h2 Expected: N Actual: S IndexName: m22")}},
		{Name: "part empty", Why: "no part is empty", Steps: []Step{invalid("PutItem", `{"TableName":"$multi","Item":{"pk":{"S":"$k"},"r1":{"S":""}}}`, "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: m22, IndexKey: r1")}},
	}}
}
