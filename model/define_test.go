package model_test

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		if r == nil {
			t.Errorf("no panic, want one with %q", want)
		} else if !strings.Contains(fmt.Sprint(r), want) {
			t.Errorf("panic %q, want one with %q", r, want)
		}
	}()
	f()
}

func TestNewTablePanics(t *testing.T) {
	pk := model.PrimaryKey("pk", "sk")
	for _, tt := range []struct {
		name string
		opts []model.TableOption
		want string
		why  string
	}{
		{"", []model.TableOption{pk}, "a table needs a name", "requests would name no table"},
		{"t", nil, "the primary key is missing", "a table without one does not exist"},
		{"t", []model.TableOption{pk, pk}, "given twice", "which one would it be"},
		{"t", []model.TableOption{model.PrimaryKey("")}, "0 bytes", "DynamoDB refuses an empty name"},
		{"t", []model.TableOption{model.PrimaryKey("pk", "")}, "0 bytes", "no sort key is said by leaving it out"},
		{"t", []model.TableOption{model.PrimaryKey(strings.Repeat("k", 256))}, "256 bytes", "names of key attributes end at 255"},
		{"t", []model.TableOption{model.PrimaryKey("pk", "pk")}, "both", "the two must differ"},
		{"t", []model.TableOption{model.PrimaryKey("pk", "a", "b")}, "at most one sort key", "a table has no more"},
		{"t", []model.TableOption{pk, model.TypeAttribute("sk")}, "type attribute", "the tag would overwrite the key"},
		{"t", []model.TableOption{pk, model.TypeAttribute("pk")}, "type attribute", "the tag would overwrite the key"},
		{"t", []model.TableOption{pk, model.Clock(nil)}, "Clock is nil", "it would fail at the first read"},
		{"t", []model.TableOption{pk, model.NameFunc(nil)}, "NameFunc is nil", "it would fail at the first request"},
		{"t", []model.TableOption{pk, nil}, "option 1 is nil", "a variable that is not set yet"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			mustPanic(t, tt.want, func() { model.NewTable(tt.name, tt.opts...) })
		})
	}
}

// Types that Define has something to say about.
type (
	noField   struct{ Customer string }
	wrongType struct {
		RegionID int64 `key:"regionId"`
	}
	wrongPointer struct {
		RegionID **string `key:"regionId"`
	}
	twiceKey struct {
		A string `key:"regionId"`
		B string `key:"regionId"`
	}
	deadKey struct {
		A string `key:"regionId"`
		B string `key:"regoinId"`
	}
	hiddenKey struct {
		regionID string `key:"regionId"`
		RegionID string `dynamodbav:"regionId"`
	}
	hiddenAttr struct {
		A      string `key:"regionId"`
		secret string `dynamodbav:"secret"`
	}
	twoNames struct {
		A string `key:"regionId"`
		B string `dynamodbav:"b"`
		C string `dynamodbav:"b"`
	}
	Left      struct{ Note string }
	Right     struct{ Note string }
	twoEmbeds struct {
		A string `key:"regionId"`
		Left
		Right
	}
	Base struct {
		RegionID string `key:"regionId"`
	}
	behindPtr struct{ *Base }
	attrBase  struct {
		RegionID string `dynamodbav:"regionId"`
	}
	AttrBase   attrBase
	behindPtr2 struct{ *AttrBase }
	unsettable struct {
		A string `key:"regionId"`
		*attrBase
	}
	RoleBase struct {
		V int `model:"version"`
	}
	roleBehindPtr struct {
		A string `key:"regionId"`
		*RoleBase
	}
	RestBase struct {
		R model.Item `model:"rest"`
	}
	restBehindPtr struct {
		A string `key:"regionId"`
		*RestBase
	}
	badRole struct {
		A string `key:"regionId"`
		V int64  `model:"versoin"`
	}
	twoVersions struct {
		A string `key:"regionId"`
		V int64  `model:"version"`
		W int64  `model:"version"`
	}
	twoRests struct {
		A string     `key:"regionId"`
		V model.Item `model:"rest"`
		W model.Item `model:"rest"`
	}
	textVersion struct {
		A string `key:"regionId"`
		V string `model:"version"`
	}
	ptrVersion struct {
		A string `key:"regionId"`
		V *int64 `model:"version"`
	}
	stringVersion struct {
		A string `key:"regionId"`
		V int64  `dynamodbav:"v,string" model:"version"`
	}
	intCreated struct {
		A string `key:"regionId"`
		C int64  `model:"created"`
	}
	ptrUpdated struct {
		A string     `key:"regionId"`
		C *time.Time `model:"updated"`
	}
	textTTL struct {
		A string `key:"regionId"`
		C string `model:"ttl"`
	}
	intWrite struct {
		A string `key:"regionId"`
		C int64  `model:"write"`
	}
	anyRest struct {
		A string         `key:"regionId"`
		R map[string]any `model:"rest"`
	}
	restKey struct {
		R model.Item `key:"regionId" model:"rest"`
	}
	unstoredVersion struct {
		A string `key:"regionId"`
		V int64  `dynamodbav:"-" model:"version"`
	}
	nullVersion struct {
		A string `key:"regionId"`
		V int64  `dynamodbav:"v,nullempty" model:"version"`
	}
	versionKey struct {
		V string `key:"regionId" model:"write"`
	}
	keyIsRole struct {
		RegionID string    `key:"regionId"`
		SK       time.Time `dynamodbav:"sk" model:"created"`
	}
	storesPK struct {
		A  string `key:"regionId"`
		PK string `dynamodbav:"pk"`
	}
	storesSK struct {
		A  string `key:"regionId"`
		SK string `dynamodbav:"sk"`
	}
	storesTag struct {
		A string `key:"regionId"`
		T string `dynamodbav:"_type"`
	}
	hasChan struct {
		A string `key:"regionId"`
		C chan int
	}
	hasFunc struct {
		A string `key:"regionId"`
		C []func()
	}
	hasComplex struct {
		A string `key:"regionId"`
		C complex128
	}
	hasIface struct {
		A string `key:"regionId"`
		C io.Reader
	}
	hasMutex struct {
		A string `key:"regionId"`
		C struct{ M sync.Mutex }
	}
	hasBadMap struct {
		A string `key:"regionId"`
		C map[[2]int]string
	}
	bothEmpty struct {
		A string `key:"regionId"`
		C string `dynamodbav:",omitempty,nullempty"`
	}
	deepTwoNames struct {
		A string `key:"regionId"`
		C map[string][]*twoNames
	}
	embedsTime struct {
		A string `key:"regionId"`
		time.Time
	}
	Price      struct{ Cents int }
	embedsText struct {
		A string `key:"regionId"`
		Price
	}
	marshalsItself struct {
		A string `key:"regionId"`
	}
)

func (Price) MarshalText() ([]byte, error) { return nil, nil }

var _ encoding.TextMarshaler = Price{}

// Nothing reads these, which is what Define complains about.
var _, _ = hiddenKey{}.regionID, hiddenAttr{}.secret

func (marshalsItself) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) { return nil, nil }

func TestDefineRefuses(t *testing.T) {
	computed := model.Computed[noField, string]
	for _, tt := range []struct {
		why         string
		define      func(*model.Table) error
		placeholder string
		field       string
		want        string
	}{
		{"a struct is what has fields", define[string](Region, Singular), "", "", "expected a struct"},
		{"a pointer is not the struct", define[*WorkOrder](Region, Singular), "", "", "expected a struct"},
		{"an interface has no fields", define[any](Region, Singular), "", "", "expected a struct"},
		{"its own marshaler would not be asked", define[marshalsItself](Region, Singular), "", "", "which would not be asked"},
		{"nothing feeds the placeholder", define[noField](Region, Singular), "regionId", "", "nothing feeds it"},
		{"an integer is no text", define[wrongType](Region, Singular), "regionId", "RegionID", "int64"},
		{"one pointer at most", define[wrongPointer](Region, Singular), "regionId", "RegionID", "*string"},
		{"two fields for one placeholder", define[twiceKey](Region, Singular), "regionId", "B", "field A says"},
		{"a key tag that no template has is a slip of the pen", define[deadKey](Region, Singular), "regoinId", "B", "no template"},
		{"an unexported field cannot be read", define[hiddenKey](Region, Singular), "", "regionID", "not exported"},
		{"an unexported attribute would be left out", define[hiddenAttr](Region, Singular), "", "secret", "not exported"},
		{"two fields of one name would both be left out", define[twoNames](Region, Singular), "", "B", `both stored as "b"`},
		{"two embedded fields of one name would both be left out", define[twoEmbeds](Region, Singular), "", "Left.Note", `both stored as "Note"`},
		{"a key must not depend on whether an embedded pointer is set", define[behindPtr](Region, Singular), "regionId", "Base.RegionID", "embedded pointer"},
		{"the same by attribute name", define[behindPtr2](Region, Singular), "regionId", "AttrBase.RegionID", "embedded pointer"},
		{"reflection cannot set it", define[unsettable](Region, Singular), "", "attrBase", "not exported"},
		{"a version that may not be there", define[roleBehindPtr](Region, Singular), "", "RoleBase.V", "embedded pointer"},
		{"a rest field that may not be there", define[restBehindPtr](Region, Singular), "", "RestBase.R", "embedded pointer"},
		{"a role that does not exist", define[badRole](Region, Singular), "", "V", `unknown role model:"versoin"`},
		{"two versions", define[twoVersions](Region, Singular), "", "W", `attribute "V" has the role`},
		{"two rests", define[twoRests](Region, Singular), "", "W", "field V is a rest field"},
		{"a version counts", define[textVersion](Region, Singular), "", "V", "expected an integer"},
		{"a version is always there", define[ptrVersion](Region, Singular), "", "V", "expected an integer"},
		{"a version is compared as a number", define[stringVersion](Region, Singular), "", "V", "expected an integer"},
		{"created is an instant", define[intCreated](Region, Singular), "", "C", "expected time.Time"},
		{"updated is always there", define[ptrUpdated](Region, Singular), "", "C", "expected time.Time"},
		{"DynamoDB takes a number of seconds", define[textTTL](Region, Singular), "", "C", "expected time.Time, *time.Time"},
		{"a write id is a string", define[intWrite](Region, Singular), "", "C", "expected a string"},
		{"sets would not survive in an any", define[anyRest](Region, Singular), "", "R", "map[string]types.AttributeValue"},
		{"a rest field is no part", define[restKey](Region, Singular), "", "R", "cannot feed a key"},
		{"a version that is not stored", define[unstoredVersion](Region, Singular), "", "V", "must be stored"},
		{"a version that is NULL", define[nullVersion](Region, Singular), "", "V", "cannot be NULL"},
		{"a write id would change the key at every write", define[versionKey](Region, Singular), "regionId", "V", "changes with every write"},
		{"a role in place of the key attribute", define[keyIsRole](Region, keys.MustCompile1("<sk>", keys.Time(keys.Second))), "", "SK", "must be stored"},
		{"an attribute in place of the partition key", define[storesPK](Region, Singular), "", "PK", "the partition key of table"},
		{"an attribute in place of the sort key", define[storesSK](Region, Singular), "", "SK", "the sort key of table"},
		{"an attribute in place of the tag", define[storesTag](Region, Singular), "", "T", "the type attribute of table"},
		{"a channel is not data", define[hasChan](Region, Singular), "", "C", "cannot be stored"},
		{"a function is not data", define[hasFunc](Region, Singular), "", "C", "cannot be stored"},
		{"attributevalue would leave it out", define[hasComplex](Region, Singular), "", "C", "cannot be stored"},
		{"nothing says what to read into", define[hasIface](Region, Singular), "", "C", "cannot be read back"},
		{"an opaque struct would be an empty map", define[hasMutex](Region, Singular), "", "C.M", "no exported field"},
		{"a key without a text", define[hasBadMap](Region, Singular), "", "C", "keys of type [2]int"},
		{"absent or NULL", define[bothEmpty](Region, Singular), "", "C", "exclude each other"},
		{"the same below an attribute", define[deepTwoNames](Region, Singular), "", "C.B", `both stored as "b"`},
		{"an embedded time has no fields to store", define[embedsTime](Region, Singular), "", "Time", "encodes itself"},
		{"an embedded text would be taken apart", define[embedsText](Region, Singular), "", "Price", "encodes itself"},
		{"no template", define[Engineer](nil, Person), "", "", `"pk" has no template`},
		{"no sort template", define[Engineer](Region, nil), "", "", "keys.Literal"},
		{"a nil pointer in an interface", define[Engineer]((*keys.Composite1[string])(nil), Person), "", "", "nil pointer"},
		{"a composite that was never compiled", define[Engineer](keys.Composite1[string]{}, Person), "", "", keys.ErrZero.Error()},
		{"a narrowed composite is not the template", define[WorkOrder](Region, Order.At(Open)), "", "", "narrowed"},
		{"a nil option", define[Engineer](Region, Person, nil), "", "", "option 0 is nil"},
		{"a function of another type", define[Engineer](Region, Person, computed("name", func(*noField) string { return "" })), "name", "", "function of *model_test.Engineer"},
		{"a computed placeholder without function", define[noField](Region, Singular, computed("regionId", nil)), "regionId", "", "without a function"},
		{"computed twice", define[noField](Region, Singular,
			computed("regionId", func(*noField) string { return "" }), computed("regionId", func(*noField) string { return "" })), "regionId", "", "twice"},
		{"computed, but in no template", define[noField](Singular, Singular, computed("shard", func(*noField) string { return "" })), "shard", "", "no template"},
		{"computed and fed by a field", define[Engineer](Region, Person,
			model.Computed("regionId", func(*Engineer) string { return "" })), "regionId", "RegionID", "and computed"},
		{"computed of the wrong type", define[noField](Region, Singular,
			model.Computed("regionId", func(*noField) int { return 0 })), "regionId", "", "int"},
		{"computed from nothing known", define[noField](Region, Singular,
			computed("regionId", func(*noField) string { return "" }, "costumer")), "regionId", "", `a function reads "costumer"`},
	} {
		t.Run(tt.why, func(t *testing.T) {
			table := model.NewTable("t", model.PrimaryKey("pk", "sk"))
			err := tt.define(table)
			var e *model.EntityError
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want an *EntityError", err)
			}
			if !errors.Is(err, model.ErrDeclaration) {
				t.Errorf("%v is not ErrDeclaration", err)
			}
			got := []string{e.Entity, e.Placeholder, e.Field}
			if diff := cmp.Diff([]string{"E", tt.placeholder, tt.field}, got); diff != "" {
				t.Errorf("entity, placeholder, field of %v (-want +got):\n%s", err, diff)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q does not say %q", err, tt.want)
			}
			if names := table.EntityNames(); len(names) > 0 {
				t.Errorf("the table has %q all the same", names)
			}
		})
	}
}

func define[T any](pk, sk keys.Template, opts ...model.EntityOption) func(*model.Table) error {
	return func(t *model.Table) error {
		_, err := model.Define[T](t, "E", pk, sk, opts...)
		return err
	}
}

func TestDefineInTable(t *testing.T) {
	tagged := func(opts ...model.TableOption) *model.Table {
		return model.NewTable("t", append([]model.TableOption{model.PrimaryKey("pk", "sk")}, opts...)...)
	}
	t.Run("nil table", func(t *testing.T) {
		_, err := model.Define[Engineer](nil, "E", Region, Person)
		if !errors.Is(err, model.ErrDeclaration) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("no name", func(t *testing.T) {
		if _, err := model.Define[Engineer](tagged(), "", Region, Person); !errors.Is(err, model.ErrDeclaration) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a name that is not text", func(t *testing.T) {
		if _, err := model.Define[Engineer](tagged(), "E\xff", Region, Person); !errors.Is(err, keys.ErrUTF8) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a name twice", func(t *testing.T) {
		table := tagged()
		model.MustDefine[Engineer](table, "E", Region, Person)
		mustPanic(t, `entity "E"`, func() { model.MustDefine[WorkOrder](table, "E", Region, Order) })
	})
	t.Run("one name in two tables", func(t *testing.T) {
		model.MustDefine[Engineer](tagged(), "E", Region, Person)
		model.MustDefine[Engineer](tagged(), "E", Region, Person)
	})
	t.Run("a sort template without sort key", func(t *testing.T) {
		table := model.NewTable("t", model.PrimaryKey("pk"))
		_, err := model.Define[Engineer](table, "E", Region, Person)
		if !errors.Is(err, model.ErrDeclaration) || !strings.Contains(err.Error(), "no sort key") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("without tag, keys must tell apart", func(t *testing.T) {
		table := tagged(model.TypeAttribute(""))
		model.MustDefine[WorkOrder](table, "WorkOrder", Region, Order)
		model.MustDefine[Engineer](table, "Engineer", Region, Person)
		_, err := model.Define[Engineer](table, "Anybody", Region, Person)
		if !errors.Is(err, model.ErrDeclaration) || !strings.Contains(err.Error(), "could be taken for those of entity") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("with a tag, it tells apart", func(t *testing.T) {
		table := tagged()
		model.MustDefine[Engineer](table, "Engineer", Region, Person)
		model.MustDefine[Engineer](table, "Anybody", Region, Person)
	})
	t.Run("a table has one time to live", func(t *testing.T) {
		type a struct {
			R string    `key:"regionId"`
			T time.Time `dynamodbav:"ttl" model:"ttl"`
		}
		type b struct {
			R string    `key:"regionId"`
			T time.Time `dynamodbav:"expires" model:"ttl"`
		}
		table := tagged()
		model.MustDefine[a](table, "A", Region, keys.Literal("A"))
		_, err := model.Define[b](table, "B", Region, keys.Literal("B"))
		if !errors.Is(err, model.ErrDeclaration) || !strings.Contains(err.Error(), "a table has one") {
			t.Errorf("got %v", err)
		}
		if got := table.TTLAttribute(); got != "ttl" {
			t.Errorf("TTLAttribute = %q", got)
		}
	})
}

// What Define accepts, and where each part of a key comes from.
func TestBinding(t *testing.T) {
	type Keys struct {
		Region string `key:"regionId"`
	}
	type keysPart struct {
		Region string `key:"regionId"`
	}
	type Code string
	type Stored struct {
		Region string `dynamodbav:"regionId"`
	}
	two := keys.MustCompile2("<kind>#<regionId>", keys.String, keys.String)
	count := keys.MustCompile1("N#<n>", keys.Int(5))
	for _, tt := range []struct {
		why   string
		check func(t *testing.T, table *model.Table)
	}{
		{"by key tag, in the key alone", roundTrip(Region, Singular, struct {
			R string `dynamodbav:"-" key:"regionId"`
		}{"eu"}, model.Item{"pk": str("REGION#eu")})},
		{"by attribute name, stored as well", roundTrip(Region, Singular, Stored{"eu"},
			model.Item{"pk": str("REGION#eu"), "regionId": str("eu")})},
		{"by key tag, stored under another name", roundTrip(Region, Singular, struct {
			R string `dynamodbav:"r" key:"regionId"`
		}{"eu"}, model.Item{"pk": str("REGION#eu"), "r": str("eu")})},
		{"the key tag goes before the attribute name", roundTrip(Region, Singular, struct {
			A string `dynamodbav:"-" key:"regionId"`
			B string `dynamodbav:"regionId"`
		}{"eu", "us"}, model.Item{"pk": str("REGION#eu"), "regionId": str("us")})},
		{"a field may feed one placeholder by tag, another by name", roundTrip(two, Singular, struct {
			A string `dynamodbav:"kind" key:"regionId"`
		}{"x"}, model.Item{"pk": str("x#x"), "kind": str("x")})},
		{"a field may feed both keys", roundTrip(Region, keys.MustCompile1("AT#<regionId>", keys.String), struct {
			R string `dynamodbav:"-" key:"regionId"`
		}{"eu"}, model.Item{"pk": str("REGION#eu"), "sk": str("AT#eu")})},
		{"the key attribute may be the field itself", roundTrip(keys.MustCompile1("<pk>", keys.String), Singular, struct {
			PK string `dynamodbav:"pk"`
		}{"a b"}, model.Item{"pk": str("a%20b")})},
		{"embedded by value", roundTrip(Region, Singular, struct {
			Keys `dynamodbav:"-"`
		}{Keys{"eu"}}, model.Item{"pk": str("REGION#eu")})},
		{"embedded by value, of a type that is not exported", roundTrip(Region, Singular, struct {
			keysPart `dynamodbav:"-"`
		}{keysPart{"eu"}}, model.Item{"pk": str("REGION#eu")})},
		{"a named string", roundTrip(Region, Singular, struct {
			R Code `dynamodbav:"-" key:"regionId"`
		}{"eu"}, model.Item{"pk": str("REGION#eu")})},
		{"a named integer", roundTrip(count, Singular, struct {
			N time.Weekday `dynamodbav:"-" key:"n"`
		}{time.Friday}, model.Item{"pk": str("N#000005")})},
		{"a pointer", roundTrip(Region, Singular, struct {
			R *string `dynamodbav:"-" key:"regionId"`
		}{new("eu")}, model.Item{"pk": str("REGION#eu")})},
		{"an outer field hides an embedded one", roundTrip(Region, Singular, struct {
			Stored
			Region string `dynamodbav:"regionId"`
		}{Stored{}, "eu"}, model.Item{"pk": str("REGION#eu"), "regionId": str("eu")})},
		{"nothing but literals", roundTrip(keys.Literal("SETTINGS"), Singular, struct{ Dark bool }{true},
			model.Item{"pk": str("SETTINGS"), "Dark": yes()})},
		{"unexported fields are nobody's business", roundTrip(Region, Singular, struct {
			R     string `dynamodbav:"-" key:"regionId"`
			cache map[string]int
		}{"eu", nil}, model.Item{"pk": str("REGION#eu")})},
		{"attributes behind an embedded pointer", roundTrip(Region, Singular, struct {
			R string `dynamodbav:"-" key:"regionId"`
			*Left
		}{"eu", &Left{"n"}}, model.Item{"pk": str("REGION#eu"), "Note": str("n")})},
		{"a nil embedded pointer", roundTrip(Region, Singular, struct {
			R string `dynamodbav:"-" key:"regionId"`
			*Left
		}{"eu", nil}, model.Item{"pk": str("REGION#eu")})},
		{"a generic type", roundTrip(Region, Singular, envelope[int]{"eu", 7},
			model.Item{"pk": str("REGION#eu"), "payload": num("7")})},
	} {
		t.Run(tt.why, func(t *testing.T) {
			tt.check(t, model.NewTable("t", model.PrimaryKey("pk", "sk")))
		})
	}
}

type envelope[P any] struct {
	Region  string `dynamodbav:"-" key:"regionId"`
	Payload P      `dynamodbav:"payload"`
}

// roundTrip defines an entity, and holds its item to what is wanted and the item
// to the value. sk and _type are added where they are always the same.
func roundTrip[T any](pk, sk keys.Template, v T, want model.Item, opt ...model.EntityOption) func(*testing.T, *model.Table) {
	return func(t *testing.T, table *model.Table) {
		t.Helper()
		e, err := model.Define[T](table, "E", pk, sk, opt...)
		if err != nil {
			t.Fatal(err)
		}
		item, err := e.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		want["_type"] = str("E")
		if want["sk"] == nil {
			want["sk"] = str("PROFILE")
		}
		if diff := cmp.Diff(want, item, opts); diff != "" {
			t.Errorf("Marshal(%+v) (-want +got):\n%s", v, diff)
		}
		back, err := e.Unmarshal(item)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(v, back) {
			t.Errorf("Unmarshal: got %+v, want %+v", back, v)
		}
		k, err := e.KeyOf(&v)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := e.KeyOfItem(item)
		if err != nil {
			t.Fatal(err)
		}
		if k != stored {
			t.Errorf("KeyOf %v, KeyOfItem %v", k, stored)
		}
	}
}

func TestDefineConcurrently(t *testing.T) {
	table, orders, _ := fieldService()
	o := anOrder()
	item, err := orders.Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 20 {
				if _, err := model.Define[Engineer](table, fmt.Sprintf("E%d-%d", i, j), Region, Person); err != nil {
					t.Error(err)
				}
				if _, err := table.Decode(item); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(table.EntityNames()); n != 162 {
		t.Errorf("%d entities, want 162", n)
	}
}
