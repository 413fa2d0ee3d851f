package keys

import (
	"fmt"
	"testing"
	"time"

	"github.com/singletable-go/singletable/internal/race"
)

type allocStatus string

var (
	allocOrder  = MustCompile3("STATUS#<status>#<scheduledOn>#<orderId>", Enum[allocStatus]("OPEN", "DONE"), Day, String)
	allocRegion = MustCompile1("REGION#<regionId>", String)
	allocMixed  = MustCompile6("<s>#<n>#<u>#<f>#<b>#<t>", StringOf[allocStatus](), Int(19), Uint(20), Float64, Bool, Time(Nano))

	sinkKey    Key
	sinkRange  Range
	sinkString string
	sinkBool   bool
	sinkErr    error
)

// What keys and ranges cost, in allocations.
func TestAllocations(t *testing.T) {
	race.SkipAllocs(t)
	day, to, at := Date{2026, 1, 31}, Date{2026, 2, 28}, time.Unix(1, 5).UTC()
	id, escaped := "w-2314", "w 2314 😀"
	text := allocOrder.Key("OPEN", day, id).String()
	narrowed := allocOrder.At("OPEN")
	r := narrowed.Between(day, to)
	status, status2 := allocStatus("OPEN"), allocStatus("DONE")
	mixed := allocMixed.Key("OPEN", -5, 7, 0.5, true, at).String()
	var n int64
	var u uint64
	var f float64
	var b bool

	tests := []struct {
		what string
		most float64
		f    func()
	}{
		{"a key of three segments", 1, func() { sinkKey = allocOrder.Key("OPEN", day, id) }},
		{"a key with escapes", 1, func() { sinkKey = allocOrder.Key("OPEN", day, escaped) }},
		{"a key of one segment", 1, func() { sinkKey = allocRegion.Key("eu-west") }},
		{"a key of six codecs", 1, func() { sinkKey = allocMixed.Key("OPEN", -5, 7, 0.5, true, at) }},
		{"At(x).Between", 2, func() { sinkRange = allocOrder.At("OPEN").Between(day, to) }},
		{"At(x).After", 2, func() { sinkRange = allocOrder.At("OPEN").After(day) }},
		{"At(x).StartsWith", 2, func() { sinkRange = allocOrder.At("OPEN").StartsWith("2026-01") }},
		{"At(x).All", 1, func() { sinkRange = allocOrder.At("OPEN").All() }},
		{"Between of a narrowed composite", 1, func() { sinkRange = narrowed.Between(day, to) }},
		{"All", 0, func() { sinkRange = allocOrder.All() }},
		{"Exact", 0, func() { sinkRange = sinkKey.Exact() }},
		{"Tree", 1, func() { sinkRange = sinkKey.Tree() }},
		{"Contains", 0, func() { sinkBool = r.Contains(text) }},
		{"Condition", 0, func() { _, sinkString, _, sinkErr = r.Condition() }},
		{"KeyFrom, the pointers aside", 1, keyFrom(&status, &day, &id)},
		{"Composes, the pointers aside", 0, composes(text, &status, &day, &id)},
		{"Parse", 0, func() { _, _, sinkString, sinkErr = allocOrder.Parse(text) }},
		{"Parse of six codecs", 0, func() { _, _, _, _, _, _, sinkErr = allocMixed.Parse(mixed) }},
		{"ParseInto, the pointers aside", 0, parseInto(allocOrder, text, &status2, &day, &id)},
		{"ParseInto of six codecs", 0, parseInto(allocMixed, mixed, &status2, &n, &u, &f, &b, &at)},
		{"Matches", 0, func() { sinkBool = allocOrder.Matches(text) }},
		{"Matches of a foreign key", 0, func() { sinkBool = allocOrder.Matches("STATUS#OPEN") || allocOrder.Matches("USER#ann") }},
		{"ParseKey", 0, func() { sinkKey, sinkErr = allocOrder.ParseKey(text) }},
	}
	for _, tt := range tests {
		tt.f()
		if got := testing.AllocsPerRun(200, tt.f); got > tt.most {
			t.Errorf("%s: %v allocations, want at most %v", tt.what, got, tt.most)
		}
	}
	if status2 != "OPEN" || sinkErr != nil {
		t.Errorf("%q, %v", status2, sinkErr)
	}
}

func keyFrom(ptrs ...any) func() { return func() { sinkKey = allocOrder.KeyFrom(ptrs...) } }

func composes(text string, ptrs ...any) func() {
	return func() { sinkBool, sinkErr = allocOrder.Composes(text, ptrs...) }
}

func parseInto(template Template, text string, ptrs ...any) func() {
	return func() { sinkErr = template.ParseInto(text, ptrs...) }
}

func BenchmarkKey(b *testing.B) {
	day, id := Date{2026, 1, 31}, "w-2314"
	status := "OPEN"
	b.Run("keys", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sinkKey = allocOrder.Key("OPEN", day, id)
		}
	})
	b.Run("KeyFrom", func(b *testing.B) {
		b.ReportAllocs()
		s := allocStatus("OPEN")
		for b.Loop() {
			sinkKey = allocOrder.KeyFrom(&s, &day, &id)
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sinkString = "STATUS#" + status + "#" + day.String() + "#" + id
		}
	})
	b.Run("Sprintf", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sinkString = fmt.Sprintf("STATUS#%s#%04d-%02d-%02d#%s", status, day.Year, day.Month, day.Day, id)
		}
	})
}

func BenchmarkBetween(b *testing.B) {
	from, to := Date{2026, 1, 1}, Date{2026, 1, 31}
	status := "OPEN"
	b.Run("keys", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sinkRange = allocOrder.At("OPEN").Between(from, to)
		}
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		var lo, hi string
		for b.Loop() {
			lo = "STATUS#" + status + "#" + from.String() + "#"
			hi = "STATUS#" + status + "#" + to.String() + "#\uFFFF"
		}
		sinkString = lo + hi
	})
	b.Run("Sprintf", func(b *testing.B) {
		b.ReportAllocs()
		var lo, hi string
		for b.Loop() {
			lo = fmt.Sprintf("STATUS#%s#%04d-%02d-%02d#", status, from.Year, from.Month, from.Day)
			hi = fmt.Sprintf("STATUS#%s#%04d-%02d-%02d#\uFFFF", status, to.Year, to.Month, to.Day)
		}
		sinkString = lo + hi
	})
}

func BenchmarkParse(b *testing.B) {
	text := allocOrder.Key("OPEN", Date{2026, 1, 31}, "w-2314").String()
	b.Run("Parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _, sinkString, sinkErr = allocOrder.Parse(text)
		}
	})
	b.Run("ParseInto", func(b *testing.B) {
		b.ReportAllocs()
		var s allocStatus
		var d Date
		var id string
		for b.Loop() {
			sinkErr = allocOrder.ParseInto(text, &s, &d, &id)
		}
	})
}
