package engine

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
	"github.com/tidwall/btree"
)

// table is a table with its items and indexes. The lock guards everything but
// the name and the key schema, which never change.
type table struct {
	name    string
	id      string
	created time.Time
	key     keySchema

	mu         sync.RWMutex
	dropped    bool
	attributes []attributeDefinition
	billing    string
	onDemandAt time.Time // when it last became PAY_PER_REQUEST
	units      throughput
	class      string
	protected  bool
	streamView,
	streamLabel string
	encryption *encryptionShown // nil where the service's own key is used
	onDemand   *onDemandLimits  // nil where there is none
	tags       map[string]string
	local      []*index
	global     []*index

	rows    *btree.BTreeG[*row]
	bytes   int64
	waiting []lagged // changes that global indexes have not seen, oldest first

	ttl      string // the attribute; "" where expiry is off
	expiries *btree.BTreeG[expiry]

	// due is the earliest time, in Unix nanoseconds, at which a write is to be made
	// that nobody asked for: an expiry, or a change that reaches an index. 0 is never.
	due atomic.Int64
}

// row is an item in its place. It is immutable.
type row struct {
	hash   uint64
	pk, sk string
	item   av.Item
	size   int
}

// place is where an item belongs in its table.
type place struct {
	hash   uint64
	pk, sk string
}

func rowLess(a, b *row) bool {
	if a.hash != b.hash {
		return a.hash < b.hash
	}
	if a.pk != b.pk {
		return a.pk < b.pk
	}
	return a.sk < b.sk
}

func sameRow(a, b *row) bool { return a.hash == b.hash && a.pk == b.pk && a.sk == b.sk }

// index is a secondary index. Its entries share the rows of the table.
type index struct {
	name     string
	isLocal  bool
	key      keySchema
	project  string
	included []string        // the attributes of an INCLUDE projection
	shown    map[string]bool // what is projected; nil for ALL
	units    throughput
	entries  *btree.BTreeG[*entry]
	bytes    int64
}

// entry is a row seen through an index. It is immutable.
type entry struct {
	hash   uint64
	pk, sk string
	row    *row
	size   int // of what the index projects
}

func entryLess(a, b *entry) bool {
	if a.hash != b.hash {
		return a.hash < b.hash
	}
	if a.pk != b.pk {
		return a.pk < b.pk
	}
	if a.sk != b.sk {
		return a.sk < b.sk
	}
	// A bound has no row and sorts before the entries at its key.
	if a.row == nil || b.row == nil {
		return a.row == nil && b.row != nil
	}
	return rowLess(a.row, b.row)
}

// The trees take no locks of their own: the table's covers them.
func newRows() *btree.BTreeG[*row] {
	return btree.NewBTreeGOptions(rowLess, btree.Options{NoLocks: true})
}

func newEntries() *btree.BTreeG[*entry] {
	return btree.NewBTreeGOptions(entryLess, btree.Options{NoLocks: true})
}

// indexes gives the global indexes and then the local ones, in which order the
// service checks them.
func (t *table) indexes() []*index {
	switch {
	case len(t.local) == 0:
		return t.global
	case len(t.global) == 0:
		return t.local
	}
	all := make([]*index, 0, len(t.global)+len(t.local))
	return append(append(all, t.global...), t.local...)
}

func (t *table) indexNamed(name string) *index {
	for _, x := range t.global {
		if x.name == name {
			return x
		}
	}
	for _, x := range t.local {
		if x.name == name {
			return x
		}
	}
	return nil
}

// placeOf gives the place of an item, or of a key, that has been checked.
func (t *table) placeOf(item av.Item) place {
	pk, _ := keyTextOf(item, t.key.hash)
	p := place{hash: hashOf(pk), pk: pk}
	if len(t.key.sort) > 0 {
		p.sk, _ = keyTextOf(item, t.key.sort)
	}
	return p
}

func (t *table) get(p place) *row {
	r, _ := t.rows.Get(&row{hash: p.hash, pk: p.pk, sk: p.sk})
	return r
}

func newRow(p place, item av.Item) *row {
	return &row{hash: p.hash, pk: p.pk, sk: p.sk, item: item, size: item.Size()}
}

// keyItem gives the primary key of an item.
func (t *table) keyItem(item av.Item) av.Item {
	key := make(av.Item, 2)
	for _, p := range t.key.hash {
		key[p.name] = item[p.name]
	}
	for _, p := range t.key.sort {
		key[p.name] = item[p.name]
	}
	return key
}

// store replaces one row of the table by another (either may be nil) and brings
// the indexes along; global ones follow after the lag.
func (t *table) store(old, next *row, m moment) {
	switch {
	case next != nil:
		t.rows.Set(next)
	case old != nil:
		t.rows.Delete(old)
	default:
		return
	}
	if old != nil {
		t.bytes -= int64(old.size)
	}
	if next != nil {
		t.bytes += int64(next.size)
	}
	t.follow(old, next, m)
	for _, x := range t.local {
		x.apply(old, next)
	}
	if len(t.global) == 0 {
		return
	}
	if m.lag <= 0 && len(t.waiting) == 0 {
		for _, x := range t.global {
			x.apply(old, next)
		}
		return
	}
	t.wait(old, next, m)
}

// entryOf gives the entry of a row in x, or nil where the row is not in it: it
// lacks a key attribute or, having been there before the index was, has one that
// an index key cannot have.
func (x *index) entryOf(r *row) *entry {
	if r == nil || !x.fits(r.item) {
		return nil
	}
	pk, ok := keyTextOf(r.item, x.key.hash)
	if !ok {
		return nil
	}
	e := &entry{pk: pk, row: r}
	if len(x.key.sort) > 0 {
		if e.sk, ok = keyTextOf(r.item, x.key.sort); !ok {
			return nil
		}
	}
	if x.isLocal {
		e.hash = r.hash
	} else {
		e.hash = hashOf(pk)
	}
	e.size = r.size
	if x.shown != nil {
		e.size = x.projectedSize(r.item)
	}
	return e
}

// fits says whether the key attributes of an item are not empty and not too long.
func (x *index) fits(item av.Item) bool {
	for _, p := range x.key.hash {
		if v, ok := item[p.name]; !ok || bytesOf(v) == 0 {
			return false
		}
	}
	for _, p := range x.key.sort {
		if v, ok := item[p.name]; !ok || bytesOf(v) == 0 {
			return false
		}
	}
	return x.checkSize(item) == nil
}

// apply replaces the entry of one row by that of another.
func (x *index) apply(old, next *row) {
	before, after := x.entryOf(old), x.entryOf(next)
	if before != nil && (after == nil || !sameEntry(before, after)) {
		if gone, ok := x.entries.Delete(before); ok {
			x.bytes -= int64(gone.size)
		}
	}
	if after != nil {
		if gone, ok := x.entries.Set(after); ok {
			x.bytes -= int64(gone.size)
		}
		x.bytes += int64(after.size)
	}
}

// sameEntry says that two entries have the same place.
func sameEntry(a, b *entry) bool {
	return a.hash == b.hash && a.pk == b.pk && a.sk == b.sk && sameRow(a.row, b.row)
}

// projects says whether x holds an attribute.
func (x *index) projects(attr string) bool { return x.shown == nil || x.shown[attr] }

func (x *index) projectedSize(item av.Item) int {
	size := 0
	for name := range x.shown {
		if v, ok := item[name]; ok {
			size += len(name) + v.Size()
		}
	}
	return size
}

// projected gives what x holds of an item.
func (x *index) projected(item av.Item) av.Item {
	if x.shown == nil {
		return item
	}
	part := make(av.Item, len(x.shown))
	for name := range x.shown {
		if v, ok := item[name]; ok {
			part[name] = v
		}
	}
	return part
}

// seal works out what an index projects from its definition.
func (x *index) seal(t *table) {
	if x.project == projectAll {
		return
	}
	x.shown = map[string]bool{}
	for _, p := range t.key.parts() {
		x.shown[p.name] = true
	}
	for _, p := range x.key.parts() {
		x.shown[p.name] = true
	}
	for _, name := range x.included {
		x.shown[name] = true
	}
}
