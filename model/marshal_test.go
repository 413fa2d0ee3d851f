package model_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

type Address struct {
	Street string    `dynamodbav:"street"`
	Since  time.Time `dynamodbav:"since,unixtime,omitempty"`
	Until  time.Time `dynamodbav:"until,omitempty"`
	Tags   []string  `dynamodbav:"tags,stringset"`
}

// Everything is a type with whatever a type can have.
type Everything struct {
	ID       string                          `dynamodbav:"-" key:"id"`
	Text     string                          `dynamodbav:"text"`
	Flag     bool                            `dynamodbav:"flag"`
	Int      int32                           `dynamodbav:"int"`
	Uint     uint64                          `dynamodbav:"uint"`
	Float    float64                         `dynamodbav:"float"`
	Bytes    []byte                          `dynamodbav:"bytes"`
	Hash     [4]byte                         `dynamodbav:"hash"`
	Pair     [2]int                          `dynamodbav:"pair"`
	Number   int                             `dynamodbav:"number,string"`
	At       time.Time                       `dynamodbav:"at"`
	AtUnix   time.Time                       `dynamodbav:"atUnix,unixtime"`
	AtPtr    *time.Time                      `dynamodbav:"atPtr,unixtime,omitempty"`
	Maybe    time.Time                       `dynamodbav:"maybe,omitempty"`
	MaybeDay keys.Date                       `dynamodbav:"maybeDay,omitempty"`
	Day      keys.Date                       `dynamodbav:"day"`
	Days     []keys.Date                     `dynamodbav:"days,stringset"`
	Names    []string                        `dynamodbav:"names,stringset"`
	Numbers  []int                           `dynamodbav:"numbers,numberset"`
	Blobs    [][]byte                        `dynamodbav:"blobs"`
	Blobs2   [][]byte                        `dynamodbav:"blobs2,binaryset,omitempty"`
	List     []string                        `dynamodbav:"list"`
	Home     Address                         `dynamodbav:"home"`
	Work     *Address                        `dynamodbav:"work"`
	Old      []Address                       `dynamodbav:"old"`
	Named    map[string]*Address             `dynamodbav:"named"`
	ByMonth  map[time.Month]int              `dynamodbav:"byMonth"`
	ByDay    map[keys.Date]string            `dynamodbav:"byDay"`
	Raw      types.AttributeValue            `dynamodbav:"raw"`
	Raws     map[string]types.AttributeValue `dynamodbav:"raws,omitempty"`
	Any      any                             `dynamodbav:"any"`
	Sparse   []int                           `dynamodbav:"sparse,omitemptyelem"`
	Rest     model.Item                      `model:"rest"`
	Version  uint32                          `dynamodbav:"v" model:"version"`
	Created  time.Time                       `dynamodbav:"c" model:"created"`
	Updated  time.Time                       `dynamodbav:"u,unixtime" model:"updated"`
	Expires  time.Time                       `dynamodbav:"e" model:"ttl"`
	Write    string                          `dynamodbav:"w" model:"write"`
}

func everything(opts ...model.EntityOption) *model.Entity[Everything] {
	t := model.NewTable("t", model.PrimaryKey("pk"))
	return model.MustDefine[Everything](t, "Everything", keys.MustCompile1("E#<id>", keys.String), nil, opts...)
}

func full() Everything {
	at := time.Date(2026, 1, 31, 9, 0, 0, 123456789, time.UTC)
	sec := at.Truncate(time.Second)
	home := Address{Street: "Kade 1", Since: sec, Until: at, Tags: []string{"a", "b"}}
	work, named := home, home
	return Everything{
		ID: "x#1", Text: "héllo", Flag: true, Int: -42, Uint: math.MaxUint64, Float: 0.1,
		Bytes: []byte{0, 255}, Hash: [4]byte{1, 2, 3, 4}, Pair: [2]int{1, 2}, Number: 7,
		At: at, AtUnix: sec, AtPtr: &sec, Maybe: at, MaybeDay: day, Day: day,
		Days: []keys.Date{day, day.AddDays(1)}, Names: []string{"n"}, Numbers: []int{1, 2},
		Blobs: [][]byte{{1}, {2}}, Blobs2: [][]byte{{3}}, List: []string{"", "x"},
		Home: home, Work: &work, Old: []Address{home, {Street: "Pad 2"}}, Named: map[string]*Address{"a": &named, "b": nil},
		ByMonth: map[time.Month]int{time.May: 5}, ByDay: map[keys.Date]string{day: "d"},
		Raw: numSet("1"), Raws: model.Item{"r": yes()}, Any: map[string]any{"k": []any{"v", 1.5, true, nil}},
		Sparse: []int{1}, Rest: model.Item{"foreign": obj(model.Item{"n": num("12345678901234567890123456789012345678")})},
		Version: 3, Created: at, Updated: sec, Expires: sec.AddDate(1, 0, 0), Write: "id",
	}
}

// The stored form is for ever: changing it breaks this test on purpose.
func TestGoldenItems(t *testing.T) {
	_, orders, engineers := fieldService()
	var b strings.Builder
	add := func(title string, item model.Item, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", title, err)
		}
		fmt.Fprintf(&b, "# %s\n%s\n", title, renderItem(item))
	}
	o := anOrder()
	item, err := orders.Marshal(&o)
	add("a work order", item, err)
	e := Engineer{RegionID: "eu west", Name: "Zoë 😀"}
	item, err = engineers.Marshal(&e)
	add("an engineer without skills", item, err)
	v := full()
	item, err = everything().Marshal(&v)
	add("everything", item, err)
	z := Everything{ID: "zero"}
	item, err = everything().Marshal(&z)
	add("nothing but the key", item, err)
	golden(t, "items.golden", b.String())
}

func TestEverythingRoundTrip(t *testing.T) {
	e := everything()
	for name, v := range map[string]Everything{"full": full(), "zero": {ID: "zero"}} {
		t.Run(name, func(t *testing.T) {
			item, err := e.Marshal(&v)
			if err != nil {
				t.Fatal(err)
			}
			back, err := e.Unmarshal(item)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(v, back, opts); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again, err := e.Marshal(&back)
			if err != nil {
				t.Fatal(err)
			}
			if !model.EqualItems(item, again) {
				t.Errorf("the second item differs:\n%s", cmp.Diff(item, again, opts))
			}
			for name := range item {
				if name != "foreign" && !contains(e.Attributes(), name) {
					t.Errorf("Attributes does not name %q", name)
				}
			}
		})
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

type octet uint8

// What attributevalue gets wrong, one by one, on the attribute of a field and
// below.
func TestCorrections(t *testing.T) {
	sec := time.Unix(1769850000, 0).UTC()
	type unix struct {
		T time.Time `dynamodbav:"t,unixtime"`
	}
	type omit struct {
		T time.Time `dynamodbav:"t,omitempty"`
		D keys.Date `dynamodbav:"d,omitempty"`
		P *unix     `dynamodbav:"p,omitempty"`
	}
	type set struct {
		S []string `dynamodbav:"s,stringset"`
		N []int    `dynamodbav:"n,numberset,omitempty"`
		B [][]byte `dynamodbav:"b"`
	}
	for _, tt := range []struct {
		why  string
		got  func() (types.AttributeValue, error)
		want types.AttributeValue
	}{
		{"unixtime is a number", attr(unix{sec}), obj(model.Item{"t": num("1769850000")})},
		{"… behind a pointer", attr(&unix{sec}), obj(model.Item{"t": num("1769850000")})},
		{"… in a list", attr([]unix{{sec}}), list(obj(model.Item{"t": num("1769850000")}))},
		{"… in a map of pointers", attr(map[string]*unix{"k": {sec}}), obj(model.Item{"k": obj(model.Item{"t": num("1769850000")})})},
		{"… in an any", attr(any(unix{sec})), obj(model.Item{"t": num("1769850000")})},
		{"… in an array of pointers to pointers", attr([1]**unix{new(&unix{sec})}), list(obj(model.Item{"t": num("1769850000")}))},
		{"a zero time under omitempty is absent", attr(omit{}), obj(model.Item{})},
		{"… in a list", attr([]omit{{}}), list(obj(model.Item{}))},
		{"a time under omitempty is there", attr(omit{T: sec, D: day}), obj(model.Item{"t": str("2026-01-31T09:00:00Z"), "d": str("2026-01-31")})},
		{"a zero time without is what attributevalue makes of it", attr(unix{}), obj(model.Item{"t": num("-62135596800")})},
		{"an empty set is absent", attr(set{S: []string{}, N: []int{}, B: [][]byte{}}), obj(model.Item{})},
		{"a nil set is absent", attr(set{}), obj(model.Item{})},
		{"a set has its members", attr(set{S: []string{"a"}, N: []int{1}, B: [][]byte{{1}}}), obj(model.Item{"s": strSet("a"), "n": numSet("1"), "b": binSet([]byte{1})})},
		{"an empty set in a list keeps the place of the others", attr([][][]byte{{}, {{1}}}), list(null(), binSet([]byte{1}))},
		{"an empty set in a map keeps its key", attr(map[string][][]byte{"k": {}}), obj(model.Item{"k": null()})},
		{"a nil list is NULL", attr([]string(nil)), null()},
		{"an empty list is one", attr([]string{}), list()},
		{"the key of a map is not what String says", attr(map[time.Month]int{5: 1}), obj(model.Item{"5": num("1")})},
		{"a raw attribute value stays as it is", attr([]types.AttributeValue{numSet("1.0")}), list(numSet("1.0"))},
		{"… in an any", attr([]any{num("1.5")}), list(num("1.5"))},
		{"a nil raw attribute value", attr([]types.AttributeValue{nil}), list(null())},
		{"bytes of a named type do not panic", attr([]octet{1, 2}), bin(1, 2)},
		{"… nor in an array", attr([2]octet{1, 2}), bin(1, 2)},
		{"a pointer to an interface is what it holds", attr(new(any("x"))), str("x")},
		{"a marshaler with a pointer receiver is found in a map", attr(map[string]big.Int{"k": *big.NewInt(7)}), obj(model.Item{"k": str("7")})},
		{"… and in an any", attr(any(*big.NewInt(7))), str("7")},
	} {
		t.Run(tt.why, func(t *testing.T) {
			got, err := tt.got()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, opts); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// attr is the attribute that a field of type P with this value has, after a
// check that it comes back.
func attr[P any](p P) func() (types.AttributeValue, error) {
	return func() (types.AttributeValue, error) {
		table := model.NewTable("t", model.PrimaryKey("pk"))
		e, err := model.Define[envelope[P]](table, "E", Region, nil)
		if err != nil {
			return nil, err
		}
		v := envelope[P]{"eu", p}
		item, err := e.Marshal(&v)
		if err != nil {
			return nil, err
		}
		back, err := e.Unmarshal(item)
		if err != nil {
			return nil, err
		}
		again, err := e.Marshal(&back)
		if err != nil {
			return nil, err
		}
		if !model.EqualItems(item, again) {
			return nil, fmt.Errorf("%v comes back as %+v", renderItem(item), back)
		}
		return item["payload"], nil
	}
}

func TestMarshalRefuses(t *testing.T) {
	e := everything()
	_, orders, engineers := fieldService()
	type loop struct {
		Next *loop `dynamodbav:"next"`
	}
	l := &loop{}
	l.Next = l
	cyclic := map[string]any{}
	cyclic["again"] = cyclic
	set := func(f func(*Everything)) func() error {
		return func() error {
			v := full()
			f(&v)
			_, err := e.Marshal(&v)
			return err
		}
	}
	order := func(f func(*WorkOrder)) func() error {
		return func() error {
			o := anOrder()
			f(&o)
			_, err := orders.Marshal(&o)
			if _, err2 := orders.KeyOf(&o); fmt.Sprint(err) != fmt.Sprint(err2) {
				return fmt.Errorf("Marshal says %v, KeyOf %v", err, err2)
			}
			return err
		}
	}
	for _, tt := range []struct {
		why   string
		do    func() error
		is    error
		field string
		attr  string
	}{
		{"a part that is empty", order(func(o *WorkOrder) { o.OrderID = "" }), keys.ErrEmpty, "OrderID", ""},
		{"a date that is not set", order(func(o *WorkOrder) { o.ScheduledOn = keys.Date{} }), keys.ErrEmpty, "ScheduledOn", ""},
		{"a status that is none", order(func(o *WorkOrder) { o.Status = "OPENED" }), keys.ErrValue, "Status", ""},
		{"a part that is no text", order(func(o *WorkOrder) { o.RegionID = "\xff" }), keys.ErrUTF8, "RegionID", ""},
		{"text that is none", set(func(v *Everything) { v.Text = "a\xff" }), keys.ErrUTF8, "Text", "text"},
		{"… below", set(func(v *Everything) { v.Named["a"].Street = "a\xff" }), keys.ErrUTF8, "Named", "named.a.street"},
		{"… in a list", set(func(v *Everything) { v.List[1] = "a\xff" }), keys.ErrUTF8, "List", "list[1]"},
		{"… in a set", set(func(v *Everything) { v.Names[0] = "a\xff" }), keys.ErrUTF8, "Names", "names[0]"},
		{"… as the key of a map", set(func(v *Everything) { v.Any = map[string]any{"a\xff": 1} }), keys.ErrUTF8, "Any", "any.a\xff"},
		{"not a number", set(func(v *Everything) { v.Float = math.NaN() }), model.ErrValue, "Float", "float"},
		{"infinity", set(func(v *Everything) { v.Any = []any{math.Inf(1)} }), model.ErrValue, "Any", "any[0]"},
		{"too great a number", set(func(v *Everything) { v.Float = 1e126 }), model.ErrValue, "Float", "float"},
		{"too small a number", set(func(v *Everything) { v.Float = 1e-131 }), model.ErrValue, "Float", "float"},
		{"too long a number", set(func(v *Everything) { v.Raw = num(strings.Repeat("1", 39)) }), model.ErrValue, "Raw", "raw"},
		{"no number at all", set(func(v *Everything) { v.Raw = numSet("x") }), model.ErrValue, "Raw", "raw[0]"},
		{"a date that the calendar does not have", set(func(v *Everything) { v.Day.Day = 99 }), keys.ErrValue, "Day", "day"},
		{"a map that contains itself", set(func(v *Everything) { v.Any = cyclic }), model.ErrValue, "Any", "any" + strings.Repeat(".again", 32)},
		{"a pointer that points to itself", set(func(v *Everything) { v.Any = l }), model.ErrValue, "Any", "any" + strings.Repeat(".next", 32)},
		{"a channel in an any", set(func(v *Everything) { v.Any = make(chan int) }), model.ErrValue, "Any", "any"},
		{"an empty key of a map", set(func(v *Everything) { v.Any = map[string]int{"": 1} }), model.ErrValue, "Any", "any"},
		{"a rest that knows better", set(func(v *Everything) { v.Rest["text"] = str("x") }), model.ErrValue, "Rest", "text"},
		{"a rest with a key", set(func(v *Everything) { v.Rest["pk"] = str("x") }), model.ErrValue, "Rest", "pk"},
		{"a rest with a tag", set(func(v *Everything) { v.Rest["_type"] = str("x") }), model.ErrValue, "Rest", "_type"},
		{"a rest without a value", set(func(v *Everything) { v.Rest["y"] = nil }), model.ErrValue, "Rest", "y"},
		{"a rest without a name", set(func(v *Everything) { v.Rest[""] = str("x") }), model.ErrValue, "Rest", ""},
		{"a rest with bad text", set(func(v *Everything) { v.Rest["y"] = list(str("\xff")) }), keys.ErrUTF8, "Rest", "y[0]"},
		{"a rest with a bad name", set(func(v *Everything) { v.Rest["\xff"] = yes() }), keys.ErrUTF8, "Rest", "\xff"},
		{"a nil value", func() error { _, err := engineers.Marshal(nil); return err }, model.ErrZero, "", ""},
		{"a nil entity", func() error { _, err := (*model.Entity[Engineer])(nil).Marshal(&Engineer{}); return err }, model.ErrZero, "", ""},
	} {
		t.Run(tt.why, func(t *testing.T) {
			err := tt.do()
			var ee *model.EntityError
			if !errors.As(err, &ee) {
				t.Fatalf("got %v, want an *EntityError", err)
			}
			if !errors.Is(err, tt.is) {
				t.Errorf("%v is not %v", err, tt.is)
			}
			if diff := cmp.Diff([]string{tt.field, tt.attr}, []string{ee.Field, ee.Attribute}); diff != "" {
				t.Errorf("field, attribute of %v (-want +got):\n%s", err, diff)
			}
		})
	}
	t.Run("a nil pointer is a missing part", func(t *testing.T) {
		type ptr struct {
			R *string `dynamodbav:"-" key:"regionId"`
		}
		e := model.MustDefine[ptr](model.NewTable("t", model.PrimaryKey("pk")), "E", Region, nil)
		_, err := e.Marshal(&ptr{})
		want := &model.EntityError{Entity: "E", Placeholder: "regionId", Field: "R", Err: keys.ErrEmpty}
		var got *model.EntityError
		if !errors.As(err, &got) || *got != *want {
			t.Errorf("got %v, want %v", err, want)
		}
	})
}

// Row 10 of the cases: the limits to the byte, with a last character of three.
func TestSizes(t *testing.T) {
	type wide struct {
		P string `dynamodbav:"-" key:"p"`
		S string `dynamodbav:"-" key:"s"`
		B []byte `dynamodbav:"b,omitempty"`
	}
	table := model.NewTable("t", model.PrimaryKey("pk", "sk"), model.TypeAttribute(""))
	e := model.MustDefine[wide](table, "Wide", keys.MustCompile1("<p>", keys.String), keys.MustCompile1("<s>", keys.String))
	fill := func(n int) string { return strings.Repeat("x", n-3) + "界" }
	// pk + sk + b and their names: 2+1+2+1+1 and the bytes of b
	const around = 7
	for _, tt := range []struct {
		why  string
		v    wide
		want *model.SizeError
	}{
		{"partition key at its limit", wide{P: fill(2048), S: "s"}, nil},
		{"partition key one over", wide{P: fill(2049), S: "s"}, &model.SizeError{Entity: "Wide", Attribute: "pk", Size: 2049, Limit: 2048}},
		{"sort key at its limit", wide{P: "p", S: fill(1024)}, nil},
		{"sort key one over", wide{P: "p", S: fill(1025)}, &model.SizeError{Entity: "Wide", Attribute: "sk", Size: 1025, Limit: 1024}},
		{"item at its limit", wide{P: "p", S: "s", B: make([]byte, 400*1024-around)}, nil},
		{"item one over", wide{P: "p", S: "s", B: make([]byte, 400*1024-around+1)}, &model.SizeError{Entity: "Wide", Size: 409601, Limit: 409600}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			_, err := e.Marshal(&tt.v)
			var got *model.SizeError
			errors.As(err, &got)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Fatalf("%v (-want +got):\n%s", err, diff)
			}
			if tt.want == nil {
				if err != nil {
					t.Fatal(err)
				}
			} else if !errors.Is(err, model.ErrTooLarge) || errors.Is(err, keys.ErrTooLong) != (tt.want.Attribute != "") {
				t.Errorf("%v unwraps to the wrong sentinels", err)
			}
			if tt.want != nil && tt.want.Attribute == "" {
				return
			}
			k := e.Key(keys.MustCompile1("<p>", keys.String).Key("p"))
			if k.Err() == nil {
				t.Error("a key without sort key has no error")
			}
			_, err = e.KeyOf(&tt.v)
			if got := new(model.SizeError); errors.As(err, &got) != (tt.want != nil) {
				t.Errorf("KeyOf: %v", err)
			}
		})
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	table, orders, _ := fieldService()
	o := anOrder()
	item, err := orders.Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	e := everything()
	v := full()
	big, err := e.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	order := func(item model.Item) func() error {
		return func() error { _, err := orders.Unmarshal(item); return err }
	}
	every := func(item model.Item) func() error {
		return func() error { _, err := e.Unmarshal(item); return err }
	}
	const key = "REGION#eu-west, STATUS#OPEN#2026-01-31#w-2314"
	for _, tt := range []struct {
		why  string
		do   func() error
		want model.ItemError
	}{
		{"no item", order(nil), model.ItemError{Entity: "WorkOrder", Attribute: "_type", Err: model.ErrEntity}},
		{"no tag", order(with(item, "_type", nil)), model.ItemError{Entity: "WorkOrder", Key: key, Attribute: "_type", Err: model.ErrEntity}},
		{"a tag that is no string", order(with(item, "_type", num("1"))), model.ItemError{Entity: "WorkOrder", Key: key, Attribute: "_type", Err: model.ErrEntity}},
		{"another entity", order(with(item, "_type", str("Engineer"))), model.ItemError{Entity: "WorkOrder", Key: key, Attribute: "_type", Err: model.ErrEntity}},
		{"no partition key", order(with(item, "pk", nil)), model.ItemError{Entity: "WorkOrder", Key: ", STATUS#OPEN#2026-01-31#w-2314", Attribute: "pk", Err: model.ErrMissing}},
		{"no sort key", order(with(item, "sk", nil)), model.ItemError{Entity: "WorkOrder", Key: "REGION#eu-west", Attribute: "sk", Err: model.ErrMissing}},
		{"a key that is a number", order(with(item, "sk", num("1"))), model.ItemError{Entity: "WorkOrder", Key: "REGION#eu-west, 1", Attribute: "sk", Err: model.ErrValue}},
		{"a key of another template", order(with(item, "sk", str("ENGINEER#Kim"))), model.ItemError{Entity: "WorkOrder", Key: "REGION#eu-west, ENGINEER#Kim", Attribute: "sk", Err: keys.ErrSyntax}},
		{"a key that is not canonical", order(with(item, "pk", str("REGION#eu%2Dwest"))), model.ItemError{Entity: "WorkOrder", Key: "REGION#eu%2Dwest, STATUS#OPEN#2026-01-31#w-2314", Attribute: "pk", Err: keys.ErrSyntax}},
		{"a status that is none", order(with(item, "sk", str("STATUS#OPENED#2026-01-31#w-2314"))), model.ItemError{Entity: "WorkOrder", Key: "REGION#eu-west, STATUS#OPENED#2026-01-31#w-2314", Attribute: "sk", Err: keys.ErrValue}},
		{"text where a number is", order(with(item, "version", str("x"))), model.ItemError{Entity: "WorkOrder", Key: key, Attribute: "version", Err: model.ErrValue}},
		{"a time that is none", order(with(item, "scheduledAt", num("1.5"))), model.ItemError{Entity: "WorkOrder", Key: key, Attribute: "scheduledAt", Err: model.ErrValue}},
		{"a number that does not fit", every(with(big, "int", num("2147483648"))), model.ItemError{Entity: "Everything", Key: "E#x%231", Attribute: "int", Err: model.ErrValue}},
		{"bytes that do not fit", every(with(big, "hash", bin(1))), model.ItemError{Entity: "Everything", Key: "E#x%231", Attribute: "hash", Err: model.ErrValue}},
		{"no bytes at all", every(with(big, "hash", str("x"))), model.ItemError{Entity: "Everything", Key: "E#x%231", Attribute: "hash", Err: model.ErrValue}},
		{"elements that do not fit", every(with(big, "pair", list(num("1"), num("2"), num("3")))), model.ItemError{Entity: "Everything", Key: "E#x%231", Attribute: "pair", Err: model.ErrValue}},
		{"a map where a struct is not", every(with(big, "home", str("x"))), model.ItemError{Entity: "Everything", Key: "E#x%231", Attribute: "home", Err: model.ErrValue}},
		{"something wrong below", every(with(big, "old", list(obj(model.Item{"since": yes()})))), model.ItemError{Entity: "Everything", Key: "E#x%231", Attribute: "old[0].since", Err: model.ErrValue}},
		{"something wrong in a map", every(with(big, "named", obj(model.Item{"a": obj(model.Item{"tags": yes()})}))), model.ItemError{Entity: "Everything", Key: "E#x%231", Attribute: "named.a.tags", Err: model.ErrValue}},
		{"the key of a map", every(with(big, "byDay", obj(model.Item{"2026-02-31": str("x")}))), model.ItemError{Entity: "Everything", Key: "E#x%231", Attribute: "byDay.2026-02-31", Err: model.ErrValue}},
		{"the key of a map of numbers", every(with(big, "byMonth", obj(model.Item{"May": num("1")}))), model.ItemError{Entity: "Everything", Key: "E#x%231", Attribute: "byMonth.May", Err: model.ErrValue}},
		{"no declared entity", func() error { _, err := table.Decode(with(item, "_type", str("User"))); return err }, model.ItemError{Key: key, Err: model.ErrEntity}},
		{"no tag to decode by", func() error { _, err := table.Decode(with(item, "_type", nil)); return err }, model.ItemError{Key: key, Err: model.ErrEntity}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			err := tt.do()
			var got *model.ItemError
			if !errors.As(err, &got) {
				t.Fatalf("got %v, want an *ItemError", err)
			}
			if !errors.Is(err, tt.want.Err) {
				t.Errorf("%v is not %v", err, tt.want.Err)
			}
			if diff := cmp.Diff([]string{tt.want.Entity, tt.want.Key, tt.want.Attribute}, []string{got.Entity, got.Key, got.Attribute}); diff != "" {
				t.Errorf("entity, key, attribute of %v (-want +got):\n%s", err, diff)
			}
		})
	}
	t.Run("nil", func(t *testing.T) {
		var none *model.Entity[WorkOrder]
		if _, err := none.Unmarshal(item); !errors.Is(err, model.ErrZero) {
			t.Errorf("got %v", err)
		}
		if err := orders.UnmarshalInto(item, nil); !errors.Is(err, model.ErrZero) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("nothing half filled is left", func(t *testing.T) {
		got := anOrder()
		if err := orders.UnmarshalInto(with(item, "version", str("x")), &got); err == nil {
			t.Fatal("no error")
		}
		if diff := cmp.Diff(WorkOrder{}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("nothing old is left", func(t *testing.T) {
		got := anOrder()
		if err := orders.UnmarshalInto(with(item, "engineer", nil), &got); err != nil {
			t.Fatal(err)
		}
		if got.Engineer != "" {
			t.Errorf("engineer %q from before", got.Engineer)
		}
	})
}

// A stored attribute that feeds a key, too.
func TestKeyMismatch(t *testing.T) {
	type trip struct {
		User  string    `dynamodbav:"user"`
		Plate string    `dynamodbav:"plate,omitempty" key:"plate"`
		Start time.Time `dynamodbav:"start"`
		Note  *string   `dynamodbav:"note"`
	}
	table := model.NewTable("t", model.PrimaryKey("pk", "sk"))
	pk := keys.MustCompile2("USER#<user>#<plate>", keys.String, keys.Fold(keys.String))
	sk := keys.MustCompile1("<start>", keys.Time(keys.Second))
	strict := model.MustDefine[trip](table, "Trip", pk, sk)
	lax := model.MustDefine[trip](model.NewTable("t", model.PrimaryKey("pk", "sk")), "Trip", pk, sk, model.Lenient())
	at := time.Date(2026, 8, 21, 16, 0, 0, 5e8, time.UTC)
	v := trip{User: "u", Plate: "67-PK-KS", Start: at}
	item, err := strict.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why  string
		item model.Item
		want trip
		bad  string // the key attribute that disagrees
	}{
		{"as written: the attribute keeps what the key narrows", item, v, ""},
		{"the same key text in another spelling", with(item, "plate", str("67-pk-ks")), trip{User: "u", Plate: "67-pk-ks", Start: at}, ""},
		{"the same instant elsewhere", with(item, "start", str("2026-08-22T01:00:00.7+09:00")), trip{User: "u", Plate: "67-PK-KS", Start: at.Add(2e8)}, ""},
		{"absent: the key knows", with(item, "plate", nil), trip{User: "u", Plate: "67-pk-ks", Start: at}, ""},
		{"NULL: the key knows", with(item, "start", null()), trip{User: "u", Plate: "67-PK-KS", Start: at.Truncate(time.Second)}, ""},
		{"another value", with(item, "user", str("u2")), trip{User: "u2", Plate: "67-PK-KS", Start: at}, "pk"},
		{"another second", with(item, "start", str("2026-08-21T16:00:01Z")), trip{User: "u", Plate: "67-PK-KS", Start: at.Add(5e8)}, "sk"},
		{"no value at all", with(item, "user", str("")), trip{User: "", Plate: "67-PK-KS", Start: at}, "pk"},
		{"another key", with(item, "sk", str("2026-08-21T16:00:01Z")), v, "sk"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			same := cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })
			got, err := lax.Unmarshal(tt.item)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, same); diff != "" {
				t.Errorf("lenient (-want +got):\n%s", diff)
			}
			got, err = strict.Unmarshal(tt.item)
			if tt.bad == "" {
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got, same); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				return
			}
			var m *model.KeyMismatchError
			if !errors.As(err, &m) || !errors.Is(err, model.ErrKeyMismatch) {
				t.Fatalf("got %v, want a *KeyMismatchError", err)
			}
			stored, _ := tt.item[tt.bad].(*types.AttributeValueMemberS)
			if m.Entity != "Trip" || m.Attribute != tt.bad || m.Stored != stored.Value || m.Derived == m.Stored {
				t.Errorf("%+v", m)
			}
			if (m.Derived == "") != errors.Is(err, keys.ErrEmpty) {
				t.Errorf("%v: no key, but no reason", err)
			}
		})
	}
	t.Run("two keys of one field", func(t *testing.T) {
		type both struct {
			R string `dynamodbav:"-" key:"regionId"`
		}
		e := model.MustDefine[both](model.NewTable("t", model.PrimaryKey("pk", "sk")), "E", Region, keys.MustCompile1("AT#<regionId>", keys.String))
		_, err := e.Unmarshal(model.Item{"pk": str("REGION#a"), "sk": str("AT#b"), "_type": str("E")})
		if !errors.Is(err, model.ErrKeyMismatch) {
			t.Errorf("got %v", err)
		}
	})
}

// Row 19, and the other half of it: another service writes to the table, too.
func TestForeignAttributes(t *testing.T) {
	_, orders, _ := fieldService()
	o := anOrder()
	item, err := orders.Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	item["Customer"] = num("1") // by its case alone another attribute than customer
	item["VERSION"] = yes()
	item["zone"] = list()
	got, err := orders.Unmarshal(item)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(o, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	type withRest struct {
		WorkOrder
		Rest map[string]types.AttributeValue `model:"rest"`
	}
	table := model.NewTable("field-service", model.PrimaryKey("pk", "sk"))
	e := model.MustDefine[withRest](table, "WorkOrder", Region, Order)
	if !e.HasRest() || orders.HasRest() {
		t.Error("HasRest")
	}
	v, err := e.Unmarshal(item)
	if err != nil {
		t.Fatal(err)
	}
	want := withRest{o, model.Item{"Customer": num("1"), "VERSION": yes(), "zone": list()}}
	if diff := cmp.Diff(want, v, opts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	back, err := e.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(item, back, opts); diff != "" {
		t.Errorf("written back (-want +got):\n%s", diff)
	}
}

func TestComputed(t *testing.T) {
	type event struct {
		ID    string `dynamodbav:"-" key:"id"`
		Topic string `dynamodbav:"topic"`
		Other string `dynamodbav:"other,omitempty"`
	}
	shard := func(e *event) uint64 { return uint64(len(e.ID) + len(e.Topic)) }
	pk := keys.MustCompile1("SHARD#<shard>", keys.Uint(2))
	sk := keys.MustCompile1("EVENT#<id>", keys.String)
	def := func(opt ...model.EntityOption) *model.Entity[event] {
		return model.MustDefine[event](model.NewTable("t", model.PrimaryKey("pk", "sk")), "E", pk, sk, opt...)
	}
	e := def(model.Computed("shard", shard, "id", "topic"))
	v := event{ID: "e1", Topic: "t"}
	item, err := e.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	want := model.Item{"pk": str("SHARD#03"), "sk": str("EVENT#e1"), "_type": str("E"), "topic": str("t")}
	if diff := cmp.Diff(want, item, opts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if back, err := e.Unmarshal(item); err != nil || back != v {
		t.Errorf("got %+v, %v", back, err)
	}
	var m *model.KeyMismatchError
	if _, err := e.Unmarshal(with(item, "topic", str("longer"))); !errors.As(err, &m) || m.Attribute != "pk" {
		t.Errorf("a topic that makes another shard: %v", err)
	}
	for _, tt := range []struct {
		why  string
		e    *model.Entity[event]
		want []string
	}{
		{"the parts that are named and stored", e, []string{"_type", "pk", "sk", "topic"}},
		{"a part that is in the key alone", def(model.Computed("shard", shard, "id")), []string{"_type", "pk", "sk"}},
		{"none named: it may read everything", def(model.Computed("shard", shard)), []string{"_type", "other", "pk", "sk", "topic"}},
	} {
		if diff := cmp.Diff(tt.want, tt.e.KeyParts()); diff != "" {
			t.Errorf("%s: KeyParts (-want +got):\n%s", tt.why, diff)
		}
	}
	t.Run("a value that the codec refuses", func(t *testing.T) {
		v := event{ID: strings.Repeat("x", 99), Topic: "t"}
		_, err := e.KeyOf(&v)
		var ee *model.EntityError
		if !errors.As(err, &ee) || ee.Placeholder != "shard" || ee.Field != "" || !errors.Is(err, keys.ErrValue) {
			t.Errorf("got %v", err)
		}
	})
}
