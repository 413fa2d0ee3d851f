package query

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
)

func TestConsumed(t *testing.T) {
	unit := func(u float64) types.Capacity { return types.Capacity{CapacityUnits: &u} }
	for _, tt := range []struct {
		name, reason string
		in           *types.ConsumedCapacity
		want         Stats
	}{
		{"none", "not reported", nil, Stats{}},
		{"total", "an engine that does not split it means the table", &types.ConsumedCapacity{CapacityUnits: aws.Float64(2)}, Stats{Capacity: 2, TableCapacity: 2}},
		{"table", "as DynamoDB splits it", &types.ConsumedCapacity{CapacityUnits: aws.Float64(2), Table: &types.Capacity{CapacityUnits: aws.Float64(2)}}, Stats{Capacity: 2, TableCapacity: 2}},
		{
			"index", "a query of an index costs the table nothing",
			&types.ConsumedCapacity{CapacityUnits: aws.Float64(1.5), Table: &types.Capacity{CapacityUnits: aws.Float64(0)}, GlobalSecondaryIndexes: map[string]types.Capacity{"byName": unit(1.5)}},
			Stats{Capacity: 1.5, IndexCapacity: map[string]float64{"byName": 1.5}},
		},
		{
			"both", "a local index fetches from its table what it does not hold",
			&types.ConsumedCapacity{CapacityUnits: aws.Float64(4), Table: &types.Capacity{CapacityUnits: aws.Float64(3)}, LocalSecondaryIndexes: map[string]types.Capacity{"byDay": unit(1)}},
			Stats{Capacity: 4, TableCapacity: 3, IndexCapacity: map[string]float64{"byDay": 1}},
		},
		{
			"index and total", "what the indexes do not account for is the table's",
			&types.ConsumedCapacity{CapacityUnits: aws.Float64(4), GlobalSecondaryIndexes: map[string]types.Capacity{"byName": unit(1)}},
			Stats{Capacity: 4, TableCapacity: 3, IndexCapacity: map[string]float64{"byName": 1}},
		},
	} {
		var got Stats
		got.consumed(tt.in)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", tt.name, tt.reason, diff)
		}
	}
}

func TestStatsAdd(t *testing.T) {
	a := Stats{1, 2, 3, 4, 5, 6, 7, 8, map[string]float64{"x": 1}}
	b := a.clone()
	var sum Stats
	sum.Add(a)
	sum.Add(b)
	if diff := cmp.Diff(Stats{2, 4, 6, 8, 10, 12, 14, 16, map[string]float64{"x": 2}}, sum); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	b.IndexCapacity["x"] = 9
	if a.IndexCapacity["x"] != 1 {
		t.Error("a clone shares the map")
	}
}
