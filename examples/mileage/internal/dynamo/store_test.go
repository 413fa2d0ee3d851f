package dynamo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/dynamotest"
	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
	"github.com/singletable-go/singletable/internal/dbtest"
	"github.com/singletable-go/singletable/internal/race"
	"github.com/singletable-go/singletable/query"
	"github.com/singletable-go/singletable/txn"
)

// eachDesign runs a test with each form of the index, on a table of its own.
func eachDesign(t *testing.T, test func(t *testing.T, ctx context.Context, db *dynamodb.Client, d *Design)) {
	for name, d := range map[string]*Design{"joined": Joined, "native": Native} {
		t.Run(name, func(t *testing.T) {
			db := dbtest.Client(t)
			if d == Native && !dbtest.HasNativeIndexes(t, db) {
				t.Skip("no indexes with keys of several attributes")
			}
			ctx := WithTable(context.Background(), dbtest.UniqueName(t))
			dbtest.CreateIn(t, ctx, db, d.Table)
			test(t, ctx, db, d)
		})
	}
}

// The live table is as it is declared.
func TestTable(t *testing.T) {
	eachDesign(t, func(t *testing.T, ctx context.Context, db *dynamodb.Client, d *Design) {
		if err := query.CheckTable(ctx, db, d.Table); err != nil {
			t.Error(err)
		}
	})
}

// A token is in the table as its hash alone.
func TestTokenIsHashed(t *testing.T) {
	const secret = "the-token-of-kim"
	eachDesign(t, func(t *testing.T, ctx context.Context, db *dynamodb.Client, d *Design) {
		s := NewStore(db, d)
		if err := s.PutUser(ctx, mileage.User{ID: "kim", Name: "Kim"}, secret); err != nil {
			t.Fatal(err)
		}
		if user, err := s.UserOf(ctx, secret); user != "kim" || err != nil {
			t.Errorf("UserOf(token) = %q, %v", user, err)
		}
		name := d.Table.PhysicalName(ctx)
		out, err := db.Scan(ctx, &dynamodb.ScanInput{TableName: &name})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range out.Items {
			for attribute, v := range item {
				if s, ok := v.(*types.AttributeValueMemberS); ok && strings.Contains(s.Value, secret) {
					t.Errorf("attribute %s holds the token: %q", attribute, s.Value)
				}
			}
		}
		if len(out.Items) != 2 {
			t.Errorf("%d items, want the user and the token", len(out.Items))
		}
	})
}

// However many trips there are, a page of them is read alone: the first one of all, the
// last one, and the first one of March.
func TestHundredThousandTrips(t *testing.T) {
	if testing.Short() {
		t.Skip("stores a hundred thousand trips")
	}
	year := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	march := mileage.Period{From: year.AddDate(0, 2, 0), To: year.AddDate(0, 3, 0)}
	eachDesign(t, func(t *testing.T, ctx context.Context, db *dynamodb.Client, d *Design) {
		n := 100_000
		if d == Native || race.Enabled || os.Getenv(dbtest.EndpointVariable) != "" {
			n = 10_000 // loading them all takes long enough once
		}
		step := 365 * 24 * time.Hour / time.Duration(n) // the last trip is on 31 December
		at := func(i int) time.Time { return year.Add(time.Duration(i) * step).Truncate(time.Second) }
		loadTrips(t, ctx, db, d, n, at)
		s := NewStore(db, d)
		var stats query.Stats
		ctx = query.WithHook(ctx, func(_ context.Context, e query.Event) { stats.Add(e.Stats) })
		for _, test := range []struct {
			name    string
			listing mileage.Listing
			first   time.Time
		}{
			{"first page", mileage.Listing{}, at(0)},
			{"last page", mileage.Listing{Newest: true}, at(n - 1)},
			{"March", mileage.Listing{Period: march}, firstIn(march, n, at)},
		} {
			stats = query.Stats{}
			test.listing.Limit = 10
			page, err := s.Trips(ctx, "kim", "67-PK-KS", test.listing)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			if len(page.Trips) != 10 || !page.Trips[0].Start.At.Equal(test.first) {
				t.Errorf("%s: %d trips, the first %+v; want 10 from %v", test.name, len(page.Trips), page.Trips[:min(1, len(page.Trips))], test.first)
			}
			// Ten, and one to know whether there is another page.
			if got := fmt.Sprint(stats.Requests, stats.Evaluated, stats.Returned); got != "1 11 10" {
				t.Errorf("%s: requests, items evaluated and returned: %s, want 1 11 10", test.name, got)
			}
		}
	})
}

func firstIn(p mileage.Period, n int, at func(int) time.Time) time.Time {
	for i := range n {
		if !at(i).Before(p.From) {
			return at(i)
		}
	}
	return time.Time{}
}

// loadTrips stores n trips of kim's 67-PK-KS, one after the other.
func loadTrips(t *testing.T, ctx context.Context, db *dynamodb.Client, d *Design, n int, at func(int) time.Time) {
	const chunk = 2500
	var loaders sync.WaitGroup
	for from := 0; from < n; from += chunk {
		actions := make([]txn.Action, min(chunk, n-from))
		for i := range actions {
			km := int64(from + i)
			r := recordOf(&mileage.Trip{
				ID: mileage.NewTripID(at(from + i)), User: "kim", Vehicle: "67-PK-KS", Purpose: mileage.Business,
				Start: mileage.Stop{At: at(from + i), Odometer: km, Place: "Utrecht"},
				End:   mileage.Stop{At: at(from + i + 1), Odometer: km + 1, Place: "Delft"},
			})
			actions[i] = txn.Overwrite(d.trips, &r)
		}
		loaders.Go(func() {
			if _, err := txn.Batch(ctx, db, actions...); err != nil {
				t.Error(err)
			}
		})
	}
	loaders.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// A change whose answer is lost was made, and is not told as one that somebody else
// was faster with.
func TestLostAnswers(t *testing.T) {
	for name, d := range map[string]*Design{"joined": Joined, "native": Native} {
		t.Run(name, func(t *testing.T) {
			engine := dynamotest.NewEngine()
			db := engine.Client()
			ctx := WithTable(context.Background(), dbtest.UniqueName(t))
			dbtest.CreateIn(t, ctx, db, d.Table)
			s := NewStore(db, d)
			if _, err := s.PutVehicle(ctx, mileage.Vehicle{User: "kim", Plate: "67-PK-KS"}); err != nil {
				t.Fatal(err)
			}
			at := time.Date(2026, time.January, 31, 8, 0, 0, 0, time.UTC)
			trip := mileage.Trip{
				ID: mileage.NewTripID(at), User: "kim", Vehicle: "67-PK-KS", Purpose: mileage.Business,
				Start: mileage.Stop{At: at, Odometer: 1, Place: "Utrecht"},
				End:   mileage.Stop{At: at.Add(time.Hour), Odometer: 2, Place: "Delft"},
			}
			lose := func(operation string) {
				engine.Inject(dynamotest.Fault{Kind: dynamotest.LostAnswer, Operation: operation, Times: 1})
			}
			lose("PutItem")
			if err := s.CreateTrip(ctx, &trip); err != nil || trip.Version != 1 {
				t.Fatalf("create: version %d, %v", trip.Version, err)
			}
			lose("UpdateItem")
			changed, err := s.ChangeTrip(ctx, "kim", trip.ID, 1, func(t *mileage.Trip) error { t.End.Odometer++; return nil })
			if err != nil || changed.Version != 2 || changed.End.Odometer != 3 {
				t.Fatalf("change: %+v, %v", changed, err)
			}
			lose("DeleteItem")
			if err := s.DeleteTrip(ctx, "kim", trip.ID, 2); err != nil {
				t.Fatalf("delete: %v", err)
			}
			if _, err := s.Trip(ctx, "kim", trip.ID); !errors.Is(err, mileage.ErrNotFound) {
				t.Errorf("after all: %v", err)
			}
		})
	}
}

// Where it is not known whether a change was made, a client must not hear that it was
// not.
func TestInDoubt(t *testing.T) {
	for _, err := range []error{txn.ErrChanged, txn.ErrExists, txn.ErrNotFound} {
		got := domain(&txn.Error{InDoubt: true, Err: err})
		for _, no := range []error{mileage.ErrStale, mileage.ErrExists, mileage.ErrNotFound} {
			if errors.Is(got, no) {
				t.Errorf("%v in doubt is told as %v", err, no)
			}
		}
	}
}
