package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// BatchGetItem and BatchWriteItem.

// maxBatchAnswer is how much BatchGetItem reads before it leaves the rest of the
// keys unprocessed.
const maxBatchAnswer = 16 << 20

// tableUsage keeps what each table of a request cost, in the order of the request.
type tableUsage struct {
	names []string
	used  map[string]*usage
}

func (u *tableUsage) of(t *table) *usage {
	if u.used == nil {
		u.used = map[string]*usage{}
	}
	if u.used[t.name] == nil {
		u.names = append(u.names, t.name)
		u.used[t.name] = &usage{}
	}
	return u.used[t.name]
}

// appendJSON appends the member ConsumedCapacity of an answer about several tables.
func (u *tableUsage) appendJSON(a *answer, asked *string, split string) {
	if !wantsCapacity(asked) {
		return
	}
	a.member("ConsumedCapacity")
	a.buf = append(a.buf, '[')
	for i, name := range u.names {
		if i > 0 {
			a.buf = append(a.buf, ',')
		}
		a.buf = u.used[name].appendJSON(a.buf, name, *asked, split)
	}
	a.buf = append(a.buf, ']')
}

// checkMapTable checks the name of a table that is a key of RequestItems.
func (c *constraints) checkMapTable(name, shown string) {
	if name == "" || len(name) > 1024 || (!strings.HasPrefix(name, "arn:") && !isName(name)) {
		c.violated(shown, "requestItems", "Map keys must satisfy constraint: [Member must have length less than or equal to 1024, "+
			"Member must have length greater than or equal to 1, Member must satisfy regular expression pattern: "+namePattern+"]")
	}
}

// getRequest is what BatchGetItem asks of one table.
type getRequest struct {
	name       string
	keys       []attributes
	hasKeys    bool
	consistent bool
	exprs      expressions
	c          compiled
	t          *table
	places     []place
	raw        object
}

func (e *Engine) batchGetItem(o object, opts Options) ([]byte, *Error) {
	capacity := o.str("ReturnConsumedCapacity")
	members, given := o.mapping("RequestItems", "KeysAndAttributes")
	requests := make([]*getRequest, 0, len(members))
	for _, m := range members {
		requests = append(requests, o.readGetRequest(m))
	}
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	var c constraints
	c.enum(capacity, "returnConsumedCapacity", capacityEnum...)
	if !given {
		c.missing("requestItems")
	} else {
		c.length("{}", "requestItems", len(members), 1, 0)
	}
	for _, r := range requests {
		c.checkMapTable(r.name, "{"+r.name+"=KeysAndAttributes}")
		path := "requestItems." + r.name + ".member.keys"
		if !r.hasKeys {
			c.missing(path)
		} else {
			c.length(showKeys(r.keys), path, len(r.keys), 1, maxBatchGetKeys)
		}
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	total := 0
	for _, r := range requests {
		if err := r.raw.refuseLegacy("", []string{"ProjectionExpression"}, []string{"AttributesToGet"}); err != nil {
			return nil, err
		}
		for _, key := range r.keys {
			if err := key.invalid(); err != nil {
				return nil, err
			}
			if total++; total > maxBatchGetKeys {
				return nil, invalid("Too many items requested for the BatchGetItem call")
			}
		}
		var err *Error
		if r.c, err = r.exprs.compile(); err != nil {
			return nil, err
		}
	}
	m := e.moment()
	for _, r := range requests {
		if err := r.open(e, m); err != nil {
			return nil, err
		}
	}
	return readBatch(requests, capacity, opts)
}

func (o object) readGetRequest(m member) *getRequest {
	q := o.element(m.raw, "KeysAndAttributes")
	r := &getRequest{name: m.name, raw: q, exprs: q.readExpressions("ProjectionExpression")}
	if consistent := q.boolean("ConsistentRead"); consistent != nil {
		r.consistent = *consistent
	}
	var raws [][]byte
	raws, r.hasKeys = q.list("Keys")
	for _, raw := range raws {
		r.keys = append(r.keys, q.asAttributes(raw))
	}
	return r
}

func showKeys(keys []attributes) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = string(k.raw)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// open finds the table of a request and checks its keys.
func (r *getRequest) open(e *Engine, m moment) *Error {
	var err *Error
	if r.t, err = e.open(r.name, m); err != nil {
		return err
	}
	seen := map[place]bool{}
	for _, key := range r.keys {
		if err := r.t.key.checkKey(key.item); err != nil {
			return err
		}
		p := r.t.placeOf(key.item)
		if seen[p] {
			return invalid("Provided list of item keys contains duplicates")
		}
		seen[p] = true
		r.places = append(r.places, p)
	}
	if r.c.project != nil {
		return r.t.checkScalars(r.c.project.NestedAttrs())
	}
	return nil
}

// readBatch reads the keys table by table. Each read is by itself; a batch is no
// snapshot.
func readBatch(requests []*getRequest, capacity *string, opts Options) ([]byte, *Error) {
	var used tableUsage
	bytes := 0
	responses := []byte{'{'}
	unprocessed := map[string][]int{}
	for i, r := range requests {
		if i > 0 {
			responses = append(responses, ',')
		}
		responses = av.AppendString(responses, r.name)
		responses = append(responses, `:[`...)
		first := true
		r.t.mu.RLock()
		if r.t.dropped {
			r.t.mu.RUnlock()
			return nil, tableNotFound()
		}
		for k, p := range r.places {
			found := r.t.get(p)
			size := 0
			if found != nil {
				size = found.size
			}
			if bytes+size > maxBatchAnswer || (opts.Unprocessed != nil && opts.Unprocessed(r.t.name, r.keys[k].item)) {
				unprocessed[r.name] = append(unprocessed[r.name], k)
				continue
			}
			bytes += size
			used.of(r.t).table += readUnits(size, r.consistent)
			if found == nil {
				continue
			}
			if !first {
				responses = append(responses, ',')
			}
			first = false
			responses = r.c.shown(found.item).AppendJSON(responses)
		}
		r.t.mu.RUnlock()
		responses = append(responses, ']')
	}
	a := newAnswer()
	a.member("Responses")
	a.buf = append(append(a.buf, responses...), '}')
	a.member("UnprocessedKeys")
	a.buf = append(a.buf, '{')
	first := true
	for _, r := range requests {
		if left := unprocessed[r.name]; len(left) > 0 {
			if !first {
				a.buf = append(a.buf, ',')
			}
			first = false
			a.buf = r.appendUnprocessed(a.buf, left)
		}
	}
	a.buf = append(a.buf, '}')
	used.appendJSON(a, capacity, "")
	return a.done(), nil
}

// appendUnprocessed appends what is left of a request, so that it can be sent
// again as it is.
func (r *getRequest) appendUnprocessed(dst []byte, left []int) []byte {
	dst = av.AppendString(dst, r.name)
	dst = append(dst, `:{"Keys":[`...)
	for i, k := range left {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, r.keys[k].raw...)
	}
	dst = append(dst, ']')
	for _, m := range r.raw.members {
		if m.name != "Keys" && m.raw[0] != 'n' {
			dst = append(dst, ',')
			dst = av.AppendString(dst, m.name)
			dst = append(dst, ':')
			dst = append(dst, m.raw...)
		}
	}
	return append(dst, '}')
}

// batchWrite is one write of a batch.
type batchWrite struct {
	write
	t     *table
	place place
	raw   []byte
}

func (e *Engine) batchWriteItem(o object, opts Options) ([]byte, *Error) {
	capacity, metrics := o.str("ReturnConsumedCapacity"), o.str("ReturnItemCollectionMetrics")
	members, given := o.mapping("RequestItems", "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>")
	var c constraints
	c.enum(capacity, "returnConsumedCapacity", capacityEnum...)
	c.enum(metrics, "returnItemCollectionMetrics", metricsEnum...)
	if !given {
		c.missing("requestItems")
	} else {
		c.length("{}", "requestItems", len(members), 1, 0)
	}
	var writes []*batchWrite
	empty := false
	for _, m := range members {
		raws, _ := o.asList(m.raw)
		if len(raws) < 1 || len(raws) > maxBatchWrites {
			c.violated("{"+m.name+"="+string(m.raw)+"}", "requestItems",
				"Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]")
		}
		c.checkMapTable(m.name, "{"+m.name+"=[WriteRequest]}")
		for i, raw := range raws {
			w, one := o.readBatchWrite(raw, &c, "requestItems."+m.name+".member."+strconv.Itoa(i+1)+".member")
			w.table = m.name
			empty = empty || !one
			writes = append(writes, w)
		}
	}
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	if empty {
		return nil, invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
	}
	if len(writes) > maxBatchWrites {
		return nil, invalid("Too many items requested for the BatchWriteItem call")
	}
	for _, w := range writes {
		if err := w.content.invalid(); err != nil {
			return nil, err
		}
		if w.action == "Put" && w.content.item.Size() > maxItemSize {
			return nil, invalid("Item size has exceeded the maximum allowed size")
		}
	}
	m := e.moment()
	if err := e.openWrites(writes, m); err != nil {
		return nil, err
	}
	return writeBatch(writes, m, capacity, metrics, opts)
}

// readBatchWrite reads one WriteRequest; one is false if it is not exactly one
// put or delete.
func (o object) readBatchWrite(raw []byte, c *constraints, path string) (w *batchWrite, one bool) {
	q := o.element(raw, "WriteRequest")
	w = &batchWrite{raw: raw}
	put, isPut := q.structure("PutRequest", "PutRequest")
	del, isDelete := q.structure("DeleteRequest", "DeleteRequest")
	if isDelete {
		w.action, w.content = "Delete", del.attributes("Key")
		if !w.content.present() {
			c.missing(path + ".deleteRequest.key")
		}
	}
	if isPut {
		w.action, w.content = "Put", put.attributes("Item")
		if !w.content.present() {
			c.missing(path + ".putRequest.item")
		}
	}
	return w, isPut != isDelete
}

// spot is the place of an item among all tables.
type spot struct {
	t     *table
	place place
}

// openWrites finds the tables of a batch and checks every write of it before any
// is done.
func (e *Engine) openWrites(writes []*batchWrite, m moment) *Error {
	seen := map[spot]bool{}
	for _, w := range writes {
		var err *Error
		if w.t, err = e.open(w.table, m); err != nil {
			return err
		}
		w.t.mu.RLock()
		err = w.check(w.t)
		w.t.mu.RUnlock()
		if err != nil {
			if strings.Contains(err.Message, "Type mismatch for key") {
				return invalid(keyMismatch)
			}
			return err
		}
		w.place = w.t.placeOf(w.content.item)
		at := spot{w.t, w.place}
		if seen[at] {
			return invalid("Provided list of item keys contains duplicates")
		}
		seen[at] = true
	}
	return nil
}

// writeBatch does the writes, each by itself.
func writeBatch(writes []*batchWrite, m moment, capacity, metrics *string, opts Options) ([]byte, *Error) {
	var used tableUsage
	unprocessed := map[string][][]byte{}
	var names []string
	for _, w := range writes {
		if opts.Unprocessed != nil && opts.Unprocessed(w.t.name, w.t.keyItem(w.content.item)) {
			if unprocessed[w.table] == nil {
				names = append(names, w.table)
			}
			unprocessed[w.table] = append(unprocessed[w.table], w.raw)
			continue
		}
		w.t.mu.Lock()
		if w.t.dropped {
			w.t.mu.Unlock()
			return nil, tableNotFound()
		}
		old := w.t.get(w.place)
		var next *row
		if w.action == "Put" {
			next = newRow(w.place, w.content.item)
		}
		if wantsCapacity(capacity) {
			used.of(w.t).write(w.t, old, next, 1)
		}
		w.t.store(old, next, m)
		w.t.mu.Unlock()
	}
	a := newAnswer()
	a.member("UnprocessedItems")
	a.buf = append(a.buf, '{')
	for i, name := range names {
		if i > 0 {
			a.buf = append(a.buf, ',')
		}
		a.buf = av.AppendString(a.buf, name)
		a.buf = append(a.buf, `:[`...)
		a.buf = append(a.buf, joinRaw(unprocessed[name])...)
		a.buf = append(a.buf, ']')
	}
	a.buf = append(a.buf, '}')
	if is(metrics, "SIZE") {
		targets := make([]target, len(writes))
		tables := make([]*table, len(writes))
		for i, w := range writes {
			targets[i], tables[i] = target{w.t, w.content.item}, w.t
		}
		unlock := rlockAll(inOrder(tables))
		appendAllMetrics(a, targets)
		unlock()
	}
	used.appendJSON(a, capacity, "")
	return a.done(), nil
}

func joinRaw(raws [][]byte) []byte {
	var out []byte
	for i, raw := range raws {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, raw...)
	}
	return out
}

// target is an item, or a key, and its table.
type target struct {
	t    *table
	item av.Item
}

// appendAllMetrics appends the member ItemCollectionMetrics of an answer about
// several tables: every collection once, of tables that have local indexes. The
// tables are locked.
func appendAllMetrics(a *answer, targets []target) {
	var order []*table
	collections := map[*table][]av.Item{}
	for _, w := range targets {
		if len(w.t.local) == 0 {
			continue
		}
		hash := w.t.key.hash[0].name
		if collections[w.t] == nil {
			order = append(order, w.t)
		}
		if !slices.ContainsFunc(collections[w.t], func(it av.Item) bool { return av.Equal(it[hash], w.item[hash]) }) {
			collections[w.t] = append(collections[w.t], w.item)
		}
	}
	if len(order) == 0 {
		return
	}
	a.member("ItemCollectionMetrics")
	a.buf = append(a.buf, '{')
	for i, t := range order {
		if i > 0 {
			a.buf = append(a.buf, ',')
		}
		a.buf = av.AppendString(a.buf, t.name)
		a.buf = append(a.buf, `:[`...)
		for j, item := range collections[t] {
			if j > 0 {
				a.buf = append(a.buf, ',')
			}
			a.buf = t.appendMetrics(a.buf, item)
		}
		a.buf = append(a.buf, ']')
	}
	a.buf = append(a.buf, '}')
}
