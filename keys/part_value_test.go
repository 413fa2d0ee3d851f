package keys_test

import (
	"errors"
	"math"
	"testing"

	"github.com/singletable-go/singletable/keys"
	"pgregory.net/rapid"
)

// One template with a codec of every native form.
var native = keys.MustCompile4("N#<uint>#<int>#<float>#<bytes>",
	keys.UintOf[uint32](9), keys.IntOf[int16](5), keys.Float64, keys.Bytes)

func TestPartTypes(t *testing.T) {
	got := native.At(1).PartTypes()
	want := []keys.PartType{keys.PartNumber, keys.PartNumber, keys.PartBinary}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v: the placeholders that are open", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("part %d: got %v, want %v", i, got[i], want[i])
		}
	}
	if got := (keys.Composite2[string, string]{}).PartTypes(); got != nil {
		t.Errorf("zero composite: got %v, want nil", got)
	}
}

// What PartFrom gives is what Key.Parts gives, and ParsePart reads it back.
func TestPartFromAndParsePart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.Uint32Max(999999999).Draw(t, "uint")
		n := rapid.Int16().Draw(t, "int")
		f := rapid.Float64Range(-1e100, 1e100).Draw(t, "float")
		if math.Abs(f) < 1e-130 {
			f = 0
		}
		b := rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "bytes")
		parts, err := native.Key(u, n, f, b).Parts()
		if err != nil {
			t.Fatal(err)
		}
		var gotU uint32
		var gotN int // of another size than its codec has
		var gotF float64
		var gotB []byte
		for i, ptrs := range [][2]any{{&u, &gotU}, {&n, &gotN}, {&f, &gotF}, {&b, &gotB}} {
			part, err := native.PartFrom(i, ptrs[0])
			if err != nil || part != parts[i] {
				t.Fatalf("PartFrom(%d) = %+v, %v; Key.Parts has %+v", i, part, err, parts[i])
			}
			if err := native.ParsePart(i, part.Lo, ptrs[1]); err != nil {
				t.Fatalf("ParsePart(%d, %q): %v", i, part.Lo, err)
			}
			if err := native.ParsePart(i, part.Lo, nil); err != nil {
				t.Fatalf("ParsePart(%d, %q, nil): %v", i, part.Lo, err)
			}
		}
		if gotU != u || gotN != int(n) || gotF != f || string(gotB) != string(b) {
			t.Fatalf("got %v %v %v %v, want %v %v %v %v", gotU, gotN, gotF, gotB, u, n, f, b)
		}
	})
}

func TestParsePartRefusals(t *testing.T) {
	var u uint32 = 7
	var n int16 = 7
	for _, tt := range []struct {
		reason  string
		i       int
		operand string
		ptr     any
		want    error
	}{
		{"no operand is no value", 0, "", &u, keys.ErrEmpty},
		{"no such placeholder", 4, "1", &u, keys.ErrValue},
		{"more digits than the codec has", 0, "1000000000", &u, keys.ErrValue},
		{"not an integer", 0, "1.5", &u, keys.ErrValue},
		{"an integer that its type does not hold", 1, "40000", &n, keys.ErrValue},
		{"not a number", 2, "x", new(float64), keys.ErrValue},
		{"a pointer of another type", 0, "1", new(string), keys.ErrValue},
		{"no pointer", 0, "1", 1, keys.ErrValue},
	} {
		err := native.ParsePart(tt.i, tt.operand, tt.ptr)
		if e := (*keys.Error)(nil); !errors.Is(err, tt.want) || !errors.As(err, &e) {
			t.Errorf("%s: ParsePart(%d, %q) = %v, want an *Error that wraps %v", tt.reason, tt.i, tt.operand, err, tt.want)
		}
	}
	if u != 7 || n != 7 {
		t.Errorf("what was refused has been stored: %d, %d", u, n)
	}
	huge := 1e200
	if _, err := native.PartFrom(2, &huge); !errors.Is(err, keys.ErrValue) {
		t.Errorf("PartFrom(1e200) = %v, want ErrValue: no DynamoDB number holds it", err)
	}
	if _, err := native.PartFrom(0, (*uint32)(nil)); !errors.Is(err, keys.ErrEmpty) {
		t.Errorf("PartFrom(nil) = %v, want ErrEmpty", err)
	}
}

// A value of fixed width does not go on behind its last character, so that the
// bound below it is as long as it is, and can be read in a log.
func TestWithinPartOfFixedWidth(t *testing.T) {
	c := keys.MustCompile1("AT#<at>", keys.Day)
	parts, err := c.Within(keys.Date{Year: 2026, Month: 1, Day: 1}, keys.Date{Year: 2026, Month: 2, Day: 1}).Parts()
	if err != nil {
		t.Fatal(err)
	}
	want := keys.Part{Name: "at", Op: keys.PartBetween, Lo: "2026-01-01", Hi: "2026-02-00"}
	if len(parts) != 1 || parts[0] != want {
		t.Errorf("got %+v, want %+v", parts, want)
	}
}
