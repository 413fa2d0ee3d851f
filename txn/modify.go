package txn

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// Modify reads the item at a key, lets fn change it, and writes what fn
// changed, provided that nothing changed in between. It returns the item as it
// then is, with its new version and times.
//
// The item is read consistently and whole, from the base table. Where fn leaves
// the key as it is, an update sets and removes what differs: maps by path, and
// lists by index unless they became shorter. Where fn changes the key, the item
// is moved as by [Move]. Either way what the type does not know stays as it is
// stored, at any depth, and numbers that fn leaves alone keep their exact
// digits. The elements of a list take along what is stored of them where others
// are taken out or put in. Where fn changes nothing, nothing is written. Version,
// times and write id are the library's: what fn does to them has no effect.
//
// Unchanged means the version, where there is one. Otherwise every attribute
// that was read must be equal, and none that the type can store and that was
// absent may have come to be; an attribute that the type does not know and that
// another writer adds meanwhile is not seen: an update leaves it alone, a move
// leaves it behind. Where an item without a version has too many attributes for
// one condition Modify fails with [ErrNeedsVersion].
//
// When another writer was faster, Modify starts again from the read, after a
// jittered wait, up to [Options.Races] times; then it fails with [ErrChanged].
// So fn may run several times, each time on a fresh value, and must have no
// effect but on that value.
//
// Companions are further actions for the same commit, made from the item before
// and after (whose version and times are the ones that will be written), and
// made anew each time fn has run. They must not change what they are given. In
// an [*Error] the modification is action 0 and the companions follow. Where fn
// changes nothing but there are companions, they are committed together with a
// check that the item is unchanged. A companion that fails is not retried.
//
// Modify fails with [ErrNotFound] where there is no item or only an expired one,
// [ErrWrongEntity] where it is of another entity, [ErrExists] where fn changes
// the key to one where there is an item, and with the error of fn as it is.
// Where the answer to an update was lost, Modify recognises its own write by the
// write id. It cannot on an entity without one, nor where the item has been
// written again since: then it does not run fn again, lest something be counted
// twice, and fails with [ErrInDoubt]. A move, companions and
// [Options.Idempotent] make it a transaction, to which that cannot happen.
func Modify[T any](ctx context.Context, db Client, key model.Key[T], fn func(*T) error, companions ...func(before, after *T) []Action) (T, error) {
	v, _, err := ModifyWith(ctx, db, Options{}, key, fn, companions...)
	return v, err
}

// ModifyWith is [Modify] with options and with a result, which is that of the
// last round, with the reads of all.
func ModifyWith[T any](ctx context.Context, db Client, o Options, key model.Key[T], fn func(*T) error, companions ...func(before, after *T) []Action) (v T, res Result, err error) {
	var zero T
	m := &modification[T]{key: key, fn: fn, companions: companions}
	if m.e, err = entityOf(key); err == nil {
		switch {
		case noClient(db):
			err = invalidf("nil client")
		case fn == nil:
			err = invalidf("nil function")
		}
	}
	if err != nil {
		return zero, Result{}, &Error{Actions: []ActionError{{Op: "modify", Entity: key.Entity().Name(), Err: err}}}
	}
	if tell := observe(ctx, db, "Modify"); tell != nil {
		err = errPanicked // until there is a result
		defer func() { tell(res, err, append([]EventAction{describeEntity("modify", m.e)}, m.together...)) }()
	}
	return m.rounds(ctx, db, o)
}

type modification[T any] struct {
	e          *model.Entity[T]
	key        model.Key[T]
	fn         func(*T) error
	companions []func(before, after *T) []Action
	together   []EventAction // what the companions of the last round were
}

// rounds starts again as long as another writer was faster.
func (m *modification[T]) rounds(ctx context.Context, db Client, o Options) (v T, res Result, err error) {
	var zero T
	var reads []types.ConsumedCapacity
	for round := 1; ; round++ {
		v, res, err = m.round(ctx, db, o)
		reads = append(reads, res.Reads...)
		res.Reads, res.Races = reads, round-1
		if err == nil {
			return v, res, nil
		}
		if !m.lostRace(err) || round > o.races() {
			return zero, res, err
		}
		if waited := wait(ctx, o.backoff(round)); waited != nil {
			return zero, res, fmt.Errorf("%w, after %w", waited, err)
		}
	}
}

// lostRace reports whether the commit failed because the item had been changed,
// and was certainly not applied.
func (m *modification[T]) lostRace(err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.InDoubt {
		return false
	}
	for i := range e.Actions {
		a := &e.Actions[i]
		if a.Index == 0 && a.Code == CodeConditionFailed && !errors.Is(a, ErrExists) {
			return true
		}
	}
	return false
}

// round reads, runs fn and commits once.
func (m *modification[T]) round(ctx context.Context, db Client, o Options) (T, Result, error) {
	var zero T
	stored, res, err := m.read(ctx, db, o)
	if err != nil {
		return zero, res, err
	}
	if err := m.mine(stored); err != nil {
		return zero, res, m.failure(ctx, stored, err)
	}
	before, err := m.e.Unmarshal(stored)
	if err != nil {
		return zero, res, m.failure(ctx, stored, err)
	}
	after, err := m.e.Unmarshal(model.CloneItem(stored))
	if err != nil {
		return zero, res, m.failure(ctx, stored, err)
	}
	if err := m.fn(&after); err != nil {
		return zero, res, err
	}
	action, next, changed, err := m.action(ctx, stored, &before, &after)
	if err != nil {
		return zero, res, m.failure(ctx, stored, err)
	}
	m.e.SetStamps(&after, next)
	actions := []Action{action}
	for _, companion := range m.companions {
		if companion != nil {
			actions = append(actions, companion(&before, &after)...)
		}
	}
	if !changed && len(actions) == 1 {
		return after, res, nil
	}
	m.together = describe(actions[1:])
	reads := res.Reads
	res, err = o.commit(ctx, db, actions)
	res.Reads = reads
	if err != nil {
		return zero, res, err
	}
	return after, res, nil
}

// read gets the item, nil where there is none.
func (m *modification[T]) read(ctx context.Context, db Client, o Options) (model.Item, Result, error) {
	table, consistent := m.e.Table().PhysicalName(ctx), true
	var tries attempts
	for n := 1; ; n++ {
		var out *dynamodb.GetItemOutput
		err := ctx.Err()
		if err == nil {
			err = tries.call(func(option func(*dynamodb.Options)) (err error) {
				out, err = db.GetItem(ctx, &dynamodb.GetItemInput{
					TableName:              &table,
					Key:                    m.key.Item(),
					ConsistentRead:         &consistent,
					ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
				}, option)
				return err
			})
		}
		if err == nil {
			var res Result
			if out == nil {
				return nil, res, nil
			}
			if out.ConsumedCapacity != nil {
				res.Reads = []types.ConsumedCapacity{*out.ConsumedCapacity}
			}
			return out.Item, res, nil
		}
		// Nothing is in doubt about a read.
		failed := &Error{Attempts: tries.sent, Err: fmt.Errorf("read for modify: %w", named(err))}
		if !passes(err) || tries.spent() >= o.attempts() {
			return nil, Result{}, failed
		}
		if waited := wait(ctx, o.backoff(n)); waited != nil {
			failed.Err = fmt.Errorf("%w, after %w", waited, failed.Err)
			return nil, Result{}, failed
		}
	}
}

// mine refuses what is not an item of the entity.
func (m *modification[T]) mine(stored model.Item) error {
	if len(stored) == 0 {
		return ErrNotFound
	}
	switch m.e.Classify(stored) {
	case model.Own:
		return nil
	case model.Expired:
		return ErrNotFound
	default:
		return ErrWrongEntity
	}
}

func (m *modification[T]) failure(ctx context.Context, stored model.Item, err error) error {
	if len(stored) == 0 {
		stored = nil
	}
	return &Error{Actions: []ActionError{{
		Op: "modify", Entity: m.e.Name(), Table: m.e.Table().PhysicalName(ctx), Key: m.key.Item(), Item: stored, Err: err,
	}}}
}

// action returns what writes the change, or checks that there was none, and the
// stamps that after has then.
func (m *modification[T]) action(ctx context.Context, stored model.Item, before, after *T) (Action, model.Stamps, bool, error) {
	var none Action
	old := m.e.Stamps(before)
	was, err := m.e.Marshal(before)
	if err != nil {
		return none, old, false, err
	}
	is, err := marshal(m.e, after, old)
	if err != nil {
		return none, old, false, err
	}
	source := expect(m.e, m.key.Item(), m.e.Table().Now())
	if err := source.unchangedSince(m.e.Roles().Version, old.Version, func() (model.Item, []string, error) {
		return stored, m.e.Attributes(), nil
	}); err != nil {
		return none, old, false, err
	}
	ready := func(writes ...*write) Action {
		return Action{maker: preparedMaker{what: describeEntity("modify", m.e), writes: writes}}
	}
	if model.EqualItems(was, is) {
		check, err := newWrite(ctx, m.e, checkKind, source)
		return ready(check), old, false, err
	}

	next, err := following(m.e, old)
	if err != nil {
		return none, old, false, err
	}
	source.now = next.Updated
	if is, err = marshal(m.e, after, next); err != nil {
		return none, old, false, err
	}
	merged := merge(stored, was, is)
	m.reindex(merged, is)
	if size := model.ItemSize(merged); size > model.MaxItemSize {
		return none, old, false, &model.SizeError{Entity: m.e.Name(), Size: size, Limit: model.MaxItemSize}
	}
	if !model.EqualItems(keyAttributes(m.e, merged), source.key) {
		writes, err := moveWrites(ctx, m.e, source, merged, next.Write)
		return ready(writes...), next, true, err
	}
	w, err := newWrite(ctx, m.e, updateKind, source)
	if err != nil {
		return none, old, false, err
	}
	w.identify(m.e.Roles().Write, next.Write)
	// Equality would not do: another may have counted the same counter on.
	if err := w.rewrite(stored, merged); err != nil {
		return none, old, false, err
	}
	return ready(w), next, true, nil
}

// reindex gives an item the index keys that follow from it, also where those
// that are stored did not follow from what was.
func (m *modification[T]) reindex(item, derived model.Item) {
	for _, ix := range m.e.Indexes() {
		for _, name := range ix.Attributes {
			if v, ok := derived[name]; !ok {
				delete(item, name)
			} else if !sameValue(v, item[name]) {
				item[name] = v
			}
		}
	}
}

// rewrite makes the write an update of one item to the other: path by path or,
// where that takes too many words, attribute by attribute.
func (w *write) rewrite(from, to model.Item) error {
	changes := diff(from, to)
	trial := w.aliases.clone()
	text, err := updateExpression(&trial, changes)
	if err == nil && len(text) > maxExpression {
		changes = diffWhole(from, to)
		trial = w.aliases.clone()
		text, err = updateExpression(&trial, changes)
	}
	if err != nil {
		return err
	}
	if len(text) > maxExpression {
		return fmt.Errorf("%w: %d attributes changed at once make an update expression of %d bytes, the limit is %d",
			ErrTooLarge, len(changes), len(text), maxExpression)
	}
	w.aliases, w.update = trial, text
	for _, c := range changes {
		if c.value != nil {
			w.size += valueSize(c.value)
		}
	}
	return nil
}

// preparedMaker is the action of a modification, made with its own read.
type preparedMaker struct {
	what   EventAction
	writes []*write
}

func (m preparedMaker) describe() EventAction { return m.what }

func (m preparedMaker) make(context.Context, []expression.ConditionBuilder, bool) ([]*write, func(), error) {
	return m.writes, nil, nil
}
