package cases

import (
	"encoding/json"
	"strings"
	"testing"
)

// Every case is named once, says why it matters, and is written in JSON that
// the SDK's types can hold unless it is sent raw.
func TestCasesAreWellFormed(t *testing.T) {
	names := map[string]bool{}
	for _, g := range All() {
		for _, c := range g.Cases {
			name := g.Name + "/" + c.Name
			if names[name] {
				t.Errorf("%s: two cases have this name", name)
			}
			names[name] = true
			if c.Why == "" || len(c.Steps) == 0 {
				t.Errorf("%s: states no reason or takes no step", name)
			}
			for i, s := range c.Steps {
				if s.Want == "" && s.Code == "" && !s.Any {
					t.Errorf("%s: step %d: no answer can be wrong", name, i+1)
				}
				if s.Want != "" && !json.Valid([]byte(s.Want)) {
					t.Errorf("%s: step %d: the answer is no JSON: %s", name, i+1, shorten(s.Want))
				}
				if !s.Raw && !json.Valid([]byte(s.In)) {
					t.Errorf("%s: step %d: the request is no JSON: %s", name, i+1, shorten(s.In))
				}
			}
		}
	}
	if len(names) < 500 {
		t.Errorf("%d cases are left", len(names))
	}
	for name := range Reasons(Dynoxide) {
		found := false
		for n := range names {
			found = found || strings.ReplaceAll(n, " ", "_") == name
		}
		if !found {
			t.Errorf("known difference %s names no case", name)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          bool
		why           string
	}{
		{"a", "a", true, "equal"},
		{"a", "ab", false, "no prefix matches"},
		{"a…", "ab", true, "any end"},
		{"…b", "ab", true, "any beginning"},
		{"a…c", "abbc", true, "any middle"},
		{"a…c…e", "abcde", true, "two gaps"},
		{"a…c…e", "abde", false, "a part is missing"},
		{"a…a", "a", false, "parts do not overlap"},
		{"a", "1 validation error detected: a", true, "the count may stand before"},
		{"1 validation error detected: a", "a", false, "the count may be asked for"},
	} {
		if got := matches(tt.pattern, tt.text); got != tt.want {
			t.Errorf("%s: matches(%q, %q) = %v", tt.why, tt.pattern, tt.text, got)
		}
	}
}

func TestPick(t *testing.T) {
	doc := parse(`{"a":[{"b":1},{"b":2}]}`)
	for path, want := range map[string]any{"a.1.b": 2.0, "a.2.b": nil, "a.x": nil, "b": nil, "a.0.b.c": nil} {
		if got := pick(doc, path); got != want {
			t.Errorf("pick(%s) = %v, want %v", path, got, want)
		}
	}
}
