package query_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// fake holds the items of one table and answers GetItem and Query as DynamoDB
// does, as far as this package asks. It refuses what DynamoDB refuses, so that
// a malformed request fails a test.
type fake struct {
	t      interface{ Errorf(string, ...any) }
	pk, sk string
	items  []model.Item

	page   int                   // items evaluated a request at the most, as by the 1 MB; 0 for no bound
	filter func(model.Item) bool // stands for the text of any FilterExpression
	fault  func(n int) error     // what request n (from 1) fails with
	before func(n int)           // called before request n is answered

	mu           sync.Mutex
	queries      []*dynamodb.QueryInput
	gets         []*dynamodb.GetItemInput
	scans        []*dynamodb.ScanInput
	batches      []*dynamodb.BatchGetItemInput
	transactions []*dynamodb.TransactGetItemsInput

	unread func(n int, key model.Item) bool // whether batch n gives a key back unread
}

func newFake(t interface{ Errorf(string, ...any) }, table *model.Table, items ...model.Item) *fake {
	return &fake{t: t, pk: table.PartitionKey(), sk: table.SortKey(), items: items}
}

func (f *fake) requests() int {
	return len(f.queries) + len(f.gets) + len(f.scans) + len(f.batches) + len(f.transactions)
}

// begin counts a request and tells whether it fails.
func (f *fake) begin(ctx context.Context) error {
	n := f.requests()
	if f.before != nil {
		f.before(n)
	}
	if f.fault != nil {
		if err := f.fault(n); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (f *fake) GetItem(ctx context.Context, in *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gets = append(f.gets, in)
	if err := f.begin(ctx); err != nil {
		return nil, err
	}
	return &dynamodb.GetItemOutput{ConsumedCapacity: capacity(0.5), Item: f.at(in.Key)}, nil
}

func (f *fake) at(key model.Item) model.Item {
	for _, item := range f.items {
		if text(item[f.pk]) == text(key[f.pk]) && text(item[f.sk]) == text(key[f.sk]) {
			return maps.Clone(item)
		}
	}
	return nil
}

// seen refuses a key for the second time, as DynamoDB does within one request.
type seen map[string]bool

func (s seen) check(table string, key model.Item) error {
	id := fmt.Sprint(table, "/", text(key["pk"]), "/", text(key["sk"]), "/", text(key["id"]))
	if s[id] {
		return fmt.Errorf("ValidationException: Provided list of item keys contains duplicates: %s", id)
	}
	s[id] = true
	return nil
}

func (f *fake) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.batches = append(f.batches, in)
	if err := f.begin(ctx); err != nil {
		return nil, err
	}
	out := &dynamodb.BatchGetItemOutput{Responses: map[string][]model.Item{}, UnprocessedKeys: map[string]types.KeysAndAttributes{}}
	n, dup := 0, seen{}
	for name, k := range in.RequestItems {
		var left []model.Item
		for _, key := range k.Keys {
			if err := dup.check(name, key); err != nil {
				return nil, err
			}
			n++
			switch item := f.at(key); {
			case f.unread != nil && f.unread(len(f.batches), key):
				left = append(left, key)
			case item != nil:
				out.Responses[name] = append(out.Responses[name], item)
			}
		}
		slices.Reverse(out.Responses[name]) // in no particular order
		if left != nil {
			out.UnprocessedKeys[name] = types.KeysAndAttributes{Keys: left, ConsistentRead: k.ConsistentRead}
		}
		out.ConsumedCapacity = append(out.ConsumedCapacity, *capacity(0.5 * float64(len(k.Keys)-len(left))))
	}
	if n < 1 || n > 100 {
		return nil, fmt.Errorf("ValidationException: %d keys", n)
	}
	return out, nil
}

func (f *fake) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.transactions = append(f.transactions, in)
	if err := f.begin(ctx); err != nil {
		return nil, err
	}
	if n := len(in.TransactItems); n < 1 || n > 100 {
		return nil, fmt.Errorf("ValidationException: %d items", n)
	}
	out, dup := &dynamodb.TransactGetItemsOutput{}, seen{}
	for _, get := range in.TransactItems {
		if err := dup.check(*get.Get.TableName, get.Get.Key); err != nil {
			return nil, err
		}
		out.Responses = append(out.Responses, types.ItemResponse{Item: f.at(get.Get.Key)})
	}
	out.ConsumedCapacity = []types.ConsumedCapacity{*capacity(2 * float64(len(in.TransactItems)))}
	return out, nil
}

// Scan cuts the table into segments by position.
func (f *fake) Scan(ctx context.Context, in *dynamodb.ScanInput, _ ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.scans = append(f.scans, in)
	if err := f.begin(ctx); err != nil {
		return nil, err
	}
	segment, total := 0, 1
	if in.TotalSegments != nil {
		segment, total = int(*in.Segment), int(*in.TotalSegments)
	}
	var found []model.Item
	for i, item := range f.items {
		if i%total == segment {
			found = append(found, item)
		}
	}
	if start := in.ExclusiveStartKey; start != nil {
		at := slices.IndexFunc(found, func(item model.Item) bool {
			return text(item[f.pk]) == text(start[f.pk]) && text(item[f.sk]) == text(start[f.sk])
		})
		found = found[at+1:]
	}
	out := &dynamodb.ScanOutput{ConsumedCapacity: capacity(0.5)}
	most := len(found)
	if f.page > 0 {
		most = min(most, f.page)
	}
	if in.Limit != nil {
		most = min(most, int(*in.Limit))
	}
	if most < len(found) {
		out.LastEvaluatedKey = model.Item{f.pk: found[most-1][f.pk], f.sk: found[most-1][f.sk]}
	}
	for _, item := range found[:most] {
		if in.FilterExpression == nil || f.filter(item) {
			out.Items = append(out.Items, maps.Clone(item))
		}
	}
	out.ScannedCount, out.Count = int32(most), int32(len(out.Items))
	return out, nil
}

func (f *fake) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queries = append(f.queries, in)
	if err := f.begin(ctx); err != nil {
		return nil, err
	}
	pk, within, err := f.keyCondition(in)
	if err != nil {
		return nil, err
	}
	var found []model.Item
	for _, item := range f.items {
		if text(item[f.pk]) == pk && within(text(item[f.sk])) {
			found = append(found, item)
		}
	}
	slices.SortFunc(found, func(a, b model.Item) int { return cmp.Compare(text(a[f.sk]), text(b[f.sk])) })
	desc := in.ScanIndexForward != nil && !*in.ScanIndexForward
	if desc {
		slices.Reverse(found)
	}
	if start := in.ExclusiveStartKey; start != nil {
		sk := text(start[f.sk])
		if text(start[f.pk]) != pk || f.sk != "" && !within(sk) {
			return nil, fmt.Errorf("ValidationException: The provided starting key is outside query boundaries: %v", start)
		}
		found = slices.DeleteFunc(found, func(item model.Item) bool {
			order := cmp.Compare(text(item[f.sk]), sk)
			return order == 0 || desc == (order > 0)
		})
	}

	most := len(found)
	if f.page > 0 {
		most = min(most, f.page)
	}
	out := &dynamodb.QueryOutput{}
	bounded := most < len(found)
	if in.Limit != nil {
		if *in.Limit < 1 {
			return nil, fmt.Errorf("ValidationException: limit %d", *in.Limit)
		}
		if int(*in.Limit) <= most {
			most, bounded = int(*in.Limit), true // also where nothing follows, as DynamoDB does
		}
	}
	if bounded {
		out.LastEvaluatedKey = model.Item{f.pk: found[most-1][f.pk]}
		if f.sk != "" {
			out.LastEvaluatedKey[f.sk] = found[most-1][f.sk]
		}
	}
	for _, item := range found[:most] {
		if in.FilterExpression != nil && !f.filter(item) {
			continue
		}
		out.Items = append(out.Items, f.project(in, item))
	}
	out.ScannedCount = int32(most)
	out.Count = int32(len(out.Items))
	out.ConsumedCapacity = capacity(0.5 * float64(max(1, most)))
	return out, nil
}

// keyCondition reads the few texts that there are.
func (f *fake) keyCondition(in *dynamodb.QueryInput) (pk string, within func(string) bool, err error) {
	used := *in.KeyConditionExpression
	for _, more := range []*string{in.FilterExpression, in.ProjectionExpression} {
		if more != nil {
			used += " " + *more
		}
	}
	for alias := range in.ExpressionAttributeNames {
		if !strings.Contains(used, alias) {
			return "", nil, fmt.Errorf("ValidationException: name %s is not used in %s", alias, used)
		}
	}
	for alias := range in.ExpressionAttributeValues {
		if !strings.Contains(used, alias) {
			return "", nil, fmt.Errorf("ValidationException: value %s is not used in %s", alias, used)
		}
	}
	if name := in.ExpressionAttributeNames["#pk"]; name != f.pk {
		return "", nil, fmt.Errorf("ValidationException: #pk is %q", name)
	}
	value := func(alias string) string { return text(in.ExpressionAttributeValues[alias]) }
	lo, hi := value(":lo"), value(":hi")
	rest, _ := strings.CutPrefix(*in.KeyConditionExpression, "#pk = :pk")
	switch rest {
	case "":
		within = func(string) bool { return true }
	case " AND #sk = :lo":
		within = func(sk string) bool { return sk == lo }
	case " AND begins_with(#sk, :lo)":
		within = func(sk string) bool { return strings.HasPrefix(sk, lo) }
	case " AND #sk BETWEEN :lo AND :hi":
		within = func(sk string) bool { return lo <= sk && sk <= hi }
	case " AND #sk <= :hi":
		within = func(sk string) bool { return sk <= hi }
	default:
		return "", nil, fmt.Errorf("ValidationException: key condition %q", *in.KeyConditionExpression)
	}
	if name := in.ExpressionAttributeNames["#sk"]; rest != "" && name != f.sk {
		return "", nil, fmt.Errorf("ValidationException: #sk is %q", name)
	}
	return value(":pk"), within, nil
}

func (f *fake) project(in *dynamodb.QueryInput, item model.Item) model.Item {
	if in.ProjectionExpression == nil {
		return maps.Clone(item)
	}
	out := model.Item{}
	for alias := range strings.SplitSeq(*in.ProjectionExpression, ", ") {
		name, ok := in.ExpressionAttributeNames[alias]
		if !ok {
			f.t.Errorf("projection %q: no name for %q", *in.ProjectionExpression, alias)
		}
		if v, ok := item[name]; ok {
			out[name] = v
		}
	}
	return out
}

func capacity(u float64) *types.ConsumedCapacity {
	return &types.ConsumedCapacity{CapacityUnits: &u, Table: &types.Capacity{CapacityUnits: &u}}
}

func text(v types.AttributeValue) string {
	if s, ok := v.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}
