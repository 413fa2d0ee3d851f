package expr

import "github.com/singletable-go/singletable/dynamotest/internal/av"

// Op is the operator of a key condition.
type Op uint8

// The operators of key conditions.
const (
	EQ Op = iota + 1
	LT
	LE
	GT
	GE
	BETWEEN
	BEGINS_WITH
)

var opNames = [...]string{"", "EQ", "LT", "LE", "GT", "GE", "BETWEEN", "BEGINS_WITH"}

// String returns the name that the service has for the operator.
func (op Op) String() string {
	if int(op) < len(opNames) {
		return opNames[op]
	}
	return ""
}

// KeyCondition is a parsed key condition: a conjunction of terms on different
// attributes.
type KeyCondition struct {
	Terms []KeyTerm // in the order of the source
}

// KeyTerm compares one attribute with values: with two for BETWEEN, with one for
// every other operator. Where the source has the value on the left side, the
// operator is turned round.
type KeyTerm struct {
	Attr string
	Op   Op
	Args []av.Value
}

// KeyCondition parses a key condition expression. Which attributes are keys, and
// what may be asked of which, is not looked at.
func (p *Params) KeyCondition(text string) (*KeyCondition, error) {
	c, err := p.Condition("KeyConditionExpression", text)
	if err != nil {
		return nil, err
	}
	var k KeyCondition
	if message := k.add(c.root); message != "" {
		return nil, refuse(message)
	}
	return &k, nil
}

const msgNested = "KeyConditionExpressions cannot contain nested operations"

// add adds the terms of n, or returns why it is no key condition.
func (k *KeyCondition) add(n *node) string {
	const badOperator = "Invalid operator used in KeyConditionExpression: "
	name := n.op.String()
	switch n.op {
	case opAnd:
		if message := k.add(n.x); message != "" {
			return message
		}
		return k.add(n.y)
	case opOr, opNot, opIn, opNE:
		return badOperator + name
	case opBetween:
		return k.addTerm(BETWEEN, name, n.args)
	case opCall:
		call := n.args[0].call
		if call.fn != fnBeginsWith {
			return badOperator + call.name
		}
		return k.addTerm(BEGINS_WITH, call.name, call.args)
	}
	return k.addTerm(keyOps[n.op], "", n.args)
}

var keyOps = [...]Op{opEQ: EQ, opLT: LT, opLE: LE, opGT: GT, opGE: GE}

// turned is the operator with its sides exchanged.
var turned = [...]Op{EQ: EQ, LT: GT, LE: GE, GT: LT, GE: LE}

// addTerm adds one term. An operator with a name wants the attribute first.
func (k *KeyCondition) addTerm(op Op, name string, args []operand) string {
	const bad = "Invalid condition in KeyConditionExpression: "
	if name != "" && args[0].path == nil {
		return bad + name + " operator must have the key attribute as its first operand"
	}
	term := KeyTerm{Op: op}
	for i, arg := range args {
		switch {
		case arg.call != nil:
			return msgNested
		case arg.path == nil:
			term.Args = append(term.Args, arg.val)
			continue
		case term.Attr != "":
			return bad + "Multiple attribute names used in one condition"
		case len(arg.path) > 1:
			return "KeyConditionExpressions cannot have conditions on nested attributes"
		}
		term.Attr = arg.path.Head()
		if i > 0 {
			term.Op = turned[op]
		}
	}
	if term.Attr == "" {
		return bad + "No key attribute specified"
	}
	for _, t := range k.Terms {
		if t.Attr == term.Attr {
			return "KeyConditionExpressions must only contain one condition per key"
		}
	}
	k.Terms = append(k.Terms, term)
	return ""
}
