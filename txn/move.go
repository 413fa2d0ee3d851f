package txn

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"

	"github.com/singletable-go/singletable/model"
)

// Move writes after in the place of before, where the two have different keys:
// one transaction puts after at its key and deletes the item at the key of
// before. Where the keys are equal it is one conditional put. Either the whole
// move happens or nothing does, and there is no moment at which a consistent
// read of both keys finds two items or none.
//
// Of the item at the old key Move demands that it is the one that before was
// read from: on an entity with a version, that it has the version of before (zero:
// that it was stored without one); otherwise that every attribute is equal and
// that none which the type can store has come to be. It fails with
//   - [ErrNotFound] where no item is at the old key, or only an expired one;
//   - [ErrChanged] where there is one that was changed;
//   - [ErrWrongEntity] where it is of another entity;
//   - [ErrExists] where an item is at the new key that has not expired;
//   - [ErrNeedsVersion], before anything is sent, where an entity without a
//     version has too many attributes to compare.
//
// Conditions given with [Action.If] are about the item at the old key.
//
// Created is carried over from before, the version of after becomes the one
// that follows that of before, and updated becomes now. On success, and only
// then, after has them; before is left as it is.
//
// Move writes what after marshals to. On a type without a `model:"rest"` field,
// attributes that the type does not know are left behind; [Modify] carries them.
//
// A move counts as two actions of the 100, and costs twice the writes of both.
func Move[T any](e *model.Entity[T], before, after *T) Action {
	return Action{maker: moveMaker[T]{e, before, after}}
}

type moveMaker[T any] struct {
	e             *model.Entity[T]
	before, after *T
}

func (m moveMaker[T]) describe() EventAction { return describeEntity("move", m.e) }

func (m moveMaker[T]) make(ctx context.Context, conds []expression.ConditionBuilder, _ bool) ([]*write, func(), error) {
	if err := usable(m.e, m.before, m.after); err != nil {
		return nil, nil, err
	}
	from, err := m.e.KeyOf(m.before)
	if err != nil {
		return nil, nil, err
	}
	next, err := following(m.e, m.e.Stamps(m.before))
	if err != nil {
		return nil, nil, err
	}
	item, err := marshal(m.e, m.after, next)
	if err != nil {
		return nil, nil, err
	}
	source := expect(m.e, from.Item(), next.Updated)
	source.conds = conds
	if err := source.unchangedSince(m.e.Roles().Version, m.e.Stamps(m.before).Version, func() (model.Item, []string, error) {
		stored, err := m.e.Marshal(m.before)
		return stored, m.e.Attributes(), err
	}); err != nil {
		return nil, nil, err
	}
	writes, err := moveWrites(ctx, m.e, source, item, next.Write)
	if err != nil {
		return nil, nil, err
	}
	return writes, func() { m.e.SetStamps(m.after, next) }, nil
}

// moveWrites puts item in the place of the one that source expects.
func moveWrites[T any](ctx context.Context, e *model.Entity[T], source *expectation, item model.Item, writeID string) ([]*write, error) {
	to := keyAttributes(e, item)
	if model.EqualItems(to, source.key) {
		w, err := putWrite(ctx, e, item, writeID, source)
		if err != nil {
			return nil, err
		}
		return []*write{w}, nil
	}
	target := expect(e, to, source.now)
	target.presence = absent
	put, err := putWrite(ctx, e, item, writeID, target)
	if err != nil {
		return nil, err
	}
	del, err := deleteWrite(ctx, e, source)
	if err != nil {
		return nil, err
	}
	return []*write{put, del}, nil
}

// unchangedSince demands that the item is there and is still the one with the
// version or, where there is none, the one that stored returns, of which no
// other of the known attributes has come to be.
func (x *expectation) unchangedSince(versionAttr string, version int64, stored func() (item model.Item, known []string, err error)) error {
	x.presence = present
	if x.versAttr = versionAttr; x.versAttr != "" {
		x.version = version
		if version != 0 {
			return nil
		}
	}
	item, known, err := stored()
	if err != nil {
		return err
	}
	x.unchanged, x.whole = item, true
	for _, name := range known {
		if _, ok := item[name]; !ok && name != x.versAttr {
			x.without = append(x.without, name)
		}
	}
	slices.Sort(x.without)
	return nil
}
