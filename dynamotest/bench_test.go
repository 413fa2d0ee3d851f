package dynamotest_test

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/dynamotest"
)

// The benchmarks run on the engine in process. With DYNAMOTEST_COMPARE_ENDPOINT
// set to the URL of another DynamoDB they run on that too, and on the engine over
// a loopback socket, in the same run:
//
//	DYNAMOTEST_COMPARE_ENDPOINT=http://localhost:8000 go test -bench . ./dynamotest
//
// DYNAMOTEST_BENCH_ITEMS sets the size of the large table, 100,000 without it.

type benchTarget struct {
	name string
	db   *dynamodb.Client
}

func benchTargets(b *testing.B) []benchTarget {
	targets := []benchTarget{{"engine", dynamotest.NewEngine(dynamotest.WithRecordLimit(0)).Client()}}
	endpoint := os.Getenv("DYNAMOTEST_COMPARE_ENDPOINT")
	if endpoint == "" {
		return targets
	}
	served := serve(b, dynamotest.NewEngine(dynamotest.WithRecordLimit(0)))
	return append(targets, benchTarget{"loopback", clientOf(served)}, benchTarget{"other", clientOf(endpoint)})
}

// clientOf returns a client of an endpoint on this machine.
func clientOf(url string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(url), Region: "us-east-1",
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
}

func benchSizes(b *testing.B) []int {
	large := 100_000
	if text := os.Getenv("DYNAMOTEST_BENCH_ITEMS"); text != "" {
		if _, err := fmt.Sscan(text, &large); err != nil {
			b.Fatalf("DYNAMOTEST_BENCH_ITEMS is %q: %v", text, err)
		}
	}
	return []int{1000, large}
}

const perPartition = 1000

func benchItem(i int) item {
	return item{
		"pk": s(fmt.Sprintf("PARTITION#%06d", i/perPartition)), "sk": s(fmt.Sprintf("ITEM#%06d", i%perPartition)),
		"g": s(fmt.Sprintf("G#%d", i%97)), "count": n(fmt.Sprint(i)), "note": s("a note of a usual length, as items have"),
	}
}

func benchKey(i int) item {
	it := benchItem(i)
	return item{"pk": it["pk"], "sk": it["sk"]}
}

// fill makes a table with so many items.
func fill(b *testing.B, db *dynamodb.Client, table string, items int) {
	b.Helper()
	ctx := context.Background()
	createTable(b, db, table)
	b.Cleanup(func() { db.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String(table)}) })
	for from := 0; from < items; from += 25 {
		var writes []types.WriteRequest
		for i := from; i < min(from+25, items); i++ {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: benchItem(i)}})
		}
		if _, err := db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: writes}}); err != nil {
			b.Fatal(err)
		}
	}
}

func Benchmark(b *testing.B) {
	ctx := context.Background()
	for _, target := range benchTargets(b) {
		for _, size := range benchSizes(b) {
			table := fmt.Sprintf("bench-%d", size)
			b.Run(fmt.Sprintf("%s/%d", target.name, size), func(b *testing.B) {
				fill(b, target.db, table, size)
				b.Run("GetItem", func(b *testing.B) {
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						if _, err := target.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String(table), Key: benchKey(i * 7919 % size)}); err != nil {
							b.Fatal(err)
						}
					}
				})
				b.Run("PutItem", func(b *testing.B) {
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						if _, err := target.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: benchItem(i * 7919 % size)}); err != nil {
							b.Fatal(err)
						}
					}
				})
				b.Run("Query100", func(b *testing.B) {
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						out, err := target.db.Query(ctx, &dynamodb.QueryInput{
							TableName: aws.String(table), Limit: aws.Int32(100),
							KeyConditionExpression:    aws.String("pk = :pk AND sk >= :sk"),
							ExpressionAttributeValues: item{":pk": benchKey(i * 7919 % size)["pk"], ":sk": s("ITEM#0005")},
						})
						if err != nil || len(out.Items) != 100 {
							b.Fatal(len(out.Items), err)
						}
					}
				})
				b.Run("TransactWrite2", func(b *testing.B) {
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						_, err := target.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
							{Put: &types.Put{TableName: aws.String(table), Item: benchItem(i * 7919 % size)}},
							{Put: &types.Put{TableName: aws.String(table), Item: benchItem((i*7919 + 1) % size)}},
						}})
						if err != nil {
							b.Fatal(err)
						}
					}
				})
			})
		}
	}
}

// BenchmarkStart measures how long it takes from nothing to the first answer.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		db := dynamotest.NewEngine().Client()
		createTable(b, db, "first")
		if _, err := db.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String("first"), Item: benchItem(0)}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMemory reports the memory that an item of the benchmarks costs, with
// its entry in one index.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		const items = 100_000
		var before, after runtime.MemStats
		e := dynamotest.NewEngine(dynamotest.WithRecordLimit(0))
		runtime.GC()
		runtime.ReadMemStats(&before)
		fill(b, e.Client(), "memory", items)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/items, "B/item")
		runtime.KeepAlive(e)
	}
}
