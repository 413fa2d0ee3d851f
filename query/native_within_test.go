package query_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/internal/dbtest"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/query"
)

// A range over text that stands behind other sort attributes of a native index is
// bounded by what DynamoDB allows them together, and is not refused.
func TestNativeRangeBehindOthers(t *testing.T) {
	client := indexed(t, Mileage)
	if !dbtest.HasNativeIndexes(t, client) {
		t.Skip("the endpoint has no native indexes")
	}
	put(t, client, Trips, trip("u-1", 1, 7, "a"), trip("u-1", 1, 7, "b"), trip("u-1", 1, 7, "b\U0010FFFF"), trip("u-1", 1, 7, "c"), trip("u-1", 1, 8, "bb"))
	behind := CarTrip.At(day(1, 1)).At(7)
	for _, tt := range []struct {
		r    keys.Range
		want []string
	}{
		{behind.Within("a", "c"), []string{"a", "b", "b\U0010FFFF"}},
		{behind.Within("b", "b\U0010FFFF"), []string{"b"}},
		{behind.Between("b", "c"), []string{"b", "b\U0010FFFF", "c"}},
		{behind.From("b"), []string{"b", "b\U0010FFFF", "c"}},
		{behind.After("b"), []string{"b\U0010FFFF", "c"}},
		{behind.To("b"), []string{"a", "b"}},
		{behind.Before("b"), []string{"a"}},
		{behind.StartsWith("b"), []string{"b", "b\U0010FFFF"}},
	} {
		list, err := query.On(Trips, ByCar, Car.Key("u-1", "67-PK-KS")).Where(tt.r).Collect(t.Context(), client)
		if err != nil {
			t.Errorf("%v: %v", tt.r, err)
		}
		if diff := cmp.Diff(tt.want, tripIDs(list)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.r, diff)
		}
	}
}
