package query_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

// pages reads all pages of q: their orders, one text a page, "w-1 w-2".
func pages(t *testing.T, q query.Query[WorkOrder], db query.Client) []string {
	t.Helper()
	var all []string
	cursor := ""
	for range 1000 {
		page, err := q.Page(t.Context(), db, cursor)
		if err != nil {
			t.Fatalf("page %d: %v", len(all)+1, err)
		}
		s := ""
		for _, o := range page.Items {
			s += " " + o.OrderID
		}
		all = append(all, s)
		if cursor = page.Next; cursor == "" {
			return all
		}
	}
	t.Fatal("the pages do not end")
	return nil
}

func TestPages(t *testing.T) {
	w := func(n int) WorkOrder { return order(n, fmt.Sprintf("w-%d", n)) }
	ann := expression.Name("visits").LessThan(expression.Value(4))
	early := func(item model.Item) bool { return text(item["sk"]) < "STATUS#OPEN#2026-01-04" }
	for _, tt := range []struct {
		name, reason string
		items        []any
		page         int // of the fake
		q            query.Query[WorkOrder]
		want         []string
		requests     int
	}{
		{
			"even", "Next is empty exactly when nothing followed: no empty last page",
			[]any{w(1), w(2), w(3), w(4)}, 0, open.Limit(2), []string{" w-1 w-2", " w-3 w-4"}, 2,
		},
		{
			"odd", "the last page is short",
			[]any{w(1), w(2), w(3)}, 0, open.Limit(2), []string{" w-1 w-2", " w-3"}, 2,
		},
		{
			"whole", "one page holds all",
			[]any{w(1), w(2), w(3)}, 0, open.Limit(3), []string{" w-1 w-2 w-3"}, 1,
		},
		{
			"nothing", "an empty page without Next",
			nil, 0, open.Limit(3), []string{""}, 1,
		},
		{
			"backward", "the order is turned round",
			[]any{w(1), w(2), w(3)}, 0, open.Limit(2).Desc(), []string{" w-3 w-2", " w-1"}, 2,
		},
		{
			"expired at the edge", "an expired item is no reason for a Next, nor for a short page",
			[]any{w(1), expired(w(2)), w(3), expired(w(4))}, 0, open.Limit(2), []string{" w-1 w-3"}, 2,
		},
		{
			"others at the edge", "neither are items of other entities",
			[]any{w(1), w(2), note(w(2), 1), note(w(2), 2), w(3), note(w(3), 1)}, 0, open.Limit(2), []string{" w-1 w-2", " w-3"}, 4,
		},
		{
			"only others", "a page with nothing of one's own",
			[]any{note(w(1), 1), note(w(1), 2), note(w(1), 3)}, 0, open.Limit(2), []string{""}, 2,
		},
		{
			"only others, unlimited", "empty pages in between are not the end",
			[]any{note(w(1), 1), note(w(1), 2), w(2), note(w(2), 1)}, 1, open, []string{"", "", " w-2", ""}, 4,
		},
		{
			"page size", "without a limit a page is one request; DynamoDB only says that it was the end when asked once more",
			[]any{w(1), w(2), w(3), w(4)}, 0, open.PageSize(2), []string{" w-1 w-2", " w-3 w-4", ""}, 3,
		},
		{
			"page size under limit", "a limited page takes as many requests as it needs, and learns whether something followed",
			[]any{w(1), w(2), w(3), w(4)}, 0, open.PageSize(1).Limit(2), []string{" w-1 w-2", " w-3 w-4"}, 3 + 3,
		},
		{
			"small answers", "DynamoDB may bring less than it was asked for",
			[]any{w(1), w(2), w(3), w(4), w(5)}, 1, open.Limit(3), []string{" w-1 w-2 w-3", " w-4 w-5"}, 4 + 2,
		},
		{
			"bounded", "a page that may not evaluate more ends early, with a Next",
			[]any{note(w(1), 1), note(w(1), 2), w(2), w(3), w(4)}, 0, open.Limit(2).MaxEvaluated(2), []string{"", " w-2 w-3", " w-4"}, 3,
		},
		{
			"filter", "filtered items take no place",
			[]any{w(1), w(5), w(6), w(2), w(3)}, 0, open.Filter(ann).Limit(2), []string{" w-1 w-2", " w-3"}, 2,
		},
		{
			"filter at the edge", "whether another one matches is not looked for, so the last page may be empty",
			[]any{w(1), w(2), w(5), w(6)}, 2, open.Filter(ann).Limit(2), []string{" w-1 w-2", ""}, 2,
		},
		{
			"empty range", "nothing is sent",
			[]any{w(1)}, 0, query.Of(Orders, eu).Where(Order.At(Open).Within(day(1, 1), day(1, 1))), []string{""}, 0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := newFake(t, Service, items(t, tt.items...)...)
			db.page, db.filter = tt.page, early
			if diff := cmp.Diff(tt.want, pages(t, tt.q, db)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
			}
			if db.requests() != tt.requests {
				t.Errorf("%d requests, want %d: %s", db.requests(), tt.requests, tt.reason)
			}
			db.queries = nil
			sealed := tt.q.Secret([]byte("0123456789abcdef"))
			if diff := cmp.Diff(tt.want, pages(t, sealed, db)); diff != "" {
				t.Errorf("sealed: %s (-want +got):\n%s", tt.reason, diff)
			}
		})
	}
}

func TestPageOfTableWithoutSortKey(t *testing.T) {
	db := newFake(t, People, items(t, Person{ID: "p-1", Name: "Ann"})...)
	q := query.Of(Persons, PersonID.Key("p-1")).PageSize(1)
	page, err := q.Page(t.Context(), db, "")
	if err != nil || len(page.Items) != 1 || page.Next == "" {
		t.Fatalf("first page %+v, %v: DynamoDB does not say yet that this was all", page, err)
	}
	page, err = q.Page(t.Context(), db, page.Next)
	if err != nil || len(page.Items) != 0 || page.Next != "" {
		t.Errorf("second page %+v, %v, want an empty last one", page, err)
	}
	for _, q := range []query.Query[Person]{q, q.Desc(), q.Secret([]byte("0123456789abcdef"))} {
		first, err := q.Page(t.Context(), db, "")
		if err != nil {
			t.Fatal(err)
		}
		last, err := q.Page(t.Context(), db, first.Next)
		if err != nil {
			t.Fatal(err)
		}
		back, err := q.Page(t.Context(), db, last.Prev)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.Items, back.Items); diff != "" {
			t.Errorf("the page before the empty one (-first +got):\n%s", diff)
		}
	}
}

// The cursor of a page that was cut stands behind the last item handed out, so
// that what is inserted right behind it is on the next page.
func TestCursorAfterTheLastReturned(t *testing.T) {
	db := newFake(t, Service, items(t, order(1, "a"), order(2, "b"), note(order(2, "b"), 1), note(order(2, "b"), 2), order(5, "e"))...)
	page, err := open.Limit(2).PageSize(10).Page(t.Context(), db, "")
	if err != nil {
		t.Fatal(err)
	}
	db.items = append(db.items, items(t, order(2, "b2"), order(3, "c"))...)
	page, err = open.Page(t.Context(), db, page.Next)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b2", "c", "e"}, ids(page.Items)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Items that were not there throughout may be missed or not; the others never.
func TestPageWhileItemsVanish(t *testing.T) {
	db := newFake(t, Service, items(t, order(1, "a"), order(2, "b"), order(3, "c"))...)
	page, err := open.Limit(2).Page(t.Context(), db, "")
	if err != nil {
		t.Fatal(err)
	}
	db.items = items(t, order(3, "c"), order(4, "d")) // the item at which the cursor stands is gone
	page, err = open.Limit(2).Page(t.Context(), db, page.Next)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"c", "d"}, ids(page.Items)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPageWithItemErrors(t *testing.T) {
	db := newFake(t, Service, append(items(t, order(1, "a"), order(3, "c"), order(4, "d"), order(6, "f")),
		broken(t, order(2, "b")), broken(t, order(5, "e")), stranger("STATUS#OPEN#2026-01-02#x"))...)
	q := open.Limit(3)
	page, err := q.Page(t.Context(), db, "")
	refused, only := query.ItemErrors(err)
	if !only || len(refused) != 2 {
		t.Fatalf("ItemErrors(%v) = %v, %v; want the two bad items alone", err, refused, only)
	}
	if diff := cmp.Diff([]string{"a", "c", "d"}, ids(page.Items)); diff != "" {
		t.Errorf("first page (-want +got):\n%s", diff)
	}
	page, err = q.Page(t.Context(), db, page.Next)
	refused, only = query.ItemErrors(err)
	if !only || len(refused) != 1 || text(refused[0].Key["sk"]) != "STATUS#OPEN#2026-01-05#e" {
		t.Errorf("ItemErrors(%v) = %v, %v; want the bad item that ended the first page", err, refused, only)
	}
	if diff := cmp.Diff([]string{"f"}, ids(page.Items)); diff != "" || page.Next != "" {
		t.Errorf("second page (-want +got):\n%s Next %q", diff, page.Next)
	}
}

func TestItemErrorsOf(t *testing.T) {
	a, b := &query.ItemError{Err: errFault}, &query.ItemError{Err: query.ErrUndeclared}
	for _, tt := range []struct {
		name string
		err  error
		n    int
		only bool
	}{
		{"nil", nil, 0, false},
		{"one", a, 1, true},
		{"two", errors.Join(a, b), 2, true},
		{"wrapped", fmt.Errorf("reading: %w", errors.Join(a, b)), 2, true},
		{"with another", errors.Join(a, errFault), 1, false},
		{"none", &query.Error{Err: errFault}, 0, false},
	} {
		if list, only := query.ItemErrors(tt.err); len(list) != tt.n || only != tt.only {
			t.Errorf("%s: ItemErrors() = %v, %v, want %d, %v", tt.name, list, only, tt.n, tt.only)
		}
	}
}

func TestPageStats(t *testing.T) {
	db := newFake(t, Service, items(t, order(1, "a"), expired(order(2, "b")), note(order(2, "b"), 1), order(3, "c"), order(4, "d"))...)
	var report query.Stats
	page, err := open.Limit(1).PageSize(4).Report(&report).Page(t.Context(), db, "")
	if err != nil {
		t.Fatal(err)
	}
	want := query.Stats{Requests: 1, Evaluated: 4, Returned: 1, Skipped: 1, Expired: 1, Capacity: 2, TableCapacity: 2}
	if diff := cmp.Diff(want, page.Stats); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(page.Stats, report); diff != "" {
		t.Errorf("the report differs (-page +report):\n%s", diff)
	}
	if _, err := open.Limit(0).Report(&report).Page(t.Context(), db, ""); err == nil || !cmp.Equal(report, query.Stats{}) {
		t.Errorf("report %+v after a query that was not sent, %v", report, err)
	}
}
