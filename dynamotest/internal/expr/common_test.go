package expr

import (
	"testing"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// item reads an item in the JSON form of the wire.
func item(t testing.TB, raw string) av.Item {
	t.Helper()
	it, err := av.DecodeItem([]byte(raw))
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return it
}

// testParams are the names and values of most tests: one value of each type.
func testParams(t testing.TB) *Params {
	names := map[string]string{"#a": "a", "#b": "b", "#st": "status", "#dot": "x.y"}
	return NewParams(names, item(t, `{":s":{"S":"x"},":s2":{"S":"y"},":n":{"N":"1"},":n2":{"N":"2"},":b":{"B":"YQ=="},":t":{"BOOL":true},
		":z":{"NULL":true},":l":{"L":[]},":m":{"M":{}},":ss":{"SS":["a"]},":ns":{"NS":["1"]},":bs":{"BS":["YQ=="]},
		":S":{"S":"S"},":L":{"S":"L"},":N":{"S":"N"},":SS":{"S":"SS"}}`))
}

// message returns the text of an *Error, "" for none.
func message(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	e, ok := err.(*Error)
	if !ok {
		t.Fatalf("error of type %T: %v", err, err)
	}
	return e.Message
}

const (
	reservedStatus = "Attribute name is a reserved keyword; reserved keyword: status"
	undefinedName  = "An expression attribute name used in the document path is not defined; attribute name: "
	undefinedValue = "An expression attribute value used in expression is not defined; attribute value: "
	redundant      = "The expression has redundant parentheses;"
	misusedText    = "The function is not allowed to be used this way in an expression; function: "
	unknownText    = "Invalid function name; function: "
	typeText       = "Incorrect operand type for operator or function; operator or function: "
	countText      = "Incorrect number of operands for operator or function; operator or function: "
	distinctText   = "The first operand must be distinct from the remaining operands for this operator or function; operator: "
	overlapText    = "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
	conflictText   = "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "
)

func syntaxText(token, near string) string {
	return `Syntax error; token: "` + token + `", near: "` + near + `"`
}
