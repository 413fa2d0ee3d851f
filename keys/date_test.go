package keys

import (
	"encoding/json"
	"errors"
	"testing"
	"time"
	_ "time/tzdata" // for zones in which midnight is skipped

	"pgregory.net/rapid"
)

func TestParseDate(t *testing.T) {
	tests := []struct {
		text   string
		want   Date
		ok     bool
		reason string
	}{
		{"2026-01-31", Date{2026, 1, 31}, true, "a day"},
		{"2024-02-29", Date{2024, 2, 29}, true, "a leap year"},
		{"2000-02-29", Date{2000, 2, 29}, true, "a century that is one"},
		{"0000-01-01", Date{0, 1, 1}, true, "the first year that is written"},
		{"9999-12-31", Date{9999, 12, 31}, true, "the last one"},
		{"1900-02-29", Date{}, false, "a century that is none"},
		{"2026-02-29", Date{}, false, "no leap year"},
		{"2026-13-01", Date{}, false, "no such month"},
		{"2026-00-01", Date{}, false, "month 0"},
		{"2026-01-00", Date{}, false, "day 0"},
		{"2026-01-32", Date{}, false, "no such day"},
		{"0000-00-00", Date{}, false, "the zero Date is no day"},
		{"", Date{}, false, "nothing"},
		{"2026-1-31", Date{}, false, "one digit"},
		{"26-01-31", Date{}, false, "two digits"},
		{"12026-01-31", Date{}, false, "five digits"},
		{"2026/01/31", Date{}, false, "slashes"},
		{"2026-01-31 ", Date{}, false, "a space behind"},
		{"2026-01-31T00:00:00Z", Date{}, false, "an instant"},
		{"+026-01-31", Date{}, false, "a sign"},
		{"202６-01-3", Date{}, false, "a digit of another script"},
	}
	for _, tt := range tests {
		got, err := ParseDate(tt.text)
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("ParseDate(%q) = %v, %v; want %v (%s)", tt.text, got, err, tt.want, tt.reason)
		}
		var e *Error
		if !tt.ok && (!errors.As(err, &e) || e.Value != tt.text || !errors.Is(err, ErrValue)) {
			t.Errorf("ParseDate(%q): %#v (%s)", tt.text, err, tt.reason)
		}
	}
}

func TestDateIsCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(-719528, 2932896).Draw(t, "days since 1970")
		at := time.Unix(int64(n)*86400, 0).UTC()
		d := DateOf(at)
		if d.String() != at.Format(time.DateOnly) || !d.IsValid() || d.In(time.UTC) != at {
			t.Fatalf("%v is %v", at, d)
		}
		if parsed, err := ParseDate(d.String()); parsed != d || err != nil {
			t.Fatalf("ParseDate(%v) = %v, %v", d, parsed, err)
		}
		k := rapid.IntRange(-1000, 1000).Draw(t, "days")
		e := d.AddDays(k)
		if got := e.In(time.UTC).Sub(at); got != time.Duration(k)*24*time.Hour {
			t.Fatalf("%v and %d days: %v", d, k, e)
		}
		if got := e.Compare(d); got != at.AddDate(0, 0, k).Compare(at) {
			t.Fatalf("%v.Compare(%v) = %d", e, d, got)
		}
	})
}

func TestDateOfIsLocal(t *testing.T) {
	at := time.Date(2026, 8, 22, 1, 0, 0, 0, time.FixedZone("Tokyo", 9*3600))
	if got := DateOf(at); got != (Date{2026, 8, 22}) {
		t.Errorf("in its own zone: %v", got)
	}
	if got := DateOf(at.UTC()); got != (Date{2026, 8, 21}) {
		t.Errorf("in UTC: %v", got)
	}
}

// A day begins where its first instant is, also where the clocks skip midnight.
func TestDateInZones(t *testing.T) {
	tests := []struct {
		zone   string
		day    Date
		want   string
		reason string
	}{
		{"UTC", Date{2026, 1, 31}, "2026-01-31T00:00:00Z", "midnight"},
		{"Asia/Tokyo", Date{2026, 1, 31}, "2026-01-31T00:00:00+09:00", "midnight there"},
		{"America/Sao_Paulo", Date{2018, 11, 4}, "2018-11-04T01:00:00-02:00", "midnight is skipped, west"},
		{"Asia/Beirut", Date{2022, 3, 27}, "2022-03-27T01:00:00+03:00", "midnight is skipped, east"},
		{"America/Havana", Date{2023, 11, 5}, "2023-11-05T00:00:00-04:00", "midnight comes twice"},
		{"Pacific/Apia", Date{2011, 12, 30}, "2011-12-31T00:00:00+14:00", "the whole day is skipped"},
		{"Europe/Berlin", Date{2026, 2, 30}, "2026-03-02T00:00:00+01:00", "a day that the calendar does not have goes on counting"},
	}
	for _, tt := range tests {
		loc, err := time.LoadLocation(tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := tt.day.In(loc).Format(time.RFC3339); got != tt.want {
			t.Errorf("%v in %s begins at %s, want %s (%s)", tt.day, tt.zone, got, tt.want, tt.reason)
		}
	}
	if got, want := (Date{2026, 1, 31}).In(nil), time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC); got != want {
		t.Errorf("without a zone the day begins at %v, want %v", got, want)
	}
}

func TestZeroDate(t *testing.T) {
	var d Date
	if !d.IsZero() || d.IsValid() || d.AddDays(500) != d || d.String() != "0000-00-00" {
		t.Errorf("the zero Date is a day: %v", d.AddDays(500))
	}
	if text, err := d.MarshalText(); len(text) != 0 || err != nil {
		t.Errorf("MarshalText: %q, %v", text, err)
	}
	d = Date{2026, 1, 31}
	if err := d.UnmarshalText(nil); err != nil || !d.IsZero() {
		t.Errorf("UnmarshalText of nothing: %v, %v", d, err)
	}
}

func TestDateAsText(t *testing.T) {
	type doc struct{ On, Off Date }
	in := doc{On: Date{2026, 1, 31}}
	text, err := json.Marshal(in)
	if err != nil || string(text) != `{"On":"2026-01-31","Off":""}` {
		t.Fatalf("%s, %v", text, err)
	}
	out := doc{Off: Date{1, 1, 1}}
	if err := json.Unmarshal(text, &out); err != nil || out != in {
		t.Errorf("%+v, %v", out, err)
	}
	d := Date{2026, 1, 31}
	if err := d.UnmarshalText([]byte("2026-02-30")); !errors.Is(err, ErrValue) || d != (Date{2026, 1, 31}) {
		t.Errorf("UnmarshalText of no day: %v, %v", d, err)
	}
	_, err = Date{2026, 2, 30}.MarshalText()
	var e *Error
	if !errors.As(err, &e) || e.Value != "2026-02-30" || !errors.Is(err, ErrValue) {
		t.Errorf("MarshalText of no day: %v", err)
	}
	if dst, err := (Date{2026, 1, 31}).AppendText([]byte("on ")); string(dst) != "on 2026-01-31" || err != nil {
		t.Errorf("AppendText: %q, %v", dst, err)
	}
	if dst, err := (Date{2026, 2, 30}).AppendText([]byte("on ")); string(dst) != "on " || err == nil {
		t.Errorf("AppendText of no day: %q, %v", dst, err)
	}
}
