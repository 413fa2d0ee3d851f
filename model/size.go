package model

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
)

// Limits of DynamoDB, in bytes.
const (
	MaxItemSize     = 400 * 1024 // an item: the names and values of all its attributes
	MaxPartitionKey = 2048       // a partition key, of a table or an index
	MaxSortKey      = 1024       // a sort key, of a table or an index
)

// ItemSize returns the size of an item in bytes as DynamoDB counts it against
// [MaxItemSize] and for capacity: the UTF-8 length of every attribute name, and
// its value. A string or binary is its length; a boolean or NULL 1; a list or map
// 3, and 1 for each element beside the element itself; a set the sum of its
// members; a number 1, and 1 for each two significant digits before and behind
// the point, and 1 for a minus. What numbers cost is measured, AWS says only
// "approximately".
func ItemSize(item Item) int {
	n := 0
	for name, av := range item {
		n += len(name) + valueSize(av)
	}
	return n
}

func valueSize(av types.AttributeValue) int {
	n := 0
	if isNil(av) {
		return n
	}
	switch av := av.(type) {
	case *types.AttributeValueMemberS:
		n = len(av.Value)
	case *types.AttributeValueMemberN:
		n = numberSize(av.Value)
	case *types.AttributeValueMemberB:
		n = len(av.Value)
	case *types.AttributeValueMemberBOOL, *types.AttributeValueMemberNULL:
		n = 1
	case *types.AttributeValueMemberL:
		n = 3
		for _, e := range av.Value {
			n += 1 + valueSize(e)
		}
	case *types.AttributeValueMemberM:
		n = 3 + len(av.Value) + ItemSize(av.Value)
	case *types.AttributeValueMemberSS:
		for _, e := range av.Value {
			n += len(e)
		}
	case *types.AttributeValueMemberNS:
		for _, e := range av.Value {
			n += numberSize(e)
		}
	case *types.AttributeValueMemberBS:
		for _, e := range av.Value {
			n += len(e)
		}
	}
	return n
}

func numberSize(s string) int {
	d, ok := parseDecimal(s)
	if !ok {
		return len(s)
	}
	return d.size()
}

// checkValue refuses what DynamoDB cannot hold, or what the SDK would change
// without a word on the way.
func checkValue(av types.AttributeValue) error {
	if isNil(av) {
		return refused("no value")
	}
	switch av := av.(type) {
	case *types.AttributeValueMemberS:
		return checkText(av.Value)
	case *types.AttributeValueMemberN:
		return checkNumber(av.Value)
	case *types.AttributeValueMemberL:
		for i, e := range av.Value {
			if err := checkValue(e); err != nil {
				return within("["+strconv.Itoa(i)+"]", err)
			}
		}
	case *types.AttributeValueMemberM:
		for name, e := range av.Value {
			err := checkText(name)
			if err == nil {
				err = checkValue(e)
			}
			if err != nil {
				return within("."+name, err)
			}
		}
	case *types.AttributeValueMemberSS:
		for i, e := range av.Value {
			if err := checkText(e); err != nil {
				return within("["+strconv.Itoa(i)+"]", err)
			}
		}
	case *types.AttributeValueMemberNS:
		for i, e := range av.Value {
			if err := checkNumber(e); err != nil {
				return within("["+strconv.Itoa(i)+"]", err)
			}
		}
	}
	return nil
}

func checkText(s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("%w: %q", keys.ErrUTF8, s)
	}
	return nil
}

func checkNumber(s string) error {
	d, ok := parseDecimal(s)
	switch {
	case !ok:
		return refused("%q is not a number", s)
	case !d.storable():
		return refused("%s is no number that DynamoDB holds: 38 digits, from 1E-130 to 9.9E+125", s)
	}
	return nil
}
