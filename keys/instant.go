package keys

import (
	"fmt"
	"time"
)

// Precision is what an instant is truncated to in a key.
type Precision uint8

// The precisions of Time.
const (
	Second Precision = iota
	Milli
	Micro
	Nano
)

// In a layout of package time the zeros of a fraction are all written.
var precisionLayouts = [...]string{
	Second: "2006-01-02T15:04:05Z",
	Milli:  "2006-01-02T15:04:05.000Z",
	Micro:  "2006-01-02T15:04:05.000000Z",
	Nano:   "2006-01-02T15:04:05.000000000Z",
}

// Time is the codec of instants: 2006-01-02T15:04:05Z in UTC, with the digits of
// the precision, all of them, so that instants sort. What is finer is cut off, in
// the bounds of ranges too. The zero time is ErrEmpty; years outside 0000 to 9999
// are refused. Parse gives the instant in UTC.
func Time(precision Precision) Codec[time.Time] { return timeCodec{precision} }

type timeCodec struct{ precision Precision }

func (c timeCodec) Append(dst []byte, t time.Time) ([]byte, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return nil, refuse("year %d is outside 0000 to 9999", y)
	}
	if c.cut(t).IsZero() {
		return nil, ErrEmpty
	}
	return t.AppendFormat(dst, precisionLayouts[c.precision]), nil
}

// cut is what Parse(Append(t)) gives.
func (c timeCodec) cut(t time.Time) time.Time {
	return t.Truncate([...]time.Duration{time.Second, time.Millisecond, time.Microsecond, 1}[c.precision])
}

func (c timeCodec) Parse(text string) (time.Time, error) {
	if err := c.check(); err != nil {
		return time.Time{}, err
	}
	t, err := time.Parse(precisionLayouts[c.precision], text)
	if err != nil || t.IsZero() {
		return time.Time{}, refuse("%q is not an instant such as %s", text, precisionLayouts[c.precision])
	}
	// time.Parse takes a comma and digits that the layout has not.
	var b [len("2006-01-02T15:04:05.000000000Z")]byte
	if again, err := c.Append(b[:0], t); err != nil || string(again) != text {
		return time.Time{}, refuse("%q is not an instant such as %s", text, precisionLayouts[c.precision])
	}
	return t, nil
}

func (c timeCodec) check() error {
	if int(c.precision) >= len(precisionLayouts) {
		return fmt.Errorf("precision %d; use keys.Second, Milli, Micro or Nano", c.precision)
	}
	return nil
}

func (c timeCodec) Width() int     { return len(precisionLayouts[c.precision]) }
func (c timeCodec) traits() traits { return traits{trusted: true} }
