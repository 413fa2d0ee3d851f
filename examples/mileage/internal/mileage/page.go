package mileage

import "time"

// AnyVersion stands for whatever version a trip has.
const AnyVersion = 0

// Period is the time from From to just before To. A zero From or To is no limit.
type Period struct {
	From, To time.Time
}

// Listing says which page of which list is wanted: the trips that start in the period,
// the oldest first or the newest, at most Limit of them, where Cursor stands; "" is the
// first page.
type Listing struct {
	Period
	Newest bool
	Cursor string
	Limit  int
}

// Page is a part of a list. Next and Prev are the cursors of the pages after and
// before it, "" where there is none.
type Page struct {
	Trips      []Trip
	Next, Prev string
}
