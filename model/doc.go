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
// Attributes are what the SDK's package attributevalue makes of a value with text
// and binary marshalers honoured, under the same dynamodbav tags, and are read as
// it reads them, except that, at every depth:
//
//   - a time tagged unixtime is a number, although time.Time has a text form, and
//     is read in UTC;
//   - a value whose IsZero method says so is absent under omitempty, the zero
//     time above all;
//   - an empty set is absent, nil or not; in a list or map, where its place
//     counts, and under nullempty it is NULL;
//   - names are compared exactly: an attribute Status never lands in a field
//     stored as status;
//   - a set of a type with a text form can be read back, and so can a text under
//     the tag string;
//   - a key of a map is its text form or its plain value, never what a String
//     method makes of it, which could not be read back;
//   - a marshaler with a pointer receiver is found wherever the value is, also in
//     a map or an interface;
//   - a types.AttributeValue is stored as it is, a nil one is absent; a pointer to
//     an interface is what the interface holds;
//   - a list that is longer than its array is an error; a binary is read into
//     an array of its very length, and into slices of named byte types.
//
// And where attributevalue would leave something out, or the SDK would send
// something else than was meant, there is an error: for two fields with one name,
// an embedded struct that encodes itself, channels, functions, complex numbers,
// and structs without exported fields when an entity is defined; for invalid UTF-8,
// NaN, infinities, numbers that DynamoDB does not hold, two keys of a map with one
// text, and values that contain themselves when an item is made.
//
// In a field of type any numbers are read as float64 and sets as slices, as by
// attributevalue. Use a rest field, or types.AttributeValue, for what has to stay
// as it is.
//
// # Roles
//
// A tag model:"…" gives a field a role: version (an integer, counts the writes
// of an item), created and updated (times), ttl (a time or whole seconds;
// an item is absent from that second on, whether DynamoDB has deleted it yet or
// not), write (a string, fresh for each write, by which a write recognises itself)
// and rest (a map[string]types.AttributeValue that keeps the attributes that the
// type does not know). Times and write ids that are not set are absent. Package
// txn fills version, created, updated and write.
//
// # Indexes
//
// A secondary index is an option of its table, and an entity joins it with [On]
// and the templates of its key there:
//
//	var ByVehicle = model.GSI("byVehicle", model.IndexKey("gsi1pk", "gsi1sk"))
//	Table = model.NewTable("mileage", model.PrimaryKey("pk", "sk"), ByVehicle)
//	Trips = model.MustDefine[Trip](Table, "Trip", TripPK, TripSK, model.On(ByVehicle, Vehicle, Start))
//
// Every write derives every index key. An item of which a part of an index key is
// missing, or of which [Only] says no, is not in the index: its index attributes
// are absent. [Entity.Derive] tells an update of single attributes what follows
// from them.
//
// # Telling entities apart
//
// Every item carries its entity's name in an attribute, _type unless
// [TypeAttribute] says otherwise. In a table without that attribute, entities
// are told apart by their key templates, and two whose keys could be confused
// cannot be defined.
package model
