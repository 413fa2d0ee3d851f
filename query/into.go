package query

import (
	"strconv"
	"strings"

	"github.com/singletable-go/singletable/model"
)

// Into gives the query that reads only the parts of T that V has, as values of
// V, so that a half-filled T is never taken for a whole one. The fields of V are
// bound as those of an entity are: to placeholders of the keys and to attributes
// of T; see [model.ViewOf]. What V has no field for is not sent over the network;
// it is evaluated and paid for all the same.
//
// Everything else about the query stays, filters over attributes that V lacks
// included, and cursors of either fit the other.
//
// Mistakes: a [*model.EntityError] for a field of V that T has nothing for, or
// that the index which is read does not hold ([model.ErrIndex]); [ErrProjected]
// where q is the result of Into or Hydrate already, or a collection.
func Into[V, T any](q Query[T]) Query[V] {
	p := Query[V]{spec: q.spec}
	if p.spec.table == nil {
		p.spec.fail("Into", ErrZero)
		return p
	}
	e, ok := q.decoder.(*model.Entity[T])
	if !ok || q.hydrate != nil {
		p.spec.fail("Into", ErrProjected)
		return p
	}
	if p.spec.schema == nil {
		return p // a mistake that it carries
	}
	view, err := viewOf[V](e, p.spec.schema.index)
	if err != nil {
		p.spec.fail("Into", err)
		return p
	}
	p.decoder = view
	p.spec.partial = false
	p.spec.project(view.Attributes())
	return p
}

func viewOf[V, T any](e *model.Entity[T], ix *model.Index) (*model.View[V], error) {
	if ix == nil {
		return model.ViewOf[V](e)
	}
	return model.ViewOn[V](e, ix)
}

// projection is the text that names attributes, with an alias for each.
type projection struct {
	text  string
	names map[string]string
}

// newProjection names attributes by the aliases of the key condition where they have
// one, and by aliases of its own elsewhere.
func newProjection(attributes []string, aliases map[string]string) *projection {
	p := &projection{names: make(map[string]string, len(attributes))}
	var text strings.Builder
	for i, name := range attributes {
		alias, ok := aliases[name]
		if !ok {
			alias = "#a" + strconv.Itoa(i)
		}
		p.names[alias] = name
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(alias)
	}
	p.text = text.String()
	return p
}
