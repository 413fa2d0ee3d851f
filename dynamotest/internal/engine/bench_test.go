package engine

import (
	"fmt"
	"os"
	"runtime"
	"testing"
)

// BenchmarkDo measures the engine alone, without the SDK around it, on a table
// with a local and three global indexes of which the items are in one.
// DYNAMOTEST_BENCH_ITEMS sets the size of the large table, 100,000 without it.
func BenchmarkDo(b *testing.B) {
	large := 100_000
	if text := os.Getenv("DYNAMOTEST_BENCH_ITEMS"); text != "" {
		if _, err := fmt.Sscan(text, &large); err != nil {
			b.Fatalf("DYNAMOTEST_BENCH_ITEMS is %q: %v", text, err)
		}
	}
	for _, size := range []int{1000, large} {
		before := heap()
		e := New(Config{})
		must(b, e, "CreateTable", mixTable)
		item := func(i int) string {
			return fmt.Sprintf(`{"pk":{"S":"PARTITION#%06d"},"sk":{"N":"%d"},"g":{"S":"G#%d"},"note":{"S":"a note of a usual length, as items have"}}`, i/1000, i%1000, i%97)
		}
		for i := range size {
			must(b, e, "PutItem", `{"TableName":"mix","Item":`+item(i)+`}`)
		}
		perItem := float64(heap()-before) / float64(size)
		requests := func(n int, request func(i int) string) [][]byte {
			list := make([][]byte, n)
			for i := range list {
				list[i] = []byte(request(i * 7919 % size))
			}
			return list
		}
		for _, bench := range []struct {
			name, op string
			request  func(i int) string
		}{
			{"GetItem", "GetItem", func(i int) string {
				return fmt.Sprintf(`{"TableName":"mix","Key":{"pk":{"S":"PARTITION#%06d"},"sk":{"N":"%d"}}}`, i/1000, i%1000)
			}},
			{"PutItem", "PutItem", func(i int) string { return `{"TableName":"mix","Item":` + item(i) + `}` }},
			{"UpdateItem", "UpdateItem", func(i int) string {
				return fmt.Sprintf(`{"TableName":"mix","Key":{"pk":{"S":"PARTITION#%06d"},"sk":{"N":"%d"}},"UpdateExpression":"SET a = :a","ConditionExpression":"attribute_exists(pk)","ExpressionAttributeValues":{":a":{"S":"%d"}}}`, i/1000, i%1000, i)
			}},
			{"Query100", "Query", func(i int) string {
				return fmt.Sprintf(`{"TableName":"mix","Limit":100,"KeyConditionExpression":"pk = :pk AND sk >= :sk","ExpressionAttributeValues":{":pk":{"S":"PARTITION#%06d"},":sk":{"N":"500"}}}`, i/1000)
			}},
			{"TransactWrite2", "TransactWriteItems", func(i int) string {
				return `{"ClientRequestToken":"` + fmt.Sprint(i) + `","TransactItems":[{"Put":{"TableName":"mix","Item":` + item(i) + `}},{"Put":{"TableName":"mix","Item":` + item((i+1)%size) + `}}]}`
			}},
		} {
			b.Run(fmt.Sprintf("%s/%d", bench.name, size), func(b *testing.B) {
				list := requests(256, bench.request)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, err := e.Do(bench.op, list[i%len(list)], Options{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(perItem, "B/item")
			})
		}
	}
}

// heap gives the bytes that are in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
