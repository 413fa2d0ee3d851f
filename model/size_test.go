package model

import (
	"math/big"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"pgregory.net/rapid"
)

// What DynamoDB counts for numbers, as measured on the service.
func TestNumberSize(t *testing.T) {
	for n, want := range map[string]int{
		"0": 1, "42": 2, "100": 2, "1010": 3, "1.5": 3, "3.14159": 5, "0.15": 2, "-42": 3,
		"-0": 1, "0.0": 1, "1E+2": 2, "1e2": 2, "100.50": 4, "00042": 2, "+42": 2, "0.0015": 2,
		strings.Repeat("9", 38): 20, "-" + strings.Repeat("9", 38): 21,
		"no number": len("no number"),
	} {
		if got := numberSize(n); got != want {
			t.Errorf("numberSize(%q) = %d, want %d", n, got, want)
		}
	}
}

func TestItemSize(t *testing.T) {
	for _, tt := range []struct {
		why  string
		av   types.AttributeValue
		want int
	}{
		{"UTF-8 bytes", &types.AttributeValueMemberS{Value: "é😀"}, 6},
		{"raw bytes", &types.AttributeValueMemberB{Value: make([]byte, 5)}, 5},
		{"a boolean", &types.AttributeValueMemberBOOL{}, 1},
		{"NULL", &types.AttributeValueMemberNULL{Value: true}, 1},
		{"an empty list", &types.AttributeValueMemberL{}, 3},
		{"a list", &types.AttributeValueMemberL{Value: []types.AttributeValue{
			&types.AttributeValueMemberN{Value: "42"}, &types.AttributeValueMemberS{Value: "x"}}}, 3 + 1 + 2 + 1 + 1},
		{"an empty map", &types.AttributeValueMemberM{}, 3},
		{"a map", &types.AttributeValueMemberM{Value: Item{"ab": &types.AttributeValueMemberS{Value: "x"}}}, 3 + 1 + 2 + 1},
		{"a string set", &types.AttributeValueMemberSS{Value: []string{"a", "bc"}}, 3},
		{"a number set", &types.AttributeValueMemberNS{Value: []string{"1", "-42"}}, 5},
		{"a binary set", &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2, 3}}}, 3},
		{"nothing", nil, 0},
	} {
		if got := ItemSize(Item{"é": tt.av}); got != tt.want+2 {
			t.Errorf("%s: %d, want %d and 2 for the name", tt.why, got, tt.want)
		}
	}
}

// Numbers are taken apart as math/big does it.
func TestDecimalAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		num := func(label string) string {
			return rapid.StringMatching(`[+-]?(0|00|[0-9]{1,5}|[1-9]0{0,3})(\.[0-9]{0,4})?([eE][+-]?[0-9]{1,2})?`).Draw(t, label)
		}
		a, b := num("a"), num("b")
		x, ok := new(big.Rat).SetString(a)
		y, ok2 := new(big.Rat).SetString(b)
		if !ok || !ok2 {
			t.Fatalf("bad draw %q %q", a, b)
		}
		if got, want := sameNumber(a, b), x.Cmp(y) == 0; got != want {
			t.Errorf("sameNumber(%q, %q) = %t", a, b, got)
		}
		d, ok := parseDecimal(a)
		if !ok {
			t.Fatalf("parseDecimal(%q) fails", a)
		}
		back := new(big.Rat)
		back.SetString("0." + d.digits + "0")
		ten := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(d.exp, -d.exp))), nil))
		if d.exp < 0 {
			ten.Inv(ten)
		}
		if back.Mul(back, ten); d.neg {
			back.Neg(back)
		}
		if back.Cmp(x) != 0 {
			t.Errorf("parseDecimal(%q) = %+v", a, d)
		}
	})
}

func TestParseDecimalRefuses(t *testing.T) {
	for _, s := range []string{"", "-", "+", ".", "e5", "1e", "1e+", "1e+-1", "1e++1", "--1", "+-1", "1.2.3", "1,2", "0x1", "1_0", "NaN", "Inf", " 1", "1 ", "١", "1e99999999999"} {
		if d, ok := parseDecimal(s); ok {
			t.Errorf("parseDecimal(%q) = %+v", s, d)
		}
	}
}

func TestStorable(t *testing.T) {
	for s, want := range map[string]bool{
		"0": true, "1E-130": true, "-1E-130": true, "9.9E-131": false, "9.9999999999999999999999999999999999999E+125": true,
		"1E126": false, strings.Repeat("9", 38): true, strings.Repeat("9", 39): false, "1" + strings.Repeat("0", 40): true,
		"0." + strings.Repeat("0", 129) + "1": true, "0." + strings.Repeat("0", 130) + "1": false,
	} {
		if d, ok := parseDecimal(s); !ok || d.storable() != want {
			t.Errorf("%s: storable %t, want %t", s, d.storable(), want)
		}
	}
}
