package expr

import "github.com/singletable-go/singletable/dynamotest/internal/av"

// operand is what operators and functions work on: a document path, a value, or
// the result of a function. One of its parts is set; all are nil or zero for a
// value that is not defined.
type operand struct {
	path Path
	val  av.Value
	call *call
}

// call is a function with its operands.
type call struct {
	name string
	fn   function
	args []operand
	kind string // the type of its result, "" where that depends
}

// function is one of the functions of expressions.
type function uint8

const (
	fnAttributeExists function = iota + 1
	fnAttributeNotExists
	fnAttributeType
	fnBeginsWith
	fnContains
	fnSize
	fnIfNotExists
	fnListAppend
)

// literal returns the type of a value, "" for anything but one.
func (o operand) literal() string { return o.val.Kind().String() }

// kind returns the type of the operand where it is known before there is an
// item, "" otherwise.
func (o operand) kind() string {
	if o.call != nil {
		return o.call.kind
	}
	return o.literal()
}

// samePath tells whether both are the same document path.
func samePath(a, b operand) bool {
	return a.path != nil && len(a.path) == len(b.path) && a.path.relate(b.path) == overlap
}
