package keys

import "testing"

func TestOverlaps(t *testing.T) {
	order := MustCompile3("STATUS#<status>#<scheduledOn>#<orderId>", Enum("OPEN", "DONE"), Day, String)
	tests := []struct {
		a, b   Template
		want   bool
		reason string
	}{
		{order, order, true, "itself"},
		{Literal("PROFILE"), Literal("PROFILE"), true, "the same text, declared twice"},
		{Literal("PROFILE"), Literal("PROFILES"), false, "the beginning of the other"},
		{Literal("PROFILE"), MustCompile1("<a>", String), true, "a value may be any text"},
		{Literal("PROFILE#"), MustCompile1("<a>", String), false, "a value has no raw delimiter"},
		{Literal("PROFILE#"), MustCompile1("P:<a>", String), false, "another beginning"},
		{MustCompile1("USER#<a>", String), MustCompile1("ORDER#<a>", String), false, "other literals"},
		{MustCompile1("USER#<a>", String), MustCompile1("USER#<b>", Day), true, "a day is text"},
		{MustCompile1("USER#<a>", Uint(4)), MustCompile1("USER#<b>", Day), false, "other widths"},
		{MustCompile1("USER#<a>", String), MustCompile2("USER#<a>#<b>", String, String), false, "one has a segment more"},
		{MustCompile2("A#<a>#<b>", String, String).At("x"), Literal("A#x#B"), true, "narrowed, by what is left and given"},
		{MustCompile2("A#<a>#<b>", String, String).At("y"), Literal("A#x#B"), true, "narrowed, the whole template counts"},
		{MustCompile1("A#<a>#B", String), MustCompile1("A#<a>#C", String), false, "other ends"},
		{MustCompile1("E#<e>", Enum("OPEN", "DONE")), MustCompile1("E#<e>", Enum("LOST", "OPENED")), false, "no value in common"},
		{MustCompile1("E#<e>", Enum("OPEN", "DONE")), MustCompile1("E#<e>", Enum("DONE", "LOST")), true, "one value in common"},
		{MustCompile1("E#<e>", Enum("a#b")), MustCompile1("E#<e>", Enum("a%23b")), false, "values are compared as they are written"},
		{MustCompile1("E/<e>", Enum("a/b")), MustCompile1("E/<e>", Verbatim), true, "an escape is raw text"},
		{MustCompile1("E#<e>", Fold(Enum("open"))), Literal("E#OPEN"), false, "folded"},
		{MustCompile1("V#<v>", Verbatim), MustCompile1("V#<a>", String), true, "raw text"},
		{MustCompile2("<day>-<id>", Day, String), MustCompile1("<a>", String), true, "another delimiter"},
		{MustCompile1("X/<a>", String), MustCompile1("X/Y/<a>", String), false, "the delimiter in the value is escaped"},
		{MustCompile1("X:<a>", String), MustCompile1("X:Y/<a>", String), true, "/ is no delimiter of the first"},
		{order.At("LOST"), order, false, "a template with an error writes nothing"},
	}
	for _, tt := range tests {
		if got := tt.a.Overlaps(tt.b); got != tt.want {
			t.Errorf("%v overlaps %v: %v, want %v (%s)", tt.a, tt.b, got, tt.want, tt.reason)
		}
		if got := tt.b.Overlaps(tt.a); got != tt.want {
			t.Errorf("%v overlaps %v: %v, want %v (%s)", tt.b, tt.a, got, tt.want, tt.reason)
		}
	}
}
