package txn_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/internal/dbtest"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/txn"
)

// Reading has keys that are numbers.
type Reading struct {
	Sensor uint64 `dynamodbav:"-" key:"sensor"`
	At     int64  `dynamodbav:"-" key:"at"`
	Value  int    `dynamodbav:"value"`
}

// Keys that are numbers are written, moved, and told apart like texts.
func TestNumberKeys(t *testing.T) {
	name := dbtest.UniqueName(t)
	table := model.NewTable("readings", model.PrimaryKey("sensor", "at"), model.NumberKey("sensor", "at"),
		model.NameFunc(func(context.Context) string { return name }))
	readings := model.MustDefine[Reading](table, "Reading",
		keys.MustCompile1("<sensor>", keys.Uint(6)), keys.MustCompile1("<at>", keys.Int(12)))
	l := &live{fixture: &fixture{table: table, name: name}, db: dbtest.Client(t)}
	dbtest.Create(t, l.db, table)

	a, b := Reading{Sensor: 7, At: -20, Value: 1}, Reading{Sensor: 7, At: 3, Value: 2}
	l.commit(t, txn.Create(readings, &a), txn.Create(readings, &b))
	wantError(t, txn.Commit(ctx, l.db, txn.Create(readings, &a)), txn.ErrExists)
	wantError(t, txn.Commit(ctx, l.db, txn.Delete(readings, &a), txn.Put(readings, &a)), txn.ErrSameItem)
	key := func(v *Reading) model.Key[Reading] {
		k, err := readings.KeyOf(v)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	l.commit(t, txn.Update(key(&a), txn.Add("value", 1)))
	got, err := txn.Modify(ctx, l.db, key(&a), func(v *Reading) error { v.At = -1000; v.Value *= 10; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Reading{7, -1000, 20}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(got, stored(t, l, key(&got))); diff != "" {
		t.Error(diff)
	}
	if left, err := txn.Batch(ctx, l.db, txn.DeleteKey(key(&b)), txn.Delete(readings, &got)); err != nil || len(left) > 0 || len(l.all(t)) != 0 {
		t.Errorf("left %d, %v, %v", len(left), err, l.all(t))
	}
}
