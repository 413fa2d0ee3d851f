package model_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

type (
	answer  bool
	ratio   float64
	lines   []string
	instant time.Time
)

func TestEncode(t *testing.T) {
	e := everything()
	at := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	type unix struct {
		T time.Time `dynamodbav:"t,unixtime"`
	}
	type name string
	for _, tt := range []struct {
		why  string
		attr string
		v    any
		want types.AttributeValue
	}{
		{"a string", "text", "x", str("x")},
		{"a named string", "text", name("x"), str("x")},
		{"unixtime", "atUnix", at, num("1769850000")},
		{"unixtime behind a pointer", "atPtr", at, num("1769850000")},
		{"a pointer for a value", "atUnix", &at, num("1769850000")},
		{"text", "at", at, str("2026-01-31T09:00:00Z")},
		{"a zero time under omitempty: remove it", "maybe", time.Time{}, nil},
		{"a nil pointer under omitempty: remove it", "atPtr", nil, nil},
		{"a zero ttl: remove it", "e", time.Time{}, nil},
		{"a ttl", "e", at, num("1769850000")},
		{"an empty set: remove it", "names", []string{}, nil},
		{"a set", "names", []string{"a"}, strSet("a")},
		{"a set of dates", "days", []keys.Date{day}, strSet("2026-01-31")},
		{"a constant for a narrower integer", "int", 5, num("5")},
		{"an int for an unsigned field", "v", 5, num("5")},
		{"an unsigned for a signed field", "int", uint8(5), num("5")},
		{"an int for a float field", "float", 5, num("5")},
		{"an unsigned for a float field", "float", uint(5), num("5")},
		{"a number stored as a string", "number", 5, str("5")},
		{"a named bool", "flag", answer(true), yes()},
		{"an unsigned for an unsigned", "v", uint64(5), num("5")},
		{"a float for a narrower one", "any", float32(0.5), num("0.5")},
		{"a named float", "float", ratio(0.5), num("0.5")},
		{"a named slice", "list", lines{"a"}, list(str("a"))},
		{"a named time", "at", instant(at), str("2026-01-31T09:00:00Z")},
		{"a nil for a list", "list", nil, null()},
		{"a struct", "home", Address{Street: "s"}, obj(model.Item{"street": str("s")})},
		{"a struct for a pointer", "work", Address{Street: "s"}, obj(model.Item{"street": str("s")})},
		{"a struct under its own rules", "any", unix{at}, obj(model.Item{"t": num("1769850000")})},
		{"ready made", "text", str("x"), str("x")},
		{"ready made for a time", "atUnix", num("1"), num("1")},
		{"ready made for what is held raw", "raw", numSet("1"), numSet("1")},
		{"an attribute of somebody else", "zone", unix{at}, obj(model.Item{"t": num("1769850000")})},
		{"a nested path", "", []int{1}, list(num("1"))},
		{"nil", "zone", nil, null()},
	} {
		t.Run(tt.why, func(t *testing.T) {
			got, err := e.Encode(tt.attr, tt.v)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, opts); diff != "" {
				t.Errorf("Encode(%q, %v) (-want +got):\n%s", tt.attr, tt.v, diff)
			}
		})
	}
	for _, tt := range []struct {
		why   string
		attr  string
		v     any
		field string
		is    error
	}{
		{"a number for a text", "text", 5, "Text", model.ErrValue},
		{"a text for a number", "int", "5", "Int", model.ErrValue},
		{"a text for a time", "at", "2026-01-31T09:00:00Z", "At", model.ErrValue},
		{"a number that does not fit", "int", math.MaxInt64, "Int", model.ErrValue},
		{"a negative number for an unsigned field", "v", -1, "Version", model.ErrValue},
		{"an unsigned that does not fit", "int", uint64(math.MaxUint64), "Int", model.ErrValue},
		{"a great unsigned for a signed field", "number", uint64(math.MaxUint64), "Number", model.ErrValue},
		{"an unsigned that no float holds", "float", uint64(1<<53 + 1), "Float", model.ErrValue},
		{"a fraction for an integer", "int", 1.5, "Int", model.ErrValue},
		{"an int that no float holds", "float", int64(1<<53 + 1), "Float", model.ErrValue},
		{"not a number", "float", math.NaN(), "Float", model.ErrValue},
		{"nil for a text", "text", nil, "Text", model.ErrValue},
		{"a nil pointer for a text", "text", (*string)(nil), "Text", model.ErrValue},
		{"a pointer to another type", "atPtr", new("x"), "AtPtr", model.ErrValue},
		{"one element for a set", "names", "a", "Names", model.ErrValue},
		{"bad text", "text", "\xff", "Text", keys.ErrUTF8},
		{"ready made of another type", "atUnix", yes(), "AtUnix", model.ErrValue},
		{"ready made, but no number", "zone", num("x"), "", model.ErrValue},
		{"what cannot be stored", "zone", make(chan int), "", model.ErrValue},
	} {
		t.Run(tt.why, func(t *testing.T) {
			got, err := e.Encode(tt.attr, tt.v)
			var ee *model.EntityError
			if !errors.As(err, &ee) || !errors.Is(err, tt.is) || got != nil {
				t.Fatalf("got %v, %v; want an *EntityError that is %v", got, err, tt.is)
			}
			if ee.Entity != "Everything" || ee.Attribute != tt.attr || ee.Field != tt.field {
				t.Errorf("%+v", ee)
			}
		})
	}
	var te *model.TypeError
	if _, err := e.Encode("text", 5); !errors.As(err, &te) || te.Expected != "string" || te.Type.String() != "int" {
		t.Errorf("got %v", err)
	}
	if _, err := (*model.Entity[WorkOrder])(nil).Encode("x", 1); !errors.Is(err, model.ErrZero) {
		t.Errorf("got %v", err)
	}
}
