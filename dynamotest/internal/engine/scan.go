package engine

import (
	"math/bits"
	"strconv"
)

func (e *Engine) scan(o object, _ Options) ([]byte, *Error) {
	r := o.readReading("ProjectionExpression", "FilterExpression")
	segment, total := o.integer("Segment", "Integer"), o.integer("TotalSegments", "Integer")
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	var c constraints
	c.checkReading(r)
	c.atLeast(segment, "segment", 0)
	c.atMost(segment, "segment", maxTotalSegments-1)
	c.atLeast(total, "totalSegments", 1)
	c.atMost(total, "totalSegments", maxTotalSegments)
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := o.refuseLegacy("", []string{"ProjectionExpression", "FilterExpression"},
		[]string{"AttributesToGet", "ScanFilter", "ConditionalOperator"}); err != nil {
		return nil, err
	}
	if err := r.checkStartValues(); err != nil {
		return nil, err
	}
	switch {
	case segment != nil && total == nil:
		return nil, invalid("The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case segment == nil && total != nil:
		return nil, invalid("The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	case total != nil && *segment >= *total:
		return nil, invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: " +
			strconv.FormatInt(*segment, 10) + " is not less than TotalSegments: " + strconv.FormatInt(*total, 10))
	}
	var err *Error
	if r.c, err = r.exprs.compile(); err != nil {
		return nil, err
	}
	if err := r.checkSelect(""); err != nil {
		return nil, err
	}
	held, err := r.open(e)
	if held {
		defer r.t.mu.RUnlock()
	}
	if err != nil {
		return nil, err
	}
	plain := "The provided starting key is invalid"
	if r.x == nil {
		plain += ": " + keyMismatch
	}
	if err := r.checkStart(plain); err != nil {
		return nil, err
	}
	first, last := uint64(0), ^uint64(0)
	if total != nil {
		first, last = segmentOf(uint64(*segment), uint64(*total))
		if r.startRow != nil && (r.startHash() < first || r.startHash() > last) {
			return nil, invalid("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. " +
				"TotalSegments: " + strconv.FormatInt(*total, 10) + " Segment: " + strconv.FormatInt(*segment, 10))
		}
	}
	if err := r.checkProjection(); err != nil {
		return nil, err
	}
	if r.c.filter != nil {
		if err := r.t.checkScalars(r.c.filter.NestedAttrs()); err != nil {
			return nil, err
		}
	}
	r.walk(first, last)
	return r.answer(), nil
}

// segmentOf gives the hashes of one segment of a parallel scan, both included.
func segmentOf(segment, total uint64) (first, last uint64) {
	first, _ = bits.Div64(segment, 0, total)
	if segment+1 == total {
		return first, ^uint64(0)
	}
	next, _ := bits.Div64(segment+1, 0, total)
	return first, next - 1
}

func (r *reading) startHash() uint64 {
	if r.startEntry != nil {
		return r.startEntry.hash
	}
	return r.startRow.hash
}

// walk reads the partitions whose hash is in a range.
func (r *reading) walk(first, last uint64) {
	if r.x == nil {
		from := &row{hash: first}
		if r.startRow != nil {
			from = r.startRow
		}
		r.t.rows.Ascend(from, func(at *row) bool {
			if at.hash > last {
				return false
			}
			if r.startRow != nil && sameRow(at, r.startRow) {
				return true
			}
			return r.take(at, at.size)
		})
		return
	}
	from := &entry{hash: first}
	if r.startEntry != nil {
		from = r.startEntry
	}
	r.x.entries.Ascend(from, func(at *entry) bool {
		if at.hash > last {
			return false
		}
		if r.startEntry != nil && sameEntry(at, r.startEntry) {
			return true
		}
		return r.take(at.row, at.size)
	})
}
