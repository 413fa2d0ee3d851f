package dynamotest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

const (
	defaultRecorded = 10000
	maxRecorded     = 64 << 20 // bytes of documents
)

// A Request is one request that reached the engine, each attempt of the SDK for
// itself.
type Request struct {
	Operation string // "PutItem"
	Body      []byte // the JSON document, as sent; not to be changed
}

// recorder keeps the latest requests.
type recorder struct {
	mu       sync.Mutex
	limit    int
	requests []Request
	bytes    int
}

func (r *recorder) add(op string, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.limit <= 0 {
		return
	}
	r.requests = append(r.requests, Request{op, body})
	r.bytes += len(body)
	first := 0
	for len(r.requests)-first > r.limit || (r.bytes > maxRecorded && len(r.requests)-first > 1) {
		r.bytes -= len(r.requests[first].Body)
		r.requests[first] = Request{}
		first++
	}
	r.requests = r.requests[first:]
}

// Requests returns the requests that have reached the engine since it was made or
// since the last ResetRequests, oldest first: all of them, or only those of the
// given operations. Beyond the limit of [WithRecordLimit], and
// beyond 64 MB of documents, the oldest are gone.
func (e *Engine) Requests(operations ...string) []Request {
	e.record.mu.Lock()
	defer e.record.mu.Unlock()
	list := make([]Request, 0, len(e.record.requests))
	for _, r := range e.record.requests {
		if len(operations) == 0 || slices.Contains(operations, r.Operation) {
			list = append(list, r)
		}
	}
	return list
}

// ResetRequests forgets the requests that were recorded.
func (e *Engine) ResetRequests() {
	e.record.mu.Lock()
	defer e.record.mu.Unlock()
	e.record.requests, e.record.bytes = nil, 0
}

// Decode decodes the request's document as encoding/json does; v may be a struct
// of the members of interest. Numbers of an any stay exact, as json.Number.
func (r Request) Decode(v any) error {
	d := json.NewDecoder(bytes.NewReader(r.Body))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("dynamotest: request %s: %w", r.Operation, err)
	}
	return nil
}

// Parameter returns a parameter of the request as encoding/json decodes it, and
// whether the request has it: Parameter("TableName").
func (r Request) Parameter(name string) (any, bool) {
	var all map[string]any
	if r.Decode(&all) != nil {
		return nil, false
	}
	v, ok := all[name]
	return v, ok
}

// Text returns a parameter that is a string, and "" where the request has none of
// that name: Text("UpdateExpression").
func (r Request) Text(name string) string {
	v, _ := r.Parameter(name)
	s, _ := v.(string)
	return s
}

// Attributes returns a parameter that is a map of attribute values, as the SDK
// has them: Attributes("Key"), Attributes("ExpressionAttributeValues"). It is nil
// where the request has no such parameter or it is not such a map.
func (r Request) Attributes(name string) map[string]types.AttributeValue {
	var all map[string]json.RawMessage
	if r.Decode(&all) != nil || all[name] == nil {
		return nil
	}
	item, err := av.DecodeItem(all[name])
	if err != nil {
		return nil
	}
	return sdkItem(item)
}

// String returns the operation and the document.
func (r Request) String() string { return r.Operation + " " + string(r.Body) }

func sdkItem(item av.Item) map[string]types.AttributeValue {
	if item == nil {
		return nil
	}
	out := make(map[string]types.AttributeValue, len(item))
	for name, v := range item {
		out[name] = sdkValue(v)
	}
	return out
}

func sdkValue(v av.Value) types.AttributeValue {
	switch v.Kind() {
	case av.S:
		return &types.AttributeValueMemberS{Value: v.Str()}
	case av.N:
		return &types.AttributeValueMemberN{Value: v.Number().String()}
	case av.B:
		return &types.AttributeValueMemberB{Value: v.Bytes()}
	case av.BOOL:
		return &types.AttributeValueMemberBOOL{Value: v.Bool()}
	case av.M:
		return &types.AttributeValueMemberM{Value: sdkItem(v.Map())}
	case av.L:
		list := make([]types.AttributeValue, 0, len(v.List()))
		for _, el := range v.List() {
			list = append(list, sdkValue(el))
		}
		return &types.AttributeValueMemberL{Value: list}
	case av.SS:
		return &types.AttributeValueMemberSS{Value: v.Strs()}
	case av.NS:
		list := make([]string, 0, len(v.Numbers()))
		for _, n := range v.Numbers() {
			list = append(list, n.String())
		}
		return &types.AttributeValueMemberNS{Value: list}
	case av.BS:
		return &types.AttributeValueMemberBS{Value: v.Binaries()}
	}
	return &types.AttributeValueMemberNULL{Value: true}
}
