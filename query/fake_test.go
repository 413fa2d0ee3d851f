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

	mu      sync.Mutex
	queries []*dynamodb.QueryInput
	gets    []*dynamodb.GetItemInput
}

func newFake(t interface{ Errorf(string, ...any) }, table *model.Table, items ...model.Item) *fake {
	return &fake{t: t, pk: table.PartitionKey(), sk: table.SortKey(), items: items}
}

func (f *fake) requests() int { return len(f.queries) + len(f.gets) }

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
	out := &dynamodb.GetItemOutput{ConsumedCapacity: capacity(0.5)}
	for _, item := range f.items {
		if text(item[f.pk]) == text(in.Key[f.pk]) && text(item[f.sk]) == text(in.Key[f.sk]) {
			out.Item = maps.Clone(item)
		}
	}
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
