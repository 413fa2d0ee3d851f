package txn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/txn"
)

func TestMove(t *testing.T) {
	open := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann", Visits: 2}
	for _, test := range []struct {
		name   string
		reason string
		// stored is created before the move; its stamps are those of before.
		stored []Order
		// raw is done to the table then, behind the move's back.
		raw    func(l *live)
		before Order
		edit   func(*Order)
		want   error
		found  bool // an item is in the error
		keys   []string
	}{
		{
			name: "normal", reason: "the status is part of the key",
			stored: []Order{open}, before: open,
			edit: func(o *Order) { o.Status = "DONE"; o.Visits = 3 },
			keys: []string{"STATUS#DONE#w-1"},
		},
		{
			name: "same key", reason: "an item whose key does not change is one conditional put",
			stored: []Order{open}, before: open,
			edit: func(o *Order) { o.Visits = 3 },
			keys: []string{"STATUS#OPEN#w-1"},
		},
		{
			name: "same key, missing source", reason: "the put is conditional",
			before: open, edit: func(o *Order) { o.Visits = 3 },
			want: txn.ErrNotFound,
		},
		{
			name: "missing source", reason: "there is nothing to move",
			before: open, edit: func(o *Order) { o.Status = "DONE" },
			want: txn.ErrNotFound,
		},
		{
			name: "existing target", reason: "a move never replaces another item",
			stored: []Order{open, {Region: "eu", Status: "DONE", ID: "w-1"}}, before: open,
			edit: func(o *Order) { o.Status = "DONE" },
			want: txn.ErrExists, found: true,
			keys: []string{"STATUS#DONE#w-1", "STATUS#OPEN#w-1"},
		},
		{
			name: "changed source", reason: "what another writer did would be lost",
			stored: []Order{open}, before: open,
			raw:  func(l *live) { l.commit(t, txn.Update(l.order("OPEN", "w-1"), txn.Add("visits", 1))) },
			edit: func(o *Order) { o.Status = "DONE" },
			want: txn.ErrChanged, found: true,
			keys: []string{"STATUS#OPEN#w-1"},
		},
		{
			name: "changed source, same key", reason: "what another writer did would be lost",
			stored: []Order{open}, before: open,
			raw:  func(l *live) { l.commit(t, txn.Update(l.order("OPEN", "w-1"), txn.Add("visits", 1))) },
			edit: func(o *Order) { o.Visits = 9 },
			want: txn.ErrChanged, found: true,
			keys: []string{"STATUS#OPEN#w-1"},
		},
		{
			name: "other partition", reason: "a transaction spans partitions",
			stored: []Order{open}, before: open,
			edit: func(o *Order) { o.Region = "us" },
			keys: []string{"STATUS#OPEN#w-1"},
		},
		{
			name: "wrong entity", reason: "the item at the key carries another type tag",
			stored: []Order{open}, before: open,
			raw: func(l *live) {
				key := l.order("OPEN", "w-1").Item()
				l.putRaw(t, with(l.raw(t, key), "_type", s("Invoice")))
			},
			edit: func(o *Order) { o.Status = "DONE" },
			want: txn.ErrWrongEntity, found: true,
			keys: []string{"STATUS#OPEN#w-1"},
		},
		{
			name: "missing part", reason: "an empty status makes no key",
			stored: []Order{open}, before: open,
			edit: func(o *Order) { o.Status = "" },
			want: keys.ErrEmpty,
			keys: []string{"STATUS#OPEN#w-1"},
		},
		{
			name: "over 400 KB", reason: "the new item is too large",
			stored: []Order{open}, before: open,
			edit: func(o *Order) { o.Status = "DONE"; o.Customer = strings.Repeat("x", 400<<10) },
			want: txn.ErrTooLarge,
			keys: []string{"STATUS#OPEN#w-1"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLive(t)
			before := test.before
			for i := range test.stored {
				o := test.stored[i]
				l.commit(t, txn.Create(l.orders, &o))
				if o.ID == before.ID && o.Status == before.Status {
					before = o
				}
			}
			if before.Version == 0 {
				before.Version = 1 // it was there once
			}
			if test.raw != nil {
				test.raw(l)
			}
			after := before
			test.edit(&after)
			wasBefore, wasAfter := before, after

			err := txn.Commit(ctx, l.db, txn.Move(l.orders, &before, &after))
			if diff := cmp.Diff(wasBefore, before); diff != "" {
				t.Errorf("before was changed:\n%s", diff)
			}
			if test.want == nil {
				if err != nil {
					t.Fatal(err)
				}
				if after.Version != before.Version+1 || !after.Created.Equal(before.Created) || after.Write == before.Write {
					t.Errorf("stamps: before %+v, after %+v", before, after)
				}
				key, _ := l.orders.KeyOf(&after)
				if diff := cmp.Diff(after, stored(t, l, key)); diff != "" {
					t.Errorf("stored differs from after (-after +stored):\n%s", diff)
				}
			} else {
				e := wantError(t, err, test.want)
				if got := e.Actions[0].Item != nil; got != test.found {
					t.Errorf("the error shows the item found: %v, want %v", got, test.found)
				}
				if diff := cmp.Diff(wasAfter, after); diff != "" {
					t.Errorf("a move that failed stamped its value:\n%s", diff)
				}
			}
			var keys []string
			for _, item := range l.all(t) {
				key, _ := l.orders.KeyOfItem(item)
				keys = append(keys, key.Sort().String())
			}
			if diff := cmp.Diff(test.keys, keys); diff != "" {
				t.Errorf("%s: keys afterwards (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

// Twice in one commit: two moves of one item, a move and a change of its source,
// a move and a write of its target.
func TestMoveTwice(t *testing.T) {
	f := newFixture(t, "t")
	open := Order{Region: "eu", Status: "OPEN", ID: "w-1", Version: 1}
	done, held := open, open
	done.Status, held.Status = "DONE", "HELD"
	for _, test := range []struct {
		reason string
		second txn.Action
	}{
		{"to two places", txn.Move(f.orders, &open, &held)},
		{"its source updated", txn.Update(f.order("OPEN", "w-1"), txn.Set("visits", 1))},
		{"its source checked", txn.Check(f.order("OPEN", "w-1"))},
		{"its target created", txn.Create(f.orders, &done)},
		{"back again", txn.Move(f.orders, &done, &open)},
	} {
		db := &recorder{}
		e := wantError(t, txn.Commit(ctx, db, txn.Move(f.orders, &open, &done), test.second), txn.ErrSameItem)
		if e.Actions[0].Index != 1 || len(db.inputs) > 0 {
			t.Errorf("%s: %v, sent %v", test.reason, e, db.inputs)
		}
	}
}

// What is sent: one conditional put for one key, a put and a delete for two.
func TestMoveRequests(t *testing.T) {
	f := newFixture(t, "t")
	open := Order{Region: "eu", Status: "OPEN", ID: "w-1", Version: 1}
	same, done := open, open
	done.Status = "DONE"
	for _, test := range []struct {
		after *Order
		want  string
	}{
		{&same, "*dynamodb.PutItemInput"},
		{&done, "*dynamodb.TransactWriteItemsInput"},
	} {
		db := &recorder{}
		if err := txn.Commit(ctx, db, txn.Move(f.orders, &open, test.after)); err != nil {
			t.Fatal(err)
		}
		if len(db.inputs) != 1 || fmt.Sprintf("%T", db.inputs[0]) != test.want {
			t.Errorf("sent %v, want one %s", db.inputs, test.want)
		}
		if tx, ok := db.inputs[0].(*dynamodb.TransactWriteItemsInput); ok {
			if n := len(tx.TransactItems); n != 2 || tx.TransactItems[0].Put == nil || tx.TransactItems[1].Delete == nil {
				t.Errorf("a move to another key is a put and a delete, got %d actions", n)
			}
		}
	}
	// Before and after may be one value.
	if err := txn.Commit(ctx, &recorder{}, txn.Move(f.orders, &open, &open)); err != nil || open.Version != 2 {
		t.Errorf("version %d, %v", open.Version, err)
	}
}

// Without a version, every attribute of before must be as it is stored, and what
// the type can store and before has not must not have come to be.
func TestMoveUnversioned(t *testing.T) {
	note := Note{Region: "eu", Topic: "x", ID: "1", Text: "a", Count: 1, Labels: map[string]int{"k": 1}}
	plain := Note{Region: "eu", Topic: "x", ID: "1", Text: "a"}
	for _, test := range []struct {
		reason string
		before Note
		raw    func(model.Item) model.Item
		want   error
	}{
		{"unchanged", note, func(i model.Item) model.Item { return i }, nil},
		{"a number in another notation is the same", note, func(i model.Item) model.Item { return with(i, "count", n("1.0")) }, nil},
		{"an attribute that the type does not know is not compared", note, func(i model.Item) model.Item { return with(i, "extra", s("x")) }, nil},
		{"an attribute has changed", note, func(i model.Item) model.Item { return with(i, "text", s("b")) }, txn.ErrChanged},
		{"a nested value has changed", note, func(i model.Item) model.Item { return with(i, "labels", m("k", n("2"))) }, txn.ErrChanged},
		{"an attribute is gone", note, func(i model.Item) model.Item { return with(i, "labels", nil) }, txn.ErrChanged},
		{"an attribute has come to be", plain, func(i model.Item) model.Item { return with(i, "labels", m("k", n("1"))) }, txn.ErrChanged},
	} {
		t.Run(test.reason, func(t *testing.T) {
			l := newLive(t)
			item, err := l.notes.Marshal(&test.before)
			if err != nil {
				t.Fatal(err)
			}
			l.putRaw(t, test.raw(item))
			after := test.before
			after.Topic = "y"
			err = txn.Commit(ctx, l.db, txn.Move(l.notes, &test.before, &after))
			if test.want != nil {
				wantError(t, err, test.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(after, stored(t, l, l.note("y", "1"))); diff != "" {
				t.Error(diff)
			}
			if n := len(l.all(t)); n != 1 {
				t.Errorf("%d items, want 1", n)
			}
		})
	}
}

// Moves in one commit with others come or go with them, and the error tells the
// caller's index, not that of the service's action.
func TestMoveAmongOthers(t *testing.T) {
	l := newLive(t)
	a, b := Order{Region: "eu", Status: "OPEN", ID: "a"}, Order{Region: "eu", Status: "OPEN", ID: "b"}
	l.commit(t, txn.Create(l.orders, &a), txn.Create(l.orders, &b))
	doneA, doneB := a, b
	doneA.Status, doneB.Status = "DONE", "DONE"
	stale := b
	stale.Version = 9
	e := wantError(t, txn.Commit(ctx, l.db,
		txn.Move(l.orders, &a, &doneA),
		txn.Create(l.orders, &Order{Region: "eu", Status: "OPEN", ID: "c"}),
		txn.Move(l.orders, &stale, &doneB)), txn.ErrChanged)
	if len(e.Actions) != 1 || e.Actions[0].Index != 2 || e.Actions[0].Op != "move" ||
		!model.Equal(e.Actions[0].Key["sk"], s("STATUS#OPEN#b")) {
		t.Errorf("error: %v", e)
	}
	if doneA.Version != a.Version || len(l.all(t)) != 2 {
		t.Error("part of the commit was applied")
	}
	l.commit(t, txn.Move(l.orders, &a, &doneA), txn.Move(l.orders, &b, &doneB))
	if doneA.Version != 2 || doneB.Version != 2 || len(l.all(t)) != 2 {
		t.Errorf("after: %+v %+v", doneA, doneB)
	}
}

// A move costs what two writes in a transaction do: four units for a small item.
func TestMoveCapacity(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "a"}
	l.commit(t, txn.Create(l.orders, &o))
	done := o
	done.Status = "DONE"
	res, err := txn.Options{}.Commit(ctx, l.db, txn.Move(l.orders, &o, &done))
	if err != nil {
		t.Fatal(err)
	}
	if res.WriteUnits() != 4 || res.Attempts != 1 || res.Token == "" {
		t.Errorf("result %+v of %v units, want 4", res, res.WriteUnits())
	}
}
