package keys

import (
	"fmt"
	"strings"
)

// Range is a set of keys that DynamoDB reads with one condition on the sort key.
// The zero Range is not valid: everything is Composite.All.
type Range struct {
	lay    *layout // nil in a zero Range; poisoned where composing failed
	form   form
	given  int    // segments given before the open one
	prefix string // P: everything before the open segment
	lo, hi string // the bounds as they are sent, "" where there is none
	a, b   string // the operands: the encoded text of the open segment
}

// form is how a range was made.
type form uint8

const (
	_ form = iota
	all
	between
	within
	from
	after
	to
	before
	startsWith
	exact
	tree
)

// Op is the operator of the one condition on the sort key that a range is.
type Op uint8

// The operators of Range.Condition.
const (
	OpAll        Op = iota // no condition on the sort key
	OpNever                // the range is empty: nothing is to be sent
	OpEqual                // sk = lo
	OpBeginsWith           // begins_with(sk, lo)
	OpBetween              // sk BETWEEN lo AND hi
	OpAtMost               // sk <= hi
)

// Condition gives the range as the one condition on the sort key that is sent for
// it. Operands that the operator does not take are empty. The error is that of
// Err.
func (r Range) Condition() (op Op, lo, hi string, err error) {
	if err := r.Err(); err != nil {
		return OpNever, "", "", err
	}
	switch r.form {
	case all, startsWith:
		if r.lo == "" {
			return OpAll, "", "", nil
		}
		return OpBeginsWith, r.lo, "", nil
	case exact:
		return OpEqual, r.lo, "", nil
	}
	switch {
	case r.IsEmpty():
		return OpNever, "", "", nil
	case r.lo == "":
		return OpAtMost, "", r.hi, nil
	}
	return OpBetween, r.lo, r.hi, nil
}

// Bounds gives the least and the greatest text that can be in the range. Where
// there is no condition the lower one is empty; where the range is empty the
// lower one is above the upper one. Both are empty where the range is not valid.
func (r Range) Bounds() (lo, hi string) {
	if r.Err() != nil {
		return "", ""
	}
	if r.form == all || r.form == startsWith {
		return r.lo, r.lo + greatest(maxSortKey-len(r.lo))
	}
	return r.lo, r.hi
}

// Contains tells whether DynamoDB would return an item with this sort key. It is
// false where the range is not valid.
func (r Range) Contains(key string) bool {
	op, lo, hi, err := r.Condition()
	if err != nil {
		return false
	}
	switch op {
	case OpAll:
		return true
	case OpEqual:
		return key == lo
	case OpBeginsWith:
		return strings.HasPrefix(key, lo)
	case OpBetween:
		return lo <= key && key <= hi
	case OpAtMost:
		return key <= hi
	}
	return false
}

// IsEmpty reports whether no key can be in the range, so that nothing is sent for
// it: Within(x, x). It is false where the range is not valid.
func (r Range) IsEmpty() bool {
	switch r.form {
	case all, startsWith, exact:
		return false
	}
	return r.Err() == nil && r.lo > r.hi
}

// Err gives what is wrong with the range as an *Error: a value that could not be
// encoded, ErrRange, ErrUnordered, ErrTooLong, or ErrZero of a zero Range.
func (r Range) Err() error { return r.lay.fault() }

// Template gives the template that made the range, as it was declared.
func (r Range) Template() string { return r.lay.text() }

// Check returns nil where r is valid and either was made by t, narrowed or not,
// or is the Exact or Tree range of any key. Else it is the error of r, or an
// *Error that wraps ErrTemplate.
func (r Range) Check(t Template) error {
	if err := r.Err(); err != nil {
		return err
	}
	if r.form == exact || r.form == tree {
		return nil
	}
	return madeBy(r.lay, t, r.String())
}

// String describes the range as a condition on the sort key.
func (r Range) String() string {
	op, lo, hi, err := r.Condition()
	if err != nil {
		return err.Error()
	}
	switch op {
	case OpAll:
		return "everything"
	case OpEqual:
		return fmt.Sprintf("= %q", lo)
	case OpBeginsWith:
		return fmt.Sprintf("begins_with %q", lo)
	case OpBetween:
		return fmt.Sprintf("BETWEEN %q AND %q", lo, hi)
	case OpAtMost:
		return fmt.Sprintf("<= %q", hi)
	}
	return "nothing"
}

// sized refuses a range with a bound that no sort key can be as long as.
func (r Range) sized() Range {
	if r.lay.fault() == nil {
		for _, bound := range []string{r.lo, r.hi} {
			if len(bound) > maxSortKey {
				r.lay = r.lay.poison(r.lay.error(-1, bound, at{maxSortKey, ErrTooLong}))
			}
		}
	}
	return r
}
