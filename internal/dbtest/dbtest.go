// Package dbtest gives the integration tests of this module a DynamoDB to run
// on, with tables that no other test can be in the way of.
package dbtest

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/dynamotest"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// EndpointVariable is the environment variable that names the DynamoDB to test
// on, such as http://127.0.0.1:8000.
const EndpointVariable = "DYNAMODB_ENDPOINT"

// Client gives a client of the DynamoDB that the environment names in
// [EndpointVariable], or else of one within the process, which is empty and which
// nobody else has.
func Client(t testing.TB) *dynamodb.Client {
	t.Helper()
	if endpoint := os.Getenv(EndpointVariable); endpoint != "" {
		return at(endpoint)
	}
	return dynamotest.New(t)
}

// at gives a client of the DynamoDB at an endpoint. The credentials are those
// of the environment, or made up: an engine for tests takes any.
func at(endpoint string) *dynamodb.Client {
	env := func(name, otherwise string) string {
		if v := os.Getenv(name); v != "" {
			return v
		}
		return otherwise
	}
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: &endpoint,
		Region:       env("AWS_REGION", "eu-west-1"),
		Credentials: credentials.NewStaticCredentialsProvider(
			env("AWS_ACCESS_KEY_ID", "test"), env("AWS_SECRET_ACCESS_KEY", "test"), os.Getenv("AWS_SESSION_TOKEN")),
	})
}

// maxName is the greatest length of the name of a table.
const maxName = 255

// UniqueName gives a name for a table that no other call gives, in this process
// or another. It begins with the name of the test, as far as the name of a table
// may.
//
//	name := dbtest.UniqueName(t)
//	tbl := model.NewTable("orders", model.PrimaryKey("pk", "sk"),
//		model.NameFunc(func(context.Context) string { return name }))
func UniqueName(t testing.TB) string {
	unique := "-" + rand.Text()
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-', r == '.':
			return r
		}
		return '-'
	}, t.Name())
	return name[:min(len(name), maxName-len(unique))] + unique
}

// Create creates a table as it is declared, with its indexes and its time to
// live, waits until it can be used, and deletes it when the test ends. What goes
// wrong ends the test. Give the table a [model.NameFunc] with a [UniqueName].
func Create(t testing.TB, client *dynamodb.Client, tbl *model.Table) {
	t.Helper()
	CreateIn(t, context.Background(), client, tbl) // that of t is done when the cleanup runs
}

// CreateIn is [Create] for a table whose [model.NameFunc] reads its name from the
// context. The context must outlive the test.
func CreateIn(t testing.TB, ctx context.Context, client *dynamodb.Client, tbl *model.Table) {
	t.Helper()
	name := tbl.PhysicalName(ctx)
	in := tbl.CreateInput()
	in.TableName = &name
	out, err := client.CreateTable(ctx, in)
	if err != nil {
		t.Fatalf("creating table %s: %v", name, err)
	}
	t.Cleanup(func() {
		_, err := client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name})
		if gone := new(types.ResourceNotFoundException); err != nil && !errors.As(err, &gone) {
			t.Errorf("deleting table %s: %v", name, err)
		}
	})
	if out.TableDescription == nil || out.TableDescription.TableStatus != types.TableStatusActive {
		wait := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) {
			o.MinDelay, o.MaxDelay = 10*time.Millisecond, time.Second
		})
		if err := wait.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, time.Minute); err != nil {
			t.Fatalf("waiting for table %s: %v", name, err)
		}
	}
	if attribute := tbl.TTLAttribute(); attribute != "" {
		on := true
		if _, err := client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
			TableName:               &name,
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &attribute, Enabled: &on},
		}); err != nil {
			t.Fatalf("switching on the time to live of table %s: %v", name, err)
		}
	}
}

// HasNativeIndexes reports whether the DynamoDB of a client has indexes with keys of
// several attributes, as the service does since November 2025. The engine in this
// process has them; an endpoint that does not is told by its refusal of a query as
// the API reference has it.
func HasNativeIndexes(t testing.TB, client *dynamodb.Client) bool {
	t.Helper()
	if os.Getenv(EndpointVariable) == "" {
		return true
	}
	type item struct {
		ID, A, B, C string
	}
	name := UniqueName(t)
	index := model.NativeGSI("byParts")
	tbl := model.NewTable("probe", model.PrimaryKey("pk"), index, model.NameFunc(func(context.Context) string { return name }))
	model.MustDefine[item](tbl, "Item", keys.MustCompile1("<ID>", keys.String), nil,
		model.On(index, keys.MustCompile2("<A>#<B>", keys.String, keys.String), keys.MustCompile1("<C>", keys.String)))
	Create(t, client, tbl)
	indexName, condition := index.Name(), "A = :x AND B = :x AND C > :x"
	_, err := client.Query(context.Background(), &dynamodb.QueryInput{
		TableName: &name, IndexName: &indexName, KeyConditionExpression: &condition,
		ExpressionAttributeValues: model.Item{":x": &types.AttributeValueMemberS{Value: "x"}},
	})
	if err != nil {
		t.Logf("this DynamoDB has no indexes with keys of several attributes: %v", err)
	}
	return err == nil
}
