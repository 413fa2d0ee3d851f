package txn

import (
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/singletable-go/singletable/model"
)

type (
	av   = types.AttributeValue
	avm  = types.AttributeValueMemberM
	avl  = types.AttributeValueMemberL
	avn  = types.AttributeValueMemberN
	avs  = types.AttributeValueMemberS
	avss = types.AttributeValueMemberSS
)

func num(s string) av         { return &avn{Value: s} }
func text(s string) av        { return &avs{Value: s} }
func list(vs ...av) av        { return &avl{Value: vs} }
func dict(m map[string]av) av { return &avm{Value: m} }
func set(s ...string) av      { return &avss{Value: s} }

var exactly = cmp.Comparer(func(a, b av) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	an, ok := a.(*avn)
	bn, also := b.(*avn)
	if ok && also {
		return an.Value == bn.Value // the digits, not the number
	}
	return model.Equal(a, b)
})

func TestMerge(t *testing.T) {
	for _, test := range []struct {
		reason                       string
		stored, before, after, merge model.Item
	}{
		{
			"what the type does not know stays",
			model.Item{"a": num("1"), "x": text("?")}, model.Item{"a": num("1")}, model.Item{"a": num("2")},
			model.Item{"a": num("2"), "x": text("?")},
		},
		{
			"digits that the type cannot hold stay where the value does",
			model.Item{"a": num("1.10"), "b": num("0.1000000000000000000000000000000000001")},
			model.Item{"a": num("1.1"), "b": num("0.1")}, model.Item{"a": num("1.1"), "b": num("0.1")},
			model.Item{"a": num("1.10"), "b": num("0.1000000000000000000000000000000000001")},
		},
		{
			"what the type would write for an attribute that is absent is not written",
			model.Item{}, model.Item{"a": num("0")}, model.Item{"a": num("0")}, model.Item{},
		},
		{
			"removed",
			model.Item{"a": num("1"), "b": num("2")}, model.Item{"a": num("1"), "b": num("2")}, model.Item{"b": num("2")},
			model.Item{"b": num("2")},
		},
		{
			"unknown keys of a map, at any depth",
			model.Item{"m": dict(map[string]av{"k": dict(map[string]av{"a": num("1"), "x": num("9")}), "y": num("8")})},
			model.Item{"m": dict(map[string]av{"k": dict(map[string]av{"a": num("1")})})},
			model.Item{"m": dict(map[string]av{"k": dict(map[string]av{"a": num("2"), "b": num("3")})})},
			model.Item{"m": dict(map[string]av{"k": dict(map[string]av{"a": num("2"), "b": num("3"), "x": num("9")}), "y": num("8")})},
		},
		{
			"a map that becomes empty keeps what is unknown",
			model.Item{"m": dict(map[string]av{"a": num("1"), "x": num("9")})},
			model.Item{"m": dict(map[string]av{"a": num("1")})}, model.Item{"m": dict(map[string]av{})},
			model.Item{"m": dict(map[string]av{"x": num("9")})},
		},
		{
			"a map that becomes something else does not",
			model.Item{"m": dict(map[string]av{"a": num("1"), "x": num("9")})},
			model.Item{"m": dict(map[string]av{"a": num("1")})}, model.Item{"m": &types.AttributeValueMemberNULL{Value: true}},
			model.Item{"m": &types.AttributeValueMemberNULL{Value: true}},
		},
		{
			"stored as no map, read as one",
			model.Item{"m": &types.AttributeValueMemberNULL{Value: true}},
			model.Item{"m": dict(map[string]av{})}, model.Item{"m": dict(map[string]av{"a": num("1")})},
			model.Item{"m": dict(map[string]av{"a": num("1")})},
		},
		{
			"an element changed in place",
			model.Item{"l": list(unknown("1", "x"), unknown("2", "y"))},
			model.Item{"l": list(known("1"), known("2"))}, model.Item{"l": list(known("1"), known("3"))},
			model.Item{"l": list(unknown("1", "x"), unknown("3", "y"))},
		},
		{
			"an element taken out of the middle: the others keep what is theirs",
			model.Item{"l": list(unknown("1", "x"), unknown("2", "y"), unknown("3", "z"))},
			model.Item{"l": list(known("1"), known("2"), known("3"))}, model.Item{"l": list(known("1"), known("3"))},
			model.Item{"l": list(unknown("1", "x"), unknown("3", "z"))},
		},
		{
			"one taken out and another changed",
			model.Item{"l": list(unknown("1", "x"), unknown("2", "y"), unknown("3", "z"))},
			model.Item{"l": list(known("1"), known("2"), known("3"))}, model.Item{"l": list(known("2"), known("4"))},
			model.Item{"l": list(unknown("2", "y"), unknown("4", "z"))},
		},
		{
			"turned around",
			model.Item{"l": list(unknown("1", "x"), unknown("2", "y"))},
			model.Item{"l": list(known("1"), known("2"))}, model.Item{"l": list(known("2"), known("1"))},
			model.Item{"l": list(unknown("2", "y"), unknown("1", "x"))},
		},
		{
			"put in front",
			model.Item{"l": list(unknown("1", "x"), unknown("2", "y"))},
			model.Item{"l": list(known("1"), known("2"))}, model.Item{"l": list(known("0"), known("1"), known("2"))},
			model.Item{"l": list(known("0"), unknown("1", "x"), unknown("2", "y"))},
		},
		{
			"all changed and one appended: by index",
			model.Item{"l": list(unknown("1", "x"), unknown("2", "y"))},
			model.Item{"l": list(known("1"), known("2"))}, model.Item{"l": list(known("3"), known("4"), known("5"))},
			model.Item{"l": list(unknown("3", "x"), unknown("4", "y"), known("5"))},
		},
		{
			"all changed and shorter: nothing tells which is which",
			model.Item{"l": list(unknown("1", "x"), unknown("2", "y"))},
			model.Item{"l": list(known("1"), known("2"))}, model.Item{"l": list(known("3"))},
			model.Item{"l": list(known("3"))},
		},
		{
			"equal elements, one taken out",
			model.Item{"l": list(unknown("1", "x"), unknown("1", "y"))},
			model.Item{"l": list(known("1"), known("1"))}, model.Item{"l": list(known("1"))},
			model.Item{"l": list(unknown("1", "x"))},
		},
		{
			"a list that is stored longer than the type sees it",
			model.Item{"l": list(num("1"), num("2"))},
			model.Item{"l": list(num("1"))}, model.Item{"l": list(num("3"))},
			model.Item{"l": list(num("3"))},
		},
		{
			"a set is one value",
			model.Item{"s": set("a", "b")}, model.Item{"s": set("b", "a")}, model.Item{"s": set("a", "c")},
			model.Item{"s": set("a", "c")},
		},
		{
			"a set in another order has not changed",
			model.Item{"s": set("a", "b")}, model.Item{"s": set("a", "b")}, model.Item{"s": set("b", "a")},
			model.Item{"s": set("a", "b")},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			was := model.CloneItem(test.stored)
			got := merge(test.stored, test.before, test.after)
			if diff := cmp.Diff(test.merge, got, exactly); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(was, test.stored, exactly); diff != "" {
				t.Errorf("what is stored was changed:\n%s", diff)
			}
			if diff := cmp.Diff(test.merge, apply(t, test.stored, diff(test.stored, test.merge)), sameAV); diff != "" {
				t.Errorf("the update makes something else of it (-want +got):\n%s", diff)
			}
		})
	}
}

func known(a string) av      { return dict(map[string]av{"a": num(a)}) }
func unknown(a, x string) av { return dict(map[string]av{"a": num(a), "x": text(x)}) }

var sameAV = cmp.Comparer(func(a, b av) bool { return a == nil && b == nil || a != nil && b != nil && model.Equal(a, b) })

// genValue draws a value whose map keys are known (k…) or unknown (u…) to a type.
func genValue(depth int) *rapid.Generator[av] {
	return rapid.Custom(func(t *rapid.T) av {
		kind := rapid.IntRange(0, 4).Draw(t, "kind")
		if depth == 0 {
			kind %= 3
		}
		switch kind {
		case 0:
			return num(strconv.Itoa(rapid.IntRange(0, 3).Draw(t, "n")))
		case 1:
			return text(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "s"))
		case 2:
			return set(rapid.SampledFrom([][]string{{"a"}, {"a", "b"}, {"b"}}).Draw(t, "ss")...)
		case 3:
			return list(rapid.SliceOfN(genValue(depth-1), 0, 4).Draw(t, "l")...)
		default:
			return dict(genMap(depth-1).Draw(t, "m"))
		}
	})
}

func genMap(depth int) *rapid.Generator[map[string]av] {
	name := rapid.SampledFrom([]string{"k1", "k2", "k.3", "k[4]", "u1", "u2"})
	return rapid.MapOfN(name, genValue(depth), 0, 5)
}

// see is what a type that does not know the names with u makes of an item.
func see(item model.Item) model.Item {
	out := model.Item{}
	for name, v := range item {
		if !strings.HasPrefix(name, "u") {
			out[name] = seeValue(v)
		}
	}
	return out
}

func seeValue(v av) av {
	switch v := v.(type) {
	case *avm:
		return dict(see(v.Value))
	case *avl:
		out := make([]av, len(v.Value))
		for i, e := range v.Value {
			out[i] = seeValue(e)
		}
		return list(out...)
	}
	return v
}

// The type sees exactly what it wrote, and what it cannot see is still there
// wherever what holds it still is.
func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stored := genMap(3).Draw(t, "stored")
		before := see(stored)
		after := see(genMap(3).Draw(t, "after"))
		// Often, little is changed.
		if rapid.Bool().Draw(t, "little") {
			after = model.CloneItem(before)
			after["k1"] = seeValue(genValue(2).Draw(t, "k1"))
		}
		got := merge(stored, before, after)
		if d := cmp.Diff(after, see(got), sameAV); d != "" {
			t.Fatalf("what the type sees is not what it wrote (-wrote +sees):\n%s", d)
		}
		if d := cmp.Diff(stored, merge(stored, before, before), exactly); d != "" {
			t.Fatalf("merging no change changes:\n%s", d)
		}
		for name, v := range stored {
			if strings.HasPrefix(name, "u") && !model.Equal(got[name], v) {
				t.Fatalf("%s is gone", name)
			}
			if b, ok := before[name]; ok && after[name] != nil && model.Equal(b, after[name]) && !model.Equal(got[name], v) {
				t.Fatalf("%s was not changed by the type, and is not as it was stored", name)
			}
		}
		if d := cmp.Diff(got, apply(t, stored, diff(stored, got)), sameAV); d != "" {
			t.Fatalf("update by paths (-want +got):\n%s", d)
		}
		if d := cmp.Diff(got, apply(t, stored, diffWhole(stored, got)), sameAV); d != "" {
			t.Fatalf("update by attributes (-want +got):\n%s", d)
		}
	})
}

// The service refuses overlapping paths in one expression.
func TestDiffPathsDoNotOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := genMap(3).Draw(t, "from"), genMap(3).Draw(t, "to")
		changes := diff(from, to)
		for i, c := range changes {
			for _, d := range changes[:i] {
				if c.path.overlaps(d.path) {
					t.Fatalf("%v and %v", c.path, d.path)
				}
			}
		}
	})
}

type fataler interface {
	Fatalf(format string, args ...any)
}

// apply does what DynamoDB does with SET and REMOVE of paths that do not overlap.
func apply(t fataler, item model.Item, changes []change) model.Item {
	root := dict(model.CloneItem(item))
	for _, c := range changes {
		parent := lookup(root, c.path[:len(c.path)-1])
		last := c.path[len(c.path)-1]
		switch in := parent.(type) {
		case *avm:
			if last.isIndex {
				t.Fatalf("index into a map: %v", c.path)
			}
			if c.verb == removeVerb {
				delete(in.Value, last.name)
			} else {
				in.Value[last.name] = c.value
			}
		case *avl:
			if !last.isIndex || c.verb != setVerb {
				t.Fatalf("no SET of an index: %v", c.path)
			}
			if last.index < len(in.Value) {
				in.Value[last.index] = c.value
			} else {
				in.Value = append(in.Value, c.value)
			}
		default:
			t.Fatalf("%v is in nothing", c.path)
		}
	}
	return root.(*avm).Value
}

func TestClone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		item := genMap(3).Draw(t, "item")
		if d := cmp.Diff(item, model.CloneItem(item), exactly); d != "" {
			t.Fatal(d)
		}
	})
	b := []byte{1}
	item := model.Item{
		"b": &types.AttributeValueMemberB{Value: b}, "bs": &types.AttributeValueMemberBS{Value: [][]byte{b}},
		"l": list(&types.AttributeValueMemberB{Value: b}), "bool": &types.AttributeValueMemberBOOL{Value: true},
		"ns": &types.AttributeValueMemberNS{Value: []string{"1"}}, "null": &types.AttributeValueMemberNULL{Value: true},
	}
	c := model.CloneItem(item)
	b[0] = 2
	want := []byte{1}
	got := [][]byte{
		c["b"].(*types.AttributeValueMemberB).Value, c["bs"].(*types.AttributeValueMemberBS).Value[0],
		c["l"].(*avl).Value[0].(*types.AttributeValueMemberB).Value,
	}
	if d := cmp.Diff([][]byte{want, want, want}, got); d != "" {
		t.Errorf("bytes are shared:\n%s", d)
	}
}
