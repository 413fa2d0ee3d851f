package av

import (
	"slices"
	"strings"
)

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

var kindNames = [...]string{"", "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"}

// String returns the name of the type on the wire, "" for the zero Kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// KindOf returns the type that has the given name on the wire, or 0.
func KindOf(name string) Kind {
	switch name {
	case "S":
		return S
	case "N":
		return N
	case "B":
		return B
	case "BOOL":
		return BOOL
	case "NULL":
		return NULL
	case "M":
		return M
	case "L":
		return L
	case "SS":
		return SS
	case "NS":
		return NS
	case "BS":
		return BS
	}
	return 0
}

// IsSet tells whether k is one of the three set types.
func (k Kind) IsSet() bool { return k == SS || k == NS || k == BS }

// Value is one attribute value. It is immutable, cheap to copy and safe for
// concurrent use. The zero Value is not valid.
type Value struct {
	kind Kind
	flag bool      // BOOL
	text string    // S; the bytes of B; the normal form of N
	ref  *compound // M, L and sets
}

// compound is what a map, list or set refers to. Size and depth are counted
// once, when it is made, so that both are free to ask for.
type compound struct {
	fields  map[string]Value
	members []Value
	size    int
	depth   int
}

// String returns a string value.
func String(s string) Value { return Value{kind: S, text: s} }

// Num returns a number value.
func Num(n Number) Value { return Value{kind: N, text: n.text} }

// Binary returns a binary value with a copy of b.
func Binary(b []byte) Value { return Value{kind: B, text: string(b)} }

// Bool returns a boolean value.
func Bool(b bool) Value { return Value{kind: BOOL, flag: b} }

// Null returns the null value.
func Null() Value { return Value{kind: NULL} }

// Map returns a map value. It keeps m, which must not be changed afterwards.
func Map(m map[string]Value) Value {
	c := &compound{fields: m, size: 3, depth: 1}
	for name, v := range m {
		c.size += 1 + len(name) + v.Size()
		c.depth = max(c.depth, 1+v.Depth())
	}
	return Value{kind: M, ref: c}
}

// List returns a list value. It keeps l, which must not be changed afterwards.
func List(l []Value) Value {
	c := &compound{members: l, size: 3, depth: 1}
	for _, v := range l {
		c.size += 1 + v.Size()
		c.depth = max(c.depth, 1+v.Depth())
	}
	return Value{kind: L, ref: c}
}

// StringSet returns a set of strings. The members must be distinct and at least
// one, as in every set of DynamoDB; StringSet does not check that.
func StringSet(members ...string) Value {
	vs := make([]Value, len(members))
	for i, s := range members {
		vs[i] = String(s)
	}
	return setOf(SS, vs)
}

// NumberSet is StringSet for numbers.
func NumberSet(members ...Number) Value {
	vs := make([]Value, len(members))
	for i, n := range members {
		vs[i] = Num(n)
	}
	return setOf(NS, vs)
}

// BinarySet is StringSet for binaries.
func BinarySet(members ...[]byte) Value {
	vs := make([]Value, len(members))
	for i, b := range members {
		vs[i] = Binary(b)
	}
	return setOf(BS, vs)
}

// SetOf returns the set with the given members, which all are of the kind that
// k holds (S for SS, N for NS, B for BS). It keeps members.
func SetOf(k Kind, members []Value) Value { return setOf(k, members) }

func setOf(k Kind, members []Value) Value {
	c := &compound{members: members, depth: 1}
	for _, v := range members {
		c.size += v.Size()
	}
	return Value{kind: k, ref: c}
}

// Kind returns the type of v, 0 for the zero Value.
func (v Value) Kind() Kind { return v.kind }

// IsValid tells whether v is a value at all.
func (v Value) IsValid() bool { return v.kind != 0 }

// Str returns the text of an S, and "" for every other type.
func (v Value) Str() string {
	if v.kind == S {
		return v.text
	}
	return ""
}

// Number returns the number of an N, and 0 for every other type.
func (v Value) Number() Number {
	if v.kind == N {
		return Number{v.text}
	}
	return Number{}
}

// Bytes returns a copy of the bytes of a B, and nil for every other type.
func (v Value) Bytes() []byte {
	if v.kind == B {
		return []byte(v.text)
	}
	return nil
}

// Raw returns the bytes of a B as a string, without a copy, and "" for every
// other type.
func (v Value) Raw() string {
	if v.kind == B {
		return v.text
	}
	return ""
}

// Bool returns the truth of a BOOL, and false for every other type.
func (v Value) Bool() bool { return v.flag }

// Map returns the fields of an M, and nil for every other type. The result must
// not be changed.
func (v Value) Map() map[string]Value {
	if v.ref == nil {
		return nil
	}
	return v.ref.fields
}

// List returns the elements of an L, and nil for every other type. The result
// must not be changed.
func (v Value) List() []Value {
	if v.kind != L {
		return nil
	}
	return v.ref.members
}

// Members returns the members of a set as values of its element type, in the
// order of insertion, and nil for every other type. The result must not be
// changed.
func (v Value) Members() []Value {
	if !v.kind.IsSet() {
		return nil
	}
	return v.ref.members
}

// Strs returns the members of an SS, and nil for every other type.
func (v Value) Strs() []string {
	if v.kind != SS {
		return nil
	}
	out := make([]string, len(v.ref.members))
	for i, m := range v.ref.members {
		out[i] = m.text
	}
	return out
}

// Numbers returns the members of an NS, and nil for every other type.
func (v Value) Numbers() []Number {
	if v.kind != NS {
		return nil
	}
	out := make([]Number, len(v.ref.members))
	for i, m := range v.ref.members {
		out[i] = Number{m.text}
	}
	return out
}

// Binaries returns copies of the members of a BS, and nil for every other type.
func (v Value) Binaries() [][]byte {
	if v.kind != BS {
		return nil
	}
	out := make([][]byte, len(v.ref.members))
	for i, m := range v.ref.members {
		out[i] = []byte(m.text)
	}
	return out
}

// Len returns the number of fields, elements or members of a map, list or set,
// and 0 for every other type.
func (v Value) Len() int {
	if v.ref == nil {
		return 0
	}
	return len(v.ref.fields) + len(v.ref.members)
}

// MaxDepth is how deep the service lets documents nest; a top-level attribute
// is at depth 1.
const MaxDepth = 32

// Depth returns how many levels v has: 1 for a scalar, a set and an empty map
// or list, and one more than its deepest part for every other map or list.
func (v Value) Depth() int {
	if v.ref != nil {
		return v.ref.depth
	}
	return 1
}

// Size returns the bytes that the service counts for v: UTF-8 bytes of a
// string, bytes of a binary, Number.Size, 1 for a boolean and for null, the sum
// of the members of a set, and for a map or list 3, the parts, the names, and 1
// for each part.
func (v Value) Size() int {
	switch v.kind {
	case S, B:
		return len(v.text)
	case N:
		return Number{v.text}.Size()
	case BOOL, NULL:
		return 1
	}
	if v.ref != nil {
		return v.ref.size
	}
	return 0
}

// Equal tells whether a and b are the same value: of one type, numbers by value,
// sets whatever their order, maps and lists by their parts.
func Equal(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	if a.ref == nil {
		return a.flag == b.flag && a.text == b.text
	}
	if a.ref == b.ref {
		return true
	}
	x, y := a.ref, b.ref
	if len(x.members) != len(y.members) || len(x.fields) != len(y.fields) || x.size != y.size {
		return false
	}
	switch a.kind {
	case M:
		for name, v := range x.fields {
			w, ok := y.fields[name]
			if !ok || !Equal(v, w) {
				return false
			}
		}
		return true
	case L:
		return slices.EqualFunc(x.members, y.members, Equal)
	}
	has := memberOf(y.members)
	for _, v := range x.members {
		if !has(v) {
			return false
		}
	}
	return true
}

// Contains tells whether a set has the member m.
func (v Value) Contains(m Value) bool {
	if !v.kind.IsSet() {
		return false
	}
	for _, w := range v.ref.members {
		if w.kind == m.kind && w.text == m.text {
			return true
		}
	}
	return false
}

// smallSet is up to how many members a set is searched one by one.
const smallSet = 16

// memberOf returns a test for membership of members, which are scalars of one
// type.
func memberOf(members []Value) func(Value) bool {
	if len(members) <= smallSet {
		return func(m Value) bool {
			for _, w := range members {
				if w.text == m.text && w.kind == m.kind {
					return true
				}
			}
			return false
		}
	}
	kind, index := members[0].kind, make(map[string]struct{}, len(members))
	for _, w := range members {
		index[w.text] = struct{}{}
	}
	return func(m Value) bool {
		_, ok := index[m.text]
		return ok && m.kind == kind
	}
}

// Union returns the members of a and, after them, those of b that a lacks. Both
// are sets of one type.
func Union(a, b Value) Value {
	has := memberOf(a.ref.members)
	members := slices.Clip(a.ref.members)
	for _, m := range b.ref.members {
		if !has(m) {
			members = append(members, m)
		}
	}
	return setOf(a.kind, members)
}

// Difference returns the members of a that b lacks, and false if none is left.
// Both are sets of one type.
func Difference(a, b Value) (Value, bool) {
	has := memberOf(b.ref.members)
	var members []Value
	for _, m := range a.ref.members {
		if !has(m) {
			members = append(members, m)
		}
	}
	if len(members) == 0 {
		return Value{}, false
	}
	return setOf(a.kind, members), true
}

// Compare orders two strings by their UTF-8 bytes, two numbers by value and two
// binaries by unsigned byte. It returns false for any other pair of types.
func Compare(a, b Value) (int, bool) {
	if a.kind != b.kind {
		return 0, false
	}
	switch a.kind {
	case S, B:
		return strings.Compare(a.text, b.text), true
	case N:
		return Number{a.text}.Cmp(Number{b.text}), true
	}
	return 0, false
}
