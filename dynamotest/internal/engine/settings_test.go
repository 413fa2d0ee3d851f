package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTags(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", `{"TableName":"abc","Tags":[{"Key":"team","Value":"blue"}],`+onDemand+`,`+definitions("pk")+`,`+key("pk")+`}`)
	const arn = `"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc"`
	expect := func(reason string, want ...string) {
		t.Helper()
		tags := []any{}
		for i := 0; i < len(want); i += 2 {
			tags = append(tags, map[string]any{"Key": want[i], "Value": want[i+1]})
		}
		if diff := cmp.Diff(map[string]any{"Tags": tags}, must(t, e, "ListTagsOfResource", `{`+arn+`}`)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reason, diff)
		}
	}
	expect("given when the table was made", "team", "blue")
	must(t, e, "TagResource", `{`+arn+`,"Tags":[{"Key":"team","Value":"red"},{"Key":"cost","Value":""}]}`)
	expect("one added, one replaced", "cost", "", "team", "red")
	must(t, e, "UntagResource", `{`+arn+`,"TagKeys":["team","none"]}`)
	expect("one removed, one that is not there", "cost", "")

	var many []string
	for i := range 50 {
		many = append(many, fmt.Sprintf(`{"Key":"k%d","Value":"v"}`, i))
	}
	const (
		none = `"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/none"`
		one  = `,"Tags":[{"Key":"k","Value":"v"}]`
		form = "1 validation error detected: Value "
	)
	for _, test := range []struct{ reason, op, request, kind, want string }{
		{"no resource", "TagResource", `{}`, Validation, "Invalid TableArn"},
		{"no resource", "UntagResource", `{}`, Validation, "Invalid TableArn"},
		{"no resource", "ListTagsOfResource", `{}`, Validation, "Invalid TableArn"},
		{"no ARN", "TagResource", `{"ResourceArn":"abc"` + one + `}`, Validation, "Invalid TableArn: Invalid ResourceArn provided as input abc"},
		{"no tags", "TagResource", `{` + arn + `}`, Validation, form + "null at 'tags' failed to satisfy constraint: Member must not be null"},
		{"an empty list of tags", "TagResource", `{` + arn + `,"Tags":[]}`, Validation, "Atleast one Tag needs to be provided as Input."},
		{"an empty key", "TagResource", `{` + arn + `,"Tags":[{"Key":"","Value":"v"}]}`, Validation, form + "'' at 'tags.1.member.key' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{"no value", "TagResource", `{` + arn + `,"Tags":[{"Key":"k"}]}`, Validation, form + "null at 'tags.1.member.value' failed to satisfy constraint: Member must not be null"},
		{"51 tags", "TagResource", `{` + arn + `,"Tags":[` + strings.Join(many, ",") + `]}`, Validation, invalid1 + "Too many tags: tag limit is 50"},
		{"no keys", "UntagResource", `{` + arn + `}`, Validation, form + "null at 'tagKeys' failed to satisfy constraint: Member must not be null"},
		{"an empty list of keys", "UntagResource", `{` + arn + `,"TagKeys":[]}`, Validation, "Atleast one Tag Key needs to be provided as Input."},
		{"no such table", "TagResource", `{` + none + one + `}`, ResourceNotFound, "Requested resource not found: ResourcArn: arn:aws:dynamodb:us-east-1:000000000000:table/none not found"},
		{"no such table", "UntagResource", `{` + none + `,"TagKeys":["k"]}`, ResourceNotFound, "Requested resource not found"},
		{"no such table", "ListTagsOfResource", `{` + none + `}`, AccessDenied,
			"User: arn:aws:iam::000000000000:root is not authorized to perform: dynamodb:ListTagsOfResource on resource: arn:aws:dynamodb:us-east-1:000000000000:table/none"},
	} {
		_, err := do(t, e, test.op, test.request)
		if diff := cmp.Diff(&Error{Type: test.kind, Message: test.want}, err); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", test.op, test.reason, diff)
		}
	}
	expect("after the refusals", "cost", "")
}

func TestEncryptionIsDescribed(t *testing.T) {
	e := New(Config{})
	table := func(more string) map[string]any {
		answer := must(t, e, "CreateTable", `{"TableName":"abc","SSESpecification":`+more+`,`+onDemand+`,`+definitions("pk")+`,`+key("pk")+`}`)
		must(t, e, "DeleteTable", `{"TableName":"abc"}`)
		return answer["TableDescription"].(map[string]any)
	}
	const arn = "arn:aws:kms:us-east-1:000000000000:key/k"
	for spec, want := range map[string]any{
		`{"Enabled":false}`: nil,
		`{}`:                nil,
		`{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"k"}`: map[string]any{"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": arn},
		`{"Enabled":true,"KMSMasterKeyId":"` + arn + `"}`:       map[string]any{"Status": "ENABLED", "SSEType": "KMS", "KMSMasterKeyArn": arn},
	} {
		if diff := cmp.Diff(want, table(spec)["SSEDescription"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", spec, diff)
		}
	}
	must(t, e, "CreateTable", `{"TableName":"abc",`+onDemand+`,`+definitions("pk")+`,`+key("pk")+`}`)
	must(t, e, "UpdateTable", `{"TableName":"abc","SSESpecification":{"Enabled":true}}`)
	described := must(t, e, "DescribeTable", `{"TableName":"abc"}`)["Table"].(map[string]any)
	if sse, _ := described["SSEDescription"].(map[string]any); sse["Status"] != "ENABLED" {
		t.Errorf("turned on: %v", described)
	}
}

func TestOnDemandThroughput(t *testing.T) {
	e := New(Config{})
	const units = `"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}`
	create := func(more string) (map[string]any, *Error) {
		return do(t, e, "CreateTable", `{"TableName":"abc",`+definitions("pk")+`,`+key("pk")+`,`+more+`}`)
	}
	for _, test := range []struct{ reason, more, want string }{
		{"provisioned", units + `,"OnDemandThroughput":{"MaxReadRequestUnits":1}`, "MaxReadRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED."},
		{"zero", onDemand + `,"OnDemandThroughput":{"MaxWriteRequestUnits":0}`, "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range"},
		{"no limit to take away", onDemand + `,"OnDemandThroughput":{"MaxWriteRequestUnits":-1}`, "Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range"},
	} {
		_, err := create(test.more)
		if diff := cmp.Diff(badParam(test.want), err); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
	}
	shown := func(reason string, want any) {
		t.Helper()
		described := must(t, e, "DescribeTable", `{"TableName":"abc"}`)["Table"].(map[string]any)
		if diff := cmp.Diff(want, described["OnDemandThroughput"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reason, diff)
		}
	}
	if _, err := create(onDemand + `,"OnDemandThroughput":{"MaxReadRequestUnits":5}`); err != nil {
		t.Fatal(err)
	}
	shown("made with one", map[string]any{"MaxReadRequestUnits": 5.0})
	must(t, e, "UpdateTable", `{"TableName":"abc","OnDemandThroughput":{"MaxWriteRequestUnits":6}}`)
	shown("another added", map[string]any{"MaxReadRequestUnits": 5.0, "MaxWriteRequestUnits": 6.0})
	must(t, e, "UpdateTable", `{"TableName":"abc","OnDemandThroughput":{"MaxReadRequestUnits":-1}}`)
	shown("the first taken away", map[string]any{"MaxWriteRequestUnits": 6.0})
	must(t, e, "UpdateTable", `{"TableName":"abc","BillingMode":"PROVISIONED",`+units+`}`)
	shown("provisioned now", nil)
	_, err := do(t, e, "UpdateTable", `{"TableName":"abc","OnDemandThroughput":{"MaxReadRequestUnits":5}}`)
	if diff := cmp.Diff(badParam("MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED"), err); diff != "" {
		t.Errorf("provisioned (-want +got):\n%s", diff)
	}
}
