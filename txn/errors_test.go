package txn_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/txn"
)

func TestErrorText(t *testing.T) {
	key := model.Item{"pk": s("A#\x00"), "sk": n("7")}
	for _, test := range []struct {
		err  error
		want string
	}{
		{&txn.Error{Err: txn.ErrTooMany}, "txn: too many actions in one commit"},
		{&txn.Error{Err: errors.New("reset"), InDoubt: true}, "txn: reset (the outcome is not known)"},
		{&txn.Error{Actions: []txn.ActionError{{Index: 3, Op: "put", Entity: "Order", Key: key, Err: txn.ErrChanged}, {Index: 5, Err: txn.ErrInvalid}}},
			`txn: action 3 (put Order pk="A#\x00" sk=7): item was changed by another writer; action 5: invalid`},
		{&txn.ActionError{Index: 1, Op: "check", Code: "Odd"}, "action 1 (check): Odd"},
		{&txn.AttributeError{Attribute: "a.b", Err: txn.ErrRole}, `attribute "a.b": attribute is kept by the library`},
		{&txn.PartError{Index: "byVehicle", Placeholder: "plate", Attribute: "plateNumber"},
			`index "byVehicle": part of an index key is not known: attribute "plateNumber", of placeholder <plate>`},
		{&txn.PartError{Index: "byVehicle", Placeholder: "plate", Attribute: "plate"}, `index "byVehicle": part of an index key is not known: attribute "plate"`},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func TestErrorIs(t *testing.T) {
	cause := errors.New("cause")
	err := fmt.Errorf("wrapped: %w", &txn.Error{
		Actions: []txn.ActionError{{Err: fmt.Errorf("%w: x", txn.ErrExists)}, {Err: &txn.AttributeError{Err: txn.ErrRole}}},
		Err:     cause, InDoubt: true,
	})
	for _, want := range []error{txn.ErrExists, txn.ErrRole, cause, txn.ErrInDoubt} {
		if !errors.Is(err, want) {
			t.Errorf("is not %v", want)
		}
	}
	var a *txn.AttributeError
	var action *txn.ActionError
	if !errors.As(err, &a) || !errors.As(err, &action) || errors.Is(err, txn.ErrNotFound) {
		t.Error("typed errors are not found in it")
	}
}

func TestSafeToRetry(t *testing.T) {
	conflict, throttled := txn.ActionError{Err: txn.ErrConflict}, txn.ActionError{Err: txn.ErrThrottled}
	for _, test := range []struct {
		reason string
		err    error
		want   bool
	}{
		{"nil", nil, false},
		{"not of this package", txn.ErrConflict, false},
		{"a conflict", &txn.Error{Actions: []txn.ActionError{conflict}}, true},
		{"a conflict and throttling", &txn.Error{Actions: []txn.ActionError{conflict, throttled}}, true},
		{"a conflict and a condition", &txn.Error{Actions: []txn.ActionError{conflict, {Err: txn.ErrCondition}}}, false},
		{"in doubt", &txn.Error{Actions: []txn.ActionError{conflict}, InDoubt: true}, false},
		{"throttled as a whole", fmt.Errorf("x: %w", &txn.Error{Err: txn.ErrThrottled}), true},
		{"refused as a whole", &txn.Error{Err: txn.ErrTooMany}, false},
		{"nothing is known", &txn.Error{}, false},
	} {
		if got := txn.SafeToRetry(test.err); got != test.want {
			t.Errorf("%s: %v, want %v", test.reason, got, test.want)
		}
	}
}

// One value for all packages.
func TestSentinels(t *testing.T) {
	if txn.ErrNotFound != model.ErrNotFound || txn.ErrWrongEntity != model.ErrEntity || txn.ErrTooLarge != model.ErrTooLarge {
		t.Error("sentinels differ from those of model")
	}
}
