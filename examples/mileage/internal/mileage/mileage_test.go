package mileage

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParsePlate(t *testing.T) {
	for _, test := range []struct {
		text   string
		want   Plate // "" where it is refused
		reason string
	}{
		{"67-PK-KS", "67-PK-KS", "the canonical form is kept"},
		{"67-pk-ks", "67-PK-KS", "case is no difference"},
		{" 67-pk-KS\t", "67-PK-KS", "space around it is no part of it"},
		{"ö-ab12", "Ö-AB12", "letters are not those of English alone"},
		{"\u212a-1", "K-1", "the sign for kelvin is a K"},
		{"1234567890123456", "1234567890123456", "the longest"},
		{"12345678901234567", "", "one more"},
		{"", "", "nothing"},
		{" ", "", "nothing but space"},
		{"67 PK KS", "", "space within: whether it stands for a hyphen is not known"},
		{"AB/12", "", "it is a segment of a path"},
		{"AB\xff", "", "no UTF-8"},
	} {
		got, err := ParsePlate(test.text)
		if invalid := new(InvalidError); got != test.want || (err != nil) != (test.want == "") || err != nil && !errors.As(err, &invalid) {
			t.Errorf("ParsePlate(%q) = %q, %v; want %q (%s)", test.text, got, err, test.want, test.reason)
		}
	}
}

func TestTripID(t *testing.T) {
	now := time.Date(2026, time.January, 31, 8, 15, 0, 0, time.UTC)
	var ids []TripID
	for i := range 100 {
		ids = append(ids, NewTripID(now.Add(time.Duration(i)*time.Millisecond)))
	}
	if !slices.IsSorted(ids) {
		t.Errorf("ids made one after the other do not sort so: %v", ids)
	}
	if a, b := NewTripID(now), NewTripID(now); a == b {
		t.Errorf("two ids of one instant are both %s", a)
	}
	for _, id := range ids {
		if got, err := ParseTripID(string(id)); got != id || err != nil {
			t.Errorf("ParseTripID(%q) = %q, %v", id, got, err)
		}
	}
	for _, text := range []string{"", "1", strings.ToUpper(string(ids[0])), string(ids[0]) + "0", string(ids[0][:25]) + "z", "../trips", strings.Repeat("\xff", 26)} {
		if got, err := ParseTripID(text); !errors.Is(err, ErrNotFound) {
			t.Errorf("ParseTripID(%q) = %q, %v; want %v", text, got, err, ErrNotFound)
		}
	}
}

func aTrip(change func(*Trip)) Trip {
	t := Trip{
		ID: "t1", User: "u1", Vehicle: "67-PK-KS", Purpose: Business,
		Start: Stop{At: time.Date(2026, time.January, 31, 8, 15, 0, 0, time.UTC), Odometer: 1000, Place: "Utrecht"},
		End:   Stop{At: time.Date(2026, time.January, 31, 9, 0, 0, 0, time.UTC), Odometer: 1042, Place: "Delft"},
	}
	if change != nil {
		change(&t)
	}
	return t
}

func TestValidate(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Trip)
		want   []string // fields
	}{
		{"a whole trip", nil, nil},
		{"no distance", func(t *Trip) { t.End.Odometer = t.Start.Odometer }, nil},
		{"the least and the greatest", func(t *Trip) { t.Start.Odometer, t.End.Odometer = 0, maxOdometer }, nil},
		{"the longest place", func(t *Trip) { t.End.Place = strings.Repeat("é", maxPlace) }, nil},
		{"a longer one", func(t *Trip) { t.End.Place = strings.Repeat("é", maxPlace+1) }, []string{"end.place"}},
		{"nothing at all", func(t *Trip) { *t = Trip{} }, []string{"vehicle", "purpose", "start.at", "start.place", "end.at", "end.place"}},
		{"an unknown purpose", func(t *Trip) { t.Purpose = "fun" }, []string{"purpose"}},
		{"below zero", func(t *Trip) { t.Start.Odometer = -1 }, []string{"start.km"}},
		{"beyond the dial", func(t *Trip) { t.End.Odometer = maxOdometer + 1 }, []string{"end.km"}},
		{"an end at the start", func(t *Trip) { t.End.At = t.Start.At }, []string{"end.at"}},
		{"an end before the start", func(t *Trip) { t.End.At = t.Start.At.Add(-time.Second) }, []string{"end.at"}},
		{"a distance below zero", func(t *Trip) { t.End.Odometer = t.Start.Odometer - 1 }, []string{"end.km"}},
		{"before all years", func(t *Trip) { t.Start.At = time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC) }, []string{"start.at"}},
		{"after all years", func(t *Trip) { t.End.At = time.Date(9999, 12, 31, 23, 0, 0, 0, time.FixedZone("", -7200)) }, []string{"end.at"}},
	} {
		trip := aTrip(test.change)
		var got []string
		if err := trip.Validate(); err != nil {
			invalid := new(InvalidError)
			if !errors.As(err, &invalid) {
				t.Errorf("%s: %v is no %T", test.name, err, invalid)
				continue
			}
			for _, f := range invalid.Fields {
				got = append(got, f.Field)
				if f.Reason == "" || !strings.Contains(err.Error(), f.Field) {
					t.Errorf("%s: %q does not tell what is wrong with %s", test.name, err, f.Field)
				}
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: fields at fault (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestNormalize(t *testing.T) {
	want := aTrip(nil)
	got := aTrip(func(t *Trip) {
		t.Start.At = t.Start.At.Add(999 * time.Millisecond).In(time.FixedZone("CET", 3600))
		t.End.Place = "  Delft\n"
	})
	got.Normalize()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Normalize (-want +got):\n%s", diff)
	}
}

// drive makes trips of odometer readings: start, end, start, end …
func drive(purposes []Purpose, km ...int64) []Trip {
	var trips []Trip
	for i, p := range purposes {
		trips = append(trips, aTrip(func(t *Trip) {
			t.ID, t.Purpose = TripID('a'+rune(i)), p
			t.Start.Odometer, t.End.Odometer = km[2*i], km[2*i+1]
		}))
	}
	return trips
}

func sequence(trips []Trip, err error) iter.Seq2[Trip, error] {
	return func(yield func(Trip, error) bool) {
		for _, t := range trips {
			if !yield(t, nil) {
				return
			}
		}
		if err != nil {
			yield(Trip{}, err)
		}
	}
}

func TestReport(t *testing.T) {
	const b, p = Business, Private
	for _, test := range []struct {
		name  string
		trips []Trip
		want  Report
		kept  bool
	}{
		{"no trips", nil, Report{}, true},
		{"one after the other", drive([]Purpose{b, p, b}, 0, 10, 10, 15, 15, 35), Report{Business: 30, Private: 5}, true},
		{"a gap", drive([]Purpose{b, b}, 0, 10, 12, 20), Report{Business: 18, Gaps: []Break{{"a", "b", 10, 12}}}, true},
		{"an overlap", drive([]Purpose{b, b}, 0, 10, 7, 20), Report{Business: 23, Overlaps: []Break{{"a", "b", 7, 10}}}, true},
		{"just the limit", drive([]Purpose{p}, 0, 500), Report{Private: 500}, true},
		{"one more", drive([]Purpose{p, p}, 0, 500, 500, 501), Report{Private: 501}, false},
	} {
		test.want.Vehicle, test.want.Year, test.want.Trips = "67-PK-KS", 2026, test.trips
		got, err := NewReport("67-PK-KS", 2026, sequence(test.trips, nil))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if got.LimitKept() != test.kept {
			t.Errorf("%s: LimitKept() = %t with %d km private, want %t", test.name, got.LimitKept(), got.Private, test.kept)
		}
	}
}

func TestReportFails(t *testing.T) {
	broken := errors.New("broken")
	if got, err := NewReport("67-PK-KS", 2026, sequence(drive([]Purpose{Business}, 0, 10), broken)); err != broken {
		t.Errorf("NewReport of trips that break off = %v, %v; want %v", got, err, broken)
	}
}
