package dynamotest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/singletable-go/singletable/dynamotest"
)

type item = map[string]types.AttributeValue

func s(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
func n(v string) types.AttributeValue { return &types.AttributeValueMemberN{Value: v} }

// createTable makes a table with keys pk and sk, both strings, and a global index
// "byG" on g and sk.
func createTable(t testing.TB, db *dynamodb.Client, name string) {
	t.Helper()
	attribute := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS}
	}
	key := func(hash, sort string) []types.KeySchemaElement {
		return []types.KeySchemaElement{
			{AttributeName: aws.String(hash), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String(sort), KeyType: types.KeyTypeRange},
		}
	}
	_, err := db.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName:            aws.String(name),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{attribute("pk"), attribute("sk"), attribute("g")},
		KeySchema:            key("pk", "sk"),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("byG"), KeySchema: key("g", "sk"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

var ignoreUnexported = cmpopts.IgnoreUnexported(
	types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberB{}, types.AttributeValueMemberBOOL{},
	types.AttributeValueMemberM{}, types.AttributeValueMemberL{}, types.AttributeValueMemberSS{}, types.AttributeValueMemberNS{},
	types.AttributeValueMemberBS{}, types.AttributeValueMemberNULL{})

// TestThroughTheSDK walks through the operations as a user's program would, with
// the SDK's own serialization and errors in between.
func TestThroughTheSDK(t *testing.T) {
	ctx := context.Background()
	db := dynamotest.New(t)
	createTable(t, db, "orders")
	key := item{"pk": s("a"), "sk": s("1")}

	if _, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: item{"pk": s("a"), "sk": s("1"), "n": n("1"), "g": s("x")}}); err != nil {
		t.Fatal(err)
	}
	up, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("orders"), Key: key,
		UpdateExpression:          aws.String("SET n = n + :one"),
		ExpressionAttributeValues: item{":one": n("1")},
		ReturnValues:              types.ReturnValueAllNew,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := item{"pk": s("a"), "sk": s("1"), "n": n("2"), "g": s("x")}
	if diff := cmp.Diff(want, up.Attributes, ignoreUnexported); diff != "" {
		t.Errorf("UpdateItem (-want +got):\n%s", diff)
	}
	got, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("orders"), Key: key})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Item, ignoreUnexported); diff != "" {
		t.Errorf("GetItem (-want +got):\n%s", diff)
	}
	page, err := db.Query(ctx, &dynamodb.QueryInput{
		TableName: aws.String("orders"), IndexName: aws.String("byG"),
		KeyConditionExpression:    aws.String("g = :g AND begins_with(sk, :s)"),
		ExpressionAttributeValues: item{":g": s("x"), ":s": s("1")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]item{want}, page.Items, ignoreUnexported); diff != "" {
		t.Errorf("Query (-want +got):\n%s", diff)
	}
	_, err = db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Delete: &types.Delete{TableName: aws.String("orders"), Key: key}},
		{Put: &types.Put{TableName: aws.String("orders"), Item: item{"pk": s("a"), "sk": s("2")}, ConditionExpression: aws.String("attribute_exists(pk)")}},
	}})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		t.Fatalf("TransactWriteItems: %v, want a TransactionCanceledException", err)
	}
	if diff := cmp.Diff("Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]", cancelled.ErrorMessage()); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	if len(cancelled.CancellationReasons) != 2 || aws.ToString(cancelled.CancellationReasons[1].Code) != "ConditionalCheckFailed" {
		t.Errorf("reasons: %+v", cancelled.CancellationReasons)
	}
	if _, err := db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("orders"), Key: key}); err != nil {
		t.Fatal(err)
	}
	if got, err = db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("orders"), Key: key}); err != nil || got.Item != nil {
		t.Errorf("GetItem after the delete: %v, %v", got.Item, err)
	}
}
