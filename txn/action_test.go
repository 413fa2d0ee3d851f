package txn_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/txn"
)

var ctx = context.Background()

func TestCreate(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann"}
	l.commit(t, txn.Create(l.orders, &o))
	if o.Version != 1 || !o.Created.Equal(noon) || !o.Updated.Equal(noon) || o.Write == "" {
		t.Errorf("stamps after create: %+v", o)
	}
	if diff := cmp.Diff(o, stored(t, l, l.order("OPEN", "w-1"))); diff != "" {
		t.Errorf("stored differs from the value (-value +stored):\n%s", diff)
	}

	again := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Bob"}
	e := wantError(t, txn.Commit(ctx, l.db, txn.Create(l.orders, &again)), txn.ErrExists)
	if again.Version != 0 || !again.Created.IsZero() || again.Write != "" {
		t.Errorf("a create that failed stamped its value: %+v", again)
	}
	a := e.Actions[0]
	if a.Index != 0 || a.Op != "create" || a.Entity != "Order" || a.Code != txn.CodeConditionFailed || !model.Equal(a.Item["customer"], s("Ann")) {
		t.Errorf("action error: %+v", a)
	}
	if e.InDoubt || e.Attempts != 1 || e.Token != "" {
		t.Errorf("error: %+v", e)
	}
}

// A value that was read, deleted and is created again goes on counting, so that
// a version is never seen twice.
func TestCreateAgain(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	l.commit(t, txn.Create(l.orders, &o))
	l.commit(t, txn.Delete(l.orders, &o))
	l.advance(time.Hour)
	l.commit(t, txn.Create(l.orders, &o))
	if want := noon.Add(time.Hour); o.Version != 2 || !o.Created.Equal(want) {
		t.Errorf("version %d created %v, want 2 and %v", o.Version, o.Created, want)
	}
}

func TestPut(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann"}
	l.commit(t, txn.Put(l.orders, &o)) // version zero: must not exist
	stale := o
	l.advance(time.Minute)
	o.Customer = "Bob"
	l.commit(t, txn.Put(l.orders, &o))
	if o.Version != 2 || !o.Created.Equal(noon) || !o.Updated.Equal(noon.Add(time.Minute)) {
		t.Errorf("stamps after put: %+v", o)
	}
	if diff := cmp.Diff(o, stored(t, l, l.order("OPEN", "w-1"))); diff != "" {
		t.Errorf("(-value +stored):\n%s", diff)
	}

	for _, test := range []struct {
		reason string
		value  Order
		want   error
	}{
		{"the version has gone on", stale, txn.ErrChanged},
		{"version zero is a new item", Order{Region: "eu", Status: "OPEN", ID: "w-1"}, txn.ErrExists},
		{"a version that was deleted", Order{Region: "eu", Status: "OPEN", ID: "w-2", Version: 3}, txn.ErrNotFound},
	} {
		before := test.value
		wantError(t, txn.Commit(ctx, l.db, txn.Put(l.orders, &test.value)), test.want)
		if diff := cmp.Diff(before, test.value); diff != "" {
			t.Errorf("%s: the value was changed:\n%s", test.reason, diff)
		}
	}
}

// Without a version a put replaces what there is.
func TestPutUnversioned(t *testing.T) {
	l := newLive(t)
	a := Note{Region: "eu", Topic: "x", ID: "1", Text: "a"}
	b := Note{Region: "eu", Topic: "x", ID: "1", Text: "b"}
	l.commit(t, txn.Put(l.notes, &a))
	l.commit(t, txn.Put(l.notes, &b))
	if diff := cmp.Diff(b, stored(t, l, l.note("x", "1"))); diff != "" {
		t.Error(diff)
	}
}

func TestOverwrite(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann"}
	l.commit(t, txn.Create(l.orders, &o))
	other := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Bob", Version: 41}
	l.commit(t, txn.Overwrite(l.orders, &other))
	got := stored(t, l, l.order("OPEN", "w-1"))
	if got.Customer != "Bob" || got.Version != 42 || other.Version != 42 {
		t.Errorf("stored %+v, value %+v", got, other)
	}
}

func TestDelete(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	l.commit(t, txn.Create(l.orders, &o))
	stale := o
	stale.Version = 7
	wantError(t, txn.Commit(ctx, l.db, txn.Delete(l.orders, &stale)), txn.ErrChanged)
	unread := o
	unread.Version = 0
	wantError(t, txn.Commit(ctx, l.db, txn.Delete(l.orders, &unread)), txn.ErrChanged)
	l.commit(t, txn.Delete(l.orders, &o))
	wantError(t, txn.Commit(ctx, l.db, txn.Delete(l.orders, &o)), txn.ErrNotFound)
	wantError(t, txn.Commit(ctx, l.db, txn.DeleteKey(l.order("OPEN", "w-1"))), txn.ErrNotFound)
	if items := l.all(t); len(items) != 0 {
		t.Errorf("left over: %v", items)
	}

	l.commit(t, txn.Create(l.orders, &o))
	l.commit(t, txn.DeleteKey(l.order("OPEN", "w-1"))) // whatever the version
	note := Note{Region: "eu", Topic: "x", ID: "1"}
	l.commit(t, txn.Put(l.notes, &note))
	l.commit(t, txn.Delete(l.notes, &note))
	wantError(t, txn.Commit(ctx, l.db, txn.Delete(l.notes, &note)), txn.ErrNotFound)
}

// An item that was stored before its type had a version counts as version zero.
func TestStoredWithoutVersion(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann"}
	item, err := l.orders.Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	l.putRaw(t, with(item, "version", nil))

	got, err := txn.Modify(ctx, l.db, l.order("OPEN", "w-1"), func(o *Order) error { o.Visits++; return nil })
	if err != nil || got.Version != 1 {
		t.Fatalf("modify: version %d, %v", got.Version, err)
	}

	l.putRaw(t, with(item, "version", nil))
	after := o
	after.Status = "DONE"
	l.commit(t, txn.Move(l.orders, &o, &after))
	if after.Version != 1 {
		t.Errorf("moved: version %d", after.Version)
	}

	l.putRaw(t, item) // with version 0
	l.commit(t, txn.Delete(l.orders, &o))
}

func TestCheck(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann"}
	key, missing := l.order("OPEN", "w-1"), l.order("OPEN", "w-2")
	l.commit(t, txn.Create(l.orders, &o))
	isAnn := expression.Name("customer").Equal(expression.Value("Ann"))

	l.commit(t, txn.Check(key))
	l.commit(t, txn.Check(key, isAnn))
	l.commit(t, txn.CheckAbsent(missing))
	e := wantError(t, txn.Commit(ctx, l.db, txn.Check(key, expression.Not(isAnn))), txn.ErrCondition)
	if e.Token == "" {
		t.Error("a lone check has no plain form, it must be a transaction")
	}
	wantError(t, txn.Commit(ctx, l.db, txn.Check(missing, isAnn)), txn.ErrNotFound)
	wantError(t, txn.Commit(ctx, l.db, txn.CheckAbsent(key)), txn.ErrExists)

	// In a commit, the check keeps the others from being applied.
	p := Order{Region: "eu", Status: "OPEN", ID: "w-3"}
	e = wantError(t, txn.Commit(ctx, l.db, txn.Create(l.orders, &p), txn.Check(missing)), txn.ErrNotFound)
	if len(e.Actions) != 1 || e.Actions[0].Index != 1 || e.Actions[0].Op != "check" {
		t.Errorf("action errors: %v", e)
	}
	if p.Version != 0 {
		t.Error("a create that was not applied stamped its value")
	}
}

// Every action takes conditions of the caller's, beside its own, and tells the
// one from the other.
func TestIf(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann", Visits: 3}
	l.commit(t, txn.Create(l.orders, &o))
	key := l.order("OPEN", "w-1")
	busy := expression.Or(
		expression.Name("visits").GreaterThan(expression.Value(10)),
		expression.Name("customer").Equal(expression.Value("Zoe")))
	note := Note{Region: "eu", Topic: "x", ID: "1"}
	l.commit(t, txn.Put(l.notes, &note))
	moved := o
	moved.Status = "DONE"
	for _, test := range []struct {
		reason string
		action txn.Action
	}{
		{"put", txn.Put(l.orders, &o)},
		{"overwrite", txn.Overwrite(l.orders, &o)},
		{"update", txn.Update(key, txn.Set("visits", 4))},
		{"delete", txn.Delete(l.orders, &o)},
		{"delete by key", txn.DeleteKey(key)},
		{"move", txn.Move(l.orders, &o, &moved)},
		{"put without a version", txn.Put(l.notes, &note)},
		{"create of what the condition cannot hold of", txn.Create(l.notes, &Note{Region: "eu", Topic: "x", ID: "9"})},
	} {
		before := l.all(t)
		wantError(t, txn.Commit(ctx, l.db, test.action.If(busy)), txn.ErrCondition)
		wantError(t, txn.Commit(ctx, l.db, test.action.If(expression.Not(busy)).If(busy)), txn.ErrCondition)
		if diff := cmp.Diff(before, l.all(t), sameItem); diff != "" {
			t.Errorf("%s: the table changed:\n%s", test.reason, diff)
		}
	}
	l.commit(t, txn.Update(key, txn.Set("visits", 4)).If(expression.Not(busy)))
	// What the action itself demands comes first.
	wantError(t, txn.Commit(ctx, l.db, txn.Put(l.orders, &o).If(busy)), txn.ErrChanged)
}

// If does not change the action that it was called on.
func TestIfBranches(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Visits: 1}
	l.commit(t, txn.Create(l.orders, &o))
	visits := func(n int) expression.ConditionBuilder {
		return expression.Name("visits").Equal(expression.Value(n))
	}
	base := txn.Update(l.order("OPEN", "w-1"), txn.Set("customer", "Kim")).If(visits(1))
	no, yes := base.If(visits(2)), base.If(visits(1))
	wantError(t, txn.Commit(ctx, l.db, no), txn.ErrCondition)
	l.commit(t, yes)
	l.commit(t, base)
}

// Expired means absent, in every condition.
func TestExpired(t *testing.T) {
	l := newLive(t)
	past := noon.Add(-time.Hour)
	lease := func() *Lease { return &Lease{Region: "eu", ID: "a", Owner: "old", Until: past} }
	job := func() *Job { return &Job{Region: "eu", ID: "a", State: "old", Until: past} }
	store := func() {
		l.commit(t, txn.Overwrite(l.leases, lease()))
		l.commit(t, txn.Overwrite(l.jobs, job()))
	}
	v1 := lease()
	v1.Version = 1
	moved := *v1
	moved.ID = "b"
	other := *job()
	other.ID = "b"
	for _, test := range []struct {
		reason string
		action txn.Action
		want   error
	}{
		{"put of a version", txn.Put(l.leases, v1), txn.ErrNotFound},
		{"move of a version", txn.Move(l.leases, v1, &moved), txn.ErrNotFound},
		{"move without a version", txn.Move(l.jobs, job(), &other), txn.ErrNotFound},
		{"move to the same key", txn.Move(l.jobs, job(), job()), txn.ErrNotFound},
		{"update", txn.Update(l.lease("a"), txn.Set("owner", "new")), txn.ErrNotFound},
		{"update of a ttl", txn.Update(l.job("a"), txn.Set("until", noon.Add(time.Hour))), txn.ErrNotFound},
		{"delete of a version", txn.Delete(l.leases, v1), txn.ErrNotFound},
		{"delete without a version", txn.Delete(l.jobs, job()), txn.ErrNotFound},
		{"delete by key", txn.DeleteKey(l.job("a")), txn.ErrNotFound},
		{"check", txn.Check(l.job("a")), txn.ErrNotFound},
		{"check of absence", txn.CheckAbsent(l.job("a")), nil},
		{"create", txn.Create(l.leases, &Lease{Region: "eu", ID: "a", Owner: "new", Until: noon.Add(time.Hour)}), nil},
		{"create without a version", txn.Create(l.jobs, &Job{Region: "eu", ID: "a", Until: noon.Add(time.Hour)}), nil},
		{"put of a new value", txn.Put(l.leases, &Lease{Region: "eu", ID: "a", Owner: "new", Until: noon.Add(time.Hour)}), nil},
	} {
		t.Run(test.reason, func(t *testing.T) {
			store()
			err := txn.Commit(ctx, l.db, test.action)
			if test.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if e := wantError(t, err, test.want); e.Actions[0].Item == nil {
				t.Error("the expired item is not in the error")
			}
		})
	}

	store()
	if _, err := txn.Modify(ctx, l.db, l.lease("a"), func(*Lease) error { t.Error("called on an expired item"); return nil }); err == nil {
		t.Error("modify of an expired item succeeded")
	} else {
		wantError(t, err, txn.ErrNotFound)
	}

	// Moving onto an expired item.
	l.commit(t, txn.Overwrite(l.jobs, &Job{Region: "eu", ID: "c", State: "live", Until: noon.Add(time.Hour)}))
	from, to := Job{Region: "eu", ID: "c", State: "live", Until: noon.Add(time.Hour)}, Job{Region: "eu", ID: "a", State: "live", Until: noon.Add(time.Hour)}
	l.commit(t, txn.Move(l.jobs, &from, &to))

	// The second that the ttl names is over when it begins.
	edge := Job{Region: "eu", ID: "e", Until: noon}
	l.commit(t, txn.Overwrite(l.jobs, &edge))
	wantError(t, txn.Commit(ctx, l.db, txn.Check(l.job("e"))), txn.ErrNotFound)
	edge.Until = noon.Add(time.Second)
	l.commit(t, txn.Overwrite(l.jobs, &edge))
	l.commit(t, txn.Check(l.job("e")))
}

func TestRefusals(t *testing.T) {
	f := newFixture(t, "t")
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	bad := Order{Region: "eu", Status: "OPEN"}
	many := make([]txn.Action, 101)
	for i := range many {
		many[i] = txn.Create(f.orders, &Order{Region: "eu", Status: "OPEN", ID: strings.Repeat("x", i+1)})
	}
	big := make([]txn.Action, 15)
	for i := range big {
		big[i] = txn.Create(f.orders, &Order{Region: "eu", Status: "OPEN", ID: strings.Repeat("x", i+1), Customer: strings.Repeat("c", 300<<10)})
	}
	key := f.order("OPEN", "w-1")
	zero := model.Key[Order]{}
	for _, test := range []struct {
		reason  string
		actions []txn.Action
		want    error
		index   int
	}{
		{"zero action", []txn.Action{{}}, txn.ErrInvalid, 0},
		{"zero action with a condition", []txn.Action{txn.Action{}.If(expression.AttributeExists(expression.Name("a")))}, txn.ErrInvalid, 0},
		{"nil value", []txn.Action{txn.Create[Order](f.orders, nil)}, txn.ErrInvalid, 0},
		{"nil value to delete", []txn.Action{txn.Delete[Order](f.orders, nil)}, txn.ErrInvalid, 0},
		{"nil source", []txn.Action{txn.Move(f.orders, nil, &o)}, txn.ErrInvalid, 0},
		{"nil target", []txn.Action{txn.Move(f.orders, &o, nil)}, txn.ErrInvalid, 0},
		{"nil entity", []txn.Action{txn.Put(nil, &o)}, txn.ErrInvalid, 0},
		{"zero key", []txn.Action{txn.DeleteKey(zero)}, model.ErrZero, 0},
		{"zero key to check", []txn.Action{txn.Check(zero)}, model.ErrZero, 0},
		{"zero key to update", []txn.Action{txn.Update(zero, txn.Set("a", 1))}, model.ErrZero, 0},
		{"a part is missing", []txn.Action{txn.Create(f.orders, &o), txn.Create(f.orders, &bad)}, nil, 1},
		{"a condition of nothing", []txn.Action{txn.DeleteKey(key).If(expression.ConditionBuilder{})}, txn.ErrInvalid, 0},
		{"a condition on what is no UTF-8", []txn.Action{txn.DeleteKey(key).If(expression.Name("a").Equal(expression.Value([]any{map[string]string{"\xff": ""}})))}, keys.ErrUTF8, 0},
		{"a condition on a name that is no UTF-8", []txn.Action{txn.Check(key, expression.AttributeExists(expression.Name("\xff")))}, keys.ErrUTF8, 0},
		{"a condition on what cannot be stored", []txn.Action{txn.Check(key, expression.Name("a").Equal(expression.Value(func() {})))}, txn.ErrInvalid, 0},
		{"an update of nothing", []txn.Action{txn.Update(key)}, txn.ErrInvalid, 0},
		{"one item twice", []txn.Action{txn.Create(f.orders, &o), txn.Check(key)}, txn.ErrSameItem, 1},
		{"over a hundred", many, txn.ErrTooMany, -1},
		{"over 4 MB", big, txn.ErrTooLarge, -1},
		{"an item over 400 KB", []txn.Action{txn.Put(f.orders, &Order{Region: "eu", Status: "OPEN", ID: "w", Customer: strings.Repeat("x", 400<<10)})}, txn.ErrTooLarge, 0},
	} {
		t.Run(test.reason, func(t *testing.T) {
			db := &recorder{}
			e := wantError(t, txn.Commit(ctx, db, test.actions...))
			if test.want != nil {
				wantError(t, e, test.want)
			}
			if test.index >= 0 && (len(e.Actions) != 1 || e.Actions[0].Index != test.index) {
				t.Errorf("action errors %v, want one of action %d", e.Actions, test.index)
			}
			if len(db.inputs) > 0 || e.Attempts != 0 {
				t.Errorf("something was sent: %v", db.inputs)
			}
			if txn.SafeToRetry(e) {
				t.Error("safe to retry")
			}
		})
	}
	for _, none := range []txn.Client{nil, (*dynamodb.Client)(nil), txn.Observe(nil, func(context.Context, txn.Event) {})} {
		wantError(t, txn.Commit(ctx, none, txn.Create(f.orders, &o)), txn.ErrInvalid)
	}
	if err := txn.Commit(ctx, &recorder{}); err != nil {
		t.Errorf("no actions: %v", err)
	}
}

// Every action that cannot be sent is named, not only the first.
func TestAllRefusals(t *testing.T) {
	f := newFixture(t, "t")
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	e := wantError(t, txn.Commit(ctx, &recorder{}, txn.Create[Order](f.orders, nil), txn.Create(f.orders, &o), txn.Update(f.order("OPEN", "w-1")), txn.Delete(f.orders, &o)))
	var got []int
	for _, a := range e.Actions {
		got = append(got, a.Index)
	}
	if diff := cmp.Diff([]int{0, 2, 3}, got); diff != "" {
		t.Errorf("refused actions:\n%s\n%v", diff, e)
	}
}

// A hundred actions are taken, and a move counts as two of them.
func TestHundred(t *testing.T) {
	l := newLive(t)
	var creates, moves []txn.Action
	for i := range 100 {
		id := strings.Repeat("x", i+1)
		creates = append(creates, txn.Create(l.orders, &Order{Region: "eu", Status: "OPEN", ID: id}))
	}
	l.commit(t, creates...)
	for i := range 51 {
		before := stored(t, l, l.order("OPEN", strings.Repeat("x", i+1)))
		after := before
		after.Status = "DONE"
		moves = append(moves, txn.Move(l.orders, &before, &after))
	}
	wantError(t, txn.Commit(ctx, l.db, moves...), txn.ErrTooMany)
	l.commit(t, moves[:50]...)
	if got := len(l.all(t)); got != 100 {
		t.Errorf("%d items, want 100", got)
	}
}

// The physical table is part of what an item is.
func TestSameKeyInTwoTables(t *testing.T) {
	a, b := newFixture(t, "a"), newFixture(t, "b")
	o, p := Order{Region: "eu", Status: "OPEN", ID: "1"}, Order{Region: "eu", Status: "OPEN", ID: "1"}
	db := &recorder{}
	if err := txn.Commit(ctx, db, txn.Create(a.orders, &o), txn.Create(b.orders, &p)); err != nil {
		t.Error(err)
	}
	c := newFixture(t, "a") // another declaration of one table
	wantError(t, txn.Commit(ctx, db, txn.Create(a.orders, &o), txn.DeleteKey(c.order("OPEN", "1"))), txn.ErrSameItem)
}

// In one partition, pk and sk do not run into each other.
func TestErrorTexts(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	l.commit(t, txn.Create(l.orders, &o))
	err := txn.Commit(ctx, l.db, txn.Create(l.orders, &Order{Region: "eu", Status: "OPEN", ID: "w-1"}))
	const want = `txn: action 0 (create Order pk="REGION#eu" sk="STATUS#OPEN#w-1"): item exists already`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// cond is a condition that an attribute has a text.
func cond(name, value string) expression.ConditionBuilder {
	return expression.Name(name).Equal(expression.Value(value))
}

// A version that its field cannot hold is refused, rather than beginning anew.
func TestLastVersion(t *testing.T) {
	type Small struct {
		Region  string `dynamodbav:"-" key:"region"`
		ID      string `dynamodbav:"-" key:"id"`
		N       int    `dynamodbav:"n"`
		Version int8   `dynamodbav:"version" model:"version"`
	}
	l := newLive(t)
	smalls := model.MustDefine[Small](l.table, "Small", regionKey, openKey)
	v := Small{Region: "eu", ID: "1", Version: 126}
	l.commit(t, txn.Overwrite(smalls, &v))
	if v.Version != 127 {
		t.Fatalf("version %d, want the last", v.Version)
	}
	key, err := smalls.KeyOf(&v)
	if err != nil {
		t.Fatal(err)
	}
	to := Small{Region: "eu", ID: "2"}
	_, modified := txn.Modify(ctx, l.db, key, func(v *Small) error { v.N++; return nil })
	lease := Lease{Region: "eu", ID: "a", Version: math.MaxInt64}
	for name, err := range map[string]error{
		"put":       txn.Commit(ctx, l.db, txn.Put(smalls, &v)),
		"overwrite": txn.Commit(ctx, l.db, txn.Overwrite(smalls, &v)),
		"move":      txn.Commit(ctx, l.db, txn.Move(smalls, &v, &to)),
		"modify":    modified,
		"64 bits":   txn.Commit(ctx, l.db, txn.Overwrite(l.leases, &lease)),
	} {
		wantError(t, err, txn.ErrInvalid)
		if attr := new(txn.AttributeError); !errors.As(err, &attr) || attr.Attribute != "version" {
			t.Errorf("%s: %v names no attribute", name, err)
		}
	}
	if got := stored(t, l, key); v.Version != 127 || got.Version != 127 || len(l.all(t)) != 1 {
		t.Errorf("version %d, stored %+v", v.Version, got)
	}
	// Nothing but another version is in the way.
	if _, err := txn.Modify(ctx, l.db, key, func(*Small) error { return nil }); err != nil {
		t.Error(err)
	}
	l.commit(t, txn.Delete(smalls, &v))
}
