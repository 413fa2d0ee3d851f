package txn

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// Limits of an expression, by the service.
const (
	maxExpression = 4096 // bytes
	maxOperators  = 300
)

// aliases holds the names and values of one request. Every name is an alias,
// since reserved words, dots and brackets cannot stand in an expression, and
// what the caller built with package expression is renumbered into the same
// space, so that nothing can collide.
type aliases struct {
	names  map[string]string // "#0" -> name
	byName map[string]string
	values map[string]types.AttributeValue
}

func (a *aliases) clone() aliases {
	return aliases{names: maps.Clone(a.names), byName: maps.Clone(a.byName), values: maps.Clone(a.values)}
}

func (a *aliases) name(name string) string {
	if alias, ok := a.byName[name]; ok {
		return alias
	}
	if a.names == nil {
		a.names, a.byName = map[string]string{}, map[string]string{}
	}
	alias := "#" + strconv.Itoa(len(a.names))
	a.names[alias] = name
	a.byName[name] = alias
	return alias
}

func (a *aliases) value(v types.AttributeValue) string {
	if a.values == nil {
		a.values = map[string]types.AttributeValue{}
	}
	alias := ":" + strconv.Itoa(len(a.values))
	a.values[alias] = v
	return alias
}

// path writes a document path: attribute names and map keys as aliases, list
// indexes in brackets.
func (a *aliases) path(p path) string {
	var b strings.Builder
	for i, step := range p {
		if step.isIndex {
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(step.index))
			b.WriteByte(']')
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(a.name(step.name))
	}
	return b.String()
}

// absorb rewrites an expression made by package expression, in which every
// name is #n and every value :n, into the aliases of a.
func (a *aliases) absorb(text string, names map[string]string, values map[string]types.AttributeValue) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		c := text[i]
		if c != '#' && c != ':' {
			b.WriteByte(c)
			i++
			continue
		}
		j := i + 1
		for j < len(text) && '0' <= text[j] && text[j] <= '9' {
			j++
		}
		if c == '#' {
			b.WriteString(a.name(names[text[i:j]]))
		} else {
			b.WriteString(a.value(values[text[i:j]]))
		}
		i = j
	}
	return b.String()
}

// condition renders a condition of the caller's.
func (a *aliases) condition(c expression.ConditionBuilder) (string, error) {
	built, err := expression.NewBuilder().WithCondition(c).Build()
	if err == nil {
		err = sendable(built)
	}
	if err != nil {
		return "", fmt.Errorf("%w: condition: %w", ErrInvalid, err)
	}
	return a.absorb(*built.Condition(), built.Names(), built.Values()), nil
}

// operand renders the right side of a SET that the caller built.
func (a *aliases) operand(o expression.OperandBuilder) (string, error) {
	if v := reflect.ValueOf(o); v.Kind() == reflect.Pointer && v.IsNil() {
		return "", invalidf("operand: nil %T", o)
	}
	set := expression.Set(expression.NameNoDotSplit("x"), o)
	built, err := expression.NewBuilder().WithUpdate(set).Build()
	if err == nil {
		err = sendable(built)
	}
	if err != nil {
		return "", fmt.Errorf("%w: operand: %w", ErrInvalid, err)
	}
	_, right, _ := strings.Cut(*built.Update(), " = ")
	return a.absorb(strings.TrimSpace(right), built.Names(), built.Values()), nil
}

// sendable refuses what package expression lets pass, but the service gets as
// something else: a value that cannot be stored is nothing, and the SDK replaces
// what is not UTF-8 without a word.
func sendable(e expression.Expression) error {
	for _, name := range e.Names() {
		if !utf8.ValidString(name) {
			return fmt.Errorf("name %q: %w", name, keys.ErrUTF8)
		}
	}
	for _, v := range e.Values() {
		if err := sendableValue(v); err != nil {
			return err
		}
	}
	return nil
}

func sendableValue(v types.AttributeValue) error {
	var texts []string
	switch v := v.(type) {
	case nil:
		return errors.New("a value that cannot be stored")
	case *types.AttributeValueMemberS:
		texts = []string{v.Value}
	case *types.AttributeValueMemberSS:
		texts = v.Value
	case *types.AttributeValueMemberL:
		for _, e := range v.Value {
			if err := sendableValue(e); err != nil {
				return err
			}
		}
	case *types.AttributeValueMemberM:
		for name, e := range v.Value {
			texts = append(texts, name)
			if err := sendableValue(e); err != nil {
				return err
			}
		}
	}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return fmt.Errorf("value %q: %w", text, keys.ErrUTF8)
		}
	}
	return nil
}

// conjunction joins conditions with AND, and puts in parentheses those that
// hold an AND or an OR of their own. A single one stands bare: the service
// refuses redundant parentheses.
type conjunction struct {
	terms []string
}

func (c *conjunction) add(term string) { c.terms = append(c.terms, term) }

func (c *conjunction) String() string {
	if len(c.terms) == 1 {
		return c.terms[0]
	}
	var b strings.Builder
	for i, term := range c.terms {
		if i > 0 {
			b.WriteString(" AND ")
		}
		if strings.Contains(term, " OR ") || strings.Contains(term, " AND ") {
			b.WriteByte('(')
			b.WriteString(term)
			b.WriteByte(')')
		} else {
			b.WriteString(term)
		}
	}
	return b.String()
}

// operators counts the operators and functions of a condition in which every
// name and value is an alias.
func operators(text string) int {
	n := 0
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r == '(' || r == ')' || r == ','
	}) {
		if c := word[0]; c != '#' && c != ':' {
			n++
		}
	}
	return n
}

// step is one step of a document path: a name (of an attribute or of a map
// key) or an index of a list.
type step struct {
	name    string
	index   int
	isIndex bool
}

type path []step

func (p path) child(s step) path {
	return append(p[:len(p):len(p)], s)
}

// String is for people: it is not safe to send.
func (p path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.isIndex:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
		case i > 0:
			b.WriteByte('.')
			fallthrough
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// overlaps reports whether one of two paths is, or lies within, the other:
// the service refuses two changes of which that is so.
func (p path) overlaps(q path) bool {
	for i := range min(len(p), len(q)) {
		if p[i] != q[i] {
			return false
		}
	}
	return true
}

func keyText(key model.Item) string {
	texts := make([]string, 0, len(key))
	for _, name := range sortedNames(key) {
		texts = append(texts, name+"="+valueText(key[name]))
	}
	return strings.Join(texts, " ")
}

func valueText(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return strconv.Quote(v.Value)
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return strconv.Quote(string(v.Value))
	default:
		return "?"
	}
}
