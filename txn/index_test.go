package txn_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/singletable-go/singletable/internal/dbtest"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/txn"
)

// Trip is in three indexes: that of its vehicle, which any part that is empty
// takes it out of; that of its user, with an attribute for each part; and that of
// what is still to be billed, which it is in only while it says so.
type Trip struct {
	ID      string    `dynamodbav:"-" key:"trip"`
	User    string    `dynamodbav:"user"`
	Plate   string    `dynamodbav:"plate,omitempty"`
	Day     keys.Date `dynamodbav:"day,omitempty"`
	Km      int       `dynamodbav:"km"`
	Private bool      `dynamodbav:"private"`
	Note    string    `dynamodbav:"note,omitempty"`
	Version int64     `dynamodbav:"version" model:"version"`
}

var (
	tripKey     = keys.MustCompile1("TRIP#<trip>", keys.String)
	vehicleKey  = keys.MustCompile2("USER#<user>#PLATE#<plate>", keys.String, keys.Fold(keys.String))
	vehicleSort = keys.MustCompile2("DAY#<day>#<trip>", keys.Day, keys.String)
	userKey     = keys.MustCompile1("<user>", keys.String)
	userSort    = keys.MustCompile2("<day>#<km>", keys.Day, keys.IntOf[int](6))
	billKey     = keys.MustCompile1("BILL#<user>", keys.String)

	byVehicle = model.GSI("byVehicle", model.IndexKey("gsi1pk", "gsi1sk"))
	byUser    = model.NativeGSI("byUser")
	toBill    = model.GSI("toBill", model.IndexKey("gsi2pk"), model.KeysOnly())
)

type tripTable struct {
	*live
	trips *model.Entity[Trip]
}

// defineTrips declares the table under a physical name.
func defineTrips(name string, db *dynamodb.Client) *tripTable {
	l := &live{fixture: &fixture{name: name, now: noon}, db: db}
	l.table = model.NewTable("mileage", model.PrimaryKey("pk"), byVehicle, byUser, toBill,
		model.Clock(l.clock), model.NameFunc(func(context.Context) string { return name }))
	trips := model.MustDefine[Trip](l.table, "Trip", tripKey, nil,
		model.On(byVehicle, vehicleKey, vehicleSort),
		model.On(byUser, userKey, userSort),
		model.On(toBill, billKey, nil, model.Only(func(v *Trip) bool { return !v.Private && v.Km > 0 }, "private", "km")))
	return &tripTable{live: l, trips: trips}
}

func newTrips(t testing.TB) *tripTable {
	t.Helper()
	l := defineTrips(dbtest.UniqueName(t), dbtest.Client(t))
	dbtest.Create(t, l.db, l.table)
	return l
}

func (l *tripTable) key(id string) model.Key[Trip] { return l.trips.Key(tripKey.Key(id)) }

// indexKeys picks the attributes of the indexes out of an item.
func (l *tripTable) indexKeys(item model.Item) model.Item {
	out := model.Item{}
	for _, ix := range l.trips.Indexes() {
		for _, name := range ix.Attributes {
			if v, ok := item[name]; ok {
				out[name] = v
			}
		}
	}
	return out
}

// checkDerived holds every stored index key against the derived one: an oracle
// that writes the item anew as a whole.
func (l *tripTable) checkDerived(t fataler, item model.Item) {
	v, err := l.trips.Unmarshal(item)
	if err != nil {
		t.Fatalf("reading %v: %v", item, err)
	}
	whole, err := l.trips.Marshal(&v)
	if err != nil {
		t.Fatalf("writing %+v: %v", v, err)
	}
	if diff := cmp.Diff(l.indexKeys(whole), l.indexKeys(item), sameItem); diff != "" {
		t.Fatalf("index keys of %+v (-derived +stored):\n%s", v, diff)
	}
}

type fataler interface {
	Fatalf(format string, args ...any)
}

var day31 = keys.Date{Year: 2026, Month: 1, Day: 31}

// Every write derives the index keys: put, move, modify.
func TestIndexKeysFollow(t *testing.T) {
	l := newTrips(t)
	v := Trip{ID: "t-1", User: "u", Plate: "67-PK-KS", Day: day31, Km: 12}
	l.commit(t, txn.Create(l.trips, &v))
	l.checkDerived(t, l.raw(t, l.key("t-1").Item()))
	if raw := l.raw(t, l.key("t-1").Item()); raw["gsi1pk"] == nil || raw["gsi2pk"] == nil || raw["user"] == nil {
		t.Fatalf("not in the indexes: %v", raw)
	}

	v.Plate, v.Private = "", true // leaves two of them
	l.commit(t, txn.Put(l.trips, &v))
	raw := l.raw(t, l.key("t-1").Item())
	l.checkDerived(t, raw)
	if raw["gsi1pk"] != nil || raw["gsi1sk"] != nil || raw["gsi2pk"] != nil {
		t.Errorf("still in an index: %v", raw)
	}

	got, err := txn.Modify(ctx, l.db, l.key("t-1"), func(v *Trip) error {
		v.Plate, v.Day = "ab-12", day31.AddDays(1)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	l.checkDerived(t, l.raw(t, l.key("t-1").Item()))
	if raw := l.raw(t, l.key("t-1").Item()); raw["gsi1sk"] == nil {
		t.Errorf("not back in the index: %v", raw)
	}
	moved := got
	moved.ID = "t-2"
	l.commit(t, txn.Move(l.trips, &got, &moved))
	l.checkDerived(t, l.raw(t, l.key("t-2").Item()))

	// A key that another program left stale is put right by the next change.
	l.putRaw(t, with(l.raw(t, l.key("t-2").Item()), "gsi1sk", s("DAY#1999-01-01#t-2")))
	if _, err := txn.Modify(ctx, l.db, l.key("t-2"), func(v *Trip) error { v.Note = "n"; return nil }); err != nil {
		t.Fatal(err)
	}
	l.checkDerived(t, l.raw(t, l.key("t-2").Item()))
}

func TestUpdateIndexes(t *testing.T) {
	in := Trip{ID: "t-1", User: "u", Plate: "67-PK-KS", Day: day31, Km: 12}
	private := in
	private.Private = true
	parked := in
	parked.Km = 0
	for _, test := range []struct {
		reason  string
		stored  Trip
		changes []txn.Change
		want    error
		part    string // that is not known
		index   string
	}{
		{"no part is touched: keep", in, []txn.Change{txn.Set("note", "n")}, nil, "", ""},
		{"every part is given: rewrite", in, []txn.Change{txn.Set("plate", "AB-12"), txn.Given("user", "u"), txn.Given("day", day31)}, nil, "", ""},
		{"the day changes, two indexes have it", in, []txn.Change{txn.Set("day", day31.AddDays(3)), txn.Given("user", "u"), txn.Given("plate", "67-PK-KS")}, nil, "", ""},
		{"a part is removed: the item leaves, whatever the others", in, []txn.Change{txn.Remove("plate")}, nil, "", ""},
		{"a part is set to nothing", in, []txn.Change{txn.Set("plate", "")}, nil, "", ""},
		{"a part is given to be absent", Trip{ID: "t-1", User: "u", Day: day31}, []txn.Change{txn.Set("day", day31.AddDays(3)), txn.Given("plate", nil)}, nil, "", ""},
		{"what decides says no", in, []txn.Change{txn.Set("private", true), txn.Given("km", 12)}, nil, "", ""},
		{"what decides says yes, and the parts are given", private, []txn.Change{txn.Set("private", false), txn.Given("km", 12), txn.Given("user", "u")}, nil, "", ""},
		{"all parts are set", in, []txn.Change{txn.Set("user", "v"), txn.Set("plate", "x"), txn.Set("day", day31), txn.Set("km", 3), txn.Set("private", false)}, nil, "", ""},

		{"a part is not known", in, []txn.Change{txn.Set("plate", "AB-12"), txn.Given("day", day31)}, txn.ErrUnknownPart, "user", "byVehicle"},
		{"what decides is not known", in, []txn.Change{txn.Set("private", false), txn.Given("user", "u")}, txn.ErrUnknownPart, "km", "toBill"},
		{"what is given is not so", in, []txn.Change{txn.Set("plate", "AB-12"), txn.Given("user", "another"), txn.Given("day", day31)}, txn.ErrChanged, "", ""},
		{"what is given to be absent is not", in, []txn.Change{txn.Set("note", "n"), txn.Given("plate", nil)}, txn.ErrChanged, "", ""},
		{"an index key", in, []txn.Change{txn.Set("gsi1sk", "x")}, txn.ErrIndexKey, "", ""},
		{"an index key, removed", in, []txn.Change{txn.Remove("gsi2pk")}, txn.ErrIndexKey, "", ""},
		{"ADD on a part", in, []txn.Change{txn.Add("km", 1), txn.Given("user", "u"), txn.Given("day", day31)}, txn.ErrIndexPart, "", ""},
		{"SET a = a + :n on a part", in, []txn.Change{txn.Set("km", expression.Name("km").Plus(expression.Value(1)))}, txn.ErrIndexPart, "", ""},
		{"if_not_exists on a part", in, []txn.Change{txn.Set("plate", expression.IfNotExists(expression.Name("plate"), expression.Value("x")))}, txn.ErrIndexPart, "", ""},
		{"a value that the codec refuses", in, []txn.Change{txn.Set("plate", "\xff"), txn.Given("user", "u"), txn.Given("day", day31)}, keys.ErrUTF8, "", ""},
		{"a version that is given", in, []txn.Change{txn.Set("note", "n"), txn.Given("version", 1)}, nil, "", ""},
		{"another version that is given", in, []txn.Change{txn.Set("note", "n"), txn.Given("version", 2)}, txn.ErrChanged, "", ""},
	} {
		t.Run(test.reason, func(t *testing.T) {
			l := newTrips(t)
			v := test.stored
			l.commit(t, txn.Create(l.trips, &v))
			before := l.raw(t, l.key("t-1").Item())
			err := txn.Commit(ctx, l.db, txn.Update(l.key("t-1"), test.changes...))
			after := l.raw(t, l.key("t-1").Item())
			if test.want == nil {
				if err != nil {
					t.Fatal(err)
				}
				l.checkDerived(t, after)
				return
			}
			wantError(t, err, test.want)
			if diff := cmp.Diff(before, after, sameItem); diff != "" {
				t.Errorf("the item was changed:\n%s", diff)
			}
			var p *txn.PartError
			if test.part != "" && (!errors.As(err, &p) || p.Attribute != test.part || p.Index != test.index || !strings.Contains(err.Error(), test.part)) {
				t.Errorf("error %v, want one of part %q of index %q", err, test.part, test.index)
			}
		})
	}
	l := newTrips(t)
	for reason, changes := range map[string][]txn.Change{
		"given alone is no change": {txn.Given("user", "u")},
		"given below an attribute": {txn.Set("note", "n"), txn.Given("user", "u").At("x")},
		"given twice":              {txn.Set("note", "n"), txn.Given("user", "u"), txn.Given("user", "v")},
		"given of the wrong type":  {txn.Set("note", "n"), txn.Given("km", "far")},
		"given without a name":     {txn.Set("note", "n"), txn.Given("", 1)},
	} {
		db := &recorder{}
		err := txn.Commit(ctx, db, txn.Update(l.key("t-1"), changes...))
		if err == nil || len(db.inputs) > 0 || !errors.Is(err, txn.ErrInvalid) && !errors.Is(err, model.ErrValue) {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

// The planner against an oracle that knows the whole item: after any update that
// is taken, every stored index key is the derived one, and what is refused for
// want of a part is not to be known without it.
func TestPlannerOracle(t *testing.T) {
	l := newTrips(t)
	planned, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		v := Trip{
			ID: "t-1", User: rapid.SampledFrom([]string{"u", "v#"}).Draw(rt, "user"),
			Plate: rapid.SampledFrom([]string{"", "ab", "AB", "c d"}).Draw(rt, "plate"),
			Km:    rapid.IntRange(0, 2).Draw(rt, "km"), Private: rapid.Bool().Draw(rt, "private"),
		}
		if rapid.Bool().Draw(rt, "has a day") {
			v.Day = day31
		}
		if err := txn.Commit(ctx, l.db, txn.Overwrite(l.trips, &v)); err != nil {
			rt.Fatalf("storing: %v", err)
		}
		for range rapid.IntRange(1, 4).Draw(rt, "updates") {
			switch l.tryUpdate(t, rt) {
			case nil:
				planned++
			case txn.ErrUnknownPart:
				refused++
			}
		}
	})
	if planned < 10 || refused < 10 {
		t.Errorf("%d planned, %d refused: too few to tell", planned, refused)
	}
}

// tryUpdate makes one update of an item drawn at random, holds what comes of it
// against the oracle, and returns nil or the sentinel that it was refused with.
func (l *tripTable) tryUpdate(t *testing.T, rt *rapid.T) error {
	before := l.raw(t, l.key("t-1").Item())

	var changes []txn.Change
	truth, touched := true, map[string]bool{}
	var given []string
	for _, attr := range []string{"user", "plate", "day", "km", "private", "note"} {
		switch rapid.IntRange(0, 4).Draw(rt, attr) {
		case 0:
			touched[attr] = true
			changes = append(changes, txn.Set(attr, drawValue(rt, attr)))
		case 1:
			if attr == "user" || attr == "km" || attr == "private" {
				continue // required to read the item back
			}
			touched[attr] = true
			changes = append(changes, txn.Remove(attr))
		case 2, 3:
			var v any
			if is := before[attr]; is != nil {
				v = is
			}
			if rapid.IntRange(0, 9).Draw(rt, "perhaps a lie about "+attr) == 0 {
				v = drawValue(rt, attr)
			}
			var is types.AttributeValue
			if v != nil {
				var err error
				if is, err = l.trips.Encode(attr, v); err != nil {
					rt.Fatalf("%v", err)
				}
			}
			truth = truth && cmp.Equal(is, before[attr], sameItem)
			given = append(given, attr)
			changes = append(changes, txn.Given(attr, v))
		}
	}
	if len(touched) == 0 {
		return txn.ErrInvalid
	}
	err := txn.Commit(ctx, l.db, txn.Update(l.key("t-1"), changes...))
	after := l.raw(t, l.key("t-1").Item())
	switch {
	case err == nil:
		if !truth {
			rt.Fatalf("taken, though what was given of %v is not so", given)
		}
		l.checkDerived(rt, after)
	case errors.Is(err, txn.ErrChanged):
		if truth {
			rt.Fatalf("given %v is so, and yet: %v", given, err)
		}
	case errors.Is(err, txn.ErrUnknownPart):
		var p *txn.PartError
		if !errors.As(err, &p) {
			rt.Fatalf("no part in %v", err)
		}
		if touched[p.Attribute] || slices.Contains(given, p.Attribute) {
			rt.Fatalf("%v, but that is known", err)
		}
		if !depends(rt, l, p.Index, before, changes, touched, given) {
			rt.Fatalf("%v, but the keys of %s do not depend on what is not known", err, p.Index)
		}
	default:
		rt.Fatalf("%v", err)
	}
	if err != nil {
		if diff := cmp.Diff(before, after, sameItem); diff != "" {
			rt.Fatalf("refused, and yet changed:\n%s", diff)
		}
	}
	for _, sentinel := range []error{txn.ErrChanged, txn.ErrUnknownPart} {
		if errors.Is(err, sentinel) {
			return sentinel
		}
	}
	return nil
}

func drawValue(t *rapid.T, attr string) any {
	switch attr {
	case "user":
		return rapid.SampledFrom([]string{"u", "w"}).Draw(t, "new user")
	case "plate":
		return rapid.SampledFrom([]string{"", "ab", "x y"}).Draw(t, "new plate")
	case "day":
		return day31.AddDays(rapid.IntRange(0, 2).Draw(t, "new day"))
	case "km":
		return rapid.IntRange(0, 2).Draw(t, "new km")
	case "private":
		return rapid.Bool().Draw(t, "new private")
	default:
		return "n"
	}
}

// depends tells by trying whether the keys of an index, once the changes are
// made, differ with the values of the attributes that are neither changed nor
// given.
func depends(t *rapid.T, l *tripTable, index string, before model.Item, changes []txn.Change, touched map[string]bool, given []string) bool {
	free := func(attr string) bool { return !touched[attr] && !slices.Contains(given, attr) }
	if index == toBill.Name() && (free("private") || free("km")) {
		return true // nobody but its function knows what it makes of the one without the other
	}
	base, err := l.trips.Unmarshal(txn.ApplyForTest(before, l.trips, changes))
	if err != nil {
		t.Fatalf("oracle: %v", err)
	}
	options := []Trip{base}
	vary := func(attr string, set ...func(*Trip)) {
		if !free(attr) {
			return
		}
		var next []Trip
		for _, v := range options {
			for _, f := range set {
				c := v
				f(&c)
				next = append(next, c)
			}
		}
		options = next
	}
	vary("user", func(v *Trip) { v.User = "u" }, func(v *Trip) { v.User = "other" })
	vary("plate", func(v *Trip) { v.Plate = "" }, func(v *Trip) { v.Plate = "p" }, func(v *Trip) { v.Plate = "q" })
	vary("day", func(v *Trip) { v.Day = keys.Date{} }, func(v *Trip) { v.Day = day31 }, func(v *Trip) { v.Day = day31.AddDays(9) })
	vary("km", func(v *Trip) { v.Km = 0 }, func(v *Trip) { v.Km = 9 })
	vary("private", func(v *Trip) { v.Private = false }, func(v *Trip) { v.Private = true })
	seen := map[string]bool{}
	for _, v := range options {
		item, err := l.trips.Marshal(&v)
		if err != nil {
			t.Fatalf("oracle: %v", err)
		}
		text := ""
		for _, ix := range l.trips.Indexes() {
			if ix.Index.Name() == index {
				for _, name := range ix.Attributes {
					text += fmt.Sprint(name, "=", flat(model.Item{name: item[name]}), " ")
				}
			}
		}
		seen[text] = true
	}
	return len(seen) > 1
}

func TestIndexRequests(t *testing.T) {
	l := defineTrips("mileage", nil)
	for _, test := range []struct {
		name, reason string
		action       txn.Action
	}{
		{"index-create", "every index key is written", txn.Create(l.trips, &Trip{ID: "t-1", User: "u", Plate: "AB-12", Day: day31, Km: 7})},
		{"index-create-sparse", "none of an index that the item is not in", txn.Create(l.trips, &Trip{ID: "t-1", User: "u", Day: day31})},
		{"index-update-rewrite", "the key is made of what is set, of what is given, which is a condition, and of the primary key",
			txn.Update(l.key("t-1"), txn.Set("plate", "AB-12"), txn.Given("user", "u"), txn.Given("day", day31))},
		{"index-update-leave", "a part that is empty takes the item out", txn.Update(l.key("t-1"), txn.Remove("plate"))},
		{"index-update-keep", "no part is touched", txn.Update(l.key("t-1"), txn.Set("note", "n"), txn.Given("plate", nil))},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := &recorder{}
			if err := txn.Commit(ctx, db, test.action); err != nil {
				t.Fatal(err)
			}
			golden(t, test.name, goldenFile{test.reason, []request{meaning(t, db.inputs[0])}})
		})
	}
}
