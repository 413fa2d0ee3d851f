package txn_test

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/txn"
)

func TestUpdate(t *testing.T) {
	for _, test := range []struct {
		reason  string
		changes []txn.Change
		edit    func(*Order) // of the value, the stamps aside
		raw     func(model.Item) model.Item
	}{
		{"set", []txn.Change{txn.Set("customer", "Kim")}, func(o *Order) { o.Customer = "Kim" }, nil},
		{"set several", []txn.Change{txn.Set("customer", "Kim"), txn.Set("visits", 7)}, func(o *Order) { o.Customer = "Kim"; o.Visits = 7 }, nil},
		{"remove", []txn.Change{txn.Remove("address")}, func(o *Order) { o.Address = nil }, nil},
		{"remove what is not there", []txn.Change{txn.Remove("due")}, func(*Order) {}, nil},
		{"add to a number", []txn.Change{txn.Add("visits", 2)}, func(o *Order) { o.Visits = 5 }, nil},
		{"subtract from a number", []txn.Change{txn.Add("visits", -2)}, func(o *Order) { o.Visits = 1 }, nil},
		{"add to a set", []txn.Change{txn.Add("tags", []string{"c"})}, func(o *Order) { o.Tags = []string{"a", "b", "c"} }, nil},
		{"take from a set", []txn.Change{txn.Subtract("tags", []string{"a"})}, func(o *Order) { o.Tags = []string{"b"} }, nil},
		{"all verbs at once", []txn.Change{txn.Remove("address"), txn.Add("visits", 1), txn.Set("customer", "Kim"), txn.Subtract("tags", []string{"b"})},
			func(o *Order) { o.Address = nil; o.Visits = 4; o.Customer = "Kim"; o.Tags = []string{"a"} }, nil},
		{"below a map", []txn.Change{txn.Set("address", "Oslo").At("city"), txn.Remove("address").At("zip")},
			func(o *Order) { o.Address = &Address{City: "Oslo"} }, nil},
		{"below a list", []txn.Change{txn.Set("lines", 9).At(1, "n"), txn.Add("lines", 1).At(0, "n")},
			func(o *Order) { o.Lines = []Line{{"x", 2}, {"y", 9}} }, nil},
		{"an element of a list", []txn.Change{txn.Remove("lines").At(0)}, func(o *Order) { o.Lines = o.Lines[1:] }, nil},
		{"an empty set is absent", []txn.Change{txn.Set("tags", []string{})}, func(o *Order) { o.Tags = nil }, nil},
		{"a time as its field is stored", []txn.Change{txn.Set("due", noon)}, func(o *Order) { o.Due = noon }, nil},
		{"a zero time under omitempty is absent", []txn.Change{txn.Set("due", time.Time{})}, func(*Order) {}, nil},
		{"computed by DynamoDB", []txn.Change{
			txn.Set("visits", expression.Name("visits").Plus(expression.Value(10))),
			txn.Set("customer", expression.IfNotExists(expression.Name("customer"), expression.Value("nobody"))),
			txn.Set("lines", expression.ListAppend(expression.Name("lines"), expression.Value([]Line{{"z", 3}}))),
		}, func(o *Order) { o.Visits = 13; o.Lines = append(o.Lines, Line{"z", 3}) }, nil},
		{"a ready attribute value", []txn.Change{txn.Set("customer", types.AttributeValue(&types.AttributeValueMemberS{Value: "Kim"}))}, func(o *Order) { o.Customer = "Kim" }, nil},
		{"names with dots, brackets, reserved words and aliases", []txn.Change{
			txn.Set("a.b[0]", 1), txn.Set("name", 2), txn.Set("#0", 3), txn.Set(":0", 4), txn.Set("x", 5).At("y.z"),
		}, func(*Order) {}, func(i model.Item) model.Item {
			i = with(with(with(with(i, "a.b[0]", n("1")), "name", n("2")), "#0", n("3")), ":0", n("4"))
			return with(i, "x", m("y.z", n("5")))
		}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			l := newLive(t)
			o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann", Visits: 3, Tags: []string{"a", "b"},
				Address: &Address{"Rome", "00100"}, Lines: []Line{{"x", 1}, {"y", 2}}}
			l.commit(t, txn.Create(l.orders, &o))
			key := l.order("OPEN", "w-1")
			l.putRaw(t, with(l.raw(t, key.Item()), "x", m()))
			l.advance(time.Minute)
			l.commit(t, txn.Update(key, test.changes...))

			got := stored(t, l, key)
			test.edit(&o)
			o.Version, o.Updated, o.Write = 2, noon.Add(time.Minute), got.Write
			want, err := l.orders.Marshal(&o)
			if err != nil {
				t.Fatal(err)
			}
			want["x"] = m()
			if test.raw != nil {
				want = test.raw(want)
			}
			if diff := cmp.Diff(want, l.raw(t, key.Item()), sameItem); diff != "" {
				t.Errorf("(-want +stored):\n%s", diff)
			}
		})
	}
}

// An update never makes an item, and no half of one comes back to life when it
// races a delete.
func TestUpdateMakesNoItem(t *testing.T) {
	l := newLive(t)
	key := l.order("OPEN", "w-1")
	wantError(t, txn.Commit(ctx, l.db, txn.Update(key, txn.Set("customer", "Kim"))), txn.ErrNotFound)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	l.commit(t, txn.Create(l.orders, &o))
	update := txn.Update(key, txn.Add("visits", 1))
	l.commit(t, update)
	l.commit(t, txn.DeleteKey(key))
	wantError(t, txn.Commit(ctx, l.db, update), txn.ErrNotFound)
	wantError(t, txn.Commit(ctx, l.db, update, txn.CheckAbsent(l.order("OPEN", "w-2"))), txn.ErrNotFound)
	if items := l.all(t); len(items) != 0 {
		t.Errorf("items: %v", items)
	}
}

// The time to live is the caller's to set; it is stored in seconds.
func TestUpdateTTL(t *testing.T) {
	l := newLive(t)
	j := Job{Region: "eu", ID: "a", Until: noon.Add(time.Hour)}
	l.commit(t, txn.Create(l.jobs, &j))
	l.commit(t, txn.Update(l.job("a"), txn.Set("until", noon.Add(2*time.Hour))))
	if got := stored(t, l, l.job("a")); !got.Until.Equal(noon.Add(2 * time.Hour)) {
		t.Errorf("until %v", got.Until)
	}
	l.commit(t, txn.Update(l.job("a"), txn.Remove("until")))
	l.advance(100 * time.Hour)
	l.commit(t, txn.Check(l.job("a")))
}

func TestUpdateRefusals(t *testing.T) {
	f := newFixture(t, "t")
	for _, test := range []struct {
		reason    string
		action    txn.Action
		want      error
		attribute string
	}{
		{"a key attribute", txn.Update(f.order("OPEN", "w"), txn.Set("pk", "x")), txn.ErrKeyPart, "pk"},
		{"the sort key", txn.Update(f.order("OPEN", "w"), txn.Remove("sk")), txn.ErrKeyPart, "sk"},
		{"the type tag", txn.Update(f.order("OPEN", "w"), txn.Set("_type", "x")), txn.ErrKeyPart, "_type"},
		{"a part that is in the key alone", txn.Update(f.order("OPEN", "w"), txn.Set("status", "DONE")), txn.ErrKeyPart, "status"},
		{"a part that is in the key alone, given", txn.Update(f.order("OPEN", "w"), txn.Set("visits", 1), txn.Given("status", "OPEN")), txn.ErrKeyPart, "status"},
		{"a stored part of the key", txn.Update(f.note("x", "1"), txn.Set("topic", "y")), txn.ErrKeyPart, "topic"},
		{"a stored part of the key, after a harmless change", txn.Update(f.note("x", "1"), txn.Set("text", "t"), txn.Add("topic", 1)), txn.ErrKeyPart, "topic"},
		{"the version", txn.Update(f.order("OPEN", "w"), txn.Set("version", 1)), txn.ErrRole, "version"},
		{"created", txn.Update(f.order("OPEN", "w"), txn.Set("created", noon)), txn.ErrRole, "created"},
		{"updated", txn.Update(f.order("OPEN", "w"), txn.Remove("updated")), txn.ErrRole, "updated"},
		{"the write id", txn.Update(f.order("OPEN", "w"), txn.Set("write", "x")), txn.ErrRole, "write"},
		{"counting a ttl", txn.Update(f.job("a"), txn.Add("until", 1)), txn.ErrRole, "until"},
		{"below a ttl", txn.Update(f.job("a"), txn.Set("until", 1).At("x")), txn.ErrRole, "until.x"},
		{"the wrong type", txn.Update(f.order("OPEN", "w"), txn.Set("visits", "many")), model.ErrValue, "visits"},
		{"no type at all", txn.Update(f.order("OPEN", "w"), txn.Set("unknown", make(chan int))), nil, "unknown"},
		{"adding text", txn.Update(f.order("OPEN", "w"), txn.Add("customer", "x")), txn.ErrInvalid, "customer"},
		{"taking away a number", txn.Update(f.order("OPEN", "w"), txn.Subtract("visits", 1)), txn.ErrInvalid, "visits"},
		{"adding nothing", txn.Update(f.order("OPEN", "w"), txn.Add("tags", []string{})), txn.ErrInvalid, "tags"},
		{"no name", txn.Update(f.order("OPEN", "w"), txn.Set("", 1)), txn.ErrInvalid, ""},
		{"no name of a step", txn.Update(f.order("OPEN", "w"), txn.Set("address", 1).At("")), txn.ErrInvalid, "address."},
		{"a name that is no UTF-8", txn.Update(f.order("OPEN", "w"), txn.Set("a\xff", 1)), keys.ErrUTF8, "a\xff"},
		{"a step that is no UTF-8", txn.Update(f.order("OPEN", "w"), txn.Remove("address").At("\xff")), keys.ErrUTF8, "address.\xff"},
		{"a nil operand", txn.Update(f.order("OPEN", "w"), txn.Set("visits", (*expression.NameBuilder)(nil))), txn.ErrInvalid, "visits"},
		{"an operand that cannot be stored", txn.Update(f.order("OPEN", "w"), txn.Set("visits", expression.Value(func() {}))), txn.ErrInvalid, "visits"},
		{"an operand that is no UTF-8", txn.Update(f.order("OPEN", "w"), txn.Set("customer", expression.IfNotExists(expression.Name("customer"), expression.Value("\xff")))), keys.ErrUTF8, "customer"},
		{"one attribute twice", txn.Update(f.order("OPEN", "w"), txn.Set("visits", 1), txn.Add("visits", 1)), txn.ErrInvalid, "visits"},
		{"an attribute and what lies in it", txn.Update(f.order("OPEN", "w"), txn.Set("address", Address{}), txn.Remove("address").At("zip")), txn.ErrInvalid, "address.zip"},
		{"a step of another type", txn.Update(f.order("OPEN", "w"), txn.Set("lines", 1).At(1.5)), txn.ErrInvalid, "lines"},
		{"a negative index", txn.Update(f.order("OPEN", "w"), txn.Set("lines", 1).At(-1)), txn.ErrInvalid, "lines[-1]"},
		{"an empty operand", txn.Update(f.order("OPEN", "w"), txn.Set("visits", expression.NameBuilder{})), txn.ErrInvalid, "visits"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			db := &recorder{}
			err := txn.Commit(ctx, db, test.action)
			wantError(t, err)
			if test.want != nil {
				wantError(t, err, test.want)
			}
			var a *txn.AttributeError
			if !errors.As(err, &a) || a.Attribute != test.attribute {
				t.Errorf("error %v names no attribute %q", err, test.attribute)
			}
			if len(db.inputs) > 0 {
				t.Error("something was sent")
			}
		})
	}
	wantError(t, txn.Commit(ctx, &recorder{}, txn.Update(f.order("OPEN", "w"), txn.Change{})), txn.ErrInvalid)
}

// A change is a value: At does not reach into the one that it was called on.
func TestAtBranches(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Address: &Address{"Rome", "1"}, Lines: []Line{{"x", 1}}}
	l.commit(t, txn.Create(l.orders, &o))
	lines := txn.Set("lines", 2).At(0)
	a, b := lines.At("n"), lines.At("sku")
	_ = b
	l.commit(t, txn.Update(l.order("OPEN", "w-1"), a))
	if got := stored(t, l, l.order("OPEN", "w-1")); got.Lines[0] != (Line{"x", 2}) {
		t.Errorf("lines %v", got.Lines)
	}
}

// A field tagged unixtime is stored as a number, by a put, an update and a
// modification.
func TestUnixTimeStaysANumber(t *testing.T) {
	l := newLive(t)
	key := l.order("OPEN", "w-1")
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Due: noon}
	l.commit(t, txn.Create(l.orders, &o))
	want := n("4925534400")
	check := func(how string) {
		t.Helper()
		if diff := cmp.Diff(want, l.raw(t, key.Item())["due"], sameItem); diff != "" {
			t.Errorf("%s (-want +stored):\n%s", how, diff)
		}
	}
	check("put")
	want = n("4925534401")
	l.commit(t, txn.Update(key, txn.Set("due", noon.Add(time.Second))))
	check("update")
	want = n("4925534402")
	if _, err := txn.Modify(ctx, l.db, key, func(o *Order) error { o.Due = noon.Add(2 * time.Second); return nil }); err != nil {
		t.Fatal(err)
	}
	check("modify")
}

// What is given is a condition whatever it is about, the keys and the type
// included.
func TestGivenIsChecked(t *testing.T) {
	l := newLive(t)
	key := l.note("x", "1")
	l.commit(t, txn.Create(l.notes, &Note{Region: "eu", Topic: "x", ID: "1", Text: "t"}))
	for _, test := range []struct {
		attribute   string
		right       any
		wrong, none any
	}{
		{"pk", "REGION#eu", "REGION#us", nil},
		{"sk", "NOTE#x#1", "NOTE#x#2", nil},
		{"_type", "Note", "Order", nil},
		{"topic", "x", "y", nil},
		{"text", "t", "u", nil},
		{"unknown", nil, "u", "v"},
	} {
		update := func(v any) error {
			return txn.Commit(ctx, l.db, txn.Update(key, txn.Add("count", 1), txn.Given(test.attribute, v)))
		}
		if err := update(test.right); err != nil {
			t.Errorf("%s is %v: %v", test.attribute, test.right, err)
		}
		for _, v := range []any{test.wrong, test.none} {
			if err := update(v); !errors.Is(err, txn.ErrChanged) {
				t.Errorf("%s is not %v: error %v, want %v", test.attribute, v, err, txn.ErrChanged)
			}
		}
	}
	if got := stored(t, l, key).Count; got != 6 {
		t.Errorf("counted %d times, want 6", got)
	}
}
