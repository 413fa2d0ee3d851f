package query

import (
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// On reads the items of e in the partition pk of an index, in the order of the
// index's sort keys. It is narrowed, filtered and paged as [Of] is.
//
// A native index, and a key attribute that is a number or binary, is asked with one
// condition for each placeholder; [keys.Key.Tree] is the key itself there.
//
// An index that does not hold all attributes of e cannot give a whole T. Such a query
// carries [ErrPartial] until it is made one of [Into] a type of what the index
// holds, or of [Hydrate].
//
// A global index follows its table a moment later, and a consistent read of it is
// [ErrConsistent]. Where several items have one and the same index key, DynamoDB
// promises no order among them, so neither do pages; let every index key end with
// an id.
//
// Mistakes: [model.ErrIndex] where e is not in the index, [keys.ErrTemplate] where
// pk is not a key of the template with which it is, whatever error pk carries, a
// [*model.SizeError], [ErrZero] for a nil entity or index.
func On[T any](e *model.Entity[T], ix *model.Index, pk keys.Key) Query[T] {
	var q Query[T]
	if e.Table() == nil || ix == nil {
		q.spec.fail("On", ErrZero)
		return q
	}
	q.decoder = e
	q.spec.table, q.spec.entity, q.spec.partition = e.Table(), e.Name(), pk
	in, err := e.Index(ix)
	if err != nil {
		q.spec.fail("On", err)
		return q
	}
	hash, sort := e.KeySpecs()
	q.spec.schema = newSchema(ix, in.Partition, in.Sort, hash, sort)
	q.spec.partial = !in.Complete
	if err := q.spec.checkPartition(pk.Check(in.Partition.Template)); err != nil {
		q.spec.fail("On", err)
	}
	return q
}

// Hydrate gives the query that reads only keys from its index and then fetches
// the items themselves from the table, in batches, in the order of the index. It
// is what an index is read with that does not hold all attributes; each item costs a read by
// key besides. A query of the table itself stays as it is.
//
// An item that has gone meanwhile, or that has another index key by now, is skipped
// and counted. A filter is applied to what the index holds. What DynamoDB leaves
// unread of a batch is asked for again as by [GetMany], whose errors come on top of
// those of the query.
//
// Mistakes: [ErrProjected] where q is the result of Into or a collection.
func Hydrate[T any](q Query[T]) Query[T] {
	switch e, ok := q.decoder.(*model.Entity[T]); {
	case q.spec.table == nil:
		q.spec.fail("Hydrate", ErrZero)
	case q.spec.schema == nil || q.spec.schema.index == nil || q.hydrate != nil:
	case !ok:
		q.spec.fail("Hydrate", ErrProjected)
	default:
		entry, err := model.ViewOn[struct{}](e, q.spec.schema.index)
		if err != nil {
			q.spec.fail("Hydrate", err)
			return q
		}
		q.hydrate = entry
		q.spec.partial = false
		q.spec.project(entry.Attributes())
	}
	return q
}

// hydration is the items of one response, fetched from the table as they are
// asked for.
type hydration struct {
	entries []model.Item // of the index
	items   []model.Item // of the table; nil for what is not to be handed out
}

// item gives item i. want is how many items are still wanted, 0 or less for all: so many
// are fetched together.
func (q *Query[T]) item(r *reader, h *hydration, i, want int) (model.Item, error) {
	if q.hydrate == nil {
		return h.entries[i], nil
	}
	if i >= len(h.items) {
		if err := q.fetch(r, h, want); err != nil {
			return nil, err
		}
	}
	return h.items[i], nil
}

// fetch gets the items of the next entries: as many as are wanted, at most a
// batch, and not those of other entities.
func (q *Query[T]) fetch(r *reader, h *hydration, want int) error {
	var (
		addresses []address
		index     []int
	)
	if want <= 0 || want > batchSize {
		want = batchSize
	}
	for len(h.items) < len(h.entries) && len(addresses) < want {
		entry := h.entries[len(h.items)]
		switch q.hydrate.Classify(entry) {
		case model.Own:
			index = append(index, len(h.items))
			addresses = append(addresses, at(r.ctx, q.spec.table, entry))
			h.items = append(h.items, nil)
		case model.Unknown:
			h.items = append(h.items, entry) // reported as it is
		case model.Expired:
			r.stats.Expired++
			h.items = append(h.items, nil)
		default:
			r.stats.Skipped++
			h.items = append(h.items, nil)
		}
	}
	items, err := fetch(r.ctx, r.db, addresses, options{report: r.stats})
	if err != nil {
		return err
	}
	for i, item := range items {
		entry := h.entries[index[i]]
		if item == nil || !q.spec.schema.same(item, entry) {
			r.stats.Skipped++
			continue
		}
		h.items[index[i]] = item
	}
	return nil
}
