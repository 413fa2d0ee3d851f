package expr

import (
	"strings"
	"testing"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// FuzzExpressions parses any text as every kind of expression, and evaluates
// what is one.
func FuzzExpressions(f *testing.F) {
	for _, s := range []string{
		"", "a = :s", "((a) = :s AND NOT (b <> :n)) OR a.b[0] IN (:s, :n)", "attribute_type(a, :S) OR size(a) BETWEEN :n AND :n2",
		"begins_with(#a, :s) and contains(l, :n)", "a, b[0].c, #st", "SET a = if_not_exists(a, :n) + :n REMOVE l[0], l[9] ADD n :n DELETE ss :ss",
		"SET l = list_append(l, :l), m.x = (n - :n)", "pk = :s AND sk BETWEEN :s AND :s2", "a[99999999999999999999]", "# : [ . <>", "a\xff = :s",
		strings.Repeat("(", 2000), strings.Repeat("NOT ", 1000), "SET a = " + strings.Repeat("(", 1000),
	} {
		f.Add(s)
	}
	old := item(f, oldItem)
	f.Fuzz(func(t *testing.T, text string) {
		p := testParams(t)
		if c, err := p.Condition("ConditionExpression", text); err == nil {
			_, _, _ = c.Eval(old), c.Eval(nil), c.NestedAttrs()
		} else if message(t, err) == "" {
			t.Fatal("error without a message")
		}
		if k, err := p.KeyCondition(text); err == nil {
			for _, term := range k.Terms {
				if term.Attr == "" || term.Op == 0 || len(term.Args) == 0 {
					t.Fatalf("%q: term %v", text, term)
				}
			}
		}
		if pr, err := p.Projection(text); err == nil {
			if got := pr.Apply(old); got.Size() > old.Size() {
				t.Fatalf("%q: a projection has more than the item: %s", text, got.AppendJSON(nil))
			}
		}
		if u, err := p.Update(text); err == nil {
			for _, it := range []av.Item{old, nil} {
				next, err := u.Apply(it)
				if message(t, err) != "" {
					continue
				}
				if again, err := av.DecodeItem(next.AppendJSON(nil)); err != nil || !av.EqualItems(next, again) {
					t.Fatalf("%q: %s is not sound: %v", text, next.AppendJSON(nil), err)
				}
				_ = u.Project(next)
			}
			if !av.EqualItems(old, item(t, oldItem)) {
				t.Fatalf("%q changed the old item", text)
			}
		}
		_ = p.Unused()
	})
}

func BenchmarkCondition(b *testing.B) {
	values := av.Item{":s": av.String("x"), ":n": av.Num(av.Int(1))}
	names := map[string]string{"#st": "status"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewParams(names, values).Condition("ConditionExpression", "attribute_exists(pk) AND #st = :s AND version = :n"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkApply(b *testing.B) {
	u, err := NewParams(nil, av.Item{":n": av.Num(av.Int(1))}).Update("SET version = version + :n REMOVE note")
	if err != nil {
		b.Fatal(err)
	}
	it := av.Item{"pk": av.String("x"), "sk": av.String("y"), "version": av.Num(av.Int(7)), "note": av.String("z")}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := u.Apply(it); err != nil {
			b.Fatal(err)
		}
	}
}
