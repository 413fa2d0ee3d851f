package txn

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// Change is one thing that an [Update] does to an item: [Set], [Remove], [Add]
// or [Subtract]; or what it may take as known of the item: [Given].
type Change struct {
	verb  verb
	path  path
	value any
	err   error
}

type verb uint8

const (
	noVerb verb = iota
	setVerb
	removeVerb
	addVerb
	subtractVerb
	givenVerb
)

// clauses in the order in which they are written.
var clauses = [...]struct {
	verb verb
	word string
}{{setVerb, "SET"}, {removeVerb, "REMOVE"}, {addVerb, "ADD"}, {subtractVerb, "DELETE"}}

// Set gives an attribute a value. The name is that under which the attribute is
// stored, taken as it is: a dot in it is part of it. The value is encoded as the
// field of that name is, and must be of its type; where that field would be
// absent (an empty set, a zero time under omitempty) the attribute is removed.
// A types.AttributeValue is stored as it is.
//
// A value that is an [expression.OperandBuilder] is computed by DynamoDB:
//
//	txn.Set("visits", expression.Name("visits").Plus(expression.Value(1)))
//	txn.Set("owner", expression.IfNotExists(expression.Name("owner"), expression.Value("kim")))
func Set(attribute string, value any) Change {
	return Change{verb: setVerb, path: path{{name: attribute}}, value: value}
}

// Remove removes an attribute. It is no error where there is none.
func Remove(attribute string) Change {
	return Change{verb: removeVerb, path: path{{name: attribute}}}
}

// Add adds a number to an attribute that is a number, or the members of a set
// to one that is a set; where there is none it becomes the number or the set.
//
// An Add whose answer is lost and that is sent again, by this package or by the
// SDK, can be applied twice. On an entity with a write id it is not, unless
// another write came in between; with [Options.Idempotent], or among several
// actions, it never is.
func Add(attribute string, value any) Change {
	return Change{verb: addVerb, path: path{{name: attribute}}, value: value}
}

// Subtract removes members from an attribute that is a set.
func Subtract(attribute string, set any) Change {
	return Change{verb: subtractVerb, path: path{{name: attribute}}, value: set}
}

// Given tells an update what an attribute is that it does not change, nil for
// one that is absent, and makes it a condition: where the item has another value
// the update fails with [ErrChanged].
//
// It is for indexes. An update of one part of an index key has to write the key
// anew, and that takes all its parts:
//
//	txn.Update(key, txn.Set("day", day), txn.Given("plate", trip.Plate))
//
// The value is encoded, and checked, like that of [Set]. At has no use here and
// is refused with [ErrInvalid].
func Given(attribute string, value any) Change {
	return Change{verb: givenVerb, path: path{{name: attribute}}, value: value}
}

// At directs the change below the attribute: each step is a string, the key of
// a map, or an int, the index of a list. What the last step is in must exist.
//
//	txn.Set("address", "Oslo").At("city")
//	txn.Remove("lines").At(2, "note")
//
// Any other step is refused with [ErrInvalid], as is a negative index.
func (c Change) At(steps ...any) Change {
	for _, s := range steps {
		switch s := s.(type) {
		case string:
			c.path = c.path.child(step{name: s})
		case int:
			if s < 0 && c.err == nil {
				c.err = invalidf("index %d of a list", s)
			}
			c.path = c.path.child(step{index: s, isIndex: true})
		default:
			if c.err == nil {
				c.err = invalidf("step of type %T: a path is made of strings and ints", s)
			}
		}
	}
	return c
}

// Update changes some attributes of the item at a key. It fails with
// [ErrNotFound] where there is none, or only an expired one, and so never
// creates an item; and with [ErrWrongEntity] where it is of another entity.
//
// The version grows by one and updated becomes now. Update does not look at
// the version: put a condition on it with [Action.If], or use [Modify].
//
// Index keys follow. Where a change touches a part of one, the key is written
// anew or, where a part has come to be empty or the entity is no longer to be in
// the index, removed; the parts are taken from the changes, from the primary key,
// and from what is [Given]. A part that is none of these is not known, and the
// update is refused with a [*PartError] that names it. Indexes of which no part
// is touched stay as they are.
//
// Refused before anything is sent, each with an [*AttributeError]: a key or a
// part of the primary key ([ErrKeyPart]); an index key ([ErrIndexKey]); the
// version, the times and the write id ([ErrRole]), though a ttl may be set and
// removed; an Add, a Subtract, an operand or a change below an attribute that is
// a part of an index key, since what that becomes is not known ([ErrIndexPart]);
// a value that does not fit its attribute; a name that is empty or not UTF-8, and
// two changes of one attribute or of one that lies within another ([ErrInvalid]).
// An Update without changes is [ErrInvalid].
//
// When an answer is lost and the request is sent again, it is recognised by the
// write id; on an entity without one, where its condition has come to fail, by
// what it sets and removes, so that of two who make the same change from the same
// state both may be told that they succeeded. Where it adds or computes, it is
// then an [ErrInDoubt].
func Update[T any](key model.Key[T], changes ...Change) Action {
	return Action{maker: updateMaker[T]{key: key, changes: slices.Clone(changes)}}
}

type updateMaker[T any] struct {
	key     model.Key[T]
	changes []Change
}

func (m updateMaker[T]) describe() EventAction { return describeEntity("update", m.key.Entity()) }

func (m updateMaker[T]) make(ctx context.Context, conds []expression.ConditionBuilder, plain bool) ([]*write, func(), error) {
	e, err := entityOf(m.key)
	if err != nil {
		return nil, nil, err
	}
	if !slices.ContainsFunc(m.changes, func(c Change) bool { return c.verb != givenVerb }) {
		return nil, nil, invalidf("an update without changes")
	}
	if err := refuse(e, m.changes); err != nil {
		return nil, nil, err
	}
	changes, given, err := encode(e, m.changes)
	if err != nil {
		return nil, nil, err
	}
	now, writeID := e.Table().Now(), rand.Text()
	if changes, err = stamp(e, changes, now, writeID); err != nil {
		return nil, nil, err
	}
	if changes, err = derive(e, m.key, changes, given); err != nil {
		return nil, nil, err
	}

	x := expect(e, m.key.Item(), now)
	x.presence, x.conds = present, conds
	x.given(given)
	if write := e.Roles().Write; plain && write != "" {
		x.writeAttr, x.notWrite = write, writeID
	}
	w, err := newWrite(ctx, e, updateKind, x)
	if err != nil {
		return nil, nil, err
	}
	w.identify(e.Roles().Write, writeID)
	if w.update, err = updateExpression(&w.aliases, changes); err != nil {
		return nil, nil, err
	}
	for _, c := range changes {
		if c.value != nil {
			w.size += valueSize(c.value)
		}
	}
	w.applied = appliedBy(changes)
	return []*write{w}, nil, nil
}

// stamp appends what the library changes with every write.
func stamp[T any](e *model.Entity[T], changes []change, now time.Time, writeID string) ([]change, error) {
	roles := e.Roles()
	if roles.Updated != "" {
		v, err := e.Encode(roles.Updated, now)
		if err != nil {
			return nil, &AttributeError{roles.Updated, err}
		}
		changes = append(changes, change{verb: setVerb, path: path{{name: roles.Updated}}, value: v})
	}
	if roles.Write != "" {
		changes = append(changes, change{verb: setVerb, path: path{{name: roles.Write}}, value: &types.AttributeValueMemberS{Value: writeID}})
	}
	if roles.Version != "" {
		changes = append(changes, change{verb: addVerb, path: path{{name: roles.Version}}, value: versionValue(1), counts: true})
	}
	return changes, nil
}

// refuse finds what must not be changed, and what cannot be changed together.
func refuse[T any](e *model.Entity[T], changes []Change) error {
	roles, parts, inKey := e.Roles(), e.KeyParts(), keyOnly(e)
	for i, c := range changes {
		if c.verb == noVerb {
			return invalidf("zero change at %d", i)
		}
		attr := c.path[0].name
		switch {
		case c.err != nil:
			return &AttributeError{c.path.String(), c.err}
		case slices.ContainsFunc(c.path, func(s step) bool { return s.name == "" && !s.isIndex }):
			return &AttributeError{c.path.String(), invalidf("empty name")}
		case slices.ContainsFunc(c.path, func(s step) bool { return !utf8.ValidString(s.name) }):
			return &AttributeError{c.path.String(), fmt.Errorf("%w: name: %w", ErrInvalid, keys.ErrUTF8)}
		case slices.Contains(inKey, attr):
			return &AttributeError{attr, fmt.Errorf("%w, and stored in the key alone", ErrKeyPart)}
		case c.verb == givenVerb && len(c.path) > 1:
			return &AttributeError{c.path.String(), invalidf("only a whole attribute can be given")}
		case c.verb == givenVerb:
		case slices.Contains(parts, attr):
			return &AttributeError{attr, ErrKeyPart}
		case attr == roles.Version, attr == roles.Created, attr == roles.Updated, attr == roles.Write:
			return &AttributeError{attr, ErrRole}
		case attr == roles.TTL && (c.verb != setVerb && c.verb != removeVerb || len(c.path) > 1):
			return &AttributeError{c.path.String(), fmt.Errorf("%w: a ttl can only be set or removed", ErrRole)}
		}
		for _, other := range changes[:i] {
			// What is given may be changed, too.
			if c.path.overlaps(other.path) && (c.verb == givenVerb) == (other.verb == givenVerb) {
				return &AttributeError{c.path.String(), invalidf("changed twice, as %s too", other.path)}
			}
		}
	}
	return nil
}

// keyOnly returns the placeholders of the primary key that are not stored as
// attributes, too. An update of such a name would leave the item where it is, with
// an attribute that nobody reads.
func keyOnly[T any](e *model.Entity[T]) []string {
	names := e.PartitionTemplate().Placeholders()
	if sort := e.SortTemplate(); sort != nil {
		names = append(names, sort.Placeholders()...)
	}
	stored := e.Attributes()
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(stored, name) })
}

// change is a Change whose value is encoded.
type change struct {
	verb    verb
	path    path
	value   types.AttributeValue
	operand expression.OperandBuilder // instead of value
	counts  bool                      // the step of the version
}

// encode gives the changes their values, and what is given apart from them: by
// attribute, nil for one that is absent.
func encode[T any](e *model.Entity[T], changes []Change) (out []change, given model.Item, err error) {
	for _, c := range changes {
		next := change{verb: c.verb, path: c.path}
		operand, isOperand := c.value.(expression.OperandBuilder)
		switch {
		case c.verb == removeVerb:
			out = append(out, next)
			continue
		case isOperand && c.verb == setVerb:
			next.operand = operand
			out = append(out, next)
			continue
		}
		// Only the whole of an attribute has the type of its field.
		attr := ""
		if len(c.path) == 1 {
			attr = c.path[0].name
		}
		var v types.AttributeValue
		if c.value != nil || c.verb != givenVerb {
			if v, err = e.Encode(attr, c.value); err != nil {
				return nil, nil, &AttributeError{c.path.String(), err}
			}
		}
		switch {
		case c.verb == givenVerb:
			if given == nil {
				given = model.Item{}
			}
			given[attr] = v
			continue
		case v == nil && c.verb == setVerb:
			next.verb = removeVerb
		case v == nil:
			return nil, nil, &AttributeError{c.path.String(), invalidf("nothing to add or to subtract")}
		case !fits(c.verb, v):
			return nil, nil, &AttributeError{c.path.String(), invalidf("cannot add or subtract a value of type %T", c.value)}
		}
		next.value = v
		out = append(out, next)
	}
	return out, given, nil
}

// fits tells what the service takes after ADD and DELETE.
func fits(v verb, value types.AttributeValue) bool {
	if v == setVerb {
		return true
	}
	switch value.(type) {
	case *types.AttributeValueMemberN:
		return v == addVerb
	case *types.AttributeValueMemberSS, *types.AttributeValueMemberNS, *types.AttributeValueMemberBS:
		return true
	}
	return false
}

func updateExpression(a *aliases, changes []change) (string, error) {
	var b strings.Builder
	for _, clause := range clauses {
		first := true
		for _, c := range changes {
			if c.verb != clause.verb {
				continue
			}
			switch {
			case !first:
				b.WriteString(", ")
			case b.Len() > 0:
				b.WriteString(" ")
				fallthrough
			default:
				b.WriteString(clause.word)
				b.WriteString(" ")
			}
			first = false
			b.WriteString(a.path(c.path))
			switch {
			case c.verb == removeVerb:
			case c.operand != nil:
				right, err := a.operand(c.operand)
				if err != nil {
					return "", &AttributeError{c.path.String(), err}
				}
				b.WriteString(" = ")
				b.WriteString(right)
			case c.verb == setVerb:
				b.WriteString(" = ")
				b.WriteString(a.value(c.value))
			default:
				b.WriteString(" ")
				b.WriteString(a.value(c.value))
			}
		}
	}
	return b.String(), nil
}

// appliedBy returns what recognises an item that the changes have been applied
// to; nil where they depend on what was there, which leaves no trace. The
// version tells nothing: others count it on too.
func appliedBy(changes []change) func(model.Item) bool {
	for _, c := range changes {
		if c.operand != nil || c.verb == subtractVerb || c.verb == addVerb && !c.counts {
			return nil
		}
	}
	return func(found model.Item) bool {
		if len(found) == 0 {
			return false
		}
		for _, c := range changes {
			if c.verb == addVerb {
				continue
			}
			v := lookup(&types.AttributeValueMemberM{Value: found}, c.path)
			if c.verb == removeVerb && v != nil || c.verb == setVerb && !sameValue(c.value, v) {
				return false
			}
		}
		return true
	}
}

// lookup returns the value at a path, nil where there is none.
func lookup(v types.AttributeValue, p path) types.AttributeValue {
	for _, s := range p {
		switch in := v.(type) {
		case *types.AttributeValueMemberM:
			if s.isIndex {
				return nil
			}
			v = in.Value[s.name]
		case *types.AttributeValueMemberL:
			if !s.isIndex || s.index >= len(in.Value) {
				return nil
			}
			v = in.Value[s.index]
		default:
			return nil
		}
	}
	return v
}

// valueSize is what a value counts as in an item.
func valueSize(v types.AttributeValue) int {
	return model.ItemSize(model.Item{"": v})
}
