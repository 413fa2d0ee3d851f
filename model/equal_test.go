package model_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

func TestEqual(t *testing.T) {
	// Values of one group are equal, values of different groups are not.
	groups := [][]types.AttributeValue{
		{nil},
		{str("")}, {str("1")}, {str("a")},
		{num("0"), num("-0"), num("0.00"), num("0E+5")},
		{num("1"), num("1.0"), num("+1"), num("10E-1"), num("01")},
		{num("100"), num("1E2"), num("1e+2")},
		{num("-1")}, {num("x")},
		{bin(), bin()}, {bin(1)},
		{yes()}, {&types.AttributeValueMemberBOOL{}},
		{null(), &types.AttributeValueMemberNULL{}},
		{list()}, {list(num("1")), list(num("1.0"))}, {list(num("1"), num("2"))}, {list(num("2"), num("1"))},
		{obj(nil), obj(model.Item{})}, {obj(model.Item{"a": num("1")}), obj(model.Item{"a": num("1.0")})}, {obj(model.Item{"b": num("1")})}, {obj(model.Item{"a": nil})},
		{strSet("a", "b"), strSet("b", "a")}, {strSet("a")}, {strSet("a", "a")},
		{numSet("1", "2"), numSet("2.0", "1")}, {numSet("1", "3")},
		{binSet([]byte{1}, []byte{2}), binSet([]byte{2}, []byte{1})}, {binSet([]byte{1})},
	}
	for i, g := range groups {
		for j, h := range groups {
			for _, a := range g {
				for _, b := range h {
					if got := model.Equal(a, b); got != (i == j) {
						t.Errorf("Equal(%s, %s) = %t", render(a), render(b), got)
					}
				}
			}
		}
	}
}
