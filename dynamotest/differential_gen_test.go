package dynamotest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// doc is a JSON object: a request or a part of one.
type doc = map[string]any

func av(kind string, v any) doc { return doc{kind: v} }

// world is a random table and what the requests about it are drawn from.
type world struct {
	table   string
	hash    string // types of the keys: S, N, B
	sort    string // "" without one
	indexes []index
}

type index struct {
	name       string
	local      bool
	hash, sort string   // attribute names; sort may be ""
	types      []string // of hash and sort
	projection doc
}

// indexAttrs are the attributes that indexes are made of, with their types.
var indexAttrs = map[string]string{"g": "S", "h": "N", "i": "S", "j": "B"}

func drawWorld(t *rapid.T, table string) world {
	w := world{table: table, hash: rapid.SampledFrom([]string{"S", "S", "N", "B"}).Draw(t, "hash")}
	w.sort = rapid.SampledFrom([]string{"", "S", "S", "N", "B"}).Draw(t, "sort")
	names := slices.Sorted(maps.Keys(indexAttrs))
	for n := range rapid.IntRange(0, 2).Draw(t, "global indexes") {
		x := index{name: fmt.Sprintf("gsi%d", n), hash: rapid.SampledFrom(names).Draw(t, "index hash")}
		x.types = []string{indexAttrs[x.hash]}
		if rapid.Bool().Draw(t, "index has sort key") {
			x.sort = rapid.SampledFrom(slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s == x.hash })).Draw(t, "index sort")
			x.types = append(x.types, indexAttrs[x.sort])
		}
		x.projection = drawProjectionType(t)
		w.indexes = append(w.indexes, x)
	}
	if w.sort != "" && rapid.Bool().Draw(t, "local index") {
		x := index{name: "lsi", local: true, hash: "pk", sort: rapid.SampledFrom(names).Draw(t, "local sort"), projection: drawProjectionType(t)}
		x.types = []string{w.hash, indexAttrs[x.sort]}
		w.indexes = append(w.indexes, x)
	}
	return w
}

func drawProjectionType(t *rapid.T) doc {
	switch rapid.IntRange(0, 2).Draw(t, "projection type") {
	case 0:
		return doc{"ProjectionType": "ALL"}
	case 1:
		return doc{"ProjectionType": "KEYS_ONLY"}
	}
	return doc{"ProjectionType": "INCLUDE", "NonKeyAttributes": []any{"a", "b"}}
}

func (w world) create() doc {
	attrs := map[string]string{"pk": w.hash}
	schema := []any{doc{"AttributeName": "pk", "KeyType": "HASH"}}
	if w.sort != "" {
		attrs["sk"] = w.sort
		schema = append(schema, doc{"AttributeName": "sk", "KeyType": "RANGE"})
	}
	req := doc{"TableName": w.table, "BillingMode": "PAY_PER_REQUEST", "KeySchema": schema}
	var global, local []any
	for _, x := range w.indexes {
		s := []any{doc{"AttributeName": x.hash, "KeyType": "HASH"}}
		attrs[x.hash] = x.types[0]
		if x.sort != "" {
			s = append(s, doc{"AttributeName": x.sort, "KeyType": "RANGE"})
			attrs[x.sort] = x.types[1]
		}
		d := doc{"IndexName": x.name, "KeySchema": s, "Projection": x.projection}
		if x.local {
			local = append(local, d)
		} else {
			global = append(global, d)
		}
	}
	if global != nil {
		req["GlobalSecondaryIndexes"] = global
	}
	if local != nil {
		req["LocalSecondaryIndexes"] = local
	}
	var defs []any
	for _, a := range slices.Sorted(maps.Keys(attrs)) {
		defs = append(defs, doc{"AttributeName": a, "AttributeType": attrs[a]})
	}
	req["AttributeDefinitions"] = defs
	return req
}

var (
	someStrings  = []string{"a", "b", "ab", "abc", "B", "é", "￿", "😀", "a#1", " "}
	someNumbers  = []string{"0", "1", "1.0", "-1", "2", "10", "1e2", "-0.5", "0.1", "99999999999999999999999999999999999999", "1E-130", "-3.25"}
	someBinaries = []string{"AQ==", "AP8=", "fw==", "gA==", "/w==", "AQI="}
)

// keyValue is a valid value of a key, from few.
func keyValue(t *rapid.T, kind, label string) doc {
	switch kind {
	case "N":
		return av("N", rapid.SampledFrom(someNumbers).Draw(t, label))
	case "B":
		return av("B", rapid.SampledFrom(someBinaries).Draw(t, label))
	}
	return av("S", rapid.SampledFrom(someStrings).Draw(t, label))
}

func (w world) key(t *rapid.T) doc {
	k := doc{"pk": w.partition(t)}
	if w.sort != "" {
		k["sk"] = keyValue(t, w.sort, "sk")
	}
	return k
}

// partition is one of three, so that partitions fill up.
func (w world) partition(t *rapid.T) doc {
	n := rapid.IntRange(0, 2).Draw(t, "pk")
	switch w.hash {
	case "N":
		return av("N", someNumbers[n])
	case "B":
		return av("B", someBinaries[n])
	}
	return av("S", someStrings[n])
}

// value is a value of any kind.
func value(t *rapid.T, depth int) doc {
	kinds := []string{"S", "N", "N", "B", "BOOL", "NULL", "SS", "NS", "BS"}
	if depth > 0 {
		kinds = append(kinds, "L", "M", "L", "M")
	}
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
	case "S", "N", "B":
		if kind == "S" && rapid.IntRange(0, 9).Draw(t, "empty") == 0 {
			return av("S", "")
		}
		return keyValue(t, kind, "value")
	case "BOOL":
		return av("BOOL", rapid.Bool().Draw(t, "bool"))
	case "NULL":
		return av("NULL", true)
	case "SS":
		return av("SS", members(t, someStrings))
	case "NS":
		return av("NS", members(t, []string{"1", "2", "3.5", "-4", "100"}))
	case "BS":
		return av("BS", members(t, someBinaries))
	case "L":
		var l []any
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			l = append(l, value(t, depth-1))
		}
		if l == nil {
			l = []any{}
		}
		return av("L", l)
	}
	m := doc{}
	for _, k := range []string{"x", "y"} {
		if rapid.Bool().Draw(t, "has "+k) {
			m[k] = value(t, depth-1)
		}
	}
	return av("M", m)
}

func members(t *rapid.T, from []string) []any {
	var out []any
	for _, s := range rapid.SliceOfNDistinct(rapid.SampledFrom(from), 1, 3, rapid.ID[string]).Draw(t, "members") {
		out = append(out, s)
	}
	return out
}

// item is a whole item; now and then an index key has a type that is refused.
func (w world) item(t *rapid.T) doc {
	it := w.key(t)
	for _, a := range []string{"a", "b", "n", "l", "m", "tags"} {
		if !rapid.Bool().Draw(t, "has "+a) {
			continue
		}
		switch a {
		case "n":
			it[a] = keyValue(t, "N", a)
		case "tags":
			it[a] = av("SS", members(t, someStrings))
		case "l":
			it[a] = av("L", []any{value(t, 1), value(t, 0)})
		case "m":
			it[a] = av("M", doc{"x": value(t, 1), "y": keyValue(t, "N", "y")})
		default:
			it[a] = value(t, 2)
		}
	}
	for _, a := range slices.Sorted(maps.Keys(indexAttrs)) {
		switch n := rapid.IntRange(0, 30).Draw(t, "index attribute "+a); {
		case n == 30:
			it[a] = value(t, 1)
		case n > 8:
			it[a] = keyValue(t, indexAttrs[a], a)
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
		it["pad"] = av("S", strings.Repeat("x", rapid.IntRange(500, 6000).Draw(t, "pad")))
	}
	return it
}

// expression collects the names and values that expressions of one request use.
type expression struct {
	t      *rapid.T
	names  doc
	values doc
	drawn  int // values so far, those that were dropped again included
}

func (e *expression) value(v doc) string {
	name := fmt.Sprintf(":v%03d", e.drawn)
	e.drawn++
	e.values[name] = v
	return name
}

// path is an attribute or a place in one, at times by an alias.
func (e *expression) path() string {
	p := rapid.SampledFrom([]string{"a", "b", "n", "l", "m", "tags", "g", "h", "gone", "m.x", "m.y", "l[0]", "l[1]", "m.x.y", "l[0].x"}).Draw(e.t, "path")
	return e.alias(p)
}

func (e *expression) alias(p string) string {
	if rapid.IntRange(0, 4).Draw(e.t, "alias") > 0 {
		return p
	}
	head, rest := p, ""
	if i := strings.IndexAny(p, ".["); i >= 0 {
		head, rest = p[:i], p[i:]
	}
	e.names["#"+head] = head
	return "#" + head + rest
}

func (e *expression) into(req doc) {
	if len(e.names) > 0 {
		req["ExpressionAttributeNames"] = e.names
	}
	if len(e.values) > 0 {
		req["ExpressionAttributeValues"] = e.values
	}
}

// condition is a condition of up to a given depth. Paths and values are drawn
// apart, so that types often do not fit.
func (e *expression) condition(depth int) string {
	t := e.t
	if depth > 0 {
		switch rapid.IntRange(0, 5).Draw(t, "connective") {
		case 0:
			return e.condition(depth-1) + " AND " + e.condition(depth-1)
		case 1:
			return e.condition(depth-1) + " OR " + e.condition(depth-1)
		case 2:
			return "NOT (" + e.condition(depth-1) + " OR " + e.condition(depth-1) + ")"
		case 3:
			return "NOT " + e.condition(0)
		}
	}
	switch rapid.SampledFrom([]string{"=", "=", "<>", "<", "<=", ">", ">=", "BETWEEN", "IN", "exists", "not exists", "type", "begins", "contains", "contains", "size", "paths"}).Draw(t, "operator") {
	case "=":
		return e.path() + " = " + e.value(value(t, 2))
	case "<>":
		return e.path() + " <> " + e.value(value(t, 2))
	case "<":
		return e.path() + " < " + e.value(scalar(t))
	case "<=":
		return e.path() + " <= " + e.value(scalar(t))
	case ">":
		return e.value(scalar(t)) + " > " + e.path()
	case ">=":
		return e.path() + " >= " + e.value(scalar(t))
	case "BETWEEN":
		lo, hi := ordered(t)
		return e.path() + " BETWEEN " + e.value(lo) + " AND " + e.value(hi)
	case "IN":
		var l []string
		for range rapid.IntRange(1, 3).Draw(t, "operands") {
			l = append(l, e.value(value(t, 1)))
		}
		return e.path() + " IN (" + strings.Join(l, ", ") + ")"
	case "exists":
		return "attribute_exists(" + e.path() + ")"
	case "not exists":
		return "attribute_not_exists(" + e.path() + ")"
	case "type":
		return "attribute_type(" + e.path() + ", " + e.value(av("S", rapid.SampledFrom([]string{"S", "N", "B", "SS", "NS", "BS", "L", "M", "NULL", "BOOL"}).Draw(t, "type"))) + ")"
	case "begins":
		return "begins_with(" + e.path() + ", " + e.value(keyValue(t, rapid.SampledFrom([]string{"S", "B"}).Draw(t, "kind"), "prefix")) + ")"
	case "contains":
		return "contains(" + e.path() + ", " + e.value(scalar(t)) + ")"
	case "size":
		return "size(" + e.path() + ") " + rapid.SampledFrom([]string{"=", "<", ">="}).Draw(t, "comparator") + " " + e.value(av("N", fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "size"))))
	}
	return "a " + rapid.SampledFrom([]string{"=", "<>"}).Draw(t, "comparator") + " b"
}

func scalar(t *rapid.T) doc {
	return keyValue(t, rapid.SampledFrom([]string{"S", "N", "B"}).Draw(t, "kind"), "scalar")
}

// ordered gives two bounds of one type, the lower first.
func ordered(t *rapid.T) (lo, hi doc) {
	switch rapid.IntRange(0, 2).Draw(t, "bounds") {
	case 0:
		n := rapid.IntRange(-5, 5).Draw(t, "low")
		return av("N", fmt.Sprint(n)), av("N", fmt.Sprint(n+rapid.IntRange(0, 10).Draw(t, "more")))
	case 1:
		return av("B", "AQ=="), av("B", rapid.SampledFrom([]string{"AQ==", "gA==", "/w=="}).Draw(t, "high"))
	}
	s := rapid.SampledFrom(someStrings).Draw(t, "low")
	return av("S", s), av("S", s+rapid.SampledFrom([]string{"", "z", "￿"}).Draw(t, "more"))
}

// update is an update expression whose paths do not overlap.
func (e *expression) update() string {
	t := e.t
	sections := map[string][]string{}
	for _, target := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "n", "l", "m.x", "m.y", "tags", "g", "h", "l2", "fresh", "i", "l[0]", "l[1]"}), 1, 4, rapid.ID[string]).Draw(t, "targets") {
		p := e.alias(target)
		switch target {
		case "n":
			sections["ADD"] = append(sections["ADD"], p+" "+e.value(keyValue(t, "N", "addend")))
			continue
		case "tags":
			s := rapid.SampledFrom([]string{"ADD", "DELETE"}).Draw(t, "set section")
			sections[s] = append(sections[s], p+" "+e.value(av("SS", members(t, someStrings))))
			continue
		}
		switch rapid.IntRange(0, 7).Draw(t, "action") {
		case 0:
			if target != "m.x" || rapid.Bool().Draw(t, "remove below") {
				sections["REMOVE"] = append(sections["REMOVE"], p)
				continue
			}
			fallthrough
		case 1, 2:
			v := value(t, 2)
			if kind, ok := indexAttrs[target]; ok {
				v = keyValue(t, kind, "index key")
			}
			sections["SET"] = append(sections["SET"], p+" = "+e.value(v))
		case 3:
			sections["SET"] = append(sections["SET"], p+" = "+e.path())
		case 4:
			sections["SET"] = append(sections["SET"], p+" = if_not_exists("+e.path()+", "+e.value(value(t, 1))+")")
		case 5:
			sections["SET"] = append(sections["SET"], p+" = "+rapid.SampledFrom([]string{"n", "m.y", "h"}).Draw(t, "number")+rapid.SampledFrom([]string{" + ", " - "}).Draw(t, "sign")+e.value(av("N", rapid.SampledFrom(someNumbers[:9]).Draw(t, "addend"))))
		case 6:
			sections["SET"] = append(sections["SET"], p+" = list_append("+rapid.SampledFrom([]string{"l", "if_not_exists(l, " + e.value(av("L", []any{})) + ")"}).Draw(t, "list")+", "+e.value(av("L", []any{value(t, 1)}))+")")
		case 7:
			sections["SET"] = append(sections["SET"], p+" = if_not_exists(n, "+e.value(av("N", "0"))+") + "+e.value(av("N", "1")))
		}
	}
	var out []string
	for _, s := range slices.Sorted(maps.Keys(sections)) {
		out = append(out, s+" "+strings.Join(sections[s], ", "))
	}
	text := strings.Join(out, " ")
	for name := range e.values { // a value drawn for a form that was not chosen
		if !strings.Contains(text, name) {
			delete(e.values, name)
		}
	}
	return text
}

// projection is a projection expression whose paths do not overlap.
func (e *expression) projection() string {
	var out []string
	for _, p := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"pk", "a", "b", "n", "tags", "m.x", "m.y", "l[1]", "l[0]", "gone", "g"}), 1, 4, rapid.ID[string]).Draw(e.t, "projected") {
		out = append(out, e.alias(p))
	}
	return strings.Join(out, ", ")
}

func newExpression(t *rapid.T) *expression {
	return &expression{t: t, names: doc{}, values: doc{}}
}

// request is one random request.
type request struct {
	op   string
	body doc
}

func (r request) text() string {
	b, err := json.Marshal(r.body)
	if err != nil {
		panic(err) // a document of strings, numbers and lists
	}
	return string(b)
}

func maybe(t *rapid.T, label string) bool { return rapid.IntRange(0, 2).Draw(t, label) == 0 }

func (w world) request(t *rapid.T) request {
	body := doc{"TableName": w.table}
	capacity := rapid.SampledFrom([]string{"INDEXES", "TOTAL"}).Draw(t, "capacity")
	switch op := rapid.SampledFrom([]string{"PutItem", "PutItem", "PutItem", "UpdateItem", "UpdateItem", "UpdateItem", "DeleteItem", "GetItem", "Query", "Query", "Query", "Query", "Scan", "BatchWriteItem", "BatchGetItem", "TransactWriteItems", "TransactWriteItems", "TransactGetItems"}).Draw(t, "operation"); op {
	case "PutItem", "DeleteItem", "UpdateItem":
		w.write(t, op, body)
		body["ReturnConsumedCapacity"] = capacity
		return request{op, body}
	case "GetItem":
		body["Key"] = w.key(t)
		body["ConsistentRead"] = rapid.Bool().Draw(t, "consistent")
		body["ReturnConsumedCapacity"] = capacity
		if maybe(t, "projected") {
			e := newExpression(t)
			body["ProjectionExpression"] = e.projection()
			e.into(body)
		}
		return request{op, body}
	case "Query":
		w.query(t, body)
		body["ReturnConsumedCapacity"] = capacity
		return request{op, body}
	case "Scan":
		e := newExpression(t)
		if maybe(t, "filter") {
			body["FilterExpression"] = e.condition(1)
		}
		e.into(body)
		if len(w.indexes) > 0 && rapid.Bool().Draw(t, "index") {
			body["IndexName"] = rapid.SampledFrom(w.indexes).Draw(t, "index").name
		}
		body["ReturnConsumedCapacity"] = capacity
		return request{op, body}
	case "BatchWriteItem":
		var l []any
		seen := map[string]bool{}
		for range rapid.IntRange(1, 5).Draw(t, "requests") {
			it := w.item(t)
			if k := fmt.Sprint(it["pk"], it["sk"]); seen[k] && rapid.IntRange(0, 9).Draw(t, "duplicate") > 0 {
				continue
			} else {
				seen[k] = true
			}
			if maybe(t, "delete") {
				k := doc{"pk": it["pk"]}
				if w.sort != "" {
					k["sk"] = it["sk"]
				}
				l = append(l, doc{"DeleteRequest": doc{"Key": k}})
			} else {
				l = append(l, doc{"PutRequest": doc{"Item": it}})
			}
		}
		return request{op, doc{"RequestItems": doc{w.table: l}, "ReturnConsumedCapacity": capacity}}
	case "BatchGetItem":
		var keys []any
		seen := map[string]bool{}
		for range rapid.IntRange(1, 5).Draw(t, "keys") {
			k := w.key(t)
			if text := fmt.Sprint(k); !seen[text] {
				seen[text] = true
				keys = append(keys, k)
			}
		}
		part := doc{"Keys": keys, "ConsistentRead": rapid.Bool().Draw(t, "consistent")}
		if maybe(t, "projected") {
			e := newExpression(t)
			part["ProjectionExpression"] = e.projection()
			e.into(part)
		}
		return request{op, doc{"RequestItems": doc{w.table: part}, "ReturnConsumedCapacity": capacity}}
	case "TransactWriteItems":
		var l []any
		seen := map[string]bool{}
		for range rapid.IntRange(1, 4).Draw(t, "actions") {
			kind := rapid.SampledFrom([]string{"PutItem", "UpdateItem", "DeleteItem", "ConditionCheck"}).Draw(t, "action")
			act := doc{"TableName": w.table}
			if kind == "ConditionCheck" {
				e := newExpression(t)
				act["Key"], act["ConditionExpression"] = w.key(t), e.condition(1)
				e.into(act)
			} else {
				w.write(t, kind, act)
			}
			delete(act, "ReturnValues")
			if _, ok := act["ConditionExpression"]; ok && rapid.Bool().Draw(t, "old item") {
				act["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
			}
			if kind == "UpdateItem" && act["UpdateExpression"] == nil {
				continue
			}
			from := act
			if kind == "PutItem" {
				from = act["Item"].(doc)
			} else {
				from = act["Key"].(doc)
			}
			if k := fmt.Sprint(from["pk"], from["sk"]); seen[k] && rapid.IntRange(0, 9).Draw(t, "twice") > 0 {
				continue
			} else {
				seen[k] = true
			}
			l = append(l, doc{strings.TrimSuffix(kind, "Item"): act})
		}
		if l == nil {
			l = []any{doc{"Put": doc{"TableName": w.table, "Item": w.item(t)}}}
		}
		return request{op, doc{"TransactItems": l, "ReturnConsumedCapacity": capacity}}
	default:
		var l []any
		for range rapid.IntRange(1, 3).Draw(t, "gets") {
			l = append(l, doc{"Get": doc{"TableName": w.table, "Key": w.key(t)}})
		}
		return request{op, doc{"TransactItems": l, "ReturnConsumedCapacity": capacity}}
	}
}

// write fills in a put, update or delete.
func (w world) write(t *rapid.T, op string, body doc) {
	e := newExpression(t)
	returns := []string{"NONE", "ALL_OLD"}
	switch op {
	case "PutItem":
		body["Item"] = w.item(t)
	case "UpdateItem":
		body["Key"] = w.key(t)
		body["UpdateExpression"] = e.update()
		returns = []string{"NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"}
	default:
		body["Key"] = w.key(t)
	}
	body["ReturnValues"] = rapid.SampledFrom(returns).Draw(t, "return values")
	if maybe(t, "conditional") {
		body["ConditionExpression"] = e.condition(2)
		if rapid.Bool().Draw(t, "old item") {
			body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
		}
	}
	e.into(body)
}

// query fills in a query of the table or of an index.
func (w world) query(t *rapid.T, body doc) {
	e := newExpression(t)
	hash, sort, hashType, sortType := "pk", "", w.hash, w.sort
	if w.sort != "" {
		sort = "sk"
	}
	global := false
	if len(w.indexes) > 0 && rapid.Bool().Draw(t, "index") {
		x := rapid.SampledFrom(w.indexes).Draw(t, "index")
		body["IndexName"] = x.name
		hash, sort, hashType, sortType, global = x.hash, x.sort, x.types[0], "", !x.local
		if sort != "" {
			sortType = x.types[1]
		}
	}
	hashValue := keyValue(t, hashType, "partition")
	if hash == "pk" {
		hashValue = w.partition(t)
	}
	cond := hash + " = " + e.value(hashValue)
	if sort != "" && rapid.Bool().Draw(t, "ranged") {
		ops := []string{"=", "<", "<=", ">", ">=", "BETWEEN", "begins_with"}
		if sortType == "N" {
			ops = ops[:6]
		}
		switch op := rapid.SampledFrom(ops).Draw(t, "range"); op {
		case "begins_with":
			cond += " AND begins_with(" + sort + ", " + e.value(keyValue(t, sortType, "prefix")) + ")"
		case "BETWEEN":
			cond += " AND " + sort + " BETWEEN " + e.value(keyValue(t, sortType, "low")) + " AND " + e.value(keyValue(t, sortType, "high"))
		default:
			cond += " AND " + sort + " " + op + " " + e.value(keyValue(t, sortType, "bound"))
		}
	}
	body["KeyConditionExpression"] = cond
	if rapid.Bool().Draw(t, "backwards") {
		body["ScanIndexForward"] = false
	}
	if !global && rapid.Bool().Draw(t, "consistent") {
		body["ConsistentRead"] = true
	}
	if maybe(t, "filter") {
		body["FilterExpression"] = e.condition(1)
	}
	switch rapid.IntRange(0, 5).Draw(t, "select") {
	case 0:
		body["Select"] = "COUNT"
	case 1:
		body["ProjectionExpression"] = e.projection()
	case 2:
		body["Select"] = "ALL_ATTRIBUTES"
	}
	if maybe(t, "limited") {
		body["Limit"] = rapid.IntRange(1, 4).Draw(t, "limit")
	}
	e.into(body)
}
