package expr

import (
	"testing"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
	"pgregory.net/rapid"
)

func TestEval(t *testing.T) {
	it := item(t, `{"s":{"S":"héllo😀"},"n":{"N":"5"},"b":{"B":"AP8="},"t":{"BOOL":true},"z":{"NULL":true},"e":{"S":""},
		"l":{"L":[{"S":"x"},{"N":"1.0"},{"M":{"k":{"S":"v"}}},{"L":[{"N":"7"}]}]},"m":{"M":{"k":{"S":"v"},"l":{"L":[{"N":"1"}]}}},
		"ss":{"SS":["a","b"]},"ns":{"NS":["1","2"]},"bs":{"BS":["YQ=="]},"n2":{"N":"10"},"x.y":{"S":"dot"}}`)
	values := item(t, `{":5":{"N":"5.0"},":9":{"N":"9"},":10":{"N":"10"},":he":{"S":"hé"},":a":{"S":"a"},":x":{"S":"x"},":v":{"S":"v"},":0":{"N":"0"},
		":1":{"N":"1"},":2":{"N":"2"},":4":{"N":"4"},":7":{"N":"7"},":true":{"BOOL":true},":null":{"NULL":true},":b0":{"B":"AA=="},":bff":{"B":"/w=="},":ba":{"B":"YQ=="},
		":ss":{"SS":["b","a"]},":m":{"M":{"k":{"S":"v"}}},":S":{"S":"S"},":SS":{"S":"SS"},":NULL":{"S":"NULL"},":BOOL":{"S":"BOOL"},":empty":{"S":""},":dot":{"S":"dot"}}`)
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"n = :5", true}, {"n = :9", false}, {"n <> :5", false}, {"n <> :9", true},
		{"n < :9", true}, {"n < :5", false}, {"n <= :5", true}, {"n > :5", false}, {"n >= :5", true}, {"n >= :9", false}, {"n > :4", true},
		{"n2 > :9", true},                    // by value, not by text
		{"n = :a", false}, {"n <> :a", true}, // two types
		{"n < :a", false}, {"NOT n < :a", true}, //
		{"nope = :a", false}, {"nope <> :a", true}, // nothing there
		{"nope < :a", false}, {"n < nope", false}, {"n = nope", false}, {"nope <> nope2", true}, {"n <> nope", true},
		{"t = :true", true}, {"z = :null", true}, {"ss = :ss", true}, {"m.l[0] = :1", true},
		{"l[2] = :m", true}, {"l[3][0] = :7", true}, {"l[4] = :7", false}, {"l.k = :v", false}, {"m[0] = :v", false}, {"l[2].k = m.k", true}, {"#dot = :dot", true},
		{"n BETWEEN :5 AND :9", true}, {"n BETWEEN :4 AND :5", true}, {"n BETWEEN :9 AND :10", false}, {"n BETWEEN :1 AND :4", false},
		{":5 BETWEEN n AND n2", true}, {"s BETWEEN :4 AND :5", false}, {"nope BETWEEN :4 AND :5", false}, {"n BETWEEN nope AND :5", false}, {"n BETWEEN :5 AND nope", false},
		{"n IN (:1, :5)", true}, {"n IN (:1, :2)", false}, {"n IN (:a)", false}, {"nope IN (:a)", false}, {"n IN (nope, :5)", true}, {"ss IN (:ss)", true},
		{"attribute_exists(n)", true}, {"attribute_exists(nope)", false}, {"attribute_exists(m.k)", true}, {"attribute_exists(m.nope.nope)", false}, {"attribute_exists(z)", true},
		{"attribute_not_exists(n)", false}, {"attribute_not_exists(nope)", true}, {"attribute_not_exists(l[9])", true},
		{"attribute_type(s, :S)", true}, {"attribute_type(n, :S)", false}, {"attribute_type(nope, :S)", false}, {"attribute_type(ss, :SS)", true},
		{"attribute_type(z, :NULL)", true}, {"attribute_type(t, :BOOL)", true},
		{"begins_with(s, :he)", true}, {"begins_with(s, :a)", false}, {"begins_with(s, :empty)", true}, {"begins_with(b, :b0)", true}, {"begins_with(b, :bff)", false},
		{"begins_with(n, :a)", false}, {"begins_with(nope, :a)", false}, {"begins_with(s, nope)", false}, {"begins_with(ss, :a)", false},
		{"begins_with(b, :he)", false}, {"begins_with(ss, ns)", false},
		{"contains(s, :he)", true}, {"contains(s, :x)", false}, {"contains(s, :5)", false}, {"contains(b, :bff)", true}, {"contains(b, :ba)", false}, {"contains(ss, :a)", true},
		{"contains(ss, :x)", false}, {"contains(ns, :1)", true}, {"contains(ns, :5)", false}, {"contains(ns, :a)", false}, {"contains(bs, :ba)", true},
		{"contains(l, :1)", true}, {"contains(l, :m)", true}, {"contains(l, :a)", false}, {"contains(m, :v)", false}, {"contains(n, :5)", false}, {"contains(nope, :a)", false},
		{"size(s) = :7", true}, // é is one, the emoji two
		{"size(e) = :0", true}, {"size(b) = :2", true}, {"size(l) = :4", true}, {"size(m) = :2", true}, {"size(ss) = :2", true}, {"size(ns) = :2", true}, {"size(bs) = :1", true},
		{"size(n) = :1", false}, {"size(n) <> :1", true}, {"size(t) >= :0", false}, {"size(nope) >= :0", false}, {"size(ss) IN (:2)", true},
		{"n = :5 OR s = :a AND s = :x", true},            // AND before OR
		{"(n = :5 OR s = :a) AND s = :x", false},         //
		{"NOT n = :9 AND n = :5", true},                  // NOT before AND
		{"NOT (n = :9 AND n = :5)", true},                //
		{"NOT n = :5 OR n = :5", true},                   //
		{"NOT NOT n = :5", true},                         //
		{"n = :9 OR n = :9 OR n = :5", true},             //
		{"n = :5 AND n = :5 AND n = :9", false},          //
		{"NOT attribute_exists(nope) AND t = t2", false}, //
	} {
		p := NewParams(map[string]string{"#dot": "x.y"}, values)
		c, err := p.Condition("ConditionExpression", tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if got := c.Eval(it); got != tt.want {
			t.Errorf("%s is %t", tt.text, got)
		}
	}
}

func TestEvalOfNothing(t *testing.T) {
	for text, want := range map[string]bool{
		"attribute_not_exists(pk)": true, "attribute_exists(pk)": false, "a = :s": false, "NOT a = :s": true, ":s = :s": true,
	} {
		c, err := testParams(t).Condition("ConditionExpression", text)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Eval(nil); got != want {
			t.Errorf("%s is %t without an item", text, got)
		}
	}
}

// drawScalar draws values that often are equal.
func drawScalar(t *rapid.T, label string) av.Value {
	switch rapid.IntRange(0, 3).Draw(t, label) {
	case 0:
		return av.String(rapid.StringMatching(`[ab]{0,2}`).Draw(t, label+" S"))
	case 1:
		return av.Num(av.Int(rapid.Int64Range(-2, 2).Draw(t, label+" N")))
	case 2:
		return av.Binary([]byte(rapid.StringMatching(`[ab]{0,2}`).Draw(t, label+" B")))
	}
	return av.Bool(rapid.Bool().Draw(t, label+" BOOL"))
}

// Different ways to write one condition agree.
func TestEquivalences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it := av.Item{}
		for _, name := range []string{"a", "b", "c"} {
			if rapid.IntRange(0, 4).Draw(t, "has "+name) > 0 {
				it[name] = drawScalar(t, name)
			}
		}
		holds := func(text string) bool {
			c, err := NewParams(nil, nil).Condition("ConditionExpression", text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			return c.Eval(it)
		}
		for _, same := range [][2]string{
			{"a BETWEEN b AND c", "a >= b AND a <= c"},
			{"a IN (b, c)", "a = b OR a = c"},
			{"a <> b", "NOT a = b"},
			{"a < b", "b > a"},
			{"a <= b", "b >= a"},
			{"a <= b AND a >= b AND NOT a = b", "attribute_exists(d)"},
			{"NOT (a = b AND b = c)", "NOT a = b OR NOT b = c"},
			{"NOT (a = b OR b < c)", "NOT a = b AND NOT b < c"},
			{"attribute_exists(a)", "NOT attribute_not_exists(a)"},
			{"a < b OR a = b AND attribute_exists(a)", "(a < b OR a = b) AND (attribute_exists(a))"},
		} {
			if x, y := holds(same[0]), holds(same[1]); x != y {
				t.Fatalf("%s: %s is %t, %s is %t", it.AppendJSON(nil), same[0], x, same[1], y)
			}
		}
	})
}
