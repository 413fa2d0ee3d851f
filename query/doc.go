// Package query reads: items by their keys ([Get], [GetMany], [GetAll]); the items
// of one partition of a table ([Of]) or of an index ([On]), of one type or of
// several ([Collection]), in the order of their sort keys, whole or in pages; and
// whole tables, for jobs ([Scan]).
//
//	o, err := query.Get(ctx, db, Orders.Key(Region.Key("eu-west"), Order.Key(Open, day, "w-2314")))
//
//	q := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).Between(from, to))
//	for o, err := range q.All(ctx, db) { … }
//	page, err := q.Limit(10).Page(ctx, db, cursor)
//
// A [Query] is an immutable value. What is wrong with it travels in it and comes
// back from every use; nothing is sent then.
//
// # What is yielded
//
// A query yields the items of its entity. Items of other entities in the same
// range are skipped and counted. An item past its time to live is absent, also
// while DynamoDB has not deleted it. An item that no entity declares, or that
// cannot be decoded, is an [*ItemError], and the read can go on behind it.
//
// A half-filled value is never yielded as a whole one: what reads fewer attributes,
// out of choice or because an index holds no more, yields a type of its own
// ([Into]) or fetches the rest ([Hydrate]).
//
// # What DynamoDB does not promise
//
// A query is not a snapshot. It is read-committed: while an item is moved from
// one key to another, one listing may show it under both keys or under neither,
// with strongly consistent reads too. [GetAll] of the two keys never does. A global
// index follows its table a moment later, and among equal index keys there is no
// order.
//
// # What a read did
//
// [Stats] tells what a read did and cost: of one query by [Query.Report], of a page
// in the page, and of every read to a [Hook] that the context ([WithHook]) or the
// client ([Observe]) has. With log/slog:
//
//	ctx = query.WithHook(ctx, func(ctx context.Context, e query.Event) {
//		slog.InfoContext(ctx, "read", "op", e.Op, "entity", e.Entity, "pattern", e.Pattern,
//			"returned", e.Stats.Returned, "units", e.Stats.Capacity, "err", e.Err)
//	})
//
// # Errors
//
// Every failure is an [*Error], which names the read, or an [*ItemError], which
// names the item. Both wrap a sentinel of this package, of keys or of model, or
// the error of the client.
package query
