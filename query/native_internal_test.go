package query

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// What a term asks of DynamoDB and what it holds a cursor to are one.
func TestTerms(t *testing.T) {
	s := func(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
	n := func(v string) types.AttributeValue { return &types.AttributeValueMemberN{Value: v} }
	b := func(v string) types.AttributeValue { return &types.AttributeValueMemberB{Value: []byte(v)} }
	for _, tt := range []struct {
		term    term
		text    string
		in, out []types.AttributeValue
	}{
		{term{op: keys.PartEqual, lo: s("b")}, "#k0 = :l0", []types.AttributeValue{s("b")}, []types.AttributeValue{s("a"), s("bb"), n("1"), nil}},
		{term{op: keys.PartEqual, lo: n("10")}, "#k0 = :l0", []types.AttributeValue{n("10"), n("1e1"), n("10.0")}, []types.AttributeValue{n("9"), n("x"), s("10")}},
		{term{op: keys.PartBetween, lo: n("-2"), hi: n("10")}, "#k0 BETWEEN :l0 AND :h0", []types.AttributeValue{n("-2"), n("9"), n("10")}, []types.AttributeValue{n("-2.1"), n("11"), n("1e999")}},
		{term{op: keys.PartBeginsWith, lo: s("ab")}, "begins_with(#k0, :l0)", []types.AttributeValue{s("ab"), s("abc")}, []types.AttributeValue{s("a"), s("b"), b("ab")}},
		{term{op: keys.PartBeginsWith, lo: b("\xff")}, "begins_with(#k0, :l0)", []types.AttributeValue{b("\xff"), b("\xff\x00")}, []types.AttributeValue{b("\xfe"), s("\xff")}},
		{term{op: keys.PartBeginsWith, lo: n("1")}, "begins_with(#k0, :l0)", nil, []types.AttributeValue{n("1")}},
		{term{op: keys.PartAtLeast, lo: b("b")}, "#k0 >= :l0", []types.AttributeValue{b("b"), b("ba")}, []types.AttributeValue{b("a"), s("b")}},
		{term{op: keys.PartAbove, lo: s("b")}, "#k0 > :l0", []types.AttributeValue{s("ba")}, []types.AttributeValue{s("b"), s("a")}},
		{term{op: keys.PartAtMost, hi: s("b")}, "#k0 <= :h0", []types.AttributeValue{s("b"), s("a")}, []types.AttributeValue{s("ba")}},
		{term{op: keys.PartBelow, hi: s("b")}, "#k0 < :h0", []types.AttributeValue{s("a")}, []types.AttributeValue{s("b")}},
		{term{op: 99, lo: s("b")}, "", nil, []types.AttributeValue{s("b")}},
	} {
		tt.term.name = "x"
		if text, names, _ := condition([]term{tt.term}); text != tt.text || names["#k0"] != "x" {
			t.Errorf("condition %q with names %v, want %q", text, names, tt.text)
		}
		for _, v := range tt.in {
			if !tt.term.holds(v) {
				t.Errorf("%s does not hold for %v", tt.text, v)
			}
		}
		for _, v := range tt.out {
			if tt.term.holds(v) {
				t.Errorf("%s holds for %v", tt.text, v)
			}
		}
	}
}

// A number from a cursor is computed with only where it can be one of DynamoDB.
func TestParseNumber(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", "-0": "0", "1e3": "1000", ".5": "1/2", "1.": "1", "+2.50": "5/2", "1E-2": "1/100",
		"": "", "e1": "", "1e1000": "", "1e+99999999999": "", "0x10": "", "1_000": "", "1/2": "", "Inf": "", " 1": "", strings.Repeat("9", 131): "",
	} {
		n, ok := parseNumber(text)
		if ok != (want != "") || ok && n.RatString() != want {
			t.Errorf("parseNumber(%q) = %v, %v, want %q", text, n, ok, want)
		}
	}
	if numberText("1e2") != numberText("100.0") || numberText("no") != "no" {
		t.Error("equal numbers have different texts")
	}
}

// A key attribute of the wrong type fits no cursor.
func TestKeyBytes(t *testing.T) {
	for _, kind := range []types.ScalarAttributeType{types.ScalarAttributeTypeS, types.ScalarAttributeTypeN, types.ScalarAttributeTypeB} {
		a := model.KeyAttribute{Name: "x", Type: kind}
		if text, ok := keyBytes(a, keyValue(kind, "1")); !ok || text != "1" {
			t.Errorf("%s: %q, %v after keyValue", kind, text, ok)
		}
		for _, v := range []types.AttributeValue{nil, &types.AttributeValueMemberBOOL{Value: true}} {
			if text, ok := keyBytes(a, v); ok {
				t.Errorf("%s: %v gives %q", kind, v, text)
			}
		}
	}
	if _, ok := keyBytes(model.KeyAttribute{Type: types.ScalarAttributeTypeS}, keyValue(types.ScalarAttributeTypeN, "1")); ok {
		t.Error("a number passes for a string")
	}
}
