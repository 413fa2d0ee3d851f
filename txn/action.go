package txn

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// Action is one write of a commit, or one check. It is made by [Create],
// [Put], [Overwrite], [Update], [Delete], [DeleteKey], [Check], [CheckAbsent]
// and [Move], and does nothing until it is committed: a value that it was given
// is read, and its stamps are written, by the commit. It may be committed again,
// but not by two goroutines at once.
// The zero Action is refused with [ErrInvalid].
type Action struct {
	maker maker
	conds []expression.ConditionBuilder
}

// maker turns an action into what is sent.
type maker interface {
	describe() EventAction
	// make returns the writes (two for a move to another key), and what is to
	// be done when they have been applied, or nil. plain says that the action
	// is sent alone and without a token.
	make(ctx context.Context, conds []expression.ConditionBuilder, plain bool) ([]*write, func(), error)
}

// If returns the action with one more condition that the item at its key must
// meet, as it is before the write; for a [Move], the item at the old key. All
// conditions must hold. The action fails with [ErrCondition] where one does
// not, and with what the action itself demands where that fails too.
//
// An attribute name that holds a dot needs [expression.NameNoDotSplit].
func (a Action) If(cond expression.ConditionBuilder) Action {
	a.conds = append(slices.Clip(a.conds), cond)
	return a
}

// Create writes an item that must not exist: it fails with [ErrExists] where
// there is one that has not expired. Its version becomes 1 or, if the value has
// one, the next; created and updated become now.
//
// When an answer is lost and the request is sent again, Create recognises its
// own item by the write id; on an entity without one, by equality, so that of
// two creators of equal items both may be told that they succeeded. Use
// [Options.Idempotent] where that matters.
func Create[T any](e *model.Entity[T], v *T) Action {
	return Action{maker: putMaker[T]{e: e, v: v, op: "create"}}
}

// Put writes an item whole: attributes that its type does not know are lost.
//
// On an entity with a version it replaces the very item that v was read from:
// it fails with [ErrNotFound] where that is gone or has expired, and with
// [ErrChanged] where its version is another. A v whose version is zero must not
// exist yet ([ErrExists]). On other entities Put is unconditional.
//
// Created is set where it is zero, updated always. What [Create] says of a lost
// answer holds of a Put on an entity with a version: without a write id, of two
// who put equal values both may be told that they succeeded.
func Put[T any](e *model.Entity[T], v *T) Action {
	return Action{maker: putMaker[T]{e: e, v: v, op: "put"}}
}

// Overwrite writes an item whole, whatever is at its key. Its version becomes
// the one after that of v, which may be lower than that of what it replaces.
func Overwrite[T any](e *model.Entity[T], v *T) Action {
	return Action{maker: putMaker[T]{e: e, v: v, op: "overwrite"}}
}

// Delete deletes the item at the key of v. It fails with [ErrNotFound] where
// there is none or only an expired one, and on an entity with a version with
// [ErrChanged] where the version is not that of v. Version zero stands for an
// item that was stored without one.
//
// When an answer is lost and the request is sent again, finding nothing counts
// as success ([Result.Recovered]): another may have deleted the item meanwhile.
// Use [Options.Idempotent] where that matters.
func Delete[T any](e *model.Entity[T], v *T) Action {
	return Action{maker: deleteMaker[T]{e: e, v: v}}
}

// DeleteKey deletes the item at a key, whatever its version. It fails with
// [ErrNotFound] where there is none or only an expired one. What [Delete] says
// of a lost answer holds.
func DeleteKey[T any](key model.Key[T]) Action {
	return Action{maker: deleteMaker[T]{key: key, byKey: true}}
}

// Check writes nothing, and fails with [ErrNotFound] where no item of the
// entity is at the key, or only an expired one, and with [ErrCondition] where
// there is one that does not meet the conditions. Alone it is sent as a
// transaction.
func Check[T any](key model.Key[T], conds ...expression.ConditionBuilder) Action {
	return Action{maker: checkMaker[T]{key: key, want: present}, conds: slices.Clone(conds)}
}

// CheckAbsent writes nothing, and fails with [ErrExists] where an item is at
// the key that has not expired.
func CheckAbsent[T any](key model.Key[T]) Action {
	return Action{maker: checkMaker[T]{key: key, want: absent}}
}

type putMaker[T any] struct {
	e  *model.Entity[T]
	v  *T
	op string
}

func (m putMaker[T]) describe() EventAction { return describeEntity(m.op, m.e) }

func (m putMaker[T]) make(ctx context.Context, conds []expression.ConditionBuilder, _ bool) ([]*write, func(), error) {
	if err := usable(m.e, m.v); err != nil {
		return nil, nil, err
	}
	old := m.e.Stamps(m.v)
	next, err := following(m.e, old)
	if err != nil {
		return nil, nil, err
	}
	if m.op == "create" || next.Created.IsZero() {
		next.Created = next.Updated
	}
	item, err := marshal(m.e, m.v, next)
	if err != nil {
		return nil, nil, err
	}
	x := expect(m.e, keyAttributes(m.e, item), next.Updated)
	x.conds = conds
	switch {
	case m.op == "overwrite":
	case m.op == "create", old.Version == 0 && m.e.Roles().Version != "":
		x.presence = absent
	case m.e.Roles().Version != "":
		x.presence = present
		x.versAttr, x.version = m.e.Roles().Version, old.Version
	}
	w, err := putWrite(ctx, m.e, item, next.Write, x)
	if err != nil {
		return nil, nil, err
	}
	return []*write{w}, func() { m.e.SetStamps(m.v, next) }, nil
}

type deleteMaker[T any] struct {
	e     *model.Entity[T]
	v     *T
	key   model.Key[T]
	byKey bool
}

func (m deleteMaker[T]) describe() EventAction {
	if m.byKey {
		return describeEntity("delete", m.key.Entity())
	}
	return describeEntity("delete", m.e)
}

func (m deleteMaker[T]) make(ctx context.Context, conds []expression.ConditionBuilder, _ bool) ([]*write, func(), error) {
	key := m.key
	if !m.byKey {
		if err := usable(m.e, m.v); err != nil {
			return nil, nil, err
		}
		var err error
		if key, err = m.e.KeyOf(m.v); err != nil {
			return nil, nil, err
		}
	}
	e, err := entityOf(key)
	if err != nil {
		return nil, nil, err
	}
	x := expect(e, key.Item(), e.Table().Now())
	x.presence, x.conds = present, conds
	if !m.byKey {
		if x.versAttr = e.Roles().Version; x.versAttr != "" {
			x.version = e.Stamps(m.v).Version
		}
	}
	w, err := deleteWrite(ctx, e, x)
	if err != nil {
		return nil, nil, err
	}
	return []*write{w}, nil, nil
}

type checkMaker[T any] struct {
	key  model.Key[T]
	want presence
}

func (m checkMaker[T]) describe() EventAction { return describeEntity("check", m.key.Entity()) }

func (m checkMaker[T]) make(ctx context.Context, conds []expression.ConditionBuilder, _ bool) ([]*write, func(), error) {
	e, err := entityOf(m.key)
	if err != nil {
		return nil, nil, err
	}
	x := expect(e, m.key.Item(), e.Table().Now())
	x.presence, x.conds = m.want, conds
	w, err := newWrite(ctx, e, checkKind, x)
	if err != nil {
		return nil, nil, err
	}
	return []*write{w}, nil, nil
}

// usable refuses what no action can be made of.
func usable[T any](e *model.Entity[T], values ...*T) error {
	if e == nil {
		return invalidf("nil entity")
	}
	if slices.Contains(values, nil) {
		return invalidf("nil value")
	}
	return nil
}

// entityOf returns the entity of a key that can be sent.
func entityOf[T any](key model.Key[T]) (*model.Entity[T], error) {
	if err := key.Err(); err != nil {
		return nil, err
	}
	e := key.Entity()
	if e == nil {
		return nil, invalidf("zero key")
	}
	return e, nil
}

// describeEntity says what an action on an entity is; e may be nil.
func describeEntity[T any](op string, e *model.Entity[T]) EventAction {
	d := EventAction{Op: op, Entity: e.Name()}
	if e == nil {
		return d
	}
	d.Table = e.Table().Name()
	d.Pattern = e.PartitionTemplate().String()
	if sort := e.SortTemplate(); sort != nil {
		d.Pattern += " " + sort.String()
	}
	return d
}

// following returns the stamps of the write after old. They are made once per
// commit, so that every attempt sends the same request. A version that the field
// cannot hold is refused: it would begin anew, and stand for an item that it is
// not of.
func following[T any](e *model.Entity[T], old model.Stamps) (model.Stamps, error) {
	next := model.Stamps{Version: old.Version + 1, Created: old.Created, Updated: e.Table().Now()}
	if e.Roles().Write != "" {
		next.Write = rand.Text()
	}
	if attr := e.Roles().Version; attr != "" {
		var v T
		e.SetStamps(&v, next)
		if next.Version == 0 || next.Version < old.Version || e.Stamps(&v).Version != next.Version {
			return next, &AttributeError{attr, invalidf("there is no version after %d", old.Version)}
		}
	}
	return next, nil
}

// marshal returns the item of v as if it had the stamps. It leaves v as it is:
// no role is behind a pointer.
func marshal[T any](e *model.Entity[T], v *T, stamps model.Stamps) (model.Item, error) {
	c := *v
	e.SetStamps(&c, stamps)
	return e.Marshal(&c)
}

// expect returns what every expectation about an item of e begins with.
func expect[T any](e *model.Entity[T], key model.Item, now time.Time) *expectation {
	return &expectation{
		pk:      e.Table().PartitionKey(),
		tagAttr: e.Table().TypeAttribute(),
		tag:     e.Name(),
		ttlAttr: e.Roles().TTL,
		now:     now,
		key:     key,
	}
}

// keyAttributes picks the primary key out of an item.
func keyAttributes[T any](e *model.Entity[T], item model.Item) model.Item {
	t := e.Table()
	key := model.Item{t.PartitionKey(): item[t.PartitionKey()]}
	if sk := t.SortKey(); sk != "" {
		key[sk] = item[sk]
	}
	return key
}

// kind is a kind of service action.
type kind uint8

const (
	putKind kind = iota
	updateKind
	deleteKind
	checkKind
)

// write is one service action, ready to be sent.
type write struct {
	index      int // of the caller's action
	op, entity string
	done       func() // in a batch: what is to be done once it is written; may be nil
	lost       bool   // in a batch: a request with it may have been carried out, although it failed

	kind      kind
	table     string
	key       model.Item
	item      model.Item // of a put
	update    string
	cond      string
	aliases   aliases
	expect    *expectation
	size      int // bytes that count towards MaxSize
	writeAttr string
	writeID   string

	// applied tells from the item found whether this write has made it what it
	// is; nil where that cannot be told. It is asked only when the answer of an
	// earlier attempt was lost.
	applied func(found model.Item) bool
}

func newWrite[T any](ctx context.Context, e *model.Entity[T], k kind, x *expectation) (*write, error) {
	w := &write{
		kind:   k,
		table:  e.Table().PhysicalName(ctx),
		key:    x.key,
		expect: x,
		size:   model.ItemSize(x.key),
	}
	var err error
	w.cond, err = x.condition(&w.aliases)
	return w, err
}

func putWrite[T any](ctx context.Context, e *model.Entity[T], item model.Item, writeID string, x *expectation) (*write, error) {
	w, err := newWrite(ctx, e, putKind, x)
	if err != nil {
		return nil, err
	}
	w.item = item
	w.size = model.ItemSize(item)
	w.identify(e.Roles().Write, writeID)
	w.applied = func(found model.Item) bool { return model.EqualItems(item, found) }
	return w, nil
}

func deleteWrite[T any](ctx context.Context, e *model.Entity[T], x *expectation) (*write, error) {
	w, err := newWrite(ctx, e, deleteKind, x)
	if err != nil {
		return nil, err
	}
	w.applied = func(found model.Item) bool { return len(found) == 0 }
	return w, nil
}

func (w *write) identify(attr, id string) {
	if attr != "" && id != "" {
		w.writeAttr, w.writeID = attr, id
	}
}

// recognises reports whether the item that stood in the way of a plain write
// is its own: it is when it carries its write id, and, once an answer was lost,
// when it is what the write makes of it.
func (w *write) recognises(found model.Item, lost bool) bool {
	if w.writeID != "" && isText(found[w.writeAttr], w.writeID) {
		return true
	}
	return lost && w.applied != nil && w.applied(found)
}

// id identifies the item that the write is on: its table and key.
func (w *write) id() string {
	var b strings.Builder
	b.WriteString(w.table)
	for _, name := range sortedNames(w.key) {
		b.WriteByte(0)
		b.WriteString(name)
		b.WriteByte(0)
		b.WriteString(valueText(w.key[name]))
	}
	return b.String()
}

func sortedNames(item map[string]types.AttributeValue) []string {
	names := make([]string, 0, len(item))
	for name := range item {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
