package model_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

func TestKey(t *testing.T) {
	_, orders, _ := fieldService()
	other := keys.MustCompile1("REGION#<regionId>", keys.String) // the same text, another template
	sk := Order.Key(Open, day, "w-1")
	k := orders.Key(Region.Key("eu"), sk)
	if err := k.Err(); err != nil {
		t.Fatal(err)
	}
	want := model.Item{"pk": str("REGION#eu"), "sk": str("STATUS#OPEN#2026-01-31#w-1")}
	if diff := cmp.Diff(want, k.Item(), opts); diff != "" {
		t.Errorf("Item (-want +got):\n%s", diff)
	}
	if got := k.String(); got != "WorkOrder(REGION#eu, STATUS#OPEN#2026-01-31#w-1)" {
		t.Errorf("String = %q", got)
	}
	if k.Entity() != orders || k.Partition() != Region.Key("eu") || k.Sort() != sk {
		t.Error("the key is not what it was made of")
	}
	if k != orders.Key(Region.Key("eu"), Order.At(Open).At(day).Key("w-1")) {
		t.Error("a key made by way of At differs")
	}
	if k == orders.Key(Region.Key("eu"), Order.Key(Done, day, "w-1")) {
		t.Error("another key is the same")
	}
	item := k.Item()
	delete(item, "pk")
	if len(k.Item()) != 2 {
		t.Error("Item is shared")
	}
	var none *model.Entity[WorkOrder]
	for _, tt := range []struct {
		why string
		k   model.Key[WorkOrder]
		is  error
	}{
		{"the zero key", model.Key[WorkOrder]{}, model.ErrZero},
		{"a nil entity", none.Key(Region.Key("eu"), sk), model.ErrZero},
		{"a zero partition key", orders.Key(keys.Key{}, sk), keys.ErrZero},
		{"a zero sort key", orders.Key(Region.Key("eu"), keys.Key{}), keys.ErrZero},
		{"a part that is missing", orders.Key(Region.Key(""), sk), keys.ErrEmpty},
		{"a partition key of another template", orders.Key(other.Key("eu"), sk), keys.ErrTemplate},
		{"a sort key of another template", orders.Key(Region.Key("eu"), Person.Key("Kim")), keys.ErrTemplate},
		{"no sort key", orders.Key(Region.Key("eu")), model.ErrMissing},
		{"two sort keys", orders.Key(Region.Key("eu"), sk, sk), model.ErrMissing},
	} {
		t.Run(tt.why, func(t *testing.T) {
			err := tt.k.Err()
			var ee *model.EntityError
			if !errors.As(err, &ee) || !errors.Is(err, tt.is) {
				t.Errorf("got %v, want an *EntityError that is %v", err, tt.is)
			}
			if item := tt.k.Item(); item != nil {
				t.Errorf("Item = %v", item)
			}
			_ = tt.k.String() // does not panic
			if tt.k != tt.k {
				t.Error("not the same as itself")
			}
		})
	}
	if got := (model.Key[WorkOrder]{}).String(); got != "invalid key" {
		t.Errorf("String = %q", got)
	}
	t.Run("a table without sort key", func(t *testing.T) {
		e := everything()
		id := keys.MustCompile1("E#<id>", keys.String)
		k := e.Key(e.PartitionTemplate().KeyFrom(new("1")))
		if diff := cmp.Diff(model.Item{"pk": str("E#1")}, k.Item(), opts); diff != "" || k.Err() != nil {
			t.Errorf("%v (-want +got):\n%s", k.Err(), diff)
		}
		if got := k.String(); got != "Everything(E#1)" {
			t.Errorf("String = %q", got)
		}
		if e.SortTemplate() != nil {
			t.Error("SortTemplate")
		}
		if err := e.Key(k.Partition(), id.Key("x")).Err(); !errors.Is(err, model.ErrValue) {
			t.Errorf("with a sort key: %v", err)
		}
	})
}

func TestEntityOfNothing(t *testing.T) {
	var e *model.Entity[WorkOrder]
	if e.Name() != "" || e.Table() != nil || e.PartitionTemplate() != nil || e.SortTemplate() != nil ||
		e.Attributes() != nil || e.KeyParts() != nil || e.HasRest() {
		t.Error("a nil entity knows something")
	}
	if _, err := e.KeyOf(&WorkOrder{}); !errors.Is(err, model.ErrZero) {
		t.Errorf("KeyOf: %v", err)
	}
	if _, err := e.KeyOfItem(nil); !errors.Is(err, model.ErrZero) {
		t.Errorf("KeyOfItem: %v", err)
	}
	_, orders, _ := fieldService()
	if k, err := orders.KeyOf(nil); !errors.Is(err, model.ErrZero) || !errors.Is(k.Err(), model.ErrZero) {
		t.Errorf("KeyOf(nil): %v", err)
	}
}

func TestEntityAnswers(t *testing.T) {
	table, orders, engineers := fieldService()
	if orders.Name() != "WorkOrder" || orders.Table() != table {
		t.Error("Name, Table")
	}
	if orders.PartitionTemplate().String() != Region.String() || orders.SortTemplate().String() != Order.String() {
		t.Error("templates")
	}
	want := []string{"_type", "customer", "engineer", "pk", "scheduledAt", "sk", "version"}
	if diff := cmp.Diff(want, orders.Attributes()); diff != "" {
		t.Errorf("Attributes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"_type", "pk", "sk"}, orders.KeyParts()); diff != "" {
		t.Errorf("KeyParts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"_type", "name", "pk", "sk"}, engineers.KeyParts()); diff != "" {
		t.Errorf("KeyParts (-want +got):\n%s", diff)
	}
	orders.Attributes()[0] = "changed"
	orders.KeyParts()[0] = "changed"
	if orders.Attributes()[0] != "_type" || orders.KeyParts()[0] != "_type" {
		t.Error("the slices are shared")
	}
}

// The stored key decides, whatever else the item says.
func TestKeyOfItem(t *testing.T) {
	_, _, engineers := fieldService()
	item := model.Item{"pk": str("REGION#eu"), "sk": str("ENGINEER#Kim"), "name": str("Sam")}
	k, err := engineers.KeyOfItem(item)
	if err != nil || k != engineers.Key(Region.Key("eu"), Person.Key("Kim")) {
		t.Errorf("got %v, %v", k, err)
	}
	for why, bad := range map[string]model.Item{
		"no sort key":       with(item, "sk", nil),
		"no partition key":  with(item, "pk", nil),
		"a number":          with(item, "pk", num("1")),
		"another template":  with(item, "sk", str("STATUS#OPEN#2026-01-31#w-1")),
		"another partition": with(item, "pk", str("ENGINEER#Kim")),
	} {
		var ie *model.ItemError
		if k, err := engineers.KeyOfItem(bad); !errors.As(err, &ie) || k.Err() != err {
			t.Errorf("%s: got %v, %v", why, k, err)
		}
	}
}
