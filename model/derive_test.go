package model_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

func TestDerive(t *testing.T) {
	m := mileage()
	key := m.trips.Key(tripKey.Key("t-1"), Singular.Key())
	at := str("2026-02-01T00:00:00Z")
	for _, tt := range []struct {
		why           string
		change, given model.Item
		want          model.Derivation
	}{
		{"nothing that an index is made of", model.Item{"note": str("x")}, nil, model.Derivation{}},
		{"one part that is all", model.Item{"km": num("7")}, nil, model.Derivation{Set: model.Item{"lsi1sk": num("7")}}},
		{"a part of two indexes, the others unknown", model.Item{"start": at}, nil, model.Derivation{Missing: []model.MissingPart{
			{Index: m.byVehicle, Placeholder: "user", Attribute: "user"}, {Index: m.byVehicle, Placeholder: "plate", Attribute: "plate"},
			{Index: m.native, Placeholder: "user", Attribute: "user"}, {Index: m.native, Attribute: "plate"}}}},
		{"what is missing is given", model.Item{"start": at}, model.Item{"user": str("u"), "plate": str("P"), "note": str("x")}, model.Derivation{
			Set:  model.Item{"gsi1pk": str("USER#u#p"), "gsi1sk": str("2026-02-01T00:00:00Z#t-1"), "number": str("p"), "at": at, "tripId": str("t-1")},
			Used: []string{"plate", "user"}}},
		{"a part that is removed takes it out, whatever else there is", model.Item{"start": nil}, nil,
			model.Derivation{Set: model.Item{}, Remove: []string{"at", "gsi1pk", "gsi1sk", "number", "tripId"}}},
		{"a part that becomes empty, too", model.Item{"plate": str("")}, nil,
			model.Derivation{Set: model.Item{}, Remove: []string{"at", "gsi1pk", "gsi1sk", "number", "tripId"}}},
		{"given that a part is absent", model.Item{"start": at}, model.Item{"plate": nil},
			model.Derivation{Set: model.Item{}, Remove: []string{"at", "gsi1pk", "gsi1sk", "number", "tripId"}, Used: []string{"plate"}}},
		{"Only says no", model.Item{"private": &types.AttributeValueMemberBOOL{}}, nil, model.Derivation{Set: model.Item{}, Remove: []string{"gsi2pk"}}},
		{"Only says yes, but of whom", model.Item{"private": yes()}, nil,
			model.Derivation{Missing: []model.MissingPart{{Index: m.private, Placeholder: "user", Attribute: "user"}}}},
		{"Only says yes, of one who is given", model.Item{"private": yes()}, model.Item{"user": str("u")},
			model.Derivation{Set: model.Item{"gsi2pk": str("OWNER#u")}, Used: []string{"user"}}},
		{"the user goes: of no importance what Only says", model.Item{"user": nil}, nil,
			model.Derivation{Set: model.Item{}, Remove: []string{"at", "gsi1pk", "gsi1sk", "gsi2pk", "number", "tripId", "user"}[:6]}},
		{"all of it", model.Item{"user": str("u"), "plate": str("p"), "start": at, "private": yes(), "km": num("1")}, nil, model.Derivation{
			Set: model.Item{"gsi1pk": str("USER#u#p"), "gsi1sk": str("2026-02-01T00:00:00Z#t-1"), "number": str("p"), "at": at, "tripId": str("t-1"),
				"gsi2pk": str("OWNER#u"), "lsi1sk": num("1")}}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			got, err := m.trips.Derive(key, tt.change, tt.given)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, opts, cmp.Comparer(func(a, b *model.Index) bool { return a == b })); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeriveRefuses(t *testing.T) {
	m := mileage()
	key := m.trips.Key(tripKey.Key("t-1"), Singular.Key())
	other := mileage()
	for _, tt := range []struct {
		why    string
		key    model.Key[Trip]
		change model.Item
		is     error
	}{
		{"the zero key", model.Key[Trip]{}, model.Item{"km": num("1")}, model.ErrZero},
		{"a key of another table", other.trips.Key(tripKey.Key("t-1"), Singular.Key()), model.Item{"km": num("1")}, model.ErrEntity},
		{"an invalid key", m.trips.Key(tripKey.Key("t-1")), model.Item{"km": num("1")}, model.ErrMissing},
		{"a value that does not fit", key, model.Item{"km": str("x")}, model.ErrValue},
		{"a value that the codec refuses", key, model.Item{"km": num("9999999999")}, keys.ErrValue},
		{"a text that is none", key, model.Item{"user": str("\xff"), "private": yes()}, keys.ErrUTF8},
		{"a key that is too long", key, model.Item{"user": str(strings.Repeat("x", 2048)), "private": yes(), "plate": nil}, model.ErrTooLarge},
	} {
		if d, err := m.trips.Derive(tt.key, tt.change, nil); !errors.Is(err, tt.is) || d.Set != nil || d.Remove != nil || d.Missing != nil {
			t.Errorf("%s: got %+v, %v", tt.why, d, err)
		}
	}
}

// An attribute of the domain that is an index key is put into the key's form.
func TestDeriveOwnAttributes(t *testing.T) {
	type trip struct {
		ID    string `dynamodbav:"-" key:"id"`
		User  string `dynamodbav:"user"`
		Plate string `dynamodbav:"plate"`
		Zone  string `dynamodbav:"zone"`
	}
	id := keys.MustCompile1("TRIP#<id>", keys.String)
	own, mixed := model.NativeGSI("own"), model.NativeGSI("mixed")
	table := model.NewTable("t", model.PrimaryKey("pk"), own, mixed)
	e := model.MustDefine[trip](table, "Trip", id, nil,
		model.On(own, keys.MustCompile2("<user>#<plate>", keys.String, keys.Fold(keys.String)), nil),
		model.On(mixed, keys.MustCompile2("<user>#<area>", keys.String, keys.String), nil, model.Only(func(t *trip) bool { return t.Zone != "none" }, "zone")),
		model.Computed("area", func(t *trip) string { return t.Zone }, "zone"))
	key := e.Key(id.Key("1"))
	for _, tt := range []struct {
		why           string
		change, given model.Item
		want          model.Derivation
	}{
		{"in its form: nothing to do", model.Item{"plate": str("ab")}, nil, model.Derivation{Set: model.Item{}}},
		{"not in its form", model.Item{"plate": str("AB")}, nil, model.Derivation{Set: model.Item{"plate": str("ab")}}},
		{"empty: absent", model.Item{"plate": str("")}, nil, model.Derivation{Set: model.Item{}, Remove: []string{"plate"}}},
		{"NULL: absent", model.Item{"plate": null()}, nil, model.Derivation{Set: model.Item{}, Remove: []string{"plate"}}},
		{"removed: it is", model.Item{"plate": nil}, nil, model.Derivation{Set: model.Item{}}},
		{"shared, and a derived one beside it", model.Item{"user": str("u")}, model.Item{"zone": str("z")},
			model.Derivation{Set: model.Item{"area": str("z")}, Used: []string{"zone"}}},
		{"Only says no: the own attribute stays", model.Item{"user": str("u")}, model.Item{"zone": str("none")},
			model.Derivation{Set: model.Item{}, Remove: []string{"area"}, Used: []string{"zone"}}},
		{"shared, and not known", model.Item{"user": str("u")}, nil,
			model.Derivation{Missing: []model.MissingPart{{Index: mixed, Attribute: "zone"}}}},
	} {
		got, err := e.Derive(key, tt.change, tt.given)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got, opts, cmp.Comparer(func(a, b *model.Index) bool { return a == b })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
	}
}

// The planner against an oracle that knows the whole item: what it plans makes
// every stored key the derived one, and what it refuses cannot be known, because
// two items of which the same is known need different updates.
func TestDeriveAgainstOracle(t *testing.T) {
	m := mileage()
	draw := func(t *rapid.T) Trip {
		return Trip{
			ID:      "t-1",
			User:    rapid.SampledFrom([]string{"", "u", "v"}).Draw(t, "user"),
			Plate:   rapid.SampledFrom([]string{"", "P", "Q"}).Draw(t, "plate"),
			Start:   rapid.SampledFrom([]time.Time{{}, departure, departure.Add(time.Hour)}).Draw(t, "start"),
			Private: rapid.Bool().Draw(t, "private"),
			Km:      rapid.IntRange(0, 2).Draw(t, "km"),
		}
	}
	attrs := []string{"user", "plate", "start", "private", "km", "note"}
	derived := []string{}
	for _, d := range m.trips.Indexes() {
		derived = append(derived, d.Attributes...)
	}
	marshal := func(v Trip) model.Item {
		item, err := m.trips.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		return item
	}
	// merge gives before with those attributes that are named as in after.
	merge := func(before, after model.Item, names []string) model.Item {
		out := with(before, "", nil)
		for _, n := range names {
			out = with(out, n, after[n])
		}
		return out
	}
	// rewritten is the item as the oracle writes it: read, and marshalled whole.
	rewritten := func(item model.Item) model.Item {
		v, err := m.trips.Unmarshal(item)
		if err != nil {
			t.Fatal(err)
		}
		return marshal(v)
	}
	rapid.Check(t, func(t *rapid.T) {
		before, after := draw(t), draw(t)
		touched := rapid.SliceOfNDistinct(rapid.SampledFrom(attrs), 1, 4, rapid.ID[string]).Draw(t, "touched")
		told := rapid.SliceOfNDistinct(rapid.SampledFrom(attrs), 0, 4, rapid.ID[string]).Draw(t, "told")
		stored, next := marshal(before), marshal(after)
		change, given := model.Item{}, model.Item{}
		for _, n := range touched {
			change[n] = next[n]
		}
		for _, n := range told {
			if !slices.Contains(touched, n) {
				given[n] = stored[n]
			}
		}
		key, err := m.trips.KeyOf(&before)
		if err != nil {
			t.Fatal(err)
		}
		d, err := m.trips.Derive(key, change, given)
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Missing) == 0 {
			got := merge(stored, next, touched)
			for n, av := range d.Set {
				got = with(got, n, av)
			}
			for _, n := range d.Remove {
				got = with(got, n, nil)
			}
			if want := rewritten(merge(stored, next, touched)); !model.EqualItems(want, got) {
				t.Fatalf("before %+v\nchange %v\nplan %+v\n(-rewritten +updated):\n%s", before, touched, d, cmp.Diff(want, got, opts))
			}
			return
		}
		// Some two items, the same in what is known, must need different updates of
		// the derived attributes.
		for _, p := range d.Missing {
			if _, ok := change[p.Attribute]; ok {
				t.Fatalf("%q is missing, but the update writes it", p.Attribute)
			}
			if _, ok := given[p.Attribute]; ok {
				t.Fatalf("%q is missing, but it is given", p.Attribute)
			}
		}
		plans := map[string]bool{}
		for _, user := range []string{"", "u", "v"} {
			for _, plate := range []string{"", "P", "Q"} {
				for _, start := range []time.Time{{}, departure, departure.Add(time.Hour)} {
					for _, private := range []bool{false, true} {
						world := marshal(Trip{ID: "t-1", User: user, Plate: plate, Start: start, Private: private, Km: before.Km})
						world = rewritten(merge(world, stored, append(touched, told...))) // of which the same is known
						for n := range change {
							world = with(world, n, stored[n])
						}
						world = rewritten(world)
						after := rewritten(merge(world, next, touched))
						plan := ""
						for _, n := range derived {
							plan += fmt.Sprintf("%s=%v ", n, render(after[n]))
						}
						plans[plan] = true
					}
				}
			}
		}
		if len(plans) < 2 {
			t.Fatalf("before %+v\nchange %v, given %v\nmissing %+v, but there is one plan alone: %v", before, touched, given, d.Missing, plans)
		}
	})
}

func TestCheckIndexes(t *testing.T) {
	m := mileage()
	v := aTrip()
	item, err := m.trips.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why  string
		item model.Item
		want *model.KeyMismatchError
	}{
		{"as written", item, nil},
		{"an attribute that changed alone", with(item, "plate", str("X")),
			&model.KeyMismatchError{Entity: "Trip", Attribute: "gsi1pk", Template: vehicle.String(), Stored: "USER#u%231#67-pk-ks", Derived: "USER#u%231#x"}},
		{"an index key that is missing", with(item, "gsi1sk", nil),
			&model.KeyMismatchError{Entity: "Trip", Attribute: "gsi1sk", Template: startAndID.String(), Derived: "2026-01-31T09:00:00Z#t-1"}},
		{"one that should not be there", with(item, "private", &types.AttributeValueMemberBOOL{}),
			&model.KeyMismatchError{Entity: "Trip", Attribute: "gsi2pk", Template: owner.String(), Stored: "OWNER#u%231"}},
		{"a number", with(item, "lsi1sk", num("5")),
			&model.KeyMismatchError{Entity: "Trip", Attribute: "lsi1sk", Template: kilometres.String(), Stored: "5", Derived: "-42"}},
		{"of another type", with(item, "gsi2pk", yes()),
			&model.KeyMismatchError{Entity: "Trip", Attribute: "gsi2pk", Template: owner.String(), Stored: "BOOL", Derived: "OWNER#u%231"}},
	} {
		err := m.trips.CheckIndexes(tt.item)
		var got *model.KeyMismatchError
		errors.As(err, &got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tt.why, err, diff)
		}
		if _, err := m.trips.Unmarshal(tt.item); err != nil {
			t.Errorf("%s: cannot be read: %v", tt.why, err)
		}
	}
	if err := m.trips.CheckIndexes(nil); !errors.Is(err, model.ErrEntity) {
		t.Errorf("no item: %v", err)
	}
	if err := (*model.Entity[Trip])(nil).CheckIndexes(item); !errors.Is(err, model.ErrZero) {
		t.Errorf("a nil entity: %v", err)
	}
}
