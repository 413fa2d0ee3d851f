package expr

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConditionRefuses(t *testing.T) {
	steps := strings.TrimSuffix(strings.Repeat("a.", 33), ".")
	for _, tt := range []struct{ reason, text, want string }{
		{"empty", "", "The expression can not be empty;"},
		{"too long", "a = :s" + strings.Repeat(" ", 4091), "Expression size has exceeded the maximum allowed size; expression size: 4097"},

		{"white space", " \t", syntaxText("<EOF>", "")},
		{"operand alone", "a", syntaxText("<EOF>", "a")},
		{"operand in parentheses alone", "(a)", syntaxText("<EOF>", ")")},
		{"operand missing", "a =", syntaxText("<EOF>", "=")},
		{"word too many", "a = :s foo", syntaxText("foo", ":s foo")},
		{"two operators", "a == :s", syntaxText("=", "== :s")},
		{"number", "a = 5", syntaxText("5", "= 5")},
		{"quoted", `a = "x"`, syntaxText(`"`, `= "x`)},
		{"sign in a name", "a-b = :s", syntaxText("-", "a-b")},
		{"strange character", "a ≠ :s", syntaxText("≠", "a ≠ :s")},
		{"condition missing after AND", "a = :s AND", syntaxText("<EOF>", "AND")},
		{"condition missing before AND", "AND a = :s", syntaxText("AND", "AND a")},
		{"AND twice", "a = :s AND AND b = :s", syntaxText("AND", "AND AND b")},
		{"operand where a condition must be", "a AND b = :s", syntaxText("AND", "a AND b")},
		{"NOT of an operand", "NOT a", syntaxText("<EOF>", "a")},
		{"parenthesis open", "(a = :s", syntaxText("<EOF>", ":s")},
		{"parenthesis closed", "a = :s)", syntaxText(")", ":s)")},
		{"nothing in parentheses", "(())", syntaxText(")", "())")},
		{"upper bound missing", "a BETWEEN :n", syntaxText("<EOF>", ":n")},
		{"list without parenthesis", "a IN :n", syntaxText(":n", "IN :n")},
		{"empty list", "a IN ()", syntaxText(")", "()")},
		{"comma too many", "a IN (:n,)", syntaxText(")", ",)")},
		{"function without operands", "attribute_exists()", syntaxText(")", "()")},
		{"placeholder without a name", "# = :s", syntaxText("#", "# =")},
		{"two placeholders", "#a#b = :s", syntaxText("#b", "#a#b =")},
		{"negative index", "a[-1] = :s", syntaxText("-", "[-1")},
		{"index without number", "a[] = :s", syntaxText("]", "[] =")},
		{"path without name", "a. = :s", syntaxText("=", ". = :s")},
		{"keyword as name", "between = :s", syntaxText("between", "between =")},
		{"comparison compared", "(a = :s) = :t", syntaxText("=", ") = :t")},

		{"redundant parentheses", "((a = :s))", redundant},
		{"redundant parentheses inside", "(((a = :s)) AND (b = :s))", redundant},
		{"redundant parentheses under NOT", "NOT ((a = :s))", redundant},
		{"redundant parentheses of an operand", "((a)) = :s", redundant},
		{"redundant parentheses of a right operand", "a = ((:s))", redundant},
		{"redundant parentheses of a function", "((attribute_exists(a)))", redundant},

		{"reserved word", "status = :s", reservedStatus},
		{"reserved word in capitals", "STATUS = :s", strings.ReplaceAll(reservedStatus, "keyword: status", "keyword: STATUS")},
		{"reserved word in a path", "a.status = :s", reservedStatus},
		{"first of two reserved words", "status = :s AND size = :s", reservedStatus},
		{"undefined name", "#x = :s", undefinedName + "#x"},
		{"undefined value", "a = :x", undefinedValue + ":x"},
		{"undefined name before value", "#x = :x", undefinedName + "#x"},
		{"undefined value before name", ":x = #x", undefinedValue + ":x"},

		{"unknown function", "foo(a)", unknownText + "foo"},
		{"functions in capitals", "SIZE(a) = :n", unknownText + "SIZE"},
		{"function of updates", "if_not_exists(a, :n) = :n", unknownText + "if_not_exists"},
		{"size alone", "size(a)", misusedText + "size"},
		{"size in parentheses", "(size(a)) AND a = :s", misusedText + "size"},
		{"NOT of size", "NOT size(a)", misusedText + "size"},
		{"truth compared", "attribute_exists(a) = :t", misusedText + "attribute_exists"},
		{"truth as a right operand", "a = contains(a, :s)", misusedText + "contains"},
		{"truth in a list", "a IN (:n, begins_with(a, :s))", misusedText + "begins_with"},
		{"truth as a bound", "a BETWEEN attribute_exists(b) AND :n", misusedText + "attribute_exists"},
		{"truth in a function", "attribute_exists(attribute_exists(a))", misusedText + "attribute_exists"},

		{"too few operands", "contains(a)", countText + "contains, number of operands: 1"},
		{"too many operands", "size(a, b) = :n", countText + "size, number of operands: 2"},
		{"value where a path must be", "attribute_exists(:s)", "Operator or function requires a document path; operator or function: attribute_exists"},
		{"size where a path must be", "attribute_not_exists(size(a))", "Operator or function requires a document path; operator or function: attribute_not_exists"},
		{"prefix of a number", "begins_with(:n, :s)", typeText + "begins_with, operand type: N"},
		{"number for a prefix", "begins_with(a, :n)", typeText + "begins_with, operand type: N"},
		{"size for a prefix", "begins_with(a, size(b))", typeText + "begins_with, operand type: N"},
		{"set for a prefix", "begins_with(a, :ss)", typeText + "begins_with, operand type: SS"},
		{"number for a type", "attribute_type(a, :n)", typeText + "attribute_type, operand type: N"},
		{"path for a type", "attribute_type(a, b)", typeText + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
		{"no type", "attribute_type(a, :s)", "Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
		{"size of a number", "size(:n) = :n", typeText + "size, operand type: N"},
		{"size of a boolean", "size(:t) = :n", typeText + "size, operand type: BOOL"},
		{"size of null", "size(:z) = :n", typeText + "size, operand type: NULL"},
		{"size of a size", "size(size(a)) = :n", typeText + "size, operand type: N"},
		{"order of a set", "a < :ss", typeText + "<, operand type: SS"},
		{"order of a boolean", ":t >= a", typeText + ">=, operand type: BOOL"},
		{"range of lists", "a BETWEEN :l AND :l", typeText + "BETWEEN, operand type: L"},
		{"one path on both sides", "a.b[0] = a.b[0]", distinctText + "=, first operand: [a, b, [0]]"},
		{"one path by two names", "a <> #a", distinctText + "<>, first operand: [a]"},
		{"one path in a function", "contains(a, a)", distinctText + "contains, first operand: [a]"},
		{"one path in a list", "a IN (:n, a)", distinctText + "IN, first operand: [a]"},
		{"bounds of two types", "a BETWEEN :s AND :n", "The BETWEEN operator requires same data type for lower and upper bounds; " +
			"lower bound operand: AttributeValue: {S:x}, upper bound operand: AttributeValue: {N:1}"},
		{"bounds exchanged", "a BETWEEN :n2 AND :n", "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
			"lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},

		{"101 operands", "a IN (" + strings.Repeat(":n,", 100) + ":n)", "The IN operator is provided with too many operands; number of operands: 101"},
		{"301 operators", strings.Repeat("a=:s OR ", 150) + "a=:s OR NOT b=:s", "The expression contains too many operators; operator count: 304"},
		{"33 steps", steps + " = :s", "The document path has too many nesting elements; nesting levels: 33"},
		{"index out of range", "a[99999999999] = :s", "List index is not within the allowable range; index: [99999999999]"},

		{"syntax before all else", "status = #x AND ((foo(a)))) ", syntaxText(")", "))")},
		{"parentheses before functions", "foo(a) AND ((b = :s))", redundant},
		{"unknown before misused functions", "size(a) AND foo(a)", unknownText + "foo"},
		{"misused functions before reserved words", "status = :s AND size(a)", misusedText + "size"},
		{"reserved words before names", "#x = :s AND status = :s", reservedStatus},
		{"names before types in one condition", "begins_with(:n, #x)", undefinedName + "#x"},
		{"counts before types in one condition", "begins_with(:n, begins_with(a)) AND a = :s", misusedText + "begins_with"},
		{"the first condition with a mistake", "size(:n) = :n AND #x = :s", typeText + "size, operand type: N"},
		{"the same path before types", "a BETWEEN a AND :l", distinctText + "BETWEEN, first operand: [a]"},
	} {
		_, err := testParams(t).Condition("FilterExpression", tt.text)
		if got := message(t, err); got != "Invalid FilterExpression: "+tt.want {
			t.Errorf("%s: %.80s\n got %s\nwant Invalid FilterExpression: %s", tt.reason, tt.text, got, tt.want)
		}
	}
}

func TestConditionAccepts(t *testing.T) {
	for _, tt := range []struct{ reason, text string }{
		{"no white space", "a=:s AND(b<>:s)or NOT(c>=:n)"},
		{"keywords in any case", "nOt a between :n AnD :n2 oR a iN (:n)"},
		{"NOT twice", "NOT NOT a = :s"},
		{"parentheses side by side", "((a = :s) AND (b = :s))"},
		{"operands in parentheses", "(a) = (:s) AND (b) IN ((:n), (:n2)) AND (c) BETWEEN (:n) AND (:n2)"},
		{"function in parentheses", "(attribute_exists((a)))"},
		{"size in parentheses", "(size(a)) > :n"},
		{"path in parentheses", "(a.b)[0] = :s"},
		{"values alone", ":s = :s2"},
		{"white space in a path", "a . b [ 0 ] = :s"},
		{"underscore", "_a = :s"},
		{"name behind a dot", "a.#st = :s"},
		{"function name as attribute", "contains = :s"},
		{"any type is equal to something", "a = :l AND a <> :m AND a IN (:ss, :z)"},
		{"100 operands", "a IN (" + strings.Repeat(":n,", 99) + ":n)"},
		{"299 operators", strings.Repeat("a=:s OR ", 149) + "a=:s"},
		{"32 steps", strings.Repeat("a.", 31) + "a = :s"},
		{"4096 bytes", "a = :s" + strings.Repeat(" ", 4090)},
	} {
		if _, err := testParams(t).Condition("ConditionExpression", tt.text); err != nil {
			t.Errorf("%s: %.80s: %v", tt.reason, tt.text, err)
		}
	}
}

func TestConditionAttrs(t *testing.T) {
	c, err := testParams(t).Condition("ConditionExpression", "b = :s AND (size(a.x) > :n OR #dot IN (b, c[0]))")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b", "a", "x.y", "c"}, c.TopLevelAttrs()); diff != "" {
		t.Errorf("TopLevelAttrs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "c"}, c.NestedAttrs()); diff != "" {
		t.Errorf("NestedAttrs (-want +got):\n%s", diff)
	}
}

func TestReservedWords(t *testing.T) {
	if got := len(reserved); got != 573 {
		t.Errorf("%d words", got)
	}
	for _, w := range []string{"ABORT", "abort", "Zone", "status", "LocalTimestamp", "specifictype"} {
		if !isReserved(w) {
			t.Errorf("%s is not reserved", w)
		}
	}
	for _, w := range []string{"pk", "sk", "contains", "begins_with", "statu", "status1", strings.Repeat("a", 300)} {
		if isReserved(w) {
			t.Errorf("%s is reserved", w)
		}
	}
	for w := range reserved {
		if len(w) > longestReserved {
			t.Errorf("%s is longer than %d", w, longestReserved)
		}
	}
}

func TestKeyCondition(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"pk = :s", []string{"pk EQ x"}},
		{":s = pk", []string{"pk EQ x"}},
		{"pk = :s AND sk < :s2", []string{"pk EQ x", "sk LT y"}},
		{"sk <= :s2 AND pk = :s", []string{"sk LE y", "pk EQ x"}},
		{":s < sk AND :s <= sk2 AND :s > sk3 AND :s >= sk4", []string{"sk GT x", "sk2 GE x", "sk3 LT x", "sk4 LE x"}},
		{"(pk = :s) AND (begins_with(sk, :s2))", []string{"pk EQ x", "sk BEGINS_WITH y"}},
		{"pk = :s AND sk BETWEEN :s AND :s2", []string{"pk EQ x", "sk BETWEEN x y"}},
		{"a = :s AND (b = :s AND (c = :s AND d > :s))", []string{"a EQ x", "b EQ x", "c EQ x", "d GT x"}},
	} {
		k, err := testParams(t).KeyCondition(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		var got []string
		for _, term := range k.Terms {
			s := term.Attr + " " + term.Op.String()
			for _, arg := range term.Args {
				s += " " + arg.Str()
			}
			got = append(got, s)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestKeyConditionRefuses(t *testing.T) {
	const (
		badOperator  = "Invalid operator used in KeyConditionExpression: "
		badCondition = "Invalid condition in KeyConditionExpression: "
		prefix       = "Invalid KeyConditionExpression: "
	)
	for _, tt := range []struct{ reason, text, want string }{
		{"empty", "", prefix + "The expression can not be empty;"},
		{"syntax", "pk = ", prefix + syntaxText("<EOF>", "=")},
		{"reserved word", "status = :s", prefix + reservedStatus},
		{"undefined value", "pk = :x", prefix + undefinedValue + ":x"},
		{"prefix is a number", "pk = :s AND begins_with(sk, :n)", prefix + typeText + "begins_with, operand type: N"},
		{"bounds exchanged", "pk = :s AND sk BETWEEN :s2 AND :s", prefix + "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
			"lower bound operand: AttributeValue: {S:y}, upper bound operand: AttributeValue: {S:x}"},
		{"OR", "pk = :s OR pk = :s2", badOperator + "OR"},
		{"NOT", "NOT pk = :s", badOperator + "NOT"},
		{"IN", "pk IN (:s)", badOperator + "IN"},
		{"<>", "pk <> :s", badOperator + "<>"},
		{"attribute_exists", "attribute_exists(pk)", badOperator + "attribute_exists"},
		{"contains", "pk = :s AND contains(sk, :s)", badOperator + "contains"},
		{"size", "pk = :s AND size(sk) > :n", msgNested},
		{"value between attributes", ":s BETWEEN sk AND :s2", badCondition + "BETWEEN operator must have the key attribute as its first operand"},
		{"prefix is an attribute", "begins_with(:s, sk)", badCondition + "begins_with operator must have the key attribute as its first operand"},
		{"two attributes", "pk = sk", badCondition + "Multiple attribute names used in one condition"},
		{"attribute as a bound", "sk BETWEEN :s AND pk", badCondition + "Multiple attribute names used in one condition"},
		{"no attribute", ":s = :s2", badCondition + "No key attribute specified"},
		{"nested attribute", "pk.a = :s", "KeyConditionExpressions cannot have conditions on nested attributes"},
		{"one attribute twice", "pk = :s AND sk > :s AND sk < :s2", "KeyConditionExpressions must only contain one condition per key"},
		{"the first in the source", "pk = :s AND (pk <> :s OR pk = :s)", badOperator + "OR"},
	} {
		_, err := testParams(t).KeyCondition(tt.text)
		if got := message(t, err); got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.reason, tt.text, got, tt.want)
		}
	}
}

func TestOpNames(t *testing.T) {
	var got []string
	for op := EQ; op <= BEGINS_WITH; op++ {
		got = append(got, op.String())
	}
	if want := []string{"EQ", "LT", "LE", "GT", "GE", "BETWEEN", "BEGINS_WITH"}; !slices.Equal(got, want) || Op(200).String() != "" {
		t.Errorf("got %v", got)
	}
}
