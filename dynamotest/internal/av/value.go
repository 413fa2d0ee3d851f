package av

// Kind is the type of an attribute value. The zero Kind belongs to the zero
// Value, which is not valid.
type Kind uint8

// The ten types of DynamoDB.
const (
	S    Kind = iota + 1 // string
	N                    // number
	B                    // binary
	BOOL                 // boolean
	NULL                 // null
	M                    // map
	L                    // list
	SS                   // string set
	NS                   // number set
	BS                   // binary set
)

// Value is one attribute value.
type Value struct {
	kind Kind
	flag bool
	text string
	ref  *compound
}

type compound struct {
	fields  map[string]Value
	members []Value
}

// Item is a top-level map of attributes.
type Item map[string]Value

func (k Kind) String() string { return "" }

func String(s string) Value             { return Value{} }
func Num(n Number) Value                { return Value{} }
func Binary(b []byte) Value             { return Value{} }
func Bool(b bool) Value                 { return Value{} }
func Null() Value                       { return Value{} }
func Map(m map[string]Value) Value      { return Value{} }
func List(l []Value) Value              { return Value{} }
func StringSet(members ...string) Value { return Value{} }
func NumberSet(members ...Number) Value { return Value{} }
func BinarySet(members ...[]byte) Value { return Value{} }

func (v Value) Kind() Kind            { return v.kind }
func (v Value) IsValid() bool         { return v.kind != 0 }
func (v Value) Str() string           { return "" }
func (v Value) Number() Number        { return Number{} }
func (v Value) Bytes() []byte         { return nil }
func (v Value) Raw() string           { return "" } // the bytes of a B as an immutable string, without a copy
func (v Value) Bool() bool            { return false }
func (v Value) Map() map[string]Value { return nil }
func (v Value) List() []Value         { return nil }
func (v Value) Strs() []string        { return nil }
func (v Value) Numbers() []Number     { return nil }
func (v Value) Binaries() [][]byte    { return nil }
func (v Value) Members() []Value      { return nil } // of a set, as S, N or B values
func (v Value) Size() int             { return 0 }
func (v Value) Depth() int            { return 0 }

func Equal(a, b Value) bool          { return false }
func Compare(a, b Value) (int, bool) { return 0, false }

func (it Item) Size() int                      { return 0 }
func (it Item) AppendJSON(dst []byte) []byte   { return dst }
func (it Item) MarshalJSON() ([]byte, error)   { return nil, nil }
func (it *Item) UnmarshalJSON(b []byte) error  { return nil }
func (v Value) AppendJSON(dst []byte) []byte   { return dst }
func (v Value) MarshalJSON() ([]byte, error)   { return nil, nil }
func (v *Value) UnmarshalJSON(b []byte) error  { return nil }
func AppendString(dst []byte, s string) []byte { return dst } // a JSON string literal, quotes included
func DecodeItem(raw []byte) (Item, error)      { return nil, nil }
func DecodeValue(raw []byte) (Value, error)    { return Value{}, nil }
