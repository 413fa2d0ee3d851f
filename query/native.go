package query

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// term is the condition on one key attribute, where a key is not one joined text.
type term struct {
	name   string
	op     keys.PartOp
	lo, hi types.AttributeValue // nil where the operator takes none
}

// terms gives the key condition as one term for each attribute that it speaks of.
func (s *spec) terms() (hash, sort []term, err error) {
	if hash, err = keyTerms(s.schema.hash, s.partition); err != nil || !s.ranged {
		return hash, nil, err
	}
	if !s.schema.sort.Native {
		sort, err = rangeTerm(s.schema.sort, s.where)
		return hash, sort, err
	}
	parts, err := s.where.Parts()
	if err != nil {
		return nil, nil, err
	}
	return hash, partTerms(s.schema.sort.Attributes, parts), nil
}

// keyTerms asks for the attributes that a key is stored as.
func keyTerms(spec model.KeySpec, k keys.Key) ([]term, error) {
	item, err := spec.Item(k)
	if err != nil {
		return nil, err
	}
	var list []term
	for _, a := range spec.Attributes {
		list = append(list, term{name: a.Name, op: keys.PartEqual, lo: item[a.Name]})
	}
	return list, nil
}

func partTerms(attributes []model.KeyAttribute, parts []keys.Part) []term {
	var list []term
	for i, p := range parts {
		t := term{name: attributes[i].Name, op: p.Op}
		takesLo, takesHi := true, false
		switch p.Op {
		case keys.PartBetween:
			takesHi = true
		case keys.PartAtMost, keys.PartBelow:
			takesLo, takesHi = false, true
		}
		if takesLo {
			t.lo = keyValue(attributes[i].Type, p.Lo)
		}
		if takesHi {
			t.hi = keyValue(attributes[i].Type, p.Hi)
		}
		list = append(list, t)
	}
	return list
}

// rangeTerm is the condition on a joined sort key beside a native partition key.
func rangeTerm(spec model.KeySpec, r keys.Range) ([]term, error) {
	op, lo, hi, err := r.Condition()
	if err != nil || op == keys.OpAll || op == keys.OpNever {
		return nil, err
	}
	t := term{name: spec.Attributes[0].Name}
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	switch op {
	case keys.OpEqual:
		t.op, t.lo = keys.PartEqual, text(lo)
	case keys.OpBeginsWith:
		t.op, t.lo = keys.PartBeginsWith, text(lo)
	case keys.OpBetween:
		t.op, t.lo, t.hi = keys.PartBetween, text(lo), text(hi)
	case keys.OpAtMost:
		t.op, t.hi = keys.PartAtMost, text(hi)
	}
	return []term{t}, nil
}

// condition writes terms as a key condition with its names and values.
func condition(terms []term) (text string, names map[string]string, values map[string]types.AttributeValue) {
	names = make(map[string]string, len(terms))
	values = make(map[string]types.AttributeValue, len(terms)+1)
	var b strings.Builder
	for i, t := range terms {
		n := strconv.Itoa(i)
		name, lo, hi := "#k"+n, ":l"+n, ":h"+n
		names[name] = t.name
		if t.lo != nil {
			values[lo] = t.lo
		}
		if t.hi != nil {
			values[hi] = t.hi
		}
		if i > 0 {
			b.WriteString(" AND ")
		}
		switch t.op {
		case keys.PartEqual:
			b.WriteString(name + " = " + lo)
		case keys.PartBetween:
			b.WriteString(name + " BETWEEN " + lo + " AND " + hi)
		case keys.PartBeginsWith:
			b.WriteString("begins_with(" + name + ", " + lo + ")")
		case keys.PartAtLeast:
			b.WriteString(name + " >= " + lo)
		case keys.PartAbove:
			b.WriteString(name + " > " + lo)
		case keys.PartAtMost:
			b.WriteString(name + " <= " + hi)
		case keys.PartBelow:
			b.WriteString(name + " < " + hi)
		}
	}
	return b.String(), names, values
}

// holds reports whether an attribute with the value v satisfies the term.
func (t term) holds(v types.AttributeValue) bool {
	below := func(bound types.AttributeValue, equal bool) bool { // bound <(=) v
		order, ok := compare(bound, v)
		return ok && (order < 0 || order == 0 && equal)
	}
	above := func(bound types.AttributeValue, equal bool) bool { // v <(=) bound
		order, ok := compare(v, bound)
		return ok && (order < 0 || order == 0 && equal)
	}
	switch t.op {
	case keys.PartEqual:
		return below(t.lo, true) && above(t.lo, true)
	case keys.PartBetween:
		return below(t.lo, true) && above(t.hi, true)
	case keys.PartBeginsWith:
		return begins(v, t.lo)
	case keys.PartAtLeast:
		return below(t.lo, true)
	case keys.PartAbove:
		return below(t.lo, false)
	case keys.PartAtMost:
		return above(t.hi, true)
	case keys.PartBelow:
		return above(t.hi, false)
	}
	return false
}

// valueSize is the size of a value of a key attribute in bytes; a number has 21 at
// most and is not counted.
func valueSize(v types.AttributeValue) int {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	}
	return 0
}

// compare orders two values of key attributes as DynamoDB does. It reports false
// for values of different types.
func compare(a, b types.AttributeValue) (order int, ok bool) {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		if b, ok := b.(*types.AttributeValueMemberS); ok {
			return cmp.Compare(a.Value, b.Value), true
		}
	case *types.AttributeValueMemberB:
		if b, ok := b.(*types.AttributeValueMemberB); ok {
			return bytes.Compare(a.Value, b.Value), true
		}
	case *types.AttributeValueMemberN:
		if b, ok := b.(*types.AttributeValueMemberN); ok {
			x, okX := parseNumber(a.Value)
			y, okY := parseNumber(b.Value)
			if okX && okY {
				return x.Cmp(y), true
			}
		}
	}
	return 0, false
}

// begins reports whether a text or binary value begins with another.
func begins(v, prefix types.AttributeValue) bool {
	switch p := prefix.(type) {
	case *types.AttributeValueMemberS:
		s, ok := v.(*types.AttributeValueMemberS)
		return ok && strings.HasPrefix(s.Value, p.Value)
	case *types.AttributeValueMemberB:
		b, ok := v.(*types.AttributeValueMemberB)
		return ok && bytes.HasPrefix(b.Value, p.Value)
	}
	return false
}
