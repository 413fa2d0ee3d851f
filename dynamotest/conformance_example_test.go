package dynamotest_test

import (
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/dynamotest"
)

// An emulator is held to the behaviour cases in a test of its own.
func ExampleConformance() {
	_ = func(t *testing.T) {
		client := dynamodb.New(dynamodb.Options{
			BaseEndpoint: aws.String(os.Getenv("DYNAMODB_ENDPOINT")),
			Region:       "us-east-1",
		})
		dynamotest.Conformance(t, client)
	}
}

// The service itself takes its time with indexes, and an emulator may be known
// to differ here and there.
func ExampleConformanceOptions() {
	_ = func(t *testing.T, client *dynamodb.Client) {
		dynamotest.ConformanceOptions{
			Patience: 30 * time.Minute,
			Known: map[string]string{
				"tables/ttl_twice": "time to live can be switched on twice",
			},
		}.Run(t, client)
	}
}
