package model_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// What was not made by this package is not valid, says so, and never panics.
func TestZeroValues(t *testing.T) {
	type thing struct {
		ID  string `dynamodbav:"-" key:"id"`
		Raw types.AttributeValue
		N   int
	}
	id := keys.MustCompile1("<id>", keys.String)
	real := model.MustDefine[thing](model.NewTable("t", model.PrimaryKey("pk")), "Thing", id, nil)
	tables := map[string]*model.Table{"nil": nil, "zero": new(model.Table)}
	entities := map[string]*model.Entity[thing]{"nil": nil, "zero": new(model.Entity[thing])}
	views := map[string]*model.View[thing]{"nil": nil, "zero": new(model.View[thing])}

	zero := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, model.ErrZero) || err.Error() == "" {
			t.Errorf("%s: %v, want ErrZero", what, err)
		}
	}
	for what, table := range tables {
		_, err := table.Decode(model.Item{})
		zero(what+" table: Decode", err)
		_, _, err = table.KeySpecs(nil)
		zero(what+" table: KeySpecs", err)
		zero(what+" table: Check", table.Check(nil))
		zero(what+" table: CheckPartition", table.CheckPartition(nil, id.Key("x")))
		zero(what+" table: CheckRange", table.CheckRange(nil, id.All()))
		if name, class := table.Classify(model.Item{}); name != "" || class != model.Unknown {
			t.Errorf("%s table: Classify = %q, %v", what, name, class)
		}
		if table.Name()+table.PhysicalName(context.Background())+table.PartitionKey()+table.SortKey()+table.TypeAttribute()+table.TTLAttribute() != "" ||
			table.EntityNames() != nil || table.Indexes() != nil || table.Index("x") != nil || table.Now().IsZero() || table.CreateInput().TableName != nil {
			t.Errorf("%s table is something", what)
		}
		if _, err := model.Define[thing](table, "Thing", id, nil); !errors.Is(err, model.ErrDeclaration) {
			t.Errorf("%s table: Define: %v, want ErrDeclaration", what, err)
		}
	}
	for what, e := range entities {
		zero(what+" entity: Key", e.Key(id.Key("x")).Err())
		_, err := e.KeyOf(&thing{})
		zero(what+" entity: KeyOf", err)
		_, err = e.KeyOfItem(model.Item{})
		zero(what+" entity: KeyOfItem", err)
		_, err = e.Marshal(&thing{})
		zero(what+" entity: Marshal", err)
		_, err = e.Unmarshal(model.Item{})
		zero(what+" entity: Unmarshal", err)
		_, err = e.Encode("N", 1)
		zero(what+" entity: Encode", err)
		_, err = e.Index(nil)
		zero(what+" entity: Index", err)
		_, err = e.Derive(model.Key[thing]{}, nil, nil)
		zero(what+" entity: Derive", err)
		zero(what+" entity: CheckIndexes", e.CheckIndexes(model.Item{}))
		_, err = model.ViewOf[thing](e)
		zero(what+" entity: ViewOf", err)
		_, err = model.ViewOn[thing](e, nil)
		zero(what+" entity: ViewOn", err)
		e.SetStamps(&thing{}, model.Stamps{Version: 1})
		pk, sk := e.KeySpecs()
		if e.Name() != "" || e.Table() != nil || e.PartitionTemplate() != nil || e.SortTemplate() != nil || e.Attributes() != nil || e.KeyParts() != nil || e.HasRest() ||
			e.Roles() != (model.Roles{}) || e.Stamps(&thing{}) != (model.Stamps{}) || e.Indexes() != nil || e.Classify(model.Item{}) != model.Unknown || pk.Template != nil || sk.Template != nil {
			t.Errorf("%s entity is something", what)
		}
	}
	for what, v := range views {
		_, err := v.Unmarshal(model.Item{})
		zero(what+" view: Unmarshal", err)
		if v.Attributes() != nil || v.Classify(model.Item{}) != model.Unknown {
			t.Errorf("%s view is something", what)
		}
	}
	for what, ix := range map[string]*model.Index{"nil": nil, "zero": new(model.Index)} {
		if ix.Name() != "" || ix.Local() || ix.Native() || ix.Projection() != "" {
			t.Errorf("%s index is something", what)
		}
		if _, err := real.Index(ix); !errors.Is(err, model.ErrIndex) {
			t.Errorf("%s index: %v, want ErrIndex", what, err)
		}
	}
	for _, err := range []error{&model.EntityError{}, &model.ItemError{}, &model.CheckError{}, &model.KeyMismatchError{}, &model.SizeError{}, &model.TypeError{}} {
		if err.Error() == "" {
			t.Errorf("the zero %T says nothing", err)
		}
	}
}

// A nil pointer is no attribute value, whatever its type.
func TestNilAttributeValues(t *testing.T) {
	type thing struct {
		ID  string `dynamodbav:"-" key:"id"`
		Raw types.AttributeValue
		N   int
	}
	e := model.MustDefine[thing](model.NewTable("t", model.PrimaryKey("pk")), "Thing", keys.MustCompile1("<id>", keys.String), nil)
	for _, none := range []types.AttributeValue{
		(*types.AttributeValueMemberS)(nil), (*types.AttributeValueMemberN)(nil), (*types.AttributeValueMemberB)(nil), (*types.AttributeValueMemberBOOL)(nil), (*types.AttributeValueMemberNULL)(nil),
		(*types.AttributeValueMemberL)(nil), (*types.AttributeValueMemberM)(nil), (*types.AttributeValueMemberSS)(nil), (*types.AttributeValueMemberNS)(nil), (*types.AttributeValueMemberBS)(nil),
	} {
		list := &types.AttributeValueMemberL{Value: []types.AttributeValue{none}}
		for _, raw := range []types.AttributeValue{none, list} {
			if _, err := e.Marshal(&thing{ID: "x", Raw: raw}); !errors.Is(err, model.ErrValue) {
				t.Errorf("Marshal of %T in %T: %v, want ErrValue", none, raw, err)
			}
			for _, attr := range []string{"N", "Raw", "other"} {
				if _, err := e.Encode(attr, raw); !errors.Is(err, model.ErrValue) {
					t.Errorf("Encode(%q) of %T in %T: %v, want ErrValue", attr, none, raw, err)
				}
			}
		}
		if _, err := e.Unmarshal(model.Item{"pk": none, "_type": &types.AttributeValueMemberS{Value: "Thing"}}); err == nil {
			t.Errorf("an item with the key %T was read", none)
		}
		if !model.Equal(none, nil) || !model.Equal(nil, none) || model.Equal(none, list) || model.Equal(list, none) {
			t.Errorf("%T is not equal to nil alone", none)
		}
		if n := model.ItemSize(model.Item{"a": none}); n != 1 {
			t.Errorf("%T has %d bytes", none, n-1)
		}
	}
}

// A time that is stored in whole seconds cannot feed a key that holds less than
// seconds: the item would be written with another key than it is read with.
func TestSecondsInAFinerKey(t *testing.T) {
	type event struct {
		ID string    `dynamodbav:"id"`
		At time.Time `dynamodbav:"at,unixtime"`
	}
	type lease struct {
		ID string    `dynamodbav:"id"`
		At time.Time `dynamodbav:"at" model:"ttl"`
	}
	type text struct {
		ID string    `dynamodbav:"id"`
		At time.Time `dynamodbav:"at"`
	}
	id := keys.MustCompile1("<id>", keys.String)
	at := func(p keys.Precision) keys.Template { return keys.MustCompile2("<at>#<id>", keys.Time(p), keys.String) }
	ix := model.GSI("byTime", model.IndexKey("g1", "g2"))
	refused := func(what string, err error) {
		t.Helper()
		var e *model.EntityError
		if !errors.As(err, &e) || !errors.Is(err, model.ErrDeclaration) || e.Placeholder != "at" || e.Field != "At" {
			t.Errorf("%s: %v, want it refused", what, err)
		}
	}
	for _, p := range []keys.Precision{keys.Milli, keys.Micro, keys.Nano} {
		_, err := model.Define[event](model.NewTable("t", model.PrimaryKey("pk", "sk")), "E", id, at(p))
		refused("the primary key", err)
		_, err = model.Define[event](model.NewTable("t", model.PrimaryKey("pk"), ix), "E", id, nil, model.On(ix, id, at(p)))
		refused("an index", err)
		_, err = model.Define[lease](model.NewTable("t", model.PrimaryKey("pk"), ix), "E", id, nil, model.On(ix, id, at(p)))
		refused("a time to live", err)
		if _, err = model.Define[text](model.NewTable("t", model.PrimaryKey("pk", "sk")), "E", id, at(p)); err != nil {
			t.Errorf("stored as text: %v", err)
		}
	}
	e, err := model.Define[event](model.NewTable("t", model.PrimaryKey("pk", "sk"), ix), "E", id, at(keys.Second), model.On(ix, id, at(keys.Second)))
	if err != nil {
		t.Fatal(err)
	}
	item, err := e.Marshal(&event{ID: "x", At: time.Unix(5, 999)})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := e.Unmarshal(item); err != nil || v.At.Unix() != 5 {
		t.Errorf("read back: %+v, %v", v, err)
	}
	if err := e.CheckIndexes(item); err != nil {
		t.Error(err)
	}
}
