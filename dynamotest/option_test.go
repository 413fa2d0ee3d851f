package dynamotest_test

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/dynamotest"
)

func count(t *testing.T, db *dynamodb.Client, table, index string) int32 {
	t.Helper()
	in := &dynamodb.ScanInput{TableName: aws.String(table)}
	if index != "" {
		in.IndexName = aws.String(index)
	}
	out, err := db.Scan(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out.Count
}

func TestOptions(t *testing.T) {
	ctx := context.Background()
	clock := dynamotest.NewClock(time.Unix(1_800_000_000, 0))
	db, e := dynamotest.NewWithEngine(t, dynamotest.WithClock(clock), dynamotest.WithGSILag(time.Minute), dynamotest.WithTTLDelay(time.Hour),
		dynamotest.WithRegion("eu-west-1"), dynamotest.WithFaults(dynamotest.Fault{Kind: dynamotest.Throttle, Operation: "ListTables"}), dynamotest.Option{})
	createTable(t, db, "orders")

	described, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := aws.ToString(described.Table.TableArn), "arn:aws:dynamodb:eu-west-1:000000000000:table/orders"; got != want {
		t.Errorf("WithRegion: the ARN is %s, want %s", got, want)
	}
	if got := described.Table.CreationDateTime; !got.Equal(clock.Now()) {
		t.Errorf("WithClock: created at %v, want %v", got, clock.Now())
	}
	if _, err := db.ListTables(ctx, &dynamodb.ListTablesInput{}, once); code(err) != "ProvisionedThroughputExceededException" {
		t.Errorf("WithFaults: ListTables gives %v, want throttling", err)
	}

	_, err = db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("orders"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"), Enabled: aws.Bool(true)}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: item{"pk": s("a"), "sk": s("1"), "g": s("x"), "expires": n("1800000001")}})
	if err != nil {
		t.Fatal(err)
	}
	if got := count(t, db, "orders", "byG"); got != 0 {
		t.Errorf("WithGSILag: the index shows %d items at once, want 0", got)
	}
	clock.Advance(time.Minute)
	if got := count(t, db, "orders", "byG"); got != 1 {
		t.Errorf("WithGSILag: the index shows %d items after the lag, want 1", got)
	}
	if got := count(t, db, "orders", ""); got != 1 {
		t.Errorf("WithTTLDelay: %d items within the delay, want 1", got)
	}
	clock.Set(time.Unix(1_800_000_000, 0).Add(time.Hour + 2*time.Second))
	if got := count(t, db, "orders", ""); got != 0 {
		t.Errorf("WithTTLDelay: %d items after the delay, want 0", got)
	}

	e.SetGSILag(0)
	if err := put(db, "orders", "2"); err != nil {
		t.Fatal(err)
	}
	e.SettleIndexes()
	if got := count(t, db, "orders", "byG"); got != 0 {
		t.Errorf("SettleIndexes: the index shows %d items, want 0: the first is gone and the second is not in it", got)
	}
}

func TestCloseRefusesWhatComesAfter(t *testing.T) {
	db, e := dynamotest.NewWithEngine(t)
	createTable(t, db, "orders")
	e.Close()
	e.Close()
	if err := put(db, "orders", "1", once); code(err) != "InternalServerError" {
		t.Errorf("got %v, want an internal error", err)
	}
}

func TestEnginesAreIsolated(t *testing.T) {
	a, b := dynamotest.New(t), dynamotest.New(t)
	createTable(t, a, "orders")
	if err := put(b, "orders", "1", once); code(err) != "ResourceNotFoundException" {
		t.Errorf("another engine's table: %v, want it not to be found", err)
	}
}
