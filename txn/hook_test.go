package txn_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/singletable-go/singletable/txn"
)

func TestHooks(t *testing.T) {
	l := newLive(t)
	var seen []txn.Event
	var order []string
	hook := func(name string) txn.Hook {
		return func(_ context.Context, e txn.Event) {
			order = append(order, name)
			if name == "client" {
				seen = append(seen, e)
			}
		}
	}
	ctx := txn.WithHook(txn.WithHook(context.Background(), hook("outer")), hook("inner"))
	db := txn.Observe(txn.Observe(l.db, nil), hook("client"))

	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	note := Note{Region: "eu", Topic: "x", ID: "1"}
	if err := txn.Commit(ctx, db, txn.Create(l.orders, &o)); err != nil {
		t.Fatal(err)
	}
	failed := txn.Commit(ctx, db, txn.Create(l.orders, &o), txn.Check(l.note("x", "1")))
	_, err := txn.Modify(ctx, db, l.order("OPEN", "w-1"), func(o *Order) error { o.Status = "DONE"; return nil },
		func(_, _ *Order) []txn.Action { return []txn.Action{txn.Put(l.notes, &note)} })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := txn.Batch(ctx, db, txn.DeleteKey(l.note("x", "1"))); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	if _, err := txn.Modify(ctx, db, l.order("DONE", "w-1"), func(o *Order) error { return boom }); err != boom {
		t.Fatal(err)
	}

	const orders, notes = "REGION#<region> STATUS#<status>#<id>", "REGION#<region> NOTE#<topic>#<id>"
	event := func(op string, err error, actions ...txn.EventAction) txn.Event {
		return txn.Event{Op: op, Actions: actions, Err: err}
	}
	want := []txn.Event{
		event("Commit", nil, txn.EventAction{Op: "create", Entity: "Order", Table: "field-service", Pattern: orders}),
		event("Commit", failed, txn.EventAction{Op: "create", Entity: "Order", Table: "field-service", Pattern: orders},
			txn.EventAction{Op: "check", Entity: "Note", Table: "field-service", Pattern: notes}),
		event("Modify", nil, txn.EventAction{Op: "modify", Entity: "Order", Table: "field-service", Pattern: orders},
			txn.EventAction{Op: "put", Entity: "Note", Table: "field-service", Pattern: notes}),
		event("Batch", nil, txn.EventAction{Op: "delete", Entity: "Note", Table: "field-service", Pattern: notes}),
		event("Modify", boom, txn.EventAction{Op: "modify", Entity: "Order", Table: "field-service", Pattern: orders}),
	}
	if diff := cmp.Diff(want, seen, cmpopts.IgnoreFields(txn.Event{}, "Result", "Elapsed"), cmpopts.EquateErrors()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	for i, units := range []float64{1, 0, 6, 1, 0} {
		if got := seen[i].Result.WriteUnits(); got != units {
			t.Errorf("event %d: %v write units, want %v", i, got, units)
		}
	}
	if diff := cmp.Diff([]string{"outer", "inner", "client"}, order[:3]); diff != "" || len(order) != 15 {
		t.Errorf("hooks called: %v", order)
	}
	if txn.WithHook(ctx, nil) != ctx {
		t.Error("a nil hook changed the context")
	}
}

// A write that a panic ends is told of, and not as one that succeeded.
func TestHookOfPanic(t *testing.T) {
	l := newLive(t)
	l.commit(t, txn.Create(l.notes, &Note{Region: "eu", Topic: "x", ID: "1"}))
	key := l.note("x", "1")
	bad := &recorder{wrote: func() { panic("client") }}
	for name, write := range map[string]func(context.Context){
		"Commit": func(ctx context.Context) { txn.Commit(ctx, bad, txn.DeleteKey(key)) },
		"Batch":  func(ctx context.Context) { txn.Batch(ctx, bad, txn.DeleteKey(key)) },
		"Modify": func(ctx context.Context) { txn.Modify(ctx, l.db, key, func(*Note) error { panic("function") }) },
	} {
		var seen []txn.Event
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the panic is gone", name)
				}
			}()
			write(txn.WithHook(ctx, func(_ context.Context, e txn.Event) { seen = append(seen, e) }))
		}()
		if len(seen) != 1 || seen[0].Op != name || seen[0].Err == nil {
			t.Errorf("%s: events %+v, want one with an error", name, seen)
		}
	}
	l.commit(t, txn.DeleteKey(key)) // the panic left nothing behind
}
