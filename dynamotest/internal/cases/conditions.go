package cases

import (
	"regexp"
	"strings"
)

// sample is the item that conditions, updates and projections are tried on,
// without its key: one attribute of every type, and nesting.
const sample = `"s":{"S":"hello"},"n":{"N":"5"},"z":{"N":"0"},"neg":{"N":"-3.5"},"b":{"B":"AQID"},"t":{"BOOL":true},"f":{"BOOL":false},` +
	`"nul":{"NULL":true},"l":{"L":[{"S":"x"},{"N":"2"},{"M":{"q":{"S":"deep"}}}]},"m":{"M":{"k1":{"S":"v"},"inn":{"M":{"x":{"N":"1"}}},"li":{"L":[{"N":"7"}]}}},` +
	`"ss":{"SS":["a","b"]},"ns":{"NS":["1","2"]},"bs":{"BS":["AQ==","Ag=="]},"e":{"S":""},"el":{"L":[]},"em":{"M":{}},"dot.ted":{"S":"plain"},"name":{"S":"Ann"},"u":{"S":"é😀"}`

// values are the values that expressions of the cases use by name.
var values = map[string]string{
	":pk": `{"S":"$k"}`, ":hello": `{"S":"hello"}`, ":hell": `{"S":"hell"}`, ":help": `{"S":"help"}`, ":ell": `{"S":"ell"}`, ":empty": `{"S":""}`,
	":a": `{"S":"a"}`, ":c": `{"S":"c"}`, ":x": `{"S":"x"}`, ":v": `{"S":"v"}`, ":deep": `{"S":"deep"}`, ":plain": `{"S":"plain"}`, ":ann": `{"S":"Ann"}`,
	":zero": `{"N":"0"}`, ":one": `{"N":"1"}`, ":two": `{"N":"2"}`, ":three": `{"N":"3"}`, ":four": `{"N":"4"}`, ":five": `{"N":"5"}`, ":fivedot": `{"N":"5.00"}`, ":six": `{"N":"6"}`,
	":ten": `{"N":"10"}`, ":negfour": `{"N":"-4"}`, ":negthree": `{"N":"-3"}`, ":seven": `{"N":"7"}`,
	":fiveS": `{"S":"5"}`, ":bin123": `{"B":"AQID"}`, ":bin12": `{"B":"AQI="}`, ":bin1": `{"B":"AQ=="}`, ":bin3": `{"B":"Aw=="}`, ":binff": `{"B":"/w=="}`,
	":true": `{"BOOL":true}`, ":false": `{"BOOL":false}`, ":null": `{"NULL":true}`,
	":ssab": `{"SS":["b","a"]}`, ":ssa": `{"SS":["a"]}`, ":ssz": `{"SS":["z"]}`, ":ssac": `{"SS":["a","c"]}`, ":ns12": `{"NS":["2.0","1"]}`, ":ns1": `{"NS":["1"]}`, ":ns3": `{"NS":["3"]}`, ":bs12": `{"BS":["Ag==","AQ=="]}`, ":bs1": `{"BS":["AQ=="]}`, ":bs3": `{"BS":["Aw=="]}`,
	":list": `{"L":[{"S":"x"},{"N":"2"},{"M":{"q":{"S":"deep"}}}]}`, ":listother": `{"L":[{"N":"2"},{"S":"x"},{"M":{"q":{"S":"deep"}}}]}`, ":l1": `{"L":[{"S":"new"}]}`, ":el": `{"L":[]}`,
	":mapq": `{"M":{"q":{"S":"deep"}}}`, ":em": `{"M":{}}`, ":new": `{"S":"new"}`,
	":tS": `{"S":"S"}`, ":tN": `{"S":"N"}`, ":tB": `{"S":"B"}`, ":tBOOL": `{"S":"BOOL"}`, ":tNULL": `{"S":"NULL"}`, ":tL": `{"S":"L"}`, ":tM": `{"S":"M"}`, ":tSS": `{"S":"SS"}`, ":tNS": `{"S":"NS"}`, ":tBS": `{"S":"BS"}`,
	":tX": `{"S":"STRING"}`, ":e": `{"S":"é"}`, ":emoji": `{"S":"😀"}`,
}

// names are the attribute names that expressions of the cases use by alias.
var names = map[string]string{
	"#s": "s", "#n": "n", "#name": "name", "#dotted": "dot.ted", "#m": "m", "#k1": "k1", "#l": "l", "#pk": "pk", "#status": "status", "#gone": "gone", "#a": "a",
	"#1": "n",
}

var (
	valueRef = regexp.MustCompile(`:[A-Za-z0-9_]+`)
	nameRef  = regexp.MustCompile(`#[A-Za-z0-9_]+`)
)

// params gives the ExpressionAttributeNames and -Values members that the
// expressions refer to, each preceded by a comma. What is in neither table is
// left undefined.
func params(expressions ...string) string {
	text := strings.Join(expressions, " ")
	collect := func(re *regexp.Regexp, from map[string]string, quote string) string {
		var members []string
		seen := map[string]bool{}
		for _, ref := range re.FindAllString(text, -1) {
			if v, ok := from[ref]; ok && !seen[ref] {
				seen[ref] = true
				members = append(members, `"`+ref+`":`+quote+v+quote)
			}
		}
		return strings.Join(members, ",")
	}
	out := ""
	if n := collect(nameRef, names, `"`); n != "" {
		out += `,"ExpressionAttributeNames":{` + n + `}`
	}
	if v := collect(valueRef, values, ""); v != "" {
		out += `,"ExpressionAttributeValues":{` + v + `}`
	}
	return out
}

const (
	holds = "holds"
	fails = "fails"
)

// conditionCase tries one condition on the sample item, as the condition of a
// write and as the filter of a query. The outcome is holds, fails or the text
// of the refusal after "Invalid ConditionExpression: ".
func conditionCase(name, why, expr, outcome string) Case {
	item := `{"pk":{"S":"$k"},` + sample + `}`
	quoted := strings.ReplaceAll(expr, `"`, `\"`)
	write := `{"TableName":"$hash","Item":` + item + `,"ConditionExpression":"` + quoted + `"` + params(expr) + `}`
	read := `{"TableName":"$hash","KeyConditionExpression":"pk = :pk","FilterExpression":"` + quoted + `","Select":"COUNT"` + params("pk = :pk", expr) + `}`
	steps := []Step{put("$hash", item)}
	switch outcome {
	case holds:
		steps = append(steps, ok("PutItem", write, `{}`), ok("Query", read, `{"Count":1,"ScannedCount":1}`))
	case fails:
		steps = append(steps, refuse("PutItem", write, "ConditionalCheckFailedException", "The conditional request failed"),
			ok("Query", read, `{"Count":0,"ScannedCount":1}`))
	default:
		steps = append(steps, invalid("PutItem", write, "Invalid ConditionExpression: "+outcome), invalid("Query", read, "Invalid FilterExpression: "+outcome))
	}
	return Case{Name: name, Why: why, Source: "developer guide, Expressions.OperatorsAndFunctions", Steps: steps}
}

func conditionGroup() Group {
	c := conditionCase
	opType := func(op, typ string) string {
		return "Incorrect operand type for operator or function; operator or function: " + op + ", operand type: " + typ
	}
	return Group{Name: "conditions", Cases: []Case{
		// Comparison operators, by type.
		c("string equal", "the commonest condition", "s = :hello", holds),
		c("string not equal", "<> is the operator's only spelling", "s <> :hello", fails),
		c("string differs", "<> of different values", "s <> :help", holds),
		c("string less", "strings compare by bytes", "s < :help", holds),
		c("string prefix is less", "a prefix sorts before what it begins", "s < :hell", fails),
		c("string less or equal", "the bound is included", "s <= :hello", holds),
		c("string greater", "the bound is excluded", "s > :hello", fails),
		c("string greater or equal", "the bound is included", "s >= :hello", holds),
		c("number equal by value", "5 and 5.00 are one number", "n = :fivedot", holds),
		c("number less by value", "numbers do not compare as text: 5 < 10", "n < :ten", holds),
		c("negative number", "-3.5 > -4", "neg > :negfour AND neg < :negthree", holds),
		c("number never equals text", "types are compared first", "n = :fiveS", fails),
		c("number differs from text", "values of two types are different", "n <> :fiveS", holds),
		c("order across types is false", "neither < nor >= holds for two types", "n < :hello OR n >= :hello", fails),
		c("binary equal", "binary compares by content", "b = :bin123", holds),
		c("binary order is unsigned", "0xff is above 0x01", "b < :binff", holds),
		c("boolean equal", "booleans have equality", "t = :true AND f = :false", holds),
		c("boolean not equal", "true is not false", "t <> :false", holds),
		c("null equal", "NULL equals NULL", "nul = :null", holds),
		c("string set equal", "sets are equal whatever their order", "ss = :ssab", holds),
		c("string set not equal", "a subset is not equal", "ss <> :ssa", holds),
		c("number set equal by value", "members compare as numbers", "ns = :ns12", holds),
		c("binary set equal", "sets are equal whatever their order", "bs = :bs12", holds),
		c("list equal", "lists are equal element by element", "l = :list", holds),
		c("list order matters", "lists are ordered", "l = :listother", fails),
		c("map equal", "maps compare deeply", "l[2] = :mapq", holds),
		c("empty string equal", "the empty string is a value", "e = :empty", holds),
		c("empty string is less", "nothing sorts before something", "e < :a", holds),
		c("empty list equal", "an empty list is a value", "el = :el", holds),
		c("empty map equal", "an empty map is a value", "em = :em", holds),
		c("attribute with attribute", "both operands may be paths", "n > z", holds),
		c("value first", "the value may stand on the left", ":five = n", holds),
		c("two values", "no path is needed", ":one < :two", holds),
		c("two empty paths", "absent is not equal to absent", "gone = lost", fails),
		c("absent equals nothing", "a comparison with an absent attribute is false", "gone = :hello", fails),
		c("absent differs from everything", "<> with an absent attribute is true", "gone <> :hello", holds),
		c("absent is not less", "a comparison with an absent attribute is false", "gone < :five", fails),
		c("absent in a list", "past the end is absent", "l[9] = :x", fails),
		c("not of absent", "NOT turns the false comparison around", "NOT gone = :hello", holds),

		// BETWEEN and IN.
		c("between includes the lower bound", "both bounds are included", "n BETWEEN :five AND :ten", holds),
		c("between includes the upper bound", "both bounds are included", "n BETWEEN :one AND :five", holds),
		c("between outside", "6 to 10 has no 5", "n BETWEEN :six AND :ten", fails),
		c("between equal bounds", "a range of one value is legal", "n BETWEEN :five AND :five", holds),
		c("between strings", "by bytes", "s BETWEEN :hell AND :help", holds),
		c("between paths", "bounds may be attributes", ":two BETWEEN z AND n", holds),
		c("between of another type", "no string lies between numbers", "s BETWEEN :one AND :five", fails),
		c("between binds tighter than and", "the AND of BETWEEN is not the operator", "n BETWEEN :one AND :ten AND s = :hello", holds),
		c("between bounds swapped", "a range that nothing is in is a mistake", "n BETWEEN :ten AND :one",
			"The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:1}"),
		c("between bounds of two types", "such a range has no order", "n BETWEEN :one AND :hello",
			"The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:hello}"),
		c("between of a set", "sets have no order", "n BETWEEN :ns1 AND :ns3", opType("BETWEEN", "NS")),
		c("in one", "a list of one", "n IN (:five)", holds),
		c("in several", "any member is enough", "s IN (:help, :hello, :a)", holds),
		c("in none", "no member matches", "s IN (:help, :a)", fails),
		c("in of mixed types", "members may be of several types", "n IN (:hello, :five)", holds),
		c("in with a path", "members may be attributes", ":five IN (z, n)", holds),
		c("in empty", "a list needs a member", "n IN ()", `Syntax error; token: ")", near: …`),
		c("not in", "NOT stands before the whole", "NOT n IN (:one, :two)", holds),

		// Logic and precedence.
		c("and", "both", "n = :five AND s = :hello", holds),
		c("and false", "one is not enough", "n = :five AND s = :help", fails),
		c("or", "one is enough", "n = :one OR s = :hello", holds),
		c("or false", "none", "n = :one OR s = :help", fails),
		c("and binds tighter than or", "a OR b AND c is a OR (b AND c)", "n = :five OR n = :one AND s = :help", holds),
		c("parentheses win", "(a OR b) AND c", "(n = :five OR n = :one) AND s = :help", fails),
		c("not binds tighter than and", "NOT a AND b is (NOT a) AND b", "NOT n = :one AND s = :hello", holds),
		c("not of parentheses", "NOT (a AND b)", "NOT (n = :five AND s = :help)", holds),
		c("double not", "two negations are none", "NOT NOT n = :five", holds),
		c("keywords in any case", "keywords have no case", "n = :five aNd nOt s = :help oR z BeTwEeN :one aND :two", holds),
		c("no space is needed", "tokens end where another begins", "n=:five AND(s=:hello)", holds),
		c("newlines are space", "any white space separates", `n = :five\n\tAND\r\n s = :hello`, holds),

		// Functions.
		c("attribute_exists", "the commonest guard", "attribute_exists(s)", holds),
		c("attribute_exists of null", "NULL is a value, and is there", "attribute_exists(nul)", holds),
		c("attribute_exists absent", "what is not there", "attribute_exists(gone)", fails),
		c("attribute_exists nested", "paths reach into maps", "attribute_exists(m.inn.x)", holds),
		c("attribute_exists in a list", "paths reach into lists", "attribute_exists(l[2].q) AND NOT attribute_exists(l[3])", holds),
		c("attribute_exists through a string", "a path through a scalar is absent", "attribute_exists(s.x)", fails),
		c("attribute_not_exists", "the guard of a create", "attribute_not_exists(gone)", holds),
		c("attribute_not_exists present", "the guard of a create fails", "attribute_not_exists(s)", fails),
		c("attribute_type of every type", "all ten names", "attribute_type(s, :tS) AND attribute_type(n, :tN) AND attribute_type(b, :tB) AND attribute_type(t, :tBOOL) AND attribute_type(nul, :tNULL) AND attribute_type(l, :tL) AND attribute_type(m, :tM) AND attribute_type(ss, :tSS) AND attribute_type(ns, :tNS) AND attribute_type(bs, :tBS)", holds),
		c("attribute_type of another", "a string is no number", "attribute_type(s, :tN)", fails),
		c("attribute_type absent", "absent has no type", "attribute_type(gone, :tS)", fails),
		c("attribute_type unknown", "ten names exist", "attribute_type(s, :tX)", "Invalid attribute type name found; type: STRING, valid types: {…}"),
		c("attribute_type of a number", "the name is a string", "attribute_type(s, :five)", opType("attribute_type", "N")),
		c("begins_with", "prefix", "begins_with(s, :hell)", holds),
		c("begins_with itself", "a text begins with itself", "begins_with(s, :hello)", holds),
		c("begins_with other", "no prefix", "begins_with(s, :ell)", fails),
		c("begins_with empty", "every text begins with the empty text", "begins_with(s, :empty)", holds),
		c("begins_with binary", "prefix of bytes", "begins_with(b, :bin12)", holds),
		c("begins_with number attribute", "a number has no prefix", "begins_with(n, :fiveS)", fails),
		c("begins_with number", "a number is no prefix", "begins_with(s, :five)", opType("begins_with", "N")),
		c("begins_with absent", "absent begins with nothing", "begins_with(gone, :a)", fails),
		c("contains substring", "in the middle", "contains(s, :ell)", holds),
		c("contains substring of bytes", "binary has substrings", "contains(b, :bin1)", holds),
		c("contains string set member", "membership", "contains(ss, :a)", holds),
		c("contains string set no member", "a substring of a member is none", "contains(ss, :x)", fails),
		c("contains number set member", "membership by value", "contains(ns, :two)", holds),
		c("contains binary set member", "membership", "contains(bs, :bin1)", holds),
		c("contains list element", "any type of element", "contains(l, :two)", holds),
		c("contains list map", "elements compare deeply", "contains(l, :mapq)", holds),
		c("contains not of string in number", "types must fit", "contains(n, :fiveS)", fails),
		c("contains in map", "a map contains nothing", "contains(m, :v)", fails),
		c("contains operand path", "the operand may be an attribute", "contains(ss, name)", "Attribute name is a reserved keyword; reserved keyword: name"),
		c("size of string", "characters are counted as bytes", "size(s) = :five", holds),
		c("size of binary", "bytes", "size(b) = :three", holds),
		c("size of set", "members", "size(ss) = :two", holds),
		c("size of list", "elements", "size(l) = :three", holds),
		c("size of map", "entries", "size(m) = :three", holds),
		c("size of empty", "zero", "size(el) = :zero AND size(em) = :zero AND size(e) = :zero", holds),
		c("size of number", "a number has none: the comparison is false", "size(n) = :one OR size(n) < :one", fails),
		c("size of absent", "absent has none", "size(gone) < :five", fails),
		c("size on the right", "either side", ":two < size(l)", holds),
		c("size between", "an operand like others", "size(s) BETWEEN :four AND :six", holds),
		c("size in", "an operand like others", "size(s) IN (:four, :five)", holds),
		c("size of nested", "paths reach in", "size(m.inn) = :one", holds),

		// Paths and names.
		c("nested path", "maps in maps", "m.inn.x = :one", holds),
		c("list index", "by position", "l[1] = :two", holds),
		c("list in map", "mixed paths", "m.li[0] = :seven", holds),
		c("alias", "a name by its alias", "#n = :five", holds),
		c("alias of reserved word", "what aliases are for", "#name = :ann", holds),
		c("alias in a path", "each segment has its own", "#m.#k1 = :v", holds),
		c("alias with a dot in it", "the dot of an alias is part of the name", "#dotted = :plain", holds),
		c("alias of digits", "digits make an alias", "#1 = :five", holds),
		c("reserved word", "573 words need an alias", "name = :ann", "Attribute name is a reserved keyword; reserved keyword: name"),
		c("reserved word in a path", "every segment is looked at", "m.status = :ann", "Attribute name is a reserved keyword; reserved keyword: status"),
		c("undefined alias", "a typing error", "#undefined = :five", "An expression attribute name used in the document path is not defined; attribute name: #undefined"),
		c("undefined value", "a typing error", "n = :undefined", "An expression attribute value used in expression is not defined; attribute value: :undefined"),

		// Refusals of form.
		c("empty", "nothing to evaluate", "", "The expression can not be empty;"),
		c("incomplete", "an operand is missing", "n =", `Syntax error; token: "<EOF>", near: …`),
		c("operand alone", "a path is no condition", "n", `Syntax error; token: "<EOF>", near: …`),
		c("double equals", "no such operator", "n == :five", `Syntax error; token: "=", near: …`),
		c("exclamation", "no such operator", "n != :five", `Syntax error; token: "!", near: …`),
		c("unclosed", "a parenthesis is missing", "(n = :five", `Syntax error; token: "<EOF>", near: …`),
		c("redundant parentheses", "the service is strict about them", "((n = :five))", "The expression has redundant parentheses;"),
		c("parentheses around one comparison", "one pair is fine", "(n = :five)", holds),
		c("chained comparison", "comparisons do not chain", "z < n < :ten", `Syntax error; token: "<", near: …`),
		c("literal number", "values come by name", "n = 5", `Syntax error; token: "5", near: …`),
		c("unknown function", "six functions exist", "starts_with(s, :hell)", "Invalid function name; function: starts_with"),
		c("function names have case", "SIZE is no function", "Size(s) = :five", "Invalid function name; function: Size"),
		c("function of updates", "if_not_exists is for updates", "if_not_exists(s, :a) = :a", "Invalid function name; function: if_not_exists"),
		c("too few operands", "counts are checked", "begins_with(s)", "Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1"),
		c("too many operands", "counts are checked", "attribute_exists(s, n)", "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2"),
		c("exists of a value", "a path is needed", "attribute_exists(:five)", "Operator or function requires a document path; operator or function: attribute_exists"),
		c("not exists of a value", "a path is needed", "attribute_not_exists(:five)", "Operator or function requires a document path; operator or function: attribute_not_exists"),
		c("size alone", "size is no condition", "size(s)", "The function is not allowed to be used this way in an expression; function: size"),
		c("function as operand", "only size is an operand", "attribute_exists(s) = :true", "The function is not allowed to be used this way in an expression; function: attribute_exists"),
		c("size of a number value", "a number has no size", "size(:five) = :one", opType("size", "N")),
		c("same operand twice", "such a comparison says nothing", "n = n", "The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [n]"),
		c("same operand in a function", "such a test says nothing", "contains(s, s)", "The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [s]"),
		c("order of a list", "lists have no order", "l < :list", opType("<", "L")),
		c("order of a boolean", "booleans have no order", "t >= :true", opType(">=", "BOOL")),
		c("order of null", "NULL has no order", "nul > :null", opType(">", "NULL")),
		c("order of a set", "sets have no order", "ss <= :ssa", opType("<=", "SS")),
		c("order of a map", "maps have no order", "m < :mapq", opType("<", "M")),
		c("index negative", "positions count from zero", "l[-1] = :x", `Syntax error; token: "-", near: …`),
		c("index by value", "positions are literal", "l[:one] = :x", `Syntax error; token: ":one", near: …`),
		c("trailing dot", "a segment is missing", "m. = :x", `Syntax error; token: "=", near: …`),
		c("bad character", "no token begins so", "n ? :five", `Syntax error; token: "?", near: …`),
	}}
}
