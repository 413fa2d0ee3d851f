package model_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// Keys that are one number or one binary.
func TestNumberAndBinaryKeys(t *testing.T) {
	type reading struct {
		Device []byte  `dynamodbav:"-" key:"device"`
		At     int64   `dynamodbav:"-" key:"at"`
		Value  float64 `dynamodbav:"value"`
	}
	pk, sk := keys.MustCompile1("<device>", keys.Bytes), keys.MustCompile1("<at>", keys.Int(19))
	for _, typeAttr := range []string{"_type", ""} {
		table := model.NewTable("t", model.PrimaryKey("id", "at"), model.BinaryKey("id"), model.NumberKey("at"), model.TypeAttribute(typeAttr))
		e := model.MustDefine[reading](table, "Reading", pk, sk)
		v := reading{Device: []byte{0, 255}, At: -42, Value: 1.5}
		item, err := e.Marshal(&v)
		want := model.Item{"id": bin(0, 255), "at": num("-42"), "value": num("1.5")}
		if typeAttr != "" {
			want[typeAttr] = str("Reading")
		}
		if diff := cmp.Diff(want, item, opts); err != nil || diff != "" {
			t.Fatalf("%v (-want +got):\n%s", err, diff)
		}
		back, err := e.Unmarshal(item)
		if diff := cmp.Diff(v, back); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if c := e.Classify(item); c != model.Own {
			t.Errorf("Classify = %v", c)
		}
		k, err := e.KeyOf(&v)
		if err != nil || k != e.Key(pk.Key([]byte{0, 255}), sk.Key(-42)) {
			t.Errorf("KeyOf = %v, %v", k, err)
		}
		if diff := cmp.Diff(model.Item{"id": bin(0, 255), "at": num("-42")}, k.Item(), opts); diff != "" {
			t.Errorf("Item (-want +got):\n%s", diff)
		}
		if stored, err := e.KeyOfItem(item); err != nil || stored != k {
			t.Errorf("KeyOfItem = %v, %v", stored, err)
		}
		in := table.CreateInput()
		if in.AttributeDefinitions[0].AttributeType != "B" || in.AttributeDefinitions[1].AttributeType != "N" {
			t.Errorf("CreateInput: %+v", in.AttributeDefinitions)
		}
		for why, bad := range map[string]model.Item{
			"a text for a number":  with(item, "at", str("-42")),
			"a fraction":           with(item, "at", num("1.5")),
			"a text for a binary":  with(item, "id", str("00FF")),
			"an empty binary":      with(item, "id", bin()),
			"no number":            with(item, "at", nil),
			"too great a number":   with(item, "at", num("1E+30")),
			"an attribute of none": with(item, "id", nil),
		} {
			var ie *model.ItemError
			if _, err := e.Unmarshal(bad); !errors.As(err, &ie) {
				t.Errorf("%s: %v", why, err)
			}
			if _, err := e.KeyOfItem(bad); !errors.As(err, &ie) {
				t.Errorf("%s: KeyOfItem: %v", why, err)
			}
			if typeAttr == "" && e.Classify(bad) != model.Unknown {
				t.Errorf("%s: Classify = %v", why, e.Classify(bad))
			}
		}
		var se *model.SizeError
		if _, err := e.Marshal(&reading{Device: make([]byte, 2049)}); !errors.As(err, &se) || se.Size != 2049 || se.Attribute != "id" {
			t.Errorf("2049 bytes: %v", err)
		}
		if _, err := e.Marshal(&reading{Device: make([]byte, 2048)}); err != nil {
			t.Errorf("2048 bytes: %v", err)
		}
	}
	t.Run("a mismatch of numbers", func(t *testing.T) {
		type both struct {
			ID string `dynamodbav:"-" key:"id"`
			At int    `dynamodbav:"when" key:"at"`
		}
		table := model.NewTable("t", model.PrimaryKey("pk", "at"), model.NumberKey("at"))
		e := model.MustDefine[both](table, "E", keys.MustCompile1("<id>", keys.String), keys.MustCompile1("<at>", keys.Int(9)))
		item, err := e.Marshal(&both{"x", 5})
		if err != nil {
			t.Fatal(err)
		}
		var m *model.KeyMismatchError
		if _, err := e.Unmarshal(with(item, "when", num("6"))); !errors.As(err, &m) || m.Stored != "5" || m.Derived != "6" {
			t.Errorf("another number: %v", err)
		}
	})
}

// A native index over plain attributes of the domain.
func TestOwnAttributes(t *testing.T) {
	type trip struct {
		ID    string    `dynamodbav:"-" key:"id"`
		User  *string   `dynamodbav:"user"`
		Plate string    `dynamodbav:"plate"`
		Start time.Time `dynamodbav:"start"`
		Km    int       `dynamodbav:"-" key:"km"`
	}
	ix := model.NativeGSI("byVehicle")
	table := model.NewTable("t", model.PrimaryKey("pk"), ix)
	e := model.MustDefine[trip](table, "Trip", keys.MustCompile1("TRIP#<id>", keys.String), nil,
		model.On(ix, keys.MustCompile2("<user>#<plate>", keys.String, keys.Fold(keys.String)),
			keys.MustCompile2("<start>#<km>", keys.Time(keys.Second), keys.IntOf[int](6))))
	v := trip{ID: "1", User: new("u#1"), Plate: "67-PK", Start: departure, Km: -3}
	item, err := e.Marshal(&v)
	want := model.Item{"pk": str("TRIP#1"), "_type": str("Trip"), "user": str("u#1"), "plate": str("67-pk"), "start": str("2026-01-31T09:00:00Z"), "km": num("-3")}
	if diff := cmp.Diff(want, item, opts); err != nil || diff != "" {
		t.Fatalf("%v (-want +got):\n%s", err, diff)
	}
	canonical := trip{ID: "1", User: new("u#1"), Plate: "67-pk", Start: departure.Truncate(time.Second), Km: -3}
	if back, err := e.Unmarshal(item); err != nil || !cmp.Equal(canonical, back) {
		t.Errorf("%v\n%s", err, cmp.Diff(canonical, back))
	}
	for _, tt := range []struct {
		why  string
		attr string
		v    any
		want any
	}{
		{"folded", "plate", "67-PK", str("67-pk")},
		{"cut to the second", "start", departure, str("2026-01-31T09:00:00Z")},
		{"empty is absent", "plate", "", nil},
		{"a number", "km", 5, num("5")},
		{"behind a pointer", "user", "u", str("u")},
	} {
		got, err := e.Encode(tt.attr, tt.v)
		if diff := cmp.Diff(tt.want, any(got), opts); err != nil || diff != "" && !(tt.want == nil && got == nil) {
			t.Errorf("%s: %v (-want +got):\n%s", tt.why, err, diff)
		}
	}
	empty := trip{ID: "2", Km: 0}
	item, err = e.Marshal(&empty)
	want = model.Item{"pk": str("TRIP#2"), "_type": str("Trip"), "km": num("0")}
	if diff := cmp.Diff(want, item, opts); err != nil || diff != "" {
		t.Errorf("absent, never empty: %v (-want +got):\n%s", err, diff)
	}
	if back, err := e.Unmarshal(item); err != nil || !cmp.Equal(empty, back) {
		t.Errorf("%v\n%s", err, cmp.Diff(empty, back))
	}
	if _, err := e.Marshal(&trip{ID: "3", Km: 1e7}); !errors.Is(err, keys.ErrValue) {
		t.Errorf("a value that the codec refuses: %v", err)
	}
	k := e.Key(keys.MustCompile1("TRIP#<id>", keys.String).Key("1"))
	if k.Err() == nil {
		t.Error("another template of the same text is taken")
	}
	var se *model.SizeError
	if _, err := e.Marshal(&trip{ID: "4", User: new(strings.Repeat("x", 2000)), Plate: strings.Repeat("y", 49), Start: departure}); !errors.As(err, &se) || se.Size != 2049 {
		t.Errorf("parts that are too long together: %v", err)
	}
	old := with(with(item, "plate", str("67-PK")), "start", str("2026-01-31T10:00:00.5+01:00"))
	if got, err := e.Unmarshal(old); err != nil || got.Plate != "67-PK" || !got.Start.Equal(departure) {
		t.Errorf("an item from before there was an index: %+v, %v", got, err)
	}
	var m *model.KeyMismatchError
	if err := e.CheckIndexes(with(with(old, "user", str("u")), "km", num("1"))); !errors.As(err, &m) || m.Attribute != "plate" || m.Derived != "67-pk" {
		t.Errorf("an item that is not indexed as it should be: %v", err)
	}
	var ie *model.ItemError
	if _, err := e.Unmarshal(with(item, "start", yes())); !errors.As(err, &ie) || ie.Attribute != "start" {
		t.Errorf("another type: %v", err)
	}
	view, err := model.ViewOf[struct {
		Plate *string `dynamodbav:"plate"`
		Km    int     `dynamodbav:"km"`
	}](e)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := view.Unmarshal(with(item, "plate", str("x y"))); err != nil || *got.Plate != "x y" || got.Km != 0 {
		t.Errorf("a view: %+v, %v", got, err)
	}
	if _, err := model.ViewOf[struct {
		Plate int `dynamodbav:"plate"`
	}](e); !errors.Is(err, model.ErrDeclaration) {
		t.Errorf("a view of another type: %v", err)
	}
}

// A joined key that is one placeholder and the field's own attribute.
func TestOwnJoinedAttribute(t *testing.T) {
	type user struct {
		ID    string  `dynamodbav:"-" key:"id"`
		Email *string `dynamodbav:"email"`
	}
	ix := model.GSI("byEmail", model.IndexKey("email"))
	e := model.MustDefine[user](model.NewTable("t", model.PrimaryKey("pk"), ix), "User", keys.MustCompile1("USER#<id>", keys.String), nil,
		model.On(ix, keys.MustCompile1("<email>", keys.Fold(keys.String)), nil))
	item, err := e.Marshal(&user{"1", new("Ann Lee@x.nl")})
	want := model.Item{"pk": str("USER#1"), "_type": str("User"), "email": str("ann%20lee@x.nl")}
	if diff := cmp.Diff(want, item, opts); err != nil || diff != "" {
		t.Fatalf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := e.Unmarshal(item); err != nil || *got.Email != "ann lee@x.nl" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := e.Unmarshal(with(item, "email", null())); err != nil || got.Email != nil {
		t.Errorf("NULL: %v, %v", got, err)
	}
	if item, err := e.Marshal(&user{ID: "1"}); err != nil || item["email"] != nil {
		t.Errorf("a nil pointer: %v, %v", item, err)
	}
	if _, err := e.Marshal(&user{"1", new("\xff")}); !errors.Is(err, keys.ErrUTF8) {
		t.Errorf("bad text: %v", err)
	}
	if got := e.Indexes(); len(got) != 1 || got[0].Attributes != nil || !cmp.Equal(got[0].Parts, []string{"email"}) {
		t.Errorf("Indexes: %+v", got)
	}
}

func TestViewOn(t *testing.T) {
	m := mileage()
	v := aTrip()
	item, err := m.trips.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	project := func(names ...string) model.Item {
		out := model.Item{}
		for _, n := range names {
			out[n] = item[n]
		}
		return out
	}
	type keysOnly struct {
		ID   string `dynamodbav:"-" key:"tripId"`
		User string `dynamodbav:"user"`
	}
	t.Run("keys only", func(t *testing.T) {
		view, err := model.ViewOn[keysOnly](m.trips, m.private)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"gsi2pk", "pk", "sk"}, view.Attributes()); diff != "" {
			t.Errorf("Attributes (-want +got):\n%s", diff)
		}
		entry := project("pk", "sk", "gsi2pk")
		if got, err := view.Unmarshal(entry); err != nil || got != (keysOnly{"t-1", "u#1"}) {
			t.Errorf("got %+v, %v", got, err)
		}
		if c := view.Classify(entry); c != model.Own {
			t.Errorf("Classify = %v", c)
		}
		if c := view.Classify(with(entry, "pk", str("CAR#1"))); c != model.Unknown {
			t.Errorf("Classify = %v", c)
		}
		var ie *model.ItemError
		if _, err := view.Unmarshal(project("pk", "sk")); !errors.As(err, &ie) || ie.Attribute != "gsi2pk" || !errors.Is(err, model.ErrMissing) {
			t.Errorf("no entry: %v", err)
		}
		if _, err := view.Unmarshal(with(entry, "gsi2pk", str("X"))); !errors.Is(err, keys.ErrSyntax) {
			t.Errorf("another key: %v", err)
		}
		type other struct {
			ID string `dynamodbav:"-" key:"tripId"`
		}
		model.MustDefine[other](m.table, "Other", tripKey, keys.Literal("OTHER"))
		if c := view.Classify(with(entry, "sk", str("OTHER"))); c != model.Other {
			t.Errorf("Classify = %v", c)
		}
		model.MustDefine[other](m.table, "Twin", tripKey, Singular)
		if c := view.Classify(entry); c != model.Unknown {
			t.Errorf("an entry that could be of two entities: %v", c)
		}
	})
	t.Run("native", func(t *testing.T) {
		type summary struct {
			ID     string    `dynamodbav:"-" key:"tripId"`
			Number string    `key:"number"`
			At     time.Time `key:"at"`
			Km     int       `dynamodbav:"km"`
			Note   string    `dynamodbav:"note"`
		}
		view, err := model.ViewOn[summary](m.trips, m.native)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"_type", "at", "km", "note", "number", "pk", "sk", "tripId", "user"}
		if diff := cmp.Diff(want, view.Attributes()); diff != "" {
			t.Errorf("Attributes (-want +got):\n%s", diff)
		}
		got, err := view.Unmarshal(project(want...))
		if diff := cmp.Diff(summary{"t-1", "67-pk-ks", departure.Truncate(time.Second), -42, "n"}, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if again, err := model.ViewOn[summary](m.trips, m.native); err != nil || again != view {
			t.Errorf("made twice: %v", err)
		}
		if _, err := view.Unmarshal(with(project(want...), "at", str("noon"))); !errors.Is(err, keys.ErrValue) && !errors.Is(err, keys.ErrSyntax) {
			t.Errorf("a key that is none: %v", err)
		}
	})
	t.Run("what the index does not hold", func(t *testing.T) {
		var ee *model.EntityError
		_, err := model.ViewOn[Trip](m.trips, m.native)
		if !errors.As(err, &ee) || !errors.Is(err, model.ErrIndex) || ee.Field != "Plate" {
			t.Errorf("got %v", err)
		}
		_, err = model.ViewOn[struct {
			X string `dynamodbav:"nowhere"`
		}](m.trips, m.native)
		if !errors.As(err, &ee) || errors.Is(err, model.ErrIndex) || ee.Field != "X" {
			t.Errorf("got %v", err)
		}
		if _, err := model.ViewOn[keysOnly](m.trips, nil); !errors.Is(err, model.ErrIndex) {
			t.Errorf("got %v", err)
		}
		if _, err := model.ViewOn[keysOnly]((*model.Entity[Trip])(nil), m.native); !errors.Is(err, model.ErrZero) {
			t.Errorf("got %v", err)
		}
	})
}
