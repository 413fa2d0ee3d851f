package model_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/model"
)

func TestView(t *testing.T) {
	type summary struct {
		ID       string    `dynamodbav:"-" key:"orderId"`
		Status   Status    `dynamodbav:"-" key:"status"`
		Customer string    `dynamodbav:"customer"`
		At       time.Time `dynamodbav:"scheduledAt,unixtime"`
	}
	_, orders, _ := fieldService()
	o := anOrder()
	item, err := orders.Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	v, err := model.ViewOf[summary](orders)
	if err != nil {
		t.Fatal(err)
	}
	want := summary{o.OrderID, o.Status, o.Customer, o.ScheduledAt}
	got, err := v.Unmarshal(item)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff([]string{"_type", "customer", "pk", "scheduledAt", "sk"}, v.Attributes()); diff != "" {
		t.Errorf("Attributes (-want +got):\n%s", diff)
	}
	part := model.Item{}
	for _, name := range v.Attributes() {
		part[name] = item[name]
	}
	if got, err := v.Unmarshal(part); err != nil || got != want {
		t.Errorf("of what Attributes names: %+v, %v", got, err)
	}
	if again, err := model.ViewOf[summary](orders); err != nil || again != v {
		t.Errorf("made twice: %v", err)
	}
	if c := v.Classify(item); c != model.Own {
		t.Errorf("Classify = %v", c)
	}
	if c := v.Classify(with(item, "_type", str("Engineer"))); c != model.Other {
		t.Errorf("Classify = %v", c)
	}
	for why, bad := range map[string]model.Item{
		"another entity": with(item, "_type", str("Engineer")),
		"another key":    with(item, "sk", str("ENGINEER#Kim")),
		"another type":   with(item, "customer", yes()),
	} {
		full := want
		var ie *model.ItemError
		if err := v.UnmarshalInto(bad, &full); !errors.As(err, &ie) || full != (summary{}) {
			t.Errorf("%s: %+v, %v", why, full, err)
		}
	}
	if err := v.UnmarshalInto(item, nil); !errors.Is(err, model.ErrZero) {
		t.Errorf("into nil: %v", err)
	}
	if _, err := (*model.View[summary])(nil).Unmarshal(item); !errors.Is(err, model.ErrZero) {
		t.Errorf("a nil view: %v", err)
	}
	if a := (*model.View[summary])(nil).Attributes(); a != nil {
		t.Errorf("a nil view has %q", a)
	}
	if _, err := model.ViewOf[summary]((*model.Entity[WorkOrder])(nil)); !errors.Is(err, model.ErrZero) {
		t.Errorf("of a nil entity: %v", err)
	}
}

// A view need not know whether a part of the key is stored as well.
func TestViewOfKeyParts(t *testing.T) {
	type parts struct {
		Region string `dynamodbav:"regionId"`
		ID     string `key:"orderId"`
	}
	_, orders, _ := fieldService()
	o := anOrder()
	item, err := orders.Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	v, err := model.ViewOf[parts](orders)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := v.Unmarshal(item); err != nil || got != (parts{o.RegionID, o.OrderID}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if diff := cmp.Diff([]string{"_type", "pk", "sk"}, v.Attributes()); diff != "" {
		t.Errorf("Attributes (-want +got):\n%s", diff)
	}
}

func TestViewRefuses(t *testing.T) {
	_, orders, _ := fieldService()
	check := func(err error, field string) {
		t.Helper()
		var ee *model.EntityError
		if !errors.As(err, &ee) || ee.Entity != "WorkOrder" || ee.Field != field || !errors.Is(err, model.ErrDeclaration) {
			t.Errorf("got %v, want an *EntityError for field %q", err, field)
		}
	}
	_, err := model.ViewOf[struct {
		Costumer string `dynamodbav:"costumer"`
	}](orders)
	check(err, "Costumer")
	_, err = model.ViewOf[struct {
		ID string `key:"id"`
	}](orders)
	check(err, "ID")
	_, err = model.ViewOf[struct {
		ID int `dynamodbav:"-" key:"orderId"`
	}](orders)
	check(err, "ID")
	_, err = model.ViewOf[struct{ C chan int }](orders)
	check(err, "C")
	_, err = model.ViewOf[int](orders)
	check(err, "")

	// An entity with a rest field has whatever attribute there is.
	v, err := model.ViewOf[struct {
		Zone    string    `dynamodbav:"zone"`
		Expires time.Time `dynamodbav:"e"`
	}](everything())
	if err != nil {
		t.Fatal(err)
	}
	got, err := v.Unmarshal(model.Item{"pk": str("E#1"), "_type": str("Everything"), "zone": str("z"), "e": num("5")})
	if err != nil || got.Zone != "z" || got.Expires.Unix() != 5 {
		t.Errorf("got %+v, %v", got, err)
	}
	if diff := cmp.Diff([]string{"_type", "e", "pk", "zone"}, v.Attributes()); diff != "" {
		t.Errorf("Attributes (-want +got):\n%s", diff)
	}
}
