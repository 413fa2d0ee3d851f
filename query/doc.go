// Package query reads: one item by its key, and the items of one partition in
// the order of their sort keys, whole or in pages.
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
// # What DynamoDB does not promise
//
// A query is not a snapshot. It is read-committed: while an item is moved from
// one key to another, one listing may show it under both keys or under neither,
// with strongly consistent reads too.
//
// # Errors
//
// Every failure is an [*Error], which names the read, or an [*ItemError], which
// names the item. Both wrap a sentinel of this package, of keys or of model, or
// the error of the client.
package query
