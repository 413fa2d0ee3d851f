package txn

import (
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// derive adds to the changes of an update what follows from them for the index
// keys of the item, or refuses them.
func derive[T any](e *model.Entity[T], key model.Key[T], changes []change, given model.Item) ([]change, error) {
	indexes := e.Indexes()
	if len(indexes) == 0 {
		return changes, nil
	}
	written := model.Item{}
	for _, c := range changes {
		attr := c.path[0].name
		isPart, isKey := false, false
		for _, ix := range indexes {
			part := slices.Contains(ix.Parts, attr)
			isPart = isPart || part
			isKey = isKey || !part && slices.Contains(ix.Attributes, attr)
		}
		constant := len(c.path) == 1 && (c.verb == removeVerb || c.verb == setVerb && c.operand == nil)
		switch {
		case isKey:
			return nil, &AttributeError{attr, ErrIndexKey}
		case isPart && !constant:
			return nil, &AttributeError{c.path.String(), ErrIndexPart}
		case constant:
			written[attr] = c.value
		}
	}
	d, err := e.Derive(key, written, stillGiven(given, changes))
	if err != nil {
		return nil, err
	}
	if len(d.Missing) > 0 {
		var missing []error
		for _, m := range d.Missing {
			missing = append(missing, &PartError{Index: m.Index.Name(), Placeholder: m.Placeholder, Attribute: m.Attribute})
		}
		return nil, errors.Join(missing...)
	}
	for _, name := range sortedNames(d.Set) {
		changes = assign(changes, name, d.Set[name])
	}
	for _, name := range d.Remove {
		changes = assign(changes, name, nil)
	}
	return changes, nil
}

// stillGiven is what is given of attributes that are not changed: the others are as
// they become.
func stillGiven(given model.Item, changes []change) model.Item {
	out := make(model.Item, len(given))
	for name, v := range given {
		if !slices.ContainsFunc(changes, func(c change) bool { return c.path[0].name == name }) {
			out[name] = v
		}
	}
	return out
}

// assign sets or, with nil, removes an attribute, instead of what the changes do
// to it.
func assign(changes []change, name string, v types.AttributeValue) []change {
	next := change{verb: setVerb, path: path{{name: name}}, value: v}
	if v == nil {
		next.verb = removeVerb
	}
	for i, c := range changes {
		if len(c.path) == 1 && c.path[0].name == name {
			changes[i] = next
			return changes
		}
	}
	return append(changes, next)
}
