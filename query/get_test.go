package query_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

func TestGet(t *testing.T) {
	key := func(id string) model.Key[WorkOrder] { return Orders.Key(eu, Order.Key(Open, day(1, 1), id)) }
	foreign := items(t, note(order(1, "n"), 1))[0]
	foreign["sk"] = key("foreign").Item()["sk"]
	db := newFake(t, Service, append(items(t, order(1, "w-1"), expired(order(1, "old"))), broken(t, order(1, "bad")), foreign)...)
	var nilEntity *model.Entity[WorkOrder]
	for _, tt := range []struct {
		name, reason string
		key          model.Key[WorkOrder]
		want         WorkOrder
		err          error
		item         bool // the error is of the item
		sent         int
		stats        query.Stats
	}{
		{"there", "by its full key", key("w-1"), order(1, "w-1"), nil, false, 1, query.Stats{Requests: 1, Evaluated: 1, Returned: 1, Capacity: 0.5, TableCapacity: 0.5}},
		{"missing", "nothing is there", key("w-9"), WorkOrder{}, query.ErrNotFound, false, 1, query.Stats{Requests: 1, Capacity: 0.5, TableCapacity: 0.5}},
		{"letter case", "ids that differ in case are two items", key("W-1"), WorkOrder{}, query.ErrNotFound, false, 1, query.Stats{Requests: 1, Capacity: 0.5, TableCapacity: 0.5}},
		{"expired", "expired is absent", key("old"), WorkOrder{}, query.ErrNotFound, false, 1, query.Stats{Requests: 1, Evaluated: 1, Expired: 1, Capacity: 0.5, TableCapacity: 0.5}},
		{"broken", "what is there cannot be decoded", key("bad"), WorkOrder{}, model.ErrValue, true, 1, query.Stats{Requests: 1, Evaluated: 1, Refused: 1, Capacity: 0.5, TableCapacity: 0.5}},
		{"other entity", "what is there is of another entity", key("foreign"), WorkOrder{}, model.ErrEntity, true, 1, query.Stats{Requests: 1, Evaluated: 1, Refused: 1, Capacity: 0.5, TableCapacity: 0.5}},
		{"zero key", "no entity", model.Key[WorkOrder]{}, WorkOrder{}, query.ErrZero, false, 0, query.Stats{}},
		{"nil entity", "no table", nilEntity.Key(eu, Order.Key(Open, day(1, 1), "w")), WorkOrder{}, query.ErrZero, false, 0, query.Stats{}},
		{"bad part", "the error of the key travels", key(""), WorkOrder{}, keys.ErrEmpty, false, 0, query.Stats{}},
		{"no sort key", "half a key", Orders.Key(eu), WorkOrder{}, model.ErrMissing, false, 0, query.Stats{}},
		{"other template", "a key of another template", Orders.Key(eu, NoteKey.Key(Open, day(1, 1), "w", 1)), WorkOrder{}, keys.ErrTemplate, false, 0, query.Stats{}},
		{"too long", "1025 bytes", key(strings.Repeat("x", 1025-len("STATUS#OPEN#2026-01-01#"))), WorkOrder{}, model.ErrTooLarge, false, 0, query.Stats{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db.gets = nil
			var stats query.Stats
			got, err := query.Get(t.Context(), db, tt.key, query.Report(&stats))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
			}
			var e *query.Error
			var item *query.ItemError
			if !errors.Is(err, tt.err) || errors.As(err, &item) != tt.item || err != nil && !tt.item && !errors.As(err, &e) {
				t.Errorf("error %v, want %v: %s", err, tt.err, tt.reason)
			}
			if diff := cmp.Diff(tt.stats, stats); diff != "" {
				t.Errorf("stats (-want +got):\n%s", diff)
			}
			if len(db.gets) != tt.sent {
				t.Errorf("%d requests, want %d", len(db.gets), tt.sent)
			}
		})
	}
}

func TestGetOptions(t *testing.T) {
	db := newFake(t, Service, items(t, order(1, "w-1"))...)
	key := Orders.Key(eu, Order.Key(Open, day(1, 1), "w-1"))
	if _, err := query.Get(t.Context(), db, key, nil, query.Report(nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := query.Get(t.Context(), db, key, query.Consistent()); err != nil {
		t.Fatal(err)
	}
	if in := db.gets[0]; in.ConsistentRead != nil {
		t.Errorf("ConsistentRead is %v without the option", *in.ConsistentRead)
	}
	if in := db.gets[1]; in.ConsistentRead == nil || !*in.ConsistentRead {
		t.Error("ConsistentRead is not set by the option")
	}
	if got := *db.gets[0].TableName; got != "field-service" {
		t.Errorf("table %q", got)
	}
}

func TestGetWithoutSortKey(t *testing.T) {
	want := Person{ID: "p-1", Name: "Ann"}
	db := newFake(t, People, items(t, want)...)
	got, err := query.Get(t.Context(), db, Persons.Key(PersonID.Key("p-1")))
	if err != nil || got != want {
		t.Errorf("Get() = %+v, %v, want %+v", got, err, want)
	}
}

func TestGetFails(t *testing.T) {
	db := newFake(t, Service)
	db.fault = func(int) error { return errFault }
	_, err := query.Get(t.Context(), db, Orders.Key(eu, Order.Key(Open, day(1, 1), "w-1")))
	var e *query.Error
	if !errors.As(err, &e) || *e != (query.Error{Op: "Get", Table: "field-service", Entity: "WorkOrder", Err: errFault}) {
		t.Errorf("Get() = %#v", err)
	}
}
