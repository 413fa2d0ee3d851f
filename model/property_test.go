package model_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// nasty draws text of the characters that keys trip over.
func nasty() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.SampledFrom([]rune{
		0, 1, '\t', ' ', '!', '"', '#', '$', '%', '&', 'a', 'Z', '0', '-', 'é', '世', 0xD7FF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, '😀', 0x10FFFF,
	}), 0, 12, -1)
}

func drawOrder(t *rapid.T) WorkOrder {
	return WorkOrder{
		RegionID:    nasty().Draw(t, "region"),
		Status:      rapid.SampledFrom([]Status{Open, Done, Open, Done, ""}).Draw(t, "status"),
		ScheduledOn: keys.DateOf(time.Unix(rapid.Int64Range(-62_000_000_000, 250_000_000_000).Draw(t, "day"), 0).UTC()),
		OrderID:     nasty().Draw(t, "id"),
		Customer:    nasty().Draw(t, "customer"),
		Engineer:    nasty().Draw(t, "engineer"),
		ScheduledAt: time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "at"), 0).UTC(),
		Version:     rapid.Int64().Draw(t, "version"),
	}
}

// Marshal and Unmarshal are inverse; the key of the value is the key of its item;
// different keys, different values of what they are made of.
func TestRoundTripProperty(t *testing.T) {
	table, orders, _ := fieldService()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawOrder(t), drawOrder(t)
		item, err := orders.Marshal(&a)
		if missing := a.RegionID == "" || a.Status == "" || a.OrderID == ""; missing != (err != nil) {
			t.Fatalf("%+v: %v", a, err)
		}
		if err != nil {
			if !errors.Is(err, keys.ErrEmpty) && !errors.Is(err, keys.ErrValue) {
				t.Fatalf("%+v: %v", a, err)
			}
			return
		}
		back, err := orders.Unmarshal(item)
		if err != nil || back != a {
			t.Fatalf("%+v comes back as %+v, %v", a, back, err)
		}
		decoded, err := table.Decode(item)
		if err != nil || *decoded.(*WorkOrder) != a {
			t.Fatalf("%+v is decoded as %+v, %v", a, decoded, err)
		}
		ka, err := orders.KeyOf(&a)
		if err != nil {
			t.Fatal(err)
		}
		if k, err := orders.KeyOfItem(item); err != nil || k != ka {
			t.Fatalf("key %v, stored %v, %v", ka, k, err)
		}
		if !model.EqualItems(ka.Item(), model.Item{"pk": item["pk"], "sk": item["sk"]}) {
			t.Fatalf("key %v, stored %v", ka.Item(), item)
		}
		if kb, err := orders.KeyOf(&b); err == nil {
			same := a.RegionID == b.RegionID && a.Status == b.Status && a.ScheduledOn == b.ScheduledOn && a.OrderID == b.OrderID
			if (ka == kb) != same {
				t.Fatalf("keys of %+v and %+v: %v, %v", a, b, ka, kb)
			}
		}
	})
}

// plainValue is a type on which attributevalue is right: what is made of it here
// is what is made of it there.
type plainValue struct {
	ID    string         `dynamodbav:"id"`
	I     int8           `dynamodbav:"i,omitempty"`
	U     uint16         `dynamodbav:",omitempty"`
	F     float32        `dynamodbav:"f,nullempty"`
	S     string         `dynamodbav:"s,omitempty"`
	B     bool           `dynamodbav:"b,omitempty"`
	Raw   []byte         `dynamodbav:"raw,omitempty"`
	Str   int            `dynamodbav:"str,string,omitempty"`
	L     []string       `dynamodbav:"l"`
	LE    []string       `dynamodbav:"le,omitempty,omitemptyelem"`
	LN    []int          `dynamodbav:"ln,nullemptyelem"`
	SS    []string       `dynamodbav:"ss,stringset,omitempty"`
	M     map[string]int `dynamodbav:"m,omitempty"`
	MI    map[int]string `dynamodbav:"mi,omitemptyelem"`
	P     *int           `dynamodbav:"p"`
	PP    **string       `dynamodbav:"pp"`
	N     attributevalue.Number
	T     time.Time          `dynamodbav:"t"`
	Deep  map[string][]inner `dynamodbav:"deep"`
	Any   any                `dynamodbav:"any"`
	Inner inner
	inner
}

type inner struct {
	X string  `dynamodbav:"x,omitempty"`
	Y *inner  `dynamodbav:"y,omitempty"`
	Z [2]bool `dynamodbav:"z"`
}

func drawPlain(t *rapid.T) plainValue {
	text := func(label string) string { return rapid.SampledFrom([]string{"", "a", "é", "x y"}).Draw(t, label) }
	texts := func(label string) []string {
		if rapid.Bool().Draw(t, label+" nil") {
			return nil
		}
		return rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b"}), 0, 3).Draw(t, label)
	}
	drawInner := func(label string) inner {
		v := inner{X: text(label), Z: [2]bool{rapid.Bool().Draw(t, label), false}}
		if rapid.Bool().Draw(t, label) {
			v.Y = &inner{X: text(label)}
		}
		return v
	}
	v := plainValue{
		ID: "id", I: rapid.Int8().Draw(t, "i"), U: rapid.Uint16().Draw(t, "u"), F: float32(rapid.IntRange(-9, 9).Draw(t, "f")) / 4,
		S: text("s"), B: rapid.Bool().Draw(t, "b"), Str: rapid.IntRange(-2, 2).Draw(t, "str"), L: texts("l"), LE: texts("le"),
		N: attributevalue.Number(rapid.SampledFrom([]string{"1", "12345678901234567890", "0.5"}).Draw(t, "n")),
		T: time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "t"), 5).UTC(), Inner: drawInner("inner"), inner: drawInner("embedded"),
	}
	if rapid.Bool().Draw(t, "raw") {
		v.Raw = rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "bytes")
	}
	if rapid.Bool().Draw(t, "ss") {
		v.SS = []string{"a", "b"}
	}
	if rapid.Bool().Draw(t, "ln") {
		v.LN = rapid.SliceOfN(rapid.IntRange(0, 1), 0, 3).Draw(t, "ints")
	}
	if rapid.Bool().Draw(t, "m") {
		v.M = rapid.MapOfN(rapid.StringMatching("[a-c]"), rapid.IntRange(0, 2), 0, 3).Draw(t, "map")
		v.MI = map[int]string{1: text("mi"), -2: "x"}
		v.Deep = map[string][]inner{"k": {drawInner("deep")}, "n": nil}
		p := rapid.Int().Draw(t, "p")
		s := new(text("pp"))
		v.P, v.PP = &p, &s
		v.Any = []any{"a", 1.5, true, nil, map[string]any{"k": "v"}}
	}
	return v
}

func TestAgainstAttributeValue(t *testing.T) {
	table := model.NewTable("t", model.PrimaryKey("pk"), model.TypeAttribute(""))
	e := model.MustDefine[plainValue](table, "Plain", keys.MustCompile1("<id>", keys.String), nil)
	rapid.Check(t, func(t *rapid.T) {
		v := drawPlain(t)
		want, err := attributevalue.MarshalMapWithOptions(v, func(o *attributevalue.EncoderOptions) { o.UseEncodingMarshalers = true })
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		want["pk"] = str("id")
		if diff := cmp.Diff(want, got, opts); diff != "" {
			t.Fatalf("%+v (-attributevalue +model):\n%s", v, diff)
		}
		var theirs plainValue
		if err := attributevalue.UnmarshalMapWithOptions(got, &theirs, func(o *attributevalue.DecoderOptions) { o.UseEncodingUnmarshalers = true }); err != nil {
			t.Fatal(err)
		}
		ours, err := e.Unmarshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(theirs, ours) {
			t.Fatalf("read as\n%+v, attributevalue reads\n%+v", ours, theirs)
		}
	})
}

// drawValue draws any attribute value.
func drawValue(t *rapid.T, depth int) types.AttributeValue {
	kind := rapid.IntRange(0, 10).Draw(t, "kind")
	texts := func() []string {
		return rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "1", "-1.5", "300", "2026-01-31", "2026-01-31T09:00:00Z", "1E+40", "true"}), 0, 3).Draw(t, "texts")
	}
	one := func() string { return append(texts(), "x")[0] }
	switch kind {
	case 0:
		return str(one())
	case 1:
		return num(one())
	case 2:
		return bin([]byte(one())...)
	case 3:
		return yes()
	case 4:
		return null()
	case 5:
		return strSet(texts()...)
	case 6:
		return numSet(texts()...)
	case 7:
		var bs [][]byte
		for _, s := range texts() {
			bs = append(bs, []byte(s))
		}
		return binSet(bs...)
	case 8:
		return nil
	}
	if depth == 0 {
		return str("leaf")
	}
	var l []types.AttributeValue
	m := model.Item{}
	for i := range rapid.IntRange(0, 3).Draw(t, "n") {
		v := drawValue(t, depth-1)
		l = append(l, v)
		m[rapid.SampledFrom([]string{"street", "since", "tags", "a", "1", "2026-01-31", ""}).Draw(t, "name")+fmt.Sprint(i)[1:]] = v
	}
	if kind == 9 {
		return list(l...)
	}
	return obj(m)
}

// Whatever is stored, reading it is a value or an error, never a panic, and a
// value that is read can be written.
func TestUnmarshalAnything(t *testing.T) {
	e := everything()
	attrs := e.Attributes()
	table := model.NewTable("t", model.PrimaryKey("pk"))
	plain := model.MustDefine[plainValue](table, "Everything", keys.MustCompile1("E#<id>", keys.String), nil)
	plainAttrs := plain.Attributes()
	rapid.Check(t, func(t *rapid.T) {
		item := model.Item{"pk": str("E#1"), "_type": str("Everything")}
		for range rapid.IntRange(1, 4).Draw(t, "n") {
			item[rapid.SampledFrom(append(attrs, append(plainAttrs, "foreign")...)).Draw(t, "attr")] = drawValue(t, 3)
		}
		var ie *model.ItemError
		if _, err := e.Unmarshal(item); err != nil && !errors.As(err, &ie) {
			t.Fatalf("%T %v", err, err)
		}
		if _, err := plain.Unmarshal(item); err != nil && !errors.As(err, &ie) {
			t.Fatalf("%T %v", err, err)
		}
		e.Classify(item)
		model.ItemSize(item)
		model.EqualItems(item, item)
		for name, av := range item {
			_, _ = e.Encode(name, av)
		}
	})
}

// The text of a stored key is arbitrary, too: what is read makes the same text.
func FuzzKeyText(f *testing.F) {
	_, orders, _ := fieldService()
	o := anOrder()
	item, err := orders.Marshal(&o)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		"STATUS#OPEN#2026-01-31#w-1",     // a key
		"STATUS#OPEN#2026-01-31#",        // without its last part
		"STATUS#OPEN#2026-02-30#w-1",     // a day that is none
		"STATUS#OPEN#2026-01-31#w%2D1",   // escaped where it need not be
		"STATUS#OPEN#2026-01-31#\uffff",  // a bound
		"STATUS#OPEN#2026-01-31#w-1\xff", // not UTF-8
		"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sk string) {
		item := with(item, "sk", str(sk))
		v, err := orders.Unmarshal(item)
		if (err == nil) != Order.Matches(sk) {
			t.Fatalf("%q: %v, Matches says %t", sk, err, Order.Matches(sk))
		}
		if err != nil {
			return
		}
		k, err := orders.KeyOf(&v)
		if err != nil || k.Sort().String() != sk {
			t.Errorf("%q is read as %+v, whose key is %v, %v", sk, v, k, err)
		}
	})
}
