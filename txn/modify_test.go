package txn_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/txn"
)

// noWait makes retries and races immediate.
func noWait(int) time.Duration { return 0 }

func TestModify(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann", Address: &Address{City: "Rome"}}
	l.commit(t, txn.Create(l.orders, &o))
	l.advance(time.Minute)
	got, res, err := txn.ModifyWith(ctx, l.db, txn.Options{}, l.order("OPEN", "w-1"), func(o *Order) error {
		o.Visits++
		o.Address.City = "Oslo"
		o.Version, o.Created, o.Write = 99, time.Time{}, "mine" // of no effect
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Version != 2 || !got.Created.Equal(noon) || !got.Updated.Equal(noon.Add(time.Minute)) || got.Visits != 1 {
		t.Errorf("returned %+v", got)
	}
	if diff := cmp.Diff(got, stored(t, l, l.order("OPEN", "w-1"))); diff != "" {
		t.Errorf("(-returned +stored):\n%s", diff)
	}
	if res.WriteUnits() != 1 || res.ReadUnits() != 1 || res.Token != "" || res.Attempts != 1 {
		t.Errorf("an update in place costs one read and one write: %+v", res)
	}
}

// Where fn changes the key the raw item is moved: nothing that the type does not
// know stays behind.
func TestModifyMoves(t *testing.T) {
	for _, versioned := range []bool{true, false} {
		t.Run(fmt.Sprintf("versioned=%v", versioned), func(t *testing.T) {
			l := newLive(t)
			var item, want model.Item
			var err error
			if versioned {
				o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Visits: 1, Version: 3, Created: noon, Updated: noon, Write: "w"}
				item, err = l.orders.Marshal(&o)
				item = with(item, "visits", n("1.000"))
			} else {
				item, err = l.notes.Marshal(&Note{Region: "eu", Topic: "OPEN", ID: "w-1", Count: 1})
				item = with(item, "count", n("1.000"))
			}
			if err != nil {
				t.Fatal(err)
			}
			item = with(with(item, "x", m("y", n("0.10"))), "blob", &types.AttributeValueMemberB{Value: []byte{0, 1}})
			l.putRaw(t, item)
			if versioned {
				got, err := txn.Modify(ctx, l.db, l.order("OPEN", "w-1"), func(o *Order) error { o.Status = "DONE"; return nil })
				if err != nil {
					t.Fatal(err)
				}
				want = with(with(with(item, "sk", s("STATUS#DONE#w-1")), "version", n("4")), "write", s(got.Write))
			} else {
				if _, err := txn.Modify(ctx, l.db, l.note("OPEN", "w-1"), func(o *Note) error { o.Topic = "DONE"; return nil }); err != nil {
					t.Fatal(err)
				}
				want = with(with(item, "sk", s("NOTE#DONE#w-1")), "topic", s("DONE"))
			}
			if diff := cmp.Diff([]model.Item{want}, l.all(t), sameItem); diff != "" {
				t.Errorf("(-want +table):\n%s", diff)
			}
		})
	}
}

// Nothing that the type does not know is
// lost, at any depth, and only what fn changed is written.
func TestModifyKeepsUnknown(t *testing.T) {
	l := newLive(t)
	key := l.order("OPEN", "w-1")
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann", Created: noon, Updated: noon, Version: 1, Write: "w",
		Address: &Address{City: "Rome"}, Lines: []Line{{"x", 1}, {"y", 2}}}
	item, err := l.orders.Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	item = with(item, "a.b[0]", s("?"))
	item = with(item, "address", m("city", s("Rome"), "geo.lat", n("41.90"), "status", s("?")))
	item = with(item, "lines", &types.AttributeValueMemberL{Value: []types.AttributeValue{
		m("sku", s("x"), "n", n("1"), "note", s("first")), m("sku", s("y"), "n", n("2"), "note", s("second")),
	}})
	l.putRaw(t, item)
	got, err := txn.Modify(ctx, l.db, key, func(o *Order) error {
		o.Address.City = "Oslo"
		o.Lines[1].N = 9
		o.Lines = append(o.Lines, Line{"z", 3}, Line{"zz", 4})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := with(item, "address", m("city", s("Oslo"), "geo.lat", n("41.90"), "status", s("?")))
	want = with(want, "lines", &types.AttributeValueMemberL{Value: []types.AttributeValue{
		m("sku", s("x"), "n", n("1"), "note", s("first")), m("sku", s("y"), "n", n("9"), "note", s("second")),
		m("sku", s("z"), "n", n("3")), m("sku", s("zz"), "n", n("4")),
	}})
	want = with(with(want, "version", n("2")), "write", s(got.Write))
	if diff := cmp.Diff(want, l.raw(t, key.Item()), sameItem); diff != "" {
		t.Errorf("(-want +stored):\n%s", diff)
	}

	// An element taken out: the list is shorter and is written as a whole, with
	// what is stored of those that stay.
	if _, err := txn.Modify(ctx, l.db, key, func(o *Order) error { o.Lines = o.Lines[1:2]; o.Address = nil; return nil }); err != nil {
		t.Fatal(err)
	}
	raw := l.raw(t, key.Item())
	wantLines := types.AttributeValue(&types.AttributeValueMemberL{Value: []types.AttributeValue{m("sku", s("y"), "n", n("9"), "note", s("second"))}})
	if diff := cmp.Diff(wantLines, raw["lines"], sameItem); diff != "" {
		t.Errorf("lines (-want +stored):\n%s", diff)
	}
	if _, ok := raw["address"]; ok {
		t.Errorf("the address is still there: %v", raw["address"])
	}
}

// Parents that are empty, absent, or NULL.
func TestModifyParents(t *testing.T) {
	for _, test := range []struct {
		reason string
		stored types.AttributeValue // labels
		want   types.AttributeValue
	}{
		{"an empty map", m(), m("a", n("1"))},
		{"absent", nil, m("a", n("1"))},
		{"NULL", &types.AttributeValueMemberNULL{Value: true}, m("a", n("1"))},
		{"another key", m("b.c", n("2")), m("a", n("1"), "b.c", n("2"))},
	} {
		t.Run(test.reason, func(t *testing.T) {
			l := newLive(t)
			item, err := l.notes.Marshal(&Note{Region: "eu", Topic: "x", ID: "1"})
			if err != nil {
				t.Fatal(err)
			}
			l.putRaw(t, with(item, "labels", test.stored))
			_, err = txn.Modify(ctx, l.db, l.note("x", "1"), func(v *Note) error {
				if v.Labels == nil {
					v.Labels = map[string]int{}
				}
				v.Labels["a"] = 1
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, l.raw(t, l.note("x", "1").Item())["labels"], sameItem); diff != "" {
				t.Errorf("(-want +stored):\n%s", diff)
			}
		})
	}
}

func TestModifyNothing(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Tags: []string{"a", "b"}}
	l.commit(t, txn.Create(l.orders, &o))
	db := &spy{Client: l.db}
	l.advance(time.Hour)
	nothing := func(o *Order) error {
		o.Version, o.Updated = 7, noon              // the library's, no change
		o.Tags[0], o.Tags[1] = o.Tags[1], o.Tags[0] // a set has no order
		return nil
	}
	got, err := txn.Modify(ctx, db, l.order("OPEN", "w-1"), nothing)
	if err != nil || db.writes != 0 {
		t.Fatalf("%d writes, %v", db.writes, err)
	}
	if got.Version != 1 || !got.Updated.Equal(noon) {
		t.Errorf("returned %+v", got)
	}

	// With companions, they are committed on condition that the item is unchanged.
	p := Order{Region: "eu", Status: "OPEN", ID: "w-2"}
	_, err = txn.Modify(ctx, db, l.order("OPEN", "w-1"), nothing, func(before, after *Order) []txn.Action {
		return []txn.Action{txn.Create(l.orders, &p)}
	}, nil)
	if err != nil || p.Version != 1 {
		t.Fatalf("companion: %+v, %v", p, err)
	}
	if diff := cmp.Diff(o, stored(t, l, l.order("OPEN", "w-1"))); diff != "" {
		t.Errorf("the item was written:\n%s", diff)
	}
}

func TestModifyFailures(t *testing.T) {
	l := newLive(t)
	for _, o := range []Order{{Region: "eu", Status: "OPEN", ID: "w-1"}, {Region: "eu", Status: "DONE", ID: "w-1"}} {
		l.commit(t, txn.Create(l.orders, &o))
	}
	alien := l.order("OPEN", "alien").Item()
	l.putRaw(t, with(with(alien, "_type", s("Invoice")), "x", n("1")))
	broken := l.order("OPEN", "broken").Item()
	l.putRaw(t, with(with(broken, "_type", s("Order")), "visits", s("many")))
	big := l.order("OPEN", "big").Item()
	l.putRaw(t, with(with(big, "_type", s("Order")), "x", s(strings.Repeat("x", 400<<10-200))))

	boom := errors.New("boom")
	edit := func(o *Order) error { o.Visits++; return nil }
	for _, test := range []struct {
		reason string
		key    model.Key[Order]
		fn     func(*Order) error
		want   error
	}{
		{"no item", l.order("OPEN", "none"), edit, txn.ErrNotFound},
		{"another entity's", l.order("OPEN", "alien"), edit, txn.ErrWrongEntity},
		{"an item that cannot be read", l.order("OPEN", "broken"), edit, nil},
		{"the function says no", l.order("OPEN", "w-1"), func(o *Order) error { o.Visits = 5; return boom }, boom},
		{"the new key is taken", l.order("OPEN", "w-1"), func(o *Order) error { o.Status = "DONE"; return nil }, txn.ErrExists},
		{"a part of the new key is missing", l.order("OPEN", "w-1"), func(o *Order) error { o.Status = ""; return nil }, nil},
		{"together with what the type does not know, too large", l.order("OPEN", "big"), func(o *Order) error { o.Customer = strings.Repeat("x", 1000); return nil }, txn.ErrTooLarge},
		{"a zero key", model.Key[Order]{}, edit, model.ErrZero},
		{"no function", l.order("OPEN", "w-1"), nil, txn.ErrInvalid},
	} {
		t.Run(test.reason, func(t *testing.T) {
			before := l.all(t)
			got, err := txn.Modify(ctx, l.db, test.key, test.fn)
			if err == nil || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if test.want == boom && err != boom {
				t.Errorf("the function's error is wrapped: %v", err)
			}
			if diff := cmp.Diff(Order{}, got); diff != "" {
				t.Errorf("a value was returned with the error:\n%s", diff)
			}
			if diff := cmp.Diff(before, l.all(t), sameItem); diff != "" {
				t.Errorf("the table changed:\n%s", diff)
			}
		})
	}
	if _, err := txn.Modify(ctx, nil, l.order("OPEN", "w-1"), edit); !errors.Is(err, txn.ErrInvalid) {
		t.Errorf("nil client: %v", err)
	}
}

// spy is a client that counts, and does something behind the caller's back
// between a read and the write that follows it.
type spy struct {
	txn.Client
	reads, writes int
	between       func(n int) // after the n-th read
}

func (c *spy) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := c.Client.GetItem(ctx, in, o...)
	c.reads++
	if c.between != nil {
		c.between(c.reads)
	}
	return out, err
}

func (c *spy) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c.writes++
	return c.Client.UpdateItem(ctx, in, o...)
}

func (c *spy) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	c.writes++
	return c.Client.PutItem(ctx, in, o...)
}

func (c *spy) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	c.writes++
	return c.Client.TransactWriteItems(ctx, in, o...)
}

// When another writer is faster, Modify starts again from the read, and the
// companions are made anew.
func TestModifyRace(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	l.commit(t, txn.Create(l.orders, &o))
	key := l.order("OPEN", "w-1")
	db := &spy{Client: l.db, between: func(n int) {
		if n <= 3 {
			l.commit(t, txn.Update(key, txn.Add("visits", 10)))
		}
	}}
	calls, companions := 0, 0
	got, res, err := txn.ModifyWith(ctx, db, txn.Options{Backoff: noWait}, key,
		func(o *Order) error { calls++; o.Visits++; return nil },
		func(before, after *Order) []txn.Action {
			companions++
			if before.Visits+1 != after.Visits || before.Version+1 != after.Version {
				t.Errorf("companion sees %+v and %+v", before, after)
			}
			return []txn.Action{txn.Create(l.notes, &Note{Region: "eu", Topic: "log", ID: fmt.Sprint(after.Version)})}
		})
	if err != nil {
		t.Fatal(err)
	}
	if got.Visits != 31 || got.Version != 5 || calls != 4 || companions != 4 || res.Races != 3 || res.ReadUnits() != 4 {
		t.Errorf("%+v after %d calls, %d companions, result %+v", got, calls, companions, res)
	}
	if n := len(l.all(t)); n != 2 {
		t.Errorf("%d items, want the order and one note", n)
	}

	// Bounded.
	db = &spy{Client: l.db, between: func(int) { l.commit(t, txn.Update(key, txn.Add("visits", 10))) }}
	_, res, err = txn.ModifyWith(ctx, db, txn.Options{Races: 2, Backoff: noWait}, key, func(o *Order) error { o.Visits++; return nil })
	wantError(t, err, txn.ErrChanged)
	if db.reads != 3 || res.Races != 2 {
		t.Errorf("%d reads, result %+v", db.reads, res)
	}

	// Deleted in between.
	db = &spy{Client: l.db, between: func(n int) {
		if n == 1 {
			l.commit(t, txn.DeleteKey(key))
		}
	}}
	_, err = txn.Modify(ctx, db, key, func(o *Order) error { o.Visits++; return nil })
	wantError(t, err, txn.ErrNotFound)
	if items := l.all(t); len(items) != 1 {
		t.Errorf("the order came back: %v", items)
	}
}

// A companion that fails is the caller's to hear of, under its index.
func TestModifyCompanionFails(t *testing.T) {
	l := newLive(t)
	o, note := Order{Region: "eu", Status: "OPEN", ID: "w-1"}, Note{Region: "eu", Topic: "x", ID: "1"}
	other := Note{Region: "eu", Topic: "x", ID: "2"}
	l.commit(t, txn.Create(l.orders, &o), txn.Create(l.notes, &note), txn.Create(l.notes, &other))
	calls := 0
	_, err := txn.Modify(ctx, l.db, l.order("OPEN", "w-1"),
		func(o *Order) error { calls++; o.Visits++; return nil },
		func(_, after *Order) []txn.Action { return []txn.Action{txn.Check(l.note("x", "2"))} },
		func(_, after *Order) []txn.Action { return []txn.Action{txn.Create(l.notes, &note)} })
	e := wantError(t, err, txn.ErrExists)
	if len(e.Actions) != 1 || e.Actions[0].Index != 2 || calls != 1 {
		t.Errorf("%d calls, %v", calls, e)
	}
	// The item of the modification itself is refused to a companion.
	_, err = txn.Modify(ctx, l.db, l.order("OPEN", "w-1"),
		func(o *Order) error { o.Visits++; return nil },
		func(_, after *Order) []txn.Action { return []txn.Action{txn.Delete(l.orders, after)} })
	wantError(t, err, txn.ErrSameItem)
}

// An attribute was absent when the item was read, and another
// writer adds it before the item is written.
func TestModifyUnversionedRace(t *testing.T) {
	for _, test := range []struct {
		reason string
		name   string // of what the other writer adds
		value  types.AttributeValue
		move   bool
		again  bool // fn has run twice
		kept   bool
	}{
		{"an attribute that the type knows", "labels", m("k", n("1")), false, true, true},
		{"one that it does not know, in place", "x", s("new"), false, false, true},
		{"one that the type knows, moved", "labels", m("k", n("1")), true, true, true},
		{"one that was there and changes", "old", s("changed"), true, true, true},
		{"one that it does not know, moved: documented to be left behind", "x", s("new"), true, false, false},
	} {
		t.Run(test.reason, func(t *testing.T) {
			l := newLive(t)
			key := l.note("x", "1")
			item, err := l.notes.Marshal(&Note{Region: "eu", Topic: "x", ID: "1"})
			if err != nil {
				t.Fatal(err)
			}
			item = with(item, "old", s("as it was"))
			l.putRaw(t, item)
			calls := 0
			db := &spy{Client: l.db, between: func(n int) {
				if n == 1 {
					l.putRaw(t, with(item, test.name, test.value))
				}
			}}
			_, _, err = txn.ModifyWith(ctx, db, txn.Options{Backoff: noWait}, key, func(v *Note) error {
				calls++
				v.Count++
				if test.move {
					v.Topic = "y"
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if again := calls > 1; again != test.again {
				t.Errorf("the function ran %d times", calls)
			}
			all := l.all(t)
			if len(all) != 1 {
				t.Fatalf("%d items", len(all))
			}
			if kept := all[0][test.name] != nil && model.Equal(all[0][test.name], test.value); kept != test.kept {
				t.Errorf("stored %v, kept %v, want %v", all[0], kept, test.kept)
			}
		})
	}
}

// Without a version, an item with too many attributes cannot be compared.
func TestModifyNeedsVersion(t *testing.T) {
	for _, test := range []struct {
		attributes int
		want       error
	}{{140, nil}, {160, txn.ErrNeedsVersion}} {
		l := newLive(t)
		item, err := l.notes.Marshal(&Note{Region: "eu", Topic: "x", ID: "1"})
		if err != nil {
			t.Fatal(err)
		}
		for i := range test.attributes {
			item[fmt.Sprintf("attribute-%d", i)] = n("1")
		}
		l.putRaw(t, item)
		_, err = txn.Modify(ctx, l.db, l.note("x", "1"), func(v *Note) error { v.Count++; return nil })
		if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("%d attributes: %v, want %v", test.attributes, err, test.want)
		}
	}
}

// A type with a rest field sees what it does not know, may change it, and what
// it is handed is not what the comparison is made with.
func TestModifyRest(t *testing.T) {
	type Open struct {
		Region string                          `dynamodbav:"-" key:"region"`
		ID     string                          `dynamodbav:"-" key:"id"`
		Rest   map[string]types.AttributeValue `dynamodbav:"-" model:"rest"`
	}
	l := newLive(t)
	opens := model.MustDefine[Open](l.table, "Open", regionKey, openKey)
	l.commit(t, txn.Put(opens, &Open{Region: "eu", ID: "1", Rest: model.Item{"x": m("y", n("1")), "z": n("1.50")}}))
	key := opens.Key(regionKey.Key("eu"), openKey.Key("1"))
	if _, err := txn.Modify(ctx, l.db, key, func(v *Open) error {
		v.Rest["x"].(*types.AttributeValueMemberM).Value["y"] = n("2") // in place
		v.Rest["new"] = s("n")
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	got := stored(t, l, key)
	want := model.Item{"x": m("y", n("2")), "z": n("1.50"), "new": s("n")}
	if diff := cmp.Diff(want, got.Rest, sameItem); diff != "" {
		t.Errorf("(-want +stored):\n%s", diff)
	}
}

// A value with more changes than an update expression holds paths for is
// written attribute by attribute.
func TestModifyManyPaths(t *testing.T) {
	l := newLive(t)
	labels := map[string]int{}
	for i := range 600 {
		labels[fmt.Sprintf("label-%d", i)] = i
	}
	note := Note{Region: "eu", Topic: "x", ID: "1", Labels: labels}
	l.commit(t, txn.Put(l.notes, &note))
	got, err := txn.Modify(ctx, l.db, l.note("x", "1"), func(v *Note) error {
		for k := range v.Labels {
			v.Labels[k]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, stored(t, l, l.note("x", "1"))); diff != "" {
		t.Error(diff)
	}
}

// unreadable is a client whose reads fail.
type unreadable struct {
	txn.Client
	err   error
	reads int
}

func (c *unreadable) GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	c.reads++
	return nil, c.err
}

// What a read fails with is told as what a write fails with is, but that nothing is
// in doubt.
func TestModifyUnreadable(t *testing.T) {
	l := newLive(t)
	for _, test := range []struct {
		err   error
		want  error
		reads int
		safe  bool
	}{
		{&types.ProvisionedThroughputExceededException{}, txn.ErrThrottled, 4, true},
		{&types.RequestLimitExceeded{}, txn.ErrThrottled, 4, true},
		{&types.InternalServerError{}, nil, 4, false},
		{&types.ResourceNotFoundException{}, nil, 1, false},
	} {
		db := &unreadable{Client: l.db, err: test.err}
		_, _, err := txn.ModifyWith(ctx, db, txn.Options{Attempts: 4, Backoff: noWait}, l.order("OPEN", "w-1"), func(*Order) error { return nil })
		e := wantError(t, err, test.err)
		if test.want != nil {
			wantError(t, err, test.want)
		}
		if db.reads != test.reads || e.Attempts != test.reads || e.InDoubt || txn.SafeToRetry(err) != test.safe {
			t.Errorf("%T: %d reads, safe %v: %+v", test.err, db.reads, txn.SafeToRetry(err), e)
		}
	}
}

// deaf is a client that loses the answer to its first update, and does something
// before the second.
type deaf struct {
	txn.Client
	updates int
	between func()
}

func (c *deaf) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if c.updates++; c.updates == 2 && c.between != nil {
		c.between()
	}
	out, err := c.Client.UpdateItem(ctx, in, o...)
	if err == nil && c.updates == 1 {
		return nil, &types.InternalServerError{}
	}
	return out, err
}

// Where it is not known whether a change was made, the function is not run again: it
// could count something twice.
func TestModifyInDoubt(t *testing.T) {
	l := newLive(t)
	lease := Lease{Region: "eu", ID: "a", Owner: "", Until: noon.Add(time.Hour)}
	note := Note{Region: "eu", Topic: "x", ID: "1"}
	order := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	l.commit(t, txn.Create(l.leases, &lease), txn.Create(l.notes, &note), txn.Create(l.orders, &order))
	runs := 0
	for name, modify := range map[string]func(txn.Client) error{
		"a version": func(db txn.Client) error {
			_, err := txn.Modify(ctx, db, l.lease("a"), func(v *Lease) error { runs++; v.Owner += "x"; return nil })
			return err
		},
		"no version": func(db txn.Client) error {
			_, err := txn.Modify(ctx, db, l.note("x", "1"), func(v *Note) error { runs++; v.Count++; return nil })
			return err
		},
		"a write id, and written again since": func(db txn.Client) error {
			db.(*deaf).between = func() { l.commit(t, txn.Update(l.order("OPEN", "w-1"), txn.Set("customer", "Kim"))) }
			_, err := txn.Modify(ctx, db, l.order("OPEN", "w-1"), func(v *Order) error { runs++; v.Visits++; return nil })
			return err
		},
	} {
		runs = 0
		db := &deaf{Client: l.db}
		e := wantError(t, modify(db), txn.ErrInDoubt)
		if runs != 1 || db.updates != 2 || !e.InDoubt || txn.SafeToRetry(e) {
			t.Errorf("%s: run %d times, %d updates, %+v", name, runs, db.updates, e)
		}
	}
	if a, b, c := stored(t, l, l.lease("a")).Owner, stored(t, l, l.note("x", "1")).Count, stored(t, l, l.order("OPEN", "w-1")).Visits; a != "x" || b != 1 || c != 1 {
		t.Errorf("applied: %q, %d, %d", a, b, c)
	}
}

// An item that was stored without a version looks the same after another program has
// stored it again. That proves nothing about a change whose answer was lost.
func TestModifyInDoubtWithoutVersion(t *testing.T) {
	l := newLive(t)
	key := l.lease("a")
	raw := with(with(key.Item(), "_type", s("Lease")), "until", n("4925540000"))
	l.putRaw(t, raw)
	db := &deaf{Client: l.db, between: func() { l.putRaw(t, with(raw, "owner", s("foreign"))) }}
	_, err := txn.Modify(ctx, db, key, func(v *Lease) error { v.Owner += "x"; return nil })
	wantError(t, err, txn.ErrInDoubt, txn.ErrChanged)
}

// The read of a modification is consistent, and of the whole item.
func TestModifyRead(t *testing.T) {
	f := newFixture(t, "t")
	db := &recorder{}
	_, err := txn.Modify(ctx, db, f.order("OPEN", "w-1"), func(*Order) error { return nil })
	wantError(t, err, txn.ErrNotFound)
	in, ok := db.inputs[0].(*dynamodb.GetItemInput)
	if !ok || in.ConsistentRead == nil || !*in.ConsistentRead || in.ProjectionExpression != nil {
		t.Errorf("read with %+v", db.inputs[0])
	}
}

// What another run of the function cannot mend is not tried again: a companion that
// fails, and an item at the key that it moves to.
func TestModifyRunsOnce(t *testing.T) {
	l := newLive(t)
	open, done := Order{Region: "eu", Status: "OPEN", ID: "w-1"}, Order{Region: "eu", Status: "DONE", ID: "w-1"}
	l.commit(t, txn.Create(l.orders, &open), txn.Create(l.orders, &done))
	runs := 0
	o := txn.Options{Backoff: noWait}
	_, res, err := txn.ModifyWith(ctx, l.db, o, l.order("OPEN", "w-1"), func(o *Order) error { runs++; o.Visits++; return nil },
		func(_, _ *Order) []txn.Action { return []txn.Action{txn.Check(l.note("x", "1"))} })
	wantError(t, err, txn.ErrNotFound)
	if runs != 1 || res.Races != 0 {
		t.Errorf("a companion that fails: run %d times, %d races", runs, res.Races)
	}
	runs = 0
	_, res, err = txn.ModifyWith(ctx, l.db, o, l.order("OPEN", "w-1"), func(o *Order) error { runs++; o.Status = "DONE"; return nil })
	wantError(t, err, txn.ErrExists)
	if runs != 1 || res.Races != 0 {
		t.Errorf("an item at the new key: run %d times, %d races", runs, res.Races)
	}
}
