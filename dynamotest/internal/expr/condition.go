package expr

import (
	"strconv"
	"strings"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// Condition is a parsed condition or filter.
type Condition struct {
	root  *node
	paths []Path
}

// TopLevelAttrs returns the attributes that the condition looks at, in the order
// of the source, each once.
func (c *Condition) TopLevelAttrs() []string { return heads(c.paths) }

// NestedAttrs returns those of TopLevelAttrs that the condition looks into.
func (c *Condition) NestedAttrs() []string { return nested(c.paths) }

// Condition parses a condition expression. param is the request's name for it,
// "ConditionExpression" or "FilterExpression", which goes into the messages.
func (p *Params) Condition(param, text string) (*Condition, error) {
	c := condition{parser: p.parser(param, text)}
	var root *node
	err := c.run(func() { root = c.asNode(c.or()) },
		faultParens, faultUnknown, faultMisused, faultReserved, faultLimit, faultCondition)
	if err != nil {
		return nil, err
	}
	return &Condition{root, c.paths}, nil
}

// operator is what a node of a condition does.
type operator uint8

const (
	opAnd operator = iota + 1
	opOr
	opNot
	opEQ
	opNE
	opLT
	opLE
	opGT
	opGE
	opBetween
	opIn
	opCall // args[0].call
)

var operatorNames = [...]string{
	opAnd: "AND", opOr: "OR", opNot: "NOT", opEQ: "=", opNE: "<>", opLT: "<", opLE: "<=",
	opGT: ">", opGE: ">=", opBetween: "BETWEEN", opIn: "IN", opCall: "",
}

func (op operator) String() string { return operatorNames[op] }

// node is a part of a condition that is true or false.
type node struct {
	op   operator
	x, y *node     // of AND, OR and NOT
	args []operand // of everything else
}

var conditionKeywords = []string{"AND", "OR", "NOT", "BETWEEN", "IN"}

type condition struct{ parser }

// term is what parentheses can hold: a node, or an operand. Which of them it is
// shows only after it.
type term struct {
	node   *node
	op     operand // where node is nil
	parens bool    // it stands in parentheses
}

func (c *condition) or() term {
	t := c.and()
	for c.isKeyword("OR") {
		x := c.asNode(t)
		c.advance()
		c.operators++
		t = term{node: &node{op: opOr, x: x, y: c.asNode(c.and())}}
	}
	return t
}

func (c *condition) and() term {
	t := c.not()
	for c.isKeyword("AND") {
		x := c.asNode(t)
		c.advance()
		c.operators++
		t = term{node: &node{op: opAnd, x: x, y: c.asNode(c.not())}}
	}
	return t
}

func (c *condition) not() term {
	if !c.acceptKeyword("NOT") {
		return c.primary()
	}
	c.operators++
	return term{node: &node{op: opNot, x: c.asNode(c.not())}}
}

// asNode takes a term as a condition. A function may be one; any other operand
// needs an operator, and the current token is none.
func (c *condition) asNode(t term) *node {
	if t.node != nil {
		return t.node
	}
	if t.op.call == nil {
		c.syntax()
	}
	if t.op.call.fn == fnSize {
		c.misused(t.op.call.name)
	}
	c.endCondition()
	return &node{op: opCall, args: []operand{t.op}}
}

// primary parses a comparison, a function, or anything in parentheses.
func (c *condition) primary() term {
	if !c.accept("(") {
		return c.comparison(term{op: c.operand()})
	}
	t := c.or()
	c.expect(")")
	if t.parens {
		c.faults.add(faultParens, "The expression has redundant parentheses;")
	}
	t.parens = true
	if t.node == nil {
		t.op = c.grouped(t.op)
		return c.comparison(t)
	}
	return t
}

// grouped parses what follows a path in parentheses.
func (c *condition) grouped(o operand) operand {
	if o.path != nil && (c.isPunct(".") || c.isPunct("[")) {
		o.path = c.pathTail(o.path, conditionKeywords)
		c.paths = append(c.paths, o.path)
	}
	return o
}

// comparison parses the operator that follows an operand, if one does.
func (c *condition) comparison(t term) term {
	x := t.op
	switch {
	case c.acceptKeyword("BETWEEN"):
		c.operators++
		lower := c.operandParens()
		if !c.acceptKeyword("AND") {
			c.syntax()
		}
		upper := c.operandParens()
		args := []operand{x, lower, upper}
		c.checkOperands(args)
		c.checkOrdered(opBetween, args)
		c.checkDistinct(opBetween.String(), args)
		c.checkBounds(lower, upper)
		c.endCondition()
		return term{node: &node{op: opBetween, args: args}}
	case c.acceptKeyword("IN"):
		c.operators++
		c.expect("(")
		args := append([]operand{x}, c.operands()...)
		if n := len(args) - 1; n > maxIn {
			c.faults.add(faultOperands, "The IN operator is provided with too many operands; number of operands: "+strconv.Itoa(n))
		}
		c.checkOperands(args)
		c.checkDistinct(opIn.String(), args)
		c.endCondition()
		return term{node: &node{op: opIn, args: args}}
	}
	op := c.comparator()
	if op == 0 {
		return t
	}
	c.advance()
	c.operators++
	args := []operand{x, c.operandParens()}
	c.checkOperands(args)
	if op != opEQ && op != opNE {
		c.checkOrdered(op, args)
	}
	c.checkDistinct(op.String(), args)
	c.endCondition()
	return term{node: &node{op: op, args: args}}
}

// comparator returns the operator that the current token is, 0 if it is none.
func (c *condition) comparator() operator {
	t := c.peek()
	if t.kind != tokPunct {
		return 0
	}
	switch c.text(t) {
	case "=":
		return opEQ
	case "<>":
		return opNE
	case "<":
		return opLT
	case "<=":
		return opLE
	case ">":
		return opGT
	case ">=":
		return opGE
	}
	return 0
}

// operands parses a list of operands and its closing parenthesis.
func (c *condition) operands() []operand {
	args := []operand{c.operandParens()}
	for c.accept(",") {
		args = append(args, c.operandParens())
	}
	c.expect(")")
	return args
}

// operandParens parses an operand that may stand in parentheses.
func (c *condition) operandParens() operand {
	if !c.accept("(") {
		return c.operand()
	}
	if c.isPunct("(") {
		c.faults.add(faultParens, "The expression has redundant parentheses;")
	}
	o := c.operandParens()
	c.expect(")")
	return c.grouped(o)
}

func (c *condition) operand() operand {
	t := c.peek()
	switch {
	case t.kind == tokValue:
		return operand{val: c.value(faultName)}
	case c.isWord(conditionKeywords) && c.toks[c.pos+1].kind == tokPunct && c.text(c.toks[c.pos+1]) == "(":
		c.advance()
		c.advance()
		return operand{call: c.function(c.text(t), c.operands())}
	}
	return operand{path: c.path(conditionKeywords)}
}

// conditionFunctions are the functions of conditions, with the number of their
// operands and the type of their result.
var conditionFunctions = map[string]struct {
	fn    function
	count int
	kind  string
}{
	"attribute_exists":     {fnAttributeExists, 1, ""},
	"attribute_not_exists": {fnAttributeNotExists, 1, ""},
	"attribute_type":       {fnAttributeType, 2, "BOOL"},
	"begins_with":          {fnBeginsWith, 2, "BOOL"},
	"contains":             {fnContains, 2, "BOOL"},
	"size":                 {fnSize, 1, "N"},
}

func (c *condition) function(name string, args []operand) *call {
	c.operators++
	c.checkOperands(args)
	f, ok := conditionFunctions[name]
	if !ok {
		c.faults.add(faultUnknown, "Invalid function name; function: "+name)
		return &call{name: name}
	}
	k := &call{name: name, fn: f.fn, args: args, kind: f.kind}
	if len(args) != f.count {
		c.faults.add(faultOperands, wrongCount(name, len(args)))
		return k
	}
	c.checkDistinct(name, args)
	if message := k.check(); message != "" {
		c.faults.add(faultFunction, message)
	}
	return k
}

// check returns what is wrong with the operands of a function.
func (k *call) check() string {
	first := k.args[0]
	switch k.fn {
	case fnAttributeExists, fnAttributeNotExists:
		if first.path == nil {
			return needsPath(k.name)
		}
	case fnBeginsWith:
		for _, arg := range k.args {
			if kind := arg.kind(); kind != "" && kind != "S" && kind != "B" {
				return wrongType(k.name, kind)
			}
		}
	case fnAttributeType:
		second := k.args[1]
		switch kind := second.kind(); kind {
		case "S":
		case "":
			return wrongType(k.name, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}")
		default:
			return wrongType(k.name, kind)
		}
		if av.KindOf(second.val.Str()) == 0 {
			return "Invalid attribute type name found; type: " + second.val.Str() +
				", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"
		}
	case fnSize:
		if kind := first.kind(); kind == "N" || kind == "BOOL" || kind == "NULL" {
			return wrongType(k.name, kind)
		}
	}
	return ""
}

// checkOperands reports functions that are true or false where an operand must
// stand.
func (c *condition) checkOperands(args []operand) {
	for _, arg := range args {
		if arg.call != nil && arg.call.fn != fnSize {
			c.misused(arg.call.name)
		}
	}
}

func (c *condition) misused(name string) {
	c.faults.add(faultMisused, "The function is not allowed to be used this way in an expression; function: "+name)
}

// checkOrdered reports values that have no order.
func (c *condition) checkOrdered(op operator, args []operand) {
	for _, arg := range args {
		switch kind := arg.literal(); kind {
		case "", "S", "N", "B":
		default:
			c.faults.add(faultFunction, wrongType(op.String(), kind))
			return
		}
	}
}

// checkDistinct reports a first operand that is the same path as another.
func (c *condition) checkDistinct(name string, args []operand) {
	for _, arg := range args[1:] {
		if samePath(args[0], arg) {
			c.faults.add(faultDistinct, "The first operand must be distinct from the remaining operands for this operator or function; operator: "+
				name+", first operand: "+args[0].path.String())
			return
		}
	}
}

// checkBounds reports bounds of BETWEEN that are known and cannot hold anything.
func (c *condition) checkBounds(lower, upper operand) {
	if !lower.val.IsValid() || !upper.val.IsValid() {
		return
	}
	const requires = "The BETWEEN operator requires "
	bounds := "; lower bound operand: AttributeValue: " + describe(lower.val) +
		", upper bound operand: AttributeValue: " + describe(upper.val)
	if lower.val.Kind() != upper.val.Kind() {
		c.faults.add(faultFunction, requires+"same data type for lower and upper bounds"+bounds)
	} else if order, ok := av.Compare(lower.val, upper.val); ok && order > 0 {
		c.faults.add(faultFunction, requires+"upper bound to be greater than or equal to lower bound"+bounds)
	}
}

// describe writes a scalar as the service's messages do: {S:text}.
func describe(v av.Value) string {
	var text string
	switch v.Kind() {
	case av.S:
		text = v.Str()
	case av.N:
		text = v.Number().String()
	default:
		text = strings.Trim(string(v.AppendJSON(nil)), "{}")
		_, text, _ = strings.Cut(text, ":")
		text = strings.Trim(text, `"`)
	}
	return "{" + v.Kind().String() + ":" + text + "}"
}

// endCondition is called at the end of each single comparison or function: the
// first of them that has a mistake is the one that is reported.
func (c *condition) endCondition() {
	if message := c.faults.first(faultName, faultOperands, faultDistinct, faultFunction); message != "" {
		c.faults.add(faultCondition, message)
	}
}
