package expr

import "github.com/singletable-go/singletable/dynamotest/internal/av"

// Error is a refusal of an expression, as the service words it. On the wire it
// is a ValidationException.
type Error struct{ Message string }

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func refuse(message string) error { return &Error{message} }

// The service's messages for faults that show when an update is applied.
const (
	msgNoAttribute  = "The provided expression refers to an attribute that does not exist in the item"
	msgOperandType  = "An operand in the update expression has an incorrect data type"
	msgDocumentPath = "The document path provided in the update expression is invalid for update"
)

// asError turns the error of a number into one of this package.
func asError(err error) error {
	if e, ok := err.(*av.Error); ok {
		return refuse(e.Message)
	}
	return err
}
