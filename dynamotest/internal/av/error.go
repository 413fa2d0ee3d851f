package av

// The types of the errors of this package.
const (
	ValidationException    = "ValidationException"
	SerializationException = "SerializationException"
)

// Error is a refusal of a value, as the service words it.
type Error struct {
	Type    string // ValidationException or SerializationException
	Message string
	Key     string // the top-level attribute where DecodeItem found the fault
}

func (e *Error) Error() string { return e.Type + ": " + e.Message }
