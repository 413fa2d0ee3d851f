package engine

import "testing"

// TestCountedRefusals: PutItem and UpdateItem count the one thing that is wrong
// with their parameters, other operations do not. The cases of the kit pass over
// the count, since not every version of the service has had it.
func TestCountedRefusals(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", plainTable)
	const (
		key   = `{"TableName":"plain","Key":{"pk":{"S":"a"}},`
		item  = `{"TableName":"plain","Item":{"pk":{"S":"a"}},`
		where = "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: abort"
		twice = `Invalid UpdateExpression: The "REMOVE" section can only be used once in an update expression;`
		only  = "ReturnValues can only be ALL_OLD or NONE"
		empty = "Invalid ConditionExpression: The expression can not be empty;"
	)
	for _, test := range []struct{ reason, op, request, want string }{
		{"put, a condition", "PutItem", item + `"ConditionExpression":"attribute_exists(abort)"}`, oneViolation + where},
		{"update, a condition", "UpdateItem", key + `"ConditionExpression":"attribute_exists(abort)"}`, oneViolation + where},
		{"update, an update", "UpdateItem", key + `"UpdateExpression":"REMOVE a REMOVE b"}`, oneViolation + twice},
		{"put, an empty condition", "PutItem", item + `"ConditionExpression":""}`, empty},
		{"put, what it cannot return", "PutItem", item + `"ReturnValues":"ALL_NEW"}`, oneViolation + only},
		{"delete, a condition", "DeleteItem", key + `"ConditionExpression":"attribute_exists(abort)"}`, where},
		{"delete, what it cannot return", "DeleteItem", key + `"ReturnValues":"ALL_NEW"}`, only},
		{"a transaction", "TransactWriteItems", `{"TransactItems":[{"Delete":` + key + `"ConditionExpression":"attribute_exists(abort)"}}]}`, where},
	} {
		_, err := do(t, e, test.op, test.request)
		if err == nil || err.Message != test.want {
			t.Errorf("%s: got %v, want %q", test.reason, err, test.want)
		}
	}
}
