package keys

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTemplateGrammar(t *testing.T) {
	tests := []struct {
		template string
		delim    byte
		literals []string
		names    []string
		reason   string
	}{
		{"REGION#<regionId>", '#', []string{"REGION#", ""}, []string{"regionId"}, "nothing follows: the punctuation before it"},
		{"STATUS#<status>#<scheduledOn>#<orderId>", '#', []string{"STATUS#", "#", "#", ""}, []string{"status", "scheduledOn", "orderId"}, "what follows a placeholder"},
		{"<a>", '#', []string{"", ""}, []string{"a"}, "# where there is none"},
		{"ORDER<a>", '#', []string{"ORDER", ""}, []string{"a"}, "a letter before it is no delimiter"},
		{"é<a>", '#', []string{"é", ""}, []string{"a"}, "nor is a letter outside of ASCII"},
		{"PROFILE", '#', []string{"PROFILE"}, nil, "a literal"},
		{"A#B", '#', []string{"A#B"}, nil, "a literal with the delimiter"},
		{"<day>-<id>", '-', []string{"", "-", ""}, []string{"day", "id"}, "a delimiter above %"},
		{"X#<day>/<id>", '/', nil, nil, "what follows counts, not what stands before: # is no delimiter here"},
		{"A:<a>", ':', []string{"A:", ""}, []string{"a"}, "punctuation before"},
		{"A:<a>#", '#', []string{"A:", "#"}, []string{"a"}, "what follows comes first"},
		{"A <a>", ' ', []string{"A ", ""}, []string{"a"}, "a space is printable"},
		{"A!<a>!B", '!', []string{"A!", "!B"}, []string{"a"}, "below # as well"},
		{"A#<a>#B:C#<b>", '#', []string{"A#", "#B:C#", ""}, []string{"a", "b"}, "other punctuation above % in a literal"},
		{"é中#<a>", '#', []string{"é中#", ""}, []string{"a"}, "a literal in other letters"},
		{"\uFFFD#<a>", '#', []string{"\uFFFD#", ""}, []string{"a"}, "the last character that a literal may have"},
		{"A#<a b>", '#', []string{"A#", ""}, []string{"a b"}, "attributes may have any name"},
	}
	for _, tt := range tests {
		l, err := parseTemplate(tt.template)
		if tt.literals == nil && tt.names == nil {
			if err == nil {
				t.Errorf("%q compiles; want an error (%s)", tt.template, tt.reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v (%s)", tt.template, err, tt.reason)
			continue
		}
		if l.delim != tt.delim {
			t.Errorf("%q: delimiter %q, want %q (%s)", tt.template, l.delim, tt.delim, tt.reason)
		}
		if diff := cmp.Diff(tt.literals, l.literals); diff != "" {
			t.Errorf("%q: literals (%s):\n%s", tt.template, tt.reason, diff)
		}
		if diff := cmp.Diff(tt.names, l.names); diff != "" {
			t.Errorf("%q: names (%s):\n%s", tt.template, tt.reason, diff)
		}
	}
}

func TestTemplateRefusals(t *testing.T) {
	tests := []struct {
		template string
		offset   int
		says     string // what the reason tells
		reason   string
	}{
		{"", 0, "empty", "a key is never empty"},
		{"A#\xFF", 2, "UTF-8", "DynamoDB stores UTF-8"},
		{"A#<a><b>", 5, "touch", "where one ends and the other begins could not be told"},
		{"<a><b>", 3, "touch", "also at the start"},
		{"A#<a>#<a>", 6, "twice", "a name is one attribute"},
		{"A#<>", 2, "without a name", "a placeholder comes from somewhere"},
		{"A#<a", 2, "without >", "not closed"},
		{"A#<a#<b>", 2, "without >", "closed by another one"},
		{"A#<", 2, "without >", "at the end"},
		{"A#a>", 3, "without <", "not opened"},
		{"A#<a>b>", 6, "without <", "closed twice"},
		{"A#<a>x", 5, "delimiter", "a letter follows: where would the value end?"},
		{"A#<a>1", 5, "delimiter", "a digit follows"},
		{"A#<a>é", 5, "delimiter", "no ASCII"},
		{"A#<a>%<b>", 5, "delimiter", "% begins an escape"},
		{"A#<a>\x00<b>", 5, "delimiter", "a control character is not printable"},
		{"A#<a>\x7F<b>", 5, "delimiter", "nor is DEL"},
		{"A#<a>#<b>:<c>", 9, "throughout", "two delimiters"},
		{"A B#<a>", 1, "sorts below", "a raw space sorts below #"},
		{"A#<a>#B C#<b>", 7, "sorts below", "in a later literal"},
		{"A!<a>#<b>", 1, "sorts below", "! is not the delimiter here"},
		{"100%#<a>", 3, "sorts below", "% begins an escape"},
		{"A\x00", 1, "sorts below", "a control character in a constant key"},
		{"A-<a>#<b>$", 9, "throughout", "another delimiter at the end"},
		{"A#<a>#$", 6, "sorts below", "$ is not the delimiter"},
		{"\uFFFE#<a>", 0, "above the upper bound", "begins the escape of what the bound cannot hold"},
		{"A\uFFFF", 1, "above the upper bound", "the bound itself"},
		{"😀#<a>", 0, "above the upper bound", "sorts above the bound"},
	}
	for _, tt := range tests {
		_, err := parseTemplate(tt.template)
		var e *TemplateError
		if !errors.As(err, &e) {
			t.Errorf("%q: error %v, want a *TemplateError (%s)", tt.template, err, tt.reason)
			continue
		}
		if e.Template != tt.template || e.Offset != tt.offset || !strings.Contains(e.Reason, tt.says) {
			t.Errorf("%q: offset %d, %q; want offset %d, %q (%s)", tt.template, e.Offset, e.Reason, tt.offset, tt.says, tt.reason)
		}
	}
}

// A delimiter is printable ASCII, no letter, no digit, not %, < or >.
func TestEveryDelimiter(t *testing.T) {
	const may = " !\"#$&'()*+,-./:;=?@[\\]^_`{|}~"
	for c := range 256 {
		_, err := Compile2("<a>"+string([]byte{byte(c)})+"<b>", Day, Day)
		if got, want := err == nil, strings.IndexByte(may, byte(c)) >= 0; got != want {
			t.Errorf("delimiter %q: compiles %v, want %v: %v", byte(c), got, want, err)
		}
	}
}

type widthOf int

func (w widthOf) Append(dst []byte, v string) ([]byte, error) { return append(dst, v...), nil }
func (w widthOf) Parse(text string) (string, error)           { return text, nil }
func (w widthOf) Width() int                                  { return int(w) }

// What can never work is refused when the template is compiled.
func TestCodecsThatCannotWork(t *testing.T) {
	compile := func(s segment) error { _, err := compile("A#<a>", s); return err }
	tests := []struct {
		codec  string
		err    error
		says   string
		reason string
	}{
		{"nil", compile(newSeg[string](nil)), "nil", "no codec"},
		{"Enum()", compile(newSeg(Enum[string]())), "without values", "nothing could be written"},
		{"Enum(\"\")", compile(newSeg(Enum("A", ""))), "empty", "a segment has text"},
		{"Enum(A, A)", compile(newSeg(Enum("A", "B", "A"))), "twice", "a slip of the pen"},
		{"Enum(invalid)", compile(newSeg(Enum("\xFF"))), "UTF-8", "could never be written"},
		{"Uint(0)", compile(newSeg(Uint(0))), "width 0", "no digits"},
		{"Uint(21)", compile(newSeg(Uint(21))), "width 21", "more than a uint64 has"},
		{"UintOf(-1)", compile(newSeg(UintOf[uint8](-1))), "width -1", "negative"},
		{"Int(0)", compile(newSeg(Int(0))), "width 0", "no digits"},
		{"Int(20)", compile(newSeg(Int(20))), "width 20", "more than an int64 has"},
		{"IntOf(-1)", compile(newSeg(IntOf[int](-1))), "width -1", "negative"},
		{"Time(4)", compile(newSeg(Time(4))), "precision 4", "no such precision"},
		{"Fold(nil)", compile(newSeg(Fold[string](nil))), "nil", "no codec inside"},
		{"Fold(Enum(A))", compile(newSeg(Fold(Enum("A")))), "folded", "A could never be written"},
		{"Fold(Enum())", compile(newSeg(Fold(Enum[string]()))), "without values", "the codec inside is asked too"},
		{"Fold(fixed)", compile(newSeg(Fold[string](widthOf(3)))), "fixed width", "folding changes the width"},
		{"width 0", compile(newSeg(widthOf(0))), "Width is 0", "no bytes"},
		{"width -1", compile(newSeg(widthOf(-1))), "Width is -1", "negative"},
		{"width 1025", compile(newSeg(widthOf(1025))), "Width is 1025", "no sort key is so long"},
	}
	for _, tt := range tests {
		var e *TemplateError
		if !errors.As(tt.err, &e) {
			t.Errorf("%s: error %v, want a *TemplateError (%s)", tt.codec, tt.err, tt.reason)
			continue
		}
		if e.Offset != 2 || !strings.Contains(e.Reason, tt.says) || !strings.Contains(e.Reason, "<a>") {
			t.Errorf("%s: %v; want %q at offset 2, with the placeholder (%s)", tt.codec, e, tt.says, tt.reason)
		}
	}
}

func TestNumberOfCodecs(t *testing.T) {
	tests := []struct {
		template string
		segments int
		says     string
	}{
		{"A#<a>#<b>", 1, "use Compile2"},
		{"A#<a>", 0, "use Compile1"},
		{"PROFILE", 1, "use Literal"},
		{"<a>#<b>#<c>#<d>#<e>#<f>#<g>", 6, "6 are the most"},
	}
	for _, tt := range tests {
		segments := make([]segment, tt.segments)
		for i := range segments {
			segments[i] = newSeg(String)
		}
		_, err := compile(tt.template, segments...)
		var e *TemplateError
		if !errors.As(err, &e) || e.Offset != len(tt.template) || !strings.Contains(e.Reason, tt.says) {
			t.Errorf("%q with %d codecs: %v; want %q", tt.template, tt.segments, err, tt.says)
		}
	}
}

// A declaration panics when a program starts, with the error that Compile gives.
func TestMustCompilePanics(t *testing.T) {
	for what, declare := range map[string]func(){
		"Literal":      func() { Literal("") },
		"MustCompile1": func() { MustCompile1("A#<a", String) },
		"MustCompile2": func() { MustCompile2("A#<a>", String, String) },
		"MustCompile3": func() { MustCompile3("A#<a>", String, String, String) },
		"MustCompile4": func() { MustCompile4("A#<a>", String, String, String, String) },
		"MustCompile5": func() { MustCompile5("A#<a>", String, String, String, String, String) },
		"MustCompile6": func() { MustCompile6("A#<a>", String, String, String, String, String, Uint(0)) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*TemplateError); !ok {
					t.Errorf("%s does not panic with a *TemplateError", what)
				}
			}()
			declare()
		}()
	}
}

func TestTemplateMethods(t *testing.T) {
	three := MustCompile3("STATUS#<status>#<day>#L#<id>#", String, Day, String)
	day := Date{2026, 1, 31}
	tests := []struct {
		template Template
		text     string
		names    []string
		narrowed bool
	}{
		{Literal("PROFILE"), "PROFILE", nil, false},
		{three, "STATUS#<status>#<day>#L#<id>#", []string{"status", "day", "id"}, false},
		{three.At("a b"), "STATUS#a%20b#<day>#L#<id>#", []string{"day", "id"}, true},
		{three.At("<id>").At(day), "STATUS#<id>#2026-01-31#L#<id>#", []string{"id"}, true},
		{three.At(""), "STATUS#<status>#<day>#L#<id>#", []string{"day", "id"}, true},
	}
	for _, tt := range tests {
		if got := tt.template.String(); got != tt.text {
			t.Errorf("String() = %q, want %q", got, tt.text)
		}
		if diff := cmp.Diff(tt.names, tt.template.Placeholders()); diff != "" {
			t.Errorf("%v: Placeholders:\n%s", tt.template, diff)
		}
		if got := tt.template.Narrowed(); got != tt.narrowed {
			t.Errorf("%v: Narrowed() = %v", tt.template, got)
		}
	}
	// The names are the caller's to change.
	three.Placeholders()[0] = "x"
	if got := three.Placeholders()[0]; got != "status" {
		t.Errorf("Placeholders are shared: %q", got)
	}
}

func TestAccepts(t *testing.T) {
	c := MustCompile6("<s>#<n>#<u>#<f>#<b>#<d>", StringOf[name](), Int(5), Uint(5), Float64, Bool, Day)
	tests := []struct {
		i  int
		v  any
		ok bool
	}{
		{0, name(""), true}, {0, "", true}, {0, 1, false}, {0, []byte(nil), false}, {0, new(string), false},
		{1, int8(0), true}, {1, delta(0), true}, {1, uint8(0), false}, {1, 0.5, false}, {1, "", false},
		{2, uint(0), true}, {2, level(0), true}, {2, 0, false}, {2, uintptr(0), false},
		{3, 0.5, true}, {3, float32(0), false}, {4, true, true}, {4, 1, false},
		{5, Date{}, true}, {5, struct{}{}, false}, {5, "", false},
	}
	for _, tt := range tests {
		err := c.Accepts(tt.i, reflect.TypeOf(tt.v))
		if (err == nil) != tt.ok {
			t.Errorf("Accepts(%d, %T): %v, want ok %v", tt.i, tt.v, err, tt.ok)
		}
		if err != nil {
			e := err.(*Error)
			if !errors.Is(err, ErrValue) || e.Placeholder != c.Placeholders()[tt.i] || e.Template != c.String() || e.Offset != -1 {
				t.Errorf("Accepts(%d, %T): %#v", tt.i, tt.v, e)
			}
		}
	}
	for _, i := range []int{-1, 6} {
		if err := c.Accepts(i, reflect.TypeFor[string]()); !errors.Is(err, ErrValue) {
			t.Errorf("Accepts(%d): %v", i, err)
		}
	}
	if err := c.Accepts(0, nil); !errors.Is(err, ErrValue) {
		t.Errorf("Accepts(nil): %v", err)
	}
	if err := c.At("a").Accepts(-1, reflect.TypeFor[string]()); !errors.Is(err, ErrValue) {
		t.Errorf("narrowed: Accepts(-1): %v", err)
	}
	if err := c.At("a").Accepts(0, reflect.TypeFor[int]()); err != nil {
		t.Errorf("narrowed: Accepts(0, int): %v", err)
	}
}
