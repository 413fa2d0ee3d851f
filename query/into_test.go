package query_test

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

func TestInto(t *testing.T) {
	db := newFake(t, Service, append(items(t, order(1, "w-1"), order(2, "w-2"), expired(order(3, "w-3")), note(order(1, "w-1"), 1)),
		broken(t, order(4, "w-4")), stranger("STATUS#OPEN#2026-01-05#x"))...)
	db.filter = func(item model.Item) bool { return text(item["customer"]) == "Ann" || text(item["_type"]) == "Invoice" }
	q := query.Into[Summary](open.Filter(expression.Name("customer").Equal(expression.Value("Ann"))))
	page, err := q.Page(t.Context(), db, "")
	refused, only := query.ItemErrors(err)
	if !only || len(refused) != 1 || !errors.Is(refused[0], query.ErrUndeclared) {
		t.Errorf("error %v, want that of the undeclared item: what is broken in w-4 is not read", err)
	}
	want := []Summary{{"w-1", "Ann"}, {"w-2", "Ann"}, {"w-4", "Ann"}}
	if diff := cmp.Diff(want, page.Items); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if page.Stats.Expired != 1 || page.Stats.Returned != 3 {
		t.Errorf("stats %+v: an expired item is known by its ttl, which is fetched", page.Stats)
	}
}

// A view without fields counts the items and has their keys alone sent.
func TestIntoNothing(t *testing.T) {
	db := newFake(t, Service, items(t, order(1, "w-1"), expired(order(2, "w-2")), note(order(1, "w-1"), 1))...)
	if n, err := query.Into[struct{}](open).Count(t.Context(), db); n != 1 || err != nil {
		t.Errorf("Count() = %d, %v, want 1", n, err)
	}
}

func TestIntoKeepsCursors(t *testing.T) {
	db := newFake(t, Service, items(t, order(1, "a"), order(2, "b"))...)
	page, err := query.Into[Summary](open.Limit(1)).Page(t.Context(), db, "")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := open.Page(t.Context(), db, page.Next)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b"}, ids(whole.Items)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIntoMistakes(t *testing.T) {
	type wrong struct {
		Colour string `dynamodbav:"colour"`
	}
	var e *model.EntityError
	if err := query.Into[wrong](open).Err(); !errors.As(err, &e) {
		t.Errorf("a field that the entity has nothing for: %v, want an *EntityError", err)
	}
	if err := query.Into[Summary](query.Into[Summary](open)).Err(); !errors.Is(err, query.ErrProjected) {
		t.Errorf("projected twice: %v, want ErrProjected", err)
	}
	if err := query.Into[Summary](query.Query[WorkOrder]{}).Err(); !errors.Is(err, query.ErrZero) {
		t.Errorf("the zero query: %v, want ErrZero", err)
	}
	if err := query.Into[wrong](open.Limit(0)).Err(); !errors.Is(err, query.ErrArgument) {
		t.Errorf("two mistakes: %v, want the first", err)
	}
}
