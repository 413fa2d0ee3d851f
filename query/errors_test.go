package query_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

// What people read. Programs use errors.Is and errors.As.
func TestMessages(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&query.Error{Op: "Get", Table: "field-service", Entity: "WorkOrder", Err: query.ErrNotFound}, "query: Get field-service WorkOrder: no such item"},
		{&query.Error{Op: "Where", Table: "t", Index: "byName", Err: query.ErrNoSortKey}, "query: Where t byName: the table has no sort key"},
		{
			&query.ItemError{Table: "t", Entity: "Thing", Key: model.Item{
				"sk": &types.AttributeValueMemberN{Value: "7"}, "pk": &types.AttributeValueMemberS{Value: "a\nb"}, "x": &types.AttributeValueMemberB{Value: []byte{1, 0xab}}, "y": nil,
			}, Err: query.ErrUndeclared},
			`query: t Thing item {pk="a\nb" sk=7 x=0x01ab y=<nil>}: item of no declared entity`,
		},
		{&query.ItemError{Table: "t", Err: query.ErrUndeclared}, `query: t item {}: item of no declared entity`},
		{&query.CursorError{Cursor: "abc", Reason: "too long"}, `bad cursor "abc": too long`},
		{&query.MaxEvaluatedError{Evaluated: 7}, "evaluated as many items as were allowed, and more are left (7)"},
		{&query.FilterError{Attribute: "sk", Err: query.ErrKeyInFilter}, `"sk": a filter may not name a key attribute of what is read`},
		{&query.FilterError{Err: query.ErrFilter}, "bad filter"},
		{&query.CursorError{Cursor: strings.Repeat("x", 100), Reason: "too long"}, `bad cursor "` + strings.Repeat("x", 80) + `…": too long`},
		{&query.KeyError{Position: 3, Err: query.ErrZero}, "key 3: zero value is not valid"},
		{&query.TooManyError{Keys: 101, Most: 100}, "too many keys: 101, at most 100 are read at once"},
		{&query.UnprocessedError{Keys: 7}, "keys left unread: 7"},
		{&query.Error{}, "query: : <nil>"},
		{&query.ItemError{}, "query:  item {}: <nil>"},
		{&query.FilterError{}, "<nil>"},
		{&query.ArgumentError{Method: "Limit", Value: 0, Least: 1, Most: 9}, "Limit(0): argument out of range 1 to 9"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%#v reads\n%q, want\n%q", tt.err, got, tt.want)
		}
	}
}
