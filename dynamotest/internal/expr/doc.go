// Package expr parses, checks and evaluates the expressions of DynamoDB: key
// conditions, conditions and filters, projections and updates.
//
// A Params holds the names and values of one request. Its methods parse the
// expressions of the request, each with all of the service's refusals that do
// not need an item; what they return is immutable and safe for concurrent use.
// Afterwards Params.Unused tells of names and values that nothing used.
//
// A mistake is an *Error with the service's message. Where an expression has
// several, the one that the service reports is returned: whatever keeps the text
// from being an expression comes first, and then one kind of mistake after
// another, not one place after another.
package expr
