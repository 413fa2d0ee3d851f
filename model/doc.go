// Package model says what the items of a DynamoDB table are: which entities
// share the table, from which values the keys of each are made, and how a Go
// value becomes an item and an item a Go value. It does no I/O.
//
//	type WorkOrder struct {
//		RegionID    string    `dynamodbav:"-" key:"regionId"` // lives in the key alone
//		Status      Status    `dynamodbav:"-" key:"status"`
//		ScheduledOn keys.Date `dynamodbav:"-" key:"scheduledOn"`
//		OrderID     string    `dynamodbav:"-" key:"orderId"`
//		Customer    string    `dynamodbav:"customer"`
//		Engineer    string    `dynamodbav:"engineer,omitempty"`
//		ScheduledAt time.Time `dynamodbav:"scheduledAt,unixtime"`
//		Version     int64     `dynamodbav:"version" model:"version"`
//	}
//
//	var (
//		Table  = model.NewTable("field-service", model.PrimaryKey("pk", "sk"))
//		Orders = model.MustDefine[WorkOrder](Table, "WorkOrder", Region, Order)
//	)
//
// Everything that can be wrong with a declaration is found when it is made, at
// the start of the program. From then on every key of an item is derived from
// the item's value by this package and by nothing else.
//
// # Where the parts of a key come from
//
// A placeholder of a template is bound to the field that says key:"name", or
// else to the field that is stored under that attribute name. A field tagged
// dynamodbav:"-" lives in the key alone: it is written there and read back from
// there. A field that is stored as well is compared with the key when it is
// read. Fields of embedded structs count as the struct's own, by Go's rules; a
// field that a key needs may not sit behind an embedded pointer. A named type
// fits the codec of its kind. A nil pointer, an empty string and a zero time
// are missing parts, and a key with a missing part is an error. [Computed] binds
// a placeholder to a function instead.
//
// # Attributes
//
// Attributes go through the SDK's package attributevalue with text and binary
// marshalers honoured, under the same dynamodbav tags, except that, at every
// depth:
//
//   - a time tagged unixtime is a number, although time.Time has a text form;
//   - a value whose IsZero method says so is absent under omitempty, the zero
//     time above all;
//   - an empty set is absent, it would be NULL;
//   - names are compared exactly, an attribute Status never lands in a field
//     stored as status;
//   - sets of types with a text form can be read back;
//   - two fields that claim one name are an error, they would both be left out;
//   - invalid UTF-8, NaN and infinities are errors, the SDK would send something
//     else, or what DynamoDB refuses.
//
// # Roles
//
// A tag model:"…" gives a field a role: version (an integer, counts the writes
// of an item), created and updated (times), ttl (a time or whole seconds;
// an item is absent from that time on), write (a string, fresh for each write,
// by which a write recognises itself) and rest (a map that keeps the attributes
// that the type does not know). Package txn fills version, created, updated and
// write.
//
// # Telling entities apart
//
// Every item carries its entity's name in an attribute, _type unless
// [TypeAttribute] says otherwise. In a table without that attribute, entities
// are told apart by their key templates, and two whose keys could be confused
// cannot be defined.
package model
