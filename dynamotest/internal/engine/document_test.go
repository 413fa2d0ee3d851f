package engine

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocumentsOfTheWrongShape: what JSON cannot be read as the model says is a
// SerializationException in the words of the service's parser, before anything
// else is looked at.
func TestDocumentsOfTheWrongShape(t *testing.T) {
	const (
		notList   = "Unexpected field type"
		notScalar = "Start of structure or map found where not expected"
	)
	for _, test := range []struct{ op, request, want string }{
		{"PutItem", `{"TableName":5}`, "NUMBER_VALUE cannot be converted to String"},
		{"PutItem", `{"TableName":1.5}`, "DECIMAL_VALUE cannot be converted to String"},
		{"PutItem", `{"TableName":true}`, "TRUE_VALUE cannot be converted to String"},
		{"PutItem", `{"TableName":false}`, "FALSE_VALUE cannot be converted to String"},
		{"PutItem", `{"TableName":[]}`, "Unrecognized collection type class java.lang.String"},
		{"PutItem", `{"TableName":{}}`, notScalar},
		{"PutItem", `{"Item":[]}`, "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{"PutItem", `{"Item":"x"}`, notList},
		{"PutItem", `{"ExpressionAttributeNames":[]}`, "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"},
		{"PutItem", `{"ExpressionAttributeNames":{"#a":1}}`, "NUMBER_VALUE cannot be converted to String"},
		{"GetItem", `{"ConsistentRead":"perhaps"}`, "Unexpected token received from parser"},
		{"GetItem", `{"ConsistentRead":1}`, "NUMBER_VALUE cannot be converted to Boolean"},
		{"GetItem", `{"ConsistentRead":[]}`, "Unrecognized collection type class java.lang.Boolean"},
		{"GetItem", `{"ConsistentRead":{}}`, notScalar},
		{"Query", `{"Limit":"1"}`, "STRING_VALUE cannot be converted to Integer"},
		{"Query", `{"Limit":true}`, "TRUE_VALUE cannot be converted to Integer"},
		{"Query", `{"Limit":[]}`, "Unrecognized collection type class java.lang.Integer"},
		{"Query", `{"Limit":{}}`, notScalar},
		{"CreateTable", `{"KeySchema":{}}`, notScalar},
		{"CreateTable", `{"KeySchema":"x"}`, notList},
		{"CreateTable", `{"KeySchema":["x"]}`, "Unexpected value type in payload"},
		{"CreateTable", `{"KeySchema":[[]]}`, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.KeySchemaElement"},
		{"CreateTable", `{"ProvisionedThroughput":[]}`, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.ProvisionedThroughput"},
		{"CreateTable", `{"ProvisionedThroughput":"x"}`, notList},
		{"BatchGetItem", `{"RequestItems":[]}`, "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.KeysAndAttributes>"},
		{"BatchWriteItem", `{"RequestItems":{"abc":"x"}}`, notList},
		{"TransactWriteItems", `{"TransactItems":[5]}`, "Unexpected value type in payload"},
		{"ListTables", `[]`, "Unrecognized collection type class java.lang.Object"},
		{"ListTables", `"x"`, "Unexpected value type in payload"},
		{"ListTables", `{"Limit":1`, ""},
		{"ListTables", ``, ""},
	} {
		_, err := do(t, New(Config{}), test.op, test.request)
		if diff := cmp.Diff(&Error{Type: Serialization, Message: test.want}, err); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", test.op, test.request, diff)
		}
	}
}

// TestDocumentsAreReadAsJSON: space, escapes, null, repeated members and numbers
// with fractions are JSON too.
func TestDocumentsAreReadAsJSON(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", "\n"+strings.ReplaceAll(plainTable, ",", " ,\t")+"\r\n")
	for _, test := range []struct{ reason, request string }{
		{"an escaped name and value", `{"Table\u004eame":"pl\u0061in","Item":{"pk":{"S":"a"}}}`},
		{"null is absent", `{"TableName":"plain","Item":{"pk":{"S":"a"}},"ConditionExpression":null,"ReturnValues":null,"Expected":null}`},
		{"the last of two members counts", `{"TableName":"other","TableName":"plain","Item":{"pk":{"S":"a"}}}`},
		{"members that the operation does not have", `{"TableName":"plain","Item":{"pk":{"S":"a"}},"Surprise":[1,{"a":"}"}]}`},
		{"a backslash before the closing quote", `{"TableName":"plain","Item":{"pk":{"S":"a\\"}}}`},
	} {
		if _, err := do(t, e, "PutItem", test.request); err != nil {
			t.Errorf("%s: %v", test.reason, err)
		}
	}
	answer := must(t, e, "Scan", `{"TableName":"plain","Limit":1.9,"ConsistentRead":"YES"}`)
	if answer["ScannedCount"] != 1.0 {
		t.Errorf("a limit of 1.9 read %v items, want 1", answer["ScannedCount"])
	}
}

// TestUpToTenViolationsAreReported together, in one message.
func TestUpToTenViolationsAreReported(t *testing.T) {
	var c constraints
	for range 12 {
		c.missing("x")
	}
	err := c.err()
	if !strings.HasPrefix(err.Message, "10 validation errors detected: Value null at 'x'") || strings.Count(err.Message, ";") != 9 {
		t.Errorf("got %s", err.Message)
	}
}

func TestLegacyParametersAreRefused(t *testing.T) {
	for _, test := range []struct{ op, request, want string }{
		{"GetItem", `{"TableName":"abc","Key":{},"AttributesToGet":["a"]}`, "One or more parameter values were invalid: The parameter AttributesToGet is not supported; use ProjectionExpression"},
		{"PutItem", `{"TableName":"abc","Item":{},"Expected":{}}`, "One or more parameter values were invalid: The parameter Expected is not supported; use ConditionExpression"},
		{"UpdateItem", `{"TableName":"abc","Key":{},"AttributeUpdates":{}}`, "One or more parameter values were invalid: The parameter AttributeUpdates is not supported; use UpdateExpression"},
		{"DeleteItem", `{"TableName":"abc","Key":{},"ConditionalOperator":"OR"}`, "One or more parameter values were invalid: The parameter ConditionalOperator is not supported; use AND and OR in an expression"},
		{"Query", `{"TableName":"abc","KeyConditions":{}}`, "One or more parameter values were invalid: The parameter KeyConditions is not supported; use KeyConditionExpression"},
		{"Query", `{"TableName":"abc","QueryFilter":{},"KeyConditionExpression":"a = :a"}`, "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {QueryFilter} Expression parameters: {KeyConditionExpression}"},
		{"Scan", `{"TableName":"abc","ScanFilter":{}}`, "One or more parameter values were invalid: The parameter ScanFilter is not supported; use FilterExpression"},
		{"BatchGetItem", `{"RequestItems":{"abc":{"Keys":[{}],"AttributesToGet":["a"]}}}`, "One or more parameter values were invalid: The parameter AttributesToGet is not supported; use ProjectionExpression"},
	} {
		_, err := do(t, New(Config{}), test.op, test.request)
		if diff := cmp.Diff(&Error{Type: Validation, Message: test.want}, err); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", test.op, test.request, diff)
		}
	}
}
