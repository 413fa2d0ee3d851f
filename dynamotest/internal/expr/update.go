package expr

import (
	"slices"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// Update is a parsed update.
type Update struct {
	actions []action
	targets []Path // of the actions
	paths   []Path // all, those that are only read included
	tree    *tree  // of targets; its leaves are indexes of actions
}

// section is what an action does.
type section uint8

const (
	secSet section = iota
	secRemove
	secAdd
	secDelete
)

var sectionNames = [...]string{"SET", "REMOVE", "ADD", "DELETE"}

// action is one action of an update on its path: SET to a sum, ADD and DELETE
// of a value, REMOVE.
type action struct {
	section section
	sum     sum
	val     av.Value
}

// sum is an operand, or two of them with a sign between them.
type sum struct {
	sign byte // '+', '-' or 0
	x, y operand
}

// Update parses an update expression.
func (p *Params) Update(text string) (*Update, error) {
	u := update{parser: p.parser("UpdateExpression", text)}
	err := u.run(u.sections,
		faultReserved, faultUnknown, faultSection, faultLimit, faultName, faultValue,
		faultOverlap, faultConflict, faultAction, faultFunction)
	if err != nil {
		return nil, err
	}
	t := newTree(u.targets)
	t.sortIndexes()
	return &Update{u.actions, u.targets, u.paths, t}, nil
}

// Paths returns the paths that the update writes to, in the order of the source.
// They must not be changed.
func (u *Update) Paths() []Path { return u.targets }

// TopLevelAttrs returns the attributes that the update writes to or into, in the
// order of the source, each once.
func (u *Update) TopLevelAttrs() []string { return heads(u.targets) }

// NestedAttrs returns the attributes that the update reads or writes in parts,
// in the order of the source, each once.
func (u *Update) NestedAttrs() []string { return nested(u.paths) }

// KnownKind returns the type that the update gives to a whole attribute, where
// that is known before there is an item: of a value, of a sum, of list_append. It
// is "" otherwise, and for an attribute that the update does not write to as a whole.
func (u *Update) KnownKind(attr string) string {
	for i, p := range u.targets {
		if len(p) > 1 || p.Head() != attr {
			continue
		}
		switch a := u.actions[i]; {
		case a.section == secRemove:
			return ""
		case a.section != secSet:
			return a.val.Kind().String()
		case a.sum.sign != 0:
			return av.N.String()
		default:
			return a.sum.x.kind()
		}
	}
	return ""
}

// OnlyRemoves tells whether the update has no section but REMOVE and DELETE.
func (u *Update) OnlyRemoves() bool {
	return !slices.ContainsFunc(u.actions, func(a action) bool { return a.section == secSet || a.section == secAdd })
}

// Project returns what the item has at the paths that the update writes to: what
// UPDATED_OLD and UPDATED_NEW answer with.
func (u *Update) Project(it av.Item) av.Item { return u.tree.project(it) }

// update is the parser of updates.
type update struct {
	parser
	actions []action
	targets []Path
	seen    [len(sectionNames)]bool
}

func (u *update) sections() {
	for more := true; more; more = u.peek().kind != tokEOF {
		switch {
		case u.acceptKeyword("SET"):
			u.list(secSet, u.set)
		case u.acceptKeyword("REMOVE"):
			u.list(secRemove, func() action { return action{} })
		case u.acceptKeyword("ADD"):
			u.list(secAdd, func() action { return u.valueOf("ADD") })
		case u.acceptKeyword("DELETE"):
			u.list(secDelete, func() action { return u.valueOf("DELETE") })
		default:
			u.syntax()
		}
	}
	u.checkApart(u.targets)
}

// list parses the actions of a section: each a path and what rest parses.
func (u *update) list(s section, rest func() action) {
	for more := true; more; more = u.accept(",") {
		target := u.path(sectionNames[:])
		a := rest()
		a.section = s
		u.targets = append(u.targets, target)
		u.actions = append(u.actions, a)
	}
	if u.seen[s] {
		u.faults.add(faultSection, `The "`+sectionNames[s]+`" section can only be used once in an update expression;`)
	}
	u.seen[s] = true
}

// set parses what SET sets a path to.
func (u *update) set() action {
	u.expect("=")
	return action{sum: u.sum()}
}

// sum parses an operand or the sum of two, which may stand in parentheses: (a),
// (a + b), (a) + (b).
func (u *update) sum() sum {
	var s sum
	if u.accept("(") {
		s = u.inner()
		u.expect(")")
		if s.sign != 0 {
			return s
		}
	} else {
		s = sum{x: u.operand()}
	}
	return u.signed(s)
}

// inner is a sum whose first operand stands in parentheses already.
func (u *update) inner() sum {
	if u.accept("(") {
		o := u.operand()
		u.expect(")")
		return u.signed(sum{x: o})
	}
	return u.signed(sum{x: u.operand()})
}

// signed parses the sign and second operand of a sum, if they follow.
func (u *update) signed(s sum) sum {
	sign := u.text(u.peek())
	if sign != "+" && sign != "-" {
		return s
	}
	u.advance()
	u.operators++
	s.sign, s.y = sign[0], u.operandParens()
	for _, o := range []operand{s.x, s.y} {
		if kind := o.literal(); kind != "" && kind != "N" {
			u.faults.add(faultFunction, wrongType(sign, kind))
		}
	}
	return s
}

func (u *update) operandParens() operand {
	if !u.accept("(") {
		return u.operand()
	}
	o := u.operand()
	u.expect(")")
	return o
}

func (u *update) operand() operand {
	t := u.peek()
	switch {
	case t.kind == tokValue:
		return operand{val: u.value(faultValue)}
	case u.isWord(sectionNames[:]) && u.toks[u.pos+1].kind == tokPunct && u.text(u.toks[u.pos+1]) == "(":
		u.advance()
		u.advance()
		args := []operand{u.operandParens()}
		for u.accept(",") {
			args = append(args, u.operandParens())
		}
		u.expect(")")
		return operand{call: u.function(u.text(t), args)}
	}
	return operand{path: u.path(sectionNames[:])}
}

func (u *update) function(name string, args []operand) *call {
	u.operators++
	k := &call{name: name, args: args}
	switch name {
	case "if_not_exists":
		k.fn = fnIfNotExists
	case "list_append":
		k.fn, k.kind = fnListAppend, "L"
	default:
		u.faults.add(faultUnknown, "Invalid function name; function: "+name)
		return k
	}
	if len(args) != 2 {
		u.faults.add(faultFunction, wrongCount(name, len(args)))
		return k
	}
	if k.fn == fnIfNotExists {
		k.kind = args[1].kind()
		if args[0].path == nil {
			u.faults.add(faultFunction, needsPath(name))
		}
		return k
	}
	for _, arg := range args {
		if kind := arg.literal(); kind != "" && kind != "L" {
			u.faults.add(faultFunction, wrongType(name, kind))
		}
	}
	return k
}

// actionTypes are the names that messages have for types that ADD or DELETE do
// not take.
var actionTypes = [...]string{
	av.S: "STRING", av.N: "NUMBER", av.B: "BINARY", av.BOOL: "BOOLEAN", av.NULL: "NULL",
	av.M: "MAP", av.L: "LIST", av.SS: "", av.NS: "", av.BS: "",
}

// valueOf parses the value of ADD, a number or set, or of DELETE, a set.
func (u *update) valueOf(name string) action {
	v := u.value(faultValue)
	if kind := v.Kind(); kind != 0 && !kind.IsSet() && (kind != av.N || name != "ADD") {
		u.faults.add(faultAction, "Incorrect operand type for operator or function; operator: "+name+
			", operand type: "+actionTypes[kind])
	}
	return action{val: v}
}
