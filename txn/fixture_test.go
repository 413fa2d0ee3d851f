package txn_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/internal/dbtest"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/txn"
)

var (
	regionKey = keys.MustCompile1("REGION#<region>", keys.String)
	orderKey  = keys.MustCompile2("STATUS#<status>#<id>", keys.String, keys.String)
	noteKey   = keys.MustCompile2("NOTE#<topic>#<id>", keys.String, keys.String)
	leaseKey  = keys.MustCompile1("LEASE#<id>", keys.String)
	jobKey    = keys.MustCompile1("JOB#<id>", keys.String)
	openKey   = keys.MustCompile1("OPEN#<id>", keys.String)
	tallyKey  = keys.Literal("TALLY")
	markedKey = keys.Literal("MARKED")
	plainKey  = keys.Literal("PLAIN")
	shelfKey  = keys.MustCompile2("SHELF#<shelf>#<id>", keys.String, keys.String)
)

// Order has every role but the time to live, and its key parts in the key alone.
type Order struct {
	Region   string    `dynamodbav:"-" key:"region"`
	Status   string    `dynamodbav:"-" key:"status"`
	ID       string    `dynamodbav:"-" key:"id"`
	Customer string    `dynamodbav:"customer"`
	Visits   int       `dynamodbav:"visits"`
	Tags     []string  `dynamodbav:"tags,stringset,omitempty"`
	Address  *Address  `dynamodbav:"address,omitempty"`
	Lines    []Line    `dynamodbav:"lines,omitempty"`
	Due      time.Time `dynamodbav:"due,unixtime,omitempty"`
	Version  int64     `dynamodbav:"version" model:"version"`
	Created  time.Time `dynamodbav:"created" model:"created"`
	Updated  time.Time `dynamodbav:"updated" model:"updated"`
	Write    string    `dynamodbav:"write" model:"write"`
}

type Address struct {
	City string `dynamodbav:"city"`
	Zip  string `dynamodbav:"zip,omitempty"`
}

type Line struct {
	SKU string `dynamodbav:"sku"`
	N   int    `dynamodbav:"n"`
}

// Note has no roles, and a key part that is stored too.
type Note struct {
	Region string         `dynamodbav:"-" key:"region"`
	Topic  string         `dynamodbav:"topic"`
	ID     string         `dynamodbav:"-" key:"id"`
	Text   string         `dynamodbav:"text"`
	Count  int            `dynamodbav:"count"`
	Labels map[string]int `dynamodbav:"labels,omitempty"`
}

// Lease has a version and expires.
type Lease struct {
	Region  string    `dynamodbav:"-" key:"region"`
	ID      string    `dynamodbav:"-" key:"id"`
	Owner   string    `dynamodbav:"owner"`
	Until   time.Time `dynamodbav:"until,unixtime" model:"ttl"`
	Version int64     `dynamodbav:"version" model:"version"`
}

// Job expires and has no version.
type Job struct {
	Region string    `dynamodbav:"-" key:"region"`
	ID     string    `dynamodbav:"-" key:"id"`
	State  string    `dynamodbav:"state"`
	Until  time.Time `dynamodbav:"until,unixtime" model:"ttl"`
}

// fixture is a table of its own with the entities of these tests and a clock
// that stands still.
type fixture struct {
	table  *model.Table
	name   string
	orders *model.Entity[Order]
	notes  *model.Entity[Note]
	leases *model.Entity[Lease]
	jobs   *model.Entity[Job]

	mu  sync.Mutex
	now time.Time
}

// noon is in the future, so that no engine deletes by its own clock what has expired
// by that of the tests.
var noon = time.Date(2126, 1, 31, 12, 0, 0, 0, time.UTC)

func newFixture(t testing.TB, name string) *fixture {
	t.Helper()
	f := &fixture{name: name, now: noon}
	f.table = model.NewTable("field-service",
		model.PrimaryKey("pk", "sk"),
		model.Clock(f.clock),
		model.NameFunc(func(context.Context) string { return name }))
	f.orders = model.MustDefine[Order](f.table, "Order", regionKey, orderKey)
	f.notes = model.MustDefine[Note](f.table, "Note", regionKey, noteKey)
	f.leases = model.MustDefine[Lease](f.table, "Lease", regionKey, leaseKey)
	f.jobs = model.MustDefine[Job](f.table, "Job", regionKey, jobKey)
	return f
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fixture) advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

func (f *fixture) order(status, id string) model.Key[Order] {
	return f.orders.Key(regionKey.Key("eu"), orderKey.Key(status, id))
}

func (f *fixture) note(topic, id string) model.Key[Note] {
	return f.notes.Key(regionKey.Key("eu"), noteKey.Key(topic, id))
}

func (f *fixture) lease(id string) model.Key[Lease] {
	return f.leases.Key(regionKey.Key("eu"), leaseKey.Key(id))
}

func (f *fixture) job(id string) model.Key[Job] {
	return f.jobs.Key(regionKey.Key("eu"), jobKey.Key(id))
}

// live is a fixture on an engine.
type live struct {
	*fixture
	db *dynamodb.Client
}

func newLive(t testing.TB) *live {
	t.Helper()
	client := dbtest.Client(t)
	f := newFixture(t, dbtest.UniqueName(t))
	dbtest.Create(t, client, f.table)
	return &live{fixture: f, db: client}
}

// raw returns what is stored at a key, nil where nothing is.
func (l *live) raw(t testing.TB, key model.Item) model.Item {
	t.Helper()
	consistent := true
	out, err := l.db.GetItem(context.Background(), &dynamodb.GetItemInput{TableName: &l.name, Key: key, ConsistentRead: &consistent})
	if err != nil {
		t.Fatalf("reading %v: %v", key, err)
	}
	return out.Item
}

// putRaw stores an item as another program would.
func (l *live) putRaw(t testing.TB, item model.Item) {
	t.Helper()
	if _, err := l.db.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: &l.name, Item: item}); err != nil {
		t.Fatalf("storing %v: %v", item, err)
	}
}

// count returns the number of items in the table.
func (l *live) all(t testing.TB) []model.Item {
	t.Helper()
	consistent := true
	var items []model.Item
	p := dynamodb.NewScanPaginator(l.db, &dynamodb.ScanInput{TableName: &l.name, ConsistentRead: &consistent})
	for p.HasMorePages() {
		page, err := p.NextPage(context.Background())
		if err != nil {
			t.Fatalf("scanning: %v", err)
		}
		items = append(items, page.Items...)
	}
	return items
}

func (l *live) commit(t testing.TB, actions ...txn.Action) {
	t.Helper()
	if err := txn.Commit(context.Background(), l.db, actions...); err != nil {
		t.Fatalf("commit: %v", err)
	}
}

// stored returns the value at a key.
func stored[T any](t testing.TB, l *live, key model.Key[T]) T {
	t.Helper()
	item := l.raw(t, key.Item())
	if item == nil {
		t.Fatalf("no item at %v", key)
	}
	v, err := key.Entity().Unmarshal(item)
	if err != nil {
		t.Fatalf("reading %v: %v", key, err)
	}
	return v
}

// at puts changes into a raw item.
func with(item model.Item, name string, v types.AttributeValue) model.Item {
	out := model.Item{}
	for n, x := range item {
		out[n] = x
	}
	if v == nil {
		delete(out, name)
	} else {
		out[name] = v
	}
	return out
}

func s(text string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: text} }
func n(number string) types.AttributeValue { return &types.AttributeValueMemberN{Value: number} }
func m(kv ...any) types.AttributeValue {
	out := map[string]types.AttributeValue{}
	for i := 0; i < len(kv); i += 2 {
		out[kv[i].(string)] = kv[i+1].(types.AttributeValue)
	}
	return &types.AttributeValueMemberM{Value: out}
}

// sameItem compares items as the service does: numbers by value, sets unordered.
var sameItem = cmp.Comparer(func(a, b types.AttributeValue) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return model.Equal(a, b)
})

// wantError fails the test unless err matches all the sentinels.
func wantError(t testing.TB, err error, sentinels ...error) *txn.Error {
	t.Helper()
	for _, want := range sentinels {
		if !errors.Is(err, want) {
			t.Fatalf("error %v, want one that is %q", err, want)
		}
	}
	var e *txn.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v is a %T, want a *txn.Error", err, err)
	}
	return e
}
