// Package dynamotest is DynamoDB in the process of a test. It answers as the
// service does, and is reached through the real SDK client: its serialization,
// its errors and its retries are the ones of production. There is no socket, no
// container and nothing to install.
//
//	db := dynamotest.New(t) // a *dynamodb.Client on a fresh, empty DynamoDB
//
// # What it does
//
// Tables with local and global indexes (also those with keys of several
// attributes), items of all types, expressions whole, queries and scans with
// their pages, batches, transactions, time to live, consumed capacity and item
// collection metrics, with the service's limits, error types and messages.
// Parameters from before expressions (KeyConditions, Expected, AttributeUpdates
// and their like) are refused with a ValidationException, operations that are not
// listed at [Engine.ServeHTTP] with an UnknownOperationException.
//
// Some things are quicker than at the service: a table or an index is ACTIVE as
// soon as the answer to its creation, which still says CREATING, has been given;
// item counts are exact; an expired item is deleted as soon as the clock has
// passed its time to live. Capacity is counted but never runs out. The limit of
// 10 GB of an item collection is not enforced. What a table's definition says of
// streams, encryption and on-demand limits is described but without effect, as
// are tags.
//
// # What a test can do with it
//
// The clock is the test's: [WithClock]. Global indexes can lag behind their
// table: [WithGSILag]. Requests can be made to fail in the ways in which those of
// the service do, by operation, table, key and count, or at random from a seed:
// [Engine.Inject]. The requests that were sent can be looked at: [Engine.Requests].
//
// An engine is also an http.Handler, so that programs in other languages can use
// it: go run ./dynamotest/cmd/dynamotest.
package dynamotest

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/dynamotest/internal/engine"
)

// Engine is a DynamoDB in memory. It starts without tables, and nothing of it
// outlives it. It is safe for concurrent use.
type Engine struct {
	core   *engine.Engine
	clock  Clock
	faults faults
	record recorder
}

// An Option sets up an engine. Options are made by the functions With….
type Option struct{ apply func(*settings) }

type settings struct {
	clock    Clock
	config   engine.Config
	recorded int
	faults   []Fault
}

// WithClock makes the engine go by c instead of the time of the system.
func WithClock(c Clock) Option {
	return Option{func(s *settings) { s.clock = c }}
}

// WithGSILag makes global secondary indexes show a write only when the clock has
// moved on by d since. Without it they follow at once. See also [Engine.SetGSILag].
func WithGSILag(d time.Duration) Option {
	return Option{func(s *settings) { s.config.GSILag = d }}
}

// WithTTLDelay makes expired items stay for d after the time in their TTL
// attribute. The service deletes them within a few days; without this option the
// engine does so at once.
func WithTTLDelay(d time.Duration) Option {
	return Option{func(s *settings) { s.config.TTLDelay = d }}
}

// WithRegion sets the region that the engine's ARNs and clients have, us-east-1
// without it.
func WithRegion(region string) Option {
	return Option{func(s *settings) { s.config.Region = region }}
}

// WithFaults injects faults from the start; see [Engine.Inject].
func WithFaults(f ...Fault) Option {
	return Option{func(s *settings) { s.faults = append(s.faults, f...) }}
}

// WithRecordLimit sets how many requests the recorder keeps, the latest ones; 0
// is none. Without it, it keeps 10,000.
func WithRecordLimit(n int) Option {
	return Option{func(s *settings) { s.recorded = n }}
}

// New returns a client of a fresh engine that no other test shares. When t ends
// the engine lets go of its tables, and later requests fail.
func New(t testing.TB, opts ...Option) *dynamodb.Client {
	t.Helper()
	client, _ := NewWithEngine(t, opts...)
	return client
}

// NewWithEngine is New, and returns the engine too, for faults, the recorder and
// the lag of indexes.
func NewWithEngine(t testing.TB, opts ...Option) (*dynamodb.Client, *Engine) {
	t.Helper()
	e := NewEngine(opts...)
	t.Cleanup(e.Close)
	return e.Client(), e
}

// NewEngine returns an engine without tables.
func NewEngine(opts ...Option) *Engine {
	s := settings{clock: systemClock{}, recorded: defaultRecorded}
	for _, o := range opts {
		if o.apply != nil {
			o.apply(&s)
		}
	}
	s.config.Now = s.clock.Now
	e := &Engine{core: engine.New(s.config), clock: s.clock}
	e.record.limit = s.recorded
	for _, f := range s.faults {
		e.Inject(f)
	}
	return e
}

// Close lets go of all tables and refuses every later request with an
// InternalServerError. It may be called more than once.
func (e *Engine) Close() { e.core.Close() }

// SetGSILag changes how long global secondary indexes lag behind the writes from
// now on. A write never overtakes an earlier one.
func (e *Engine) SetGSILag(d time.Duration) { e.core.SetGSILag(d) }

// SettleIndexes makes every global secondary index show all writes until now,
// whatever the lag.
func (e *Engine) SettleIndexes() { e.core.SettleIndexes() }
