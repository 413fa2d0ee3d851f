package model

import (
	"bytes"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// isNil reports whether an attribute value is none: nil, or a nil pointer.
func isNil(av types.AttributeValue) bool {
	switch av := av.(type) {
	case nil:
		return true
	case *types.AttributeValueMemberS:
		return av == nil
	case *types.AttributeValueMemberN:
		return av == nil
	case *types.AttributeValueMemberB:
		return av == nil
	case *types.AttributeValueMemberBOOL:
		return av == nil
	case *types.AttributeValueMemberNULL:
		return av == nil
	case *types.AttributeValueMemberL:
		return av == nil
	case *types.AttributeValueMemberM:
		return av == nil
	case *types.AttributeValueMemberSS:
		return av == nil
	case *types.AttributeValueMemberNS:
		return av == nil
	case *types.AttributeValueMemberBS:
		return av == nil
	}
	return false
}

// Equal tells whether two attribute values are the same to DynamoDB: of one type
// and of one value. Numbers are compared as numbers, so that 1E2 equals 100; sets
// without regard to order; lists and maps element by element. A nil value equals
// nil alone.
func Equal(a, b types.AttributeValue) bool {
	if isNil(a) || isNil(b) {
		return isNil(a) && isNil(b)
	}
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		b, ok := b.(*types.AttributeValueMemberS)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberN:
		b, ok := b.(*types.AttributeValueMemberN)
		return ok && sameNumber(a.Value, b.Value)
	case *types.AttributeValueMemberB:
		b, ok := b.(*types.AttributeValueMemberB)
		return ok && bytes.Equal(a.Value, b.Value)
	case *types.AttributeValueMemberBOOL:
		b, ok := b.(*types.AttributeValueMemberBOOL)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberNULL:
		_, ok := b.(*types.AttributeValueMemberNULL)
		return ok
	case *types.AttributeValueMemberL:
		b, ok := b.(*types.AttributeValueMemberL)
		if !ok || len(a.Value) != len(b.Value) {
			return false
		}
		for i := range a.Value {
			if !Equal(a.Value[i], b.Value[i]) {
				return false
			}
		}
		return true
	case *types.AttributeValueMemberM:
		b, ok := b.(*types.AttributeValueMemberM)
		return ok && EqualItems(a.Value, b.Value)
	case *types.AttributeValueMemberSS:
		b, ok := b.(*types.AttributeValueMemberSS)
		return ok && sameSet(a.Value, b.Value, func(x, y string) bool { return x == y })
	case *types.AttributeValueMemberNS:
		b, ok := b.(*types.AttributeValueMemberNS)
		return ok && sameSet(a.Value, b.Value, sameNumber)
	case *types.AttributeValueMemberBS:
		b, ok := b.(*types.AttributeValueMemberBS)
		return ok && sameSet(a.Value, b.Value, bytes.Equal)
	}
	return false
}

// EqualItems tells whether two items have the same attributes, each [Equal].
func EqualItems(a, b Item) bool {
	if len(a) != len(b) {
		return false
	}
	for name, av := range a {
		other, ok := b[name]
		if !ok || !Equal(av, other) {
			return false
		}
	}
	return true
}

// sameSet pairs every member of a with one of b. Sets come back in their order as
// a rule, so the search begins where the last one ended.
func sameSet[V any](a, b []V, same func(x, y V) bool) bool {
	if len(a) != len(b) {
		return false
	}
	used := make([]bool, len(b))
next:
	for i, x := range a {
		for n := range b {
			j := (i + n) % len(b)
			if !used[j] && same(x, b[j]) {
				used[j] = true
				continue next
			}
		}
		return false
	}
	return true
}
