package cases

import (
	"fmt"
	"strings"
)

// sized gives an attribute v that makes an item of the cap table {pk: $k, v: …}
// of n bytes: 2 for pk, 6 for $k, 1 for v.
func sized(n int) string { return `"v":{"S":"` + strings.Repeat("x", n-9) + `"}` }

func capacityGroup() Group {
	const src = "developer guide, CapacityUnitCalculations"
	units := func(u float64) string {
		return fmt.Sprintf(`{"ConsumedCapacity":{"TableName":"$hash","CapacityUnits":%v}}`, u)
	}
	total := `,"ReturnConsumedCapacity":"TOTAL"`
	indexes := `,"ReturnConsumedCapacity":"INDEXES"`
	key := `"Key":{"pk":{"S":"$k"}}`
	putSized := func(n int, u float64) Step {
		return ok("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"},`+sized(n)+`}`+total+`}`, units(u))
	}
	reads := func(name, why string, n int, eventual, consistent float64) Case {
		return Case{Name: name, Why: why, Source: src, Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},`+sized(n)+`}`),
			pickStep("GetItem", `{"TableName":"$hash",`+key+total+`}`, fmt.Sprintf(`{"ConsumedCapacity":{"TableName":"$hash","CapacityUnits":%v}}`, eventual)),
			pickStep("GetItem", `{"TableName":"$hash",`+key+total+`,"ConsistentRead":true}`, fmt.Sprintf(`{"ConsumedCapacity":{"TableName":"$hash","CapacityUnits":%v}}`, consistent))}}
	}
	// gsi writes with the three indexes of the cap table and compares the whole
	// account: table, call (ALL), ckeys (KEYS_ONLY), cinc (INCLUDE p).
	account := func(table, all, keys, inc float64) string {
		var ix []string
		for _, i := range []struct {
			n string
			u float64
		}{{"call", all}, {"ckeys", keys}, {"cinc", inc}} {
			if i.u > 0 {
				ix = append(ix, fmt.Sprintf(`"%s":{"CapacityUnits":%v}`, i.n, i.u))
			}
		}
		gsis := ""
		if len(ix) > 0 {
			gsis = `,"GlobalSecondaryIndexes":{` + strings.Join(ix, ",") + `}`
		}
		return fmt.Sprintf(`{"ConsumedCapacity":{"TableName":"$cap","CapacityUnits":%v,"Table":{"CapacityUnits":%v}%s}}`, table+all+keys+inc, table, gsis)
	}
	capPut := func(rest, want string) Step {
		return ok("PutItem", `{"TableName":"$cap","Item":{"pk":{"S":"$k"}`+rest+`}`+indexes+`}`, want)
	}
	capSet := func(expr, vals, want string) Step {
		if vals != "" {
			vals = `,"ExpressionAttributeValues":{` + vals + `}`
		}
		return ok("UpdateItem", `{"TableName":"$cap",`+key+`,"UpdateExpression":"`+expr+`"`+vals+indexes+`}`, want)
	}
	gsi := func(name, why string, steps ...Step) Case {
		return Case{Name: name, Why: why, Source: src, Steps: steps}
	}
	g := `,"g":{"S":"$k"}`
	numberSize := func(n string, size int) Case {
		// 1024 bytes and no more: pk 2+6, n 1+size, v 1+the rest.
		pad := 1024 - 8 - 1 - size - 1
		return Case{Name: "number " + n, Why: fmt.Sprintf("it takes %d bytes", size), Steps: []Step{
			ok("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"},"n":{"N":"`+n+`"},"v":{"S":"`+strings.Repeat("x", pad)+`"}}`+total+`}`, units(1)),
			ok("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"},"n":{"N":"`+n+`"},"v":{"S":"`+strings.Repeat("x", pad+1)+`"}}`+total+`}`, units(2))}}
	}
	valueSize := func(name, v string, size int) Case {
		pad := 1024 - 8 - 1 - size - 1
		return Case{Name: "size of " + name, Why: fmt.Sprintf("it takes %d bytes", size), Source: src, Steps: []Step{
			ok("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"},"n":`+v+`,"v":{"S":"`+strings.Repeat("x", pad)+`"}}`+total+`}`, units(1)),
			ok("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"},"n":`+v+`,"v":{"S":"`+strings.Repeat("x", pad+1)+`"}}`+total+`}`, units(2))}}
	}
	var three []Step
	for i := range 3 {
		three = append(three, put("$range", fmt.Sprintf(`{"pk":{"S":"$k"},"sk":{"S":"%d"},"v":{"S":"%s"}}`, i, strings.Repeat("x", 2000))))
	}
	query := func(rest string, u float64) Step {
		return pickStep("Query", `{"TableName":"$range","KeyConditionExpression":"pk = :pk","ExpressionAttributeValues":{":pk":{"S":"$k"}`+rest+`}`, fmt.Sprintf(`{"ConsumedCapacity":{"TableName":"$range","CapacityUnits":%v}}`, u))
	}
	return Group{Name: "capacity", Cases: []Case{
		{Name: "none", Why: "the default says nothing", Steps: []Step{ok("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"}},"ReturnConsumedCapacity":"NONE"}`, `{}`)}},
		{Name: "write of 1 KB", Why: "1024 bytes are one unit", Source: src, Steps: []Step{putSized(1024, 1)}},
		{Name: "write over 1 KB", Why: "one byte more is a unit more", Source: src, Steps: []Step{putSized(1025, 2)}},
		{Name: "write shrinks", Why: "the larger of before and after", Source: src, Steps: []Step{putSized(3000, 3), putSized(100, 3), putSized(100, 1)}},
		{Name: "delete", Why: "by the size of what is deleted", Source: src, Steps: []Step{putSized(3000, 3), ok("DeleteItem", `{"TableName":"$hash",`+key+total+`}`, units(3)), ok("DeleteItem", `{"TableName":"$hash",`+key+total+`}`, units(1))}},
		{Name: "update", Why: "the whole item, however little changes", Source: src, Steps: []Step{putSized(3000, 3),
			ok("UpdateItem", `{"TableName":"$hash",`+key+`,"UpdateExpression":"SET n = :one"`+params(":one")+total+`}`, units(3))}},
		{Name: "write indexes", Why: "the table's part apart", Steps: []Step{
			ok("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"}}`+indexes+`}`, `{"ConsumedCapacity":{"TableName":"$hash","CapacityUnits":1,"Table":{"CapacityUnits":1}}}`)}},
		reads("read of a few bytes", "the least that a read costs", 10, 0.5, 1),
		reads("read of 4 KB", "4096 bytes are one unit", 4096, 0.5, 1),
		reads("read over 4 KB", "one byte more is a unit more", 4097, 1, 2),
		reads("read of 9 KB", "rounded up before halving", 9000, 1.5, 3),
		{Name: "read nothing", Why: "a miss costs the least", Source: src, Steps: []Step{ok("GetItem", `{"TableName":"$hash",`+key+total+`}`, units(0.5)), ok("GetItem", `{"TableName":"$hash",`+key+total+`,"ConsistentRead":true}`, units(1))}},
		{Name: "read indexes", Why: "the table's part apart", Steps: []Step{ok("GetItem", `{"TableName":"$hash",`+key+indexes+`}`, `{"ConsumedCapacity":{"TableName":"$hash","CapacityUnits":0.5,"Table":{"CapacityUnits":0.5}}}`)}},
		{Name: "read with projection", Why: "a projection saves nothing", Source: src, Steps: []Step{putSized(9000, 9), pickStep("GetItem", `{"TableName":"$hash",`+key+total+`,"ProjectionExpression":"pk"}`, `{"ConsumedCapacity.CapacityUnits":1.5}`)}},
		{Name: "query sums", Why: "the sum is rounded once", Source: src, Steps: append(three[:3:3], query(`}`+total, 1), query(`}`+total+`,"ConsistentRead":true`, 2), query(`}`+total+`,"Limit":1`, 0.5))},
		{Name: "query filter", Why: "a filter saves nothing", Source: src, Steps: append(three[:3:3], query(`,":n":{"S":"none"}},"FilterExpression":"v = :n"`+total, 1))},
		{Name: "query count", Why: "a count reads the same", Source: src, Steps: append(three[:3:3], query(`},"Select":"COUNT"`+total, 1))},
		{Name: "query nothing", Why: "an empty page costs the least", Source: src, Steps: []Step{query(`}`+total, 0.5), query(`}`+total+`,"ConsistentRead":true`, 1)}},
		{Name: "query of an index", Why: "the index pays", Source: src, Steps: []Step{put("$cap", `{"pk":{"S":"$k"}`+g+`}`),
			pickStep("Query", `{"TableName":"$cap","IndexName":"call","KeyConditionExpression":"g = :pk"`+params(":pk")+indexes+`}`, `{"ConsumedCapacity":{"TableName":"$cap","CapacityUnits":0.5,"Table":{"CapacityUnits":0},"GlobalSecondaryIndexes":{"call":{"CapacityUnits":0.5}}}}`)}},

		gsi("enters no index", "an item without the key costs the table alone", capPut("", account(1, 0, 0, 0))),
		gsi("enters", "one each", capPut(g, account(1, 1, 1, 1))),
		gsi("enters large", "each on its own entry", capPut(g+`,"v":{"S":"`+strings.Repeat("x", 2000)+`"}`, account(2, 2, 1, 1))),
		gsi("leaves", "one each", capPut(g, account(1, 1, 1, 1)), capSet("REMOVE g", "", account(1, 1, 1, 1))),
		gsi("leaves by delete", "one each", capPut(g, account(1, 1, 1, 1)), ok("DeleteItem", `{"TableName":"$cap",`+key+indexes+`}`, account(1, 1, 1, 1))),
		gsi("moves", "two each: out of one place, into another", capPut(g, account(1, 1, 1, 1)), capSet("SET g = :g", `":g":{"S":"$k-2"}`, account(1, 2, 2, 2))),
		gsi("a projected attribute changes", "one where it is projected", capPut(g, account(1, 1, 1, 1)), capSet("SET p = :p", `":p":{"S":"p"}`, account(1, 1, 0, 1))),
		gsi("an unprojected attribute changes", "none where it is not", capPut(g, account(1, 1, 1, 1)), capSet("SET q = :q", `":q":{"S":"q"}`, account(1, 1, 0, 0))),
		gsi("nothing changes", "indexes are left alone", capPut(g, account(1, 1, 1, 1)), capPut(g, account(1, 0, 0, 0))),
		gsi("total with indexes", "one sum", ok("PutItem", `{"TableName":"$cap","Item":{"pk":{"S":"$k"}`+g+`}`+total+`}`, `{"ConsumedCapacity":{"TableName":"$cap","CapacityUnits":4}}`)),
		{Name: "local index", Why: "an entry costs as in a global index", Source: src, Steps: []Step{
			ok("PutItem", `{"TableName":"$lsi","Item":{"pk":{"S":"$k"},"sk":{"S":"1"},"l":{"S":"a"}}`+indexes+`}`, `{"ConsumedCapacity":{"TableName":"$lsi","CapacityUnits":2,"Table":{"CapacityUnits":1},"LocalSecondaryIndexes":{"lsi1":{"CapacityUnits":1}}}}`)}},

		{Name: "batch write", Why: "each item on its own", Source: src, Steps: []Step{
			ok("BatchWriteItem", `{"RequestItems":{"$hash":[{"PutRequest":{"Item":{"pk":{"S":"$k"},`+sized(1500)+`}}},{"DeleteRequest":{"Key":{"pk":{"S":"$k-2"}}}}]}`+total+`}`, `{"UnprocessedItems":{},"ConsumedCapacity":[{"TableName":"$hash","CapacityUnits":3}]}`)}},
		{Name: "batch get", Why: "each item on its own", Source: src, Steps: []Step{
			putSized(4097, 5),
			pickStep("BatchGetItem", `{"RequestItems":{"$hash":{"Keys":[{"pk":{"S":"$k"}},{"pk":{"S":"$k-none"}}]}}`+total+`}`, `{"ConsumedCapacity":[{"TableName":"$hash","CapacityUnits":1.5}]}`),
			pickStep("BatchGetItem", `{"RequestItems":{"$hash":{"ConsistentRead":true,"Keys":[{"pk":{"S":"$k"}},{"pk":{"S":"$k-none"}}]}}`+total+`}`, `{"ConsumedCapacity":[{"TableName":"$hash","CapacityUnits":3}]}`)}},
		{Name: "transaction write", Why: "twice the table's part", Source: src, Steps: []Step{
			ok("TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"$hash","Item":{"pk":{"S":"$k"},`+sized(1500)+`}}},{"ConditionCheck":{"TableName":"$hash","Key":{"pk":{"S":"$k-2"}},"ConditionExpression":"attribute_not_exists(pk)"}}]`+total+`}`, `{"ConsumedCapacity":[{"TableName":"$hash","CapacityUnits":6,"WriteCapacityUnits":6}]}`)}},
		{Name: "transaction read", Why: "twice", Source: src, Steps: []Step{putSized(4097, 5),
			pickStep("TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"$hash",`+key+`}}]`+total+`}`, `{"ConsumedCapacity":[{"TableName":"$hash","CapacityUnits":4,"ReadCapacityUnits":4}]}`)}},
		{Name: "transaction with indexes", Why: "the table's part twice, the indexes' once", Steps: []Step{
			pickStep("TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"$cap","Item":{"pk":{"S":"$k"}`+g+`}}}]`+indexes+`}`, `{"ConsumedCapacity.0.CapacityUnits":5,"ConsumedCapacity.0.Table.CapacityUnits":2,"ConsumedCapacity.0.GlobalSecondaryIndexes.call.CapacityUnits":1}`)}},

		numberSize("0", 1), numberSize("42", 2), numberSize("100", 2), numberSize("1010", 3), numberSize("1.5", 3), numberSize("3.14159", 5), numberSize("0.15", 2), numberSize("-42", 3),
		valueSize("a boolean", `{"BOOL":true}`, 1), valueSize("null", `{"NULL":true}`, 1), valueSize("binary", `{"B":"AQIDBA=="}`, 4), valueSize("text of three bytes a character", `{"S":"漢字"}`, 6),
		valueSize("an empty list", `{"L":[]}`, 3), valueSize("a list", `{"L":[{"S":"ab"},{"S":"c"}]}`, 3+2+3), valueSize("an empty map", `{"M":{}}`, 3), valueSize("a map", `{"M":{"ab":{"S":"c"}}}`, 3+1+3),
		valueSize("a string set", `{"SS":["ab","c"]}`, 3), valueSize("a number set", `{"NS":["1","42"]}`, 4), valueSize("a binary set", `{"BS":["AQI=","Aw=="]}`, 3),

		{Name: "item collection", Why: "metrics of a partition with local indexes", Source: "API reference, ItemCollectionMetrics", Steps: []Step{
			pickStep("PutItem", `{"TableName":"$lsi","Item":{"pk":{"S":"$k"},"sk":{"S":"1"}},"ReturnItemCollectionMetrics":"SIZE"}`, `{"ItemCollectionMetrics.ItemCollectionKey":{"pk":{"S":"$k"}}}`),
			ok("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"}},"ReturnItemCollectionMetrics":"SIZE"}`, `{}`)}},
	}}
}
