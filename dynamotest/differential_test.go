package dynamotest_test

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/singletable-go/singletable/dynamotest"
	"github.com/singletable-go/singletable/dynamotest/internal/cases"
)

// Random tables and requests are driven into the engine and into the endpoint
// that DYNAMODB_ENDPOINT names, and whole answers compared: documents, error
// types, cancellation reasons, capacity. Where the endpoint is known to differ
// from the service, the list of tolerated differences says how; the service wins.
//
// A failure prints the requests from an empty table on. It is repeated with
// -rapid.seed, as rapid says.
func TestDifferential(t *testing.T) {
	other, _ := endpoint(t)
	run := make([]byte, 6)
	rand.Read(run) // never fails
	prefix := "differential-" + hex.EncodeToString(run) + "-"
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		d := &pair{t: rt, engine: dynamotest.NewEngine().Client(), other: other}
		w := drawWorld(rt, fmt.Sprintf("%s%d", prefix, n))
		d.both("CreateTable", text(w.create()))
		defer d.both("DeleteTable", text(doc{"TableName": w.table}))
		for range rapid.IntRange(1, 40).Draw(rt, "requests") {
			d.compare(w, w.request(rt))
		}
		// At the end both hold the same, in the table and in every index.
		d.compare(w, request{"Scan", doc{"TableName": w.table}})
		d.pages(w, "")
		for _, x := range w.indexes {
			d.compare(w, request{"Scan", doc{"TableName": w.table, "IndexName": x.name}})
			d.pages(w, x.name)
		}
	})
}

// pair is the two that are compared.
type pair struct {
	t             *rapid.T
	engine, other *dynamodb.Client
}

func (d *pair) both(op, body string) (engine, other cases.Answer) {
	engine, err := cases.Call(d.t.Context(), d.engine, op, body)
	if err != nil {
		d.t.Fatalf("engine: %v", err)
	}
	other, err = cases.Call(d.t.Context(), d.other, op, body)
	if err != nil {
		d.t.Fatalf("endpoint: %v", err)
	}
	return engine, other
}

// compare sends a request to both. A query with a limit is followed page by page.
func (d *pair) compare(w world, r request) {
	for {
		body := r.text()
		d.t.Logf("%s %s", r.op, body)
		engine, other := d.both(r.op, body)
		e, o := comparable(w, r, engine), comparable(w, r, other)
		if diff := cmp.Diff(o, e); diff != "" {
			why := tolerate(w, r, engine, other)
			if why == "" {
				d.t.Fatalf("%s %s\n(-endpoint +engine)\n%s\nengine:   %s\nendpoint: %s", r.op, body, diff, engine.Message, other.Message)
			}
			d.t.Logf("tolerated: %s", why)
			d.level(w, r)
			return
		}
		if takesAway(r) {
			d.level(w, r) // the endpoint may have made an item of the bare key
		}
		next, more := engine.Body["LastEvaluatedKey"]
		if r.op != "Query" || !more || unordered(w, r) {
			return
		}
		r.body = maps.Clone(r.body)
		r.body["ExclusiveStartKey"] = next
	}
}

// pages checks that a scan of the engine in segments and pages gives the items of
// a scan in one.
func (d *pair) pages(w world, index string) {
	segments, limit := rapid.IntRange(1, 5).Draw(d.t, "segments"), rapid.IntRange(1, 4).Draw(d.t, "page")
	scan := func(segments, limit int) (items []any) {
		for s := range segments {
			body := doc{"TableName": w.table, "Segment": s, "TotalSegments": segments, "Limit": limit}
			if index != "" {
				body["IndexName"] = index
			}
			for range 1000 {
				got, err := cases.Call(d.t.Context(), d.engine, "Scan", text(body))
				if err != nil || got.Code != "" {
					d.t.Fatalf("Scan %s: %v %s", text(body), err, got.Message)
				}
				page := cases.Normal("Scan", got.Body)
				items = append(items, page["Items"].([]any)...)
				next, more := got.Body["LastEvaluatedKey"]
				if !more {
					break
				}
				body["ExclusiveStartKey"] = next
			}
		}
		slices.SortFunc(items, func(a, b any) int { return strings.Compare(text(a), text(b)) })
		return items
	}
	if diff := cmp.Diff(scan(1, 1000), scan(segments, limit)); diff != "" {
		d.t.Fatalf("a scan of %q in %d segments and pages of %d (-whole +parts)\n%s", index, segments, limit, diff)
	}
}

// level makes the endpoint hold what the engine holds at the keys that a request
// wrote, after the two have rightly answered it differently.
func (d *pair) level(w world, r request) {
	for _, key := range written(w, r) {
		got, err := cases.Call(d.t.Context(), d.engine, "GetItem", text(doc{"TableName": w.table, "Key": key}))
		if err != nil {
			d.t.Fatal(err)
		}
		op, body := "DeleteItem", doc{"TableName": w.table, "Key": key}
		if item, ok := got.Body["Item"]; ok {
			op, body = "PutItem", doc{"TableName": w.table, "Item": item}
		}
		answer, err := cases.Call(d.t.Context(), d.other, op, text(body))
		if err != nil || answer.Code != "" {
			d.t.Fatalf("%s %s: %v %s", op, text(body), err, answer.Message)
		}
	}
}

// written gives the keys that a request writes at.
func written(w world, r request) []doc {
	keyOf := func(from doc) doc {
		k := doc{"pk": from["pk"]}
		if w.sort != "" {
			k["sk"] = from["sk"]
		}
		return k
	}
	var out []doc
	switch r.op {
	case "PutItem":
		out = append(out, keyOf(r.body["Item"].(doc)))
	case "UpdateItem", "DeleteItem":
		out = append(out, keyOf(r.body["Key"].(doc)))
	case "BatchWriteItem":
		for _, e := range r.body["RequestItems"].(doc)[w.table].([]any) {
			for _, v := range e.(doc) {
				for _, from := range v.(doc) {
					out = append(out, keyOf(from.(doc)))
				}
			}
		}
	case "TransactWriteItems":
		for _, e := range r.body["TransactItems"].([]any) {
			for kind, v := range e.(doc) {
				if kind == "Put" {
					out = append(out, keyOf(v.(doc)["Item"].(doc)))
				} else {
					out = append(out, keyOf(v.(doc)["Key"].(doc)))
				}
			}
		}
	}
	return out
}

// unordered reports whether the service promises no order for the items of an
// answer: scans, and global indexes, where equal keys come in any order.
func unordered(w world, r request) bool {
	x, ok := indexOf(w, r)
	return r.op == "Scan" || (r.op == "Query" && ok && !x.local)
}

// comparable gives what two right answers have in common: all of it, but for the
// words of refusals and for orders that are not promised.
func comparable(w world, r request, a cases.Answer) doc {
	out := cases.Normal(r.op, a.Body)
	out["code"] = a.Code
	if reasons, ok := out["CancellationReasons"].([]any); ok {
		for _, reason := range reasons {
			delete(reason.(doc), "Message")
		}
	}
	if !unordered(w, r) {
		return out
	}
	if items, ok := out["Items"].([]any); ok {
		slices.SortFunc(items, func(a, b any) int { return strings.Compare(text(a), text(b)) })
	}
	if r.body["Limit"] != nil {
		// Which of equal keys are on the page, and so the cursor, is open.
		delete(out, "Items")
		if out["LastEvaluatedKey"] != nil {
			out["LastEvaluatedKey"] = true
		}
		if r.body["FilterExpression"] != nil {
			delete(out, "Count")
		}
		delete(out, "ConsumedCapacity")
	}
	return out
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // a document of strings, numbers and lists
	}
	return string(b)
}
