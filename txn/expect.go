package txn

import (
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// presence is what an action expects to find at its key.
type presence uint8

const (
	anything presence = iota
	absent            // nothing, or an item that has expired
	present           // an item of the entity that has not expired
)

// expectation is what an action expects of the item at its key. It has two
// faces that must agree: condition says it to the service, explain tells from
// the item found which part of it did not hold.
type expectation struct {
	presence presence

	pk       string // name of the partition key attribute
	tagAttr  string // "" where items carry no tag
	tag      string
	ttlAttr  string // "" where the entity never expires
	now      time.Time
	key      model.Item
	versAttr string // "" where the version is of no concern
	version  int64  // 0: stored without one, or with zero

	// unchanged is compared attribute by attribute; without lists the
	// attributes that must not exist.
	unchanged model.Item
	without   []string
	whole     bool // they are all of the item

	// notWrite must not be the write id of the item: a write that finds its own
	// id has been applied before.
	writeAttr string
	notWrite  string

	conds []expression.ConditionBuilder
}

// expired is the clock's answer in the form that is stored: whole seconds, the
// last of which is over.
func (x *expectation) clock() types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(x.now.Unix(), 10)}
}

// condition renders the expectation, "" where everything is fine.
func (x *expectation) condition(a *aliases) (string, error) {
	var all conjunction
	switch x.presence {
	case absent:
		gone := "attribute_not_exists(" + a.name(x.pk) + ")"
		if x.ttlAttr != "" {
			gone += " OR " + a.name(x.ttlAttr) + " <= " + a.value(x.clock())
		}
		all.add(gone)
	case present:
		all.add("attribute_exists(" + a.name(x.pk) + ")")
		if x.tagAttr != "" {
			all.add(a.name(x.tagAttr) + " = " + a.value(&types.AttributeValueMemberS{Value: x.tag}))
		}
		if x.ttlAttr != "" {
			all.add("NOT " + a.name(x.ttlAttr) + " <= " + a.value(x.clock()))
		}
	}
	switch {
	case x.versAttr == "":
	case x.version == 0:
		version := a.name(x.versAttr)
		all.add("attribute_not_exists(" + version + ") OR " + version + " = " + a.value(versionValue(0)))
	default:
		all.add(a.name(x.versAttr) + " = " + a.value(versionValue(x.version)))
	}
	for _, name := range sortedNames(x.unchanged) {
		if _, isKey := x.key[name]; x.whole && (isKey || name == x.versAttr || name == x.tagAttr) {
			continue // fixed, or compared already
		}
		all.add(a.name(name) + " = " + a.value(x.unchanged[name]))
	}
	for _, name := range x.without {
		all.add("attribute_not_exists(" + a.name(name) + ")")
	}
	if x.writeAttr != "" {
		// The attribute may be missing, and then it is different too.
		all.add(a.name(x.writeAttr) + " <> " + a.value(&types.AttributeValueMemberS{Value: x.notWrite}))
	}
	for _, c := range x.conds {
		text, err := a.condition(c)
		if err != nil {
			return "", err
		}
		all.add(text)
	}
	if len(all.terms) == 0 {
		return "", nil
	}
	text := all.String()
	if x.whole && (len(text) > maxExpression || operators(text) > maxOperators) {
		return "", ErrNeedsVersion
	}
	return text, nil
}

// explain says what of the expectation does not hold of the item that was
// found; found is empty where there was none.
func (x *expectation) explain(found model.Item) error {
	there := len(found) > 0 && !x.isExpired(found)
	switch {
	case x.presence == absent && there:
		return ErrExists
	case x.presence == present && !there:
		return ErrNotFound
	case x.presence == present && x.tagAttr != "" && !isText(found[x.tagAttr], x.tag):
		return ErrWrongEntity
	case x.versAttr != "" && !x.sameVersion(found):
		return ErrChanged
	}
	for name, v := range x.unchanged {
		if name != x.versAttr && !sameValue(v, found[name]) {
			return ErrChanged
		}
	}
	for _, name := range x.without {
		if _, ok := found[name]; ok {
			return ErrChanged
		}
	}
	return ErrCondition
}

func (x *expectation) isExpired(found model.Item) bool {
	return x.ttlAttr != "" && model.PastTTL(found, x.ttlAttr, x.now)
}

func (x *expectation) sameVersion(found model.Item) bool {
	v, ok := found[x.versAttr]
	if !ok {
		return x.version == 0
	}
	return model.Equal(v, versionValue(x.version))
}

// sameValue is model.Equal for values of which found may be missing.
func sameValue(v, found types.AttributeValue) bool {
	return found != nil && model.Equal(v, found)
}

func versionValue(v int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(v, 10)}
}

func isText(v types.AttributeValue, text string) bool {
	s, ok := v.(*types.AttributeValueMemberS)
	return ok && s.Value == text
}

// given demands that attributes have the values that the caller knows of; nil
// for one that is absent.
func (x *expectation) given(given model.Item) {
	for _, name := range sortedNames(given) {
		if given[name] == nil {
			x.without = append(x.without, name)
			continue
		}
		if x.unchanged == nil {
			x.unchanged = model.Item{}
		}
		x.unchanged[name] = given[name]
	}
}

// untouched reports whether the item found is still the one that the write was
// made from, so that the write cannot have been applied.
func (x *expectation) untouched(found model.Item) bool {
	return x.versAttr != "" && x.version != 0 && len(found) > 0 && x.sameVersion(found)
}
