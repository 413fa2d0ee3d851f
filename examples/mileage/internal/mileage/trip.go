package mileage

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// UserID identifies a user.
type UserID string

// User is a driver.
type User struct {
	ID   UserID
	Name string
}

// Vehicle is a car that a user drives.
type Vehicle struct {
	User        UserID
	Plate       Plate
	Description string
}

// Purpose is what a trip is made for.
type Purpose string

const (
	Business Purpose = "business"
	Private  Purpose = "private"
)

// Trip is one trip of one vehicle.
type Trip struct {
	ID      TripID
	User    UserID
	Vehicle Plate
	Purpose Purpose
	Start   Stop
	End     Stop
	Version int64 // counts the changes; 0 for a trip that is not stored yet
}

// Stop is where and when a trip begins or ends. Distances are whole kilometres,
// times whole seconds in UTC.
type Stop struct {
	At       time.Time
	Odometer int64
	Place    string
}

const (
	maxOdometer = 9_999_999
	maxPlace    = 100 // characters
)

// Distance is the length of the trip in kilometres.
func (t *Trip) Distance() int64 { return t.End.Odometer - t.Start.Odometer }

// Normalize brings what may be written in several ways into one form: times in
// UTC, cut to the second, and places without space around them.
func (t *Trip) Normalize() {
	for _, s := range []*Stop{&t.Start, &t.End} {
		s.At = s.At.UTC().Truncate(time.Second)
		s.Place = strings.TrimSpace(s.Place)
	}
}

// Validate checks what the trip says. What is wrong with it is an *InvalidError
// that names every field.
func (t *Trip) Validate() error {
	var e InvalidError
	fault := func(bad bool, field, format string, args ...any) bool {
		if bad {
			e.Fields = append(e.Fields, FieldError{field, fmt.Sprintf(format, args...)})
		}
		return bad
	}
	fault(t.Vehicle == "", "vehicle", "is missing")
	fault(t.Purpose != Business && t.Purpose != Private, "purpose", "must be %s or %s", Business, Private)
	for _, s := range []struct {
		name string
		*Stop
	}{{"start", &t.Start}, {"end", &t.End}} {
		if !fault(s.At.IsZero(), s.name+".at", "is missing; give a time such as 2026-01-31T08:15:00Z") {
			fault(s.At.UTC().Year() < 1970 || s.At.UTC().Year() > 9999, s.name+".at", "must be in the years 1970 to 9999")
		}
		fault(s.Odometer < 0 || s.Odometer > maxOdometer, s.name+".km", "must be 0 to %d", maxOdometer)
		if !fault(s.Place == "", s.name+".place", "is missing") {
			fault(utf8.RuneCountInString(s.Place) > maxPlace, s.name+".place", "must have at most %d characters", maxPlace)
		}
	}
	if len(e.Fields) == 0 {
		fault(!t.End.At.After(t.Start.At), "end.at", "must be after start.at")
		fault(t.End.Odometer < t.Start.Odometer, "end.km", "must not be below start.km")
	}
	if len(e.Fields) > 0 {
		return &e
	}
	return nil
}
