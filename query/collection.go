package query

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// Collection reads the items of all declared entities in the partition pk, each
// as a pointer to the type of its entity, in the order of their sort keys:
//
//	for v, err := range query.Collection(Table, pk).All(ctx, db) {
//		switch v := v.(type) {
//		case *WorkOrder: …
//		case *Note: …
//		}
//	}
//
// It is narrowed, filtered, limited and paged as any other query; its range may be
// one of the sort template of any entity of the table, and [keys.Key.Tree] reads
// one item and what belongs to it. [Gather] sorts the items into slices by type.
// Nothing is skipped; an item of no declared entity is an [*ItemError].
//
// Mistakes: whatever error pk carries, [keys.ErrTemplate] where it is a key of no
// partition template of the table, a [*model.SizeError], [ErrZero] for a nil table.
func Collection(t *model.Table, pk keys.Key) Query[any] {
	return collection("Collection", t, nil, pk)
}

// CollectionOn is [Collection] over a partition of an index, which must hold all
// attributes, or else the query carries [ErrPartial]. [model.ErrIndex] is an index of another
// table, [ErrZero] a nil one.
func CollectionOn(t *model.Table, ix *model.Index, pk keys.Key) Query[any] {
	if ix == nil {
		var q Query[any]
		q.spec.fail("CollectionOn", ErrZero)
		return q
	}
	return collection("CollectionOn", t, ix, pk)
}

func collection(op string, t *model.Table, ix *model.Index, pk keys.Key) Query[any] {
	var q Query[any]
	if t == nil {
		q.spec.fail(op, ErrZero)
		return q
	}
	q.decoder = anyOf{t}
	q.spec.table, q.spec.partition, q.spec.collection = t, pk, true
	hash, sort, err := t.KeySpecs(nil)
	if err == nil && ix == nil {
		q.spec.schema = newSchema(nil, hash, sort)
	}
	if err == nil && ix != nil {
		var h, s model.KeySpec
		h, s, err = t.KeySpecs(ix)
		q.spec.schema = newSchema(ix, h, s, hash, sort)
		q.spec.partial = ix.Projection() != types.ProjectionTypeAll
	}
	if err != nil {
		q.spec.schema = nil
		q.spec.fail(op, err)
		return q
	}
	if err := q.spec.checkPartition(t.CheckPartition(ix, pk)); err != nil {
		q.spec.fail(op, err)
	}
	return q
}

// anyOf decodes the items of all entities of a table.
type anyOf struct{ table *model.Table }

func (a anyOf) Classify(item model.Item) model.Class {
	_, class := a.table.Classify(item)
	return class
}

func (a anyOf) UnmarshalInto(item model.Item, v *any) (err error) {
	*v, err = a.table.Decode(item)
	return err
}

// Target takes the items of one entity out of a collection. [To] makes one.
type Target interface {
	entity() (name string, table *model.Table)
	add(model.Item) error
}

// To appends the items of e to list, in the order of the collection.
func To[T any](e *model.Entity[T], list *[]T) Target { return target[T]{e, list} }

type target[T any] struct {
	e    *model.Entity[T]
	list *[]T
}

func (t target[T]) entity() (string, *model.Table) {
	if t.list == nil {
		return "", nil
	}
	return t.e.Name(), t.e.Table()
}

func (t target[T]) add(item model.Item) error {
	n := len(*t.list)
	*t.list = append(*t.list, *new(T))
	if err := t.e.UnmarshalInto(item, &(*t.list)[n]); err != nil {
		*t.list = (*t.list)[:n]
		return err
	}
	return nil
}

// Gather reads the whole of a collection into slices, one for each entity that
// has a target; items of other entities are skipped and counted.
//
//	var orders []WorkOrder
//	var notes []Note
//	err := query.Gather(ctx, db, query.Collection(Table, pk).Where(key.Tree()), query.To(Orders, &orders), query.To(Notes, &notes))
//
// At the first error it stops; the slices have what came before it. The errors
// are those of [Query.Collect], and [ErrTarget] for a target without an entity or
// a slice, of another table, for an entity that has one already, or where q is no
// collection.
func Gather(ctx context.Context, db Client, q Query[any], targets ...Target) error {
	g := Query[struct{}]{spec: q.spec}
	if err := q.Err(); err == nil {
		collection, ok := q.decoder.(anyOf)
		if !ok {
			g.spec.fail("Gather", ErrTarget)
		}
		into := gatherer{collection, make(map[string]Target, len(targets))}
		for _, t := range targets {
			if t == nil {
				g.spec.fail("Gather", ErrTarget)
				continue
			}
			name, table := t.entity()
			if table == nil || table != q.spec.table || into.targets[name] != nil {
				g.spec.fail("Gather", ErrTarget)
			}
			into.targets[name] = t
		}
		g.decoder = into
	}
	var err error
	g.walk(ctx, db, "Gather", g.spec.limit, func(_ struct{}, e error) bool {
		err = e
		return e == nil
	})
	return err
}

// gatherer hands the items of a collection to the targets of their entities.
type gatherer struct {
	anyOf
	targets map[string]Target
}

func (g gatherer) Classify(item model.Item) model.Class {
	name, class := g.table.Classify(item)
	if class == model.Own && g.targets[name] == nil {
		return model.Other
	}
	return class
}

func (g gatherer) UnmarshalInto(item model.Item, _ *struct{}) error {
	name, _ := g.table.Classify(item)
	return g.targets[name].add(item)
}
