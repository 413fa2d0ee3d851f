package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/internal/dbtest"
	"github.com/singletable-go/singletable/query"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The whole output is what it was, but for what is measured while goroutines
// race. What chapter 6 says for certain of moves, that a read of both keys never
// sees half of one, is in it as figures.
func TestOutput(t *testing.T) {
	const golden = "testdata/output.golden"
	db := dbtest.Client(t)
	name := dbtest.UniqueName(t)
	var out bytes.Buffer
	s := story{db: db, out: &out, measured: func(int) string { return "<n>" }}
	if err := s.run(context.Background(), name, false); err != nil {
		t.Fatalf("%v\nafter:\n%s", err, &out)
	}
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("output differs from %s (-want +got):\n%s", golden, diff)
	}
	for _, tbl := range tables {
		name := tbl.PhysicalName(withTable(context.Background(), name))
		_, err := db.DescribeTable(context.Background(), &dynamodb.DescribeTableInput{TableName: &name})
		if gone := new(types.ResourceNotFoundException); !errors.As(err, &gone) {
			t.Errorf("table %s after the run: %v, want it deleted", name, err)
		}
	}
}

// With -keep the tables stay, and a run that finds them there leaves them alone.
func TestKeep(t *testing.T) {
	db := dbtest.Client(t)
	name := dbtest.UniqueName(t)
	ctx := withTable(context.Background(), name)
	t.Cleanup(func() {
		for _, tbl := range tables {
			name := tbl.PhysicalName(ctx)
			if _, err := db.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name}); err != nil {
				t.Error(err)
			}
		}
	})
	s := story{db: db, out: io.Discard, measured: func(int) string { return "" }}
	if err := s.run(ctx, name, true); err != nil {
		t.Fatal(err)
	}
	inUse := new(types.ResourceInUseException)
	if err := s.run(ctx, name, false); !errors.As(err, &inUse) {
		t.Errorf("second run: %v, want %T", err, inUse)
	}
	for _, tbl := range tables {
		if err := query.CheckTable(ctx, db, tbl); err != nil {
			t.Errorf("after a second run: %v", err)
		}
	}
}

// The file is what the story counts on: enough orders, no id twice, and
// several on the last day of the week.
func TestOrders(t *testing.T) {
	orders, err := parse(orderFile)
	if err != nil {
		t.Fatal(err)
	}
	ids, regions, lastDay := map[string]bool{}, map[string]bool{}, 0
	for _, o := range orders {
		ids[o.OrderID] = true
		regions[o.RegionID] = true
		if o.Status == Open && o.RegionID == "eu-west" && o.ScheduledOn == saturday {
			lastDay++
		}
	}
	if len(ids) != len(orders) || len(ids) < 24 {
		t.Errorf("%d orders with %d ids, want at least 24, each with its own", len(orders), len(ids))
	}
	if len(regions) != 2 {
		t.Errorf("regions %v, want two", regions)
	}
	if lastDay < 3 {
		t.Errorf("%d open orders of eu-west on %s, want at least 3", lastDay, saturday)
	}
}
