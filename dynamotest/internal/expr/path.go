package expr

import (
	"slices"
	"strconv"
	"strings"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// Path is a document path: an attribute, and the way from there into maps and
// lists. Its first step is a name.
type Path []Step

// Step is one step of a path: a field of a map, or an element of a list.
type Step struct {
	Name  string // "" for an element
	Index int    // -1 for a field
}

func field(name string) Step { return Step{Name: name, Index: -1} }

func element(index int) Step { return Step{Index: index} }

// IsIndex tells whether the step goes to an element of a list.
func (s Step) IsIndex() bool { return s.Index >= 0 }

// Head returns the top-level attribute that the path begins with.
func (p Path) Head() string { return p[0].Name }

// String writes the path as the service's messages do: [a, b, [0]].
func (p Path) String() string {
	var b strings.Builder
	b.WriteByte('[')
	for i, s := range p {
		if i > 0 {
			b.WriteString(", ")
		}
		if s.IsIndex() {
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
		} else {
			b.WriteString(s.Name)
		}
	}
	b.WriteByte(']')
	return b.String()
}

// Lookup returns the value at the path, and false if there is none.
func (p Path) Lookup(it av.Item) (av.Value, bool) {
	v, ok := it[p[0].Name]
	for _, s := range p[1:] {
		if !ok {
			break
		}
		v, ok = s.in(v)
	}
	return v, ok
}

// in returns the part of v that the step goes to.
func (s Step) in(v av.Value) (av.Value, bool) {
	if !s.IsIndex() {
		part, ok := v.Map()[s.Name]
		return part, ok
	}
	if l := v.List(); s.Index < len(l) {
		return l[s.Index], true
	}
	return av.Value{}, false
}

// relation says how two paths stand to each other.
type relation uint8

const (
	apart    relation = iota
	overlap           // one is the other, or leads into it
	conflict          // one takes for a list what the other takes for a map
)

func (p Path) relate(q Path) relation {
	for i := range min(len(p), len(q)) {
		if p[i].IsIndex() != q[i].IsIndex() {
			return conflict
		}
		if p[i] != q[i] {
			return apart
		}
	}
	return overlap
}

// tree holds paths that are all apart, by their common beginnings. Children
// stand in the order of the source.
type tree struct {
	step Step
	kids []*tree
	leaf int // which path ends here, -1 if none does
}

func newTree(paths []Path) *tree {
	root := &tree{leaf: -1}
	for i, p := range paths {
		at := root
		for _, s := range p {
			at = at.child(s)
		}
		at.leaf = i
	}
	return root
}

func (t *tree) child(s Step) *tree {
	for _, k := range t.kids {
		if k.step == s {
			return k
		}
	}
	k := &tree{step: s, leaf: -1}
	t.kids = append(t.kids, k)
	return k
}

// byIndex returns the children in the order of their indexes.
func (t *tree) byIndex() []*tree {
	return slices.SortedFunc(slices.Values(t.kids), func(a, b *tree) int { return a.step.Index - b.step.Index })
}

// sortIndexes puts the children that are elements of a list into their order.
func (t *tree) sortIndexes() {
	if len(t.kids) > 1 && t.kids[0].step.IsIndex() {
		t.kids = t.byIndex()
	}
	for _, k := range t.kids {
		k.sortIndexes()
	}
}

// project returns what the item has at the paths. Elements of one list stay in
// its order, without gaps.
func (t *tree) project(it av.Item) av.Item {
	out := make(av.Item, min(len(t.kids), len(it)))
	for _, k := range t.kids {
		if v, ok := it[k.step.Name]; ok {
			if v, ok = k.pick(v); ok {
				out[k.step.Name] = v
			}
		}
	}
	return out
}

// pick returns the parts of v at the paths below, and false if it has none.
func (t *tree) pick(v av.Value) (av.Value, bool) {
	if t.leaf >= 0 {
		return v, true
	}
	var (
		fields   map[string]av.Value
		elements []av.Value
	)
	for _, k := range t.kids {
		part, ok := k.step.in(v)
		if ok {
			part, ok = k.pick(part)
		}
		switch {
		case !ok:
		case k.step.IsIndex():
			elements = append(elements, part)
		default:
			if fields == nil {
				fields = make(map[string]av.Value, len(t.kids))
			}
			fields[k.step.Name] = part
		}
	}
	switch {
	case fields != nil:
		return av.Map(fields), true
	case elements != nil:
		return av.List(elements), true
	}
	return av.Value{}, false
}

// ProjectPaths returns what the item has at the paths, none of which may overlap
// or conflict with another.
func ProjectPaths(it av.Item, paths []Path) av.Item {
	t := newTree(paths)
	t.sortIndexes()
	return t.project(it)
}

// heads returns the first steps of paths, each once.
func heads(paths []Path) []string {
	var out []string
	for _, p := range paths {
		if !slices.Contains(out, p.Head()) {
			out = append(out, p.Head())
		}
	}
	return out
}

// nested returns the first steps of the paths that have more than one, each
// once.
func nested(paths []Path) []string {
	var out []string
	for _, p := range paths {
		if len(p) > 1 && !slices.Contains(out, p.Head()) {
			out = append(out, p.Head())
		}
	}
	return out
}
