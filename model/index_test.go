package model_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// Trips of a mileage registration: their key is a surrogate, their lists indexes.

type Trip struct {
	ID      string    `dynamodbav:"-" key:"tripId"`
	User    string    `dynamodbav:"user,omitempty"`
	Plate   string    `dynamodbav:"plate,omitempty"`
	Start   time.Time `dynamodbav:"start,omitempty"`
	Private bool      `dynamodbav:"private"`
	Km      int       `dynamodbav:"km"`
	Note    string    `dynamodbav:"note,omitempty"`
}

type tripModel struct {
	table                            *model.Table
	byVehicle, native, byKm, private *model.Index
	trips                            *model.Entity[Trip]
}

var (
	tripKey    = keys.MustCompile1("TRIP#<tripId>", keys.String)
	vehicle    = keys.MustCompile2("USER#<user>#<plate>", keys.String, keys.Fold(keys.String))
	nativeCar  = keys.MustCompile2("<user>/<number>", keys.String, keys.Fold(keys.String))
	startAndID = keys.MustCompile2("<start>#<tripId>", keys.Time(keys.Second), keys.String)
	atAndID    = keys.MustCompile2("<at>#<tripId>", keys.Time(keys.Second), keys.String)
	kilometres = keys.MustCompile1("<km>", keys.IntOf[int](9))
	owner      = keys.MustCompile1("OWNER#<user>", keys.String)
)

func mileage(opts ...model.TableOption) tripModel {
	m := tripModel{
		byVehicle: model.GSI("byVehicle", model.IndexKey("gsi1pk", "gsi1sk")),
		native:    model.NativeGSI("nativeVehicle", model.Include("note", "km")),
		byKm:      model.LSI("byKm", model.IndexKey("pk", "lsi1sk")),
		private:   model.GSI("private", model.IndexKey("gsi2pk"), model.KeysOnly()),
	}
	m.table = model.NewTable("mileage", append([]model.TableOption{model.PrimaryKey("pk", "sk"),
		m.byVehicle, m.native, m.byKm, m.private, model.NumberKey("lsi1sk")}, opts...)...)
	m.trips = model.MustDefine[Trip](m.table, "Trip", tripKey, Singular,
		model.On(m.byVehicle, vehicle, startAndID),
		model.On(m.native, nativeCar, atAndID),
		model.On(m.byKm, nil, kilometres),
		model.On(m.private, owner, nil, model.Only(func(t *Trip) bool { return t.Private }, "private")),
		model.Computed("number", func(t *Trip) string { return t.Plate }, "plate"),
		model.Computed("at", func(t *Trip) time.Time { return t.Start }, "start"),
	)
	return m
}

var departure = time.Date(2026, 1, 31, 9, 0, 0, 5e8, time.UTC)

func aTrip() Trip {
	return Trip{ID: "t-1", User: "u#1", Plate: "67-PK-KS", Start: departure, Private: true, Km: -42, Note: "n"}
}

func TestGoldenIndexItems(t *testing.T) {
	m := mileage()
	var b strings.Builder
	for _, tt := range []struct {
		title string
		trip  Trip
	}{
		{"in every index", aTrip()},
		{"not private: Only says no", func() Trip { v := aTrip(); v.Private = false; return v }()},
		{"without a plate: a part is missing", func() Trip { v := aTrip(); v.Plate = ""; return v }()},
		{"without a start", func() Trip { v := aTrip(); v.Start = time.Time{}; return v }()},
		{"in none but the local one", Trip{ID: "t-2"}},
	} {
		item, err := m.trips.Marshal(&tt.trip)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "# %s\n%s\n", tt.title, renderItem(item))
		back, err := m.trips.Unmarshal(item)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.trip, back); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.title, diff)
		}
		if err := m.trips.CheckIndexes(item); err != nil {
			t.Errorf("%s: %v", tt.title, err)
		}
	}
	golden(t, "indexes.golden", b.String())
}

func TestIndexAnswers(t *testing.T) {
	m := mileage()
	s := func(names ...string) (out []model.KeyAttribute) {
		for _, n := range names {
			out = append(out, model.KeyAttribute{Name: n, Type: types.ScalarAttributeTypeS})
		}
		return out
	}
	byText := cmp.Comparer(func(a, b keys.Template) bool {
		return (a == nil) == (b == nil) && (a == nil || a.String() == b.String())
	})
	byName := cmp.Comparer(func(a, b *model.Index) bool { return a == b })
	for _, tt := range []struct {
		ix   *model.Index
		want model.EntityIndex
	}{
		{m.byVehicle, model.EntityIndex{Partition: model.KeySpec{Template: vehicle, Attributes: s("gsi1pk")}, Sort: model.KeySpec{Template: startAndID, Attributes: s("gsi1sk")}, Complete: true}},
		{m.native, model.EntityIndex{Partition: model.KeySpec{Template: nativeCar, Attributes: s("user", "number"), Native: true}, Sort: model.KeySpec{Template: atAndID, Attributes: s("at", "tripId"), Native: true}}},
		{m.byKm, model.EntityIndex{Partition: model.KeySpec{Template: tripKey, Attributes: s("pk")}, Sort: model.KeySpec{Template: kilometres, Attributes: []model.KeyAttribute{{Name: "lsi1sk", Type: "N"}}, Native: true}, Complete: true}},
		{m.private, model.EntityIndex{Partition: model.KeySpec{Template: owner, Attributes: s("gsi2pk")}}},
	} {
		tt.want.Index = tt.ix
		got, err := m.trips.Index(tt.ix)
		if diff := cmp.Diff(tt.want, got, byText, byName); err != nil || diff != "" {
			t.Errorf("Index(%s): %v (-want +got):\n%s", tt.ix.Name(), err, diff)
		}
		pk, sk, err := m.table.KeySpecs(tt.ix)
		want := []model.KeySpec{tt.want.Partition, tt.want.Sort}
		want[0].Template, want[1].Template = nil, nil
		if diff := cmp.Diff(want, []model.KeySpec{pk, sk}, byText); err != nil || diff != "" {
			t.Errorf("KeySpecs(%s): %v (-want +got):\n%s", tt.ix.Name(), err, diff)
		}
	}
	pk, sk := m.trips.KeySpecs()
	if diff := cmp.Diff([]model.KeySpec{{Template: tripKey, Attributes: s("pk")}, {Template: Singular, Attributes: s("sk")}}, []model.KeySpec{pk, sk}, byText); diff != "" {
		t.Errorf("KeySpecs (-want +got):\n%s", diff)
	}
	want := []model.DerivedIndex{
		{Index: m.byVehicle, Attributes: []string{"gsi1pk", "gsi1sk"}, Parts: []string{"plate", "start", "user"}},
		{Index: m.native, Attributes: []string{"number", "at", "tripId"}, Parts: []string{"plate", "start", "user"}},
		{Index: m.byKm, Attributes: []string{"lsi1sk"}, Parts: []string{"km"}},
		{Index: m.private, Attributes: []string{"gsi2pk"}, Parts: []string{"private", "user"}},
	}
	if diff := cmp.Diff(want, m.trips.Indexes(), byName); diff != "" {
		t.Errorf("Indexes (-want +got):\n%s", diff)
	}
	wantNames := []string{"_type", "at", "gsi1pk", "gsi1sk", "gsi2pk", "km", "lsi1sk", "note", "number", "pk", "plate", "private", "sk", "start", "tripId", "user"}
	if diff := cmp.Diff(wantNames, m.trips.Attributes()); diff != "" {
		t.Errorf("Attributes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"_type", "pk", "sk"}, m.trips.KeyParts()); diff != "" {
		t.Errorf("KeyParts (-want +got):\n%s", diff)
	}
	if got := m.table.Index("byKm"); got != m.byKm || !got.Local() || got.Native() || got.Name() != "byKm" || got.Projection() != types.ProjectionTypeAll {
		t.Errorf("byKm: %+v", got)
	}
	if got := m.table.Index("nativeVehicle"); got != m.native || got.Local() || !got.Native() || got.Projection() != types.ProjectionTypeInclude {
		t.Errorf("native: %+v", got)
	}
	if m.table.Index("none") != nil || len(m.table.Indexes()) != 4 {
		t.Error("Index, Indexes")
	}

	foreign := model.GSI("foreign", model.IndexKey("x"))
	var none *model.Entity[Trip]
	if _, err := none.Index(m.byVehicle); !errors.Is(err, model.ErrZero) {
		t.Errorf("Index of a nil entity: %v", err)
	}
	if pk, sk := none.KeySpecs(); pk.Template != nil || sk.Template != nil || none.Indexes() != nil {
		t.Error("a nil entity has keys")
	}
	for _, ix := range []*model.Index{nil, foreign} {
		var ee *model.EntityError
		if _, err := m.trips.Index(ix); !errors.As(err, &ee) || !errors.Is(err, model.ErrIndex) {
			t.Errorf("Index(%v): %v", ix, err)
		}
	}
	if _, _, err := m.table.KeySpecs(foreign); !errors.Is(err, model.ErrIndex) {
		t.Errorf("KeySpecs: %v", err)
	}
	empty := model.NativeGSI("empty")
	if _, _, err := model.NewTable("t", model.PrimaryKey("pk"), empty).KeySpecs(empty); !errors.Is(err, model.ErrIndex) {
		t.Errorf("KeySpecs of a native index that nobody is in: %v", err)
	}
}

func TestKeySpecItem(t *testing.T) {
	m := mileage()
	in, err := m.trips.Index(m.native)
	if err != nil {
		t.Fatal(err)
	}
	got, err := in.Partition.Item(nativeCar.Key("u/1", "67-PK-KS"))
	if diff := cmp.Diff(model.Item{"user": str("u/1"), "number": str("67-pk-ks")}, got, opts); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	in, err = m.trips.Index(m.byKm)
	if err != nil {
		t.Fatal(err)
	}
	got, err = in.Sort.Item(kilometres.Key(-42))
	if diff := cmp.Diff(model.Item{"lsi1sk": num("-42")}, got, opts); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := in.Partition.Item(keys.Key{}); !errors.Is(err, keys.ErrZero) {
		t.Errorf("the zero key: %v", err)
	}
	if _, err := in.Partition.Item(tripKey.Key("")); !errors.Is(err, keys.ErrEmpty) {
		t.Errorf("a missing part: %v", err)
	}
	if _, err := (model.KeySpec{}).Item(tripKey.Key("x")); !errors.Is(err, model.ErrIndex) {
		t.Errorf("no such key: %v", err)
	}
	if _, err := (model.KeySpec{Native: true}).Item(tripKey.Key("x")); !errors.Is(err, keys.ErrTemplate) {
		t.Errorf("another key: %v", err)
	}
}

func TestCheckPartitionAndRange(t *testing.T) {
	m := mileage()
	table, _, _ := fieldService()
	for _, tt := range []struct {
		why string
		err error
		is  error
	}{
		{"the table's own", m.table.CheckPartition(nil, tripKey.Key("x")), nil},
		{"of one of several", table.CheckRange(nil, Person.All()), nil},
		{"of another of several", table.CheckRange(nil, Order.At(Open).All()), nil},
		{"a tree of any key", table.CheckRange(nil, Singular.Key().Tree()), nil},
		{"of nobody", table.CheckRange(nil, tripKey.All()), keys.ErrTemplate},
		{"an index key for the table", m.table.CheckPartition(nil, owner.Key("x")), keys.ErrTemplate},
		{"in its index", m.table.CheckPartition(m.private, owner.Key("x")), nil},
		{"in its native index", m.table.CheckPartition(m.native, nativeCar.Key("u", "p")), nil},
		{"a range in its index", m.table.CheckRange(m.byKm, kilometres.From(3)), nil},
		{"no sort key", m.table.CheckRange(m.private, kilometres.From(3)), model.ErrMissing},
		{"an index of nobody", m.table.CheckPartition(model.GSI("xyz", model.IndexKey("x")), owner.Key("x")), model.ErrIndex},
		{"an invalid key", m.table.CheckPartition(nil, tripKey.Key("")), keys.ErrEmpty},
		{"an invalid range", m.table.CheckRange(nil, keys.Range{}), keys.ErrZero},
	} {
		if (tt.is == nil) != (tt.err == nil) || !errors.Is(tt.err, tt.is) {
			t.Errorf("%s: got %v, want %v", tt.why, tt.err, tt.is)
		}
	}
}

func TestCreateInputOfIndexes(t *testing.T) {
	def := func(n string, typ types.ScalarAttributeType) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: aws.String(n), AttributeType: typ}
	}
	schema := func(hash []string, sort ...string) (out []types.KeySchemaElement) {
		for _, n := range hash {
			out = append(out, types.KeySchemaElement{AttributeName: aws.String(n), KeyType: types.KeyTypeHash})
		}
		for _, n := range sort {
			out = append(out, types.KeySchemaElement{AttributeName: aws.String(n), KeyType: types.KeyTypeRange})
		}
		return out
	}
	want := &dynamodb.CreateTableInput{
		TableName: aws.String("mileage"), BillingMode: types.BillingModePayPerRequest, KeySchema: schema([]string{"pk"}, "sk"),
		AttributeDefinitions: []types.AttributeDefinition{
			def("pk", "S"), def("sk", "S"), def("gsi1pk", "S"), def("gsi1sk", "S"), def("user", "S"), def("number", "S"), def("at", "S"), def("tripId", "S"), def("lsi1sk", "N"), def("gsi2pk", "S"),
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{
			{IndexName: aws.String("byVehicle"), KeySchema: schema([]string{"gsi1pk"}, "gsi1sk"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}},
			{IndexName: aws.String("nativeVehicle"), KeySchema: schema([]string{"user", "number"}, "at", "tripId"), Projection: &types.Projection{
				ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"_type", "km", "note"}}},
			{IndexName: aws.String("private"), KeySchema: schema([]string{"gsi2pk"}), Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}},
		},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{
			{IndexName: aws.String("byKm"), KeySchema: schema([]string{"pk"}, "lsi1sk"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}},
		},
	}
	ignore := cmpopts.IgnoreUnexported(dynamodb.CreateTableInput{}, types.KeySchemaElement{}, types.AttributeDefinition{},
		types.GlobalSecondaryIndex{}, types.LocalSecondaryIndex{}, types.Projection{})
	m := mileage()
	if diff := cmp.Diff(want, m.table.CreateInput(), ignore); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	t.Run("a native index that nobody is in", func(t *testing.T) {
		in := model.NewTable("t", model.PrimaryKey("pk"), model.NativeGSI("empty")).CreateInput()
		if len(in.GlobalSecondaryIndexes) != 0 || len(in.AttributeDefinitions) != 1 {
			t.Errorf("%+v", in)
		}
	})
	t.Run("the time to live is projected, too", func(t *testing.T) {
		ix := model.GSI("byUser", model.IndexKey("gsi1pk", "pk"), model.Include("note"))
		table := model.NewTable("t", model.PrimaryKey("pk", "sk"), ix)
		id := keys.MustCompile1("SESSION#<id>", keys.String)
		e := model.MustDefine[Session](table, "Session", id, Singular, model.On(ix, keys.Literal("ALL"), id))
		got := table.CreateInput().GlobalSecondaryIndexes[0].Projection.NonKeyAttributes
		if diff := cmp.Diff([]string{"_type", "note", "ttl"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		item, err := e.Marshal(&Session{ID: "s"})
		want := model.Item{"pk": str("SESSION#s"), "sk": str("PROFILE"), "_type": str("Session"), "gsi1pk": str("ALL")}
		if diff := cmp.Diff(want, item, opts); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if in, err := e.Index(ix); err != nil || !in.Complete {
			t.Errorf("every attribute is projected, but Complete is %t, %v", in.Complete, err)
		}
	})
}

// described is the description of a table that was created as declared.
func described(in *dynamodb.CreateTableInput) *types.TableDescription {
	d := &types.TableDescription{KeySchema: in.KeySchema, AttributeDefinitions: in.AttributeDefinitions}
	for _, g := range in.GlobalSecondaryIndexes {
		d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, types.GlobalSecondaryIndexDescription{
			IndexName: g.IndexName, KeySchema: g.KeySchema, Projection: g.Projection, IndexStatus: types.IndexStatusActive})
	}
	for _, l := range in.LocalSecondaryIndexes {
		d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, types.LocalSecondaryIndexDescription{
			IndexName: l.IndexName, KeySchema: l.KeySchema, Projection: l.Projection})
	}
	return d
}

func TestCheckIndexesOfTable(t *testing.T) {
	m := mileage()
	for _, tt := range []struct {
		why    string
		change func(*types.TableDescription)
		want   []string
	}{
		{"as declared", func(*types.TableDescription) {}, nil},
		{"one more index", func(d *types.TableDescription) {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, types.GlobalSecondaryIndexDescription{IndexName: aws.String("other")})
		}, nil},
		{"more projected", func(d *types.TableDescription) {
			d.GlobalSecondaryIndexes[1].Projection = &types.Projection{ProjectionType: types.ProjectionTypeAll}
		}, nil},
		{"an index missing", func(d *types.TableDescription) { d.GlobalSecondaryIndexes = d.GlobalSecondaryIndexes[1:] },
			[]string{`it has no index "byVehicle"`}},
		{"a global index for a local one", func(d *types.TableDescription) {
			d.LocalSecondaryIndexes = nil
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, types.GlobalSecondaryIndexDescription{IndexName: aws.String("byKm")})
		}, []string{`its index "byKm" is not local`}},
		{"another key", func(d *types.TableDescription) {
			d.GlobalSecondaryIndexes[1].KeySchema = d.GlobalSecondaryIndexes[1].KeySchema[1:]
		}, []string{`index "nativeVehicle": its partition key is "number", declared is "user", "number"`}},
		{"another type", func(d *types.TableDescription) { d.AttributeDefinitions[8].AttributeType = "S" },
			[]string{`its attribute "lsi1sk" is of type S, declared is N`}},
		{"less projected", func(d *types.TableDescription) {
			d.GlobalSecondaryIndexes[0].Projection = &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
			d.GlobalSecondaryIndexes[1].Projection = &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"km", "_type"}}
		}, []string{`index "byVehicle": its projection is KEYS_ONLY, declared is ALL`, `index "nativeVehicle": its projection lacks attribute "note"`}},
		{"not ready", func(d *types.TableDescription) { d.GlobalSecondaryIndexes[2].IndexStatus = types.IndexStatusCreating },
			[]string{`index "private": its status is CREATING`}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			d := described(m.table.CreateInput())
			tt.change(d)
			err := m.table.Check(d)
			var got *model.CheckError
			errors.As(err, &got)
			var want *model.CheckError
			if tt.want != nil {
				want = &model.CheckError{Table: "mileage", Differences: tt.want}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestIndexPanics(t *testing.T) {
	key := model.IndexKey("a", "b")
	for _, tt := range []struct {
		why  string
		f    func()
		want string
	}{
		{"DynamoDB wants a longer name", func() { model.GSI("ix", key) }, "3 to 255"},
		{"a global index without key", func() { model.GSI("index") }, "the key is missing"},
		{"two keys", func() { model.GSI("index", key, key) }, "given twice"},
		{"a key twice in it", func() { model.GSI("index", model.IndexKey("a", "a")) }, "both"},
		{"three attributes", func() { model.GSI("index", model.IndexKey("a", "b", "c")) }, "at most one sort key"},
		{"an empty name", func() { model.GSI("index", model.IndexKey("")) }, "0 bytes"},
		{"a nil option", func() { model.GSI("index", nil) }, "option 0 is nil"},
		{"a local index has a sort key", func() { model.LSI("index", model.IndexKey("pk")) }, "has a sort key"},
		{"a native index has no IndexKey", func() { model.NativeGSI("index", key) }, "has no IndexKey"},
		{"two projections", func() { model.GSI("index", key, model.KeysOnly(), model.Include("x")) }, "said twice"},
		{"an attribute twice", func() { model.GSI("index", key, model.Include("x", "x")) }, "stands twice"},
		{"an attribute without name", func() { model.GSI("index", key, model.Include("")) }, "is empty"},
		{"a nil index", newTable((*model.Index)(nil)), "an index is nil"},
		{"an index twice", newTable(model.GSI("index", key), model.GSI("index", key)), "given twice"},
		{"a local index of another partition", newTable(model.LSI("index", key)), "that of the table"},
		{"a local index that is the table", newTable(model.LSI("index", model.IndexKey("pk", "sk"))), "sort key of the table"},
		{"a local index of a table without sort key", func() {
			model.NewTable("t", model.PrimaryKey("pk"), model.LSI("index", model.IndexKey("pk", "x")))
		}, "has no sort key"},
		{"the type attribute as a key", newTable(model.GSI("index", model.IndexKey("_type"))), "type attribute"},
		{"21 global indexes", newTable(many(21, 0)...), "DynamoDB takes 20"},
		{"6 local indexes", newTable(locals(6)...), "DynamoDB takes 5"},
		{"21 included attributes", newTable(many(1, 21)...), "DynamoDB takes 20"},
		{"102 included attributes", newTable(many(6, 17)...), "DynamoDB takes 100 in all"},
		{"a number that is no key", newTable(model.NumberKey("x")), "no key attribute"},
		{"a type twice", newTable(model.NumberKey("pk"), model.BinaryKey("pk")), "said twice"},
	} {
		t.Run(tt.why, func(t *testing.T) { mustPanic(t, tt.want, tt.f) })
	}
}

func newTable(opts ...model.TableOption) func() {
	return func() { model.NewTable("t", append([]model.TableOption{model.PrimaryKey("pk", "sk")}, opts...)...) }
}

// many makes n global indexes that include so many attributes each.
func many(n, included int) (out []model.TableOption) {
	for i := range n {
		var names []string
		for j := range included {
			names = append(names, fmt.Sprint("a", j))
		}
		out = append(out, model.GSI(fmt.Sprint("index", i), model.IndexKey(fmt.Sprint("k", i)), model.Include(names...)))
	}
	return out
}

func locals(n int) (out []model.TableOption) {
	for i := range n {
		out = append(out, model.LSI(fmt.Sprint("index", i), model.IndexKey("pk", fmt.Sprint("k", i))))
	}
	return out
}

type (
	inKeyAlone struct {
		ID    string `dynamodbav:"-" key:"id"`
		Plate string `dynamodbav:"-" key:"plate"`
	}
	storesIndexKey struct {
		ID string `dynamodbav:"-" key:"id"`
		K  string `dynamodbav:"gsi1pk"`
	}
	plates struct {
		ID    string `dynamodbav:"-" key:"id"`
		Plate string `dynamodbav:"plate"`
		Five  int    `dynamodbav:"five"`
	}
)

func TestOnRefuses(t *testing.T) {
	id := keys.MustCompile1("<id>", keys.String)
	plate := keys.MustCompile1("<plate>", keys.String)
	gsi := model.GSI("byPlate", model.IndexKey("gsi1pk"))
	two := model.GSI("byTwo", model.IndexKey("gsi2pk", "gsi2sk"))
	again := model.GSI("again", model.IndexKey("gsi1pk", "gsi3sk"))
	inverted := model.GSI("inverted", model.IndexKey("sk", "pk"))
	native := model.NativeGSI("native")
	keysOnly := model.GSI("keysOnly", model.IndexKey("gsi4pk"), model.KeysOnly())
	numeric := model.GSI("numeric", model.IndexKey("n"))
	all := []model.TableOption{model.PrimaryKey("pk", "sk"), gsi, two, again, inverted, native, keysOnly, numeric, model.NumberKey("n")}
	five := keys.MustCompile5("<a>#<b>#<c>#<d>#<e>", keys.String, keys.String, keys.String, keys.String, keys.String)
	fives := func(name string) model.EntityOption {
		return model.Computed(name, func(*plates) string { return "x" }, "plate")
	}
	only := func(fn func(*plates) bool, parts ...string) model.OnOption { return model.Only(fn, parts...) }
	no := func(*plates) bool { return false }
	for _, tt := range []struct {
		why    string
		define func(*model.Table) error
		want   string
	}{
		{"no index", define[plates](id, Singular, model.On(nil, plate, nil)), "without an index"},
		{"an index of another table", define[plates](id, Singular, model.On(model.GSI("byPlate", model.IndexKey("gsi1pk")), plate, nil)), "not one of table"},
		{"an index twice", define[plates](id, Singular, model.On(gsi, plate, nil), model.On(gsi, plate, nil)), "in it already"},
		{"no template", define[plates](id, Singular, model.On(gsi, nil, nil)), "has no template"},
		{"a narrowed template", define[plates](id, Singular, model.On(gsi, plate, nil), model.On(two, plate, keys.MustCompile2("<plate>#<id>", keys.String, keys.String).At("x"))), "narrowed"},
		{"a sort template too many", define[plates](id, Singular, model.On(gsi, plate, plate)), "no sort key"},
		{"a sort template too few", define[plates](id, Singular, model.On(two, plate, nil)), "give it a template"},
		{"a template for the table's key that is another", define[plates](id, Singular, model.On(inverted, plate, id)), "the very template"},
		{"one attribute, two templates", define[plates](id, Singular, model.On(gsi, plate, nil), model.On(again, keys.MustCompile1("P#<plate>", keys.String), plate)), "two templates"},
		{"nothing feeds it", define[plates](id, Singular, model.On(gsi, keys.MustCompile1("<costumer>", keys.String), nil)), "nothing feeds it"},
		{"a field that would be lost outside of the index", define[inKeyAlone](id, Singular, model.On(gsi, keys.MustCompile1("P#<plate>", keys.String), nil)), "would be lost"},
		{"a field in place of an index key", define[storesIndexKey](id, Singular), "a key of index"},
		{"a field in place of an index key that it does not feed alone", define[storesIndexKey](id, Singular, model.On(gsi, keys.MustCompile1("X#<gsi1pk>", keys.String), nil)), "a key of index"},
		{"expiry unseen", define[Session](keys.MustCompile1("<id>", keys.String), Singular, model.On(keysOnly, keys.Literal("ALL"), nil)), "use model.Include"},
		{"a native partition key of literals", define[plates](id, Singular, model.On(native, keys.Literal("ALL"), nil)), "takes 1 to 4"},
		{"a native partition key of five", define[plates](id, Singular, model.On(native, five, nil), fives("a"), fives("b"), fives("c"), fives("d"), fives("e")), "takes 1 to 4"},
		{"a native sort key of five", define[plates](id, Singular, model.On(native, plate, five), fives("a"), fives("b"), fives("c"), fives("d"), fives("e")), "takes up to 4"},
		{"a native sort key of literals", define[plates](id, Singular, model.On(native, plate, Singular)), "give nil for none"},
		{"a native attribute twice", define[plates](id, Singular, model.On(native, plate, plate)), "stands in its key twice"},
		{"a text for a number", define[plates](id, Singular, model.On(numeric, plate, nil)), "makes S"},
		{"a joined text for a number", define[plates](id, Singular, model.On(numeric, keys.MustCompile1("N#<five>", keys.IntOf[int](3)), nil)), "one placeholder and nothing else"},
		{"Only with nothing to leave out", define[plates](id, Singular, model.On(native, plate, nil, only(no, "plate"))), "could leave nothing out"},
		{"Only without function", define[plates](id, Singular, model.On(gsi, plate, nil, only(nil))), "without a function"},
		{"Only twice", define[plates](id, Singular, model.On(gsi, plate, nil, only(no), only(no))), "given twice"},
		{"Only of another type", define[plates](id, Singular, model.On(gsi, plate, nil, model.Only(func(*Trip) bool { return true }))), "a function of *model_test.plates"},
		{"Only that reads nothing known", define[plates](id, Singular, model.On(gsi, plate, nil, only(no, "costumer"))), `reads "costumer"`},
		{"a nil option", define[plates](id, Singular, model.On(gsi, plate, nil, nil)), "option 0 of On is nil"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			table := model.NewTable("t", all...)
			err := tt.define(table)
			var ee *model.EntityError
			if !errors.As(err, &ee) || ee.Entity != "E" || !errors.Is(err, model.ErrDeclaration) {
				t.Fatalf("got %v, want an *EntityError that is ErrDeclaration", err)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q does not say %q", err, tt.want)
			}
		})
	}
	t.Run("native attributes that differ between entities", func(t *testing.T) {
		table := model.NewTable("t", all...)
		model.MustDefine[plates](table, "A", id, Singular, model.On(native, plate, nil))
		_, err := model.Define[plates](table, "B", id, keys.Literal("B"), model.On(native, keys.MustCompile1("<five>", keys.IntOf[int](3)), nil))
		if !errors.Is(err, model.ErrDeclaration) || !strings.Contains(err.Error(), "other entities have the key attributes") {
			t.Errorf("got %v", err)
		}
		_, err = model.Define[plates](table, "C", id, keys.Literal("C"), model.On(native, keys.MustCompile1("<plate>", keys.Bytes), nil))
		if !errors.Is(err, model.ErrDeclaration) {
			t.Errorf("got %v", err)
		}
	})
}
