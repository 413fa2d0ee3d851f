package dynamotest_test

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/singletable-go/singletable/dynamotest/internal/cases"
)

// A tolerance is a difference in which the service is known to answer as the
// engine does.
type tolerance struct {
	reason  string
	applies func(w world, r request, engine, other cases.Answer) bool
}

// tolerances are those of Dynoxide 1.2.1, the only endpoint that the engine is
// compared with at every change. The reasons are told in the cases of
// internal/cases as well.
var tolerances = []tolerance{
	{
		"a projection may not name what a global index does not project",
		func(_ world, r request, engine, other cases.Answer) bool {
			return engine.Code == "ValidationException" && other.Code == "" && strings.Contains(engine.Message, "does not project")
		},
	},
	{
		"numbers that are equal are one key, however they are spelt",
		func(w world, r request, engine, other cases.Answer) bool {
			return (w.hash == "N" || w.sort == "N") && engine.Code == "ValidationException" && other.Code != engine.Code &&
				(strings.Contains(engine.Message, "contains duplicates") || strings.Contains(engine.Message, "multiple operations on one item"))
		},
	},
	{
		"a local index reads from the table what its projection lacks",
		func(w world, r request, engine, other cases.Answer) bool {
			x, ok := indexOf(w, r)
			return ok && x.local && x.projection["ProjectionType"] != "ALL" && engine.Code == other.Code &&
				(r.body["Select"] == "ALL_ATTRIBUTES" || r.body["ProjectionExpression"] != nil || r.body["FilterExpression"] != nil)
		},
	},
	{
		"a scan of a local index is accounted to the index",
		func(w world, r request, engine, other cases.Answer) bool {
			x, ok := indexOf(w, r)
			return ok && x.local && r.op == "Scan" && without(w, "ConsumedCapacity", r, engine, other)
		},
	},
	{
		"where an item is refused for its form, no condition of the transaction is looked at",
		func(_ world, r request, engine, other cases.Answer) bool {
			return r.op == "TransactWriteItems" && engine.Code == other.Code && strings.Contains(engine.Message, "ValidationError") && strings.Contains(other.Message, "ValidationError")
		},
	},
	{
		"a query that starts behind the only item of a partition without sort key finds nothing",
		func(w world, r request, engine, other cases.Answer) bool {
			return r.op == "Query" && w.sort == "" && r.body["IndexName"] == nil && r.body["ExclusiveStartKey"] != nil && engine.Body["Count"] == json.Number("0")
		},
	},
	{
		"begins_with tells upper from lower case",
		func(w world, r request, engine, other cases.Answer) bool {
			cond, _ := r.body["KeyConditionExpression"].(string)
			values, _ := r.body["ExpressionAttributeValues"].(doc)
			return strings.Contains(cond, "begins_with") && engine.Code == other.Code && strings.ContainsAny(strings.ToLower(text(values)), "ab")
		},
	},
	{
		"an expression that is refused, for paths that overlap say, refuses the request, not its action",
		func(_ world, r request, engine, other cases.Answer) bool {
			return r.op == "TransactWriteItems" && strings.HasPrefix(engine.Message, "Invalid UpdateExpression: ") && (other.Code == "TransactionCanceledException" || other.Code == "")
		},
	},
	{
		"the default of if_not_exists must have the type of an index key, whether the item needs it or not",
		func(_ world, r request, engine, other cases.Answer) bool {
			return strings.Contains(r.text(), "= if_not_exists(") &&
				(strings.Contains(engine.Message, "Type mismatch for Index Key") || r.op == "TransactWriteItems" && strings.Contains(engine.Message, "ValidationError"))
		},
	},
	{
		"an update that only takes away makes no item of nothing",
		func(_ world, r request, engine, other cases.Answer) bool {
			return takesAway(r) && engine.Code == other.Code && engine.Body["Attributes"] == nil
		},
	},
	{
		"an update whose type no index key can have is refused before the item and its condition are looked at",
		func(_ world, r request, engine, other cases.Answer) bool {
			reasons, err := json.Marshal(engine.Body["CancellationReasons"])
			return err == nil && strings.Contains(r.text(), "UpdateExpression") &&
				strings.Contains(engine.Message+string(reasons), "Type mismatch for Index Key") && other.Code != ""
		},
	},
	{
		"below an absent attribute nothing can be removed",
		func(_ world, r request, engine, other cases.Answer) bool {
			return strings.Contains(r.text(), "REMOVE") && (strings.Contains(engine.Message, "document path provided in the update") || strings.Contains(engine.Message, "ValidationError"))
		},
	},
	{
		"UPDATED_OLD and UPDATED_NEW of an element of a list return the element alone",
		func(w world, r request, engine, other cases.Answer) bool {
			returns, _ := r.body["ReturnValues"].(string)
			return r.op == "UpdateItem" && strings.HasPrefix(returns, "UPDATED_") && strings.Contains(r.text(), "l[") && without(w, "Attributes", r, engine, other)
		},
	},
	{
		"of two faults of a transaction, an item twice and an item refused for its form, either may be told",
		func(_ world, r request, engine, other cases.Answer) bool {
			return r.op == "TransactWriteItems" && strings.Contains(engine.Message, "ValidationError") && strings.Contains(other.Message, "multiple operations on one item")
		},
	},
	{
		"ALL_OLD of an update that creates returns nothing",
		func(w world, r request, engine, other cases.Answer) bool {
			return r.op == "UpdateItem" && r.body["ReturnValues"] == "ALL_OLD" && engine.Body["Attributes"] == nil && without(w, "Attributes", r, engine, other)
		},
	},
	{
		"a projection does not lower the capacity of a read",
		func(w world, r request, engine, other cases.Answer) bool {
			return strings.Contains(r.text(), "ProjectionExpression") && without(w, "ConsumedCapacity", r, engine, other)
		},
	},
}

// tolerate gives the reason why two answers may differ, and "" if they may not.
func tolerate(w world, r request, engine, other cases.Answer) string {
	for _, k := range tolerances {
		if k.applies(w, r, engine, other) {
			return k.reason
		}
	}
	return ""
}

// takesAway reports whether a request has an update with no section but REMOVE and
// DELETE.
func takesAway(r request) bool {
	only := func(body doc) bool {
		update, ok := body["UpdateExpression"].(string)
		return ok && !strings.Contains(update, "SET ") && !strings.Contains(update, "ADD ")
	}
	actions, _ := r.body["TransactItems"].([]any)
	for _, a := range actions {
		if update, ok := a.(doc)["Update"].(doc); ok && only(update) {
			return true
		}
	}
	return only(r.body)
}

// without reports whether two answers differ in one member, and in nothing else.
func without(w world, member string, r request, engine, other cases.Answer) bool {
	e, o := comparable(w, r, engine), comparable(w, r, other)
	if reflect.DeepEqual(e[member], o[member]) {
		return false
	}
	delete(e, member)
	delete(o, member)
	return reflect.DeepEqual(e, o)
}

// indexOf gives the index that a read names.
func indexOf(w world, r request) (index, bool) {
	name, _ := r.body["IndexName"].(string)
	for _, x := range w.indexes {
		if x.name == name {
			return x, true
		}
	}
	return index{}, false
}
