package engine

import (
	"strconv"
	"strings"
)

// TransactWriteItems and TransactGetItems.

// action is one action of a transaction.
type action struct {
	write
	raw      object // the structure of the action
	t        *table
	place    place
	old      *row
	next     *row
	onFailed *string
}

const (
	tooManyBytes = "Collection size of items exceeded, which can also be caused by the aggregate size of the items in the transaction exceeding the 4MB limit"
	sameItem     = "Transaction request cannot include multiple operations on one item"
)

func (e *Engine) transactWriteItems(o object, _ Options) ([]byte, *Error) {
	token, capacity, metrics := o.str("ClientRequestToken"), o.str("ReturnConsumedCapacity"), o.str("ReturnItemCollectionMetrics")
	raws, given := o.list("TransactItems")
	var c constraints
	c.enum(capacity, "returnConsumedCapacity", capacityEnum...)
	c.enum(metrics, "returnItemCollectionMetrics", metricsEnum...)
	if token != nil {
		c.length(*token, "clientRequestToken", len(*token), 1, maxClientToken)
	}
	if !given {
		c.missing("transactItems")
	} else {
		c.length(showList(raws), "transactItems", len(raws), 1, maxTransactItems)
	}
	actions := make([]*action, 0, len(raws))
	single := true
	for i, raw := range raws {
		a, one := o.readAction(raw, &c, "transactItems."+strconv.Itoa(i+1)+".member.")
		single = single && one
		actions = append(actions, a)
	}
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	if !single {
		return nil, invalid("TransactItems can only contain one of Check, Put, Update or Delete")
	}
	for _, a := range actions {
		if err := a.prepare(); err != nil {
			return nil, err
		}
	}
	if size := putSize(actions); size > maxTransaction {
		return nil, invalid(tooManyBytes)
	}
	m := e.moment()
	if err := e.openActions(actions, m); err != nil {
		return nil, err
	}
	unlock := lockAll(tablesOf(actions))
	defer unlock()
	for _, a := range actions {
		if a.t.dropped {
			return nil, tableNotFound()
		}
	}
	if err := placeActions(actions); err != nil {
		return nil, err
	}
	if token != nil {
		replay, err := e.tokens.claim(*token, fingerprint(raws), m.now)
		if err != nil {
			return nil, err
		}
		if replay {
			return replayed(actions, capacity), nil
		}
	}
	if err := commit(actions, m); err != nil {
		if token != nil {
			e.tokens.forget(*token)
		}
		return nil, err
	}
	if token != nil {
		e.tokens.complete(*token, e.now())
	}
	return committed(actions, capacity, metrics), nil
}

func showList(raws [][]byte) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, raw := range raws {
		if i > 0 {
			b.WriteString(", ")
		}
		b.Write(raw)
	}
	b.WriteByte(']')
	return b.String()
}

// readAction reads one TransactWriteItem; one is false if it is not exactly one
// action.
func (o object) readAction(raw []byte, c *constraints, path string) (a *action, one bool) {
	item := o.element(raw, "TransactWriteItem")
	a = &action{}
	found := 0
	for _, kind := range []string{"ConditionCheck", "Put", "Delete", "Update"} {
		q, ok := item.structure(kind, kind)
		if !ok {
			continue
		}
		found++
		at := path + strings.ToLower(kind[:1]) + kind[1:] + "."
		table := q.str("TableName")
		a.raw, a.action, a.table = q, kind, orEmpty(table)
		a.onFailed = q.str("ReturnValuesOnConditionCheckFailure")
		a.onFailure = is(a.onFailed, "ALL_OLD")
		content, name := "Key", "key"
		if kind == "Put" {
			content, name = "Item", "item"
		}
		a.content = q.attributes(content)
		if kind == "Update" {
			a.exprs = q.readExpressions("UpdateExpression", "ConditionExpression")
		} else {
			a.exprs = q.readExpressions("ConditionExpression")
		}
		if !a.content.present() {
			c.missing(at + name)
		}
		c.checkTableName(table, at+"tableName")
		c.enum(a.onFailed, at+"returnValuesOnConditionCheckFailure", onFailureEnum...)
		if kind == "ConditionCheck" && a.exprs.condition == nil {
			c.missing(at + "conditionExpression")
		}
		if kind == "Update" && a.exprs.update == nil {
			c.missing(at + "updateExpression")
		}
	}
	return a, found == 1
}

// prepare checks the values and the expressions of an action.
func (a *action) prepare() *Error {
	if err := a.content.invalid(); err != nil {
		return err
	}
	if a.action == "Put" && a.content.item.Size() > maxItemSize {
		return invalid("Item size has exceeded the maximum allowed size")
	}
	var err *Error
	a.compiled, err = a.exprs.compile()
	return err
}

func putSize(actions []*action) int {
	size := 0
	for _, a := range actions {
		if a.action == "Put" {
			size += a.content.item.Size()
		}
	}
	return size
}

func (e *Engine) openActions(actions []*action, m moment) *Error {
	for _, a := range actions {
		var err *Error
		if a.t, err = e.open(a.table, m); err != nil {
			return err
		}
	}
	return nil
}

func tablesOf(actions []*action) []*table {
	tables := make([]*table, len(actions))
	for i, a := range actions {
		tables[i] = a.t
	}
	return inOrder(tables)
}

// placeActions checks the actions against their schemas and finds their places.
// What is wrong with some is said as the reasons of a cancellation; an empty key,
// of the table or of an index, and two actions on one item refuse the whole request.
func placeActions(actions []*action) *Error {
	reasons := noReasons(len(actions))
	failed := false
	seen := map[spot]bool{}
	for i, a := range actions {
		if err := a.check(a.t); err != nil {
			if strings.HasPrefix(err.Message, notValid) {
				return err
			}
			reasons[i] = Reason{Code: "ValidationError", Message: err.Message}
			failed = true
			continue
		}
		a.place = a.t.placeOf(a.content.item)
		at := spot{a.t, a.place}
		if seen[at] {
			return invalid(sameItem)
		}
		seen[at] = true
	}
	if failed {
		return cancelled(reasons)
	}
	return nil
}

func noReasons(n int) []Reason {
	reasons := make([]Reason, n)
	for i := range reasons {
		reasons[i].Code = "None"
	}
	return reasons
}

// commit evaluates all actions on what is stored and, if none fails, stores what
// they make of it. The tables are locked.
func commit(actions []*action, m moment) *Error {
	var reasons []Reason
	size := 0
	for i, a := range actions {
		var err *Error
		if a.old, a.next, err = a.apply(a.t); err != nil {
			if strings.HasPrefix(err.Message, notValid) {
				return err
			}
			if reasons == nil {
				reasons = noReasons(len(actions))
			}
			reasons[i] = Reason{Code: "ValidationError", Message: err.Message}
			if err.Type == ConditionalCheckFailed {
				reasons[i] = Reason{Code: "ConditionalCheckFailed", Message: err.Message, Item: err.Item}
			}
		}
		if a.next != nil && a.action != "ConditionCheck" {
			size += a.next.size
		}
	}
	if reasons != nil {
		return cancelled(reasons)
	}
	if size > maxTransaction {
		return invalid(tooManyBytes)
	}
	for _, a := range actions {
		if a.action != "ConditionCheck" {
			a.t.store(a.old, a.next, m)
		}
	}
	return nil
}

// transactionFactor is what a transaction costs more than the same reads and
// writes by themselves: it prepares and commits each.
const transactionFactor = 2

func committed(actions []*action, capacity, metrics *string) []byte {
	a := newAnswer()
	if wantsCapacity(capacity) {
		var used tableUsage
		for _, act := range actions {
			used.of(act.t).write(act.t, act.old, act.next, transactionFactor)
		}
		used.appendJSON(a, capacity, "WriteCapacityUnits")
	}
	if is(metrics, "SIZE") {
		var targets []target
		for _, act := range actions {
			if act.action != "ConditionCheck" {
				targets = append(targets, target{act.t, act.content.item})
			}
		}
		appendAllMetrics(a, targets)
	}
	return a.done()
}

// replayed answers a transaction that was done before under the same token. It
// costs the reading of the items.
func replayed(actions []*action, capacity *string) []byte {
	a := newAnswer()
	if wantsCapacity(capacity) {
		var used tableUsage
		for _, act := range actions {
			size := 0
			if stored := act.t.get(act.place); stored != nil {
				size = stored.size
			}
			used.of(act.t).table += transactionFactor * readUnits(size, true)
		}
		used.appendJSON(a, capacity, "ReadCapacityUnits")
	}
	return a.done()
}

func (e *Engine) transactGetItems(o object, _ Options) ([]byte, *Error) {
	capacity := o.str("ReturnConsumedCapacity")
	raws, given := o.list("TransactItems")
	var c constraints
	c.enum(capacity, "returnConsumedCapacity", capacityEnum...)
	if !given {
		c.missing("transactItems")
	} else {
		c.length(showList(raws), "transactItems", len(raws), 1, maxTransactItems)
	}
	actions := make([]*action, 0, len(raws))
	for i, raw := range raws {
		path := "transactItems." + strconv.Itoa(i+1) + ".member.get"
		get, ok := o.element(raw, "TransactGetItem").structure("Get", "Get")
		if !ok {
			c.missing(path)
			continue
		}
		table := get.str("TableName")
		a := &action{raw: get}
		a.action, a.table, a.content = "Get", orEmpty(table), get.attributes("Key")
		a.exprs = get.readExpressions("ProjectionExpression")
		if !a.content.present() {
			c.missing(path + ".key")
		}
		c.checkTableName(table, path+".tableName")
		actions = append(actions, a)
	}
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	for _, a := range actions {
		if err := a.prepare(); err != nil {
			return nil, err
		}
	}
	if err := e.openActions(actions, e.moment()); err != nil {
		return nil, err
	}
	unlock := rlockAll(tablesOf(actions))
	defer unlock()
	for _, a := range actions {
		if a.t.dropped {
			return nil, tableNotFound()
		}
	}
	if err := placeActions(actions); err != nil {
		return nil, err
	}
	return gathered(actions, capacity)
}

// gathered reads the items of a TransactGetItems; its tables are locked.
func gathered(actions []*action, capacity *string) ([]byte, *Error) {
	a := newAnswer()
	a.member("Responses")
	a.buf = append(a.buf, '[')
	var used tableUsage
	total := 0
	for i, act := range actions {
		if i > 0 {
			a.buf = append(a.buf, ',')
		}
		stored := act.t.get(act.place)
		size := 0
		a.buf = append(a.buf, '{')
		if stored != nil {
			size = stored.size
			a.buf = append(a.buf, `"Item":`...)
			a.buf = act.compiled.shown(stored.item).AppendJSON(a.buf)
		}
		a.buf = append(a.buf, '}')
		total += size
		used.of(act.t).table += transactionFactor * readUnits(size, true)
	}
	a.buf = append(a.buf, ']')
	if total > maxTransaction {
		return nil, invalid(tooManyBytes)
	}
	used.appendJSON(a, capacity, "ReadCapacityUnits")
	return a.done(), nil
}
