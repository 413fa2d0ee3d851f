package dynamotest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/dynamotest"
)

// once is an option of calls that makes them try once.
func once(o *dynamodb.Options) { o.RetryMaxAttempts = 1; o.Retryer = aws.NopRetryer{} }

func put(db *dynamodb.Client, table, sk string, opts ...func(*dynamodb.Options)) error {
	_, err := db.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: item{"pk": s("a"), "sk": s(sk)}}, opts...)
	return err
}

func code(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	if err != nil {
		return "not of the API"
	}
	return ""
}

// TestFaultsByWhatTheyMatch sends three puts of the items 1, 2 and 3 and one get,
// each once, and looks at which fail.
func TestFaultsByWhatTheyMatch(t *testing.T) {
	const throttled, conflict, internal = "ProvisionedThroughputExceededException", "TransactionConflictException", "InternalServerError"
	for _, test := range []struct {
		reason string
		fault  dynamotest.Fault
		want   []string
	}{
		{"everything, always", dynamotest.Fault{Kind: dynamotest.Throttle}, []string{throttled, throttled, throttled, throttled}},
		{"one operation", dynamotest.Fault{Kind: dynamotest.InternalError, Operation: "GetItem"}, []string{"", "", "", internal}},
		{"one item", dynamotest.Fault{Kind: dynamotest.Conflict, Key: item{"pk": s("a"), "sk": s("2")}}, []string{"", conflict, "", ""}},
		{"another table", dynamotest.Fault{Kind: dynamotest.Throttle, Table: "others"}, []string{"", "", "", ""}},
		{"after one, twice", dynamotest.Fault{Kind: dynamotest.Throttle, Table: "orders", After: 1, Times: 2}, []string{"", throttled, throttled, ""}},
		{"never, at random", dynamotest.Fault{Kind: dynamotest.Throttle, Rate: 1e-12, Seed: 1}, []string{"", "", "", ""}},
	} {
		db, e := dynamotest.NewWithEngine(t)
		createTable(t, db, "orders")
		stop := e.Inject(test.fault)
		var got []string
		for _, sk := range []string{"1", "2", "3"} {
			got = append(got, code(put(db, "orders", sk, once)))
		}
		_, err := db.GetItem(context.Background(), &dynamodb.GetItemInput{TableName: aws.String("orders"), Key: item{"pk": s("a"), "sk": s("1")}}, once)
		got = append(got, code(err))
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: codes (-want +got):\n%s", test.reason, diff)
		}
		stop()
		if err := put(db, "orders", "2", once); err != nil {
			t.Errorf("%s: after stop: %v", test.reason, err)
		}
	}
}

func TestRandomFaultsFollowTheirSeed(t *testing.T) {
	run := func(seed uint64) (outcome string) {
		db, e := dynamotest.NewWithEngine(t)
		createTable(t, db, "orders")
		e.Inject(dynamotest.Fault{Kind: dynamotest.InternalError, Rate: 0.5, Seed: seed})
		for range 64 {
			if put(db, "orders", "1", once) == nil {
				outcome += "."
			} else {
				outcome += "x"
			}
		}
		return outcome
	}
	if a, b := run(7), run(7); a != b {
		t.Errorf("one seed, two outcomes:\n%s\n%s", a, b)
	}
	if a, b := run(7), run(8); a == b {
		t.Errorf("two seeds, one outcome:\n%s", a)
	}
}

func TestRetriesOvercomeFaults(t *testing.T) {
	for _, kind := range []dynamotest.FaultKind{dynamotest.Throttle, dynamotest.InternalError, dynamotest.LostAnswer} {
		db, e := dynamotest.NewWithEngine(t)
		createTable(t, db, "orders")
		e.Inject(dynamotest.Fault{Kind: kind, Operation: "PutItem", Times: 2})
		if err := put(db, "orders", "1"); err != nil {
			t.Errorf("fault %d: %v", kind, err)
		}
		if got := len(e.Requests("PutItem")); got != 3 {
			t.Errorf("fault %d: %d attempts, want 3", kind, got)
		}
	}
}

func TestALostAnswerIsOfADoneRequest(t *testing.T) {
	db, e := dynamotest.NewWithEngine(t)
	createTable(t, db, "orders")
	e.Inject(dynamotest.Fault{Kind: dynamotest.LostAnswer, Operation: "PutItem", Times: 1})
	_, err := db.PutItem(context.Background(), &dynamodb.PutItemInput{
		TableName: aws.String("orders"), Item: item{"pk": s("a"), "sk": s("1")}, ConditionExpression: aws.String("attribute_not_exists(pk)"),
	})
	if code(err) != "ConditionalCheckFailedException" {
		t.Errorf("the second attempt: %v, want its condition to fail on what the first has done", err)
	}
}

func TestALostAnswerBreaksTheConnection(t *testing.T) {
	e := dynamotest.NewEngine()
	createTable(t, e.Client(), "orders")
	e.Inject(dynamotest.Fault{Kind: dynamotest.LostAnswer, Operation: "PutItem", Times: 1})
	if err := put(clientOf(serve(t, e)), "orders", "1"); err != nil {
		t.Errorf("over a socket: %v, want a retry that succeeds", err)
	}
	if got := len(e.Requests("PutItem")); got != 2 {
		t.Errorf("%d attempts, want 2", got)
	}
}

func TestTransactionsSayWhichActionFailed(t *testing.T) {
	for _, test := range []struct {
		kind dynamotest.FaultKind
		want []string
	}{
		{dynamotest.Conflict, []string{"None", "TransactionConflict"}},
		{dynamotest.Throttle, []string{"None", "ProvisionedThroughputExceeded"}},
	} {
		db, e := dynamotest.NewWithEngine(t)
		createTable(t, db, "orders")
		e.Inject(dynamotest.Fault{Kind: test.kind, Key: item{"pk": s("a"), "sk": s("2")}})
		action := func(sk string) types.TransactWriteItem {
			return types.TransactWriteItem{Put: &types.Put{TableName: aws.String("orders"), Item: item{"pk": s("a"), "sk": s(sk)}}}
		}
		_, err := db.TransactWriteItems(context.Background(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{action("1"), action("2")}}, once)
		var cancelled *types.TransactionCanceledException
		if !errors.As(err, &cancelled) {
			t.Errorf("fault %d: %v, want a TransactionCanceledException", test.kind, err)
			continue
		}
		var got []string
		for _, r := range cancelled.CancellationReasons {
			got = append(got, aws.ToString(r.Code))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("fault %d: reasons (-want +got):\n%s", test.kind, diff)
		}
	}
}

func TestUnprocessedCountsItems(t *testing.T) {
	db, e := dynamotest.NewWithEngine(t)
	createTable(t, db, "orders")
	e.Inject(dynamotest.Fault{Kind: dynamotest.Unprocessed, Key: item{"pk": s("a"), "sk": s("2")}, Times: 2})
	requests := map[string][]types.WriteRequest{}
	for i := range 3 {
		requests["orders"] = append(requests["orders"], types.WriteRequest{PutRequest: &types.PutRequest{Item: item{"pk": s("a"), "sk": s(fmt.Sprint(i + 1))}}})
	}
	var left []int
	for len(requests) > 0 {
		out, err := db.BatchWriteItem(context.Background(), &dynamodb.BatchWriteItemInput{RequestItems: requests})
		if err != nil {
			t.Fatal(err)
		}
		requests = out.UnprocessedItems
		left = append(left, len(requests["orders"]))
	}
	if diff := cmp.Diff([]int{1, 1, 0}, left); diff != "" {
		t.Errorf("items left (-want +got):\n%s", diff)
	}
}

func TestLatencyEndsWithTheContext(t *testing.T) {
	db, e := dynamotest.NewWithEngine(t)
	createTable(t, db, "orders")
	e.Inject(dynamotest.Fault{Kind: dynamotest.Latency, Delay: time.Hour})
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := db.ListTables(ctx, &dynamodb.ListTablesInput{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
}
