package av

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// DecodeItem reads a map of attributes in the JSON form of the wire. null is a
// nil item.
//
// The error is an *Error. What is no JSON, or JSON of another shape, is a
// SerializationException. A fault in a value (no type or several, no number,
// a set that is empty or has duplicates, nesting beyond MaxDepth …) is a
// ValidationException; the item is then returned as well, so that its names can
// be looked at, but not all of its values are valid. A SerializationException
// anywhere comes before any ValidationException, as in the service.
func DecodeItem(raw []byte) (Item, error) {
	d := &decoder{scanner{src: string(raw)}}
	it, fault, err := d.item()
	if err == nil {
		err = d.end()
	}
	if err != nil {
		return nil, err
	}
	if fault != nil {
		return it, fault
	}
	return it, nil
}

// DecodeValue reads one value in the JSON form of the wire. Its errors are those
// of DecodeItem; null is the fault of a value without a type.
func DecodeValue(raw []byte) (Value, error) {
	d := &decoder{scanner{src: string(raw)}}
	v, fault, err := d.value(1)
	if err == nil {
		err = d.end()
	}
	if err != nil {
		return Value{}, err
	}
	if fault != nil {
		return Value{}, fault
	}
	return v, nil
}

// UnmarshalJSON is DecodeItem.
func (it *Item) UnmarshalJSON(raw []byte) error {
	got, err := DecodeItem(raw)
	if err != nil {
		return err
	}
	*it = got
	return nil
}

// UnmarshalJSON is DecodeValue.
func (v *Value) UnmarshalJSON(raw []byte) error {
	got, err := DecodeValue(raw)
	if err != nil {
		return err
	}
	*v = got
	return nil
}

// decoder reads values. Each of its methods returns what it read, the first
// fault of validation in it, and an error where the rest cannot be read.
//
// Texts without escapes are parts of the one copy of the input, so a document
// of many values costs few allocations.
type decoder struct{ scanner }

func (d *decoder) item() (Item, *Error, error) {
	switch d.next() {
	case '{':
	case 'n':
		return nil, nil, d.literal()
	case '[':
		return nil, nil, malformed(msgMapCollection)
	default:
		return nil, nil, d.unexpected(msgFieldType)
	}
	fields, fault, err := d.fields(1)
	return fields, fault, err
}

// fields reads an object of values, which stand at the given depth.
func (d *decoder) fields(depth int) (map[string]Value, *Error, error) {
	fields := make(map[string]Value)
	var fault *Error
	err := d.object(func(name string) error {
		v, f, err := d.value(depth)
		if f != nil && fault == nil {
			fault = f
			if depth == 1 {
				fault.Key = name
			}
		}
		fields[name] = v
		return err
	})
	return fields, fault, err
}

// rank is the order in which the service looks at the types of a value that has
// several.
var rank = [...]uint8{S: 1, B: 2, N: 3, BOOL: 4, NULL: 5, BS: 6, NS: 7, SS: 8, L: 9, M: 10}

// value reads {"S": "text"} at the given depth.
func (d *decoder) value(depth int) (Value, *Error, error) {
	switch d.next() {
	case '{':
	case 'n':
		if err := d.literal(); err != nil {
			return Value{}, nil, err
		}
		return Value{}, invalid(msgEmpty), nil
	case '[':
		return Value{}, nil, malformed(msgValCollection)
	default:
		return Value{}, nil, d.unexpected(msgValueType)
	}
	var (
		got   Value
		kinds uint16 // a bit for each type that is there
		found *Error // the first fault
		rankF = uint8(255)
	)
	err := d.object(func(name string) error {
		kind := KindOf(name)
		if kind == 0 {
			return d.skip()
		}
		if d.next() == 'n' {
			return d.literal()
		}
		v, fault, err := d.ofKind(kind, depth)
		if err != nil {
			return err
		}
		kinds |= 1 << kind
		got = v
		if fault != nil && rank[kind] < rankF {
			found, rankF = fault, rank[kind]
		}
		return nil
	})
	switch {
	case err != nil:
		return Value{}, nil, err
	case found != nil:
		return Value{}, found, nil
	case kinds == 0:
		return Value{}, invalid(msgEmpty), nil
	case kinds&(kinds-1) != 0:
		return Value{}, invalid(msgSeveralTypes), nil
	}
	return got, nil, nil
}

// ofKind reads what stands behind the name of a type.
func (d *decoder) ofKind(kind Kind, depth int) (Value, *Error, error) {
	switch kind {
	case S:
		s, err := d.textOf("String")
		return String(s), nil, err
	case N:
		s, err := d.textOf("String")
		if err != nil {
			return Value{}, nil, err
		}
		n, fault := parseNumber(s)
		return Num(n), fault, nil
	case B:
		s, err := d.base64()
		return Value{kind: B, text: s}, nil, err
	case BOOL:
		b, err := d.boolean()
		return Bool(b), nil, err
	case NULL:
		b, err := d.boolean()
		if err == nil && !b {
			return Value{}, invalid(msgNotTrue), nil
		}
		return Null(), nil, err
	case M:
		return d.mapValue(depth)
	case L:
		return d.listValue(depth)
	}
	return d.set(kind)
}

func (d *decoder) mapValue(depth int) (Value, *Error, error) {
	switch d.next() {
	case '{':
	case '[':
		return Value{}, nil, malformed(msgMapCollection)
	default:
		return Value{}, nil, d.unexpected(msgFieldType)
	}
	if depth >= MaxDepth {
		return d.tooDeep()
	}
	fields, fault, err := d.fields(depth + 1)
	if err != nil || fault != nil {
		return Value{}, fault, err
	}
	return Map(fields), nil, nil
}

func (d *decoder) listValue(depth int) (Value, *Error, error) {
	if err := d.wantArray(); err != nil {
		return Value{}, nil, err
	}
	if depth >= MaxDepth {
		return d.tooDeep()
	}
	var (
		elements []Value
		fault    *Error
	)
	err := d.array(func() error {
		v, f, err := d.value(depth + 1)
		if f != nil && fault == nil {
			fault = f
		}
		elements = append(elements, v)
		return err
	})
	if err != nil || fault != nil {
		return Value{}, fault, err
	}
	return List(elements), nil, nil
}

// tooDeep passes over a map or list at MaxDepth: one that is empty is the
// deepest that is allowed.
func (d *decoder) tooDeep() (Value, *Error, error) {
	open := d.pos
	closing, of := byte('}'), Map(map[string]Value{})
	if d.src[open] == '[' {
		closing, of = ']', List(nil)
	}
	if err := d.skip(); err != nil {
		return Value{}, nil, err
	}
	inner := scanner{src: d.src, pos: open + 1}
	if inner.next() == closing {
		return of, nil, nil
	}
	return Value{}, invalid(MsgNesting), nil
}

func (d *decoder) set(kind Kind) (Value, *Error, error) {
	if err := d.wantArray(); err != nil {
		return Value{}, nil, err
	}
	var (
		members []Value
		fault   *Error
	)
	err := d.array(func() error {
		if d.next() == 'n' {
			if fault == nil {
				fault = invalid(msgNullMember)
			}
			return d.literal()
		}
		v, f, err := d.ofKind(elementOf[kind], 0)
		if f != nil && fault == nil {
			fault = f
		}
		members = append(members, v)
		return err
	})
	if err != nil || fault != nil {
		return Value{}, fault, err
	}
	if fault := checkSet(kind, members); fault != nil {
		return Value{}, fault, nil
	}
	return setOf(kind, members), nil, nil
}

var elementOf = [...]Kind{SS: S, NS: N, BS: B}

func checkSet(kind Kind, members []Value) *Error {
	if len(members) == 0 {
		switch kind {
		case SS:
			return invalid(msgEmptySS)
		case NS:
			return invalid(msgEmptyNS)
		}
		return invalid(msgEmptyBS)
	}
	if distinct(members) {
		return nil
	}
	switch kind {
	case SS:
		return invalid("One or more parameter values were invalid: Input collection " + describe(members, kind) + " contains duplicates.")
	case BS:
		return invalid("One or more parameter values were invalid: Input collection " + describe(members, kind) + "of type BS contains duplicates.")
	}
	return invalid(msgDuplicates)
}

func distinct(members []Value) bool {
	if len(members) <= smallSet {
		for i, m := range members {
			for _, w := range members[:i] {
				if m.text == w.text {
					return false
				}
			}
		}
		return true
	}
	seen := make(map[string]struct{}, len(members))
	for _, m := range members {
		if _, ok := seen[m.text]; ok {
			return false
		}
		seen[m.text] = struct{}{}
	}
	return true
}

// textOf reads a string where the service's model has the named Java type.
func (d *decoder) textOf(java string) (string, error) {
	switch c := d.next(); c {
	case '"':
		return d.text()
	case '{':
		return "", malformed(msgStructure)
	case '[':
		return "", malformed("Unrecognized collection type class java.lang." + java)
	case 't':
		return "", d.converted("TRUE_VALUE", java)
	case 'f':
		return "", d.converted("FALSE_VALUE", java)
	default:
		decimal, err := d.number()
		if err != nil {
			return "", err
		}
		return "", malformed(numberToken(decimal) + " cannot be converted to " + java)
	}
}

func numberToken(decimal bool) string {
	if decimal {
		return "DECIMAL_VALUE"
	}
	return "NUMBER_VALUE"
}

func (d *decoder) converted(token, java string) error {
	if err := d.literal(); err != nil {
		return err
	}
	return malformed(token + " cannot be converted to " + java)
}

// boolean reads true or false. The service also takes a few words for them.
func (d *decoder) boolean() (bool, error) {
	switch c := d.next(); c {
	case 't', 'f':
		return c == 't', d.literal()
	case '"':
		s, err := d.text()
		if err != nil {
			return false, err
		}
		b, ok := boolWord(s)
		if !ok {
			return false, malformed(msgBadToken)
		}
		return b, nil
	}
	_, err := d.textOf("Boolean")
	return false, err
}

func boolWord(s string) (b, ok bool) {
	switch {
	case equalFold(s, "true"), s == "1", equalFold(s, "yes"):
		return true, true
	case equalFold(s, "false"), s == "0", equalFold(s, "no"):
		return false, true
	}
	return false, false
}

func equalFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		if s[i]|0x20 != lower[i] {
			return false
		}
	}
	return true
}

func (d *decoder) base64() (string, error) {
	switch d.next() {
	case '"':
	case '{':
		return "", malformed(msgStructure)
	case '[':
		return "", malformed("Unrecognized collection type class java.nio.ByteBuffer")
	default:
		return "", d.unexpected(msgNotBase64)
	}
	s, err := d.text()
	if err != nil {
		return "", err
	}
	if len(s)%4 != 0 {
		return "", malformed("Base64 encoded length is expected a multiple of 4 bytes but found: " + strconv.Itoa(len(s)))
	}
	if strings.ContainsAny(s, "\r\n") { // which the decoder would pass over
		return "", malformed(msgBadBase64)
	}
	b, err := strictBase64.DecodeString(s)
	if err != nil {
		return "", malformed(msgBadBase64)
	}
	return string(b), nil
}

var strictBase64 = base64.StdEncoding.Strict()

func (d *decoder) wantArray() error {
	switch d.next() {
	case '[':
		return nil
	case '{':
		return malformed(msgStructure)
	}
	return d.unexpected(msgFieldType)
}

// unexpected is called at what must be a string, a number or a word, and
// returns a SerializationException with the message if it is one, without a
// message if it is no JSON at all.
func (d *decoder) unexpected(message string) error {
	if err := d.scalar(); err != nil {
		return err
	}
	return malformed(message)
}
