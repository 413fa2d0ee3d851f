package model

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/singletable-go/singletable/keys"
)

// Types with an encoding of their own, in every way that attributevalue knows.

type avForm struct{ N int }

func (f avForm) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberN{Value: fmt.Sprint(f.N)}}}, nil
}

func (f *avForm) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	if l, ok := av.(*types.AttributeValueMemberL); ok {
		_, err := fmt.Sscan(l.Value[0].(*types.AttributeValueMemberN).Value, &f.N)
		return err
	}
	*f = avForm{}
	return nil
}

type ptrForm struct{ N int }

func (f *ptrForm) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return &types.AttributeValueMemberS{Value: fmt.Sprint("p", f.N)}, nil
}

func (f *ptrForm) UnmarshalDynamoDBAttributeValue(av types.AttributeValue) error {
	if s, ok := av.(*types.AttributeValueMemberS); ok {
		_, err := fmt.Sscanf(s.Value, "p%d", &f.N)
		return err
	}
	return nil
}

type nullForm struct{}

func (nullForm) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) { return null(), nil }

type binForm struct{ s string }

func (f binForm) MarshalBinary() ([]byte, error)     { return []byte(f.s), nil }
func (f *binForm) UnmarshalBinary(data []byte) error { f.s = string(data); return nil }

type textForm string

func (f textForm) MarshalText() ([]byte, error) { return []byte("t:" + string(f)), nil }
func (f *textForm) UnmarshalText(text []byte) error {
	*f = textForm(strings.TrimPrefix(string(text), "t:"))
	return nil
}

type (
	named      string
	namedInt   int
	namedBytes []byte
	plainTime  time.Time
	node       struct {
		V    int     `dynamodbav:"v,omitempty"`
		Next *node   `dynamodbav:"next,omitempty"`
		Kids []*node `dynamodbav:"kids,omitempty"`
	}
	base struct {
		Shared string
		Hidden int `dynamodbav:"hidden"`
	}
	mixed struct {
		base
		*Tagged
		Hidden string `dynamodbav:"hidden"`
	}
	Tagged struct {
		T string `dynamodbav:"t,omitempty"`
		U string `dynamodbav:"-"`
		v string
	}
)

func ptr[V any](v V) *V { return &v }

// values are of every kind of type, each with a zero and a proper value.
func values() []any {
	at := time.Date(2026, 1, 31, 9, 0, 0, 5e8, time.UTC)
	return []any{
		"", "x", named(""), named("n"), textForm(""), textForm("x"), json.Number("12"), attributevalue.Number("1.5"),
		false, true, 0, 1, int8(-1), int64(1 << 60), namedInt(0), namedInt(3), uint(0), uint8(200), uint64(1 << 63), float32(0), float32(0.1), 1.5, -0.25,
		[]byte(nil), []byte{}, []byte{1, 2}, namedBytes(nil), namedBytes{3}, [3]byte{1}, [0]byte{},
		[]string(nil), []string{}, []string{"a", "", "b"}, []named{"a", ""}, []textForm{"a", ""}, []int{0, 1}, []uint8{1}, []float64{0, 1.5}, []bool{true, false},
		[][]byte{{1}}, [][]byte{{1}, {2}}, []*string{ptr("a"), nil, ptr("")}, []any{"a", nil, 0, []string{"x"}, map[string]any{"k": 1}},
		[2]string{"a", ""}, [2]int{}, [0]int{}, [][]string{{"a"}, nil, {}}, []map[string]int{{"a": 1}, nil}, []time.Time{at, {}}, []node{{V: 1}, {}},
		map[string]string(nil), map[string]string{}, map[string]string{"a": "", "b": "x"}, map[named]int{"a": 0}, map[textForm]string{"k": "v"},
		map[int]string{1: "a", -2: ""}, map[uint8]bool{1: true}, map[float64]int{1.5: 1}, map[bool]int{true: 1}, map[string]*int{"a": nil, "b": ptr(0)},
		map[string][]string{"a": nil, "b": {""}}, map[string]any{"a": nil, "b": 0, "c": ptr(0)}, map[string]node{"a": {}}, map[string]time.Time{"a": at, "b": {}},
		(*string)(nil), ptr(""), ptr("x"), ptr(0), ptr(ptr("")), ptr(ptr("x")), ptr((*string)(nil)), ptr(ptr(ptr(0))), ptr(ptr((*int)(nil))), ptr(ptr(ptr(ptr(0)))),
		ptr([]string(nil)), ptr(map[string]int(nil)), ptr([]byte(nil)), ptr(false), ptr(node{}), ptr(ptr(node{V: 1})),
		node{}, node{V: 1, Next: &node{V: 2}, Kids: []*node{{V: 3}, nil}}, base{}, base{"s", 1}, mixed{}, mixed{base{"s", 1}, &Tagged{T: "t", U: "u", v: "v"}, "h"},
		struct{}{}, at, time.Time{}, ptr(at), ptr(time.Time{}), plainTime(at), attributevalue.UnixTime(at), []attributevalue.UnixTime{attributevalue.UnixTime(at)},
		avForm{1}, ptr(avForm{2}), []avForm{{3}}, map[string]avForm{"a": {4}}, ptrForm{1}, ptr(ptrForm{2}), []ptrForm{{3}}, []*ptrForm{{4}, nil}, nullForm{}, binForm{"b"}, ptr(binForm{"c"}),
		keys.Date{}, keys.Date{Year: 2026, Month: 1, Day: 31}, netip.Addr{}, netip.MustParseAddr("10.0.0.1"), net.IP(nil), net.ParseIP("10.0.0.1"), *big.NewInt(12345), big.NewInt(7),
		time.Second, time.May,
	}
}

var allTags = []string{
	"", ",omitempty", ",nullempty", ",omitemptyelem", ",nullemptyelem", ",omitempty,omitemptyelem", ",string", ",string,omitempty",
	",stringset", ",numberset", ",binaryset", ",stringset,omitempty,omitemptyelem", ",numberset,omitemptyelem", ",unixtime", ",unixtime,omitempty", ",unknown",
}

// holder is a struct with one field of the type and tag. The interface variants
// hold the value in an any.
func holder(v any, tag string, inAny bool) reflect.Value {
	typ := reflect.TypeOf(v)
	if inAny {
		typ = reflect.TypeFor[any]()
	}
	t := reflect.StructOf([]reflect.StructField{{Name: "P", Type: typ, Tag: reflect.StructTag(`dynamodbav:"p` + tag + `"`)}})
	out := reflect.New(t)
	out.Elem().Field(0).Set(reflect.ValueOf(v))
	return out
}

var avOpts = cmp.Options{cmpopts.IgnoreUnexported(
	types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberB{}, types.AttributeValueMemberBOOL{},
	types.AttributeValueMemberNULL{}, types.AttributeValueMemberM{}, types.AttributeValueMemberL{}, types.AttributeValueMemberSS{},
	types.AttributeValueMemberNS{}, types.AttributeValueMemberBS{})}

// corrected gives the reason, from the documented list, for which a value is
// stored or read in another way than by attributevalue; "" for none.
func corrected(v any, tag string) string {
	typ := reflect.TypeOf(v)
	base := typ
	for base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	isTime := base.Kind() == reflect.Struct && base.ConvertibleTo(timeType)
	switch {
	case strings.Contains(tag, "unixtime") && base == timeType:
		return "a time tagged unixtime is a number"
	case strings.Contains(tag, "omitempty") && (has(base, isZeroType) || isTime) && base.Kind() != reflect.Map:
		if saysZero(addressable(reflect.ValueOf(v))) {
			return "a value that says that it is zero is absent under omitempty"
		}
	case strings.Contains(tag, "omitemptyelem"):
		if s, ok := v.([]time.Time); ok && len(s) > 0 {
			return "a value that says that it is zero is absent under omitempty"
		}
		if _, ok := v.(map[string]time.Time); ok {
			return "a value that says that it is zero is absent under omitempty"
		}
	}
	return ""
}

// Values are stored as attributevalue stores them, and read as it reads them, but
// for the corrections that the package documents.
func TestValuesAgainstAttributeValue(t *testing.T) {
	compared, differ := 0, 0
	for _, v := range values() {
		for _, tag := range allTags {
			for _, inAny := range []bool{false, true} {
				name := fmt.Sprintf("%T %+v `%s` any %t", v, v, tag, inAny)
				h := holder(v, tag, inAny)
				c, err := new(compiler).compile(h.Type().Elem(), tags{})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				want, wantErr := avEncoder.Encode(h.Interface())
				got, gotErr := c.encode(h.Elem(), 0)
				if (wantErr == nil) != (gotErr == nil) {
					if isEmptySet(v, tag) {
						continue
					}
					t.Errorf("%s: attributevalue says %v, model %v", name, wantErr, gotErr)
					continue
				}
				if wantErr != nil {
					continue
				}
				compared++
				if diff := cmp.Diff(want, got, avOpts); diff != "" {
					differ++
					if why := corrected(v, tag); why == "" && !isEmptySet(v, tag) && !hasPointerForm(v, inAny) {
						t.Errorf("%s (-attributevalue +model):\n%s", name, diff)
					}
					continue
				}
				theirs, ours := reflect.New(h.Type().Elem()), reflect.New(h.Type().Elem())
				wantErr = avDecoder.Decode(got, theirs.Interface())
				gotErr = c.decode(got, ours.Elem())
				if (wantErr == nil) != (gotErr == nil) {
					if gotErr == nil && (textSet(v, tag) || readsText(v, inAny) && strings.Contains(tag, ",string")) {
						continue // sets of types with a text form can be read back, and texts tagged string
					}
					t.Errorf("%s: reading, attributevalue says %v, model %v", name, wantErr, gotErr)
					continue
				}
				if strings.Contains(tag, "unixtime") {
					continue // read in UTC, not in the zone of the machine
				}
				if wantErr == nil && !reflect.DeepEqual(theirs.Interface(), ours.Interface()) && !textSet(v, tag) {
					t.Errorf("%s: attributevalue reads %+v, model %+v", name, theirs.Elem(), ours.Elem())
				}
			}
		}
	}
	t.Logf("%d compared, %d corrected", compared, differ)
	if compared < 3000 {
		t.Errorf("only %d values were compared", compared)
	}
}

// isEmptySet tells whether a value is an empty set.
func isEmptySet(v any, tag string) bool {
	rv := reflect.ValueOf(v)
	for rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	if rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array {
		return false
	}
	if !strings.Contains(tag, "set") {
		return false
	}
	if rv.Len() == 0 {
		return true
	}
	for i := range rv.Len() { // all of them left out
		if !isZero(rv.Index(i)) {
			return false
		}
	}
	return strings.Contains(tag, "omitemptyelem")
}

// hasPointerForm tells whether a type's marshaler has a pointer receiver, which
// attributevalue does not find where the value has no address.
func hasPointerForm(v any, inAny bool) bool {
	if !inAny {
		return false
	}
	typ := reflect.TypeOf(v)
	return typ == reflect.TypeFor[ptrForm]() || typ == reflect.TypeFor[big.Int]()
}

// readsText tells whether a text that is no number is read under the tag string.
func readsText(v any, inAny bool) bool {
	return inAny || reflect.TypeOf(v) == reflect.TypeFor[plainTime]()
}

// textSet tells whether a value is a set of a type with a text form.
func textSet(v any, tag string) bool {
	typ := reflect.TypeOf(v)
	return strings.Contains(tag, "set") && typ.Kind() == reflect.Slice && encodesItself(typ.Elem())
}
