package query

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// Stats is what one read did and what it cost.
//
// An item that DynamoDB evaluated was left out by the filter, or it was
// returned, skipped, expired or refused, or it was read to learn whether
// anything follows a limited page and handed to nobody.
type Stats struct {
	Requests  int // requests that were answered
	Evaluated int // items that DynamoDB read, before the filter
	Returned  int // items handed to the caller
	Skipped   int // items of other entities of the table
	Expired   int // items past their time to live that DynamoDB has not deleted yet
	Refused   int // items reported by an [ItemError]

	// Capacity is the read capacity consumed, in units of 4 KB read
	// consistently: the sum of what the table and its indexes consumed.
	Capacity      float64
	TableCapacity float64
	IndexCapacity map[string]float64 // by the name of the index; nil where none was read
}

// Add adds what another read did.
func (s *Stats) Add(o Stats) {
	s.Requests += o.Requests
	s.Evaluated += o.Evaluated
	s.Returned += o.Returned
	s.Skipped += o.Skipped
	s.Expired += o.Expired
	s.Refused += o.Refused
	s.Capacity += o.Capacity
	s.TableCapacity += o.TableCapacity
	for name, units := range o.IndexCapacity {
		s.addIndex(name, units)
	}
}

// clone gives a copy that shares no map with s.
func (s *Stats) clone() Stats {
	c := *s
	c.IndexCapacity = nil
	for name, units := range s.IndexCapacity {
		c.addIndex(name, units)
	}
	return c
}

func (s *Stats) addIndex(name string, units float64) {
	if s.IndexCapacity == nil {
		s.IndexCapacity = make(map[string]float64)
	}
	s.IndexCapacity[name] += units
}

// consumed adds what DynamoDB reports for one request. An engine that reports
// the total alone is taken to mean the table.
func (s *Stats) consumed(c *types.ConsumedCapacity) {
	if c == nil {
		return
	}
	var sum float64
	for _, indexes := range []map[string]types.Capacity{c.GlobalSecondaryIndexes, c.LocalSecondaryIndexes} {
		for name, i := range indexes {
			s.addIndex(name, units(i.CapacityUnits))
			sum += units(i.CapacityUnits)
		}
	}
	switch total := units(c.CapacityUnits); {
	case c.Table != nil:
		s.TableCapacity += units(c.Table.CapacityUnits)
		sum += units(c.Table.CapacityUnits)
	case total > sum:
		s.TableCapacity += total - sum
		sum = total
	}
	s.Capacity += sum
}

func units(u *float64) float64 {
	if u == nil {
		return 0
	}
	return *u
}
