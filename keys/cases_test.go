package keys

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// Faults that others shipped, restated as small inputs. The numbers are those of
// the project's list of them.

type status string

const (
	open   status = "OPEN"
	opened status = "OPENED"
)

var (
	caseOrder = MustCompile3("STATUS#<status>#<scheduledOn>#<orderId>", StringOf[status](), Day, String)
	jan31     = Date{2024, time.January, 31}
)

// in gives the stored keys that a range returns, in DynamoDB's order.
func in(r Range, stored ...string) []string {
	var out []string
	for _, key := range stored {
		if r.Contains(key) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

func wantKeys(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %+q\nwant %+q", got, want)
	}
}

func TestCase1LastDayIsIncluded(t *testing.T) {
	stored := caseOrder.Key(open, jan31, "w-1").String()
	wantKeys(t, []string{stored}, "STATUS#OPEN#2024-01-31#w-1")
	wantKeys(t, in(caseOrder.At(open).To(jan31), stored), stored)
	wantKeys(t, in(caseOrder.At(open).Between(jan31.AddDays(-30), jan31), stored), stored)
	wantKeys(t, in(caseOrder.At(open).Within(jan31.AddDays(-30), jan31), stored))
	naive := "STATUS#OPEN#2024-01-31"
	if stored <= naive {
		t.Errorf("the naive bound %q would have done", naive)
	}
}

func TestCase2EmojiStaysBelowTheBound(t *testing.T) {
	stored := caseOrder.Key(open, jan31, "😀").String()
	wantKeys(t, in(caseOrder.At(open).To(jan31), stored), stored)
	wantKeys(t, in(caseOrder.At(open).At(jan31).From("a"), stored), stored)
	if raw := "STATUS#OPEN#2024-01-31#😀"; caseOrder.At(open).To(jan31).Contains(raw) {
		t.Errorf("%q is below the bound without its escape", raw)
	}
}

func TestCase3PrefixOfAnotherValue(t *testing.T) {
	a, b := caseOrder.Key(open, jan31, "1").String(), caseOrder.Key(opened, jan31, "1").String()
	wantKeys(t, in(caseOrder.At(open).All(), a, b), a)
	wantKeys(t, in(caseOrder.At(opened).All(), a, b), b)
	wantKeys(t, in(caseOrder.Between(open, open), a, b), a)
}

func TestCase4RangeStaysInWhatWasGiven(t *testing.T) {
	mine := caseOrder.Key(open, Date{2024, 6, 1}, "1").String()
	wantKeys(t, in(caseOrder.At(open).From(Date{2024, 6, 1}), mine, "STATUS#SHIPPED#2020-01-01#9", "USER#1"), mine)
	wantKeys(t, in(caseOrder.At(open).After(Date{2024, 5, 31}), mine, "STATUS#SHIPPED#2020-01-01#9", "USER#1"), mine)
	wantKeys(t, in(caseOrder.At(open).To(Date{2024, 6, 1}), mine, "STATUS#DONE#2020-01-01#9", "ORDER#1"), mine)
}

func TestCase5DelimiterInAValue(t *testing.T) {
	c := MustCompile2("K#<a>#<b>", String, String)
	x, y := c.Key("a#b", "c"), c.Key("a", "b#c")
	if x.String() == y.String() {
		t.Fatalf("one key for two values: %q", x)
	}
	for key, want := range map[Key][2]string{x: {"a#b", "c"}, y: {"a", "b#c"}} {
		a, b, err := c.Parse(key.String())
		if err != nil || [2]string{a, b} != want {
			t.Errorf("%q: %q, %q, %v", key, a, b, err)
		}
	}
}

func TestCase6NamesInOrder(t *testing.T) {
	c := MustCompile2("N#<name>#<id>", String, String)
	var stored []string
	for _, n := range []string{"Ann", "Ann Lee", "Ann!", "Anna"} {
		stored = append(stored, c.Key(n, "1").String())
	}
	if !slices.IsSorted(stored) {
		t.Errorf("not in order: %q", stored)
	}
	wantKeys(t, in(c.To("Ann"), stored...), stored[0])
	wantKeys(t, in(c.After("Ann"), stored...), stored[1:]...)
	wantKeys(t, in(c.Between("Ann Lee", "Ann!"), stored...), stored[1:3]...)
	wantKeys(t, in(c.StartsWith("Ann"), stored...), stored...)
}

func TestCase7IntegersInOrder(t *testing.T) {
	c := MustCompile2("I#<n>#<id>", Int(4), String)
	var stored []string
	for _, n := range []int64{-1000, -200, -50, -1, 0, 1, 9, 10, 50, 100, 1000} {
		stored = append(stored, c.Key(n, "x").String())
	}
	if !slices.IsSorted(stored) {
		t.Errorf("not in order: %q", stored)
	}
	wantKeys(t, in(c.Between(0, 0), stored...), stored[4])
	wantKeys(t, in(c.At(0).All(), stored...), stored[4])
	wantKeys(t, in(c.Within(-50, 10), stored...), stored[2:7]...)
}

func TestCase8InstantsInOrder(t *testing.T) {
	c := MustCompile2("T#<at>#<id>", Time(Nano), String)
	base := time.Date(2026, 8, 22, 9, 0, 0, 0, time.UTC)
	var stored []string
	for _, d := range []time.Duration{0, 123456789, 500 * time.Millisecond, time.Second} {
		stored = append(stored, c.Key(base.Add(d), "x").String())
	}
	if !slices.IsSorted(stored) {
		t.Errorf("not in order: %q", stored)
	}
	wantKeys(t, in(c.From(base), stored...), stored...)
	wantKeys(t, in(c.StartsWith("2026-08-22T09:00:00"), stored...), stored[:3]...)
}

func TestCase9OneInstantInTwoZones(t *testing.T) {
	c := MustCompile1("T#<at>", Time(Second))
	tokyo, utc := mustTime(t, "2026-08-22T01:00:00+09:00"), mustTime(t, "2026-08-21T16:00:00Z")
	if a, b := c.Key(tokyo), c.Key(utc); a != b || a.String() != "T#2026-08-21T16:00:00Z" {
		t.Errorf("%q and %q", a, b)
	}
}

func mustTime(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestCase10BoundsOf1024Bytes(t *testing.T) {
	c := MustCompile1("K#<a>", String)
	three := func(size int) string { return strings.Repeat("a", size-len("K#")-3) + "中" }
	for _, value := range []string{strings.Repeat("a", 1022), three(1024)} {
		k := c.Key(value)
		if len(k.String()) != 1024 {
			t.Fatalf("%d bytes", len(k.String()))
		}
		for what, r := range map[string]Range{"Exact": k.Exact(), "Tree": k.Tree(), "Between": c.Between(value, value), "From": c.From(value), "To": c.To(value)} {
			if r.Err() != nil || !r.Contains(k.String()) {
				t.Errorf("%s of 1024 bytes: %v", what, r.Err())
			}
		}
		if r := c.After(value); r.Err() != nil || r.Contains(k.String()) {
			t.Errorf("After of 1024 bytes: %v", r.Err())
		}
		if r := c.Before(value); r.Err() != nil || r.Contains(k.String()) {
			t.Errorf("Before of 1024 bytes: %v", r.Err())
		}
	}
	for _, value := range []string{strings.Repeat("a", 1023), three(1025)} {
		k := c.Key(value)
		if k.Err() != nil {
			t.Errorf("a key of 1025 bytes can be a partition key: %v", k.Err())
		}
		for what, r := range map[string]Range{"Exact": k.Exact(), "Tree": k.Tree(), "Between": c.Between(value, value), "From": c.From(value), "To": c.To(value)} {
			if !errors.Is(r.Err(), ErrTooLong) {
				t.Errorf("%s of 1025 bytes: %v, want ErrTooLong", what, r.Err())
			}
		}
	}
}

func TestCase11CaseTellsApart(t *testing.T) {
	c := MustCompile1("K#<id>", String)
	if c.Key("AbC").String() == c.Key("abc").String() {
		t.Error("one key for AbC and abc")
	}
	if f := MustCompile1("K#<id>", Fold(String)); f.Key("AbC") != f.Key("abc") {
		t.Error("two keys, though folded")
	}
}

func TestCase12CrossedAndEmptyRanges(t *testing.T) {
	c := caseOrder.At(open)
	stored := caseOrder.Key(open, jan31, "1").String()
	for what, r := range map[string]Range{"Between": c.Between(jan31, jan31.AddDays(-1)), "Within": c.Within(jan31, jan31.AddDays(-1))} {
		if op, _, _, err := r.Condition(); !errors.Is(err, ErrRange) || op != OpNever || r.IsEmpty() {
			t.Errorf("%s crossed: %v, %v", what, op, err)
		}
	}
	equal := c.Between(jan31, jan31)
	wantKeys(t, in(equal, stored), stored)
	if equal.Err() != nil || equal.IsEmpty() {
		t.Errorf("from = to: %v", equal.Err())
	}
	empty := c.Within(jan31, jan31)
	if op, lo, hi, err := empty.Condition(); op != OpNever || lo != "" || hi != "" || err != nil || !empty.IsEmpty() || empty.Contains(stored) {
		t.Errorf("half open, from = to: %v %q %q %v", op, lo, hi, err)
	}
	if lo, hi := empty.Bounds(); lo <= hi {
		t.Errorf("the bounds of an empty range hold something: %q, %q", lo, hi)
	}
}
