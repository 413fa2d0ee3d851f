package expr

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/singletable-go/singletable/dynamotest/internal/av"
	"pgregory.net/rapid"
)

func TestUpdateRefuses(t *testing.T) {
	const (
		once   = `section can only be used once in an update expression;`
		action = "Incorrect operand type for operator or function; operator: "
	)
	for _, tt := range []struct{ reason, text, want string }{
		{"empty", "", "The expression can not be empty;"},
		{"white space", "  ", syntaxText("<EOF>", "")},
		{"section alone", "SET", syntaxText("<EOF>", "SET")},
		{"value missing", "SET a =", syntaxText("<EOF>", "=")},
		{"sign missing", "SET a :n", syntaxText(":n", "a :n")},
		{"comma too many", "SET a = :n,", syntaxText("<EOF>", ",")},
		{"comma missing", "REMOVE a b", syntaxText("b", "a b")},
		{"unknown section", "FOO a = :n", syntaxText("FOO", "FOO a")},
		{"no section", "a = :n", syntaxText("a", "a =")},
		{"section of SQL", "SET a = :n WHERE b = :n", syntaxText("WHERE", ":n WHERE b")},
		{"three operands", "SET a = b + c + :n", syntaxText("+", "c + :n")},
		{"sum of a sum", "SET a = (b + c) + :n", syntaxText("+", ") + :n")},
		{"number", "SET a = 5", syntaxText("5", "= 5")},
		{"negative value", "SET a = -:n", syntaxText("-", "= -:n")},
		{"sum in a function", "SET a = if_not_exists(b, c + :n)", syntaxText("+", "c + :n")},
		{"target in parentheses", "SET (a) = :n", syntaxText("(", "SET (a")},
		{"target is a value", "SET :n = a", syntaxText(":n", "SET :n =")},
		{"target is a function", "SET foo(a) = :n", syntaxText("(", "foo(a")},
		{"ADD of a path", "ADD a b", syntaxText("b", "a b")},
		{"ADD with a sign", "ADD a = :n", syntaxText("=", "a = :n")},
		{"DELETE without value", "DELETE a", syntaxText("<EOF>", "a")},
		{"REMOVE of a value", "REMOVE :n", syntaxText(":n", "REMOVE :n")},

		{"reserved word", "SET status = :n", reservedStatus},
		{"reserved word as operand", "SET a = status", reservedStatus},
		{"unknown function", "SET a = foo(b)", unknownText + "foo"},
		{"function of conditions", "SET a = size(b)", unknownText + "size"},
		{"section twice", "SET a = :n SET b = :n", `The "SET" ` + once},
		{"section twice, in any case", "remove a Remove b", `The "REMOVE" ` + once},
		{"section twice, apart", "ADD a :n DELETE b :ss ADD c :n", `The "ADD" ` + once},
		{"undefined name", "SET #x = :n", undefinedName + "#x"},
		{"undefined value", "SET a = :x", undefinedValue + ":x"},
		{"undefined name before value", "SET a = :x, #x = :n", undefinedName + "#x"},
		{"one path twice", "SET a = :n, b = :n, a = :n", overlapText + "[a], path two: [a]"},
		{"one path in two sections", "REMOVE a.b SET a = :n", overlapText + "[a, b], path two: [a]"},
		{"map and list", "SET a.b = :n, a[0] = :n", conflictText + "[a, b], path two: [a, [0]]"},
		{"ADD of a string", "ADD a :s", action + "ADD, operand type: STRING"},
		{"ADD of a binary", "ADD a :b", action + "ADD, operand type: BINARY"},
		{"ADD of a boolean", "ADD a :t", action + "ADD, operand type: BOOLEAN"},
		{"ADD of null", "ADD a :z", action + "ADD, operand type: NULL"},
		{"ADD of a list", "ADD a :l", action + "ADD, operand type: LIST"},
		{"ADD of a map", "ADD a :m", action + "ADD, operand type: MAP"},
		{"DELETE of a number", "DELETE a :n", action + "DELETE, operand type: NUMBER"},
		{"DELETE of a list", "DELETE a :l", action + "DELETE, operand type: LIST"},
		{"too few operands", "SET a = if_not_exists(b)", countText + "if_not_exists, number of operands: 1"},
		{"too many operands", "SET a = list_append(b, :l, :l)", countText + "list_append, number of operands: 3"},
		{"value where a path must be", "SET a = if_not_exists(:n, :n)", "Operator or function requires a document path; operator or function: if_not_exists"},
		{"number appended", "SET a = list_append(a, :n)", typeText + "list_append, operand type: N"},
		{"appended to a set", "SET a = list_append(:ss, a)", typeText + "list_append, operand type: SS"},
		{"sum of a string", "SET a = b + :s", typeText + "+, operand type: S"},
		{"difference of a map", "SET a = :m - b", typeText + "-, operand type: M"},

		{"301 operators", "SET " + strings.Repeat("a=b+c,", 300) + "a=b+c", "The expression contains too many operators; operator count: 301"},
		{"33 steps", "REMOVE " + strings.Repeat("a.", 32) + "a", "The document path has too many nesting elements; nesting levels: 33"},

		{"syntax before all else", "SET status = foo(#x) b", syntaxText("b", ") b")},
		{"reserved words before functions", "SET a = foo(b), status = :n", reservedStatus},
		{"functions before sections", "SET a = foo(b) SET b = :n", unknownText + "foo"},
		{"sections before names", "SET #x = :n SET b = :n", `The "SET" ` + once},
		{"values before paths", "SET a = :n, a = :x", undefinedValue + ":x"},
		{"overlap before conflict", "SET a.b = :n, a[0] = :n, c = :n, c = :n", overlapText + "[c], path two: [c]"},
		{"paths before types", "ADD a :s, a :n", overlapText + "[a], path two: [a]"},
		{"ADD before functions", "SET a = list_append(a, :n) ADD b :s", action + "ADD, operand type: STRING"},
	} {
		_, err := testParams(t).Update(tt.text)
		if got := message(t, err); got != "Invalid UpdateExpression: "+tt.want {
			t.Errorf("%s: %.80s\n got %s\nwant Invalid UpdateExpression: %s", tt.reason, tt.text, got, tt.want)
		}
	}
}

// oldItem is what the updates of the tests are applied to.
const oldItem = `{"n":{"N":"5"},"s":{"S":"x"},"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"}]},"m":{"M":{"x":{"N":"1"},"y":{"M":{}}}},
	"ss":{"SS":["a","b"]},"big":{"N":"9e125"},"blank":{"M":{}}}`

func TestApply(t *testing.T) {
	for _, tt := range []struct{ reason, text, want string }{
		{"SET", "SET a = :n", `{"a":{"N":"1"}}`},
		{"SET of another type", "SET n = :l", `{"n":{"L":[]}}`},
		{"SET to an attribute", "SET a = n", `{"a":{"N":"5"}}`},
		{"sum", "SET n = n + :n", `{"n":{"N":"6"}}`},
		{"difference", "SET n = n - :n2", `{"n":{"N":"3"}}`},
		{"difference, value first", "SET n = :n-n", `{"n":{"N":"-4"}}`},
		{"sum in parentheses", "SET n = (n + :n)", `{"n":{"N":"6"}}`},
		{"operands in parentheses", "SET n = (n) + (:n)", `{"n":{"N":"6"}}`},
		{"inner parentheses", "SET n = ((n) + :n)", `{"n":{"N":"6"}}`},
		{"value in parentheses", "SET n = ((:n))", `{"n":{"N":"1"}}`},
		{"if_not_exists: it does", "SET n = if_not_exists(n, :n)", `{"n":{"N":"5"}}`},
		{"if_not_exists: it does not", "SET a = if_not_exists(a, :n)", `{"a":{"N":"1"}}`},
		{"if_not_exists in itself", "SET a = if_not_exists(a, if_not_exists(b, n))", `{"a":{"N":"5"}}`},
		{"counter", "SET a = if_not_exists(a, :n) + :n2", `{"a":{"N":"3"}}`},
		{"the second operand of if_not_exists is not looked at", "SET a = if_not_exists(n, nope)", `{"a":{"N":"5"}}`},
		{"list_append", "SET l = list_append(l, :l1)", `{"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"},{"S":"z"}]}}`},
		{"list_append in front", "SET l = list_append(:l1, l)", `{"l":{"L":[{"S":"z"},{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"}]}}`},
		{"list_append to nothing", "SET a = list_append(if_not_exists(a, :l), :l1)", `{"a":{"L":[{"S":"z"}]}}`},
		{"field", "SET m.x = :s, m.y.z = :n, m.w = n", `{"m":{"M":{"x":{"S":"x"},"y":{"M":{"z":{"N":"1"}}},"w":{"N":"5"}}}}`},
		{"field of an empty map", "SET blank.a = :n", `{"blank":{"M":{"a":{"N":"1"}}}}`},
		{"element", "SET l[1] = :s", `{"l":{"L":[{"N":"0"},{"S":"x"},{"N":"2"},{"N":"3"}]}}`},
		{"elements beyond the end, by index", "SET l[9] = :s, l[7] = :n", `{"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"3"},{"N":"1"},{"S":"x"}]}}`},
		{"operands are those before", "SET n = m.x, m.x = n, l[0] = l[1], l[1] = l[0]",
			`{"n":{"N":"1"},"m":{"M":{"x":{"N":"5"},"y":{"M":{}}}},"l":{"L":[{"N":"1"},{"N":"0"},{"N":"2"},{"N":"3"}]}}`},
		{"REMOVE", "REMOVE n, nope", `{"n":null}`},
		{"REMOVE of a field", "REMOVE m.x, m.nope", `{"m":{"M":{"y":{"M":{}}}}}`},
		{"REMOVE of elements, by their indexes before", "REMOVE l[0], l[2]", `{"l":{"L":[{"N":"1"},{"N":"3"}]}}`},
		{"REMOVE of every element", "REMOVE l[3], l[2], l[1], l[0]", `{"l":{"L":[]}}`},
		{"REMOVE beyond the end", "REMOVE l[4]", `{}`},
		{"REMOVE and SET in one list", "REMOVE l[0] SET l[1] = :s, l[9] = :n", `{"l":{"L":[{"S":"x"},{"N":"2"},{"N":"3"},{"N":"1"}]}}`},
		{"ADD to a number", "ADD n :n2", `{"n":{"N":"7"}}`},
		{"ADD to nothing", "ADD a :n2, b :ss", `{"a":{"N":"2"},"b":{"SS":["a"]}}`},
		{"ADD to a set", "ADD ss :ss2", `{"ss":{"SS":["a","b","c"]}}`},
		{"ADD to a field and an element", "ADD m.x :n, l[3] :n, l[9] :n", `{"m":{"M":{"x":{"N":"2"},"y":{"M":{}}}},"l":{"L":[{"N":"0"},{"N":"1"},{"N":"2"},{"N":"4"},{"N":"1"}]}}`},
		{"DELETE from a set", "DELETE ss :ss", `{"ss":{"SS":["b"]}}`},
		{"DELETE of all members", "DELETE ss :ssall", `{"ss":null}`},
		{"DELETE from nothing", "DELETE a :ss, m.nope :ss, l[9] :ss", `{}`},
		{"all sections, in any order", "DELETE ss :ss REMOVE s ADD n :n SET a = s", `{"ss":{"SS":["b"]},"s":null,"n":{"N":"6"},"a":{"S":"x"}}`},
	} {
		u, err := applyParams(t).Update(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		old := item(t, oldItem)
		got, err := u.Apply(old)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		want := item(t, oldItem)
		changed, _ := av.DecodeItem([]byte(tt.want)) // null for what goes
		for name, v := range changed {
			want[name] = v
			if !v.IsValid() {
				delete(want, name)
			}
		}
		if !av.EqualItems(got, want) {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.reason, tt.text, got.AppendJSON(nil), want.AppendJSON(nil))
		}
		if !av.EqualItems(old, item(t, oldItem)) {
			t.Errorf("%s: %s changed the old item to %s", tt.reason, tt.text, old.AppendJSON(nil))
		}
		if got.Size() != want.Size() {
			t.Errorf("%s: size %d, want %d", tt.reason, got.Size(), want.Size())
		}
	}
}

func applyParams(t testing.TB) *Params {
	deep := strings.Repeat(`{"L":[`, 31) + `{"N":"1"}` + strings.Repeat(`]}`, 31)
	return NewParams(nil, item(t, `{":n":{"N":"1"},":n2":{"N":"2"},":s":{"S":"x"},":l":{"L":[]},":l1":{"L":[{"S":"z"}]},":ss":{"SS":["a"]},
		":ss2":{"SS":["c","b"]},":ssall":{"SS":["b","a","z"]},":ns":{"NS":["1"]},":deep":`+deep+`}`))
}

func TestApplyRefuses(t *testing.T) {
	for _, tt := range []struct{ reason, text, want string }{
		{"operand not there", "SET a = nope", msgNoAttribute},
		{"operand of a sum not there", "SET a = n + nope", msgNoAttribute},
		{"operand of a function not there", "SET a = list_append(nope, l)", msgNoAttribute},
		{"default not there", "SET a = if_not_exists(nope, nope2)", msgNoAttribute},
		{"sum of a string", "SET a = n + s", msgOperandType},
		{"difference from a string", "SET a = s - n", msgOperandType},
		{"what is not there before a wrong type", "SET a = s + nope", msgNoAttribute},
		{"what is not there before a wrong type, in a function", "SET a = list_append(s, nope)", msgNoAttribute},
		{"sum of a list", "SET a = list_append(l, l) + :n", msgOperandType},
		{"string appended", "SET l = list_append(l, s)", msgOperandType},
		{"appended to a string", "SET l = list_append(s, l)", msgOperandType},
		{"ADD of a number to a string", "ADD s :n", msgOperandType},
		{"ADD of a set to a number", "ADD n :ss", msgOperandType},
		{"ADD of a set to another", "ADD ss :ns", msgOperandType},
		{"DELETE from another set", "DELETE ss :ns", msgOperandType},
		{"DELETE from a number", "DELETE n :ss", msgOperandType},
		{"parent not there", "SET nope.a = :n", msgDocumentPath},
		{"parent's parent not there", "SET m.nope.a = :n", msgDocumentPath},
		{"field of a string", "SET s.a = :n", msgDocumentPath},
		{"field of a list", "SET l.a = :n", msgDocumentPath},
		{"element of a map", "SET m[0] = :n", msgDocumentPath},
		{"field of a number in a list", "SET l[0].a = :n", msgDocumentPath},
		{"field beyond the end", "SET l[9].a = :n", msgDocumentPath},
		{"REMOVE below nothing", "REMOVE nope.a", msgDocumentPath},
		{"REMOVE of a field of a list", "REMOVE l.a", msgDocumentPath},
		{"REMOVE of an element of a map", "REMOVE m[0]", msgDocumentPath},
		{"ADD below nothing", "ADD nope.a :n", msgDocumentPath},
		{"DELETE below nothing", "DELETE nope.a :ss", msgDocumentPath},
		{"operands before paths", "SET nope.a = :n, a = nope", msgNoAttribute},
		{"sum out of range", "SET big = big + big", "Number overflow. Attempting to store a number with magnitude larger than supported range"},
		{"sum too long", "ADD big :n", "Attempting to store more than 38 significant digits in a Number"},
		{"too deep in a map", "SET m.x = :deep", av.MsgNesting},
		{"too deep by list_append", "SET l = list_append(l, :l1), m.y.z = :deep", av.MsgNesting},
	} {
		u, err := applyParams(t).Update(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		old := item(t, oldItem)
		got, err := u.Apply(old)
		if got := message(t, err); got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.reason, tt.text, got, tt.want)
		}
		if got != nil || !av.EqualItems(old, item(t, oldItem)) {
			t.Errorf("%s: %s left %s and %s", tt.reason, tt.text, got.AppendJSON(nil), old.AppendJSON(nil))
		}
	}
}

func TestApplyToNothing(t *testing.T) {
	for _, tt := range []struct{ text, want, message string }{
		{"SET a = :n ADD b :ss", `{"a":{"N":"1"},"b":{"SS":["a"]}}`, ""},
		{"REMOVE a, b.c, d[0]", `{}`, ""},
		{"SET a = if_not_exists(a, :n)", `{"a":{"N":"1"}}`, ""},
		{"SET a = b", "", msgNoAttribute},
		{"SET a.b = :n", "", msgDocumentPath},
		{"REMOVE a.c SET a.b = :n", "", msgDocumentPath},
	} {
		u, err := applyParams(t).Update(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := u.Apply(nil)
		if message(t, err) != tt.message || err == nil && !av.EqualItems(got, item(t, tt.want)) {
			t.Errorf("%s: got %s, %v", tt.text, got.AppendJSON(nil), err)
		}
	}
}

func TestUpdateAttrs(t *testing.T) {
	u, err := testParams(t).Update("SET #a.x = c.d + :n, b = e REMOVE f[0], a.y")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, p := range u.Paths() {
		paths = append(paths, p.String())
	}
	if diff := cmp.Diff([]string{"[a, x]", "[b]", "[f, [0]]", "[a, y]"}, paths); diff != "" {
		t.Errorf("Paths (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "f"}, u.TopLevelAttrs()); diff != "" {
		t.Errorf("TopLevelAttrs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "c", "f"}, u.NestedAttrs()); diff != "" {
		t.Errorf("NestedAttrs (-want +got):\n%s", diff)
	}
	it := item(t, `{"a":{"M":{"x":{"N":"1"},"z":{"N":"2"}}},"b":{"N":"3"},"c":{"N":"4"},"f":{"L":[{"N":"5"},{"N":"6"}]}}`)
	if got, want := u.Project(it), item(t, `{"a":{"M":{"x":{"N":"1"}}},"b":{"N":"3"},"f":{"L":[{"N":"5"}]}}`); !av.EqualItems(got, want) {
		t.Errorf("Project: got %s", got.AppendJSON(nil))
	}
}

func TestOnlyRemoves(t *testing.T) {
	for text, want := range map[string]bool{
		"REMOVE a": true, "DELETE a :ss REMOVE b": true, "REMOVE a SET b = :n": false, "ADD a :n": false,
	} {
		u, err := testParams(t).Update(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.OnlyRemoves(); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// An update never changes the item that it is applied to, and what it sets is
// there afterwards, wherever no list has moved.
func TestApplyIsAFunction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		it, paths := drawItem(t), drawPaths(t)
		values := av.Item{":one": av.Num(av.Int(1))}
		clauses := map[string][]string{}
		for _, p := range paths {
			switch rapid.IntRange(0, 2).Draw(t, "section") {
			case 0:
				clauses["SET"] = append(clauses["SET"], source(p)+" = :one")
			case 1:
				clauses["REMOVE"] = append(clauses["REMOVE"], source(p))
			default:
				clauses["ADD"] = append(clauses["ADD"], source(p)+" :one")
			}
		}
		text := ""
		for _, section := range []string{"SET", "REMOVE", "ADD"} {
			if len(clauses[section]) > 0 {
				text += section + " " + strings.Join(clauses[section], ", ") + " "
			}
		}
		u, err := NewParams(nil, values).Update(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		before := snapshot(it)
		next, err := u.Apply(it)
		if !bytes.Equal(snapshot(it), before) {
			t.Fatalf("%s changed %s to %s", text, before, snapshot(it))
		}
		if err != nil {
			if e, ok := err.(*Error); !ok || e.Message != msgDocumentPath && e.Message != msgOperandType {
				t.Fatalf("%s: %v", text, err)
			}
			return
		}
		for i, a := range u.actions {
			if p := u.targets[i]; !hasIndex(p) {
				v, ok := p.Lookup(next)
				if ok == (a.section == secRemove) || a.section == secSet && !av.Equal(v, values[":one"]) {
					t.Fatalf("%s: %s became %s", text, before, next.AppendJSON(nil))
				}
			}
		}
		for name, v := range it {
			if w, ok := next[name]; !contains2(u.TopLevelAttrs(), name) && (!ok || !av.Equal(v, w)) {
				t.Fatalf("%s touched %s", text, name)
			}
		}
		if again, err := av.DecodeItem(next.AppendJSON(nil)); err != nil || !av.EqualItems(next, again) || next.Size() != again.Size() {
			t.Fatalf("%s: %s is not sound: %v", text, next.AppendJSON(nil), err)
		}
	})
}

func contains2(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// snapshot writes an item in an order of its own.
func snapshot(it av.Item) []byte {
	var b []byte
	for _, name := range []string{"a", "b", "c"} {
		if v, ok := it[name]; ok {
			b = append(snapshotValue(append(b, name...), v), ';')
		}
	}
	return b
}

func snapshotValue(b []byte, v av.Value) []byte {
	switch v.Kind() {
	case av.M:
		b = append(b, '{')
		b = append(b, snapshot(v.Map())...)
		return append(b, '}')
	case av.L:
		b = append(b, '[')
		for _, part := range v.List() {
			b = append(snapshotValue(b, part), ',')
		}
		return append(b, ']')
	}
	return v.AppendJSON(b)
}
