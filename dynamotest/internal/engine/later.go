package engine

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
	"github.com/tidwall/btree"
)

// What happens later by itself: global indexes that lag behind their table, and
// items whose time to live runs out. Both are done by the next operation on the
// table once their time has come, before it does its own work; nothing runs in
// the background, so the clock of a test decides.

// lagged is a change of the table that its global indexes have not seen.
type lagged struct {
	at        time.Time
	old, next *row
}

// expiry is the time to live of one row, in Unix seconds.
type expiry struct {
	at  int64
	row *row
}

func expiryLess(a, b expiry) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.row == nil || b.row == nil {
		return a.row == nil && b.row != nil
	}
	return rowLess(a.row, b.row)
}

func newExpiries() *btree.BTreeG[expiry] {
	return btree.NewBTreeGOptions(expiryLess, btree.Options{NoLocks: true})
}

// wait puts a change in the queue of the global indexes. Changes keep their order
// even if the lag has become shorter.
func (t *table) wait(old, next *row, m moment) {
	at := m.now.Add(m.lag)
	if n := len(t.waiting); n > 0 && at.Before(t.waiting[n-1].at) {
		at = t.waiting[n-1].at
	}
	t.waiting = append(t.waiting, lagged{at, old, next})
	t.schedule(m)
}

// follow keeps the expiries of the table in step with its rows.
func (t *table) follow(old, next *row, m moment) {
	if t.ttl == "" {
		return
	}
	if at, ok := expiresAt(old, t.ttl); ok {
		t.expiries.Delete(expiry{at, old})
	}
	if at, ok := expiresAt(next, t.ttl); ok {
		t.expiries.Set(expiry{at, next})
	}
	t.schedule(m)
}

// expiresAt reads the time to live of a row: a number, in Unix seconds. What is
// no number never expires.
func expiresAt(r *row, attr string) (int64, bool) {
	if r == nil {
		return 0, false
	}
	v, ok := r.item[attr]
	if !ok || v.Kind() != av.N {
		return 0, false
	}
	whole, _, _ := strings.Cut(v.Number().String(), ".")
	at, err := strconv.ParseInt(whole, 10, 64)
	return at, err == nil
}

// tooOld is how long an item may have been expired to be deleted still; the
// service leaves what is older alone, so that a wrong unit does not empty a table.
const tooOld = 5 * 365 * 24 * time.Hour

// moment is when an operation happens, and how far behind things may be then.
type moment struct {
	now      time.Time
	lag      time.Duration // of global indexes
	ttlDelay time.Duration // from the expiry of an item to its deletion
}

// schedule works out when the table next has something to do.
func (t *table) schedule(m moment) {
	due := int64(math.MaxInt64)
	if len(t.waiting) > 0 {
		due = t.waiting[0].at.UnixNano()
	}
	if t.ttl != "" {
		t.expiries.Ascend(expiry{at: m.now.Add(-tooOld).Unix()}, func(e expiry) bool {
			if e.at < math.MaxInt64/int64(time.Second) {
				due = min(due, time.Unix(e.at, 1).Add(m.ttlDelay).UnixNano())
			}
			return false
		})
	}
	if due == math.MaxInt64 {
		due = 0
	}
	t.due.Store(due)
}

// catchUp does what has become due. It is called without the lock.
func (t *table) catchUp(m moment) {
	due := t.due.Load()
	if due == 0 || m.now.UnixNano() < due {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire(m)
	t.catchUpIndexes(m.now)
	t.schedule(m)
}

func (t *table) catchUpIndexes(now time.Time) {
	done := 0
	for done < len(t.waiting) && !t.waiting[done].at.After(now) {
		for _, x := range t.global {
			x.apply(t.waiting[done].old, t.waiting[done].next)
		}
		done++
	}
	t.waiting = t.waiting[done:]
	if len(t.waiting) == 0 {
		t.waiting = nil
	}
}

// expire deletes what is past its time to live, by more than the delay.
func (t *table) expire(m moment) {
	if t.ttl == "" {
		return
	}
	var gone []*row
	t.expiries.Ascend(expiry{at: m.now.Add(-tooOld).Unix()}, func(e expiry) bool {
		if !m.now.Add(-m.ttlDelay).After(time.Unix(e.at, 0)) {
			return false
		}
		gone = append(gone, e.row)
		return true
	})
	for _, r := range gone {
		t.store(r, nil, m)
	}
}

// settle lets the global indexes catch up at once, whatever their lag. The caller
// holds the lock.
func (t *table) settle(m moment) {
	for _, w := range t.waiting {
		for _, x := range t.global {
			x.apply(w.old, w.next)
		}
	}
	t.waiting = nil
	t.schedule(m)
}
