package query_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

// question is a query and, in plain terms, what it asks for.
type question struct {
	q    query.Query[WorkOrder]
	want func(WorkOrder) bool
	desc bool
}

// answer is what a question should bring of these orders, without any thought
// of keys: a filter over values and a sort by fields.
func (qu question) answer(orders []WorkOrder) []WorkOrder {
	var found []WorkOrder
	for _, o := range orders {
		if o.RegionID == "eu-west" && (o.Until.IsZero() || o.Until.After(now)) && qu.want(o) {
			found = append(found, o)
		}
	}
	slices.SortFunc(found, func(a, b WorkOrder) int {
		c := cmp.Or(cmp.Compare(a.Status, b.Status), a.ScheduledOn.Compare(b.ScheduledOn), cmp.Compare(a.OrderID, b.OrderID))
		if qu.desc {
			return -c
		}
		return c
	})
	return found
}

// id draws from letters that have gone wrong somewhere: below and above the
// delimiter, the escape, the ends of the BMP, and above it.
var id = rapid.StringOfN(rapid.SampledFrom([]rune{'\x00', '\x1f', ' ', '!', '"', '#', '$', '%', '&', 'a', 'B', 'é', '中', '\uD7FF', '\uE000', '\uFFFD', '\uFFFE', '\uFFFF', '😀', '\U0010FFFF'}), 1, 4, -1)

func drawOrder(t *rapid.T) WorkOrder {
	o := WorkOrder{
		RegionID:    rapid.SampledFrom([]string{"eu-west", "eu-west", "eu-west", "eu"}).Draw(t, "region"),
		Status:      rapid.SampledFrom([]Status{Open, Done}).Draw(t, "status"),
		ScheduledOn: day(1, rapid.IntRange(1, 4).Draw(t, "day")),
		OrderID:     id.Draw(t, "id"),
		Visits:      rapid.IntRange(0, 9).Draw(t, "visits"),
	}
	switch rapid.IntRange(0, 5).Draw(t, "until") {
	case 0:
		o.Until = now.AddDate(0, 0, -1)
	case 1:
		o.Until = now.AddDate(0, 0, 1)
	}
	return o
}

// drawTable draws what is stored: orders, and among them notes, a profile and
// items of no declared entity outside every range of orders.
func drawTable(t *rapid.T) (orders []WorkOrder, all []any) {
	orders = rapid.SliceOfNDistinct(rapid.Custom(drawOrder), 0, 25, func(o WorkOrder) any {
		o.Visits, o.Until = 0, now
		return o
	}).Draw(t, "orders")
	for _, o := range orders {
		all = append(all, o)
		for n := range rapid.IntRange(0, 2).Draw(t, "notes") {
			all = append(all, note(o, n))
		}
	}
	if rapid.Bool().Draw(t, "profile") {
		all = append(all, Profile{RegionID: "eu-west", Name: "West"})
	}
	return orders, all
}

func drawQuestion(t *rapid.T) question {
	q := query.Of(Orders, eu)
	qu := question{want: func(WorkOrder) bool { return true }}
	status := rapid.SampledFrom([]Status{Open, Done}).Draw(t, "in status")
	lo := day(1, rapid.IntRange(1, 4).Draw(t, "lo"))
	hi := day(1, rapid.IntRange(lo.Day, 5).Draw(t, "hi"))
	a, b := id.Draw(t, "a"), id.Draw(t, "b")
	if a > b {
		a, b = b, a
	}
	in, on := Order.At(status), Order.At(status).At(lo)
	dated := func(r keys.Range, want func(keys.Date) bool) {
		q = q.Where(r)
		qu.want = func(o WorkOrder) bool { return o.Status == status && want(o.ScheduledOn) }
	}
	named := func(r keys.Range, want func(string) bool) {
		q = q.Where(r)
		qu.want = func(o WorkOrder) bool { return o.Status == status && o.ScheduledOn == lo && want(o.OrderID) }
	}
	switch rapid.IntRange(0, 16).Draw(t, "range") {
	case 0: // the whole partition
	case 1:
		q = q.Where(Order.All())
	case 2:
		dated(in.All(), func(keys.Date) bool { return true })
	case 3:
		dated(in.Between(lo, hi), func(d keys.Date) bool { return lo.Compare(d) <= 0 && d.Compare(hi) <= 0 })
	case 4:
		dated(in.Within(lo, hi), func(d keys.Date) bool { return lo.Compare(d) <= 0 && d.Compare(hi) < 0 })
	case 5:
		dated(in.From(lo), func(d keys.Date) bool { return d.Compare(lo) >= 0 })
	case 6:
		dated(in.After(lo), func(d keys.Date) bool { return d.Compare(lo) > 0 })
	case 7:
		dated(in.To(hi), func(d keys.Date) bool { return d.Compare(hi) <= 0 })
	case 8:
		dated(in.Before(hi), func(d keys.Date) bool { return d.Compare(hi) < 0 })
	case 9:
		named(on.All(), func(string) bool { return true })
	case 10:
		named(on.Between(a, b), func(s string) bool { return a <= s && s <= b })
	case 11:
		named(on.Within(a, b), func(s string) bool { return a <= s && s < b })
	case 12:
		named(on.From(a), func(s string) bool { return s >= a })
	case 13:
		named(on.After(a), func(s string) bool { return s > a })
	case 14:
		named(on.To(b), func(s string) bool { return s <= b })
	case 15:
		named(on.Before(b), func(s string) bool { return s < b })
	case 16:
		named(on.Key(a).Tree(), func(s string) bool { return s == a })
	}
	if rapid.Bool().Draw(t, "desc") {
		q, qu.desc = q.Desc(), true
	}
	if rapid.Bool().Draw(t, "filtered") {
		inRange := qu.want
		q = q.Filter(expression.Name("visits").LessThan(expression.Value(fewVisits)))
		qu.want = func(o WorkOrder) bool { return inRange(o) && o.Visits < fewVisits }
	}
	if rapid.Bool().Draw(t, "sized") {
		q = q.PageSize(rapid.IntRange(1, 12).Draw(t, "page size"))
	}
	if rapid.Bool().Draw(t, "sealed") {
		q = q.Secret([]byte("0123456789abcdef"))
	}
	qu.q = q
	return qu
}

const fewVisits = 5

func hasFewVisits(item model.Item) bool {
	n, ok := item["visits"].(*types.AttributeValueMemberN)
	return ok && n.Value < strconv.Itoa(fewVisits) // both have one digit
}

// TestProperties compares everything that a query can be asked with a plain
// filter and sort.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		orders, all := drawTable(t)
		db := newFake(t, Service, marshal(t, all)...)
		db.page = rapid.IntRange(0, 10).Draw(t, "a request brings")
		db.filter = hasFewVisits
		checkQuestion(t, db, orders, drawQuestion(t))
	})
}

func marshal(t *rapid.T, values []any) []model.Item {
	list, err := marshalAll(values)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func checkQuestion(t *rapid.T, db query.Client, orders []WorkOrder, qu question) {
	want := qu.answer(orders)
	ctx := t.Context()
	var stats query.Stats

	got, err := qu.q.Report(&stats).Collect(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("Collect (-want +got):\n%s", diff)
	}
	if stats.Returned != len(got) || stats.Evaluated < stats.Returned+stats.Skipped+stats.Expired {
		t.Fatalf("%d items, and stats %+v", len(got), stats)
	}
	if n, err := qu.q.Count(ctx, db); n != len(want) || err != nil {
		t.Fatalf("Count() = %d, %v, want %d", n, err, len(want))
	}
	limit := rapid.IntRange(1, 8).Draw(t, "limit")
	got, err = qu.q.Limit(limit).Collect(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want[:min(limit, len(want))], got); diff != "" && len(want) > 0 {
		t.Fatalf("Collect with limit %d (-want +got):\n%s", limit, diff)
	}

	paged := qu.q
	limited := rapid.Bool().Draw(t, "limited pages")
	if limited {
		paged = paged.Limit(limit)
	}
	bounded := rapid.Bool().Draw(t, "bounded pages")
	most := rapid.IntRange(1, 10).Draw(t, "max evaluated")
	if bounded {
		paged = paged.MaxEvaluated(most)
	}
	in, err := qu.q.Input(ctx)
	exact := limited && !bounded && (err != nil || in.FilterExpression == nil)
	got = nil
	var last query.Page[WorkOrder]
	var forward [][]WorkOrder
	for cursor, n := "", 0; ; n++ {
		page, err := paged.Page(ctx, db, cursor)
		if err != nil {
			t.Fatal(err)
		}
		if (page.Prev == "") != (n == 0) {
			t.Fatalf("page %d has Prev %q", n, page.Prev)
		}
		last = page
		forward = append(forward, page.Items)
		if bounded && page.Stats.Evaluated > most {
			t.Fatalf("page %d evaluated %d, at most %d were allowed", n, page.Stats.Evaluated, most)
		}
		if limited && len(page.Items) > limit {
			t.Fatalf("page %d has %d items, the limit is %d", n, len(page.Items), limit)
		}
		got = append(got, page.Items...)
		if left := len(want) - len(got); exact && (page.Next == "") != (left == 0) {
			t.Fatalf("page %d: Next is %q, and %d items are left", n, page.Next, left)
		}
		if cursor = page.Next; cursor == "" {
			break
		}
		if exact && len(page.Items) != limit {
			t.Fatalf("page %d has %d items, the limit is %d, and it is not the last", n, len(page.Items), limit)
		}
		if n > 200 {
			t.Fatal("the pages do not end")
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("all pages, limited %v, bounded %v (-want +got):\n%s", limited, bounded, diff)
	}

	// Back again, to the beginning.
	got = last.Items
	for n := len(forward) - 2; last.Prev != ""; n-- {
		if last, err = paged.Page(ctx, db, last.Prev); err != nil {
			t.Fatal(err)
		}
		if last.Next == "" && n < len(forward)-2 {
			t.Fatal("a page before another one has no Next")
		}
		got = slices.Concat(last.Items, got)
		if limited && !bounded && len(last.Items) > 0 {
			if diff := gocmp.Diff(forward[n], last.Items); diff != "" {
				t.Fatalf("page %d, reached from behind (-forward +backward):\n%s", n, diff)
			}
		}
		if n < -200 {
			t.Fatal("the pages do not end")
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" && len(want) > 0 {
		t.Fatalf("all pages backward, limited %v, bounded %v (-want +got):\n%s", limited, bounded, diff)
	}
}

// TestPagesUnderChange goes to and fro between pages while items come and go. It
// must see everything that was there throughout, once on every way through, in
// order; and where nothing changed, going back shows the page that was left.
func TestPagesUnderChange(t *testing.T) {
	t.Run("table", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			db := newFake(t, Service)
			there := map[int]bool{}
			set := func(d int, on bool) {
				if there[d] = on; !on {
					delete(there, d)
				}
				var list []any
				for d := range there {
					list = append(list, order(d, "w"))
					if d%3 == 0 {
						list = append(list, note(order(d, "w"), 1))
					}
				}
				db.items = marshal(t, list)
			}
			pagesUnderChange(t, db, open, func(o WorkOrder) int { return o.ScheduledOn.Day }, set)
		})
	})
	t.Run("index", func(t *testing.T) {
		client := indexed(t, Mileage)
		user := 0
		rapid.Check(t, func(t *rapid.T) {
			user++
			u := fmt.Sprintf("u-%d", user)
			set := func(d int, on bool) {
				v := trip(u, d, d, fmt.Sprintf("%s-%d", u, d))
				if !on {
					v.Plate = "another" // the trip stays and leaves the list
				}
				put(t, client, Trips, v)
			}
			q := query.On(Trips, ByVehicle, Vehicle.Key(u, "67-PK-KS")).Where(TripOn.All())
			pagesUnderChange(t, client, q, func(v Trip) int { return v.Day.Day }, set)
		})
	})
}

// pagesUnderChange checks pages of q. set puts the item of a day there or takes it
// away, and dayOf tells the day of an item.
func pagesUnderChange[T any](t *rapid.T, db query.Client, q query.Query[T], dayOf func(T) int, set func(day int, on bool)) {
	there := map[int]bool{}
	steady := map[int]bool{} // there since the way through began
	turn := func(d int, on bool) {
		set(d, on)
		if there[d] = on; !on {
			delete(there, d)
		}
		delete(steady, d)
	}
	change := func(label string) (changed bool) {
		for range rapid.IntRange(0, 3).Draw(t, label) {
			d := rapid.IntRange(1, 31).Draw(t, "day")
			turn(d, !there[d])
			changed = true
		}
		return changed
	}
	for range rapid.IntRange(0, 20).Draw(t, "at first") {
		turn(rapid.IntRange(1, 31).Draw(t, "day"), true)
	}
	q = q.Limit(rapid.IntRange(1, 5).Draw(t, "limit"))
	if rapid.Bool().Draw(t, "desc") {
		q = q.Desc()
	}
	read := func(cursor string) query.Page[T] {
		page, err := q.Page(t.Context(), db, cursor)
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	// through follows the cursors that ahead gives, from page on, to their end.
	through := func(page query.Page[T], ahead, behind func(query.Page[T]) string, way string) {
		steady = maps.Clone(there)
		seen := map[int]int{}
		for {
			for _, v := range page.Items {
				seen[dayOf(v)]++
			}
			changed := change("changes")
			cursor := ahead(page)
			if cursor == "" {
				break
			}
			next := read(cursor)
			if !changed && len(next.Items) > 0 && behind(next) != "" {
				if diff := gocmp.Diff(page.Items, read(behind(next)).Items); diff != "" && len(page.Items) > 0 {
					t.Fatalf("%s: there and back (-left +found):\n%s", way, diff)
				}
			}
			page = next
		}
		for d := range steady {
			if seen[d] != 1 {
				t.Fatalf("%s: the item of day %d was there throughout and was seen %d times", way, d, seen[d])
			}
		}
	}
	next := func(p query.Page[T]) string { return p.Next }
	prev := func(p query.Page[T]) string { return p.Prev }
	through(read(""), next, prev, "forward")
	last := read("")
	for last.Next != "" {
		last = read(last.Next)
	}
	through(last, prev, next, "backward")
}
