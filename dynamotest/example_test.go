package dynamotest_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/dynamotest"
)

// users is a table of users by id.
var users = &dynamodb.CreateTableInput{
	TableName:            aws.String("users"),
	BillingMode:          types.BillingModePayPerRequest,
	AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
	KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}},
}

func ann() *dynamodb.PutItemInput {
	return &dynamodb.PutItemInput{
		TableName: aws.String("users"),
		Item: map[string]types.AttributeValue{
			"id":      &types.AttributeValueMemberS{Value: "ann"},
			"expires": &types.AttributeValueMemberN{Value: "1767225660"}, // a minute into 2026
		},
		ConditionExpression: aws.String("attribute_not_exists(id)"),
	}
}

// A test calls New(t); where there is no test, an engine has a client too.
func Example() {
	ctx := context.Background()
	db := dynamotest.NewEngine().Client()

	db.CreateTable(ctx, users)
	_, err := db.PutItem(ctx, ann())
	fmt.Println(err)
	out, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("users")})
	fmt.Println(out.Count, err)
	// Output:
	// <nil>
	// 1 <nil>
}

// An answer that is lost after the write: the SDK tries again, and the condition
// fails on what the first attempt has written.
func ExampleEngine_Inject() {
	ctx := context.Background()
	engine := dynamotest.NewEngine()
	db := engine.Client()
	db.CreateTable(ctx, users)

	engine.Inject(dynamotest.Fault{Kind: dynamotest.LostAnswer, Operation: "PutItem", Times: 1})
	_, err := db.PutItem(ctx, ann())
	fmt.Println(len(engine.Requests("PutItem")), "attempts")
	fmt.Println(err != nil)
	// Output:
	// 2 attempts
	// true
}

// The test's clock decides when items expire.
func ExampleWithClock() {
	ctx := context.Background()
	clock := dynamotest.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	db := dynamotest.NewEngine(dynamotest.WithClock(clock)).Client()
	db.CreateTable(ctx, users)
	db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               aws.String("users"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"), Enabled: aws.Bool(true)},
	})
	db.PutItem(ctx, ann())

	for range 2 {
		out, _ := db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("users")})
		fmt.Println(out.Count)
		clock.Advance(2 * time.Minute)
	}
	// Output:
	// 1
	// 0
}

// What a program sends can be looked at.
func ExampleEngine_Requests() {
	ctx := context.Background()
	engine := dynamotest.NewEngine()
	db := engine.Client()
	db.CreateTable(ctx, users)
	db.PutItem(ctx, ann())

	for _, r := range engine.Requests("PutItem") {
		fmt.Println(r.Operation, r.Text("TableName"), r.Text("ConditionExpression"))
	}
	// Output:
	// PutItem users attribute_not_exists(id)
}

// An engine can be served to programs in other languages.
func ExampleEngine_ServeHTTP() {
	server := httptest.NewServer(dynamotest.NewEngine())
	defer server.Close()
	db := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(server.URL), Region: "anywhere",
		Credentials: aws.AnonymousCredentials{},
	})
	out, err := db.ListTables(context.Background(), &dynamodb.ListTablesInput{})
	fmt.Println(len(out.TableNames), err)
	// Output:
	// 0 <nil>
}
