package query_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

func stocked(t *testing.T, n int) (*fake, []string) {
	var all []any
	var want []string
	for i := range n {
		o := order(1+i%28, fmt.Sprintf("w-%03d", i))
		all = append(all, o, note(o, 1))
		want = append(want, o.OrderID)
	}
	all = append(all, expired(order(1, "old")), Profile{RegionID: "eu-west", Name: "West"})
	return newFake(t, Service, items(t, all...)...), want
}

func TestScan(t *testing.T) {
	for _, segments := range []int{0, 1, 2, 7, 200} {
		t.Run(fmt.Sprint(segments, " segments"), func(t *testing.T) {
			db, want := stocked(t, 50)
			db.page = 8
			var stats query.Stats
			scan := query.Scan(Orders).Report(&stats)
			if segments > 0 {
				scan = scan.Segments(segments)
			}
			var got []string
			for o, err := range scan.All(t.Context(), db) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, o.OrderID)
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if stats.Requests != db.requests() || stats.Evaluated != 102 || stats.Returned != 50 || stats.Skipped != 51 || stats.Expired != 1 {
				t.Errorf("stats %+v after %d requests", stats, db.requests())
			}
			if n, err := scan.Count(t.Context(), db); n != 50 || err != nil {
				t.Errorf("Count() = %d, %v", n, err)
			}
		})
	}
}

func TestScanRequests(t *testing.T) {
	db := newFake(t, Service)
	db.filter = func(model.Item) bool { return true }
	scan := query.Scan(Orders).Filter(expression.Name("sk").BeginsWith("STATUS#OPEN#")).PageSize(5).Consistent()
	if _, err := scan.Segments(2).Count(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if len(db.scans) != 2 {
		t.Fatalf("%d requests, want one a segment", len(db.scans))
	}
	for _, in := range db.scans {
		if *in.TableName != "field-service" || *in.FilterExpression != "begins_with (#0, :0)" || in.ExpressionAttributeNames["#0"] != "sk" ||
			*in.Limit != 5 || !*in.ConsistentRead || *in.TotalSegments != 2 {
			t.Errorf("request %+v", in)
		}
	}
	db.scans = nil
	if _, err := query.Scan(Orders).Count(t.Context(), db); err != nil || db.scans[0].TotalSegments != nil || db.scans[0].Segment != nil {
		t.Errorf("a scan in one piece: %v, %+v", err, db.scans[0])
	}
}

// However a scan ends, its workers end with it.
func TestScanEnds(t *testing.T) {
	for _, segments := range []int{1, 5} {
		db, _ := stocked(t, 50)
		db.page = 1
		scan := query.Scan(Orders).Segments(segments)
		for range scan.All(t.Context(), db) {
			break
		}
		if n := db.requests(); n > 2*segments+2 {
			t.Errorf("%d requests for a loop that was left at once", n)
		}
		after := db.requests()

		db.fault = func(n int) error {
			if n == after+6 {
				return errFault
			}
			return nil
		}
		var last error
		for _, err := range scan.All(t.Context(), db) {
			last = err
		}
		var e *query.Error
		if !errors.Is(last, errFault) || !errors.As(last, &e) || e.Op != "Scan" {
			t.Errorf("ended with %v, want the fault", last)
		}

		db.fault = nil
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		last = nil
		for _, err := range scan.All(ctx, db) {
			if last = err; n == 3 {
				cancel()
			}
			n++
		}
		cancel()
		if !errors.Is(last, context.Canceled) {
			t.Errorf("ended with %v after %d yields, want context.Canceled", last, n)
		}
	}
}

func TestScanItemErrors(t *testing.T) {
	db := newFake(t, Service, append(items(t, order(1, "a"), order(2, "b")), stranger("x"))...)
	var got []string
	var refused int
	for o, err := range query.Scan(Orders).All(t.Context(), db) {
		if err != nil {
			var e *query.ItemError
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			refused++
			continue
		}
		got = append(got, o.OrderID)
	}
	if len(got) != 2 || refused != 1 {
		t.Errorf("got %v and %d bad items", got, refused)
	}
	if n, err := query.Scan(Orders).Count(t.Context(), db); n != 2 || !errors.Is(err, query.ErrUndeclared) {
		t.Errorf("Count() = %d, %v", n, err)
	}
	for range query.Scan(Orders).All(t.Context(), newFake(t, Service, stranger("x"), stranger("y"))) {
		break
	}
}

func TestScanMistakes(t *testing.T) {
	var nilEntity *model.Entity[WorkOrder]
	for _, tt := range []struct {
		name string
		scan query.ScanQuery[WorkOrder]
		want error
	}{
		{"zero", query.ScanQuery[WorkOrder]{}, query.ErrZero},
		{"zero, filtered", query.ScanQuery[WorkOrder]{}.Filter(expression.Name("a").AttributeExists()), query.ErrZero},
		{"nil entity", query.Scan(nilEntity), query.ErrZero},
		{"no segment", query.Scan(Orders).Segments(0), query.ErrArgument},
		{"too many segments", query.Scan(Orders).Segments(1_000_001), query.ErrArgument},
		{"page size", query.Scan(Orders).PageSize(0), query.ErrArgument},
		{"filter", query.Scan(Orders).Filter(expression.ConditionBuilder{}), query.ErrFilter},
	} {
		db := newFake(t, Service)
		if err := tt.scan.Err(); !errors.Is(err, tt.want) {
			t.Errorf("%s: Err() = %v, want %v", tt.name, err, tt.want)
		}
		if _, err := tt.scan.Count(t.Context(), db); !errors.Is(err, tt.want) || db.requests() != 0 {
			t.Errorf("%s: Count() = %v, want %v and no request", tt.name, err, tt.want)
		}
	}
}
