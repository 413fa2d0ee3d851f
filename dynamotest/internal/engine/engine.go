package engine

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// Engine holds tables and answers requests. It is safe for concurrent use.
type Engine struct {
	region, account string
	now             func() time.Time
	lag             atomic.Int64
	ttlDelay        atomic.Int64
	closed          atomic.Bool

	mu     sync.RWMutex
	tables map[string]*table

	tokens tokens
}

// Config says how an engine is set up. The zero Config is a good one.
type Config struct {
	Now      func() time.Time // time.Now if nil
	Region   string           // of ARNs; "us-east-1" if empty
	Account  string           // of ARNs; "000000000000" if empty
	GSILag   time.Duration    // how long global indexes lag behind
	TTLDelay time.Duration    // how long expired items linger
}

// New returns an engine without tables.
func New(c Config) *Engine {
	e := &Engine{region: c.Region, account: c.Account, now: c.Now, tables: map[string]*table{}}
	if e.now == nil {
		e.now = time.Now
	}
	if e.region == "" {
		e.region = "us-east-1"
	}
	if e.account == "" {
		e.account = "000000000000"
	}
	e.lag.Store(int64(c.GSILag))
	e.ttlDelay.Store(int64(c.TTLDelay))
	return e
}

// Region is the region of the engine's ARNs.
func (e *Engine) Region() string { return e.region }

// SetGSILag changes how long global indexes lag behind the writes to come.
func (e *Engine) SetGSILag(lag time.Duration) { e.lag.Store(int64(lag)) }

// SettleIndexes lets every global index catch up at once.
func (e *Engine) SettleIndexes() {
	m := e.moment()
	for _, t := range e.allTables() {
		t.mu.Lock()
		t.settle(m)
		t.mu.Unlock()
	}
}

func (e *Engine) moment() moment {
	return moment{now: e.now(), lag: time.Duration(e.lag.Load()), ttlDelay: time.Duration(e.ttlDelay.Load())}
}

// allTables gives the tables by name.
func (e *Engine) allTables() []*table {
	e.mu.RLock()
	defer e.mu.RUnlock()
	list := make([]*table, 0, len(e.tables))
	for _, t := range e.tables {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *table) int { return strings.Compare(a.name, b.name) })
	return list
}

// table finds a table by its name or its ARN; nil if there is none.
func (e *Engine) table(name string) *table {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.tables[tableName(name)]
}

// open finds a table and lets it do what has become due.
func (e *Engine) open(name string, m moment) (*table, *Error) {
	t := e.table(name)
	if t == nil {
		return nil, tableNotFound()
	}
	t.catchUp(m)
	return t, nil
}

// tableName takes the name out of an ARN.
func tableName(nameOrARN string) string {
	if !strings.HasPrefix(nameOrARN, "arn:") {
		return nameOrARN
	}
	if _, name, ok := strings.Cut(nameOrARN, ":table/"); ok {
		return name
	}
	return nameOrARN
}

// Options are what a request may ask of the engine beside its operation.
type Options struct {
	// Unprocessed says that a batch is to leave one of its items undone.
	Unprocessed func(table string, key av.Item) bool
}

// operation answers one kind of request.
type operation func(e *Engine, o object, opts Options) ([]byte, *Error)

var operations = map[string]operation{
	"BatchGetItem":       (*Engine).batchGetItem,
	"BatchWriteItem":     (*Engine).batchWriteItem,
	"CreateTable":        (*Engine).createTable,
	"DeleteItem":         (*Engine).deleteItem,
	"DeleteTable":        (*Engine).deleteTable,
	"DescribeTable":      (*Engine).describeTable,
	"DescribeTimeToLive": (*Engine).describeTimeToLive,
	"GetItem":            (*Engine).getItem,
	"ListTables":         (*Engine).listTables,
	"ListTagsOfResource": (*Engine).listTagsOfResource,
	"PutItem":            (*Engine).putItem,
	"Query":              (*Engine).query,
	"Scan":               (*Engine).scan,
	"TagResource":        (*Engine).tagResource,
	"TransactGetItems":   (*Engine).transactGetItems,
	"TransactWriteItems": (*Engine).transactWriteItems,
	"UntagResource":      (*Engine).untagResource,
	"UpdateItem":         (*Engine).updateItem,
	"UpdateTable":        (*Engine).updateTable,
	"UpdateTimeToLive":   (*Engine).updateTimeToLive,
}

// Do answers one request. op is the name of the operation and body its JSON
// document; the answer is one too.
func (e *Engine) Do(op string, body []byte, opts Options) ([]byte, *Error) {
	do, ok := operations[op]
	if !ok {
		if len(body) > 0 && !json.Valid(body) { // which the service sees first
			return nil, &Error{Type: Serialization}
		}
		return nil, Unknown(op)
	}
	if e.closed.Load() {
		return nil, &Error{Type: InternalServerError, Message: "The engine has been closed", Status: 500}
	}
	if len(body) > maxRequest {
		return nil, &Error{Type: "RequestEntityTooLarge", Message: "Request size exceeded the limit of 16777216 bytes", Status: 413}
	}
	o, err := parse(body)
	if err != nil {
		return nil, err
	}
	return do(e, o, opts)
}

// newID returns a random UUID.
func newID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// Close lets go of all tables; every later request fails.
func (e *Engine) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed.Store(true)
	e.tables = map[string]*table{}
}
