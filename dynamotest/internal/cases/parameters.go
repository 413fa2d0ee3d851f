package cases

import (
	"fmt"
	"strings"
)

func parameterGroup() Group {
	one := func(name, why, op, in, msg string) Case {
		return Case{Name: name, Why: why, Steps: []Step{invalid(op, in, msg)}}
	}
	upd := func(rest string) string { return `{"TableName":"$hash","Key":{"pk":{"S":"$k"}}` + rest + `}` }
	set := `,"UpdateExpression":"SET a = :a"`
	vals := func(v string) string { return `,"ExpressionAttributeValues":{` + v + `}` }
	return Group{Name: "parameters", Cases: []Case{
		one("unused value", "a typing error", "UpdateItem", upd(set+vals(`":a":{"N":"1"},":b":{"N":"1"}`)), "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}"),
		one("unused name", "a typing error", "UpdateItem", upd(set+vals(`":a":{"N":"1"}`)+`,"ExpressionAttributeNames":{"#b":"b"}`), "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}"),
		one("unused name before unused value", "one of the two is told", "UpdateItem", upd(set+vals(`":a":{"N":"1"},":b":{"N":"1"}`)+`,"ExpressionAttributeNames":{"#b":"b"}`), "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}"),
		one("names without expression", "nothing uses them", "GetItem", upd(`,"ExpressionAttributeNames":{"#b":"b"}`), "ExpressionAttributeNames can only be specified when using expressions"),
		one("values without expression", "nothing uses them", "UpdateItem", upd(vals(`":a":{"N":"1"}`)), "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression …null"),
		one("values without condition", "nothing uses them", "PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"}}`+vals(`":a":{"N":"1"}`)+`}`, "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null"),
		one("values without filter", "nothing uses them", "Scan", `{"TableName":"$hash"`+vals(`":a":{"N":"1"}`)+`}`, "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null"),
		one("no names", "an empty map is a mistake", "GetItem", upd(`,"ProjectionExpression":"a","ExpressionAttributeNames":{}`), "ExpressionAttributeNames must not be empty"),
		one("no values", "an empty map is a mistake", "UpdateItem", upd(`,"UpdateExpression":"REMOVE a","ExpressionAttributeValues":{}`), "ExpressionAttributeValues must not be empty"),
		one("alias without mark", "aliases begin with #", "GetItem", upd(`,"ProjectionExpression":"a","ExpressionAttributeNames":{"b":"b"}`), `ExpressionAttributeNames contains invalid key: Syntax error; key: "b"`),
		one("alias of the mark alone", "aliases have a name", "GetItem", upd(`,"ProjectionExpression":"a","ExpressionAttributeNames":{"#":"b"}`), `ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`),
		one("alias with a dash", "letters, digits and _", "GetItem", upd(`,"ProjectionExpression":"a","ExpressionAttributeNames":{"#a-b":"b"}`), `ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"`),
		one("value without mark", "value names begin with a colon", "UpdateItem", upd(set+vals(`"a":{"N":"1"}`)), `ExpressionAttributeValues contains invalid key: Syntax error; key: "a"`),
		one("value with a dash", "letters, digits and _", "UpdateItem", upd(set+vals(`":a-b":{"N":"1"}`)), `ExpressionAttributeValues contains invalid key: Syntax error; key: ":a-b"`),
		one("bad value", "values are checked as items are", "UpdateItem", upd(set+vals(`":a":{"SS":[]}`)), "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An string set  may not be empty for key :a"),
		one("bad number", "values are checked as items are", "UpdateItem", upd(set+vals(`":a":{"N":"x"}`)), "…The parameter cannot be converted to a numeric value: x…"),
		one("names shared by two expressions", "an alias is used if any expression uses it", "UpdateItem", upd(set+`,"ConditionExpression":"attribute_exists(#b)","ExpressionAttributeNames":{"#b":"b","#c":"c"}`+vals(`":a":{"N":"1"}`)), "Value provided in ExpressionAttributeNames unused in expressions: keys: {#c}"),
	}}
}

func limitGroup() Group {
	item := `{"pk":{"S":"$k"},"n":{"N":"1"}}`
	cond := func(expr, rest string) string {
		return `{"TableName":"$hash","Item":` + item + `,"ConditionExpression":"` + expr + `"` + rest + `}`
	}
	// inList gives n IN (:v0, …) with n operands.
	inList := func(n int) (expr, vals string) {
		var e, v []string
		for i := range n {
			e = append(e, fmt.Sprintf(":v%d", i))
			v = append(v, fmt.Sprintf(`":v%d":{"N":"%d"}`, i, i+1))
		}
		return "n IN (" + strings.Join(e, ", ") + ")", `,"ExpressionAttributeValues":{` + strings.Join(v, ",") + `}`
	}
	in100, vals100 := inList(100)
	in101, vals101 := inList(101)
	// ofSize pads a true condition with spaces to n bytes.
	ofSize := func(n int) string { const c = "n = :one"; return strings.Repeat(" ", n-len(c)) + c }
	// operators gives a condition of n operators: n/2 comparisons rounded up, joined.
	operators := func(comparisons int) string {
		return strings.TrimSuffix(strings.Repeat("n = :one OR ", comparisons), " OR ")
	}
	deep := "d" + strings.Repeat(".d", 31)
	big := strings.Repeat("x", 409600-8-1) // "pk" and $k take 8 bytes, the attribute's name 1
	return Group{Name: "limits", Cases: []Case{
		{Name: "expression of 4096 bytes", Why: "the longest", Source: "developer guide, ServiceQuotas", Steps: []Step{put("$hash", item), ok("PutItem", cond(ofSize(4096), params(":one")), `{}`)}},
		{Name: "expression of 4097 bytes", Why: "one byte too many", Source: "developer guide, ServiceQuotas", Steps: []Step{
			invalid("PutItem", cond(ofSize(4097), params(":one")), "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: 4097")}},
		{Name: "in of 100", Why: "the most operands", Source: "developer guide, Expressions.OperatorsAndFunctions", Steps: []Step{put("$hash", item), ok("PutItem", cond(in100, vals100), `{}`)}},
		{Name: "in of 101", Why: "one operand too many", Source: "developer guide, Expressions.OperatorsAndFunctions", Steps: []Step{
			invalid("PutItem", cond(in101, vals101), "Invalid ConditionExpression: …")}},
		{Name: "300 operators", Why: "the most", Source: "developer guide, ServiceQuotas", Steps: []Step{put("$hash", item), ok("PutItem", cond(operators(150), params(":one")), `{}`)}},
		{Name: "301 operators", Why: "one too many", Source: "developer guide, ServiceQuotas", Steps: []Step{
			invalid("PutItem", cond(operators(151), params(":one")), "Invalid ConditionExpression: …")}},
		{Name: "path of 32 segments", Why: "the deepest", Source: "developer guide, ServiceQuotas", Steps: []Step{put("$hash", item), ok("PutItem", cond("attribute_not_exists("+deep+")", ""), `{}`)}},
		{Name: "path of 33 segments", Why: "one too deep", Source: "developer guide, ServiceQuotas", Steps: []Step{
			invalid("PutItem", cond("attribute_not_exists("+deep+".d)", ""), "Invalid ConditionExpression: …")}},
		{Name: "item of 400 KB", Why: "the largest", Source: "developer guide, ServiceQuotas", Slow: true, Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"v":{"S":"`+big+`"}}`),
			pickStep("GetItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"ProjectionExpression":"pk","ReturnConsumedCapacity":"TOTAL","ConsistentRead":true}`, `{"ConsumedCapacity.CapacityUnits":100}`)}},
		{Name: "item over 400 KB", Why: "one byte too many", Source: "developer guide, ServiceQuotas", Slow: true, Steps: []Step{
			invalid("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"},"v":{"S":"`+big+`x"}}}`, "Item size has exceeded the maximum allowed size")}},
		{Name: "item over 400 KB by names", Why: "names count", Source: "developer guide, CapacityUnitCalculations", Slow: true, Steps: []Step{
			invalid("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"},"vv":{"S":"`+big+`"}}}`, "Item size has exceeded the maximum allowed size")}},
		{Name: "update over 400 KB", Why: "the result counts", Source: "developer guide, ServiceQuotas", Slow: true, Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"v":{"S":"`+big[:409000]+`"}}`),
			invalid("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"SET w = :w","ExpressionAttributeValues":{":w":{"S":"`+big[:1000]+`"}}}`, "Item size to update has exceeded the maximum allowed size")}},
		{Name: "batch item over 400 KB", Why: "the same in a batch", Source: "developer guide, ServiceQuotas", Slow: true, Steps: []Step{
			invalid("BatchWriteItem", `{"RequestItems":{"$hash":[{"PutRequest":{"Item":{"pk":{"S":"$k"},"v":{"S":"`+big+`x"}}}}]}}`, "Item size has exceeded the maximum allowed size")}},
	}}
}
