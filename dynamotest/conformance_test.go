package dynamotest_test

import (
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/dynamotest"
	"github.com/singletable-go/singletable/dynamotest/internal/cases"
)

// endpoint gives a client of the endpoint that DYNAMODB_ENDPOINT names and the
// endpoint's Server header. Without one it skips the test with advice.
func endpoint(t testing.TB) (client *dynamodb.Client, server string) {
	t.Helper()
	url := os.Getenv("DYNAMODB_ENDPOINT")
	if url == "" {
		t.Skip("compares with another DynamoDB: set DYNAMODB_ENDPOINT to its URL, for example http://127.0.0.1:8000 with Dynoxide 1.2.1 there")
	}
	client = dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(url),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
	answer, err := cases.Call(t.Context(), client, "ListTables", `{"Limit":1}`)
	if err != nil {
		t.Fatalf("DYNAMODB_ENDPOINT=%s: %v", url, err)
	}
	return client, answer.Server
}

// The engine answers every case as the service does: no difference is known.
func TestConformance(t *testing.T) {
	dynamotest.Conformance(t, dynamotest.New(t))
}

// The cases hold elsewhere too, but for what is listed: they are not written
// after the engine.
func TestConformanceOfEndpoint(t *testing.T) {
	client, server := endpoint(t)
	dynamotest.ConformanceOptions{Known: dynamotest.KnownDifferences(server)}.Run(t, client)
}

// The list of one emulator is not taken for another's.
func TestKnownDifferences(t *testing.T) {
	if got := dynamotest.KnownDifferences("Dynoxide/1.2.1"); got["tables/ttl_twice"] == "" {
		t.Errorf("Dynoxide 1.2.1: %v", got)
	}
	for _, server := range []string{"", "Server", "Dynoxide/9.9.9"} {
		if got := dynamotest.KnownDifferences(server); got != nil {
			t.Errorf("%q: %d differences", server, len(got))
		}
	}
}
