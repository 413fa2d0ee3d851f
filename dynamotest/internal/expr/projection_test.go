package expr

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/singletable-go/singletable/dynamotest/internal/av"
	"pgregory.net/rapid"
)

func TestProjectionRefuses(t *testing.T) {
	for _, tt := range []struct{ reason, text, want string }{
		{"empty", "", "The expression can not be empty;"},
		{"comma too many", "a,", syntaxText("<EOF>", ",")},
		{"comma missing", "a b", syntaxText("b", "a b")},
		{"value", ":s", syntaxText(":s", ":s")},
		{"index open", "a[0", syntaxText("<EOF>", "0")},
		{"parentheses", "(a)", syntaxText("(", "(a")},
		{"function", "size(a)", syntaxText("(", "size(a")},
		{"digit first", "1a", syntaxText("1", "1a")},
		{"star", "*", syntaxText("*", "*")},
		{"sign in a name", "user-id", syntaxText("-", "user-id")},
		{"reserved word", "a, status", reservedStatus},
		{"keyword of conditions", "AND", "Attribute name is a reserved keyword; reserved keyword: AND"},
		{"undefined name", "#x", undefinedName + "#x"},
		{"reserved word before name", "#x, status", reservedStatus},
		{"one path twice", "a, b, a", overlapText + "[a], path two: [a]"},
		{"one path by two names", "#a, a", overlapText + "[a], path two: [a]"},
		{"map and its field", "a, a.b", overlapText + "[a], path two: [a, b]"},
		{"field and its map", "a.b.c, a.b", overlapText + "[a, b, c], path two: [a, b]"},
		{"element and its field", "a[0], a[0].b", overlapText + "[a, [0]], path two: [a, [0], b]"},
		{"map and list", "a.b, a[0]", conflictText + "[a, b], path two: [a, [0]]"},
		{"overlap before conflict", "a.b, a[0], c, c", overlapText + "[c], path two: [c]"},
	} {
		_, err := testParams(t).Projection(tt.text)
		if got := message(t, err); got != "Invalid ProjectionExpression: "+tt.want {
			t.Errorf("%s: %s\n got %s\nwant Invalid ProjectionExpression: %s", tt.reason, tt.text, got, tt.want)
		}
	}
}

func TestProjection(t *testing.T) {
	const all = `{"a":{"S":"x"},"m":{"M":{"x":{"N":"1"},"y":{"M":{"z":{"N":"2"}}},"status":{"N":"3"}}},
		"l":{"L":[{"N":"0"},{"M":{"k":{"N":"1"},"j":{"N":"2"}}},{"N":"2"},{"L":[{"N":"30"},{"N":"31"}]}]},"x.y":{"S":"dot"}}`
	for _, tt := range []struct{ reason, text, want string }{
		{"attributes", "a, b, #dot", `{"a":{"S":"x"},"x.y":{"S":"dot"}}`},
		{"nothing there", "b, b2.c, b3[0]", `{}`},
		{"field", "m.x", `{"m":{"M":{"x":{"N":"1"}}}}`},
		{"fields of one map", "m.y.z, m.x, m.#st", `{"m":{"M":{"x":{"N":"1"},"y":{"M":{"z":{"N":"2"}}},"status":{"N":"3"}}}}`},
		{"elements in the order of the list", "l[2], l[0]", `{"l":{"L":[{"N":"0"},{"N":"2"}]}}`},
		{"field of an element", "l[1].j", `{"l":{"L":[{"M":{"j":{"N":"2"}}}]}}`},
		{"element of an element", "l[3][1]", `{"l":{"L":[{"L":[{"N":"31"}]}]}}`},
		{"element that is not there", "l[0], l[9]", `{"l":{"L":[{"N":"0"}]}}`},
		{"map of which nothing is there", "m.nope, a", `{"a":{"S":"x"}}`},
		{"list of a map", "m[0]", `{}`},
		{"field of a list", "l.x", `{}`},
		{"field of a string", "a.x", `{}`},
	} {
		p, err := testParams(t).Projection(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if got, want := p.Apply(item(t, all)), item(t, tt.want); !av.EqualItems(got, want) {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.reason, tt.text, got.AppendJSON(nil), want.AppendJSON(nil))
		}
		if got, want := ProjectPaths(item(t, all), p.Paths()), item(t, tt.want); !av.EqualItems(got, want) {
			t.Errorf("%s: ProjectPaths of %s\n got %s\nwant %s", tt.reason, tt.text, got.AppendJSON(nil), want.AppendJSON(nil))
		}
	}
}

func TestProjectionAttrs(t *testing.T) {
	p, err := testParams(t).Projection("b.c, a, b.d, #dot[0]")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b", "a", "x.y"}, p.TopLevelAttrs()); diff != "" {
		t.Errorf("TopLevelAttrs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b", "x.y"}, p.NestedAttrs()); diff != "" {
		t.Errorf("NestedAttrs (-want +got):\n%s", diff)
	}
}

// drawTree draws a value of maps, lists and numbers.
func drawTree(t *rapid.T, depth int) av.Value {
	n := rapid.IntRange(0, 3).Draw(t, "parts")
	switch kind := rapid.IntRange(0, 2).Draw(t, "kind"); {
	case depth > 0 && kind == 0:
		m := map[string]av.Value{}
		for _, name := range []string{"a", "b", "c"}[:n] {
			m[name] = drawTree(t, depth-1)
		}
		return av.Map(m)
	case depth > 0 && kind == 1:
		l := make([]av.Value, n)
		for i := range l {
			l[i] = drawTree(t, depth-1)
		}
		return av.List(l)
	}
	return av.Num(av.Int(rapid.Int64Range(0, 9).Draw(t, "N")))
}

func drawItem(t *rapid.T) av.Item {
	it := av.Item{}
	for _, name := range []string{"a", "b", "c"} {
		if rapid.Bool().Draw(t, "has "+name) {
			it[name] = drawTree(t, 3)
		}
	}
	return it
}

func drawPath(t *rapid.T) Path {
	p := Path{field(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "head"))}
	for range rapid.IntRange(0, 3).Draw(t, "steps") {
		if rapid.Bool().Draw(t, "field") {
			p = append(p, field(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")))
		} else {
			p = append(p, element(rapid.IntRange(0, 3).Draw(t, "index")))
		}
	}
	return p
}

// drawPaths draws paths of which no two overlap or conflict.
func drawPaths(t *rapid.T) []Path {
	var out []Path
draw:
	for range rapid.IntRange(1, 5).Draw(t, "paths") {
		p := drawPath(t)
		for _, q := range out {
			if p.relate(q) != apart {
				continue draw
			}
		}
		out = append(out, p)
	}
	return out
}

// source writes a path as an expression has it.
func source(p Path) string {
	s := p[0].Name
	for _, step := range p[1:] {
		if step.IsIndex() {
			s += Path{step}.String()[1:]
			s = s[:len(s)-1]
		} else {
			s += "." + step.Name
		}
	}
	return s
}

// What a projection has is exactly what its paths have: as many scalars, and at
// a path without indexes the same value.
func TestProjectionKeepsPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it, paths := drawItem(t), drawPaths(t)
		text := source(paths[0])
		for _, p := range paths[1:] {
			text += "," + source(p)
		}
		pr, err := NewParams(nil, nil).Projection(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got, leaves := pr.Apply(it), 0
		for _, p := range paths {
			v, ok := p.Lookup(it)
			if ok {
				leaves += scalars(v)
			}
			if source(p) == source(p[:1]) || !hasIndex(p) {
				w, ok2 := p.Lookup(got)
				if ok != ok2 || ok && !av.Equal(v, w) {
					t.Fatalf("%s of %s: %s", text, it.AppendJSON(nil), got.AppendJSON(nil))
				}
			}
		}
		sum := 0
		for _, v := range got {
			sum += scalars(v)
		}
		if sum != leaves {
			t.Fatalf("%s of %s: %s has %d scalars, want %d", text, it.AppendJSON(nil), got.AppendJSON(nil), sum, leaves)
		}
	})
}

func hasIndex(p Path) bool {
	for _, s := range p {
		if s.IsIndex() {
			return true
		}
	}
	return false
}

func scalars(v av.Value) int {
	n := 0
	switch v.Kind() {
	case av.M:
		for _, part := range v.Map() {
			n += scalars(part)
		}
	case av.L:
		for _, part := range v.List() {
			n += scalars(part)
		}
	default:
		n = 1
	}
	return n
}
