package model_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// What people read, and what programs ask.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		err  error
		text string
		is   []error
	}{
		{&model.EntityError{Entity: "WorkOrder", Placeholder: "orderId", Field: "OrderID", Attribute: "id", Err: keys.ErrEmpty},
			`model: entity "WorkOrder": placeholder <orderId>: field OrderID: attribute "id": no value`, []error{keys.ErrEmpty}},
		{&model.EntityError{Err: model.ErrZero}, `model: zero value is not valid`, []error{model.ErrZero}},
		{&model.ItemError{Entity: "WorkOrder", Key: "REGION#eu, X", Attribute: "sk", Err: model.ErrMissing},
			`model: item REGION#eu, X as "WorkOrder": attribute "sk": attribute missing`, []error{model.ErrMissing}},
		{&model.ItemError{Err: model.ErrEntity}, `model: item: of another entity`, []error{model.ErrEntity}},
		{&model.KeyMismatchError{Entity: "E", Attribute: "pk", Template: "A#<a>", Stored: "A#1", Derived: "A#2"},
			`stored key disagrees with the attributes it is derived from: "A#1" is stored, template "A#<a>" makes "A#2"`, []error{model.ErrKeyMismatch}},
		{&model.KeyMismatchError{Entity: "E", Attribute: "pk", Template: "A#<a>", Stored: "A#1", Err: keys.ErrEmpty},
			`stored key disagrees with the attributes it is derived from: "A#1" is stored, template "A#<a>" makes none: no value`, []error{model.ErrKeyMismatch, keys.ErrEmpty}},
		{&model.SizeError{Entity: "E", Attribute: "pk", Size: 2049, Limit: 2048},
			`model: entity "E": key attribute "pk" of 2049 bytes, the limit is 2048: larger than DynamoDB allows`, []error{model.ErrTooLarge, keys.ErrTooLong}},
		{&model.SizeError{Entity: "E", Size: 409601, Limit: 409600},
			`model: entity "E": item of 409601 bytes, the limit is 409600: larger than DynamoDB allows`, []error{model.ErrTooLarge}},
		{&model.TypeError{Type: reflect.TypeFor[int](), Expected: "string"}, `type int does not fit: expected string`, []error{model.ErrValue}},
		{&model.TypeError{Expected: "string"}, `type <nil> does not fit: expected string`, []error{model.ErrValue}},
		{&model.CheckError{Table: "t", Differences: []string{"a", "b"}}, `model: table "t" is not as declared: a; b`, nil},
	} {
		if got := tt.err.Error(); got != tt.text {
			t.Errorf("%T says\n%s, want\n%s", tt.err, got, tt.text)
		}
		for _, is := range tt.is {
			if !errors.Is(tt.err, is) {
				t.Errorf("%T is not %v", tt.err, is)
			}
		}
	}
	if errors.Is(&model.SizeError{Size: 1}, keys.ErrTooLong) {
		t.Error("an item that is too large is no key that is too long")
	}
}
