package model

import (
	"bytes"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// CloneItem copies an item all the way down, so that what is decoded from the
// copy shares no memory with it. A nil item stays nil, and so does a nil value in
// it.
func CloneItem(item Item) Item {
	if item == nil {
		return nil
	}
	c := make(Item, len(item))
	for name, av := range item {
		c[name] = cloneValue(av)
	}
	return c
}

func cloneValue(av types.AttributeValue) types.AttributeValue {
	if isNil(av) {
		return av
	}
	switch av := av.(type) {
	case *types.AttributeValueMemberS:
		return &types.AttributeValueMemberS{Value: av.Value}
	case *types.AttributeValueMemberN:
		return &types.AttributeValueMemberN{Value: av.Value}
	case *types.AttributeValueMemberB:
		return &types.AttributeValueMemberB{Value: bytes.Clone(av.Value)}
	case *types.AttributeValueMemberBOOL:
		return &types.AttributeValueMemberBOOL{Value: av.Value}
	case *types.AttributeValueMemberNULL:
		return &types.AttributeValueMemberNULL{Value: av.Value}
	case *types.AttributeValueMemberL:
		list := make([]types.AttributeValue, len(av.Value))
		for i, e := range av.Value {
			list[i] = cloneValue(e)
		}
		return &types.AttributeValueMemberL{Value: list}
	case *types.AttributeValueMemberM:
		return &types.AttributeValueMemberM{Value: CloneItem(av.Value)}
	case *types.AttributeValueMemberSS:
		return &types.AttributeValueMemberSS{Value: slices.Clone(av.Value)}
	case *types.AttributeValueMemberNS:
		return &types.AttributeValueMemberNS{Value: slices.Clone(av.Value)}
	case *types.AttributeValueMemberBS:
		list := make([][]byte, len(av.Value))
		for i, e := range av.Value {
			list[i] = bytes.Clone(e)
		}
		return &types.AttributeValueMemberBS{Value: list}
	}
	return av
}
