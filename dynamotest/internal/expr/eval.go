package expr

import (
	"strings"
	"unicode/utf8"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// Eval tells whether the condition holds for the item; nil is an item that does
// not exist. A comparison with something that is not there, or of two types, is
// false, <> of them is true.
func (c *Condition) Eval(it av.Item) bool { return c.root.eval(it) }

func (n *node) eval(it av.Item) bool {
	switch n.op {
	case opAnd:
		return n.x.eval(it) && n.y.eval(it)
	case opOr:
		return n.x.eval(it) || n.y.eval(it)
	case opNot:
		return !n.x.eval(it)
	case opCall:
		return n.args[0].call.holds(it)
	}
	x, ok := n.args[0].eval(it)
	if n.op == opNE {
		y, ok2 := n.args[1].eval(it)
		return !ok || !ok2 || !av.Equal(x, y)
	}
	if !ok {
		return false
	}
	switch n.op {
	case opIn:
		for _, arg := range n.args[1:] {
			if y, ok := arg.eval(it); ok && av.Equal(x, y) {
				return true
			}
		}
		return false
	case opBetween:
		lower, ok := n.args[1].eval(it)
		upper, ok2 := n.args[2].eval(it)
		if !ok || !ok2 {
			return false
		}
		order, ok := av.Compare(lower, x)
		order2, ok2 := av.Compare(x, upper)
		return ok && ok2 && order <= 0 && order2 <= 0
	}
	y, ok := n.args[1].eval(it)
	if !ok {
		return false
	}
	if n.op == opEQ {
		return av.Equal(x, y)
	}
	order, ok := av.Compare(x, y)
	if !ok {
		return false
	}
	switch n.op {
	case opLT:
		return order < 0
	case opLE:
		return order <= 0
	case opGT:
		return order > 0
	}
	return order >= 0
}

// eval returns what the operand is for the item, and false if there is nothing.
func (o operand) eval(it av.Item) (av.Value, bool) {
	switch {
	case o.path != nil:
		return o.path.Lookup(it)
	case o.call != nil:
		return o.call.size(it)
	}
	return o.val, o.val.IsValid()
}

// size returns how long the operand of the function size is: UTF-16 code units
// of a string, bytes of a binary, parts of a set, list or map. Other types have
// no size.
func (k *call) size(it av.Item) (av.Value, bool) {
	v, ok := k.args[0].eval(it)
	if !ok {
		return av.Value{}, false
	}
	var n int
	switch v.Kind() {
	case av.S:
		n = utf16Length(v.Str())
	case av.B:
		n = len(v.Raw())
	case av.SS, av.NS, av.BS, av.L, av.M:
		n = v.Len()
	default:
		return av.Value{}, false
	}
	return av.Num(av.Int(int64(n))), true
}

func utf16Length(s string) int {
	n := utf8.RuneCountInString(s)
	for i := range len(s) {
		if s[i] >= 0xF0 { // begins a rune beyond the BMP
			n++
		}
	}
	return n
}

// holds evaluates a function that is true or false.
func (k *call) holds(it av.Item) bool {
	x, ok := k.args[0].eval(it)
	switch k.fn {
	case fnAttributeExists:
		return ok
	case fnAttributeNotExists:
		return !ok
	case fnAttributeType:
		return ok && x.Kind().String() == k.args[1].val.Str()
	}
	if !ok {
		return false
	}
	y, ok := k.args[1].eval(it)
	if !ok {
		return false
	}
	if k.fn == fnBeginsWith {
		return beginsWith(x, y)
	}
	return contains(x, y)
}

func beginsWith(x, y av.Value) bool {
	if x.Kind() != y.Kind() {
		return false
	}
	switch x.Kind() {
	case av.S:
		return strings.HasPrefix(x.Str(), y.Str())
	case av.B:
		return strings.HasPrefix(x.Raw(), y.Raw())
	}
	return false
}

func contains(x, y av.Value) bool {
	switch x.Kind() {
	case av.S:
		return y.Kind() == av.S && strings.Contains(x.Str(), y.Str())
	case av.B:
		return y.Kind() == av.B && strings.Contains(x.Raw(), y.Raw())
	case av.L:
		for _, v := range x.List() {
			if av.Equal(v, y) {
				return true
			}
		}
		return false
	}
	return x.Contains(y)
}
