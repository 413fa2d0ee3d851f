package keys

import (
	"cmp"
	"fmt"
	"time"
)

// Date is a civil date: a day of the calendar, in no time zone. The zero Date is
// not a day; it stands for "not set".
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// dateWidth is the number of bytes of 2006-01-02.
const dateWidth = len(time.DateOnly)

// DateOf gives the day on which t falls in the location of t.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// ParseDate reads a day that is written 2006-01-02, and nothing else. Other text,
// and a day that the calendar does not have, is an *Error that wraps ErrValue.
func ParseDate(text string) (Date, error) {
	d, err := parseDate(text)
	if err != nil {
		return Date{}, &Error{Offset: -1, Value: text, Err: err}
	}
	return d, nil
}

func parseDate(text string) (Date, error) {
	if len(text) != dateWidth || text[4] != '-' || text[7] != '-' {
		return Date{}, refuse("%q is not a date such as 2006-01-02", text)
	}
	y, err1 := parseDigits(text[:4], 4)
	m, err2 := parseDigits(text[5:7], 2)
	day, err3 := parseDigits(text[8:], 2)
	d := Date{int(y), time.Month(m), int(day)}
	if err1 != nil || err2 != nil || err3 != nil || !d.IsValid() {
		return Date{}, refuse("%q is not a date such as 2006-01-02", text)
	}
	return d, nil
}

// IsValid reports whether the calendar has the day, in the years 0000 to 9999.
func (d Date) IsValid() bool {
	return d.Year >= 0 && d.Year <= 9999 && DateOf(d.utc()) == d
}

// IsZero reports whether d is the zero Date, which stands for "not set".
func (d Date) IsZero() bool { return d == Date{} }

// In gives the instant at which the day begins in loc: midnight, or the first
// instant after it where the clocks skip it. A nil loc is UTC.
func (d Date) In(loc *time.Location) time.Time {
	if loc == nil {
		loc = time.UTC
	}
	t := time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, loc)
	// Where midnight is skipped, time.Date gives an instant on either side.
	start, end := t.ZoneBounds()
	hour, minute, second := t.Clock()
	switch {
	case DateOf(t).Compare(DateOf(d.utc())) < 0:
		return end
	case hour+minute+second > 0:
		return start
	}
	return t
}

func (d Date) utc() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// AddDays gives the day that is n days later, earlier where n is negative. The
// zero Date stays what it is.
func (d Date) AddDays(n int) Date {
	if d.IsZero() {
		return d
	}
	return DateOf(d.utc().AddDate(0, 0, n))
}

// Compare is -1, 0 or +1 as d is before, the same as, or after other.
func (d Date) Compare(other Date) int {
	return cmp.Or(cmp.Compare(d.Year, other.Year), cmp.Compare(d.Month, other.Month), cmp.Compare(d.Day, other.Day))
}

// String gives the day as 2006-01-02, whether the calendar has it or not.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// AppendText is MarshalText into memory of the caller.
func (d Date) AppendText(dst []byte) ([]byte, error) {
	if d.IsZero() {
		return dst, nil
	}
	text, err := Day.Append(dst, d)
	if err != nil {
		return dst, &Error{Offset: -1, Value: d.String(), Err: err}
	}
	return text, nil
}

// MarshalText gives the day as 2006-01-02, and the zero Date as no text. A day
// that the calendar does not have, or not in the years 0000 to 9999, is an *Error
// that wraps ErrValue.
func (d Date) MarshalText() ([]byte, error) { return d.AppendText(nil) }

// UnmarshalText is the inverse of MarshalText, with the errors of ParseDate.
func (d *Date) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*d = Date{}
		return nil
	}
	parsed, err := ParseDate(string(text))
	if err == nil {
		*d = parsed
	}
	return err
}

// Day is the codec of civil dates: 2006-01-02, in the years 0000 to 9999. The
// zero Date is ErrEmpty.
var Day Codec[Date] = dayCodec{}

type dayCodec struct{}

func (dayCodec) Append(dst []byte, d Date) ([]byte, error) {
	if d.IsZero() {
		return nil, ErrEmpty
	}
	if !d.IsValid() {
		return nil, refuse("the calendar has no such day, or not in the years 0000 to 9999")
	}
	two := func(n int) { dst = append(dst, byte('0'+n/10%10), byte('0'+n%10)) }
	two(d.Year / 100)
	two(d.Year)
	dst = append(dst, '-')
	two(int(d.Month))
	dst = append(dst, '-')
	two(d.Day)
	return dst, nil
}

func (dayCodec) Parse(text string) (Date, error) { return parseDate(text) }
func (dayCodec) Width() int                      { return dateWidth }
func (dayCodec) traits() traits                  { return traits{trusted: true} }
