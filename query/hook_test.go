package query_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

func TestHooks(t *testing.T) {
	var events []query.Event
	ctx := query.WithHook(t.Context(), func(_ context.Context, e query.Event) { events = append(events, e) })
	db := newFake(t, Service, items(t, order(1, "a"), note(order(1, "a"), 1))...)
	january := open.Where(Order.At(Open).Between(day(1, 1), day(1, 31)))
	one := query.Stats{Requests: 1, Evaluated: 2, Returned: 1, Skipped: 1, Capacity: 1, TableCapacity: 1}
	const keyPattern = "REGION#<regionId> STATUS#<status>#<scheduledOn>#<orderId>"
	for _, tt := range []struct {
		name string
		read func()
		want query.Event
	}{
		{"All", func() {
			for range january.All(ctx, db) {
			}
		}, query.Event{Op: "All", Table: "field-service", Entity: "WorkOrder", Pattern: keyPattern + " BETWEEN", Stats: one}},
		{"Collect", func() { query.Of(Orders, eu).Collect(ctx, db) }, query.Event{Op: "Collect", Table: "field-service", Entity: "WorkOrder", Pattern: "REGION#<regionId>", Stats: one}},
		{"left", func() {
			for range january.All(ctx, db) {
				break
			}
		}, query.Event{Op: "All", Table: "field-service", Entity: "WorkOrder", Pattern: keyPattern + " BETWEEN", Stats: query.Stats{Requests: 1, Evaluated: 2, Returned: 1, Capacity: 1, TableCapacity: 1}}},
		{"Page", func() { open.Page(ctx, db, "") }, query.Event{Op: "Page", Table: "field-service", Entity: "WorkOrder", Pattern: keyPattern + " begins_with", Stats: one}},
		{"bad cursor", func() { open.Page(ctx, db, "?") }, query.Event{Op: "Page", Table: "field-service", Entity: "WorkOrder", Pattern: keyPattern + " begins_with", Err: query.ErrBadCursor}},
		{"Get", func() { query.Get(ctx, db, orderKey(1, "a")) }, query.Event{Op: "Get", Table: "field-service", Entity: "WorkOrder", Pattern: keyPattern + " =", Stats: query.Stats{Requests: 1, Evaluated: 1, Returned: 1, Capacity: 0.5, TableCapacity: 0.5}}},
		{"Get nothing", func() { query.Get(ctx, db, orderKey(9, "a")) }, query.Event{Op: "Get", Table: "field-service", Entity: "WorkOrder", Pattern: keyPattern + " =", Stats: query.Stats{Requests: 1, Capacity: 0.5, TableCapacity: 0.5}, Err: query.ErrNotFound}},
		{"GetMany", func() { query.GetMany(ctx, db, []model.Key[WorkOrder]{orderKey(1, "a")}) }, query.Event{Op: "GetMany", Table: "field-service", Entity: "WorkOrder", Pattern: keyPattern + " =", Stats: query.Stats{Requests: 1, Evaluated: 1, Returned: 1, Capacity: 0.5, TableCapacity: 0.5}}},
		{"Scan", func() { query.Scan(Orders).Count(ctx, db) }, query.Event{Op: "Scan", Table: "field-service", Entity: "WorkOrder", Stats: query.Stats{Requests: 1, Evaluated: 2, Returned: 1, Skipped: 1, Capacity: 0.5, TableCapacity: 0.5}}},
		{"zero", func() { query.Query[WorkOrder]{}.Collect(ctx, db) }, query.Event{Op: "Collect", Err: query.ErrZero}},
		{"zero key", func() { query.Get(ctx, db, model.Key[WorkOrder]{}) }, query.Event{Op: "Get", Err: query.ErrZero}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			events = nil
			tt.read()
			if len(events) != 1 {
				t.Fatalf("%d events, want one", len(events))
			}
			if diff := cmp.Diff(tt.want, events[0], cmpopts.IgnoreFields(query.Event{}, "Elapsed", "Err")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !errors.Is(events[0].Err, tt.want.Err) || (tt.want.Err == nil) != (events[0].Err == nil) {
				t.Errorf("error %v, want %v", events[0].Err, tt.want.Err)
			}
			if events[0].Elapsed < 0 {
				t.Errorf("took %v", events[0].Elapsed)
			}
		})
	}
}

// Hooks of the context and of the client are all called, the outer ones first.
func TestHookOrder(t *testing.T) {
	var calls string
	hook := func(name string) query.Hook {
		return func(context.Context, query.Event) { calls += name }
	}
	ctx := query.WithHook(query.WithHook(query.WithHook(t.Context(), nil), hook("a")), hook("b"))
	var db query.Client = newFake(t, Service)
	db = query.Observe(query.Observe(query.Observe(db, hook("c")), nil), hook("d"))
	if _, err := open.Collect(ctx, db); err != nil || calls != "abcd" {
		t.Errorf("called %q, %v, want abcd", calls, err)
	}
	calls = ""
	branch := query.WithHook(ctx, hook("x"))
	query.WithHook(ctx, hook("y"))
	if _, err := open.Collect(branch, db); err != nil || calls != "abxcd" {
		t.Errorf("called %q, %v, want abxcd", calls, err)
	}
	if got := query.Observe(nil, hook("c")); got != nil {
		t.Errorf("Observe(nil) = %v", got)
	}
}
