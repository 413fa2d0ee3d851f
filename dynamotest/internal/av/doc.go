// Package av holds attribute values as DynamoDB knows them: the ten types, exact
// numbers of 38 digits, sizes, order and equality, and the JSON form of the wire.
//
// Values are immutable, so items can be shared by a table, its indexes and any
// number of readers without copies.
package av
