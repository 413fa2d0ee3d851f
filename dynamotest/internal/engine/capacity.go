package engine

import (
	"maps"
	"slices"
	"strconv"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// usage adds up the capacity units of one table in one operation.
type usage struct {
	table  float64
	local  map[string]float64
	global map[string]float64
}

func (u *usage) addIndex(x *index, units float64) {
	at := &u.global
	if x.isLocal {
		at = &u.local
	}
	if *at == nil {
		*at = map[string]float64{}
	}
	(*at)[x.name] += units
}

func (u *usage) total() float64 {
	sum := u.table
	for _, units := range u.local {
		sum += units
	}
	for _, units := range u.global {
		sum += units
	}
	return sum
}

// readUnits is what reading so many bytes costs: a unit for 4 KB, half of it
// where the read is eventually consistent, and never nothing.
func readUnits(bytes int, consistent bool) float64 {
	units := float64(max(1, (bytes+4095)/4096))
	if !consistent {
		units /= 2
	}
	return units
}

// writeUnits is what writing so many bytes costs: a unit for 1 KB.
func writeUnits(bytes int) float64 { return float64(max(1, (bytes+1023)/1024)) }

// rowUnits is what replacing one row by another costs in the table.
func rowUnits(old, next *row) float64 {
	size := 0
	if old != nil {
		size = old.size
	}
	if next != nil {
		size = max(size, next.size)
	}
	return writeUnits(size)
}

// writeUnits is what replacing one row by another costs in the index: an entry
// that comes or goes once, one that moves twice, one whose projected attributes
// change once, and nothing where the index sees no difference.
func (x *index) writeUnits(old, next *row) float64 {
	before, after := x.entryOf(old), x.entryOf(next)
	switch {
	case before == nil && after == nil:
		return 0
	case before == nil:
		return writeUnits(after.size)
	case after == nil:
		return writeUnits(before.size)
	case before.pk != after.pk || before.sk != after.sk:
		return writeUnits(before.size) + writeUnits(after.size)
	case x.sameProjection(old.item, next.item):
		return 0
	}
	return writeUnits(max(before.size, after.size))
}

func (x *index) sameProjection(a, b av.Item) bool {
	if x.shown == nil {
		return maps.EqualFunc(a, b, av.Equal)
	}
	for name := range x.shown {
		v, inA := a[name]
		w, inB := b[name]
		if inA != inB || (inA && !av.Equal(v, w)) {
			return false
		}
	}
	return true
}

// write adds what one change costs; factor is 2 in a transaction, for the table's
// part alone.
func (u *usage) write(t *table, old, next *row, factor float64) {
	u.table += factor * rowUnits(old, next)
	for _, x := range t.indexes() {
		if units := x.writeUnits(old, next); units > 0 {
			u.addIndex(x, units)
		}
	}
}

// How much of the consumed capacity an operation reports.
const (
	capacityNone    = "NONE"
	capacityTotal   = "TOTAL"
	capacityIndexes = "INDEXES"
)

// wantsCapacity says whether consumed capacity is asked for.
func wantsCapacity(asked *string) bool { return asked != nil && *asked != capacityNone }

// appendJSON appends a ConsumedCapacity. split names the member that a
// transaction gives beside each CapacityUnits; "" for none.
func (u *usage) appendJSON(dst []byte, tableName, asked, split string) []byte {
	dst = append(dst, `{"TableName":`...)
	dst = av.AppendString(dst, tableName)
	dst = append(dst, ',')
	dst = appendUnits(dst, u.total(), split)
	if asked == capacityIndexes {
		dst = append(dst, `,"Table":{`...)
		dst = appendUnits(dst, u.table, split)
		dst = append(dst, '}')
		dst = appendIndexUnits(dst, "LocalSecondaryIndexes", u.local, split)
		dst = appendIndexUnits(dst, "GlobalSecondaryIndexes", u.global, split)
	}
	return append(dst, '}')
}

func appendIndexUnits(dst []byte, name string, units map[string]float64, split string) []byte {
	if len(units) == 0 {
		return dst
	}
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	dst = append(dst, `":{`...)
	for i, index := range slices.Sorted(maps.Keys(units)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = av.AppendString(dst, index)
		dst = append(dst, `:{`...)
		dst = appendUnits(dst, units[index], split)
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

func appendUnits(dst []byte, units float64, split string) []byte {
	dst = append(dst, `"CapacityUnits":`...)
	dst = appendFloat(dst, units)
	if split != "" {
		dst = append(dst, `,"`...)
		dst = append(dst, split...)
		dst = append(dst, `":`...)
		dst = appendFloat(dst, units)
	}
	return dst
}

// appendFloat writes a number as the service does, always with a fraction.
func appendFloat(dst []byte, f float64) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	for _, b := range dst[start:] {
		if b == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}
