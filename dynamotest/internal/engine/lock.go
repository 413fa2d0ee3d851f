package engine

import (
	"cmp"
	"slices"
	"strings"
)

// Whoever locks several tables locks them in the order of their names, so that no
// two wait for each other.

// inOrder gives each table once, in the order of locking.
func inOrder(tables []*table) []*table {
	tables = slices.Clone(tables)
	slices.SortFunc(tables, func(a, b *table) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.id, b.id))
	})
	return slices.Compact(tables)
}

// lockAll locks tables that are in order.
func lockAll(tables []*table) (unlock func()) {
	for _, t := range tables {
		t.mu.Lock()
	}
	return func() {
		for _, t := range tables {
			t.mu.Unlock()
		}
	}
}

// rlockAll is lockAll for reading.
func rlockAll(tables []*table) (unlock func()) {
	for _, t := range tables {
		t.mu.RLock()
	}
	return func() {
		for _, t := range tables {
			t.mu.RUnlock()
		}
	}
}
