package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
	"github.com/singletable-go/singletable/dynamotest/internal/expr"
)

// reading is what Query and Scan have in common.
type reading struct {
	table, indexName          *string
	selects, capacity         *string
	consistent                bool
	limit                     *int64
	start                     attributes
	exprs                     expressions
	c                         compiled
	filterAttrs, projectAttrs []string
	t                         *table
	x                         *index // nil for the table itself
	key                       keySchema
	fetch                     bool // items are read from the table, by a local index
	whole                     bool // and answered with, rather than only filtered by
	startRow                  *row
	startEntry                *entry
	tableBytes, indexBytes    int
	fetchUnits                float64
	count, scanned, pageBytes int
	last                      *row
	items                     []byte
	wantItems                 bool
}

func (o object) readReading(takes ...string) *reading {
	r := &reading{
		table: o.str("TableName"), indexName: o.str("IndexName"),
		selects: o.str("Select"), capacity: o.str("ReturnConsumedCapacity"),
		limit: o.integer("Limit", "Integer"), start: o.attributes("ExclusiveStartKey"),
	}
	consistent := o.boolean("ConsistentRead")
	r.consistent = consistent != nil && *consistent
	r.exprs = o.readExpressions(takes...)
	return r
}

func (c *constraints) checkReading(r *reading) {
	c.enum(r.selects, "select", selectEnum...)
	c.checkIndexName(r.indexName, "indexName")
	c.enum(r.capacity, "returnConsumedCapacity", capacityEnum...)
	c.checkTableName(r.table, "tableName")
	c.atLeast(r.limit, "limit", 1)
}

// checkStartValues refuses a start key whose values are none.
func (r *reading) checkStartValues() *Error {
	err := r.start.invalid()
	if err == nil {
		return nil
	}
	// The service words what is wrong with a number or a set without saying where.
	for _, plain := range []string{"contains duplicates", "number set", "numeric value", "significant digits", "number with magnitude"} {
		if strings.Contains(err.Message, plain) {
			return err
		}
	}
	return invalid("The provided starting key is invalid: " + err.Message)
}

// checkSelect refuses a Select that does not fit the other parameters. prefix is
// what Query, unlike Scan, puts before one of the messages.
func (r *reading) checkSelect(prefix string) *Error {
	if r.selects == nil {
		return nil
	}
	projected := r.exprs.project != nil
	switch s := *r.selects; {
	case s == "COUNT" && projected:
		return invalid("Cannot specify the ProjectionExpression when choosing to get only the Count")
	case s == "ALL_ATTRIBUTES" && projected, s == "ALL_PROJECTED_ATTRIBUTES" && projected:
		return invalid("Cannot specify the ProjectionExpression when choosing to get " + s)
	case s == "SPECIFIC_ATTRIBUTES" && !projected:
		return invalid(prefix + "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	case s == "ALL_PROJECTED_ATTRIBUTES" && r.indexName == nil:
		return invalid("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")
	}
	return nil
}

// open finds the table and the index and checks what the index allows. The caller
// holds the lock of the table afterwards and must release it, also after an error
// where held is true.
func (r *reading) open(e *Engine) (held bool, err *Error) {
	if r.t, err = e.open(*r.table, e.moment()); err != nil {
		return false, err
	}
	t := r.t
	t.mu.RLock()
	if t.dropped {
		return true, tableNotFound()
	}
	r.key = t.key
	r.wantItems = !is(r.selects, "COUNT")
	if r.c.filter != nil {
		r.filterAttrs = r.c.filter.TopLevelAttrs()
	}
	if r.c.project != nil {
		r.projectAttrs = r.c.project.TopLevelAttrs()
	}
	if r.indexName == nil {
		return true, nil
	}
	if r.x = t.indexNamed(*r.indexName); r.x == nil {
		return true, invalid("The table does not have the specified index: " + *r.indexName)
	}
	r.key = r.x.key
	if !r.x.isLocal && r.consistent {
		return true, invalid("Consistent reads are not supported on global secondary indexes")
	}
	return true, nil
}

// checkProjection refuses attributes that a global index does not hold, and has
// a local one fetch them.
func (r *reading) checkProjection() *Error {
	if r.c.project != nil {
		if err := r.t.checkScalars(r.c.project.NestedAttrs()); err != nil {
			return err
		}
	}
	x := r.x
	if x == nil || x.shown == nil {
		return nil
	}
	if is(r.selects, "ALL_ATTRIBUTES") {
		if !x.isLocal {
			return badParam("Select type ALL_ATTRIBUTES is not supported for global secondary index " + x.name + " because its projection type is not ALL")
		}
		r.fetch, r.whole = true, true
	}
	var absent []string
	for _, attr := range r.projectAttrs {
		if !x.projects(attr) {
			absent = append(absent, attr)
		}
	}
	if len(absent) > 0 {
		if !x.isLocal {
			slices.Sort(absent)
			return badParam("Global secondary index " + x.name + " does not project [" + strings.Join(absent, ", ") + "]")
		}
		r.fetch, r.whole = true, true
	}
	if x.isLocal {
		for _, attr := range r.filterAttrs {
			r.fetch = r.fetch || !x.projects(attr)
		}
	}
	return nil
}

// startNames gives how many attributes a start key must have: the index's keys
// and the table's, each once.
func (r *reading) startNames() int {
	n := len(r.t.key.parts())
	if r.x != nil {
		for _, p := range r.x.key.parts() {
			if !r.t.key.has(p.name) {
				n++
			}
		}
	}
	return n
}

// checkStart checks a start key and finds its place. plain is what is said of one
// with attributes too many or too few.
func (r *reading) checkStart(plain string) *Error {
	if !r.start.present() {
		return nil
	}
	key := r.start.item
	if len(key) != r.startNames() {
		return invalid(plain)
	}
	if r.x != nil {
		for _, p := range r.x.key.parts() {
			v, ok := key[p.name]
			if !ok {
				return invalid("The provided starting key is invalid")
			}
			if r.t.key.has(p.name) {
				continue
			}
			if v.Kind() != p.kind {
				return invalid(keyMismatch)
			}
		}
		if err := r.x.key.checkKeyValues(key); err != nil {
			return err
		}
	}
	own := r.t.keyItem(key)
	for name, v := range own {
		if !v.IsValid() {
			delete(own, name)
		}
	}
	if err := r.t.key.checkKey(own); err != nil {
		return invalid("The provided starting key is invalid: " + err.Message)
	}
	p := r.t.placeOf(key)
	r.startRow = &row{hash: p.hash, pk: p.pk, sk: p.sk, item: key}
	if r.x != nil {
		r.startEntry = r.x.entryOf(r.startRow)
		if r.startEntry == nil {
			return invalid("The provided starting key is invalid")
		}
	}
	return nil
}

// take evaluates one item of the page and says whether the page goes on.
func (r *reading) take(stored *row, size int) bool {
	if r.full() {
		return false
	}
	r.scanned++
	r.last = stored
	seen, shown := stored.item, stored.item
	if r.x != nil {
		r.indexBytes += size
		if !r.whole {
			shown = r.x.projected(stored.item)
		}
		if r.fetch {
			r.fetchUnits += readUnits(stored.size, r.consistent)
			size = stored.size
		} else {
			seen = shown
		}
	} else {
		r.tableBytes += size
	}
	r.pageBytes += size
	if r.c.filter == nil || r.c.filter.Eval(seen) {
		r.count++
		if r.wantItems {
			if r.count > 1 {
				r.items = append(r.items, ',')
			}
			r.items = r.c.shown(shown).AppendJSON(r.items)
		}
	}
	return true
}

// full says whether the page is: at its limit, or at 1 MB with the item that
// passes it.
func (r *reading) full() bool {
	return (r.limit != nil && int64(r.scanned) >= *r.limit) || r.pageBytes >= maxPage
}

// answer builds the answer from what take has gathered. A page that is full has
// a LastEvaluatedKey, even where nothing follows.
func (r *reading) answer() []byte {
	a := newAnswer()
	if r.wantItems {
		a.member("Items")
		a.buf = append(a.buf, '[')
		a.buf = append(a.buf, r.items...)
		a.buf = append(a.buf, ']')
	}
	a.member("Count")
	a.buf = strconv.AppendInt(a.buf, int64(r.count), 10)
	a.member("ScannedCount")
	a.buf = strconv.AppendInt(a.buf, int64(r.scanned), 10)
	if r.last != nil && r.full() {
		a.member("LastEvaluatedKey")
		key := r.t.keyItem(r.last.item)
		if r.x != nil {
			for _, p := range r.x.key.parts() {
				key[p.name] = r.last.item[p.name]
			}
		}
		a.buf = key.AppendJSON(a.buf)
	}
	if wantsCapacity(r.capacity) {
		a.member("ConsumedCapacity")
		u := r.usage()
		a.buf = u.appendJSON(a.buf, r.t.name, *r.capacity, "")
	}
	return a.done()
}

func (r *reading) usage() usage {
	if r.x == nil {
		return usage{table: readUnits(r.tableBytes, r.consistent)}
	}
	u := usage{table: r.fetchUnits}
	u.addIndex(r.x, readUnits(r.indexBytes, r.consistent))
	return u
}

func (e *Engine) query(o object, _ Options) ([]byte, *Error) {
	r := o.readReading("ProjectionExpression", "FilterExpression", "KeyConditionExpression")
	forward := o.boolean("ScanIndexForward")
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	var c constraints
	c.checkReading(r)
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := o.refuseLegacy("", []string{"ProjectionExpression", "FilterExpression", "KeyConditionExpression"},
		[]string{"AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"}); err != nil {
		return nil, err
	}
	if err := r.checkStartValues(); err != nil {
		return nil, err
	}
	if r.exprs.key == nil {
		if _, err := r.exprs.params(); err != nil {
			return nil, err
		}
		return nil, invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	}
	var err *Error
	if r.c, err = r.exprs.compile(); err != nil {
		return nil, err
	}
	if err := r.checkSelect(oneViolation); err != nil {
		return nil, err
	}
	held, err := r.open(e)
	if held {
		defer r.t.mu.RUnlock()
	}
	if err != nil {
		return nil, err
	}
	span, err := r.span()
	if err != nil {
		return nil, err
	}
	if err := r.checkStart("The provided starting key is invalid"); err != nil {
		return nil, err
	}
	if err := span.admits(r); err != nil {
		return nil, err
	}
	if err := r.checkFilter(); err != nil {
		return nil, err
	}
	if err := r.checkProjection(); err != nil {
		return nil, err
	}
	if r.c.filter != nil {
		if err := r.t.checkScalars(r.c.filter.NestedAttrs()); err != nil {
			return nil, err
		}
	}
	if forward == nil || *forward {
		r.ascend(span)
	} else {
		r.descend(span)
	}
	return r.answer(), nil
}

// checkFilter refuses a filter on the key of what is queried.
func (r *reading) checkFilter() *Error {
	for _, p := range r.key.parts() {
		if slices.Contains(r.filterAttrs, p.name) {
			return invalid("Filter Expression can only contain non-primary key attributes: Primary key attribute: " + p.name)
		}
	}
	return nil
}

// span is the part of one partition that a query reads: lo <= sort key < hi, as
// ordered text.
type span struct {
	hash   uint64
	pk     string
	lo, hi string
	ranged bool // a condition on the sort key was given
}

func (s span) holds(sk string) bool { return s.lo <= sk && sk < s.hi }

// span works out what the key condition selects and refuses the conditions that
// cannot be answered by a key.
func (r *reading) span() (span, *Error) {
	terms := r.c.key.Terms
	find := func(attr string) *expr.KeyTerm {
		for i := range terms {
			if terms[i].Attr == attr {
				return &terms[i]
			}
		}
		return nil
	}
	native := len(r.key.hash) > 1 || len(r.key.sort) > 1
	if !native && len(terms) > 2 {
		return span{}, invalid("Conditions can be of length 1 or 2 only")
	}
	if len(r.key.sort) == 0 && len(terms) > len(r.key.hash) {
		return span{}, invalid("Query key condition not supported")
	}
	hash := make([]av.Value, 0, len(r.key.hash))
	for _, p := range r.key.hash {
		term := find(p.name)
		if term == nil {
			return span{}, missedKey(p.name)
		}
		if err := checkOperands(*term, p); err != nil {
			return span{}, err
		}
		if term.Op != expr.EQ {
			return span{}, invalid("Query key condition not supported")
		}
		hash = append(hash, term.Args[0])
	}
	var equal []av.Value
	var last *expr.KeyTerm
	used := len(hash)
	for i, p := range r.key.sort {
		if used == len(terms) {
			break
		}
		term := find(p.name)
		if term == nil || last != nil {
			return span{}, missedKey(r.key.sort[i].name)
		}
		if err := checkOperands(*term, p); err != nil {
			return span{}, err
		}
		used++
		if term.Op == expr.EQ {
			equal = append(equal, term.Args[0])
		} else {
			last = term
		}
	}
	if used < len(terms) {
		return span{}, invalid("Query key condition not supported")
	}
	if err := checkKeySize(hash, equal, last); err != nil {
		return span{}, err
	}
	s := span{pk: joinKey(hash), ranged: len(equal) > 0 || last != nil}
	s.hash = hashOf(s.pk)
	s.lo, s.hi = bounds(equal, last, len(r.key.sort))
	return s, nil
}

func missedKey(attr string) *Error {
	return invalid("Query condition missed key schema element: " + attr)
}

// checkOperands refuses operands that the key attribute cannot have.
func checkOperands(term expr.KeyTerm, p keyPart) *Error {
	for _, v := range term.Args {
		if v.Kind() != p.kind {
			return badParam("Condition parameter type does not match schema type")
		}
	}
	for _, v := range term.Args {
		if bytesOf(v) == 0 {
			return emptyKey(p.kind, p.name)
		}
	}
	return nil
}

func checkKeySize(hash, equal []av.Value, last *expr.KeyTerm) *Error {
	size := 0
	for _, v := range hash {
		size += bytesOf(v)
	}
	if size > maxHashKey {
		return badParam("Size of hashkey has exceeded the maximum size limit of2048 bytes")
	}
	size = 0
	for _, v := range equal {
		size += bytesOf(v)
	}
	if last != nil {
		longest := 0
		for _, v := range last.Args {
			longest = max(longest, bytesOf(v))
		}
		size += longest
	}
	if size > maxSortKey {
		return badParam("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}

// edges are the ordered texts at the edges of one value of the last sort key
// attribute that has a condition: where the value begins, where it is passed,
// and the same for everything that begins with it.
type edges struct{ at, above, begins, beyond string }

// bounds gives the range of ordered texts for sort keys that begin with the equal
// values and meet the last condition (nil for none). parts is how many attributes
// the sort key has.
func bounds(equal []av.Value, last *expr.KeyTerm, parts int) (lo, hi string) {
	if parts <= 1 {
		// The text after s is s and a zero byte.
		edgesOf := func(v av.Value) edges {
			s := keyText(v)
			return edges{s, s + "\x00", s, afterPrefix(s)}
		}
		switch {
		case len(equal) == 1:
			only := edgesOf(equal[0])
			return only.at, only.above
		case last != nil:
			return lastBounds(*last, "", lastSort, edgesOf)
		}
		return "", lastSort
	}
	var prefix string
	for _, v := range equal {
		prefix += escapeKey(keyText(v)) + terminator
	}
	end := lastSort
	if prefix != "" {
		end = afterPrefix(prefix)
	}
	if last == nil {
		return prefix, end
	}
	return lastBounds(*last, prefix, end, func(v av.Value) edges {
		s := prefix + escapeKey(keyText(v))
		return edges{s + terminator, afterPrefix(s + terminator), s, afterPrefix(s)}
	})
}

// lastBounds narrows the range lo, hi by the operator of the last condition.
func lastBounds(term expr.KeyTerm, lo, hi string, edgesOf func(av.Value) edges) (string, string) {
	first := edgesOf(term.Args[0])
	switch term.Op {
	case expr.LT:
		return lo, first.at
	case expr.LE:
		return lo, first.above
	case expr.GT:
		return first.above, hi
	case expr.GE:
		return first.at, hi
	case expr.BETWEEN:
		return first.at, edgesOf(term.Args[1]).above
	}
	return first.begins, first.beyond
}

// admits refuses a start key outside of the span.
func (s span) admits(r *reading) *Error {
	if r.startRow == nil {
		return nil
	}
	hash, pk, sk := r.startRow.hash, r.startRow.pk, r.startRow.sk
	if r.startEntry != nil {
		hash, pk, sk = r.startEntry.hash, r.startEntry.pk, r.startEntry.sk
	}
	same := hash == s.hash && pk == s.pk
	switch {
	case s.ranged && !s.holds(sk):
		return invalid("The provided starting key does not match the range key predicate")
	case s.ranged && !same:
		return invalid("The query can return at most one row and cannot be restarted")
	case !same:
		return invalid("The provided starting key is outside query boundaries based on provided conditions")
	}
	return nil
}

func (r *reading) ascend(s span) {
	if r.x == nil {
		from := &row{hash: s.hash, pk: s.pk, sk: s.lo}
		if r.startRow != nil {
			from = r.startRow
		}
		r.t.rows.Ascend(from, func(at *row) bool {
			if at.hash != s.hash || at.pk != s.pk || at.sk >= s.hi {
				return false
			}
			if r.startRow != nil && sameRow(at, r.startRow) {
				return true
			}
			return r.take(at, at.size)
		})
		return
	}
	from := &entry{hash: s.hash, pk: s.pk, sk: s.lo}
	if r.startEntry != nil {
		from = r.startEntry
	}
	r.x.entries.Ascend(from, func(at *entry) bool {
		if at.hash != s.hash || at.pk != s.pk || at.sk >= s.hi {
			return false
		}
		if r.startEntry != nil && sameEntry(at, r.startEntry) {
			return true
		}
		return r.take(at.row, at.size)
	})
}

func (r *reading) descend(s span) {
	if r.x == nil {
		from := &row{hash: s.hash, pk: s.pk, sk: s.hi}
		if r.startRow != nil {
			from = r.startRow
		}
		r.t.rows.Descend(from, func(at *row) bool {
			if at.sk >= s.hi && at.hash == s.hash && at.pk == s.pk {
				return true // the bound itself, which is not included
			}
			if at.hash != s.hash || at.pk != s.pk || at.sk < s.lo {
				return false
			}
			if r.startRow != nil && sameRow(at, r.startRow) {
				return true
			}
			return r.take(at, at.size)
		})
		return
	}
	from := &entry{hash: s.hash, pk: s.pk, sk: s.hi}
	if r.startEntry != nil {
		from = r.startEntry
	}
	r.x.entries.Descend(from, func(at *entry) bool {
		if at.hash != s.hash || at.pk != s.pk || at.sk < s.lo {
			return false
		}
		if r.startEntry != nil && sameEntry(at, r.startEntry) {
			return true
		}
		return r.take(at.row, at.size)
	})
}
