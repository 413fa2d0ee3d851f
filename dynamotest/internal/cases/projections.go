package cases

// projectionCase reads the sample item through a projection, by GetItem and by Query.
func projectionCase(name, why, expr, item string) Case {
	return Case{Name: name, Why: why, Source: "developer guide, Expressions.ProjectionExpressions", Steps: []Step{
		put("$hash", `{"pk":{"S":"$k"},`+sample+`}`),
		ok("GetItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"ConsistentRead":true,"ProjectionExpression":"`+expr+`"`+params(expr)+`}`, `{"Item":{`+item+`}}`),
		ok("Query", `{"TableName":"$hash","KeyConditionExpression":"pk = :pk","ConsistentRead":true,"ProjectionExpression":"`+expr+`"`+params(":pk", expr)+`}`, `{"Count":1,"ScannedCount":1,"Items":[{`+item+`}]}`),
		ok("BatchGetItem", `{"RequestItems":{"$hash":{"Keys":[{"pk":{"S":"$k"}}],"ConsistentRead":true,"ProjectionExpression":"`+expr+`"`+params(expr)+`}}}`, `{"Responses":{"$hash":[{`+item+`}]},"UnprocessedKeys":{}}`),
	}}
}

func projectionRefused(name, why, expr, msg string) Case {
	return Case{Name: name, Why: why, Steps: []Step{
		invalid("GetItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"ProjectionExpression":"`+expr+`"`+params(expr)+`}`, "Invalid ProjectionExpression: "+msg),
		invalid("Query", `{"TableName":"$hash","KeyConditionExpression":"pk = :pk","ProjectionExpression":"`+expr+`"`+params(":pk", expr)+`}`, "Invalid ProjectionExpression: "+msg),
	}}
}

func projectionGroup() Group {
	p, no := projectionCase, projectionRefused
	const overlap = "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
	return Group{Name: "projections", Cases: []Case{
		p("one", "an attribute", "s", `"s":{"S":"hello"}`),
		p("several", "attributes", "s, n, pk", `"s":{"S":"hello"},"n":{"N":"5"},"pk":{"S":"$k"}`),
		p("absent", "what is not there is left out", "s, gone", `"s":{"S":"hello"}`),
		p("map entry", "the maps around it come along", "m.inn.x", `"m":{"M":{"inn":{"M":{"x":{"N":"1"}}}}}`),
		p("two map entries", "entries of one map are joined", "m.k1, m.inn", `"m":{"M":{"k1":{"S":"v"},"inn":{"M":{"x":{"N":"1"}}}}}`),
		p("absent map entry", "no empty map is made", "s, m.gone", `"s":{"S":"hello"}`),
		p("list element", "the list around it comes along", "l[1]", `"l":{"L":[{"N":"2"}]}`),
		p("list elements", "in the list's order, without gaps", "l[2], l[0]", `"l":{"L":[{"S":"x"},{"M":{"q":{"S":"deep"}}}]}`),
		p("absent list element", "no empty list is made", "s, l[9]", `"s":{"S":"hello"}`),
		p("map in a list", "mixed paths", "l[2].q", `"l":{"L":[{"M":{"q":{"S":"deep"}}}]}`),
		p("list in a map", "mixed paths", "m.li[0]", `"m":{"M":{"li":{"L":[{"N":"7"}]}}}`),
		p("aliases", "reserved words and dots", "#name, #dotted, #m.#k1", `"name":{"S":"Ann"},"dot.ted":{"S":"plain"},"m":{"M":{"k1":{"S":"v"}}}`),
		p("through a string", "a path through a scalar is absent", "s.x, n", `"n":{"N":"5"}`),
		no("empty", "nothing to read", "", "The expression can not be empty;"),
		no("reserved word", "needs an alias", "name", "Attribute name is a reserved keyword; reserved keyword: name"),
		no("undefined alias", "a typing error", "#undefined", "An expression attribute name used in the document path is not defined; attribute name: #undefined"),
		no("same path twice", "once is enough", "s, s", overlap+"[s], path two: [s]"),
		no("parent and child", "one holds the other", "m, m.k1", overlap+"[m], path two: [m, k1]"),
		no("alias of the same path", "aliases are resolved first", "s, #s", overlap+"[s], path two: [s]"),
		no("map and list path", "an attribute is one of the two", "m.k1, m[0]", "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [m, k1], path two: [m, [0]]"),
		{Name: "below a key", Why: "keys are scalars", Steps: []Step{
			invalid("GetItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"ProjectionExpression":"pk.x"}`, "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk")}},
		no("trailing comma", "a path is missing", "s,", `Syntax error; token: "<EOF>", near: …`),
		no("no comma", "paths are separated", "s n", `Syntax error; token: "n", near: …`),
		no("value", "paths alone", "s, :undefined", `Syntax error; token: ":undefined", near: …`),
		no("function", "paths alone", "fetch_it(s)", `Syntax error; token: "(", near: …`),
	}}
}
