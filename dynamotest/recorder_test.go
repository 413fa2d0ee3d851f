package dynamotest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/dynamotest"
)

func TestRequestsAreWhatWasSent(t *testing.T) {
	db, e := dynamotest.NewWithEngine(t)
	createTable(t, db, "orders")
	e.ResetRequests()
	all := item{
		":s": s("x"), ":n": n("1.5"), ":b": &types.AttributeValueMemberB{Value: []byte{0, 255}},
		":bool": &types.AttributeValueMemberBOOL{Value: true}, ":null": &types.AttributeValueMemberNULL{Value: true},
		":m": &types.AttributeValueMemberM{Value: item{"k": s("v")}}, ":l": &types.AttributeValueMemberL{Value: []types.AttributeValue{s("v"), n("2")}},
		":ss": &types.AttributeValueMemberSS{Value: []string{"a"}}, ":ns": &types.AttributeValueMemberNS{Value: []string{"1"}},
		":bs": &types.AttributeValueMemberBS{Value: [][]byte{{1}}},
	}
	_, err := db.UpdateItem(context.Background(), &dynamodb.UpdateItemInput{
		TableName: aws.String("orders"), Key: item{"pk": s("a"), "sk": s("1")},
		UpdateExpression:          aws.String("SET a = :s, b = :n, c = :b, d = :bool, e = :null, f = :m, h = :l, i = :ss, j = :ns, k = :bs"),
		ExpressionAttributeValues: all,
	})
	if err != nil {
		t.Fatal(err)
	}
	got := e.Requests("UpdateItem", "Query")
	if len(got) != 1 {
		t.Fatalf("%d requests, want 1: %v", len(got), got)
	}
	r := got[0]
	if r.Operation != "UpdateItem" || r.Text("TableName") != "orders" || r.Text("ConditionExpression") != "" {
		t.Errorf("recorded %v", r)
	}
	if diff := cmp.Diff(item{"pk": s("a"), "sk": s("1")}, r.Attributes("Key"), ignoreUnexported); diff != "" {
		t.Errorf("Key (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(all, r.Attributes("ExpressionAttributeValues"), ignoreUnexported); diff != "" {
		t.Errorf("ExpressionAttributeValues (-want +got):\n%s", diff)
	}
	if v, ok := r.Parameter("Key"); !ok || cmp.Diff(map[string]any{"pk": map[string]any{"S": "a"}, "sk": map[string]any{"S": "1"}}, v) != "" {
		t.Errorf("Parameter(Key) is %v, %v", v, ok)
	}
	if r.Attributes("TableName") != nil || r.Attributes("Item") != nil {
		t.Error("what is no map of attribute values is given as one")
	}
	e.ResetRequests()
	if got := e.Requests(); len(got) != 0 {
		t.Errorf("after the reset: %v", got)
	}
}

func TestTheRecorderKeepsTheLatest(t *testing.T) {
	for _, limit := range []int{0, 1, 3, 100} {
		db, e := dynamotest.NewWithEngine(t, dynamotest.WithRecordLimit(limit))
		for i := range 10 {
			db.DescribeTable(context.Background(), &dynamodb.DescribeTableInput{TableName: aws.String(fmt.Sprintf("table%d", i))})
		}
		var want, got []string
		for i := max(0, 10-limit); i < 10; i++ {
			want = append(want, fmt.Sprintf("table%d", i))
		}
		for _, r := range e.Requests() {
			got = append(got, r.Text("TableName"))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("limit %d (-want +got):\n%s", limit, diff)
		}
	}
}
