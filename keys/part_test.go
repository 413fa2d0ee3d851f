package keys

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRangeParts(t *testing.T) {
	c := MustCompile3("S#<status>#<day>#<id>", String, Day, String)
	n := MustCompile2("<n>#<u>", Int(4), Uint(4))
	f := MustCompile1("<f>", Float64)
	b := MustCompile1("<b>", Bytes)
	p := MustCompile2("<s>#<t>", String, String)
	q := MustCompile2("<n>#<b>", Int(4), Bytes)
	n2 := MustCompile2("<f>#<s>", Float64, String)
	day := Date{2026, 1, 31}
	status := Part{Name: "status", Lo: "a b#"}
	top := strings.Repeat("\U0010FFFF", 255)
	tests := []struct {
		reason string
		r      Range
		want   []Part
	}{
		{"nothing is given", c.All(), []Part{}},
		{"what is given, plain", c.At("a b#").All(), []Part{status}},
		{"between", c.At("a b#").Between(day, day), []Part{status, {Name: "day", Op: PartBetween, Lo: "2026-01-31", Hi: "2026-01-31"}}},
		{"from", c.At("a b#").From(day), []Part{status, {Name: "day", Op: PartAtLeast, Lo: "2026-01-31"}}},
		{"after", c.At("a b#").After(day), []Part{status, {Name: "day", Op: PartAbove, Lo: "2026-01-31"}}},
		{"to", c.At("a b#").To(day), []Part{status, {Name: "day", Op: PartAtMost, Hi: "2026-01-31"}}},
		{"before", c.At("a b#").Before(day), []Part{status, {Name: "day", Op: PartBelow, Hi: "2026-01-31"}}},
		{"a prefix", c.At("a b#").StartsWith("2026-01"), []Part{status, {Name: "day", Op: PartBeginsWith, Lo: "2026-01"}}},
		{"begins_with takes no empty operand", c.At("a b#").StartsWith(""), []Part{status}},
		{"an escaped prefix is sent plain", c.StartsWith("a#😀"), []Part{{Name: "status", Op: PartBeginsWith, Lo: "a#😀"}}},
		{"one key", c.Key("a b#", day, "1").Exact(), []Part{status, {Name: "day", Lo: "2026-01-31"}, {Name: "id", Lo: "1"}}},
		{"a tree is its key", c.Key("a b#", day, "1").Tree(), []Part{status, {Name: "day", Lo: "2026-01-31"}, {Name: "id", Lo: "1"}}},
		{"text below: anything may follow", c.Within("a", "b"), []Part{{Name: "status", Op: PartBetween, Lo: "a", Hi: "a" + top + "\uFFFF"}}},
		{"text below U+E000", c.Within("a", "\uE000"), []Part{{Name: "status", Op: PartBetween, Lo: "a", Hi: "\uD7FF" + top + "\x7F"}}},
		{"text below U+0000", c.Within("a", "a\x00"), []Part{{Name: "status", Op: PartBetween, Lo: "a", Hi: "a"}}},
		{"numbers are sent as numbers", n.Between(-42, 7), []Part{{Name: "n", Type: PartNumber, Op: PartBetween, Lo: "-42", Hi: "7"}}},
		{"the integer below", n.At(0).Within(1, 10), []Part{{Name: "n", Type: PartNumber, Lo: "0"}, {Name: "u", Type: PartNumber, Op: PartBetween, Lo: "1", Hi: "9"}}},
		{"the signed integer below", n.Within(-7, 0), []Part{{Name: "n", Type: PartNumber, Op: PartBetween, Lo: "-7", Hi: "-1"}}},
		{"the float below", f.Within(0, 1), []Part{{Name: "f", Type: PartNumber, Op: PartBetween, Lo: "0", Hi: "0.9999999999999999"}}},
		{"the float below the least number of DynamoDB", f.Within(0, 1e-130), []Part{{Name: "f", Type: PartNumber, Op: PartBetween, Lo: "0", Hi: "0"}}},
		{"the float below zero", f.Within(-1, 0), []Part{{Name: "f", Type: PartNumber, Op: PartBetween, Lo: "-1", Hi: "-1e-130"}}},
		{"the greatest float of DynamoDB", f.From(math.Nextafter(1e126, 0)), []Part{{Name: "f", Type: PartNumber, Op: PartAtLeast, Lo: "9.999999999999998e+125"}}},
		{"bytes as they are", b.From([]byte{0, 0xFF}), []Part{{Name: "b", Type: PartBinary, Op: PartAtLeast, Lo: "\x00\xFF"}}},
		{"the bytes below", b.Within([]byte{1}, []byte{2}), []Part{{Name: "b", Type: PartBinary, Op: PartBetween, Lo: "\x01", Hi: "\x01" + strings.Repeat("\xFF", 1023)}}},
		{"the bytes below a zero byte", b.Within([]byte{1}, []byte{2, 0}), []Part{{Name: "b", Type: PartBinary, Op: PartBetween, Lo: "\x01", Hi: "\x02"}}},
		{"text below, behind text: 1024 bytes are for both", p.At("aé").Within("a", "b"), []Part{{Name: "s", Lo: "aé"}, {Name: "t", Op: PartBetween, Lo: "a", Hi: "a" + strings.Repeat("\U0010FFFF", 255)}}},
		{"bytes below, behind a number", q.At(-3).Within([]byte{1}, []byte{2}), []Part{{Name: "n", Type: PartNumber, Lo: "-3"}, {Name: "b", Type: PartBinary, Op: PartBetween, Lo: "\x01", Hi: "\x01" + strings.Repeat("\xFF", 1024-3-1)}}},
		{"text below, with room for a little", p.At(strings.Repeat("x", 1019)).Within("a", "b"), []Part{{Name: "s", Lo: strings.Repeat("x", 1019)}, {Name: "t", Op: PartBetween, Lo: "a", Hi: "a\U0010FFFF"}}},
		{"text below, behind a number", n2.At(1.25).Within(strings.Repeat("x", 1004)+"aa", strings.Repeat("x", 1004)+"b"), []Part{{Name: "f", Type: PartNumber, Lo: "1.25"}, {Name: "s", Op: PartBetween, Lo: strings.Repeat("x", 1004) + "aa", Hi: strings.Repeat("x", 1004) + "a\U0010FFFF\U0010FFFF\U0010FFFF\uFFFF"}}},
		{"an empty range has what is given", c.At("a b#").Within(day, day), []Part{status}},
		{"booleans are text", MustCompile1("<b>", Bool).From(true), []Part{{Name: "b", Op: PartAtLeast, Lo: "1"}}},
		{"instants are text", MustCompile1("<t>", Time(Second)).From(time.Unix(0, 0)), []Part{{Name: "t", Op: PartAtLeast, Lo: "1970-01-01T00:00:00Z"}}},
		{"folded", MustCompile1("<f>", Fold(String)).From("Ann"), []Part{{Name: "f", Op: PartAtLeast, Lo: "ann"}}},
	}
	for _, tt := range tests {
		got, err := tt.r.Parts()
		if err != nil {
			t.Errorf("%s: %v: %v", tt.reason, tt.r, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tt.reason, tt.r, diff)
		}
	}
	for what, r := range map[string]Range{"Inf": f.From(math.Inf(1)), "1e126": f.To(1e126), "-1e126": f.Between(-1e126, 0), "1e-131": f.Before(1e-131), "equal": f.Key(math.Inf(-1)).Exact()} {
		if _, err := r.Parts(); !errors.Is(err, ErrValue) {
			t.Errorf("%s is no number of DynamoDB: %v", what, err)
		}
	}
}
