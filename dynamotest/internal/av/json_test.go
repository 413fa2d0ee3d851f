package av

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDecodeValue(t *testing.T) {
	for _, tt := range []struct {
		reason, in string
		want       Value
	}{
		{"string", `{"S":"x"}`, String("x")},
		{"white space", " {\t\"S\"\n:\r\"x\" } ", String("x")},
		{"escapes", `{"S":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}`, String("\"\\/\b\f\n\r\té😀")},
		{"half a pair", `{"S":"\ud83dx\ude00"}`, String("\uFFFDx\uFFFD")},
		{"half a pair before another escape", `{"S":"\ud83d\u0041"}`, String("\uFFFDA")},
		{"no UTF-8", "{\"S\":\"\xff\"}", String("\uFFFD")},
		{"no UTF-8 beside an escape", "{\"S\":\"\xff\\n\"}", String("\uFFFD\n")},
		{"empty string", `{"S":""}`, String("")},
		{"number in normal form", `{"N":"1.50e1"}`, Num(Int(15))},
		{"binary", `{"B":"AP8="}`, Binary([]byte{0, 255})},
		{"empty binary", `{"B":""}`, Binary(nil)},
		{"true", `{"BOOL":true}`, Bool(true)},
		{"false", `{"BOOL":false}`, Bool(false)},
		{"word for true", `{"BOOL":"Yes"}`, Bool(true)},
		{"word for false", `{"BOOL":"0"}`, Bool(false)},
		{"null", `{"NULL":true}`, Null()},
		{"word for null", `{"NULL":"TRUE"}`, Null()},
		{"map", `{"M":{"a":{"S":"x"},"":{"L":[]}}}`, Map(map[string]Value{"a": String("x"), "": List(nil)})},
		{"list", `{"L":[{"S":"x"},{"M":{}}]}`, List([]Value{String("x"), Map(nil)})},
		{"string set", `{"SS":["a",""]}`, StringSet("a", "")},
		{"number set", `{"NS":["1","2.0"]}`, NumberSet(Int(1), Int(2))},
		{"binary set", `{"BS":["YQ==",""]}`, BinarySet([]byte("a"), nil)},
		{"unknown type beside one", `{"X":[{"y":[1,-2.5e3,null,true]}],"S":"x"}`, String("x")},
		{"null beside a type", `{"N":null,"S":"x"}`, String("x")},
		{"one type twice: the last", `{"N":"1","N":"2"}`, Num(Int(2))},
	} {
		got, err := DecodeValue([]byte(tt.in))
		if err != nil || !Equal(got, tt.want) {
			t.Errorf("%s: %s reads as %s, %v, want %s", tt.reason, tt.in, got.AppendJSON(nil), err, tt.want.AppendJSON(nil))
		}
	}
}

func TestDecodeValueRefuses(t *testing.T) {
	nested := func(kind string, levels int) string {
		open, end := `{"L":[`, `]}`
		if kind == "M" {
			open, end = `{"M":{"a":`, `}}`
		}
		return strings.Repeat(open, levels) + `{"S":"x"}` + strings.Repeat(end, levels)
	}
	const v, s = ValidationException, SerializationException
	for _, tt := range []struct{ reason, in, kind, message string }{
		{"no type", `{}`, v, msgEmpty},
		{"unknown type", `{"X":"a"}`, v, msgEmpty},
		{"type in lower case", `{"s":"a"}`, v, msgEmpty},
		{"null for a value", `null`, v, msgEmpty},
		{"null for its type", `{"S":null}`, v, msgEmpty},
		{"two types", `{"S":"a","N":"1"}`, v, msgSeveralTypes},
		{"two empty types", `{"L":[],"M":{}}`, v, msgSeveralTypes},
		{"two types, one of them wrong", `{"S":"a","N":""}`, v, msgNotNumeric},
		{"two types, both wrong: in the service's order", `{"NULL":false,"N":"x"}`, v, msgNotNumeric + ": x"},
		{"no number", `{"N":"x"}`, v, msgNotNumeric + ": x"},
		{"null that is not", `{"NULL":false}`, v, msgNotTrue},
		{"empty string set", `{"SS":[]}`, v, msgEmptySS},
		{"empty number set", `{"NS":[]}`, v, msgEmptyNS},
		{"empty binary set", `{"BS":[]}`, v, msgEmptyBS},
		{"null in a set", `{"SS":["a",null]}`, v, msgNullMember},
		{"strings twice", `{"SS":["a","b","a"]}`, v, "One or more parameter values were invalid: Input collection [a, b, a] contains duplicates."},
		{"numbers twice, by value", `{"NS":["1","1.0"]}`, v, "Input collection contains duplicates"},
		{"binaries twice", `{"BS":["YQ==","YQ=="]}`, v, "One or more parameter values were invalid: Input collection [YQ==, YQ==]of type BS contains duplicates."},
		{"twice in a large set", `{"NS":["1","2","3","4","5","6","7","8","9","10","11","12","13","14","15","16","17","1e0"]}`, v, "Input collection contains duplicates"},
		{"no number in a set", `{"NS":["1","b"]}`, v, msgNotNumeric + ": b"},
		{"fault in a list", `{"L":[{"S":"a"},{}]}`, v, msgEmpty},
		{"null in a list", `{"L":[null]}`, v, msgEmpty},
		{"fault in a map", `{"M":{"a":{"N":""}}}`, v, msgNotNumeric},
		{"lists in 32 lists", nested("L", 32), v, MsgNesting},
		{"maps in 32 maps", nested("M", 32), v, MsgNesting},
		{"far too deep", nested("L", 400), v, MsgNesting},

		{"number for a string", `{"S":1}`, s, "NUMBER_VALUE cannot be converted to String"},
		{"fraction for a string", `{"S":1.5}`, s, "DECIMAL_VALUE cannot be converted to String"},
		{"true for a string", `{"S":true}`, s, "TRUE_VALUE cannot be converted to String"},
		{"false for a number", `{"N":false}`, s, "FALSE_VALUE cannot be converted to String"},
		{"array for a string", `{"S":[]}`, s, "Unrecognized collection type class java.lang.String"},
		{"object for a string", `{"S":{}}`, s, msgStructure},
		{"number for a binary", `{"B":1}`, s, msgNotBase64},
		{"array for a binary", `{"B":[]}`, s, "Unrecognized collection type class java.nio.ByteBuffer"},
		{"object for a binary", `{"B":{}}`, s, msgStructure},
		{"binary of odd length", `{"B":"YWE"}`, s, "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
		{"binary with bits to spare", `{"B":"YR=="}`, s, msgBadBase64},
		{"binary with a strange character", `{"B":"Y!=="}`, s, msgBadBase64},
		{"binary with a line end", `{"B":"YQ==\n\n\n\n"}`, s, msgBadBase64},
		{"number for a boolean", `{"BOOL":1}`, s, "NUMBER_VALUE cannot be converted to Boolean"},
		{"word for a boolean", `{"BOOL":"x"}`, s, msgBadToken},
		{"array for a boolean", `{"NULL":[]}`, s, "Unrecognized collection type class java.lang.Boolean"},
		{"object for a boolean", `{"NULL":{}}`, s, msgStructure},
		{"string for a set", `{"SS":"a"}`, s, msgFieldType},
		{"object for a list", `{"L":{}}`, s, msgStructure},
		{"string for a list", `{"L":"a"}`, s, msgFieldType},
		{"number in a string set", `{"SS":["a",1]}`, s, "NUMBER_VALUE cannot be converted to String"},
		{"string in a list", `{"L":["a"]}`, s, msgValueType},
		{"array in a list", `{"L":[[]]}`, s, msgValCollection},
		{"array for a map", `{"M":[]}`, s, msgMapCollection},
		{"string for a map", `{"M":"a"}`, s, msgFieldType},
		{"number in a map", `{"M":{"x":1}}`, s, msgValueType},
		{"string for a value", `"a"`, s, msgValueType},
		{"array for a value", `[]`, s, msgValCollection},
		{"shape before content", `{"L":[{},"a"]}`, s, msgValueType},

		{"nothing", ``, s, ""},
		{"cut off", `{"S":"x"`, s, ""},
		{"cut off in a string", `{"S":"x`, s, ""},
		{"cut off in an escape", `{"S":"x\`, s, ""},
		{"cut off in a code", `{"S":"\u00`, s, ""},
		{"unknown escape", `{"S":"\x"}`, s, ""},
		{"no hexadecimal code", `{"S":"\u00zz"}`, s, ""},
		{"control character", "{\"S\":\"\n\"}", s, ""},
		{"control character after an escape", "{\"S\":\"\\n\n\"}", s, ""},
		{"more after it", `{"S":"x"}}`, s, ""},
		{"comma too many", `{"S":"x",}`, s, ""},
		{"comma too many in a list", `{"L":[{"S":"x"},]}`, s, ""},
		{"colon missing", `{"S" "x"}`, s, ""},
		{"name without quotes", `{S:"x"}`, s, ""},
		{"no word", `{"BOOL":tru}`, s, ""},
		{"no number", `{"S":-}`, s, ""},
		{"refused for its type before its form", `{"S":01}`, s, "NUMBER_VALUE cannot be converted to String"},
		{"unknown type far too deep", `{"X":` + strings.Repeat("[", 100000) + `}`, s, ""},
	} {
		got, err := DecodeValue([]byte(tt.in))
		e, ok := err.(*Error)
		if !ok || e.Type != tt.kind || e.Message != tt.message {
			t.Errorf("%s: %.80s reads as %s, %v, want %s: %s", tt.reason, tt.in, got.AppendJSON(nil), err, tt.kind, tt.message)
		}
	}
}

func TestDeepestValues(t *testing.T) {
	for _, in := range []string{
		strings.Repeat(`{"L":[`, 31) + `{"S":"x"}` + strings.Repeat(`]}`, 31),
		strings.Repeat(`{"M":{"a":`, 31) + `{"S":"x"}` + strings.Repeat(`}}`, 31),
		strings.Repeat(`{"M":{"a":`, 31) + `{"M": { } }` + strings.Repeat(`}}`, 31),
		strings.Repeat(`{"L":[`, 31) + `{"L":[ ]}` + strings.Repeat(`]}`, 31),
	} {
		v, err := DecodeValue([]byte(in))
		if err != nil || v.Depth() != MaxDepth {
			t.Errorf("%s: depth %d, %v", in, v.Depth(), err)
		}
	}
}

func TestDecodeItem(t *testing.T) {
	it, err := DecodeItem([]byte(`{"pk":{"S":"x"},"n":{"N":"1"}}`))
	if want := (Item{"pk": String("x"), "n": Num(Int(1))}); err != nil || !EqualItems(it, want) {
		t.Errorf("got %s, %v", it.AppendJSON(nil), err)
	}
	if it, err := DecodeItem([]byte(`{}`)); err != nil || it == nil || len(it) != 0 {
		t.Errorf("empty item: got %v, %v", it, err)
	}
	if it, err := DecodeItem([]byte(`null`)); err != nil || it != nil {
		t.Errorf("null: got %v, %v", it, err)
	}
	for _, tt := range []struct{ in, message string }{
		{`[]`, msgMapCollection},
		{`"a"`, msgFieldType},
		{`{"a":1}`, msgValueType},
		{`{"a":{}} x`, ""},
		{`{"a":{},"b":"x"}`, msgValueType},
	} {
		if _, err := DecodeItem([]byte(tt.in)); err == nil || err.(*Error).Type != SerializationException || err.(*Error).Message != tt.message {
			t.Errorf("%s: got %v, want %q", tt.in, err, tt.message)
		}
	}
}

func TestDecodeItemTellsWhere(t *testing.T) {
	it, err := DecodeItem([]byte(`{":a":{"S":"x"},":b":{"L":[{"N":"x"}]},":c":{}}`))
	e, ok := err.(*Error)
	if !ok || e.Key != ":b" || e.Message != msgNotNumeric+": x" {
		t.Errorf("got %v, want the fault of :b", err)
	}
	if len(it) != 3 || !it[":a"].IsValid() || it[":b"].IsValid() {
		t.Errorf("item of a fault: %v", it)
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := drawValue(t, 4)
		raw := v.AppendJSON(nil)
		if !json.Valid(raw) {
			t.Fatalf("no JSON: %s", raw)
		}
		got, err := DecodeValue(raw)
		if err != nil || !Equal(got, v) {
			t.Fatalf("%s reads as %s, %v", raw, got.AppendJSON(nil), err)
		}
		if got.Size() != v.Size() || got.Depth() != v.Depth() {
			t.Fatalf("%s: size %d, %d, depth %d, %d", raw, got.Size(), v.Size(), got.Depth(), v.Depth())
		}
	})
}

// The library of the language writes the same strings, and reads what this
// package writes as the same text.
func TestStringsAgainstEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "s"))
		if rapid.Bool().Draw(t, "runes") {
			s = rapid.String().Draw(t, "s")
		}
		want := strings.ToValidUTF8(s, "\uFFFD")
		var got string
		if err := json.Unmarshal(AppendString(nil, s), &got); err != nil {
			t.Fatal(err)
		}
		theirs, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		v, err := DecodeValue([]byte(`{"S":` + string(theirs) + `}`))
		if err != nil {
			t.Fatal(err)
		}
		// encoding/json writes one U+FFFD for each bad byte, ToValidUTF8 for each run.
		squeeze := func(s string) string {
			for strings.Contains(s, "\uFFFD\uFFFD") {
				s = strings.ReplaceAll(s, "\uFFFD\uFFFD", "\uFFFD")
			}
			return s
		}
		if squeeze(got) != squeeze(want) || squeeze(v.Str()) != squeeze(want) {
			t.Fatalf("%q: written as %q, read as %q", s, got, v.Str())
		}
	})
}

func TestMarshalers(t *testing.T) {
	in := `{"item":{"a":{"L":[{"BOOL":true},{"NS":["1"]}]}},"value":{"B":"YQ=="}}`
	var doc struct {
		Item  Item  `json:"item"`
		Value Value `json:"value"`
	}
	if err := json.Unmarshal([]byte(in), &doc); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(doc)
	if err != nil || string(out) != in {
		t.Errorf("got %s, %v, want %s", out, err, in)
	}
	if err := json.Unmarshal([]byte(`{"item":{"a":{}}}`), &doc); err == nil {
		t.Error("a fault in an item is lost")
	}
	if err := json.Unmarshal([]byte(`{"value":{}}`), &doc); err == nil {
		t.Error("a fault in a value is lost")
	}
	if out, err := json.Marshal(Item(nil)); err != nil || string(out) != "null" {
		t.Errorf("nil item: got %s, %v", out, err)
	}
	if out := (Value{}).AppendJSON(nil); string(out) != "null" {
		t.Errorf("no value: got %s", out)
	}
}

func FuzzDecodeItem(f *testing.F) {
	for _, s := range []string{
		`{}`, `null`, `{"a":{"S":"\ud83d\ude00"}}`, `{"a":{"N":"1e2"},"b":{"B":"YQ=="},"c":{"BOOL":true},"d":{"NULL":true}}`,
		`{"a":{"M":{"x":{"L":[{"SS":["a","b"]},{"NS":["1"]},{"BS":["YQ=="]}]}}}}`, `{"a":{"S":"x","N":"1"}}`, `{"a":{"X":[[[{}]]]}}`,
		strings.Repeat(`{"L":[`, 40),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		it, err := DecodeItem(raw)
		if err != nil {
			if _, ok := err.(*Error); !ok {
				t.Fatalf("error of type %T", err)
			}
			return
		}
		if !json.Valid(raw) {
			t.Fatalf("taken, though no JSON: %q", raw)
		}
		if it == nil {
			return
		}
		for name, v := range it {
			if !v.IsValid() || v.Depth() > MaxDepth {
				t.Fatalf("%q: %s, depth %d", name, v.AppendJSON(nil), v.Depth())
			}
		}
		again, err := DecodeItem(it.AppendJSON(nil))
		if err != nil || !EqualItems(it, again) {
			t.Fatalf("%s reads as %s, %v", it.AppendJSON(nil), again.AppendJSON(nil), err)
		}
	})
}

func BenchmarkDecodeItem(b *testing.B) {
	raw := []byte(`{"pk":{"S":"REGION#eu-west"},"sk":{"S":"STATUS#OPEN#2024-01-31#w-1"},"amount":{"N":"1234.5"},"open":{"BOOL":true},"tags":{"SS":["a","b"]},"address":{"M":{"street":{"S":"x"},"no":{"N":"7"}}}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeItem(raw); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	it, err := DecodeItem([]byte(`{"pk":{"S":"REGION#eu-west"},"sk":{"S":"STATUS#OPEN#2024-01-31#w-1"},"amount":{"N":"1234.5"},"open":{"BOOL":true},"tags":{"SS":["a","b"]}}`))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		buf = it.AppendJSON(buf[:0])
	}
}
