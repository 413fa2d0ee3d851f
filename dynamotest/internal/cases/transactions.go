package cases

import (
	"fmt"
	"strings"
)

func transactionGroup() Group {
	const src = "API reference, TransactWriteItems"
	tx := func(actions ...string) string { return `{"TransactItems":[` + strings.Join(actions, ",") + `]}` }
	token := func(t string, actions ...string) string {
		return `{"ClientRequestToken":"` + t + `","TransactItems":[` + strings.Join(actions, ",") + `]}`
	}
	putA := func(id, rest string) string {
		return `{"Put":{"TableName":"$hash","Item":{"pk":{"S":"$k` + id + `"}` + rest + `}}}`
	}
	putNew := func(id, rest string) string {
		return `{"Put":{"TableName":"$hash","Item":{"pk":{"S":"$k` + id + `"}},"ConditionExpression":"attribute_not_exists(pk)"` + rest + `}}`
	}
	upd := func(id, expr, rest string) string {
		return `{"Update":{"TableName":"$hash","Key":{"pk":{"S":"$k` + id + `"}},"UpdateExpression":"` + expr + `"` + rest + params(expr) + `}}`
	}
	del := func(id, rest string) string {
		return `{"Delete":{"TableName":"$hash","Key":{"pk":{"S":"$k` + id + `"}}` + rest + `}}`
	}
	check := func(id, cond string) string {
		return `{"ConditionCheck":{"TableName":"$hash","Key":{"pk":{"S":"$k` + id + `"}},"ConditionExpression":"` + cond + `"` + params(cond) + `}}`
	}
	key := func(id string) string { return `{"pk":{"S":"$k` + id + `"}}` }
	has := func(id, rest string) Step { return get("$hash", key(id), `{"pk":{"S":"$k`+id+`"}`+rest+`}`) }
	none := func(id string) Step { return get("$hash", key(id), "") }
	const (
		failed = `{"Code":"ConditionalCheckFailed","Message":"The conditional request failed"}`
		nothin = `{"Code":"None"}`
	)
	cancelled := func(in, codes string, reasons ...string) Step {
		return Step{Op: "TransactWriteItems", In: in, Code: "TransactionCanceledException", Msg: "Transaction cancelled, please refer cancellation reasons for specific reasons [" + codes + "]",
			Want: `{"CancellationReasons":[` + strings.Join(reasons, ",") + `]}`}
	}
	reason := func(msg string) string { return `{"Code":"ValidationError","Message":"` + msg + `"}` }
	no := func(name, why, in, msg string) Case {
		return Case{Name: name, Why: why, Source: src, Steps: []Step{invalid("TransactWriteItems", in, msg)}}
	}
	many := func(n int) string {
		var out []string
		for i := range n {
			out = append(out, putA(fmt.Sprint("-", i), ""))
		}
		return tx(out...)
	}
	var large []string
	for i := range 11 {
		large = append(large, putA(fmt.Sprint("-", i), `,"v":{"S":"`+strings.Repeat("x", 400000)+`"}`))
	}
	const twice = "Transaction request cannot include multiple operations on one item"
	return Group{Name: "transactions", Cases: []Case{
		{Name: "all four actions", Why: "all happen", Source: src, Steps: []Step{
			put("$hash", key("1")), put("$hash", key("2")), put("$hash", key("3")),
			ok("TransactWriteItems", tx(putA("0", `,"n":{"N":"1"}`), upd("1", "SET n = :two", ""), del("2", ""), check("3", "attribute_exists(pk)")), `{}`),
			has("0", `,"n":{"N":"1"}`), has("1", `,"n":{"N":"2"}`), none("2"), has("3", "")}},
		{Name: "over tables", Why: "all happen", Source: src, Steps: []Step{
			ok("TransactWriteItems", tx(putA("", ""), `{"Put":{"TableName":"$range","Item":{"pk":{"S":"$k"},"sk":{"S":"a"}}}}`), `{}`),
			has("", ""), get("$range", `{"pk":{"S":"$k"},"sk":{"S":"a"}}`, `{"pk":{"S":"$k"},"sk":{"S":"a"}}`)}},
		{Name: "one fails, none happens", Why: "all or nothing, and the reasons in order", Source: src, Steps: []Step{
			put("$hash", key("1")),
			cancelled(tx(putA("0", ""), putNew("1", ""), del("2", "")), "None, ConditionalCheckFailed, None", nothin, failed, nothin),
			none("0")}},
		{Name: "every failed condition", Why: "all are told, not the first alone", Source: src, Steps: []Step{
			put("$hash", key("0")), put("$hash", key("1")),
			cancelled(tx(putNew("0", ""), putNew("1", "")), "ConditionalCheckFailed, ConditionalCheckFailed", failed, failed)}},
		{Name: "failed check", Why: "a check alone is an action", Source: src, Steps: []Step{
			cancelled(tx(check("", "attribute_exists(pk)")), "ConditionalCheckFailed", failed)}},
		{Name: "old item", Why: "what is there comes with the refusal", Source: src, Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"n":{"N":"1"}}`),
			cancelled(tx(putNew("", `,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"`), putA("1", "")), "ConditionalCheckFailed, None",
				`{"Code":"ConditionalCheckFailed","Message":"The conditional request failed","Item":{"pk":{"S":"$k"},"n":{"N":"1"}}}`, nothin)}},
		{Name: "old item absent", Why: "there is none to return", Source: src, Steps: []Step{
			cancelled(tx(`{"Delete":{"TableName":"$hash","Key":`+key("")+`,"ConditionExpression":"attribute_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}}`), "ConditionalCheckFailed", failed)}},
		{Name: "update refused by the item", Why: "a reason, not a refusal of the request", Source: src, Steps: []Step{
			cancelled(tx(putA("0", ""), upd("1", "SET a = gone", "")), "None, ValidationError", nothin, reason("The provided expression refers to an attribute that does not exist in the item")),
			none("0")}},
		{Name: "update of the wrong type", Why: "a reason, not a refusal of the request", Source: src, Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"s":{"S":"x"}}`),
			cancelled(tx(upd("", "ADD s :one", "")), "ValidationError", reason("An operand in the update expression has an incorrect data type"))}},
		{Name: "put without key", Why: "every item has its keys", Source: src, Steps: []Step{
			cancelled(tx(`{"Put":{"TableName":"$hash","Item":{"x":{"S":"$k"}}}}`), "ValidationError", reason("One or more parameter values were invalid: Missing the key pk in the item"))}},
		{Name: "key of another shape", Why: "a key is whole", Source: src, Steps: []Step{
			cancelled(tx(`{"Delete":{"TableName":"$range","Key":{"pk":{"S":"$k"}}}}`), "ValidationError", reason("The provided key element does not match the schema"))}},
		{Name: "upsert", Why: "an update makes the item", Source: src, Steps: []Step{
			ok("TransactWriteItems", tx(upd("", "SET n = :one", "")), `{}`), has("", `,"n":{"N":"1"}`)}},
		{Name: "100 actions", Why: "the most", Source: src, Steps: []Step{ok("TransactWriteItems", many(100), `{}`)}},
		no("101 actions", "one too many", many(101), "1 validation error detected: Value '…' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100"),
		no("no actions", "a transaction holds something", tx(), "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1"),
		no("two writes of one item", "no item twice", tx(putA("", ""), del("", "")), twice),
		no("write and check of one item", "a check counts", tx(putA("", ""), check("", "attribute_exists(pk)")), twice),
		no("one item by two spellings", "1 and 1.0 are one key", tx(`{"Put":{"TableName":"$nhash","Item":{"pk":{"N":"1"}}}}`, `{"Delete":{"TableName":"$nhash","Key":{"pk":{"N":"1.0"}}}}`), twice),
		no("two actions in one", "an action is one of four", tx(`{"Put":{"TableName":"$hash","Item":`+key("")+`},"Delete":{"TableName":"$hash","Key":`+key("")+`}}`), ""),
		no("no action in one", "an action is one of four", tx(`{}`), ""),
		no("long token", "36 characters at most", token(strings.Repeat("t", 37), putA("", "")), "1 validation error detected: Value '"+strings.Repeat("t", 37)+"' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36"),
		{Name: "over 4 MB", Why: "the most that a transaction moves", Source: "developer guide, ServiceQuotas", Slow: true, Steps: []Step{invalid("TransactWriteItems", tx(large...), "")}},
		{Name: "missing table", Why: "a table that is not there", Source: src, Steps: []Step{
			refuse("TransactWriteItems", tx(`{"Put":{"TableName":"$hash-missing","Item":`+key("")+`}}`), "ResourceNotFoundException", "Requested resource not found")}},
		{Name: "token", Why: "a repeated request has no second effect", Source: src, Steps: []Step{
			ok("TransactWriteItems", token("$run-$k", upd("", "ADD n :one", "")), `{}`),
			ok("TransactWriteItems", token("$run-$k", upd("", "ADD n :one", "")), `{}`),
			has("", `,"n":{"N":"1"}`)}},
		{Name: "token of another request", Why: "a token is for one request", Source: src, Steps: []Step{
			ok("TransactWriteItems", token("$run-$k", putA("", "")), `{}`),
			refuse("TransactWriteItems", token("$run-$k", putA("1", "")), "IdempotentParameterMismatchException", ""),
			none("1")}},
		{Name: "token of a cancelled request", Why: "a failure is not remembered", Source: src, Steps: []Step{
			put("$hash", key("")),
			cancelled(token("$run-$k", putNew("", "")), "ConditionalCheckFailed", failed),
			ok("DeleteItem", `{"TableName":"$hash","Key":`+key("")+`}`, `{}`),
			ok("TransactWriteItems", token("$run-$k", putNew("", "")), `{}`), has("", "")}},
		{Name: "indexes follow", Why: "a transaction keeps its indexes", Steps: []Step{
			ok("TransactWriteItems", tx(`{"Put":{"TableName":"$cap","Item":{"pk":{"S":"$k"},"g":{"S":"$k"}}}}`), `{}`),
			ok("Query", `{"TableName":"$cap","IndexName":"ckeys","KeyConditionExpression":"g = :pk"`+params(":pk")+`}`, listed(`{"pk":{"S":"$k"},"g":{"S":"$k"}}`, 1))}},

		{Name: "get", Why: "in order, absent items as holes", Source: "API reference, TransactGetItems", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"n":{"N":"1"}}`), put("$range", `{"pk":{"S":"$k"},"sk":{"S":"a"}}`),
			ok("TransactGetItems", tx(`{"Get":{"TableName":"$hash","Key":`+key("none")+`}}`, `{"Get":{"TableName":"$range","Key":{"pk":{"S":"$k"},"sk":{"S":"a"}}}}`, `{"Get":{"TableName":"$hash","Key":`+key("")+`}}`),
				`{"Responses":[{},{"Item":{"pk":{"S":"$k"},"sk":{"S":"a"}}},{"Item":{"pk":{"S":"$k"},"n":{"N":"1"}}}]}`)}},
		{Name: "get with projection", Why: "the attributes asked, without the key", Source: "API reference, TransactGetItems", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},`+sample+`}`),
			ok("TransactGetItems", tx(`{"Get":{"TableName":"$hash","Key":`+key("")+`,"ProjectionExpression":"n, m.inn"}}`), `{"Responses":[{"Item":{"n":{"N":"5"},"m":{"M":{"inn":{"M":{"x":{"N":"1"}}}}}}}]}`)}},
		{Name: "get nothing", Why: "a transaction holds something", Steps: []Step{invalid("TransactGetItems", tx(), "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1")}},
		{Name: "get from a missing table", Why: "a table that is not there", Steps: []Step{refuse("TransactGetItems", tx(`{"Get":{"TableName":"$hash-missing","Key":`+key("")+`}}`), "ResourceNotFoundException", "Requested resource not found")}},
	}}
}
