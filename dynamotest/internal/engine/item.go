package engine

import (
	"github.com/singletable-go/singletable/dynamotest/internal/av"
	"github.com/singletable-go/singletable/dynamotest/internal/expr"
)

// PutItem, GetItem, UpdateItem and DeleteItem.

// write is one write to one item, as sent: of an operation of its own or an
// action of a transaction.
type write struct {
	action    string // "Put", "Update", "Delete" or "ConditionCheck"
	table     string
	content   attributes // the item of a Put, the key of the others
	exprs     expressions
	compiled  compiled
	onFailure bool // give the old item with a failed condition
}

// returnOptions are the parts of an answer that a write may ask for.
type returnOptions struct {
	values, capacity, metrics, onFailure *string
}

func (o object) returnOptions() returnOptions {
	return returnOptions{
		values:    o.str("ReturnValues"),
		capacity:  o.str("ReturnConsumedCapacity"),
		metrics:   o.str("ReturnItemCollectionMetrics"),
		onFailure: o.str("ReturnValuesOnConditionCheckFailure"),
	}
}

// onlyOld refuses the ReturnValues that only an update can have. prefix is what
// PutItem, unlike DeleteItem, puts before the message.
func (r returnOptions) onlyOld(prefix string) *Error {
	if r.values == nil || *r.values == "ALL_OLD" || *r.values == "NONE" {
		return nil
	}
	return invalid(prefix + "ReturnValues can only be ALL_OLD or NONE")
}

func is(s *string, value string) bool { return s != nil && *s == value }

func (e *Engine) putItem(o object, _ Options) ([]byte, *Error) {
	w := write{action: "Put", content: o.attributes("Item"), exprs: o.readExpressions("ConditionExpression")}
	table, ret := o.str("TableName"), o.returnOptions()
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	var c constraints
	c.enum(ret.capacity, "returnConsumedCapacity", capacityEnum...)
	c.enum(ret.values, "returnValues", returnValuesEnum...)
	c.enum(ret.metrics, "returnItemCollectionMetrics", metricsEnum...)
	c.enum(ret.onFailure, "returnValuesOnConditionCheckFailure", onFailureEnum...)
	c.checkTableName(table, "tableName")
	if !w.content.present() {
		c.missing("item")
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := o.refuseLegacy(oneViolation, []string{"ConditionExpression"}, []string{"Expected", "ConditionalOperator"}); err != nil {
		return nil, err
	}
	w.exprs.counted = true
	if err := counted(w.content.invalid()); err != nil {
		return nil, err
	}
	if err := ret.onlyOld(oneViolation); err != nil {
		return nil, err
	}
	if w.content.item.Size() > maxItemSize {
		return nil, invalid("Item size has exceeded the maximum allowed size")
	}
	return e.writeItem(&w, *table, ret)
}

func (e *Engine) deleteItem(o object, _ Options) ([]byte, *Error) {
	w := write{action: "Delete", content: o.attributes("Key"), exprs: o.readExpressions("ConditionExpression")}
	table, ret := o.str("TableName"), o.returnOptions()
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	var c constraints
	c.enum(ret.capacity, "returnConsumedCapacity", capacityEnum...)
	c.enum(ret.values, "returnValues", returnValuesEnum...)
	c.enum(ret.metrics, "returnItemCollectionMetrics", metricsEnum...)
	c.enum(ret.onFailure, "returnValuesOnConditionCheckFailure", onFailureEnum...)
	c.checkTableName(table, "tableName")
	if !w.content.present() {
		c.missing("key")
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := o.refuseLegacy("", []string{"ConditionExpression"}, []string{"Expected", "ConditionalOperator"}); err != nil {
		return nil, err
	}
	if err := w.content.invalid(); err != nil {
		return nil, err
	}
	if err := ret.onlyOld(""); err != nil {
		return nil, err
	}
	return e.writeItem(&w, *table, ret)
}

func (e *Engine) updateItem(o object, _ Options) ([]byte, *Error) {
	w := write{action: "Update", content: o.attributes("Key"), exprs: o.readExpressions("UpdateExpression", "ConditionExpression")}
	table, ret := o.str("TableName"), o.returnOptions()
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	var c constraints
	c.enum(ret.capacity, "returnConsumedCapacity", capacityEnum...)
	c.enum(ret.values, "returnValues", returnValuesEnum...)
	c.enum(ret.metrics, "returnItemCollectionMetrics", metricsEnum...)
	c.enum(ret.onFailure, "returnValuesOnConditionCheckFailure", onFailureEnum...)
	c.checkTableName(table, "tableName")
	if !w.content.present() {
		c.missing("key")
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := o.refuseLegacy(oneViolation, []string{"UpdateExpression", "ConditionExpression"}, []string{"AttributeUpdates", "Expected", "ConditionalOperator"}); err != nil {
		return nil, err
	}
	w.exprs.counted = true
	if err := counted(w.content.invalid()); err != nil {
		return nil, err
	}
	return e.writeItem(&w, *table, ret)
}

// writeItem does what PutItem, UpdateItem and DeleteItem have in common, once
// their parameters are known to be good.
func (e *Engine) writeItem(w *write, tableName string, ret returnOptions) ([]byte, *Error) {
	var err *Error
	if w.compiled, err = w.exprs.compile(); err != nil {
		return nil, err
	}
	w.onFailure = is(ret.onFailure, "ALL_OLD")
	m := e.moment()
	t, err := e.open(tableName, m)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dropped {
		return nil, tableNotFound()
	}
	if err := w.check(t); err != nil {
		return nil, err
	}
	old, next, err := w.apply(t)
	if err != nil {
		return nil, err
	}
	t.store(old, next, m)
	return w.answer(t, old, next, ret), nil
}

// check refuses a write that the schema of its table does not allow.
func (w *write) check(t *table) *Error {
	if w.action == "Put" {
		if err := t.key.checkItem(w.content.item); err != nil {
			return err
		}
		return t.checkIndexKeys(w.content.item)
	}
	if err := t.key.checkKey(w.content.item); err != nil {
		return err
	}
	if u := w.compiled.update; u != nil {
		for _, attr := range u.TopLevelAttrs() {
			if t.key.has(attr) {
				return badParam("Cannot update attribute " + attr + ". This attribute is part of the key")
			}
		}
		if err := t.checkIndexKinds(u); err != nil {
			return err
		}
		return t.checkScalars(u.NestedAttrs())
	}
	return nil
}

// checkIndexKinds refuses an update that gives a key attribute of an index a value
// whose type is wrong, whatever the item is.
func (t *table) checkIndexKinds(u *expr.Update) *Error {
	for _, x := range t.indexes() {
		for _, p := range x.key.parts() {
			if kind := u.KnownKind(p.name); kind != "" && kind != p.kind.String() && !t.key.has(p.name) {
				return indexKeyMismatch(x.name, p, av.KindOf(kind))
			}
		}
	}
	return nil
}

// apply works out the row that a write replaces and the one that it leaves; nil
// is none. It changes nothing.
func (w *write) apply(t *table) (old, next *row, err *Error) {
	p := t.placeOf(w.content.item)
	old = t.get(p)
	if !w.compiled.meets(old) {
		failure := conditionFailed(nil)
		if w.onFailure && old != nil {
			failure.Item = old.item
		}
		return old, nil, failure
	}
	switch w.action {
	case "Put":
		return old, newRow(p, w.content.item), nil
	case "Delete":
		return old, nil, nil
	case "ConditionCheck":
		return old, old, nil
	}
	item, err := w.updated(t, old)
	if err != nil || item == nil {
		return old, nil, err
	}
	return old, newRow(p, item), nil
}

// updated applies the update to the stored item, or to the bare key where there
// is none. An update that only takes away makes no item of nothing: then there is
// none.
func (w *write) updated(t *table, old *row) (av.Item, *Error) {
	before := w.content.item
	if old != nil {
		before = old.item
	}
	if w.compiled.update == nil {
		return before, nil
	}
	do := w.compiled.update.Apply
	if old == nil {
		do = w.compiled.update.Create
	}
	item, err := do(before)
	if err != nil {
		return nil, toError(err)
	}
	if err := t.checkUpdatedIndexKeys(before, item); err != nil {
		return nil, err
	}
	if item.Size() > maxItemSize {
		return nil, invalid("Item size to update has exceeded the maximum allowed size")
	}
	if old == nil && w.compiled.update.OnlyRemoves() {
		return nil, nil
	}
	return item, nil
}

// checkUpdatedIndexKeys refuses what an update made of the key attributes of
// indexes.
func (t *table) checkUpdatedIndexKeys(before, after av.Item) *Error {
	for _, x := range t.indexes() {
		for _, p := range x.key.parts() {
			v, ok := after[p.name]
			if !ok || t.key.has(p.name) {
				continue
			}
			if old, had := before[p.name]; had && av.Equal(old, v) {
				continue
			}
			if v.Kind() != p.kind {
				return invalid("The update expression attempted to update the secondary index key to unsupported type")
			}
			if bytesOf(v) == 0 {
				return invalid(notValid + "The update expression attempted to update a secondary index key to a value that is not supported. " +
					"The AttributeValue for a key attribute cannot contain an empty " + kindWord(p.kind) + " value.")
			}
		}
		if x.checkSize(after) != nil {
			return badParam("The update expression attempted to update the secondary index key beyond allowed size limits")
		}
	}
	return nil
}

// answer builds the answer to a write that succeeded.
func (w *write) answer(t *table, old, next *row, ret returnOptions) []byte {
	a := newAnswer()
	if attributes := w.returned(old, next, ret); attributes != nil {
		a.member("Attributes")
		a.buf = attributes.AppendJSON(a.buf)
	}
	if wantsCapacity(ret.capacity) {
		var u usage
		u.write(t, old, next, 1)
		a.member("ConsumedCapacity")
		a.buf = u.appendJSON(a.buf, t.name, *ret.capacity, "")
	}
	if is(ret.metrics, "SIZE") && len(t.local) > 0 {
		a.member("ItemCollectionMetrics")
		a.buf = t.appendMetrics(a.buf, w.content.item)
	}
	return a.done()
}

// returned gives the attributes that ReturnValues asks for; nil for none.
func (w *write) returned(old, next *row, ret returnOptions) av.Item {
	if ret.values == nil {
		return nil
	}
	var item av.Item
	switch *ret.values {
	case "ALL_OLD":
		if old != nil {
			return old.item
		}
	case "ALL_NEW":
		if next != nil {
			return next.item
		}
	case "UPDATED_OLD":
		if old != nil && w.compiled.update != nil {
			item = w.compiled.update.Project(old.item)
		}
	case "UPDATED_NEW":
		if next != nil && w.compiled.update != nil {
			item = w.compiled.update.Project(next.item)
		}
	}
	if len(item) == 0 {
		return nil
	}
	return item
}

// appendMetrics appends the ItemCollectionMetrics of an item's partition. The
// service estimates the size of the collection, its items and their entries in
// local indexes, to the gigabyte.
func (t *table) appendMetrics(dst []byte, item av.Item) []byte {
	dst = append(dst, `{"ItemCollectionKey":`...)
	hash := t.key.hash[0]
	dst = av.Item{hash.name: item[hash.name]}.AppendJSON(dst)
	p := t.placeOf(item)
	bytes := 0
	t.rows.Ascend(&row{hash: p.hash, pk: p.pk}, func(r *row) bool {
		if r.hash != p.hash || r.pk != p.pk {
			return false
		}
		bytes += r.size
		for _, x := range t.local {
			if e := x.entryOf(r); e != nil {
				bytes += e.size
			}
		}
		return true
	})
	least := float64(bytes >> 30)
	dst = append(dst, `,"SizeEstimateRangeGB":[`...)
	dst = appendFloat(dst, least)
	dst = append(dst, ',')
	dst = appendFloat(dst, least+1)
	return append(dst, "]}"...)
}

func (e *Engine) getItem(o object, _ Options) ([]byte, *Error) {
	key, table := o.attributes("Key"), o.str("TableName")
	consistent, capacity := o.boolean("ConsistentRead"), o.str("ReturnConsumedCapacity")
	exprs := o.readExpressions("ProjectionExpression")
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	var c constraints
	c.enum(capacity, "returnConsumedCapacity", capacityEnum...)
	if !key.present() {
		c.missing("key")
	}
	c.checkTableName(table, "tableName")
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := o.refuseLegacy("", []string{"ProjectionExpression"}, []string{"AttributesToGet"}); err != nil {
		return nil, err
	}
	if err := key.invalid(); err != nil {
		return nil, err
	}
	compiled, err := exprs.compile()
	if err != nil {
		return nil, err
	}
	t, err := e.open(*table, e.moment())
	if err != nil {
		return nil, err
	}
	r, err := t.read(key.item, compiled)
	if err != nil {
		return nil, err
	}
	a := newAnswer()
	size := 0
	if r != nil {
		size = r.size
		a.member("Item")
		a.buf = compiled.shown(r.item).AppendJSON(a.buf)
	}
	if wantsCapacity(capacity) {
		u := usage{table: readUnits(size, consistent != nil && *consistent)}
		a.member("ConsumedCapacity")
		a.buf = u.appendJSON(a.buf, t.name, *capacity, "")
	}
	return a.done(), nil
}

// read finds the row at a key; nil if there is none.
func (t *table) read(key av.Item, c compiled) (*row, *Error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.dropped {
		return nil, tableNotFound()
	}
	if err := t.key.checkKey(key); err != nil {
		return nil, err
	}
	if c.project != nil {
		if err := t.checkScalars(c.project.NestedAttrs()); err != nil {
			return nil, err
		}
	}
	return t.get(t.placeOf(key)), nil
}

// shown gives what the projection leaves of an item.
func (c compiled) shown(item av.Item) av.Item {
	if c.project == nil {
		return item
	}
	if item = c.project.Apply(item); item == nil {
		return av.Item{}
	}
	return item
}
