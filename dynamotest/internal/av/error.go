package av

// The types of the errors of this package, as they go over the wire.
const (
	ValidationException    = "ValidationException"
	SerializationException = "SerializationException"
)

// Error is a refusal of a value, as the service words it.
type Error struct {
	Type    string // ValidationException or SerializationException
	Message string
	Key     string // the top-level attribute in which DecodeItem found the fault
}

// Error returns the type and the message.
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Type
	}
	return e.Type + ": " + e.Message
}

func invalid(message string) *Error {
	return &Error{Type: ValidationException, Message: message}
}

func malformed(message string) *Error {
	return &Error{Type: SerializationException, Message: message}
}

// The service's messages for faults in values.
const (
	msgEmpty         = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
	msgSeveralTypes  = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
	msgNotTrue       = "One or more parameter values were invalid: Null attribute value types must have the value of true"
	msgEmptySS       = "One or more parameter values were invalid: An string set  may not be empty"
	msgEmptyNS       = "One or more parameter values were invalid: An number set  may not be empty"
	msgEmptyBS       = "One or more parameter values were invalid: Binary sets should not be empty"
	msgNullMember    = "One or more parameter values were invalid: A set may not have a null member"
	msgDuplicates    = "Input collection contains duplicates"
	msgNotNumeric    = "The parameter cannot be converted to a numeric value"
	msgOverflow      = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	msgUnderflow     = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
	msgManyDigits    = "Attempting to store more than 38 significant digits in a Number"
	msgFieldType     = "Unexpected field type"
	msgValueType     = "Unexpected value type in payload"
	msgStructure     = "Start of structure or map found where not expected"
	msgBadToken      = "Unexpected token received from parser"
	msgNotBase64     = "only base-64-encoded strings are convertible to bytes"
	msgBadBase64     = "Invalid last non-pad Base64 character dectected"
	msgMapCollection = "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"
	msgValCollection = "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"
)

// MsgNesting is the service's message for a document that nests deeper than
// MaxDepth.
const MsgNesting = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
