package query_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/singletable-go/singletable/internal/dbtest"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

// Trip has a surrogate key and is listed by vehicle, in a joined index and in a
// native one, in one that holds keys alone and in one that holds a little more.
type Trip struct {
	ID      string    `dynamodbav:"id"`
	UserID  string    `dynamodbav:"userId"`
	Plate   string    `dynamodbav:"plate"`
	Day     keys.Date `dynamodbav:"day"`
	Km      int       `dynamodbav:"km"`
	Purpose string    `dynamodbav:"purpose,omitempty"`
}

// Toll shares the vehicle's partitions of the joined index.
type Toll struct {
	ID     string    `dynamodbav:"id"`
	UserID string    `dynamodbav:"userId"`
	Plate  string    `dynamodbav:"plate"`
	Day    keys.Date `dynamodbav:"day"`
}

// Entry is a log entry: its sort key is a number, and a local index orders it by
// another one.
type Entry struct {
	UserID string `dynamodbav:"-" key:"userId"`
	Seq    uint64 `dynamodbav:"-" key:"seq"`
	Km     int    `dynamodbav:"km"`
	Text   string `dynamodbav:"text"`
}

var (
	TripKey    = keys.MustCompile1("TRIP#<id>", keys.String)
	Vehicle    = keys.MustCompile2("USER#<userId>#CAR#<plate>", keys.String, keys.String)
	TripItem   = keys.Literal("TRIP")
	TripOn     = keys.MustCompile2("TRIP#<day>#<id>", keys.Day, keys.String)
	TollOn     = keys.MustCompile2("TOLL#<day>#<id>", keys.Day, keys.String)
	Car        = keys.MustCompile2("<userId>#<plate>", keys.String, keys.String)
	CarTrip    = keys.MustCompile3("<day>#<km>#<id>", keys.Day, keys.IntOf[int](6), keys.String)
	TripID     = keys.MustCompile1("<id>", keys.String)
	EntryUser  = keys.MustCompile1("USER#<userId>", keys.String)
	EntrySeq   = keys.MustCompile1("<seq>", keys.UintOf[uint64](12))
	EntryByKm  = keys.MustCompile1("<km>", keys.IntOf[int](6))
	ByVehicle  = model.GSI("byVehicle", model.IndexKey("gsi1pk", "gsi1sk"))
	ByCar      = model.NativeGSI("byCar")
	Slim       = model.GSI("slim", model.IndexKey("gsi2pk", "gsi2sk"), model.KeysOnly())
	Some       = model.GSI("some", model.IndexKey("gsi3pk", "gsi3sk"), model.Include("km"))
	Alone      = model.GSI("alone", model.IndexKey("gsi4pk"))
	ByKm       = model.LSI("byKm", model.IndexKey("pk", "km"))
	Unrelated  = model.GSI("unrelated", model.IndexKey("x1", "x2"))
	indexTable atomic.Pointer[string]

	Mileage = model.NewTable("mileage", model.PrimaryKey("pk", "sk"), ByVehicle, ByCar, Slim, Some, Alone, model.NameFunc(indexName))
	Trips   = model.MustDefine[Trip](Mileage, "Trip", TripKey, TripItem,
		model.On(ByVehicle, Vehicle, TripOn), model.On(ByCar, Car, CarTrip), model.On(Slim, Vehicle, TripOn), model.On(Some, Vehicle, TripOn), model.On(Alone, Vehicle, nil))
	Tolls = model.MustDefine[Toll](Mileage, "Toll", keys.MustCompile1("TOLL#<id>", keys.String), keys.Literal("TOLL"),
		model.On(ByVehicle, Vehicle, TollOn), model.On(Slim, Vehicle, TollOn))

	Log     = model.NewTable("log", model.PrimaryKey("pk", "seq"), model.NumberKey("seq", "km"), ByKm, model.NameFunc(indexName))
	Entries = model.MustDefine[Entry](Log, "Entry", EntryUser, EntrySeq, model.On(ByKm, EntryUser, EntryByKm))
)

func indexName(context.Context) string {
	if name := indexTable.Load(); name != nil {
		return *name
	}
	return ""
}

// indexed gives an engine with an empty table.
func indexed(t *testing.T, table *model.Table) *dynamodb.Client {
	client := dbtest.Client(t)
	name := dbtest.UniqueName(t)
	indexTable.Store(&name)
	t.Cleanup(func() { indexTable.Store(nil) })
	dbtest.Create(t, client, table)
	return client
}

func put[T any](t interface{ Fatal(...any) }, client *dynamodb.Client, e *model.Entity[T], values ...T) {
	name := e.Table().PhysicalName(context.Background())
	for i := range values {
		item, err := e.Marshal(&values[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: &name, Item: item}); err != nil {
			t.Fatal(err)
		}
	}
}

func trip(user string, d, km int, id string) Trip {
	return Trip{ID: id, UserID: user, Plate: "67-PK-KS", Day: day(1, d), Km: km, Purpose: "visit"}
}

func tripIDs(list []Trip) []string {
	var ids []string
	for _, v := range list {
		ids = append(ids, v.ID)
	}
	return ids
}

func TestIndexRequests(t *testing.T) {
	vehicle := Vehicle.Key("u-1", "67-PK-KS")
	car := Car.Key("u-1", "67-PK-KS")
	joined := query.On(Trips, ByVehicle, vehicle)
	native := query.On(Trips, ByCar, car)
	type slim struct {
		ID  string    `dynamodbav:"-" key:"id"`
		Day keys.Date `dynamodbav:"-" key:"day"`
	}
	for _, tt := range []struct {
		name, reason string
		q            interface {
			input(*testing.T) *dynamodb.QueryInput
		}
	}{
		{"index", "a partition of an index", in(joined.Desc())},
		{"index-between", "a joined range", in(joined.Where(TripOn.Between(day(1, 1), day(1, 31))))},
		{"index-filter", "the table's own key may be filtered by", in(joined.Filter(expression.Name("pk").AttributeExists()))},
		{"native", "one condition an attribute", in(native)},
		{"native-all", "nothing is asked of the sort attributes", in(native.Where(CarTrip.All()))},
		{"native-between", "the last day is included without a bound above the id", in(native.Where(CarTrip.Between(day(1, 1), day(1, 31))))},
		{"native-from", "an open range", in(native.Where(CarTrip.From(day(1, 2))))},
		{"native-before", "an open range", in(native.Where(CarTrip.Before(day(1, 2))))},
		{"native-starts", "a month", in(native.Where(CarTrip.StartsWith("2026-01")))},
		{"native-number", "a range of numbers", in(native.Where(CarTrip.At(day(1, 2)).Within(10, 200)))},
		{"native-exact", "a whole key", in(native.Where(CarTrip.Key(day(1, 2), 17, "t-1").Exact()))},
		{"native-filter-into", "aliases of all kinds", in(query.Into[slim](native.Where(CarTrip.At(day(1, 2)).After(5)).Filter(expression.Name("purpose").Equal(expression.Value("visit")))))},
		{"slim-into", "what an index of keys holds", in(query.Into[slim](query.On(Trips, Slim, vehicle)))},
		{"slim-hydrate", "the keys, to fetch the items by", in(query.Hydrate(query.On(Trips, Slim, vehicle)))},
		{"alone", "an index without a sort key", in(query.On(Trips, Alone, vehicle))},
		{"number-key", "a sort key that is a number", in(query.Of(Entries, EntryUser.Key("u-1")).Where(EntrySeq.Between(9, 10)))},
		{"local", "a local index by number", in(query.On(Entries, ByKm, EntryUser.Key("u-1")).Where(EntryByKm.To(-5)).Consistent())},
		{"collection", "a partition with whatever is in it", in(query.Collection(Mileage, TripKey.Key("t-1")))},
		{"collection-index", "a partition of an index", in(query.CollectionOn(Mileage, ByVehicle, vehicle).Where(TollOn.From(day(1, 2))))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name, struct {
				Reason  string
				Request any
			}{tt.reason, meaning(t, tt.q.input(t))})
		})
	}
}

func TestIndexMistakes(t *testing.T) {
	vehicle := Vehicle.Key("u-1", "67-PK-KS")
	good := query.On(Trips, ByVehicle, vehicle)
	slim := query.On(Trips, Slim, vehicle)
	var noTrips *model.Entity[Trip]
	type kmOnly struct {
		Km int `dynamodbav:"km"`
	}
	for _, tt := range []struct {
		name, reason string
		err          error
		want         error
	}{
		{"nil entity", "no table", query.On(noTrips, ByVehicle, vehicle).Err(), query.ErrZero},
		{"nil index", "no index", query.On(Trips, nil, vehicle).Err(), query.ErrZero},
		{"other index", "not of this table", query.On(Trips, Unrelated, vehicle).Err(), model.ErrIndex},
		{"not in the index", "the entity has not joined it", query.On(Tolls, ByCar, Car.Key("a", "b")).Err(), model.ErrIndex},
		{"other partition", "the key of another template", query.On(Trips, ByVehicle, TripKey.Key("t-1")).Err(), keys.ErrTemplate},
		{"other partition, native", "the key of another template", query.On(Trips, ByCar, vehicle).Err(), keys.ErrTemplate},
		{"bad partition", "its error travels", query.On(Trips, ByVehicle, Vehicle.Key("", "b")).Err(), keys.ErrEmpty},
		{"range of the table", "not of the index", good.Where(keys.Literal("TRIP").All()).Err(), keys.ErrTemplate},
		{"range of another entity", "not of this one", good.Where(TollOn.All()).Err(), keys.ErrTemplate},
		{"no sort key", "the index has none", query.On(Trips, Alone, vehicle).Where(TripOn.All()).Err(), query.ErrNoSortKey},
		{"filter", "a key attribute of the index", good.Filter(expression.Name("gsi1sk").AttributeExists()).Err(), query.ErrKeyInFilter},
		{"filter, native", "a key attribute of the index", query.On(Trips, ByCar, Car.Key("a", "b")).Filter(expression.Name("km").AttributeExists()).Err(), query.ErrKeyInFilter},
		{"consistent", "a global index has no such read", errOf(good.Consistent().Input(t.Context())), query.ErrConsistent},
		{"partial", "a Trip would be half-filled", errOf(slim.Input(t.Context())), query.ErrPartial},
		{"partial, more", "a Trip would be half-filled", errOf(query.On(Trips, Some, vehicle).Input(t.Context())), query.ErrPartial},
		{"into more than there is", "the index does not hold it", query.Into[kmOnly](slim).Err(), model.ErrIndex},
		{"into after hydrate", "the items are whole", query.Into[kmOnly](query.Hydrate(slim)).Err(), query.ErrProjected},
		{"hydrate after into", "the type is another", query.Hydrate(query.Into[struct{}](slim)).Err(), query.ErrProjected},
		{"hydrate a zero query", "it reads nothing", query.Hydrate(query.Query[Trip]{}).Err(), query.ErrZero},
		{"hydrate a mistake", "it travels", query.Hydrate(query.On(Trips, Unrelated, vehicle)).Err(), model.ErrIndex},
		{"into a mistake", "it travels", query.Into[kmOnly](query.On(Trips, Unrelated, vehicle)).Err(), model.ErrIndex},
		{"range after a mistake", "it travels", query.On(Trips, Unrelated, vehicle).Where(TripOn.All()).Filter(expression.Name("a").AttributeExists()).Err(), model.ErrIndex},
		{"collection of nothing", "no table", query.Collection(nil, vehicle).Err(), query.ErrZero},
		{"collection on nothing", "no index", query.CollectionOn(Mileage, nil, vehicle).Err(), query.ErrZero},
		{"collection on another index", "not of this table", query.CollectionOn(Mileage, Unrelated, vehicle).Err(), model.ErrIndex},
		{"collection of another partition", "no entity has such keys", query.Collection(Mileage, vehicle).Err(), keys.ErrTemplate},
		{"collection range", "no entity has such keys", query.Collection(Mileage, TripKey.Key("t")).Where(TripOn.All()).Err(), keys.ErrTemplate},
		{"collection on a partial index", "items would be half-filled", errOf(query.CollectionOn(Mileage, Slim, vehicle).Input(t.Context())), query.ErrPartial},
		{"collection into", "of no single entity", query.Into[kmOnly](query.Collection(Mileage, TripKey.Key("t"))).Err(), query.ErrProjected},
		{"collection hydrated", "of no single entity", query.Hydrate(query.CollectionOn(Mileage, Slim, vehicle)).Err(), query.ErrProjected},
		{"narrowed to fit", "hydrated and projected ones are fine", errors.Join(query.Hydrate(slim).Err(), query.Into[struct{}](slim).Err(), query.Hydrate(query.Hydrate(slim)).Err(), query.Hydrate(query.Of(Orders, eu)).Err()), nil},
	} {
		if !errors.Is(tt.err, tt.want) {
			t.Errorf("%s: %v, want %v: %s", tt.name, tt.err, tt.want, tt.reason)
		}
		var e *query.Error
		if tt.want != nil && !errors.As(tt.err, &e) {
			t.Errorf("%s: %v is no *Error", tt.name, tt.err)
		}
	}
}

// checkPages reads q in pages, forward and back.
func checkPages[T any](t interface{ Fatalf(string, ...any) }, ctx context.Context, db query.Client, q query.Query[T], want []T, limit int) {
	got, err := q.Collect(ctx, db)
	if diff := gocmp.Diff(want, got); err != nil || diff != "" && len(want) > 0 {
		t.Fatalf("Collect: %v (-want +got):\n%s", err, diff)
	}
	q = q.Limit(limit)
	var forward [][]T
	var page query.Page[T]
	for cursor := ""; ; cursor = page.Next {
		if page, err = q.Page(ctx, db, cursor); err != nil {
			t.Fatalf("page %d: %v", len(forward), err)
		}
		forward = append(forward, page.Items)
		if page.Next == "" || len(forward) > len(want)+1 {
			break
		}
	}
	var pages [][]T
	for part := range slices.Chunk(want, limit) {
		pages = append(pages, part)
	}
	if pages == nil {
		pages = [][]T{nil}
	}
	if diff := gocmp.Diff(pages, forward); diff != "" {
		t.Fatalf("pages of %d (-want +got):\n%s", limit, diff)
	}
	for n := len(pages) - 2; n >= 0; n-- {
		if page, err = q.Page(ctx, db, page.Prev); err != nil {
			t.Fatalf("back to page %d: %v", n, err)
		}
		if diff := gocmp.Diff(pages[n], page.Items); diff != "" {
			t.Fatalf("back to page %d of %d items (-want +got):\n%s", n, limit, diff)
		}
	}
	if page.Prev != "" {
		t.Fatalf("the first page has a Prev")
	}
}

// TestIndexProperties compares ranges over a joined and over a native index, each
// in pages to and fro, with a plain filter and sort.
func TestIndexProperties(t *testing.T) {
	client := indexed(t, Mileage)
	native := dbtest.HasNativeIndexes(t, client)
	user := 0
	rapid.Check(t, func(t *rapid.T) {
		user++
		u := fmt.Sprintf("u-%d", user)
		var all []Trip
		for i := range rapid.IntRange(0, 15).Draw(t, "trips") {
			v := trip(u, rapid.IntRange(1, 4).Draw(t, "day"), rapid.IntRange(-2, 12).Draw(t, "km"), fmt.Sprintf("%s/%d%s", u, i, id.Draw(t, "id")))
			if rapid.IntRange(0, 9).Draw(t, "other plate") == 0 {
				v.Plate = "67-PK-KS2"
			}
			all = append(all, v)
			if rapid.IntRange(0, 4).Draw(t, "toll") == 0 {
				put(t, client, Tolls, Toll{ID: v.ID, UserID: u, Plate: v.Plate, Day: v.Day})
			}
		}
		put(t, client, Trips, all...)
		lo := day(1, rapid.IntRange(1, 4).Draw(t, "lo"))
		hi := day(1, rapid.IntRange(lo.Day, 5).Draw(t, "hi"))
		a := rapid.IntRange(-3, 12).Draw(t, "a")
		b := rapid.IntRange(a, 13).Draw(t, "b")
		desc := rapid.Bool().Draw(t, "desc")
		limit := rapid.IntRange(1, 6).Draw(t, "limit")

		answer := func(byKm bool, in func(Trip) bool) []Trip {
			var list []Trip
			for _, v := range all {
				if v.Plate == "67-PK-KS" && in(v) {
					list = append(list, v)
				}
			}
			slices.SortFunc(list, func(x, y Trip) int {
				c := x.Day.Compare(y.Day)
				if byKm {
					c = cmp.Or(c, cmp.Compare(x.Km, y.Km))
				}
				c = cmp.Or(c, cmp.Compare(x.ID, y.ID))
				if desc {
					return -c
				}
				return c
			})
			return list
		}
		ask := func(q query.Query[Trip]) query.Query[Trip] {
			if desc {
				return q.Desc()
			}
			return q
		}
		days := func(c keys.Composite2[keys.Date, string], n keys.Composite3[keys.Date, int, string]) (joined, native keys.Range, in func(Trip) bool) {
			switch rapid.IntRange(0, 6).Draw(t, "range") {
			case 0:
				return c.All(), n.All(), func(Trip) bool { return true }
			case 1:
				return c.Between(lo, hi), n.Between(lo, hi), func(v Trip) bool { return lo.Compare(v.Day) <= 0 && v.Day.Compare(hi) <= 0 }
			case 2:
				return c.Within(lo, hi), n.Within(lo, hi), func(v Trip) bool { return lo.Compare(v.Day) <= 0 && v.Day.Compare(hi) < 0 }
			case 3:
				return c.From(lo), n.From(lo), func(v Trip) bool { return v.Day.Compare(lo) >= 0 }
			case 4:
				return c.After(lo), n.After(lo), func(v Trip) bool { return v.Day.Compare(lo) > 0 }
			case 5:
				return c.To(hi), n.To(hi), func(v Trip) bool { return v.Day.Compare(hi) <= 0 }
			}
			return c.Before(hi), n.Before(hi), func(v Trip) bool { return v.Day.Compare(hi) < 0 }
		}
		joined, dated, in := days(TripOn, CarTrip)
		vehicle, car := Vehicle.Key(u, "67-PK-KS"), Car.Key(u, "67-PK-KS")
		checkPages(t, t.Context(), client, ask(query.On(Trips, ByVehicle, vehicle).Where(joined)), answer(false, in), limit)
		checkPages(t, t.Context(), client, ask(query.Hydrate(query.On(Trips, Slim, vehicle).Where(joined))), answer(false, in), limit)
		if !native {
			return
		}
		checkPages(t, t.Context(), client, ask(query.On(Trips, ByCar, car).Where(dated)), answer(true, in), limit)

		var numbers keys.Range
		at := CarTrip.At(lo)
		switch rapid.IntRange(0, 3).Draw(t, "numbers") {
		case 0:
			numbers, in = at.Between(a, b), func(v Trip) bool { return a <= v.Km && v.Km <= b }
		case 1:
			numbers, in = at.Within(a, b), func(v Trip) bool { return a <= v.Km && v.Km < b }
		case 2:
			numbers, in = at.After(a), func(v Trip) bool { return v.Km > a }
		case 3:
			numbers, in = at.To(b), func(v Trip) bool { return v.Km <= b }
		}
		checkPages(t, t.Context(), client, ask(query.On(Trips, ByCar, car).Where(numbers).Secret(make([]byte, 16))),
			answer(true, func(v Trip) bool { return v.Day == lo && in(v) }), limit)
	})
}

// 100 items with one index key and 99 a page: each is seen once.
func TestEqualIndexKeys(t *testing.T) {
	client := indexed(t, Mileage)
	var all []Trip
	for i := range 100 {
		all = append(all, trip("u-1", 1, 5, fmt.Sprintf("t-%02d", i)))
	}
	put(t, client, Trips, all...)
	q := query.On(Trips, Alone, Vehicle.Key("u-1", "67-PK-KS")).Limit(99)
	seen := map[string]bool{}
	cursor := ""
	for range 2 {
		page, err := q.Page(t.Context(), client, cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range page.Items {
			seen[v.ID] = true
		}
		cursor = page.Next
	}
	if len(seen) != 100 || cursor != "" {
		t.Errorf("%d different items on two pages, and Next %q", len(seen), cursor)
	}
}

func TestNumberKeys(t *testing.T) {
	client := indexed(t, Log)
	var all []Entry
	for i, km := range []int{3, -7, 100, 20, 0} {
		all = append(all, Entry{UserID: "u-1", Seq: uint64(8 + i), Km: km, Text: "x"})
	}
	put(t, client, Entries, all...)
	q := query.Of(Entries, EntryUser.Key("u-1"))
	checkPages(t, t.Context(), client, q, all, 2)
	checkPages(t, t.Context(), client, q.Where(EntrySeq.Between(9, 11)), all[1:4], 2)
	checkPages(t, t.Context(), client, q.Where(EntrySeq.Key(10).Exact()), all[2:3], 2)
	byKm := slices.SortedFunc(slices.Values(all), func(a, b Entry) int { return cmp.Compare(a.Km, b.Km) })
	local := query.On(Entries, ByKm, EntryUser.Key("u-1")).Consistent()
	checkPages(t, t.Context(), client, local, byKm, 2)
	checkPages(t, t.Context(), client, local.Where(EntryByKm.From(3)), byKm[2:], 1)
	got, err := query.GetMany(t.Context(), client, []model.Key[Entry]{Entries.Key(EntryUser.Key("u-1"), EntrySeq.Key(12)), Entries.Key(EntryUser.Key("u-1"), EntrySeq.Key(7))})
	if err != nil || got[0] == nil || *got[0] != all[4] || got[1] != nil {
		t.Errorf("GetMany by number: %v, %v", got, err)
	}
}

func TestIndexCursors(t *testing.T) {
	client := indexed(t, Mileage)
	if !dbtest.HasNativeIndexes(t, client) {
		t.Skip("half of this is about multi-attribute keys")
	}
	var all []Trip
	for i := range 4 {
		all = append(all, trip("u-1", 1+i, 10*i, fmt.Sprintf("t-%d", i)))
	}
	put(t, client, Trips, all...)
	vehicle, car := Vehicle.Key("u-1", "67-PK-KS"), Car.Key("u-1", "67-PK-KS")
	joined, native := query.On(Trips, ByVehicle, vehicle), query.On(Trips, ByCar, car)
	next := func(q query.Query[Trip]) string {
		page, err := q.Limit(1).Page(t.Context(), client, "")
		if err != nil || page.Next == "" {
			t.Fatal(page, err)
		}
		return page.Next
	}
	for _, tt := range []struct {
		name   string
		cursor string
		q      query.Query[Trip]
		ok     bool
	}{
		{"joined", next(joined), joined, true},
		{"joined, range", next(joined), joined.Where(TripOn.From(day(1, 2))), false},
		{"joined for native", next(joined), native, false},
		{"other vehicle", next(joined), query.On(Trips, ByVehicle, Vehicle.Key("u-1", "67-PK-K")), false},
		{"other index", next(joined), query.Hydrate(query.On(Trips, Slim, vehicle)), false},
		{"native", next(native), native, true},
		{"native, range", next(native), native.Where(CarTrip.To(day(1, 1))), true},
		{"native, other range", next(native), native.Where(CarTrip.From(day(1, 2))), false},
		{"native, number", next(native), native.Where(CarTrip.At(day(1, 1)).To(0)), true},
		{"native, other number", next(native), native.Where(CarTrip.At(day(1, 1)).Between(1, 100)), false},
		{"native, starts", next(native), native.Where(CarTrip.StartsWith("2026-01")), true},
		{"native, starts otherwise", next(native), native.Where(CarTrip.StartsWith("2025")), false},
		{"native, backward", next(native), native.Desc(), false},
	} {
		_, err := tt.q.Page(t.Context(), client, tt.cursor)
		if tt.ok != (err == nil) || !tt.ok && !errors.Is(err, query.ErrBadCursor) {
			t.Errorf("%s: %v, want ok %v", tt.name, err, tt.ok)
		}
	}
}

func TestPartialIndex(t *testing.T) {
	client := indexed(t, Mileage)
	put(t, client, Trips, trip("u-1", 1, 5, "a"), trip("u-1", 2, 6, "b"))
	put(t, client, Tolls, Toll{ID: "x", UserID: "u-1", Plate: "67-PK-KS", Day: day(1, 1)})
	vehicle := Vehicle.Key("u-1", "67-PK-KS")
	type line struct {
		ID  string    `dynamodbav:"-" key:"id"`
		Day keys.Date `dynamodbav:"-" key:"day"`
	}
	var stats query.Stats
	lines, err := query.Into[line](query.On(Trips, Slim, vehicle)).Report(&stats).Collect(t.Context(), client)
	if diff := gocmp.Diff([]line{{"a", day(1, 1)}, {"b", day(1, 2)}}, lines); err != nil || diff != "" {
		t.Errorf("keys alone: %v (-want +got):\n%s", err, diff)
	}
	if stats.Skipped != 1 || stats.IndexCapacity["slim"] == 0 || stats.TableCapacity != 0 {
		t.Errorf("stats %+v: the toll is told by its key", stats)
	}
	type km struct {
		ID string `dynamodbav:"-" key:"id"`
		Km int    `dynamodbav:"km"`
	}
	kms, err := query.Into[km](query.On(Trips, Some, vehicle)).Collect(t.Context(), client)
	if diff := gocmp.Diff([]km{{"a", 5}, {"b", 6}}, kms); err != nil || diff != "" {
		t.Errorf("keys and km: %v (-want +got):\n%s", err, diff)
	}
	n, err := query.Into[struct{}](query.On(Trips, Slim, vehicle)).Count(t.Context(), client)
	if n != 2 || err != nil {
		t.Errorf("Count() = %d, %v", n, err)
	}
}

// Offer expires, is held by an index without most of itself, and has entries of
// another entity beside its own.
type Offer struct {
	ID    string    `dynamodbav:"id"`
	Shop  string    `dynamodbav:"shop"`
	Text  string    `dynamodbav:"text"`
	Until time.Time `dynamodbav:"until,unixtime" model:"ttl"`
}

type Review struct {
	ID   string `dynamodbav:"id"`
	Shop string `dynamodbav:"shop"`
}

var (
	OfferID   = keys.MustCompile1("OFFER#<id>", keys.String)
	ReviewID  = keys.MustCompile1("REVIEW#<id>", keys.String)
	OfferShop = keys.MustCompile1("SHOP#<shop>", keys.String)
	ByShop    = model.GSI("byShop", model.IndexKey("gsi1pk", "gsi1sk"), model.Include("id"))
	Market    = model.NewTable("market", model.PrimaryKey("pk"), ByShop, model.NameFunc(indexName), model.Clock(func() time.Time { return now }))
	Offers    = model.MustDefine[Offer](Market, "Offer", OfferID, nil, model.On(ByShop, OfferShop, OfferID))
	Reviews   = model.MustDefine[Review](Market, "Review", ReviewID, nil, model.On(ByShop, OfferShop, ReviewID))
)

func TestHydrateAmongOthers(t *testing.T) {
	client := indexed(t, Market)
	offer := func(id string, days int) Offer {
		return Offer{ID: id, Shop: "s", Text: "half the price", Until: now.AddDate(0, 0, days).Truncate(time.Second)}
	}
	put(t, client, Offers, offer("a", 1), offer("b", -1), offer("c", 1))
	put(t, client, Reviews, Review{ID: "x", Shop: "s"})
	db := &between{Client: client}
	var stats query.Stats
	q := query.Hydrate(query.On(Offers, ByShop, OfferShop.Key("s"))).Report(&stats)
	checkPages(t, t.Context(), db, q, []Offer{offer("a", 1), offer("c", 1)}, 1)
	db.batches = nil
	if _, err := q.Collect(t.Context(), db); err != nil || !slices.Equal(db.batches, []int{2}) || stats.Skipped != 1 || stats.Expired != 1 {
		t.Errorf("fetched %v, stats %+v, %v: what is not wanted is not fetched", db.batches, stats, err)
	}

	name := Market.PhysicalName(t.Context())
	item, err := Offers.Marshal(&Offer{ID: "d", Shop: "s"})
	if err != nil {
		t.Fatal(err)
	}
	item["_type"] = &types.AttributeValueMemberS{Value: "Voucher"}
	if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: item}); err != nil {
		t.Fatal(err)
	}
	page, err := q.Limit(5).Page(t.Context(), db, "")
	if refused, only := query.ItemErrors(err); !only || len(refused) != 1 || len(page.Items) != 2 {
		t.Errorf("with an undeclared item: %v, %v", page, err)
	}
}

// between calls a function after the query and before the items are fetched.
type between struct {
	query.Client
	call    func()
	batches []int
	err     error
}

func (b *between) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	for _, k := range in.RequestItems {
		b.batches = append(b.batches, len(k.Keys))
	}
	if b.call != nil {
		b.call()
		b.call = nil
	}
	if b.err != nil {
		return nil, b.err
	}
	return b.Client.BatchGetItem(ctx, in, opts...)
}

func TestHydrate(t *testing.T) {
	client := indexed(t, Mileage)
	var all []Trip
	for i := range 250 {
		all = append(all, trip("u-1", 1+i/10, i, fmt.Sprintf("t-%03d", i)))
	}
	put(t, client, Trips, all...)
	db := &between{Client: client}
	q := query.Hydrate(query.On(Trips, Slim, Vehicle.Key("u-1", "67-PK-KS")))
	var stats query.Stats
	got, err := q.Report(&stats).Collect(t.Context(), db)
	if diff := gocmp.Diff(all, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if diff := gocmp.Diff([]int{100, 100, 50}, db.batches); diff != "" {
		t.Errorf("batches (-want +got):\n%s", diff)
	}
	if stats.Returned != 250 || stats.IndexCapacity["slim"] == 0 || stats.TableCapacity == 0 {
		t.Errorf("stats %+v", stats)
	}

	// Only what is wanted is fetched.
	db.batches = nil
	if _, err := q.First(t.Context(), db); err != nil || !slices.Equal(db.batches, []int{1}) {
		t.Errorf("First fetched %v, %v", db.batches, err)
	}
	db.batches = nil
	if page, err := q.Limit(10).Page(t.Context(), db, ""); err != nil || len(page.Items) != 10 || !slices.Equal(db.batches, []int{11}) {
		t.Errorf("a page of %d fetched %v, %v", len(page.Items), db.batches, err)
	}

	// What has gone, or stands elsewhere by now, is skipped.
	name := Mileage.PhysicalName(t.Context())
	db.batches = nil
	db.call = func() {
		key := Trips.Key(TripKey.Key("t-001"), TripItem.Key()).Item()
		if _, err := client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: &name, Key: key}); err != nil {
			t.Fatal(err)
		}
		put(t, client, Trips, trip("u-1", 31, 2, "t-002"))
	}
	stats = query.Stats{}
	page, err := q.Limit(3).Report(&stats).Page(t.Context(), db, "")
	if diff := gocmp.Diff([]string{"t-000", "t-003", "t-004"}, tripIDs(page.Items)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if stats.Skipped != 2 {
		t.Errorf("stats %+v, want two skipped", stats)
	}

	db.err = errFault
	if _, err := q.Collect(t.Context(), db); !errors.Is(err, errFault) {
		t.Errorf("Collect = %v", err)
	}
	if page, err := q.Page(t.Context(), db, ""); !errors.Is(err, errFault) || page.Items != nil {
		t.Errorf("Page = %v, %v", page, err)
	}
}

func TestCollection(t *testing.T) {
	db := newFake(t, Service, items(t, order(1, "a"), note(order(1, "a"), 2), note(order(1, "a"), 1), order(1, "ab"), expired(order(2, "b")), Profile{RegionID: "eu-west", Name: "West"})...)
	var got []string
	describe := func(v any) string {
		switch v := v.(type) {
		case *WorkOrder:
			return "order " + v.OrderID
		case *Note:
			return fmt.Sprintf("note %s/%d", v.OrderID, v.N)
		case *Profile:
			return "profile " + v.Name
		}
		return fmt.Sprintf("%T", v)
	}
	var stats query.Stats
	for v, err := range query.Collection(Service, eu).Report(&stats).All(t.Context(), db) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, describe(v))
	}
	if diff := gocmp.Diff([]string{"profile West", "order a", "note a/1", "note a/2", "order ab"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if stats.Skipped != 0 || stats.Expired != 1 {
		t.Errorf("stats %+v", stats)
	}

	tree := query.Collection(Service, eu).Where(Order.Key(Open, day(1, 1), "a").Tree())
	got = nil
	cursor := ""
	for {
		page, err := tree.Limit(2).Page(t.Context(), db, cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range page.Items {
			got = append(got, describe(v))
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if diff := gocmp.Diff([]string{"order a", "note a/1", "note a/2"}, got); diff != "" {
		t.Errorf("an order and what belongs to it (-want +got):\n%s", diff)
	}

	var orders []WorkOrder
	var notes []Note
	if err := query.Gather(t.Context(), db, query.Collection(Service, eu).Report(&stats), query.To(Orders, &orders), query.To(Notes, &notes)); err != nil {
		t.Fatal(err)
	}
	if len(orders) != 2 || len(notes) != 2 || notes[0].N != 1 || stats.Skipped != 1 || stats.Returned != 4 {
		t.Errorf("gathered %v and %v, stats %+v", orders, notes, stats)
	}

	db.items = append(db.items, stranger("STATUS#OPEN#2026-01-01#a#NOTE#x"), broken(t, order(1, "a9")))
	var item *query.ItemError
	if err := query.Gather(t.Context(), db, tree, query.To(Orders, &orders)); !errors.Is(err, query.ErrUndeclared) {
		t.Errorf("Gather with an undeclared item: %v", err)
	}
	orders = nil
	if err := query.Gather(t.Context(), db, query.Collection(Service, eu).Where(Order.At(Open).At(day(1, 1)).From("a9")), query.To(Orders, &orders)); !errors.As(err, &item) || len(orders) != 0 {
		t.Errorf("Gather with a broken item: %v, %v", err, orders)
	}
	if list, err := query.Collection(Service, eu).Collect(t.Context(), db); !errors.As(err, &item) || len(list) != 4 || item.Entity != "" {
		t.Errorf("Collect with an undeclared item: %d items, %v", len(list), err)
	}
}

func TestGatherMistakes(t *testing.T) {
	db := newFake(t, Service)
	var orders []WorkOrder
	var people []Person
	var none *model.Entity[WorkOrder]
	coll := query.Collection(Service, eu)
	for name, tt := range map[string]struct {
		q       query.Query[any]
		targets []query.Target
		want    error
	}{
		"zero query":    {query.Query[any]{}, nil, query.ErrZero},
		"nil target":    {coll, []query.Target{nil}, query.ErrTarget},
		"nil slice":     {coll, []query.Target{query.To[WorkOrder](Orders, nil)}, query.ErrTarget},
		"nil entity":    {coll, []query.Target{query.To(none, &orders)}, query.ErrTarget},
		"other table":   {coll, []query.Target{query.To(Persons, &people)}, query.ErrTarget},
		"given twice":   {coll, []query.Target{query.To(Orders, &orders), query.To(Orders, &orders)}, query.ErrTarget},
		"its own error": {coll.Limit(0), []query.Target{query.To(Orders, &orders)}, query.ErrArgument},
	} {
		if err := query.Gather(t.Context(), db, tt.q, tt.targets...); !errors.Is(err, tt.want) || db.requests() != 0 {
			t.Errorf("%s: %v, want %v and nothing sent", name, err, tt.want)
		}
	}
}

// A moved item is at exactly one of its keys in every snapshot.
func TestGetAllIsASnapshot(t *testing.T) {
	client := engine(t)
	ctx := t.Context()
	name := Service.PhysicalName(ctx)
	at := [2]WorkOrder{order(1, "w-1"), order(1, "w-1")}
	at[1].Status = Done
	write(t, client, items(t, at[0]), false)
	keys := []model.Key[WorkOrder]{
		Orders.Key(eu, Order.Key(Open, day(1, 1), "w-1")),
		Orders.Key(eu, Order.Key(Done, day(1, 1), "w-1")),
	}
	moved := make(chan error)
	go func() {
		var err error
		for i := 0; i < 200 && err == nil; i++ {
			item, _ := Orders.Marshal(&at[(i+1)%2])
			_, err = client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: &name, Item: item}},
				{Delete: &types.Delete{TableName: &name, Key: keys[i%2].Item()}},
			}})
		}
		moved <- err
	}()
	for n := 0; ; n++ {
		select {
		case err := <-moved:
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d snapshots", n)
			return
		default:
		}
		got, err := query.GetAll(ctx, client, keys)
		if err != nil {
			t.Fatal(err)
		}
		if (got[0] == nil) == (got[1] == nil) {
			t.Fatalf("snapshot %d has %v", n, found(got))
		}
	}
}
