package txn

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/singletable-go/singletable/model"
)

// What can go wrong with an action. An [*Error] matches, with [errors.Is], the
// sentinels of every action that failed.
var (
	// ErrNotFound: no item is at the key, or only one that has expired. It is
	// the same value as query's and model's.
	ErrNotFound = model.ErrNotFound

	// ErrExists: an item is at the key where there must be none.
	ErrExists = errors.New("item exists already")

	// ErrChanged: the item at the key is not the one that the write was made
	// from. Read it again and decide again.
	ErrChanged = errors.New("item was changed by another writer")

	// ErrWrongEntity: the item at the key belongs to another entity. It is the
	// same value as model's ErrEntity.
	ErrWrongEntity = model.ErrEntity

	// ErrCondition: the condition that the caller gave with [Action.If] or
	// [Check] does not hold. It is never retried.
	ErrCondition = errors.New("condition does not hold")

	// ErrConflict: another transaction or write was at work on the item at the
	// same moment, and still was when the attempts were used up.
	ErrConflict = errors.New("conflict with another write in progress")

	// ErrThrottled: the capacity of the table, of a partition or of the account
	// was exceeded, and still was when the attempts were used up.
	ErrThrottled = errors.New("throttled")

	// ErrInDoubt: the answer of an attempt was lost, and nothing tells whether
	// it was applied. It accompanies the error of the last attempt. A commit
	// with [Options.Idempotent], and every commit of several actions, is in
	// doubt only when it gives up without any answer.
	ErrInDoubt = errors.New("the outcome is not known")
)

// What is refused before anything is sent.
var (
	// ErrTooMany: more than [MaxActions] actions. A [Move] counts as two,
	// unless its keys are equal.
	ErrTooMany = errors.New("too many actions in one commit")

	// ErrTooLarge: the items of one commit exceed [MaxSize] together, or one
	// of them exceeds [model.MaxItemSize]. It is the same value as model's.
	ErrTooLarge = model.ErrTooLarge

	// ErrSameItem: two actions of one commit are on one item.
	ErrSameItem = errors.New("two actions on one item")

	// ErrKeyPart: an update names an attribute that is a key or a part of the
	// primary key. Such an item is moved, with [Move] or [Modify].
	ErrKeyPart = errors.New("attribute is part of the primary key")

	// ErrIndexKey: an update names an attribute that is the key of an index. It
	// follows from its parts.
	ErrIndexKey = errors.New("attribute is an index key, which follows from its parts")

	// ErrIndexPart: an update changes a part of an index key to something that
	// only DynamoDB knows. Set it to a value, or use [Modify].
	ErrIndexPart = errors.New("attribute is part of an index key, and its new value is not known")

	// ErrUnknownPart: an update changes a part of an index key of which another
	// part is not known. See [PartError].
	ErrUnknownPart = errors.New("part of an index key is not known")

	// ErrRole: an update names an attribute that the library keeps: the
	// version, the time of creation or of the last update, or the write id.
	ErrRole = errors.New("attribute is kept by the library")

	// ErrNeedsVersion: an item without a version has too many attributes to be
	// compared one by one in a condition, which DynamoDB limits to 300
	// operators and 4096 bytes. Give the type a field tagged
	// `model:"version"`.
	ErrNeedsVersion = errors.New("too many attributes to compare one by one: give the entity a version")

	// ErrInvalid: a call that cannot be carried out as it was made: a nil
	// value, a zero key, an update of nothing, two changes of one attribute, a
	// version that is the last which its field can hold.
	ErrInvalid = errors.New("invalid")
)

// The codes of [ActionError.Code] are those of a cancelled transaction, for a
// commit of one action too.
const (
	CodeConditionFailed    = "ConditionalCheckFailed"
	CodeConflict           = "TransactionConflict"
	CodeThrottled          = "ThrottlingError"
	CodeThroughputExceeded = "ProvisionedThroughputExceeded"
	CodeCollectionTooLarge = "ItemCollectionSizeLimitExceeded"
	CodeValidation         = "ValidationError"
)

// Error is the failure of a commit. Nothing of the commit was applied, unless
// it matches [ErrInDoubt].
type Error struct {
	// Actions are those that failed, in the order in which the caller gave
	// them. It is empty where the request failed as a whole.
	Actions []ActionError

	// Token is the ClientRequestToken of the transaction, "" for a plain write
	// and for what was never sent.
	Token string

	// Attempts is the number of requests that were sent, those that the SDK
	// sent again by itself included; 0 for what was refused before.
	Attempts int

	// InDoubt says that the answer of an attempt was lost and that the commit
	// may have been applied. The error then matches [ErrInDoubt] too.
	InDoubt bool

	// Err is what the last attempt failed with, or why the commit was refused
	// as a whole.
	Err error
}

// Error lists the actions that failed and why.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("txn: ")
	for i := range e.Actions {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(e.Actions[i].Error())
	}
	switch {
	case e.Err == nil:
	case len(e.Actions) == 0:
		b.WriteString(e.Err.Error())
	case errors.Is(e.Err, context.Canceled), errors.Is(e.Err, context.DeadlineExceeded):
		// The actions do not tell why they were not tried again.
		b.WriteString("; ")
		b.WriteString(e.Err.Error())
	}
	if e.InDoubt {
		b.WriteString(" (")
		b.WriteString(ErrInDoubt.Error())
		b.WriteString(")")
	}
	return b.String()
}

// Unwrap gives the errors of the actions, that of the request, and
// [ErrInDoubt] where it applies.
func (e *Error) Unwrap() []error {
	errs := make([]error, 0, len(e.Actions)+2)
	for i := range e.Actions {
		errs = append(errs, &e.Actions[i])
	}
	if e.Err != nil {
		errs = append(errs, e.Err)
	}
	if e.InDoubt {
		errs = append(errs, ErrInDoubt)
	}
	return errs
}

// ActionError is the failure of one action.
type ActionError struct {
	Index  int        // position among the actions of the commit, from 0
	Op     string     // "create", "put", "overwrite", "update", "delete", "check", "move", "modify"
	Entity string     // name of the entity
	Table  string     // physical name of the table
	Key    model.Item // key attributes of the item; of a move, of the side that failed
	Code   string     // of the service, see [CodeConditionFailed]; "" where it was refused before
	Item   model.Item // what was found at the key; nil where nothing was, or is not known
	Err    error      // the sentinel or the cause
}

// Error names the action, its place, its key and what is wrong.
func (e *ActionError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "action %d", e.Index)
	if e.Op != "" {
		b.WriteString(" (")
		b.WriteString(e.Op)
		if e.Entity != "" {
			b.WriteString(" ")
			b.WriteString(e.Entity)
		}
		if len(e.Key) > 0 {
			b.WriteString(" ")
			b.WriteString(keyText(e.Key))
		}
		b.WriteString(")")
	}
	b.WriteString(": ")
	if e.Err != nil {
		b.WriteString(e.Err.Error())
	} else {
		b.WriteString(e.Code)
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *ActionError) Unwrap() error { return e.Err }

// AttributeError says which attribute of an update is refused, and why.
type AttributeError struct {
	Attribute string // as stored
	Err       error  // the sentinel or the cause
}

// Error names the attribute and the cause.
func (e *AttributeError) Error() string {
	return fmt.Sprintf("attribute %q: %v", e.Attribute, e.Err)
}

// Unwrap gives the cause.
func (e *AttributeError) Unwrap() error { return e.Err }

// PartError is a part of an index key that has to be known, since an update
// changes another: tell it with [Given], or use [Modify], which reads it. It
// unwraps to [ErrUnknownPart].
type PartError struct {
	Index       string // name of the index
	Placeholder string // of the key's template; "" for what only decides whether the item is in the index
	Attribute   string // that has to be given, as stored
}

// Error names the index and the part.
func (e *PartError) Error() string {
	if e.Placeholder == "" || e.Placeholder == e.Attribute {
		return fmt.Sprintf("index %q: %v: attribute %q", e.Index, ErrUnknownPart, e.Attribute)
	}
	return fmt.Sprintf("index %q: %v: attribute %q, of placeholder <%s>", e.Index, ErrUnknownPart, e.Attribute, e.Placeholder)
}

// Unwrap gives [ErrUnknownPart].
func (e *PartError) Unwrap() error { return ErrUnknownPart }

// SafeToRetry reports whether a commit that failed with err may be sent again
// just as it was: nothing of it was applied, and what stood in its way passes.
// It is false for nil.
func SafeToRetry(err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.InDoubt {
		return false
	}
	if len(e.Actions) == 0 {
		return e.Err != nil && (errors.Is(e.Err, ErrConflict) || errors.Is(e.Err, ErrThrottled))
	}
	for i := range e.Actions {
		if cause := e.Actions[i].Err; !errors.Is(cause, ErrConflict) && !errors.Is(cause, ErrThrottled) {
			return false
		}
	}
	return true
}

func invalidf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
}
