package cases

import (
	"fmt"
	"strings"
)

// roundTrip stores a value and reads it back as it was, or as the service
// writes it.
func roundTrip(name, why, in, out string) Case {
	if out == "" {
		out = in
	}
	return Case{Name: name, Why: why, Source: "developer guide, HowItWorks.NamingRulesDataTypes", Steps: []Step{
		put("$hash", `{"pk":{"S":"$k"},"v":`+in+`}`),
		get("$hash", `{"pk":{"S":"$k"}}`, `{"pk":{"S":"$k"},"v":`+out+`}`),
	}}
}

// badValue is refused in an item, and does not come into being.
func badValue(name, why, in, msg string) Case {
	return Case{Name: name, Why: why, Source: "developer guide, HowItWorks.NamingRulesDataTypes", Steps: []Step{
		rawInvalid("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"},"v":`+in+`}}`, msg),
		get("$hash", `{"pk":{"S":"$k"}}`, ""),
	}}
}

// nested gives a value of n levels: lists around a string.
func nested(n int) string {
	return strings.Repeat(`{"L":[`, n) + `{"S":"x"}` + strings.Repeat(`]}`, n)
}

func valueGroup() Group {
	const inv = "One or more parameter values were invalid: "
	return Group{Name: "values", Cases: []Case{
		roundTrip("string", "text", `{"S":"text"}`, ""),
		roundTrip("empty string", "allowed outside of keys", `{"S":""}`, ""),
		roundTrip("unicode", "beyond the basic plane", `{"S":"aé漢😀\u0000\u001f\"\\/"}`, ""),
		roundTrip("binary", "bytes", `{"B":"AP+AQQ=="}`, ""),
		roundTrip("empty binary", "allowed outside of keys", `{"B":""}`, ""),
		roundTrip("booleans", "both", `{"L":[{"BOOL":true},{"BOOL":false}]}`, ""),
		roundTrip("null", "a value of its own", `{"NULL":true}`, ""),
		roundTrip("empty list", "allowed", `{"L":[]}`, ""),
		roundTrip("empty map", "allowed", `{"M":{}}`, ""),
		roundTrip("mixed list", "elements of every type", `{"L":[{"S":"a"},{"N":"1"},{"B":"AQ=="},{"BOOL":true},{"NULL":true},{"SS":["a"]},{"NS":["1"]},{"BS":["AQ=="]},{"L":[]},{"M":{}}]}`, ""),
		roundTrip("map with odd names", "names are any text", `{"M":{"a b":{"S":"1"},"ü.#":{"S":"2"},"":{"S":"3"}}}`, ""),
		roundTrip("string set", "strings", `{"SS":["b","a"]}`, ""),
		roundTrip("string set with empty", "an empty member is a member", `{"SS":["","a"]}`, ""),
		roundTrip("number set", "numbers", `{"NS":["2","-1.50"]}`, `{"NS":["2","-1.5"]}`),
		roundTrip("binary set", "bytes", `{"BS":["AQ==","AP8="]}`, ""),
		roundTrip("nesting of 31", "lists inside of one another", nested(31), ""),

		badValue("nesting of 33", "32 levels at most", nested(33), "Nesting Levels have exceeded supported limits…"),
		badValue("no type", "a value has one type", `{}`, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
		badValue("two types", "a value has one type", `{"S":"a","N":"1"}`, "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"),
		badValue("unknown type", "a type that is none is no type", `{"X":"a"}`, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
		badValue("no type nested", "values in values are looked at", `{"L":[{"M":{"x":{}}}]}`, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
		badValue("null false", "NULL is true or not there", `{"NULL":false}`, inv+"Null attribute value types must have the value of true"),
		badValue("empty string set", "sets have members", `{"SS":[]}`, inv+"An string set  may not be empty"),
		badValue("empty number set", "sets have members", `{"NS":[]}`, inv+"An number set  may not be empty"),
		badValue("empty binary set", "sets have members", `{"BS":[]}`, inv+"Binary sets should not be empty"),
		badValue("string twice", "members are distinct", `{"SS":["a","b","a"]}`, inv+"Input collection [a, b, a] contains duplicates."),
		badValue("number twice", "members are distinct", `{"NS":["1","2","1"]}`, "Input collection contains duplicates"),
		badValue("number twice by value", "1 and 1.0 are one number", `{"NS":["1","1.0"]}`, "Input collection contains duplicates"),
		badValue("binary twice", "members are distinct", `{"BS":["AQ==","AQ=="]}`, inv+"Input collection [AQ==, AQ==]of type BS contains duplicates."),
		badValue("bad number nested", "values in values are looked at", `{"L":[{"N":"one"}]}`, "The parameter cannot be converted to a numeric value: one"),
		badValue("bad set nested", "values in values are looked at", `{"M":{"x":{"SS":[]}}}`, inv+"An string set  may not be empty"),
	}}
}

func numberGroup() Group {
	n := func(name, why, in, out string) Case {
		if out == "" {
			out = in
		}
		return roundTrip(name, why, `{"N":"`+in+`"}`, `{"N":"`+out+`"}`)
	}
	bad := func(name, why, in, msg string) Case { return badValue(name, why, `{"N":"`+in+`"}`, msg) }
	sum := func(name, why, a, op, b, want string) Case {
		return Case{Name: name, Why: why, Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"v":{"N":"`+a+`"}}`),
			ok("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"SET v = v `+op+` :b","ExpressionAttributeValues":{":b":{"N":"`+b+`"}},"ReturnValues":"UPDATED_NEW"}`,
				`{"Attributes":{"v":{"N":"`+want+`"}}}`)}}
	}
	sumBad := func(name, why, a, op, b, msg string) Case {
		return Case{Name: name, Why: why, Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"v":{"N":"`+a+`"}}`),
			invalid("UpdateItem", `{"TableName":"$hash","Key":{"pk":{"S":"$k"}},"UpdateExpression":"SET v = v `+op+` :b","ExpressionAttributeValues":{":b":{"N":"`+b+`"}}}`, msg)}}
	}
	const (
		over    = "Number overflow. Attempting to store a number with magnitude larger than supported range"
		under   = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
		digits  = "Attempting to store more than 38 significant digits in a Number"
		numeric = "The parameter cannot be converted to a numeric value"
	)
	d38 := strings.Repeat("1234567890", 3) + "12345678"
	zeros := func(n int) string { return strings.Repeat("0", n) }
	return Group{Name: "numbers", Cases: []Case{
		n("zero", "zero", "0", ""),
		n("negative zero", "there is one zero", "-0", "0"),
		n("zero with point", "there is one zero", "0.000", "0"),
		n("leading zeros", "they say nothing", "007", "7"),
		n("trailing zeros", "they say nothing", "1.500", "1.5"),
		n("plus sign", "it says nothing", "+5", "5"),
		n("leading point", "a zero is put before it", ".5", "0.5"),
		n("trailing point", "the point goes", "5.", "5"),
		n("exponent", "written out", "1e3", "1000"),
		n("capital exponent", "written out", "1.5E+3", "1500"),
		n("negative exponent", "written out", "25e-3", "0.025"),
		n("negative", "the sign stays", "-12.75", ""),
		n("thirty-eight digits", "all are kept", d38, ""),
		n("thirty-eight digits and zeros", "zeros are not significant", d38+"000", ""),
		n("thirty-eight digits of fraction", "all are kept", "0."+d38, ""),
		n("binary fraction", "no binary rounding", "0.1", ""),
		n("largest", "9.99…E+125", strings.Repeat("9", 38)+"E+88", strings.Repeat("9", 38)+zeros(88)),
		n("smallest", "1E-130", "1E-130", "0."+zeros(129)+"1"),
		n("negative largest", "-9.99…E+125", "-"+strings.Repeat("9", 38)+"E+88", "-"+strings.Repeat("9", 38)+zeros(88)),
		n("negative smallest", "-1E-130", "-1E-130", "-0."+zeros(129)+"1"),
		n("above 64 bits", "no machine word is big enough", "18446744073709551616", ""),

		bad("thirty-nine digits", "38 at most", d38+"9", digits),
		bad("thirty-nine digits across the point", "38 at most", d38[:20]+"."+d38[20:]+"9", digits),
		bad("too large", "1E+126", "1E+126", over),
		bad("too negative", "-1E+126", "-1E+126", over),
		bad("too small", "1E-131", "1E-131", under),
		bad("too small negative", "-1E-131", "-1E-131", under),
		bad("empty", "no number", "", numeric+"…"),
		bad("word", "no number", "abc", numeric+": abc"),
		bad("hexadecimal", "no number", "0x10", numeric+": 0x10"),
		bad("two points", "no number", "1.2.3", numeric+": 1.2.3"),
		bad("infinity", "no number", "Infinity", numeric+": Infinity"),
		bad("not a number", "no number", "NaN", numeric+": NaN"),
		bad("comma", "no number", "1,5", numeric+": 1,5"),
		bad("inner space", "no number", "1 5", numeric+": 1 5"),
		bad("lone sign", "no number", "-", numeric+": -"),
		bad("lone exponent", "no number", "e5", numeric+": e5"),

		sum("sum of decimals", "0.1 + 0.2 is 0.3", "0.1", "+", "0.2", "0.3"),
		sum("sum of 38 digits", "exact", strings.Repeat("9", 37)+"8", "+", "1", strings.Repeat("9", 38)),
		sum("difference to zero", "there is one zero", "5", "-", "5.0", "0"),
		sum("difference below zero", "the sign", "1.5", "-", "2", "-0.5"),
		sum("carry to a power of ten", "zeros are not significant", strings.Repeat("9", 38), "+", "1", "1"+zeros(38)),
		sumBad("sum over the range", "the result is checked", strings.Repeat("9", 38)+"E+88", "+", "1E+88", over),

		{Name: "equal keys", Why: "1000, 1e3 and 1000.0 are one key", Steps: []Step{
			put("$num", `{"pk":{"S":"$k"},"sk":{"N":"1e3"},"v":{"S":"a"}}`),
			put("$num", `{"pk":{"S":"$k"},"sk":{"N":"1000.0"},"v":{"S":"b"}}`),
			ok("Query", `{"TableName":"$num","KeyConditionExpression":"pk = :pk"`+params(":pk")+`}`, `{"Count":1,"ScannedCount":1,"Items":[{"pk":{"S":"$k"},"sk":{"N":"1000"},"v":{"S":"b"}}]}`)}},
		numberOrder(),
	}}
}

// numberOrder stores numbers in no order and reads them in the order of their values.
func numberOrder() Case {
	sorted := []string{"-1000000", "-200", "-50", "-1.5", "-1", "-0.001", "0", "0.0001", "0.5", "1", "2", "9", "10", "10.5", "99", "100", "1000", "123456789012345678901234567890"}
	c := Case{Name: "order of keys", Why: "numbers sort by value, not by text", Source: "developer guide, sort keys of type Number"}
	var items []string
	for i := range sorted {
		v := sorted[(i*7)%len(sorted)]
		c.Steps = append(c.Steps, put("$num", `{"pk":{"S":"$k"},"sk":{"N":"`+v+`"}}`))
	}
	for _, v := range sorted {
		items = append(items, `{"sk":{"N":"`+v+`"}}`)
	}
	c.Steps = append(c.Steps, ok("Query", `{"TableName":"$num","KeyConditionExpression":"pk = :pk","ProjectionExpression":"sk"`+params(":pk")+`}`,
		fmt.Sprintf(`{"Count":%d,"ScannedCount":%d,"Items":[%s]}`, len(sorted), len(sorted), strings.Join(items, ","))))
	return c
}
