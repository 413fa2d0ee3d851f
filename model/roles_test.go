package model_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

func TestRoles(t *testing.T) {
	e := everything()
	want := model.Roles{Version: "v", Created: "c", Updated: "u", TTL: "e", Write: "w"}
	if diff := cmp.Diff(want, e.Roles()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, orders, engineers := fieldService()
	if diff := cmp.Diff(model.Roles{Version: "version"}, orders.Roles()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(model.Roles{}, engineers.Roles()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(model.Roles{}, (*model.Entity[Engineer])(nil).Roles()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What SetStamps sets is what is read back after the write.
func TestStamps(t *testing.T) {
	e := everything()
	var v Everything
	if diff := cmp.Diff(model.Stamps{}, e.Stamps(&v)); diff != "" {
		t.Errorf("of the zero value (-want +got):\n%s", diff)
	}
	now := time.Now().In(time.FixedZone("", 3600)) // with a monotonic clock and a zone
	e.SetStamps(&v, model.Stamps{Version: 7, Created: now, Updated: now, Write: "w-1"})
	v.ID = "x"
	got := e.Stamps(&v)
	want := model.Stamps{Version: 7, Created: now.Round(0).UTC(), Updated: time.Unix(now.Unix(), 0).UTC(), Write: "w-1"}
	if got != want { // == and not Equal: the very representation
		t.Errorf("got %+v, want %+v", got, want)
	}
	item, err := e.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	back, err := e.Unmarshal(item)
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Stamps(&back); got != want {
		t.Errorf("read back %+v, want %+v", got, want)
	}
	e.SetStamps(&v, model.Stamps{})
	if got := e.Stamps(&v); got != (model.Stamps{}) {
		t.Errorf("unset %+v", got)
	}

	_, orders, engineers := fieldService()
	o := anOrder()
	orders.SetStamps(&o, model.Stamps{Version: 9, Created: now, Write: "w"})
	if got := orders.Stamps(&o); got != (model.Stamps{Version: 9}) {
		t.Errorf("a type with a version alone: %+v", got)
	}
	var none Engineer
	engineers.SetStamps(&none, model.Stamps{Version: 9})
	if got := engineers.Stamps(&none); got != (model.Stamps{}) {
		t.Errorf("a type without roles: %+v", got)
	}
	orders.SetStamps(nil, model.Stamps{Version: 9}) // left alone
	if got := orders.Stamps(nil); got != (model.Stamps{}) {
		t.Errorf("of nil: %+v", got)
	}
	(*model.Entity[WorkOrder])(nil).SetStamps(&o, model.Stamps{Version: 10})
	if o.Version != 9 {
		t.Error("a nil entity has set a version")
	}
}

// A time to live is seconds and absent when it is not set, whatever its tag says.
func TestTTL(t *testing.T) {
	at := time.Unix(1769850000, 0).UTC()
	one := keys.MustCompile1("<id>", keys.String)
	type asTime struct {
		ID string    `dynamodbav:"-" key:"id"`
		T  time.Time `dynamodbav:"t" model:"ttl"`
	}
	type asPtr struct {
		ID string     `dynamodbav:"-" key:"id"`
		T  *time.Time `dynamodbav:"t" model:"ttl"`
	}
	type asInt struct {
		ID string `dynamodbav:"-" key:"id"`
		T  int64  `dynamodbav:"t" model:"ttl"`
	}
	set := model.Item{"pk": str("x"), "t": num("1769850000")}
	unset := model.Item{"pk": str("x")}
	for _, tt := range []struct {
		why   string
		check func(*testing.T, *model.Table)
	}{
		{"a time", roundTrip(one, Singular, asTime{"x", at}, with(set, "", nil))},
		{"a zero time", roundTrip(one, Singular, asTime{"x", time.Time{}}, with(unset, "", nil))},
		{"a pointer", roundTrip(one, Singular, asPtr{"x", &at}, with(set, "", nil))},
		{"a nil pointer", roundTrip(one, Singular, asPtr{"x", nil}, with(unset, "", nil))},
		{"seconds", roundTrip(one, Singular, asInt{"x", at.Unix()}, with(set, "", nil))},
		{"no seconds", roundTrip(one, Singular, asInt{"x", 0}, with(unset, "", nil))},
	} {
		t.Run(tt.why, func(t *testing.T) {
			tt.check(t, model.NewTable("t", model.PrimaryKey("pk", "sk")))
		})
	}
}
