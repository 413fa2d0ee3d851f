// Package engine is an in-process DynamoDB: tables, indexes, items and the
// operations on them, spoken to in the JSON of the service's wire protocol.
//
// An item is stored once, as an immutable row that its table and every index
// share. Rows and index entries lie in B-trees ordered by the hash of the
// partition key, the partition key and the sort key, so that a query costs the
// way to its first item and its page, whatever the table holds, and a scan walks
// the partitions in an order that has nothing to do with their names, as the
// service's does.
//
// A table has one lock. Reads share it, so they never wait for each other; a
// write holds it only while trees change. A transaction takes the locks of its
// tables in the order of their names and is serializable by that.
//
// A request is checked in the order in which the service checks it: the shape of
// the document, the constraints of its fields (all at once), how the fields fit
// together, the attribute values, the expressions, the table, its key schema,
// and the item last.
package engine
