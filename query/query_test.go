package query_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

var open = query.Of(Orders, eu).Where(Order.At(Open).All())

func TestAll(t *testing.T) {
	lost := order(2, "w-2")
	lost.Until = now // expired from this second on
	mixed := []any{
		order(3, "w-3"), order(1, "w-1"), lost, expired(order(4, "w-4")), note(order(1, "w-1"), 1),
		Profile{RegionID: "eu-west", Name: "West"}, WorkOrder{RegionID: "eu-west", Status: Done, ScheduledOn: day(1, 1), OrderID: "w-0"},
		WorkOrder{RegionID: "us-east", Status: Open, ScheduledOn: day(1, 1), OrderID: "w-9"},
	}
	for _, tt := range []struct {
		name, reason string
		q            query.Query[WorkOrder]
		page         int
		want         []string
		stats        query.Stats
	}{
		{
			"partition", "profile and note are skipped, expired orders are absent",
			query.Of(Orders, eu), 0, []string{"w-0", "w-1", "w-3"},
			query.Stats{Requests: 1, Evaluated: 7, Returned: 3, Skipped: 2, Expired: 2, Capacity: 3.5, TableCapacity: 3.5},
		},
		{
			"range", "only what is in the range is evaluated",
			open, 0, []string{"w-1", "w-3"},
			query.Stats{Requests: 1, Evaluated: 5, Returned: 2, Skipped: 1, Expired: 2, Capacity: 2.5, TableCapacity: 2.5},
		},
		{
			"pages of one", "an empty page is not the end",
			open, 1, []string{"w-1", "w-3"},
			query.Stats{Requests: 5, Evaluated: 5, Returned: 2, Skipped: 1, Expired: 2, Capacity: 2.5, TableCapacity: 2.5},
		},
		{
			"backward", "greatest first",
			query.Of(Orders, eu).Desc(), 0, []string{"w-3", "w-1", "w-0"},
			query.Stats{Requests: 1, Evaluated: 7, Returned: 3, Skipped: 2, Expired: 2, Capacity: 3.5, TableCapacity: 3.5},
		},
		{
			"limit", "items returned are counted, not items evaluated: the first request brings one order, the second brings enough",
			open.Limit(2), 0, []string{"w-1", "w-3"},
			query.Stats{Requests: 2, Evaluated: 5, Returned: 2, Skipped: 1, Expired: 1, Capacity: 2.5, TableCapacity: 2.5},
		},
		{
			"limit of one", "what follows the last item wanted is not read",
			open.Limit(1), 0, []string{"w-1"},
			query.Stats{Requests: 1, Evaluated: 1, Returned: 1, Capacity: 0.5, TableCapacity: 0.5},
		},
		{
			"nothing there", "a range without items is one request",
			query.Of(Orders, eu).Where(Order.At(Open).From(day(2, 1))), 0, nil,
			query.Stats{Requests: 1, Capacity: 0.5, TableCapacity: 0.5},
		},
		{
			"empty range", "nothing is sent",
			query.Of(Orders, eu).Where(Order.At(Open).Within(day(1, 1), day(1, 1))), 0, nil,
			query.Stats{},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := newFake(t, Service, items(t, mixed...)...)
			db.page = tt.page
			var stats query.Stats
			got, err := tt.q.Report(&stats).Collect(t.Context(), db)
			if err != nil {
				t.Fatalf("%s: %v", tt.reason, err)
			}
			if diff := cmp.Diff(tt.want, ids(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
			}
			if diff := cmp.Diff(tt.stats, stats); diff != "" {
				t.Errorf("stats: %s (-want +got):\n%s", tt.reason, diff)
			}
			n, err := tt.q.Count(t.Context(), db)
			if n != len(tt.want) || err != nil {
				t.Errorf("Count() = %d, %v, want %d", n, err, len(tt.want))
			}
		})
	}
}

func TestWholeValues(t *testing.T) {
	want := []WorkOrder{order(1, "w-1"), order(31, "w-😀")}
	want[0].Until = now.AddDate(1, 0, 0)
	db := newFake(t, Service, items(t, want[0], want[1])...)
	got, err := query.Of(Orders, eu).Where(Order.At(Open).Between(day(1, 1), day(1, 31))).Collect(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An item that cannot be handed out is reported, and the loop goes on.
func TestItemErrors(t *testing.T) {
	bad := broken(t, order(2, "w-2"))
	odd := stranger("STATUS#OPEN#odd")
	db := newFake(t, Service, append(items(t, order(1, "w-1"), order(3, "w-3")), bad, odd)...)
	var stats query.Stats
	var got []string
	var refused []*query.ItemError
	for o, err := range open.Report(&stats).All(t.Context(), db) {
		var item *query.ItemError
		switch {
		case errors.As(err, &item):
			refused = append(refused, item)
			if o != (WorkOrder{}) {
				t.Errorf("with the error %v came the order %+v, want the zero one", err, o)
			}
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, o.OrderID)
		}
	}
	if diff := cmp.Diff([]string{"w-1", "w-3"}, got); diff != "" {
		t.Errorf("orders (-want +got):\n%s", diff)
	}
	if len(refused) != 2 {
		t.Fatalf("refused %v, want two items", refused)
	}
	for i, want := range []struct {
		item model.Item
		err  error
	}{{bad, nil}, {odd, query.ErrUndeclared}} {
		e := refused[i]
		if text(e.Key["pk"]) != text(want.item["pk"]) || text(e.Key["sk"]) != text(want.item["sk"]) || len(e.Key) != 2 {
			t.Errorf("error %d names the key %v, want that of %v", i, e.Key, want.item)
		}
		if e.Table != "field-service" || e.Entity != "WorkOrder" || e.Err == nil {
			t.Errorf("error %d = %#v, want table, entity and cause", i, e)
		}
		if want.err != nil && !errors.Is(e, want.err) {
			t.Errorf("error %d is %v, want %v", i, e, want.err)
		}
		if !strings.Contains(e.Error(), text(want.item["sk"])) {
			t.Errorf("error %d reads %q, want the sort key in it", i, e)
		}
	}
	if want := (query.Stats{Requests: 1, Evaluated: 4, Returned: 2, Refused: 2, Capacity: 2, TableCapacity: 2}); !cmp.Equal(want, stats) {
		t.Errorf("stats (-want +got):\n%s", cmp.Diff(want, stats))
	}

	var item *query.ItemError
	list, err := open.Collect(t.Context(), db)
	if !errors.As(err, &item) || len(list) != 1 {
		t.Errorf("Collect() = %v, %v; want the order before the bad item, and its error", ids(list), err)
	}
	if n, err := open.Count(t.Context(), db); !errors.As(err, &item) || n != 1 {
		t.Errorf("Count() = %v, %v; want 1 and the error of the item", n, err)
	}
	if _, err := open.Desc().First(t.Context(), db); !errors.Is(err, query.ErrUndeclared) {
		t.Errorf("First() = %v, want the error of the first item", err)
	}
	if _, err := query.Of(Orders, eu).Where(Order.Key(Open, day(1, 2), "w-2").Exact()).ExactlyOne(t.Context(), db); !errors.As(err, &item) {
		t.Errorf("ExactlyOne() = %v, want the error of the item", err)
	}
}

func TestFirstAndExactlyOne(t *testing.T) {
	db := newFake(t, Service, items(t, order(1, "w-1"), order(2, "w-2"), expired(order(3, "w-3")), note(order(2, "w-2"), 1))...)
	for _, tt := range []struct {
		name, reason string
		q            query.Query[WorkOrder]
		first        string
		firstErr     error
		one          string
		oneErr       error
	}{
		{"several", "the first in key order", open, "w-1", nil, "", query.ErrMoreThanOne},
		{"backward", "an expired one is absent", open.Desc(), "w-2", nil, "", query.ErrMoreThanOne},
		{"one", "a note of the order does not count", query.Of(Orders, eu).Where(Order.At(Open).From(day(1, 2))), "w-2", nil, "w-2", nil},
		{"none", "an empty range", query.Of(Orders, eu).Where(Order.At(Done).All()), "", query.ErrNotFound, "", query.ErrNotFound},
		{"expired", "an expired item is not found", query.Of(Orders, eu).Where(Order.At(Open).From(day(1, 3))), "", query.ErrNotFound, "", query.ErrNotFound},
		{"limit", "a limit of one never yields two", open.Limit(1), "w-1", nil, "w-1", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.q.First(t.Context(), db)
			if got.OrderID != tt.first || !errors.Is(err, tt.firstErr) {
				t.Errorf("First() = %q, %v, want %q, %v: %s", got.OrderID, err, tt.first, tt.firstErr, tt.reason)
			}
			got, err = tt.q.ExactlyOne(t.Context(), db)
			if got.OrderID != tt.one || !errors.Is(err, tt.oneErr) {
				t.Errorf("ExactlyOne() = %q, %v, want %q, %v: %s", got.OrderID, err, tt.one, tt.oneErr, tt.reason)
			}
		})
	}
	if !errors.Is(model.ErrNotFound, query.ErrNotFound) {
		t.Error("ErrNotFound is not the value of model")
	}
}

// A filter that matches late costs a few requests, not one for every item.
func TestLimitWithLateFilter(t *testing.T) {
	var list []any
	for i := range 1000 {
		o := order(1+i/40, "w-"+string(rune('A'+i%40)))
		o.Customer = "Bob"
		if i == 999 {
			o.Customer = "Ann"
		}
		list = append(list, o)
	}
	db := newFake(t, Service, items(t, list...)...)
	ann := items(t, list[999])[0]
	db.filter = func(item model.Item) bool { return text(item["customer"]) == "Ann" }
	q := open.Filter(expression.Name("customer").Equal(expression.Value("Ann")))
	got, err := q.First(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := Orders.Unmarshal(ann)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("First() (-want +got):\n%s", diff)
	}
	if db.requests() > 5 {
		t.Errorf("%d requests for one item among a thousand", db.requests())
	}

	db.queries = nil
	page, err := q.Limit(1).Page(t.Context(), db, "")
	if err != nil || len(page.Items) != 1 || db.requests() > 5 {
		t.Errorf("Page() = %v, %v after %d requests", page, err, db.requests())
	}
}

// So do items of other entities.
func TestLimitAmongOthers(t *testing.T) {
	var list []any
	for i := range 500 {
		list = append(list, note(order(1, "w-1"), i))
	}
	list = append(list, order(1, "w-2"))
	db := newFake(t, Service, items(t, list...)...)
	got, err := open.First(t.Context(), db)
	if err != nil || got.OrderID != "w-2" {
		t.Fatalf("First() = %+v, %v", got, err)
	}
	if db.requests() > 10 {
		t.Errorf("%d requests for one item among 500 others", db.requests())
	}
}

func TestStopsEarly(t *testing.T) {
	db := newFake(t, Service, items(t, order(1, "w-1"), order(2, "w-2"), order(3, "w-3"))...)
	db.page = 1
	seq := open.All(t.Context(), db)
	for range 2 { // a second range begins anew
		var got []string
		for o, err := range seq {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, o.OrderID)
			if len(got) == 2 {
				break
			}
		}
		if diff := cmp.Diff([]string{"w-1", "w-2"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if db.requests() != 4 {
		t.Errorf("%d requests, want two for each range", db.requests())
	}
	for _, err := range open.All(t.Context(), newFake(t, Service, stranger("STATUS#OPEN#1"), stranger("STATUS#OPEN#2"))) {
		if err == nil {
			t.Error("no error for an undeclared item")
		}
		break // also after an error of an item
	}
}

var errFault = errors.New("a failed request")

func TestFailedRequests(t *testing.T) {
	list := items(t, order(1, "w-1"), order(2, "w-2"), order(3, "w-3"))
	db := newFake(t, Service, list...)
	db.page = 1
	db.fault = func(n int) error {
		if n == 3 {
			return errFault
		}
		return nil
	}
	var stats query.Stats
	got, err := open.Report(&stats).Collect(t.Context(), db)
	var e *query.Error
	if !errors.Is(err, errFault) || !errors.As(err, &e) {
		t.Fatalf("Collect() = %v, want an *Error that wraps the client's", err)
	}
	if diff := cmp.Diff([]string{"w-1", "w-2"}, ids(got)); diff != "" {
		t.Errorf("what came before the failure (-want +got):\n%s", diff)
	}
	if want := (query.Error{Op: "Collect", Table: "field-service", Entity: "WorkOrder", Err: errFault}); *e != want {
		t.Errorf("error %#v, want %#v", *e, want)
	}
	if stats.Requests != 2 || stats.Returned != 2 {
		t.Errorf("stats %+v, want the two requests that were answered", stats)
	}
	db.queries = nil
	yields := 0
	for _, err := range open.All(t.Context(), db) {
		yields++
		if yields == 3 && !errors.Is(err, errFault) {
			t.Errorf("third: %v, want the fault", err)
		}
	}
	if yields != 3 {
		t.Errorf("%d yields, want the failure to be the third and last", yields)
	}
	db.queries, db.page = nil, 0
	db.fault = func(int) error { return errFault }
	if page, err := open.Page(t.Context(), db, ""); !errors.Is(err, errFault) || page.Items != nil || page.Next != "" {
		t.Errorf("Page() = %+v, %v", page, err)
	}
	if _, err := open.First(t.Context(), db); !errors.Is(err, errFault) {
		t.Errorf("First() = %v", err)
	}
	if _, err := open.ExactlyOne(t.Context(), db); !errors.Is(err, errFault) {
		t.Errorf("ExactlyOne() = %v", err)
	}
	if _, err := open.Count(t.Context(), db); !errors.Is(err, errFault) {
		t.Errorf("Count() = %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	db := newFake(t, Service, items(t, order(1, "w-1"), order(2, "w-2"), order(3, "w-3"))...)
	db.page = 1
	var got []string
	var last error
	for o, err := range open.All(ctx, db) {
		if last = err; err == nil {
			got = append(got, o.OrderID)
		}
		if len(got) == 2 {
			cancel()
		}
	}
	if !errors.Is(last, context.Canceled) || db.requests() != 2 {
		t.Errorf("ended with %v after %d requests, want context.Canceled and no third request", last, db.requests())
	}
	if _, err := open.Page(ctx, db, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("Page() = %v", err)
	}
	if _, err := query.Get(ctx, db, Orders.Key(eu, Order.Key(Open, day(1, 1), "w-1"))); !errors.Is(err, context.Canceled) {
		t.Errorf("Get() = %v", err)
	}
	if db.requests() != 2 {
		t.Errorf("%d requests, want none under a cancelled context", db.requests())
	}
}

func TestMaxEvaluated(t *testing.T) {
	var list []any
	for d := 1; d <= 9; d++ {
		list = append(list, order(d, "w"))
	}
	db := newFake(t, Service, items(t, list...)...)
	var stats query.Stats
	q := open.MaxEvaluated(4).Report(&stats)
	got, err := q.Collect(t.Context(), db)
	var e *query.MaxEvaluatedError
	if !errors.As(err, &e) || !errors.Is(err, query.ErrMaxEvaluated) || len(got) != 4 || stats.Evaluated != 4 {
		t.Fatalf("Collect() = %d items, %v, evaluated %d; want 4 and a *MaxEvaluatedError", len(got), err, stats.Evaluated)
	}
	page, err := q.Page(t.Context(), db, e.Next)
	if err != nil || len(page.Items) != 4 || page.Items[0].ScheduledOn != day(1, 5) {
		t.Errorf("going on from the error: %+v, %v", page, err)
	}
	if n, err := q.Count(t.Context(), db); n != 4 || !errors.Is(err, query.ErrMaxEvaluated) {
		t.Errorf("Count() = %d, %v, want 4 and ErrMaxEvaluated", n, err)
	}
	if n, err := open.MaxEvaluated(9).Count(t.Context(), db); n != 9 || !errors.Is(err, query.ErrMaxEvaluated) {
		t.Errorf("Count() = %d, %v: DynamoDB has not said yet that nothing is left", n, err)
	}
	if n, err := open.MaxEvaluated(10).Count(t.Context(), db); n != 9 || err != nil {
		t.Errorf("Count() = %d, %v, want 9", n, err)
	}
	if list, err := open.MaxEvaluated(4).Limit(4).Collect(t.Context(), db); len(list) != 4 || err != nil {
		t.Errorf("Collect() = %d items, %v: the limit was reached within the bound", len(list), err)
	}
	nothing := query.Of(Orders, eu).Where(Order.At(Open).All()).Filter(expression.Name("visits").GreaterThan(expression.Value(100)))
	db.filter = func(model.Item) bool { return false }
	if _, err := nothing.MaxEvaluated(4).First(t.Context(), db); !errors.Is(err, query.ErrMaxEvaluated) || errors.Is(err, query.ErrNotFound) {
		t.Errorf("First() = %v: it is not known whether there is one", err)
	}
}

// Queries that are derived from one query do not change it or each other.
func TestImmutable(t *testing.T) {
	f := func(v int) expression.ConditionBuilder {
		return expression.Name("visits").NotEqual(expression.Value(v))
	}
	base := query.Of(Orders, eu).Filter(f(1)).Filter(f(2)).Filter(f(3))
	describe := func(q query.Query[WorkOrder]) any {
		in, err := q.Input(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return meaning(t, in)
	}
	before := describe(base)
	a := base.Filter(f(4))
	wantA := describe(a)
	b := base.Filter(f(5)).Where(Order.At(Open).All()).Desc().Consistent().Limit(1).PageSize(2).MaxEvaluated(3).Secret(make([]byte, 16)).Report(new(query.Stats))
	query.Into[Summary](base)
	base.Where(keys.Range{})
	if diff := cmp.Diff(before, describe(base)); diff != "" {
		t.Errorf("base changed (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(wantA, describe(a)); diff != "" {
		t.Errorf("a changed when b was made (-before +after):\n%s", diff)
	}
	if cmp.Equal(wantA, describe(b)) {
		t.Error("a and b send the same request")
	}
}

// A client may do with a request what it likes.
func TestRequestsAreFresh(t *testing.T) {
	q := open.Filter(expression.Name("visits").NotEqual(expression.Value(1))).Desc()
	q = query.Into[WorkOrder](q)
	first, err := q.Input(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := meaning(t, first)
	clear(first.ExpressionAttributeNames)
	clear(first.ExpressionAttributeValues)
	for _, s := range []*string{first.TableName, first.KeyConditionExpression, first.FilterExpression, first.ProjectionExpression} {
		*s = "x"
	}
	*first.ScanIndexForward = true
	second, err := q.Input(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, meaning(t, second)); diff != "" {
		t.Errorf("the second request (-want +got):\n%s", diff)
	}
}

func TestMistakes(t *testing.T) {
	var nilEntity *model.Entity[WorkOrder]
	long := strings.Repeat("x", 2048)
	other := keys.MustCompile1("STATUS#<status>", keys.Enum(Open, Done))
	for _, tt := range []struct {
		name, reason string
		q            query.Query[WorkOrder]
		want         error
	}{
		{"zero query", "it asks nothing", query.Query[WorkOrder]{}, query.ErrZero},
		{"zero query, refined", "a method does not make it valid", query.Query[WorkOrder]{}.Where(Order.All()).Filter(expression.Name("a").AttributeExists()).Desc(), query.ErrZero},
		{"nil entity", "it has no table", query.Of(nilEntity, eu), query.ErrZero},
		{"zero partition", "no partition is named", query.Of(Orders, keys.Key{}), keys.ErrZero},
		{"bad partition", "the error of the key travels", query.Of(Orders, Region.Key("")), keys.ErrEmpty},
		{"other partition", "a key of another template", query.Of(Orders, PersonID.Key("p")), keys.ErrTemplate},
		{"long partition", "2049 bytes", query.Of(Orders, Region.Key(long[:2049-len("REGION#")])), model.ErrTooLarge},
		{"zero range", "no Where is no zero Range", query.Of(Orders, eu).Where(keys.Range{}), keys.ErrZero},
		{"bad range", "the error of the range travels", query.Of(Orders, eu).Where(Order.At("LOST").All()), keys.ErrValue},
		{"bounds crossed", "lower above upper", query.Of(Orders, eu).Where(Order.At(Open).Between(day(2, 1), day(1, 1))), keys.ErrRange},
		{"other range", "a range of another template", query.Of(Orders, eu).Where(other.All()), keys.ErrTemplate},
		{"long key", "1025 bytes of sort key", query.Of(Orders, eu).Where(Order.Key(Open, day(1, 1), long[:1025-len("STATUS#OPEN#2026-01-01#")]).Exact()), keys.ErrTooLong},
		{"limit", "no item", query.Of(Orders, eu).Limit(0), query.ErrArgument},
		{"page size", "below zero", query.Of(Orders, eu).PageSize(-1), query.ErrArgument},
		{"max evaluated", "no item", query.Of(Orders, eu).MaxEvaluated(0), query.ErrArgument},
		{"filter", "nothing in it", query.Of(Orders, eu).Filter(expression.ConditionBuilder{}), query.ErrFilter},
		{"filter after filter", "nothing in the second", query.Of(Orders, eu).Filter(expression.Name("a").AttributeExists()).Filter(expression.ConditionBuilder{}), query.ErrFilter},
		{"filter on pk", "DynamoDB refuses it", query.Of(Orders, eu).Filter(expression.Name("pk").BeginsWith("R")), query.ErrKeyInFilter},
		{"filter on sk", "however deep it stands", query.Of(Orders, eu).Filter(expression.Name("a").AttributeExists().And(expression.Not(expression.Name("b").Equal(expression.Name("sk"))))), query.ErrKeyInFilter},
		{"filter on size of sk", "as an operand too", query.Of(Orders, eu).Filter(expression.Name("sk").Size().GreaterThan(expression.Value(3))), query.ErrKeyInFilter},
		{"secret", "none given", query.Of(Orders, eu).Secret(), query.ErrSecret},
		{"short secret", "AES has no such key", query.Of(Orders, eu).Secret(make([]byte, 32), []byte("short")), query.ErrSecret},
		{"first of two", "the first mistake wins", query.Of(Orders, eu).Limit(0).Where(keys.Range{}), query.ErrArgument},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := newFake(t, Service)
			check := func(method string, err error) {
				t.Helper()
				var e *query.Error
				if !errors.Is(err, tt.want) || !errors.As(err, &e) || e.Op == "" {
					t.Errorf("%s: %v, want an *Error that wraps %v: %s", method, err, tt.want, tt.reason)
				}
			}
			ctx := t.Context()
			check("Err", errors.Join(tt.q.Err(), errOf(tt.q.Input(ctx)))) // a length is known when it is sent
			_, err := tt.q.Input(ctx)
			check("Input", err)
			n := 0
			for _, err := range tt.q.All(ctx, db) {
				n++
				check("All", err)
			}
			if n != 1 {
				t.Errorf("All yields %d times, want once", n)
			}
			_, err = tt.q.Collect(ctx, db)
			check("Collect", err)
			_, err = tt.q.First(ctx, db)
			check("First", err)
			_, err = tt.q.ExactlyOne(ctx, db)
			check("ExactlyOne", err)
			_, err = tt.q.Count(ctx, db)
			check("Count", err)
			_, err = tt.q.Page(ctx, db, "")
			check("Page", err)
			_, err = query.Into[Summary](tt.q).Collect(ctx, db)
			check("Into", err)
			if db.requests() != 0 {
				t.Errorf("%d requests were sent", db.requests())
			}
		})
	}
	if _, err := query.Of(Persons, PersonID.Key("p")).Where(Order.All()).Input(t.Context()); !errors.Is(err, query.ErrNoSortKey) {
		t.Errorf("a range of a table without a sort key: %v, want ErrNoSortKey", err)
	}
	if _, err := query.Of(Orders, eu).Where(Order.At(Open).Within(day(1, 1), day(1, 1))).Input(t.Context()); !errors.Is(err, query.ErrEmptyRange) {
		t.Errorf("Input of an empty range: %v, want ErrEmptyRange", err)
	}
	if err := open.Err(); err != nil {
		t.Errorf("Err() = %v of a good query", err)
	}
}

func errOf[T any](_ T, err error) error { return err }

func TestBoundaryLengths(t *testing.T) {
	db := newFake(t, Service)
	pk := Region.Key(strings.Repeat("x", 2048-len("REGION#")))
	sk := Order.Key(Open, day(1, 1), strings.Repeat("x", 1024-len("STATUS#OPEN#2026-01-01#")))
	if _, err := query.Of(Orders, pk).Where(sk.Exact()).Collect(t.Context(), db); err != nil {
		t.Errorf("keys of exactly 2048 and 1024 bytes: %v", err)
	}
}

// An entity that nobody has defined is none, also where it is no nil pointer.
func TestZeroEntity(t *testing.T) {
	zero := new(model.Entity[WorkOrder])
	table := new(model.Table)
	for what, err := range map[string]error{
		"Of": query.Of(zero, eu).Err(), "On": query.On(zero, new(model.Index), eu).Err(), "Scan": query.Scan(zero).Err(),
		"Collection": query.Collection(table, eu).Err(), "CollectionOn": query.CollectionOn(table, new(model.Index), eu).Err(),
		"CheckTable": query.CheckTable(t.Context(), nil, table),
	} {
		if !errors.Is(err, query.ErrZero) {
			t.Errorf("%s: %v, want ErrZero", what, err)
		}
	}
	var list []WorkOrder
	if err := query.Gather(t.Context(), newFake(t, Service), query.Collection(Service, eu), query.To(zero, &list)); !errors.Is(err, query.ErrTarget) {
		t.Errorf("Gather: %v, want ErrTarget", err)
	}
}

func TestNoClient(t *testing.T) {
	var nilClient *dynamodb.Client
	for name, db := range map[string]query.Client{"nil": nil, "nil *dynamodb.Client": nilClient} {
		if _, err := open.Collect(t.Context(), db); !errors.Is(err, query.ErrNoClient) {
			t.Errorf("%s: Collect() = %v, want ErrNoClient", name, err)
		}
		if _, err := open.Page(t.Context(), db, ""); !errors.Is(err, query.ErrNoClient) {
			t.Errorf("%s: Page() = %v, want ErrNoClient", name, err)
		}
		if _, err := query.Get(t.Context(), db, Orders.Key(eu, Order.Key(Open, day(1, 1), "w"))); !errors.Is(err, query.ErrNoClient) {
			t.Errorf("%s: Get() = %v, want ErrNoClient", name, err)
		}
	}
	if err := query.CheckTable(t.Context(), nilClient, Service); !errors.Is(err, query.ErrNoClient) {
		t.Errorf("CheckTable() = %v, want ErrNoClient", err)
	}
}

// hollow answers with nothing, as a careless fake does.
type hollow struct{}

func (hollow) GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return nil, nil
}

func (hollow) Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return nil, nil
}

func (hollow) Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return nil, nil
}

func (hollow) BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return nil, nil
}

func (hollow) TransactGetItems(context.Context, *dynamodb.TransactGetItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	return nil, nil
}

func TestNoResponse(t *testing.T) {
	if _, err := open.Collect(t.Context(), hollow{}); !errors.Is(err, query.ErrResponse) {
		t.Errorf("Collect() = %v, want ErrResponse", err)
	}
	if _, err := query.Get(t.Context(), hollow{}, Orders.Key(eu, Order.Key(Open, day(1, 1), "w"))); !errors.Is(err, query.ErrResponse) {
		t.Errorf("Get() = %v, want ErrResponse", err)
	}
	some := []model.Key[WorkOrder]{Orders.Key(eu, Order.Key(Open, day(1, 1), "w"))}
	if _, err := query.GetMany(t.Context(), hollow{}, some); !errors.Is(err, query.ErrResponse) {
		t.Errorf("GetMany() = %v, want ErrResponse", err)
	}
	if _, err := query.GetAll(t.Context(), hollow{}, some); !errors.Is(err, query.ErrResponse) {
		t.Errorf("GetAll() = %v, want ErrResponse", err)
	}
	if _, err := query.Scan(Orders).Count(t.Context(), hollow{}); !errors.Is(err, query.ErrResponse) {
		t.Errorf("Scan() = %v, want ErrResponse", err)
	}
}
