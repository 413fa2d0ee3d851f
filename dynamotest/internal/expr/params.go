package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// Params holds the ExpressionAttributeNames and ExpressionAttributeValues of one
// request and tracks which of them its expressions use. It is not safe for
// concurrent use; what it parses is.
type Params struct {
	names  map[string]string
	values av.Item

	usedNames, usedValues map[string]struct{}
}

// NewParams returns the Params of a request. A map is nil where the request does
// not have it, and empty where it has an empty one.
func NewParams(names map[string]string, values av.Item) *Params {
	return &Params{
		names: names, values: values,
		usedNames:  make(map[string]struct{}, len(names)),
		usedValues: make(map[string]struct{}, len(values)),
	}
}

// Given is an expression parameter that an operation takes.
type Given struct {
	Param   string // "FilterExpression"
	Present bool   // whether the request has it
}

// maxParamsSize is the greatest size of all names or all values of a request.
const maxParamsSize = 2 << 20

// maxParamKey is the greatest length of a placeholder.
const maxParamKey = 255

// Check looks at the two maps before any expression is parsed: that they are not
// given without an expression, that neither is empty, and that their keys are
// well formed. The parameters of the operation come in the order in which the
// service's message names them.
//
// Faults inside of values come after those that Check finds, see ValueError.
func (p *Params) Check(given ...Given) error {
	any, values, takesValues := false, false, []string(nil)
	for _, g := range given {
		any = any || g.Present
		if g.Param != "ProjectionExpression" {
			values = values || g.Present
			takesValues = append(takesValues, g.Param)
		}
	}
	if p.names != nil && !any {
		return refuse("ExpressionAttributeNames can only be specified when using expressions")
	}
	if p.values != nil && !values && len(takesValues) > 0 {
		verb := "is"
		if len(takesValues) > 1 {
			verb = "are"
		}
		return refuse("ExpressionAttributeValues can only be specified when using expressions: " +
			strings.Join(takesValues, " and ") + " " + verb + " null")
	}
	if err := checkKeys("ExpressionAttributeNames", '#', p.names); err != nil {
		return err
	}
	size := 0
	for _, key := range slices.Sorted(maps.Keys(p.names)) {
		if p.names[key] == "" {
			return refuse("ExpressionAttributeNames contains invalid value: Empty attribute name for key " + key)
		}
		size += len(key) + len(p.names[key])
	}
	if size > maxParamsSize {
		return tooLarge("ExpressionAttributeNames", size)
	}
	if err := checkKeys("ExpressionAttributeValues", ':', p.values); err != nil {
		return err
	}
	if p.values != nil {
		if size := p.values.Size(); size > maxParamsSize {
			return tooLarge("ExpressionAttributeValues", size)
		}
	}
	return nil
}

func tooLarge(param string, size int) error {
	return refuse(fmt.Sprintf("%s exceeds max size; size: %d, max size: %d", param, size, maxParamsSize))
}

// checkKeys checks that a map that is given is not empty and that its keys are
// sign and a word.
func checkKeys[V any](param string, sign byte, m map[string]V) error {
	if m == nil {
		return nil
	}
	if len(m) == 0 {
		return refuse(param + " must not be empty")
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if len(key) < 2 || key[0] != sign || wordEnd(key, 1) != len(key) {
			return refuse(param + ` contains invalid key: Syntax error; key: "` + key + `"`)
		}
		if len(key) > maxParamKey {
			return refuse(fmt.Sprintf("%s contains invalid key: The expression attribute map contains a key that is too long; key: %q, length: %d",
				param, key, len(key)))
		}
	}
	return nil
}

// ValueError words a fault that decoding ExpressionAttributeValues found. A
// SerializationException stays what it is.
func ValueError(e *av.Error) error {
	if e.Type != av.ValidationException {
		return e
	}
	return refuse("ExpressionAttributeValues contains invalid value: " + e.Message + " for key " + e.Key)
}

// Unused returns an error if a name, or a value, is used by no expression that p
// has parsed.
func (p *Params) Unused() error {
	if err := unused("ExpressionAttributeNames", p.names, p.usedNames); err != nil {
		return err
	}
	return unused("ExpressionAttributeValues", p.values, p.usedValues)
}

func unused[V any](param string, given map[string]V, used map[string]struct{}) error {
	if len(given) == len(used) {
		return nil
	}
	var left []string
	for key := range given {
		if _, ok := used[key]; !ok {
			left = append(left, key)
		}
	}
	slices.Sort(left)
	return refuse("Value provided in " + param + " unused in expressions: keys: {" + strings.Join(left, ", ") + "}")
}

// name returns what a placeholder of an attribute name stands for.
func (p *Params) name(key string) (string, bool) {
	name, ok := p.names[key]
	if ok {
		p.usedNames[key] = struct{}{}
	}
	return name, ok
}

// value returns what a placeholder of a value stands for.
func (p *Params) value(key string) (av.Value, bool) {
	v, ok := p.values[key]
	if ok {
		p.usedValues[key] = struct{}{}
	}
	return v, ok
}
