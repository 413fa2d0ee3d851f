package query_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

type tenant struct{}

var (
	Tenants       = model.NewTable("tenants", model.PrimaryKey("pk", "sk"), model.NameFunc(func(ctx context.Context) string { s, _ := ctx.Value(tenant{}).(string); return s }))
	TenantOrders  = model.MustDefine[WorkOrder](Tenants, "WorkOrder", Region, Order)
	RegionsByName = model.MustDefine[WorkOrder](Tenants, "Copy", Region, Order)
)

// nextOf is the Next of the first page of q, whose items are at 1 to 3 January.
func nextOf(t *testing.T, ctx context.Context, q query.Query[WorkOrder], table *model.Table) string {
	t.Helper()
	db := newFake(t, table, items(t, order(1, "a"), order(2, "b"), order(3, "c"))...)
	page, err := q.Limit(1).Page(ctx, db, "")
	if err != nil || page.Next == "" {
		t.Fatalf("first page: %+v, %v", page, err)
	}
	return page.Next
}

// A cursor fits only the query that it was made for, or one with the same table,
// entity, partition and direction whose range holds its position.
func TestCursorBinding(t *testing.T) {
	secret, older := []byte("0123456789abcdef"), bytes.Repeat([]byte{7}, 32)
	ctx := context.WithValue(t.Context(), tenant{}, "tenant-a")
	ctxB := context.WithValue(t.Context(), tenant{}, "tenant-b")
	all := query.Of(TenantOrders, eu)
	for _, tt := range []struct {
		name, reason string
		made         query.Query[WorkOrder]
		used         query.Query[WorkOrder]
		ctx          context.Context
		ok           bool
	}{
		{"same", "it is its own", all, all, ctx, true},
		{"limits", "limits and filters are not part of it", all, all.Limit(7).PageSize(3).Consistent(), ctx, true},
		{"range around", "the position lies in the range", all, all.Where(Order.At(Open).To(day(1, 1))), ctx, true},
		{"range without", "the position lies behind the range", all, all.Where(Order.At(Open).From(day(1, 2))), ctx, false},
		{"other status", "the position lies in another status", all, all.Where(Order.At(Done).All()), ctx, false},
		{"empty range", "no position lies in it", all, all.Where(Order.At(Open).Within(day(1, 1), day(1, 1))), ctx, false},
		{"direction", "backward is another way", all, all.Desc(), ctx, false},
		{"partition", "another partition", all, query.Of(TenantOrders, Region.Key("us-east")), ctx, false},
		{"entity", "another entity", all, query.Of(RegionsByName, eu), ctx, false},
		{"table", "another tenant's table", all, all, ctxB, false},
		{"sealed", "sealed and opened", all.Secret(secret), all.Secret(secret), ctx, true},
		{"sealed by an older secret", "all secrets open", all.Secret(older), all.Secret(secret, older), ctx, true},
		{"sealed by a newer secret", "the first seals", all.Secret(secret, older), all.Secret(older), ctx, false},
		{"sealed, no secret", "a sealed one is not opened without", all.Secret(secret), all, ctx, false},
		{"plain, secret", "a plain one could be anybody's", all, all.Secret(secret), ctx, false},
		{"sealed, direction", "the binding is sealed too", all.Secret(secret), all.Secret(secret).Desc(), ctx, false},
		{"sealed, partition", "the binding is sealed too", all.Secret(secret), query.Of(TenantOrders, Region.Key("us-east")).Secret(secret), ctx, false},
		{"sealed, table", "the binding is sealed too", all.Secret(secret), all.Secret(secret), ctxB, false},
		{"sealed, range", "the range is checked as well", all.Secret(secret), all.Secret(secret).Where(Order.At(Done).All()), ctx, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cursor := nextOf(t, ctx, tt.made, Tenants)
			if !regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(cursor) {
				t.Errorf("cursor %q is not safe in a URL", cursor)
			}
			db := newFake(t, Tenants)
			page, err := tt.used.Page(tt.ctx, db, cursor)
			var e *query.CursorError
			switch {
			case tt.ok && (err != nil || db.requests() != 1):
				t.Errorf("Page() = %+v, %v: %s", page, err, tt.reason)
			case !tt.ok && (!errors.Is(err, query.ErrBadCursor) || !errors.As(err, &e) || e.Cursor != cursor || e.Reason == ""):
				t.Errorf("Page() = %+v, %v, want a *CursorError: %s", page, err, tt.reason)
			case !tt.ok && db.requests() != 0:
				t.Errorf("a request was sent for a bad cursor: %s", tt.reason)
			}
		})
	}
}

func TestSealedCursorsShowNothing(t *testing.T) {
	secret := []byte("0123456789abcdef")
	plain := nextOf(t, t.Context(), open, Service)
	if raw, _ := base64.RawURLEncoding.DecodeString(plain); !bytes.Contains(raw, []byte("2026-01-01")) {
		t.Error("a plain cursor is documented to show the sort key; this one does not")
	}
	a, b := nextOf(t, t.Context(), open.Secret(secret), Service), nextOf(t, t.Context(), open.Secret(secret), Service)
	if raw, _ := base64.RawURLEncoding.DecodeString(a); bytes.Contains(raw, []byte("2026")) {
		t.Error("a sealed cursor shows the sort key")
	}
	if a == b {
		t.Error("two sealed cursors are equal: a nonce was used twice")
	}
}

// The secret may be overwritten once it was given.
func TestSecretIsNotKept(t *testing.T) {
	secret := []byte("0123456789abcdef")
	q := open.Secret(secret)
	clear(secret)
	cursor := nextOf(t, t.Context(), q, Service)
	if _, err := open.Secret(secret).Page(t.Context(), newFake(t, Service), cursor); !errors.Is(err, query.ErrBadCursor) {
		t.Errorf("opened with the cleared secret: %v", err)
	}
	if _, err := open.Secret([]byte("0123456789abcdef")).Page(t.Context(), newFake(t, Service), cursor); err != nil {
		t.Errorf("not opened with the secret as it was given: %v", err)
	}
}

// Every single change to a cursor is noticed.
func TestCursorTampering(t *testing.T) {
	for name, q := range map[string]query.Query[WorkOrder]{"plain": open, "sealed": open.Secret([]byte("0123456789abcdef"))} {
		cursor := nextOf(t, t.Context(), q, Service)
		raw, err := base64.RawURLEncoding.DecodeString(cursor)
		if err != nil {
			t.Fatal(err)
		}
		db := newFake(t, Service)
		refused := func(changed string) {
			t.Helper()
			if _, err := q.Page(t.Context(), db, changed); !errors.Is(err, query.ErrBadCursor) {
				t.Errorf("%s: cursor %q, made of %q, gives %v, want ErrBadCursor", name, changed, cursor, err)
			}
		}
		for i := range raw {
			changed := bytes.Clone(raw)
			changed[i] ^= 1
			refused(base64.RawURLEncoding.EncodeToString(changed))
			if i > 0 {
				refused(base64.RawURLEncoding.EncodeToString(raw[:i]))
			}
		}
		refused(base64.RawURLEncoding.EncodeToString(append(bytes.Clone(raw), 0)))
		refused(cursor + "=")
		refused(" " + cursor)
		refused(cursor + "\n")
		refused("%" + cursor)
		refused(strings.Repeat("A", 1<<20))
		if db.requests() != 0 {
			t.Errorf("%s: %d requests for bad cursors", name, db.requests())
		}
	}
}

func TestCursorInEveryRange(t *testing.T) {
	var list []any
	for d := 1; d <= 4; d++ {
		list = append(list, order(d, "😀"))
	}
	for name, r := range map[string]keys.Range{
		"all": Order.All(), "at": Order.At(Open).All(), "between": Order.At(Open).Between(day(1, 1), day(1, 4)),
		"within": Order.At(Open).Within(day(1, 1), day(1, 5)), "from": Order.At(Open).From(day(1, 1)), "after": Order.At(Open).After(keys.Date{Year: 2025, Month: 12, Day: 31}),
		"to": Order.At(Open).To(day(1, 4)), "before": Order.At(Open).Before(day(1, 5)), "starts with": Order.At(Open).StartsWith("2026-01"),
	} {
		for _, desc := range []bool{false, true} {
			q := query.Of(Orders, eu).Where(r).Limit(1)
			if desc {
				q = q.Desc()
			}
			if got := pages(t, q, newFake(t, Service, items(t, list...)...)); len(got) != 4 {
				t.Errorf("%s, desc %v: pages %q, want four", name, desc, got)
			}
		}
	}
}

// Whatever a caller gives as a cursor, what is sent stays in the query.
func FuzzCursor(f *testing.F) {
	f.Add("", false)                     // the beginning
	f.Add("AQ", false)                   // a form and nothing else
	f.Add("AgAAAAAAAAAAAAAAAAAA", true)  // too short to be sealed
	f.Add("AQAAAAAAAAAAAAAAAAAA", false) // a wrong sum
	f.Fuzz(func(t *testing.T, cursor string, sealed bool) {
		q := open
		if sealed {
			q = q.Secret([]byte("0123456789abcdef"))
		}
		db := newFake(t, Service)
		_, err := q.Page(t.Context(), db, cursor)
		if cursor == "" {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
		if !errors.Is(err, query.ErrBadCursor) || db.requests() != 0 {
			t.Fatalf("cursor %q: %v, %d requests", cursor, err, db.requests())
		}
	})
}
