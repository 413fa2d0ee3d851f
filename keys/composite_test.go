package keys

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// From one placeholder to six: Key, At all the way down, Parse, and the range
// over each.
func TestCompositesOfEverySize(t *testing.T) {
	at := time.Date(2026, 8, 22, 9, 0, 0, 0, time.UTC)
	c6 := MustCompile6("A#<a>#<b>#<c>#<d>#<e>#<f>", String, Int(2), Uint(2), Bool, Day, Time(Second))
	day := Date{2026, 1, 31}
	const text = "A#x y#007#42#1#2026-01-31#2026-08-22T09:00:00Z"
	key := c6.Key("x y", 7, 42, true, day, at)
	const want = "A#x%20y#007#42#1#2026-01-31#2026-08-22T09:00:00Z"
	if key.String() != want || key.Err() != nil {
		t.Fatalf("%q, %v", key, key.Err())
	}
	if c6.Matches(text) {
		t.Errorf("%q has a raw space", text)
	}

	c5 := c6.At("x y")
	c4 := c5.At(7)
	c3 := c4.At(42)
	c2 := c3.At(true)
	c1 := c2.At(day)
	for size, got := range map[int]Key{
		5: c5.Key(7, 42, true, day, at), 4: c4.Key(42, true, day, at), 3: c3.Key(true, day, at), 2: c2.Key(day, at), 1: c1.Key(at), 0: c1.At(at),
	} {
		if got != key {
			t.Errorf("narrowed to %d: %q", size, got)
		}
	}

	type values struct {
		a string
		b int64
		c uint64
		d bool
		e Date
		f time.Time
	}
	all := values{"x y", 7, 42, true, day, at}
	var got values
	var err error
	for size, parse := range map[int]func(){
		6: func() { got.a, got.b, got.c, got.d, got.e, got.f, err = c6.Parse(want) },
		5: func() { got.b, got.c, got.d, got.e, got.f, err = c5.Parse(want); got.a = "x y" },
		4: func() { got.c, got.d, got.e, got.f, err = c4.Parse(want); got.a, got.b = "x y", 7 },
		3: func() { got.d, got.e, got.f, err = c3.Parse(want); got.a, got.b, got.c = "x y", 7, 42 },
		2: func() { got.e, got.f, err = c2.Parse(want); got.a, got.b, got.c, got.d = "x y", 7, 42, true },
		1: func() { got.f, err = c1.Parse(want); got.a, got.b, got.c, got.d, got.e = "x y", 7, 42, true, day },
	} {
		got = values{}
		if parse(); got != all || err != nil {
			t.Errorf("Parse of %d: %+v, %v", size, got, err)
		}
	}

	// Where parsing fails, every value is zero.
	const bad = want + "#"
	zero := values{}
	for size, parse := range map[int]func(){
		6: func() { got.a, got.b, got.c, got.d, got.e, got.f, err = c6.Parse(bad) },
		5: func() { got.b, got.c, got.d, got.e, got.f, err = c5.Parse(bad) },
		4: func() { got.c, got.d, got.e, got.f, err = c4.Parse(bad) },
		3: func() { got.d, got.e, got.f, err = c3.Parse(bad) },
		2: func() { got.e, got.f, err = c2.Parse(bad) },
		1: func() { got.f, err = c1.Parse(bad) },
	} {
		got = values{}
		if parse(); got != zero || !errors.Is(err, ErrSyntax) {
			t.Errorf("Parse of %d with more behind it: %+v, %v", size, got, err)
		}
	}

	for size, r := range map[int]Range{
		6: c6.Between("x y", "x y"), 5: c5.Between(7, 7), 4: c4.Between(42, 42), 3: c3.Between(true, true), 2: c2.Between(day, day), 1: c1.Between(at, at),
	} {
		if !r.Contains(want) || r.Err() != nil || r.Check(c6) != nil {
			t.Errorf("range of %d: %v", size, r)
		}
	}

	c41, err := Compile4("<a>#<b>#<c>#<d>", String, String, String, String)
	if err != nil || c41.Key("1", "2", "3", "4").String() != "1#2#3#4" {
		t.Errorf("Compile4: %v", err)
	}
	c51, err := Compile5("<a>#<b>#<c>#<d>#<e>", String, String, String, String, String)
	if err != nil || c51.Key("1", "2", "3", "4", "5").String() != "1#2#3#4#5" {
		t.Errorf("Compile5: %v", err)
	}
}

// A key or a range is accepted by the template that made it, narrowed or not; by
// no other one, though it reads the same. Exact and Tree go everywhere.
func TestCheck(t *testing.T) {
	c := MustCompile2("A#<a>#<b>", String, String)
	twin := MustCompile2("A#<a>#<b>", String, String)
	key := c.Key("x", "y")
	for what, err := range map[string]error{
		"key": key.Check(c), "key, narrowed": key.Check(c.At("z")), "key of a narrowed one": c.At("x").Key("y").Check(c),
		"range": c.From("x").Check(c), "narrowed range": c.At("x").From("y").Check(c), "Exact": key.Exact().Check(twin), "Tree": key.Tree().Check(Literal("PROFILE")),
		"Exact, no template": key.Exact().Check(nil),
	} {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, err := range map[string]error{"key": key.Check(twin), "range": c.From("x").Check(twin), "All": c.All().Check(twin)} {
		if !errors.Is(err, ErrTemplate) {
			t.Errorf("%s of a twin: %v", what, err)
		}
	}
	if key == twin.Key("x", "y") || key.Compare(twin.Key("x", "y")) != 0 {
		t.Error("keys of two templates are ==, or sort apart")
	}
	if key.Template() != "A#<a>#<b>" || c.At("x").From("y").Template() != "A#<a>#<b>" {
		t.Error("Template is not what was declared")
	}
}

// ParseKey is the way back from text to a Key.
func TestParseKey(t *testing.T) {
	c := MustCompile2("A#<a>#<b>", String, Day)
	key := c.Key("x y", Date{2026, 1, 31})
	for what, template := range map[string]Template{"whole": c, "narrowed": c.At("x y")} {
		if got, err := template.ParseKey(key.String()); got != key || err != nil {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
	for text, is := range map[string]error{"A#x y#2026-01-31": ErrSyntax, "A#x#2026-02-30": ErrValue, "": ErrSyntax, "A##2026-01-31": ErrEmpty, "A#\xFF#2026-01-31": ErrUTF8} {
		if got, err := c.ParseKey(text); !errors.Is(err, is) || got != (Key{}) || c.Matches(text) {
			t.Errorf("%q: %q, %v; want %v", text, got, err, is)
		}
	}
	if _, err := c.At("z").ParseKey(key.String()); !errors.Is(err, ErrSyntax) {
		t.Errorf("narrowed to another value: %v", err)
	}
	if _, err := (Composite1[string]{}).ParseKey("A"); !errors.Is(err, ErrZero) {
		t.Errorf("zero composite: %v", err)
	}
}

// Keys sort as Go and DynamoDB sort strings.
func TestCompareSorts(t *testing.T) {
	c := MustCompile1("<a>", String)
	var keys []Key
	for _, a := range []string{"😀", "\uFFFD", "b", "a\x00", "a", "\uE000"} {
		keys = append(keys, c.Key(a))
	}
	slices.SortFunc(keys, Key.Compare)
	var got []string
	for _, k := range keys {
		a, err := c.Parse(k.String())
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, a)
	}
	wantKeys(t, got, "a", "a\x00", "b", "\uE000", "\uFFFD", "😀")
}

// Values of one template may be used from many goroutines: nothing of one key
// shows in another.
func TestConcurrentUse(t *testing.T) {
	c := MustCompile2("A#<a>#<b>", String, Codec[name](boxed{}))
	done := make(chan string)
	for i := range 4 {
		go func() {
			a, b := string(rune('a'+i)), name("v 😀"+string(rune('0'+i)))
			want := "A#" + a + "#" + slowEscape(string(b), '#')
			for range 500 {
				key := c.Key(a, b)
				r := c.At(a).Between(b, b)
				if _, v, err := c.Parse(key.String()); key.String() != want || v != b || err != nil || !r.Contains(want) {
					done <- "got " + key.String() + ", want " + want
					return
				}
			}
			done <- ""
		}()
	}
	for range 4 {
		if wrong := <-done; wrong != "" {
			t.Error(wrong)
		}
	}
}
