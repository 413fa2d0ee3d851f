// Package txn is every write: put, delete, update, move, and transactions of
// several of them.
//
// A write is an [Action], made from a value or a key of an entity, and applied by
// [Commit]. Several actions are applied together or not at all.
//
//	err := txn.Commit(ctx, db,
//		txn.Create(Orders, &o),
//		txn.Update(key, txn.Set("engineer", "Kim"), txn.Add("visits", 1)))
//
// An item whose key changes is moved, in one transaction ([Move]); an item of
// which one part is to change is modified ([Modify]), which reads it, calls a
// function on it, and writes what the function changed, unless somebody else was
// faster.
//
//	closed, err := txn.Modify(ctx, db, key, func(o *WorkOrder) error {
//		o.Status = Done
//		return nil
//	})
//
// # Versions and times
//
// On an entity with a version, [Put], [Delete] and [Move] apply to the very item
// that their value was read from, and every write makes the version one higher.
// Created and updated are set by the table's clock, and the write id is a new one
// each time. A value that was passed in gets them when, and only when, the write
// has succeeded. All attempts of a commit send the same.
//
// # Index keys
//
// Every write derives the keys of all indexes that the entity is in. An [Update],
// which knows only what it changes and the primary key, plans them one by one: it
// keeps an index key, writes it anew, or removes it, and refuses a change whose
// outcome it cannot know. What the caller knows it can be told with [Given].
//
// # Expired items
//
// An item past its time to live is absent to every write, also while DynamoDB
// has not deleted it yet: a Create at its key succeeds, and everything that
// demands an item fails with [ErrNotFound].
//
// # Failures
//
// A failed commit is an [*Error]: it says which actions failed and matches, with
// errors.Is, what went wrong: [ErrExists], [ErrNotFound], [ErrChanged],
// [ErrCondition], [ErrConflict] and others. Nothing has been applied then, with
// one exception: where the answer of an attempt was lost, it may have been, and
// the error is an [ErrInDoubt] too.
//
// A request is sent again after a lost answer, by the SDK and by this package. A
// transaction carries a token by which DynamoDB knows it again for ten minutes. A
// plain write has no such thing: it recognises its own item by the write id,
// and without one by being equal to what was sent.
//
// # Many items, and watching
//
// [Batch] writes any number of items without a transaction and without
// conditions. [WithHook] and [Observe] tell of every write, with what it cost.
//
// # What DynamoDB does not promise
//
// A Query that runs during a move is read-committed: one listing may show the
// item under both keys, or under neither. GetItem and TransactGetItems are
// serializable against it. Global secondary indexes follow a moment later.
//
// A transaction costs twice the write units of its actions on the table; what it
// changes in a global secondary index is not doubled.
package txn
