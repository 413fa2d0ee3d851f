package dynamotest

import (
	"sync"
	"time"
)

// A Clock tells the engine what time it is: for the creation of tables, the
// expiry of items, the lag of indexes and the life of client tokens. It must be
// safe for concurrent use.
type Clock interface {
	Now() time.Time
}

// ManualClock is a clock that only moves when it is told to. The zero
// ManualClock stands at the zero time; NewClock gives one that stands elsewhere.
// It is safe for concurrent use.
type ManualClock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands at the given time.
func NewClock(now time.Time) *ManualClock { return &ManualClock{now: now} }

// Now returns the time at which the clock stands.
func (c *ManualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock by d, also backwards, and returns the new time.
func (c *ManualClock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}

// Set moves the clock to the given time.
func (c *ManualClock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }
