package engine

import (
	"errors"
	"strconv"
	"strings"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
	"github.com/singletable-go/singletable/dynamotest/internal/expr"
)

// The types of the service's errors.
const (
	AccessDenied                    = "AccessDeniedException"
	ConditionalCheckFailed          = "ConditionalCheckFailedException"
	IdempotentParameterMismatch     = "IdempotentParameterMismatchException"
	InternalServerError             = "InternalServerError"
	ItemCollectionSizeLimitExceeded = "ItemCollectionSizeLimitExceededException"
	LimitExceeded                   = "LimitExceededException"
	ProvisionedThroughputExceeded   = "ProvisionedThroughputExceededException"
	RequestLimitExceeded            = "RequestLimitExceeded"
	ResourceInUse                   = "ResourceInUseException"
	ResourceNotFound                = "ResourceNotFoundException"
	Serialization                   = "SerializationException"
	Throttling                      = "ThrottlingException"
	TransactionCanceled             = "TransactionCanceledException"
	TransactionConflict             = "TransactionConflictException"
	TransactionInProgress           = "TransactionInProgressException"
	UnknownOperation                = "UnknownOperationException"
	Validation                      = "ValidationException"
)

// Error is a refusal, as the service words it.
type Error struct {
	Type    string
	Message string
	Status  int // of HTTP; 0 means 400

	// Item is the stored item, given with a failed condition that asked for it.
	Item av.Item
	// Reasons are given with a cancelled transaction, one for each action.
	Reasons []Reason
}

// Reason says why one action of a transaction was cancelled. Code is "None" for
// an action that was not to blame.
type Reason struct {
	Code    string
	Message string
	Item    av.Item
}

func (e *Error) Error() string { return e.Type + ": " + e.Message }

// AppendJSON appends the body of the answer that carries e.
func (e *Error) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"__type":"`...)
	dst = append(dst, namespaceOf(e.Type)...)
	dst = append(dst, e.Type...)
	dst = append(dst, '"')
	if e.Message != "" || (e.Type != Serialization && e.Type != UnknownOperation) {
		name := `,"message":`
		if e.Type == Serialization || e.Type == TransactionCanceled || e.Type == AccessDenied {
			name = `,"Message":`
		}
		dst = append(dst, name...)
		dst = av.AppendString(dst, e.Message)
	}
	if e.Item != nil {
		dst = append(dst, `,"Item":`...)
		dst = e.Item.AppendJSON(dst)
	}
	if e.Reasons != nil {
		dst = append(dst, `,"CancellationReasons":[`...)
		for i, r := range e.Reasons {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, `{"Code":`...)
			dst = av.AppendString(dst, r.Code)
			if r.Item != nil {
				dst = append(dst, `,"Item":`...)
				dst = r.Item.AppendJSON(dst)
			}
			if r.Message != "" {
				dst = append(dst, `,"Message":`...)
				dst = av.AppendString(dst, r.Message)
			}
			dst = append(dst, '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// namespaceOf gives the prefix that the service puts before the type of an error
// in __type.
func namespaceOf(errType string) string {
	switch errType {
	case Validation:
		return "com.amazon.coral.validate#"
	case AccessDenied, Serialization, UnknownOperation, Throttling:
		return "com.amazon.coral.service#"
	}
	return "com.amazonaws.dynamodb.v20120810#"
}

func invalid(message string) *Error { return &Error{Type: Validation, Message: message} }

// badParam words the commonest refusal of the service.
func badParam(message string) *Error {
	return invalid("One or more parameter values were invalid: " + message)
}

func tableNotFound() *Error {
	return &Error{Type: ResourceNotFound, Message: "Requested resource not found"}
}

// tableNotFoundNamed is what the control plane says.
func tableNotFoundNamed(name string) *Error {
	return &Error{Type: ResourceNotFound, Message: "Requested resource not found: Table: " + name + " not found"}
}

func conditionFailed(item av.Item) *Error {
	return &Error{Type: ConditionalCheckFailed, Message: "The conditional request failed", Item: item}
}

// toError turns an error of the packages below into the service's.
func toError(err error) *Error {
	if err == nil {
		return nil
	}
	var value *av.Error
	var expression *expr.Error
	var own *Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &value):
		return &Error{Type: value.Type, Message: value.Message}
	case errors.As(err, &expression):
		return invalid(expression.Message)
	}
	return &Error{Type: InternalServerError, Message: err.Error(), Status: 500}
}

// cancelled words the error of a transaction from the reasons of its actions.
func cancelled(reasons []Reason) *Error {
	var b strings.Builder
	b.WriteString("Transaction cancelled, please refer cancellation reasons for specific reasons [")
	for i, r := range reasons {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(r.Code)
	}
	b.WriteByte(']')
	return &Error{Type: TransactionCanceled, Message: b.String(), Reasons: reasons}
}

// constraints gathers the violations of a request's model. The service reports
// up to ten of them in one message.
type constraints struct{ messages []string }

const maxViolations = 10

// violated notes that the value at path breaks a constraint. value is quoted
// unless it is "null".
func (c *constraints) violated(value, path, constraint string) {
	if value != "null" {
		value = "'" + value + "'"
	}
	c.say("Value " + value + " at '" + path + "' failed to satisfy constraint: " + constraint)
}

func (c *constraints) say(message string) {
	if len(c.messages) < maxViolations {
		c.messages = append(c.messages, message)
	}
}

func (c *constraints) missing(path string) {
	c.violated("null", path, "Member must not be null")
}

func (c *constraints) enum(value *string, path string, allowed ...string) {
	if value == nil {
		return
	}
	for _, a := range allowed {
		if *value == a {
			return
		}
	}
	c.violated(*value, path, "Member must satisfy enum value set: ["+strings.Join(allowed, ", ")+"]")
}

func (c *constraints) atLeast(value *int64, path string, least int64) {
	if value != nil && *value < least {
		c.violated(strconv.FormatInt(*value, 10), path, "Member must have value greater than or equal to "+strconv.FormatInt(least, 10))
	}
}

func (c *constraints) atMost(value *int64, path string, most int64) {
	if value != nil && *value > most {
		c.violated(strconv.FormatInt(*value, 10), path, "Member must have value less than or equal to "+strconv.FormatInt(most, 10))
	}
}

// length checks the length of a text or a list against its bounds; shown is how
// the service prints the value.
func (c *constraints) length(shown, path string, n, least, most int) {
	if n < least {
		c.violated(shown, path, "Member must have length greater than or equal to "+strconv.Itoa(least))
	}
	if most > 0 && n > most {
		c.violated(shown, path, "Member must have length less than or equal to "+strconv.Itoa(most))
	}
}

const namePattern = "[a-zA-Z0-9_.-]+"

// pattern checks the characters of a table's or an index's name.
func (c *constraints) pattern(value, path string) {
	if !isName(value) {
		c.violated(value, path, "Member must satisfy regular expression pattern: "+namePattern)
	}
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '_', b == '.', b == '-':
		default:
			return false
		}
	}
	return s != ""
}

func (c *constraints) err() *Error {
	switch n := len(c.messages); n {
	case 0:
		return nil
	case 1:
		return invalid("1 validation error detected: " + c.messages[0])
	default:
		return invalid(strconv.Itoa(n) + " validation errors detected: " + strings.Join(c.messages, "; "))
	}
}
