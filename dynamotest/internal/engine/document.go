package engine

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// object is a JSON object of a request, cut into its members but no further. Its
// readers convert a member to the type that the operation's model gives it; the
// first that cannot be converted is kept, worded as the service words it.
type object struct {
	members []member
	fault   *fault
}

type member struct {
	name string
	raw  []byte
}

// fault is shared by the objects of one request.
type fault struct{ err *Error }

func (f *fault) set(message string) {
	if f.err == nil {
		f.err = &Error{Type: Serialization, Message: message}
	}
}

// parse cuts the document of a request. A document that is not JSON is a
// SerializationException without a message; one that is no object has no members.
func parse(body []byte) (object, *Error) {
	if !json.Valid(body) {
		return object{}, &Error{Type: Serialization}
	}
	o := object{fault: &fault{}}
	if i := skipSpace(body, 0); body[i] == '{' {
		o.members = cut(body)
	} else {
		switch body[i] {
		case '[':
			return o, &Error{Type: Serialization, Message: "Unrecognized collection type class java.lang.Object"}
		default:
			return o, &Error{Type: Serialization, Message: "Unexpected value type in payload"}
		}
	}
	return o, nil
}

// cut splits a valid JSON object into members. Of members with one name the last
// counts.
func cut(raw []byte) []member {
	members := make([]member, 0, 8)
	i := skipSpace(raw, 0) + 1
	for {
		i = skipSpace(raw, i)
		if raw[i] == '}' {
			return members
		}
		if raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
		end := skipValue(raw, i)
		name := text(raw[i:end])
		i = skipSpace(raw, end) + 1 // the colon
		i = skipSpace(raw, i)
		end = skipValue(raw, i)
		value := raw[i:end]
		i = end
		replaced := false
		for j := range members {
			if members[j].name == name {
				members[j].raw, replaced = value, true
			}
		}
		if !replaced {
			members = append(members, member{name, value})
		}
	}
}

// elements splits a valid JSON array.
func elements(raw []byte) [][]byte {
	var list [][]byte
	i := skipSpace(raw, 0) + 1
	for {
		i = skipSpace(raw, i)
		if raw[i] == ']' {
			return list
		}
		if raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
		end := skipValue(raw, i)
		list = append(list, raw[i:end])
		i = end
	}
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue gives the end of the JSON value that starts at i; the document is
// known to be valid.
func skipValue(b []byte, i int) int {
	depth := 0
	for {
		switch b[i] {
		case '"':
			i++
			for b[i] != '"' {
				if b[i] == '\\' {
					i++
				}
				i++
			}
			i++
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\t', '\r':
			i++
		default: // a number or a word
			for i < len(b) && strings.IndexByte(",:]} \n\t\r", b[i]) < 0 {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// text decodes a JSON string.
func text(raw []byte) string {
	inner := raw[1 : len(raw)-1]
	plain := true
	for _, b := range inner {
		if b == '\\' || b >= utf8.RuneSelf {
			plain = false
			break
		}
	}
	if plain {
		return string(inner)
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return ""
	}
	return s
}

// get gives the raw value of a member; nil where it is absent or null.
func (o object) get(name string) []byte {
	for i := range o.members {
		if o.members[i].name == name {
			if raw := o.members[i].raw; raw[0] != 'n' {
				return raw
			}
			return nil
		}
	}
	return nil
}

func (o object) has(name string) bool { return o.get(name) != nil }

// scalarName names a JSON scalar as the service's parser does.
func scalarName(raw []byte) string {
	switch raw[0] {
	case 't':
		return "TRUE_VALUE"
	case 'f':
		return "FALSE_VALUE"
	case '"':
		return "STRING_VALUE"
	}
	if f, err := strconv.ParseFloat(string(raw), 64); err == nil && f != math.Trunc(f) {
		return "DECIMAL_VALUE"
	}
	return "NUMBER_VALUE"
}

// str reads a string; nil where it is absent.
func (o object) str(name string) *string {
	raw := o.get(name)
	if raw == nil {
		return nil
	}
	return o.asString(raw)
}

func (o object) asString(raw []byte) *string {
	switch raw[0] {
	case '"':
		s := text(raw)
		return &s
	case '[':
		o.fault.set("Unrecognized collection type class java.lang.String")
	case '{':
		o.fault.set("Start of structure or map found where not expected")
	default:
		o.fault.set(scalarName(raw) + " cannot be converted to String")
	}
	return nil
}

// boolean reads a boolean; nil where it is absent. The service takes the words
// for one too.
func (o object) boolean(name string) *bool {
	raw := o.get(name)
	if raw == nil {
		return nil
	}
	var v bool
	switch raw[0] {
	case 't':
		v = true
	case 'f':
	case '"':
		switch strings.ToUpper(text(raw)) {
		case "TRUE", "1", "YES":
			v = true
		case "FALSE", "0", "NO":
		default:
			o.fault.set("Unexpected token received from parser")
			return nil
		}
	case '[':
		o.fault.set("Unrecognized collection type class java.lang.Boolean")
		return nil
	case '{':
		o.fault.set("Start of structure or map found where not expected")
		return nil
	default:
		o.fault.set(scalarName(raw) + " cannot be converted to Boolean")
		return nil
	}
	return &v
}

// integer reads a whole number of the model's type "Integer" or "Long"; nil where
// it is absent. A fraction is cut off.
func (o object) integer(name, kind string) *int64 {
	raw := o.get(name)
	if raw == nil {
		return nil
	}
	switch raw[0] {
	case 't', 'f', '"':
		o.fault.set(scalarName(raw) + " cannot be converted to " + kind)
		return nil
	case '[':
		o.fault.set("Unrecognized collection type class java.lang." + kind)
		return nil
	case '{':
		o.fault.set("Start of structure or map found where not expected")
		return nil
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		f, _ := strconv.ParseFloat(string(raw), 64)
		switch {
		case f >= math.MaxInt64:
			n = math.MaxInt64
		case f <= math.MinInt64:
			n = math.MinInt64
		default:
			n = int64(math.Floor(f))
		}
	}
	return &n
}

// structure reads a field that is a structure of the model; shape is its name.
func (o object) structure(name, shape string) (object, bool) {
	raw := o.get(name)
	if raw == nil {
		return object{fault: o.fault}, false
	}
	switch raw[0] {
	case '{':
		return object{cut(raw), o.fault}, true
	case '[':
		o.fault.set("Unrecognized collection type class com.amazonaws.dynamodb.v20120810." + shape)
	default:
		o.fault.set("Unexpected field type")
	}
	return object{fault: o.fault}, false
}

// element reads a member of a list or a value of a map that is a structure.
func (o object) element(raw []byte, shape string) object {
	switch raw[0] {
	case '{':
		return object{cut(raw), o.fault}
	case '[':
		o.fault.set("Unrecognized collection type class com.amazonaws.dynamodb.v20120810." + shape)
	case 'n':
	default:
		o.fault.set("Unexpected value type in payload")
	}
	return object{fault: o.fault}
}

// list reads a list; ok is false where it is absent.
func (o object) list(name string) (list [][]byte, ok bool) {
	raw := o.get(name)
	if raw == nil {
		return nil, false
	}
	return o.asList(raw)
}

func (o object) asList(raw []byte) ([][]byte, bool) {
	switch raw[0] {
	case '[':
		return elements(raw), true
	case '{':
		o.fault.set("Start of structure or map found where not expected")
	default:
		o.fault.set("Unexpected field type")
	}
	return nil, false
}

// strings reads a list of strings.
func (o object) strings(name string) ([]string, bool) {
	raws, ok := o.list(name)
	if !ok {
		return nil, false
	}
	list := make([]string, 0, len(raws))
	for _, raw := range raws {
		if raw[0] == 'n' {
			continue
		}
		if s := o.asString(raw); s != nil {
			list = append(list, *s)
		}
	}
	return list, true
}

// mapping reads a map of the model, whose values are of the given shape (a full
// name of Java where it has a dot).
func (o object) mapping(name, shape string) ([]member, bool) {
	raw := o.get(name)
	if raw == nil {
		return nil, false
	}
	switch raw[0] {
	case '{':
		return cut(raw), true
	case '[':
		if !strings.Contains(shape, ".") {
			shape = "com.amazonaws.dynamodb.v20120810." + shape
		}
		o.fault.set("Unrecognized collection type java.util.Map<java.lang.String, " + shape + ">")
	default:
		o.fault.set("Unexpected field type")
	}
	return nil, false
}

// names reads ExpressionAttributeNames; nil where it is absent.
func (o object) names() map[string]string {
	members, ok := o.mapping("ExpressionAttributeNames", "java.lang.String")
	if !ok {
		return nil
	}
	names := make(map[string]string, len(members))
	for _, m := range members {
		if m.raw[0] == 'n' {
			continue
		}
		if s := o.asString(m.raw); s != nil {
			names[m.name] = *s
		}
	}
	return names
}

// attributes is a map of attribute values. What is wrong with a value, rather
// than with its shape in JSON, is reported later than the constraints of the
// request, so it is kept beside it.
type attributes struct {
	item av.Item
	err  *av.Error
	raw  []byte
}

func (a attributes) present() bool { return a.raw != nil }

// invalid gives the refusal of the values, or nil.
func (a attributes) invalid() *Error {
	if a.err == nil {
		return nil
	}
	return &Error{Type: a.err.Type, Message: a.err.Message}
}

func (o object) attributes(name string) attributes {
	raw := o.get(name)
	if raw == nil {
		return attributes{}
	}
	return o.asAttributes(raw)
}

func (o object) asAttributes(raw []byte) attributes {
	switch raw[0] {
	case '{':
	case '[':
		o.fault.set("Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>")
		return attributes{raw: raw}
	default:
		o.fault.set("Unexpected field type")
		return attributes{raw: raw}
	}
	item, err := av.DecodeItem(raw)
	a := attributes{item: item, raw: raw}
	if err == nil {
		return a
	}
	e := toError(err)
	if e.Type == Serialization {
		o.fault.set(e.Message)
		return a
	}
	if ve, ok := err.(*av.Error); ok {
		a.err = ve
	} else {
		a.err = &av.Error{Type: av.ValidationException, Message: e.Message}
	}
	return a
}
