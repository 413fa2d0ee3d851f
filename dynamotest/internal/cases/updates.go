package cases

import "strings"

// updateCase applies one update to the sample item and compares the whole
// result, as ALL_NEW answers it and as a read finds it. The outcome is the
// attributes that differ from the sample afterwards, or the text of a refusal
// (which leaves the item as it was).
func updateCase(name, why, expr, changed, removed string) Case {
	item := parse(`{"pk":{"S":"$k"},` + sample + `}`)
	for k, v := range parse(`{` + changed + `}`) {
		item[k] = v
	}
	for k := range strings.FieldsSeq(removed) {
		delete(item, k)
	}
	want := text(item)
	return Case{Name: name, Why: why, Source: "developer guide, Expressions.UpdateExpressions", Steps: []Step{
		put("$hash", `{"pk":{"S":"$k"},`+sample+`}`),
		ok("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"`+expr+`","ReturnValues":"ALL_NEW"`+params(expr)+`}`, `{"Attributes":`+want+`}`),
		get("$hash", `{"pk":{"S":"$k"}}`, want),
	}}
}

func updateRefused(name, why, expr, msg string) Case {
	item := `{"pk":{"S":"$k"},` + sample + `}`
	return Case{Name: name, Why: why, Source: "developer guide, Expressions.UpdateExpressions", Steps: []Step{
		put("$hash", item),
		invalid("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"`+expr+`"`+params(expr)+`}`, msg),
		get("$hash", `{"pk":{"S":"$k"}}`, item),
	}}
}

// updateReturns tries a ReturnValues on an update of the sample item.
func updateReturns(name, why, expr, returns, attributes string) Case {
	want := `{}`
	if attributes != "" {
		want = `{"Attributes":` + attributes + `}`
	}
	return Case{Name: name, Why: why, Source: "API reference, UpdateItem, ReturnValues", Steps: []Step{
		put("$hash", `{"pk":{"S":"$k"},`+sample+`}`),
		ok("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"`+expr+`","ReturnValues":"`+returns+`"`+params(expr)+`}`, want),
	}}
}

func updateGroup() Group {
	u, no, r := updateCase, updateRefused, updateReturns
	const (
		inv     = "Invalid UpdateExpression: "
		wrong   = "An operand in the update expression has an incorrect data type"
		path    = "The document path provided in the update expression is invalid for update"
		missing = "The provided expression refers to an attribute that does not exist in the item"
		overlap = inv + "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
	)
	operand := func(op, typ string) string {
		return inv + "Incorrect operand type for operator or function; operator or function: " + op + ", operand type: " + typ
	}
	section := func(op, typ string) string {
		return inv + "Incorrect operand type for operator or function; operator: " + op + ", operand type: " + typ
	}
	createOnly := func(name, why, expr, attributes string) Case {
		return Case{Name: name, Why: why, Steps: []Step{
			ok("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"`+expr+`","ReturnValues":"ALL_NEW"`+params(expr)+`}`, `{"Attributes":{"pk":{"S":"$k"}`+attributes+`}}`),
		}}
	}
	return Group{Name: "updates", Cases: []Case{
		// SET.
		u("set new", "a new attribute", "SET fresh = :new", `"fresh":{"S":"new"}`, ""),
		u("set existing", "the old value goes", "SET s = :new", `"s":{"S":"new"}`, ""),
		u("set another type", "attributes have no declared type", "SET s = :five", `"s":{"N":"5"}`, ""),
		u("set several", "one section, several actions", "SET s = :new, fresh = :one", `"s":{"S":"new"},"fresh":{"N":"1"}`, ""),
		u("set path value", "from another attribute", "SET fresh = s", `"fresh":{"S":"hello"}`, ""),
		u("set swaps", "every operand is read before anything is written", "SET s = n, n = s", `"s":{"N":"5"},"n":{"S":"hello"}`, ""),
		u("set plus", "a counter", "SET n = n + :one", `"n":{"N":"6"}`, ""),
		u("set minus", "a stock", "SET n = n - :ten", `"n":{"N":"-5"}`, ""),
		u("set value plus path", "operands on either side", "SET n = :ten - n", `"n":{"N":"5"}`, ""),
		u("set sum of paths", "two attributes", "SET fresh = n + neg", `"fresh":{"N":"1.5"}`, ""),
		u("set sum of values", "two values", "SET fresh = :one + :two", `"fresh":{"N":"3"}`, ""),
		u("set nested map", "one entry of a map", "SET m.k1 = :new", `"m":{"M":{"k1":{"S":"new"},"inn":{"M":{"x":{"N":"1"}}},"li":{"L":[{"N":"7"}]}}}`, ""),
		u("set new map entry", "maps grow", "SET m.inn.y = :two", `"m":{"M":{"k1":{"S":"v"},"inn":{"M":{"x":{"N":"1"},"y":{"N":"2"}}},"li":{"L":[{"N":"7"}]}}}`, ""),
		u("set list element", "in place", "SET l[0] = :new", `"l":{"L":[{"S":"new"},{"N":"2"},{"M":{"q":{"S":"deep"}}}]}`, ""),
		u("set past the end appends", "positions past the end append", "SET l[9] = :new", `"l":{"L":[{"S":"x"},{"N":"2"},{"M":{"q":{"S":"deep"}}},{"S":"new"}]}`, ""),
		u("set two past the end", "appended in the order of their positions", "SET l[9] = :one, l[7] = :two", `"l":{"L":[{"S":"x"},{"N":"2"},{"M":{"q":{"S":"deep"}}},{"N":"2"},{"N":"1"}]}`, ""),
		u("set in a map in a list", "mixed paths", "SET l[2].q = :new", `"l":{"L":[{"S":"x"},{"N":"2"},{"M":{"q":{"S":"new"}}}]}`, ""),
		u("set if_not_exists absent", "a default", "SET gone = if_not_exists(gone, :one)", `"gone":{"N":"1"}`, ""),
		u("set if_not_exists present", "what is there stays", "SET n = if_not_exists(n, :one)", ``, ""),
		u("set if_not_exists of another", "the path may be another's", "SET fresh = if_not_exists(s, :one)", `"fresh":{"S":"hello"}`, ""),
		u("set counter with start", "the usual counter", "SET gone = if_not_exists(gone, :zero) + :one", `"gone":{"N":"1"}`, ""),
		u("set if_not_exists nested", "functions nest", "SET fresh = if_not_exists(gone, if_not_exists(lost, :one))", `"fresh":{"N":"1"}`, ""),
		u("set list_append", "at the end", "SET l = list_append(l, :l1)", `"l":{"L":[{"S":"x"},{"N":"2"},{"M":{"q":{"S":"deep"}}},{"S":"new"}]}`, ""),
		u("set list_append front", "at the beginning", "SET l = list_append(:l1, l)", `"l":{"L":[{"S":"new"},{"S":"x"},{"N":"2"},{"M":{"q":{"S":"deep"}}}]}`, ""),
		u("set list_append with start", "the usual log", "SET fresh = list_append(if_not_exists(fresh, :el), :l1)", `"fresh":{"L":[{"S":"new"}]}`, ""),
		u("set alias", "a reserved name", "SET #name = :new", `"name":{"S":"new"}`, ""),
		u("set alias with dot", "one top-level name", "SET #dotted = :new", `"dot.ted":{"S":"new"}`, ""),
		u("keywords in any case", "keywords have no case", "set s = :new rEmOvE n", `"s":{"S":"new"}`, "n"),

		// REMOVE.
		u("remove", "an attribute goes", "REMOVE s", "", "s"),
		u("remove absent", "is no error", "REMOVE gone", "", ""),
		u("remove several", "one section, several actions", "REMOVE s, n", "", "s n"),
		u("remove nested", "one entry of a map", "REMOVE m.inn.x", `"m":{"M":{"k1":{"S":"v"},"inn":{"M":{}},"li":{"L":[{"N":"7"}]}}}`, ""),
		u("remove list element", "the rest moves up", "REMOVE l[0]", `"l":{"L":[{"N":"2"},{"M":{"q":{"S":"deep"}}}]}`, ""),
		u("remove two elements", "positions are those before the update", "REMOVE l[0], l[1]", `"l":{"L":[{"M":{"q":{"S":"deep"}}}]}`, ""),
		u("remove past the end", "is no error", "REMOVE l[9]", "", ""),

		// ADD.
		u("add number", "a counter", "ADD n :one", `"n":{"N":"6"}`, ""),
		u("add to absent", "starts at zero", "ADD gone :five", `"gone":{"N":"5"}`, ""),
		u("add negative", "subtracts", "ADD n :negfour", `"n":{"N":"1"}`, ""),
		u("add set", "a union", "ADD ss :ssac", `"ss":{"SS":["a","b","c"]}`, ""),
		u("add set to absent", "makes the set", "ADD gone :ssa", `"gone":{"SS":["a"]}`, ""),
		u("add number set", "members are numbers", "ADD ns :ns3", `"ns":{"NS":["1","2","3"]}`, ""),
		u("add binary set", "members are bytes", "ADD bs :bs3", `"bs":{"BS":["AQ==","Ag==","Aw=="]}`, ""),
		u("add nested number", "a path into a map", "ADD m.inn.x :two", `"m":{"M":{"k1":{"S":"v"},"inn":{"M":{"x":{"N":"3"}}},"li":{"L":[{"N":"7"}]}}}`, ""),

		// DELETE.
		u("delete members", "a difference", "DELETE ss :ssa", `"ss":{"SS":["b"]}`, ""),
		u("delete absent members", "is no error", "DELETE ss :ssz", "", ""),
		u("delete all members", "no empty set stays", "DELETE ss :ssab", "", "ss"),
		u("delete from absent", "is no error", "DELETE gone :ssa", "", ""),
		u("delete number by value", "members compare as numbers", "DELETE ns :ns1", `"ns":{"NS":["2"]}`, ""),

		// Together.
		u("all sections", "each section once", "SET fresh = :new REMOVE s ADD n :one DELETE ss :ssa", `"fresh":{"S":"new"},"n":{"N":"6"},"ss":{"SS":["b"]}`, "s"),
		u("sections in any order", "and any order", "DELETE ss :ssa ADD n :one REMOVE s SET fresh = :new", `"fresh":{"S":"new"},"n":{"N":"6"},"ss":{"SS":["b"]}`, "s"),
		createOnly("creates the item", "an update without a condition is an upsert", "SET s = :new", `,"s":{"S":"new"}`),
		{Name: "remove alone creates nothing", Why: "an update that only takes away is no upsert", Steps: []Step{
			ok("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"REMOVE gone"}`, `{}`),
			get("$hash", `{"pk":{"S":"$k"}}`, "")}},
		{Name: "remove below nothing of an absent item", Why: "of an item that is not there everything has been removed", Steps: []Step{
			ok("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"REMOVE gone.x, lost[0]","ReturnValues":"ALL_NEW"}`, `{}`),
			get("$hash", `{"pk":{"S":"$k"}}`, "")}},
		{Name: "set below nothing of an absent item", Why: "parents are not made", Steps: []Step{
			invalid("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"SET gone.x = :new"`+params(":new")+`}`, path)}},
		{Name: "delete alone creates nothing", Why: "an update that only takes away is no upsert", Steps: []Step{
			ok("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"DELETE gone :ssa"`+params(":ssa")+`}`, `{}`),
			get("$hash", `{"pk":{"S":"$k"}}`, "")}},
		{Name: "without an expression", Why: "an update of nothing makes the item", Steps: []Step{
			ok("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}}}`, `{}`),
			get("$hash", `{"pk":{"S":"$k"}}`, `{"pk":{"S":"$k"}}`)}},

		// What comes back.
		r("returns none", "the default, spelt out", "SET s = :new", "NONE", ""),
		r("returns all old", "the whole item before", "SET s = :new", "ALL_OLD", `{"pk":{"S":"$k"},`+sample+`}`),
		r("returns updated old", "the touched attributes before", "SET s = :new, fresh = :new REMOVE n", "UPDATED_OLD", `{"s":{"S":"hello"},"n":{"N":"5"}}`),
		r("returns updated new", "the touched attributes after", "SET s = :new, fresh = :new REMOVE n", "UPDATED_NEW", `{"s":{"S":"new"},"fresh":{"S":"new"}}`),
		r("returns updated old nested", "only the touched path", "SET m.inn.x = :two", "UPDATED_OLD", `{"m":{"M":{"inn":{"M":{"x":{"N":"1"}}}}}}`),
		r("returns updated new nested", "only the touched path", "SET m.inn.x = :two", "UPDATED_NEW", `{"m":{"M":{"inn":{"M":{"x":{"N":"2"}}}}}}`),
		r("returns updated new element", "a list with the element alone", "SET l[1] = :seven", "UPDATED_NEW", `{"l":{"L":[{"N":"7"}]}}`),
		r("returns updated new of remove", "nothing is left to return", "REMOVE s", "UPDATED_NEW", ""),
		r("returns updated old of new", "nothing was there", "SET fresh = :new", "UPDATED_OLD", ""),
		{Name: "returns old of absent", Why: "there was no item", Steps: []Step{
			ok("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"SET s = :new","ReturnValues":"ALL_OLD"`+params(":new")+`}`, `{}`)}},
		{Name: "returns updated new of upsert", Why: "the key is not touched, so not returned", Steps: []Step{
			ok("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"SET s = :new","ReturnValues":"UPDATED_NEW"`+params(":new")+`}`, `{"Attributes":{"s":{"S":"new"}}}`)}},

		// Conditions.
		{Name: "condition holds", Why: "optimistic locking", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"n":{"N":"1"}}`),
			ok("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"SET n = :two","ConditionExpression":"n = :one"`+params(":one :two")+`}`, `{}`),
			get("$hash", `{"pk":{"S":"$k"}}`, `{"pk":{"S":"$k"},"n":{"N":"2"}}`)}},
		{Name: "condition fails", Why: "nothing changes", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"n":{"N":"1"}}`),
			refuse("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"SET n = :two","ConditionExpression":"n = :two"`+params(":two")+`}`, "ConditionalCheckFailedException", "The conditional request failed"),
			get("$hash", `{"pk":{"S":"$k"}}`, `{"pk":{"S":"$k"},"n":{"N":"1"}}`)}},
		{Name: "condition fails with old item", Why: "what is there comes with the refusal", Source: "API reference, ReturnValuesOnConditionCheckFailure", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"n":{"N":"1"}}`),
			{Op: "UpdateItem", In: `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"SET n = :two","ConditionExpression":"n = :two","ReturnValuesOnConditionCheckFailure":"ALL_OLD"` + params(":two") + `}`,
				Code: "ConditionalCheckFailedException", Msg: "The conditional request failed", Want: `{"Item":{"pk":{"S":"$k"},"n":{"N":"1"}}}`}}},
		{Name: "condition on absent item", Why: "an update that must not create", Steps: []Step{
			refuse("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"SET n = :two","ConditionExpression":"attribute_exists(pk)"`+params(":two")+`}`, "ConditionalCheckFailedException", ""),
			get("$hash", `{"pk":{"S":"$k"}}`, "")}},

		// Refusals at the item.
		no("path through a string", "there is no map to set in", "SET s.x = :new", path),
		no("path through absent", "parents are not made", "SET gone.x = :new", path),
		no("index of a map", "a map has no positions", "SET m[0] = :new", path),
		no("remove through absent", "parents must exist", "REMOVE gone.x", path),
		no("operand absent", "nothing to read", "SET s = gone", missing),
		no("plus of absent", "nothing to add to", "SET n = gone + :one", missing),
		no("list_append of absent", "nothing to append to", "SET l = list_append(gone, :l1)", missing),
		no("plus of a string attribute", "only numbers add", "SET n = s + :one", wrong),
		no("list_append of a string attribute", "only lists append", "SET l = list_append(s, :l1)", wrong),
		no("add to a string", "only numbers and sets", "ADD s :one", wrong),
		no("add set of another type", "types must be equal", "ADD ss :ns1", wrong),
		no("add number to a set", "types must be equal", "ADD ss :one", wrong),
		no("delete of another type", "types must be equal", "DELETE ss :ns1", wrong),
		no("delete from a string", "only sets", "DELETE s :ssa", wrong),
		no("key attribute", "a key cannot change", "SET pk = :new", "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key"),
		no("key attribute removed", "a key cannot go", "REMOVE pk", "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key"),

		// Refusals of form.
		no("empty", "nothing to do", "", inv+"The expression can not be empty;"),
		no("no section", "an action needs a section", "s = :new", inv+`Syntax error; token: "s", near: …`),
		no("set twice", "each section once", "SET s = :new SET n = :one", inv+`The "SET" section can only be used once in an update expression;`),
		no("remove twice", "each section once", "REMOVE s REMOVE n", inv+`The "REMOVE" section can only be used once in an update expression;`),
		no("trailing comma", "an action is missing", "SET s = :new,", inv+`Syntax error; token: "<EOF>", near: …`),
		no("set without value", "an operand is missing", "SET s =", inv+`Syntax error; token: "<EOF>", near: …`),
		no("same path twice", "which one wins?", "SET s = :new, s = :x", overlap+"[s], path two: [s]"),
		no("same path in two sections", "which one wins?", "SET s = :new REMOVE s", overlap+"[s], path two: [s]"),
		no("parent and child", "which one wins?", "SET m = :em, m.k1 = :new", overlap+"…"),
		no("map and list path", "an attribute is one of the two", "SET m.k1 = :new, m[0] = :x", inv+"Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [m, k1], path two: [m, [0]]"),
		no("reserved word", "needs an alias", "SET name = :new", inv+"Attribute name is a reserved keyword; reserved keyword: name"),
		no("undefined alias", "a typing error", "SET #undefined = :new", inv+"An expression attribute name used in the document path is not defined; attribute name: #undefined"),
		no("undefined value", "a typing error", "SET s = :undefined", inv+"An expression attribute value used in expression is not defined; attribute value: :undefined"),
		no("unknown function", "two functions exist", "SET s = concat(s, :x)", inv+"Invalid function name; function: concat"),
		no("function of conditions", "size is for conditions", "SET n = size(s)", inv+"Invalid function name; function: size"),
		no("if_not_exists operands", "two are needed", "SET s = if_not_exists(s)", inv+"Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1"),
		no("list_append operands", "two are needed", "SET l = list_append(l, :l1, :l1)", inv+"Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 3"),
		no("if_not_exists of a value", "a path is needed", "SET s = if_not_exists(:x, :new)", inv+"Operator or function requires a document path; operator or function: if_not_exists"),
		no("plus of a string value", "only numbers add", "SET n = n + :x", operand("+", "S")),
		no("minus of a set value", "only numbers subtract", "SET n = n - :ssa", operand("-", "SS")),
		no("list_append of a string value", "only lists append", "SET l = list_append(l, :x)", operand("list_append", "S")),
		no("add of a string value", "only numbers and sets", "ADD s :x", section("ADD", "STRING")),
		no("add of a list value", "only numbers and sets", "ADD l :l1", section("ADD", "LIST")),
		no("add of a map value", "only numbers and sets", "ADD m :em", section("ADD", "MAP")),
		no("delete of a number value", "only sets", "DELETE n :one", section("DELETE", "NUMBER")),
		no("delete of a string value", "only sets", "DELETE s :x", section("DELETE", "STRING")),
		no("add of a path", "a value is needed", "ADD n z", inv+`Syntax error; token: "z", near: …`),
		no("times", "no such operator", "SET n = n * :two", inv+`Syntax error; token: "*", near: …`),
		no("three operands", "one operator at most", "SET n = n + :one + :one", inv+`Syntax error; token: "+", near: …`),
		no("remove with value", "REMOVE takes paths", "REMOVE s :x", inv+`Syntax error; token: ":x", near: …`),
	}}
}
