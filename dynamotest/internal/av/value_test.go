package av

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func num(t testing.TB, s string) Value { return Num(mustNumber(t, s)) }

func TestSize(t *testing.T) {
	for _, tt := range []struct {
		reason string
		v      Value
		want   int
	}{
		{"UTF-8 bytes", String("é😀"), 6},
		{"empty string", String(""), 0},
		{"bytes", Binary([]byte{0, 255}), 2},
		{"number", num(t, "3.14159"), 5},
		{"boolean", Bool(false), 1},
		{"null", Null(), 1},
		{"empty map", Map(nil), 3},
		{"map: name, value, 1", Map(map[string]Value{"ab": String("c")}), 7},
		{"empty list", List(nil), 3},
		{"list: 1 an element", List([]Value{String("ab"), Null()}), 8},
		{"sum of a set", StringSet("a", "bc"), 3},
		{"sum of a number set", NumberSet(Int(1), Int(100)), 4},
		{"sum of a binary set", BinarySet([]byte("a"), []byte("bc")), 3},
		{"no value", Value{}, 0},
	} {
		if got := tt.v.Size(); got != tt.want {
			t.Errorf("%s: size %d, want %d", tt.reason, got, tt.want)
		}
	}
	it := Item{"pk": String("a"), "é": Null()}
	if got := it.Size(); got != 6 {
		t.Errorf("item: size %d, want 6", got)
	}
}

func TestDepth(t *testing.T) {
	for _, tt := range []struct {
		v    Value
		want int
	}{
		{String("x"), 1}, {StringSet("x"), 1}, {Map(nil), 1}, {List(nil), 1},
		{List([]Value{Null()}), 2},
		{Map(map[string]Value{"a": List([]Value{Null()}), "b": Null()}), 3},
	} {
		if got := tt.v.Depth(); got != tt.want {
			t.Errorf("%s: depth %d, want %d", tt.v.AppendJSON(nil), got, tt.want)
		}
	}
}

func TestEqual(t *testing.T) {
	var letters, reversed []string
	for c := 'a'; c <= 'z'; c++ {
		letters = append(letters, string(c))
		reversed = append([]string{string(c)}, reversed...)
	}
	for _, tt := range []struct {
		reason string
		a, b   Value
		want   bool
	}{
		{"strings", String("a"), String("a"), true},
		{"other string", String("a"), String("b"), false},
		{"string and binary of one text", String("a"), Binary([]byte("a")), false},
		{"string and number of one text", String("1"), Num(Int(1)), false},
		{"numbers by value", num(t, "1e2"), num(t, "100.0"), true},
		{"booleans", Bool(true), Bool(false), false},
		{"null", Null(), Null(), true},
		{"sets in another order", StringSet("a", "b"), StringSet("b", "a"), true},
		{"large sets in another order", StringSet(letters...), StringSet(reversed...), true},
		{"large sets with another member", StringSet(letters...), StringSet(append(reversed[1:], "0")...), false},
		{"subset", StringSet("a", "b"), StringSet("a"), false},
		{"sets of other types", StringSet("1"), NumberSet(Int(1)), false},
		{"lists in another order", List([]Value{Null(), Bool(true)}), List([]Value{Bool(true), Null()}), false},
		{"maps", Map(map[string]Value{"a": Null()}), Map(map[string]Value{"a": Null()}), true},
		{"maps with another name", Map(map[string]Value{"a": Null()}), Map(map[string]Value{"b": Null()}), false},
		{"maps with another value", Map(map[string]Value{"a": Bool(true)}), Map(map[string]Value{"a": Bool(false)}), false},
		{"empty map and empty list", Map(nil), List(nil), false},
	} {
		if got := Equal(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: Equal = %t, want %t", tt.reason, got, tt.want)
		}
		if got := Equal(tt.b, tt.a); got != tt.want {
			t.Errorf("%s, turned round: Equal = %t, want %t", tt.reason, got, tt.want)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct {
		reason string
		a, b   Value
		want   int
		ok     bool
	}{
		{"strings by bytes: U+FFFF is below U+10000", String("\uFFFF"), String("\U00010000"), -1, true},
		{"capitals first", String("B"), String("a"), -1, true},
		{"prefix first", String("a"), String("ab"), -1, true},
		{"numbers by value", num(t, "10"), num(t, "9"), 1, true},
		{"negative numbers", num(t, "-10"), num(t, "-9"), -1, true},
		{"unsigned bytes", Binary([]byte{0x80}), Binary([]byte{0x7F}), 1, true},
		{"equal", num(t, "1.0"), num(t, "1"), 0, true},
		{"two types", String("1"), Num(Int(1)), 0, false},
		{"booleans", Bool(true), Bool(true), 0, false},
		{"sets", StringSet("a"), StringSet("a"), 0, false},
	} {
		got, ok := Compare(tt.a, tt.b)
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s: Compare = %d, %t, want %d, %t", tt.reason, got, ok, tt.want, tt.ok)
		}
	}
}

func TestAccessorsOfOtherTypes(t *testing.T) {
	all := []Value{
		String("a"), Num(Int(1)), Binary([]byte("a")), Bool(true), Null(), Map(map[string]Value{"a": Null()}),
		List([]Value{Null()}), StringSet("a"), NumberSet(Int(1)), BinarySet([]byte("a")),
	}
	for i, v := range all {
		if got := v.Kind(); got != Kind(i+1) || KindOf(got.String()) != got {
			t.Fatalf("kind %d of %s", got, v.AppendJSON(nil))
		}
		got := []bool{
			v.Str() != "", v.Number() != Number{}, v.Bytes() != nil && v.Raw() != "", v.Bool(), v.Kind() == NULL,
			v.Map() != nil, v.List() != nil, v.Strs() != nil, v.Numbers() != nil, v.Binaries() != nil,
		}
		want := make([]bool, len(all))
		want[i] = true
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: accessors that answer (-want +got):\n%s", v.Kind(), diff)
		}
		if v.Kind().IsSet() != (v.Members() != nil) {
			t.Errorf("%s: members %v", v.Kind(), v.Members())
		}
	}
}

func TestSetOperations(t *testing.T) {
	a, b := StringSet("a", "b"), StringSet("b", "c")
	if got := Union(a, b).Strs(); !cmp.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("union %v", got)
	}
	if got := a.Strs(); !cmp.Equal(got, []string{"a", "b"}) {
		t.Errorf("union changed its operand to %v", got)
	}
	if got, ok := Difference(a, b); !ok || !cmp.Equal(got.Strs(), []string{"a"}) {
		t.Errorf("difference %v, %t", got.Strs(), ok)
	}
	if got, ok := Difference(a, StringSet("b", "a", "c")); ok {
		t.Errorf("difference %v, want nothing", got.Strs())
	}
}

// drawValue draws values that are valid and nest up to depth.
func drawValue(t *rapid.T, depth int) Value {
	kinds := []Kind{S, N, B, BOOL, NULL, SS, NS, BS, M, L}
	if depth <= 1 {
		kinds = kinds[:8]
	}
	text := rapid.StringN(0, 4, -1)
	switch k := rapid.SampledFrom(kinds).Draw(t, "kind"); k {
	case S:
		return String(text.Draw(t, "S"))
	case N:
		return Num(drawNumber(t))
	case B:
		return Binary([]byte(text.Draw(t, "B")))
	case BOOL:
		return Bool(rapid.Bool().Draw(t, "BOOL"))
	case NULL:
		return Null()
	case SS:
		return StringSet(rapid.SliceOfNDistinct(text, 1, 20, rapid.ID).Draw(t, "SS")...)
	case NS:
		return NumberSet(rapid.SliceOfNDistinct(rapid.Custom(drawNumber), 1, 20, rapid.ID).Draw(t, "NS")...)
	case BS:
		var members [][]byte
		for _, s := range rapid.SliceOfNDistinct(text, 1, 20, rapid.ID).Draw(t, "BS") {
			members = append(members, []byte(s))
		}
		return BinarySet(members...)
	case M:
		m := map[string]Value{}
		for _, name := range rapid.SliceOfN(text, 0, 3).Draw(t, "names") {
			m[name] = drawValue(t, depth-1)
		}
		return Map(m)
	}
	l := make([]Value, rapid.IntRange(0, 3).Draw(t, "elements"))
	for i := range l {
		l[i] = drawValue(t, depth-1)
	}
	return List(l)
}

func drawNumber(t *rapid.T) Number {
	for {
		if n, err := ParseNumber(drawDecimal(t, "N")); err == nil {
			return n
		}
	}
}

func TestCompareIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := Num(drawNumber(t)), Num(drawNumber(t)), Num(drawNumber(t))
		ab, _ := Compare(a, b)
		ba, _ := Compare(b, a)
		bc, _ := Compare(b, c)
		ac, _ := Compare(a, c)
		if ab != -ba {
			t.Fatalf("Compare(%s, %s) = %d and %d", a.Number(), b.Number(), ab, ba)
		}
		if ab <= 0 && bc <= 0 && ac > 0 {
			t.Fatalf("%s <= %s <= %s, but not the first and the last", a.Number(), b.Number(), c.Number())
		}
		if (ab == 0) != Equal(a, b) {
			t.Fatalf("Compare and Equal of %s and %s", a.Number(), b.Number())
		}
	})
}

func TestEqualItems(t *testing.T) {
	a := Item{"a": String("x"), "b": Null()}
	if !EqualItems(a, Item{"b": Null(), "a": String("x")}) {
		t.Error("equal items are not")
	}
	for _, b := range []Item{nil, {"a": String("x")}, {"a": String("x"), "c": Null()}, {"a": String("y"), "b": Null()}} {
		if EqualItems(a, b) {
			t.Errorf("%s equals %s", a.AppendJSON(nil), b.AppendJSON(nil))
		}
	}
}

func TestErrorText(t *testing.T) {
	for _, tt := range []struct {
		e    *Error
		want string
	}{
		{invalid("why"), "ValidationException: why"},
		{malformed(""), "SerializationException"},
	} {
		if got := tt.e.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
	if got := (Kind(0)).String() + Kind(200).String() + strings.Repeat("x", int(KindOf("X"))); got != "" {
		t.Errorf("names of no kinds: %q", got)
	}
}
