package mileage

import "iter"

// PrivateLimit is how many private kilometres a year a driver may make before the
// car counts as income.
const PrivateLimit = 500

// Report is the year of a vehicle, as the tax office wants it.
type Report struct {
	Vehicle  Plate
	Year     int
	Trips    []Trip // in the order of their start
	Business int64  // kilometres
	Private  int64
	Gaps     []Break // kilometres that no trip accounts for
	Overlaps []Break // kilometres that two trips account for
}

// Break is where the mileage of a trip does not go on from that of the trip before
// it.
type Break struct {
	Before, After TripID
	From, To      int64 // odometer; From < To
}

// LimitKept tells whether no more than PrivateLimit kilometres were private.
func (r *Report) LimitKept() bool { return r.Private <= PrivateLimit }

// NewReport makes the report of trips, which come in the order of their start.
// The first error that comes with them ends it.
func NewReport(vehicle Plate, year int, trips iter.Seq2[Trip, error]) (Report, error) {
	r := Report{Vehicle: vehicle, Year: year}
	for t, err := range trips {
		if err != nil {
			return Report{}, err
		}
		if t.Purpose == Business {
			r.Business += t.Distance()
		} else {
			r.Private += t.Distance()
		}
		if n := len(r.Trips); n > 0 {
			before := &r.Trips[n-1]
			switch end, start := before.End.Odometer, t.Start.Odometer; {
			case end < start:
				r.Gaps = append(r.Gaps, Break{before.ID, t.ID, end, start})
			case end > start:
				r.Overlaps = append(r.Overlaps, Break{before.ID, t.ID, start, end})
			}
		}
		r.Trips = append(r.Trips, t)
	}
	return r, nil
}
