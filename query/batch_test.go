package query_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

// waits records the waits of a test instead of waiting.
func waits(t *testing.T) *[]time.Duration {
	var list []time.Duration
	t.Cleanup(query.SetSleep(func(ctx context.Context, d time.Duration) error {
		list = append(list, d)
		return ctx.Err()
	}))
	return &list
}

func orderKey(d int, id string) model.Key[WorkOrder] {
	return Orders.Key(eu, Order.Key(Open, day(1, d), id))
}

// found are the ids of an answer, "-" where nothing is.
func found(list []*WorkOrder) []string {
	var ids []string
	for _, o := range list {
		if o == nil {
			ids = append(ids, "-")
		} else {
			ids = append(ids, o.OrderID)
		}
	}
	return ids
}

type getter func(context.Context, query.Client, []model.Key[WorkOrder], ...query.Option) ([]*WorkOrder, error)

var getters = map[string]getter{"GetMany": query.GetMany[WorkOrder], "GetAll": query.GetAll[WorkOrder]}

func TestGetLists(t *testing.T) {
	for name, get := range getters {
		t.Run(name, func(t *testing.T) {
			db := newFake(t, Service, append(items(t, order(1, "a"), order(2, "b"), expired(order(3, "old"))), broken(t, order(4, "bad")))...)
			var stats query.Stats
			keys := []model.Key[WorkOrder]{orderKey(2, "b"), orderKey(9, "none"), orderKey(1, "a"), orderKey(2, "b"), orderKey(3, "old")}
			got, err := get(t.Context(), db, keys, query.Report(&stats))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"b", "-", "a", "b", "-"}, found(got)); diff != "" {
				t.Errorf("in the order of the keys, nil where nothing is (-want +got):\n%s", diff)
			}
			if got[0] == got[3] {
				t.Error("a key that was given twice is answered with one value")
			}
			if stats.Requests != 1 || stats.Evaluated != 3 || stats.Returned != 3 || stats.Expired != 1 || stats.Capacity == 0 {
				t.Errorf("stats %+v", stats)
			}

			got, err = get(t.Context(), db, []model.Key[WorkOrder]{orderKey(4, "bad"), orderKey(1, "a")})
			refused, only := query.ItemErrors(err)
			if diff := cmp.Diff([]string{"-", "a"}, found(got)); diff != "" || !only || len(refused) != 1 {
				t.Errorf("with a bad item: %v (-want +got):\n%s", err, diff)
			}

			db = newFake(t, Service)
			if got, err := get(t.Context(), db, nil); len(got) != 0 || err != nil || db.requests() != 0 {
				t.Errorf("without keys: %v, %v, %d requests", got, err, db.requests())
			}
			var e *query.Error
			var at *query.KeyError
			bad := []model.Key[WorkOrder]{orderKey(1, "a"), orderKey(1, "")}
			if _, err := get(t.Context(), db, bad); !errors.Is(err, keys0) || !errors.As(err, &e) || !errors.As(err, &at) || at.Position != 1 {
				t.Errorf("with a bad key: %v, want a *KeyError of position 1", err)
			}
			if _, err := get(t.Context(), db, []model.Key[WorkOrder]{{}}); !errors.Is(err, query.ErrZero) {
				t.Errorf("with the zero key: %v, want ErrZero", err)
			}
			if _, err := get(t.Context(), nil, keys); !errors.Is(err, query.ErrNoClient) {
				t.Errorf("without a client: %v, want ErrNoClient", err)
			}
			if db.requests() != 0 {
				t.Errorf("%d requests were sent", db.requests())
			}
			db.fault = func(int) error { return errFault }
			if got, err := get(t.Context(), db, keys); got != nil || !errors.Is(err, errFault) || !errors.As(err, &e) || e.Op != name {
				t.Errorf("failed request: %v, %v", got, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			db.fault = nil
			if _, err := get(ctx, db, keys); !errors.Is(err, context.Canceled) || db.requests() != 1 {
				t.Errorf("cancelled: %v", err)
			}
		})
	}
}

var keys0 = keys.ErrEmpty

func TestGetManyInChunks(t *testing.T) {
	waits := waits(t)
	var stored []any
	var want []string
	var list []model.Key[WorkOrder]
	for i := range 250 {
		o := order(1+i%28, fmt.Sprintf("w-%03d", i))
		want = append(want, "-")
		if i%3 != 0 {
			stored = append(stored, o)
			want[i] = o.OrderID
		}
		list = append(list, orderKey(1+i%28, o.OrderID))
	}
	db := newFake(t, Service, items(t, stored...)...)
	tries := map[string]int{}
	db.unread = func(_ int, key model.Item) bool { // every seventh is left twice
		sk := text(key["sk"])
		tries[sk]++
		return len(sk) > 0 && sk[len(sk)-1]%7 == 0 && tries[sk] <= 2
	}
	got, err := query.GetMany(t.Context(), db, list, query.Consistent())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, found(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(*waits) == 0 {
		t.Error("no wait before unprocessed keys were sent again")
	}
	for _, in := range db.batches {
		for _, k := range in.RequestItems {
			if k.ConsistentRead == nil || !*k.ConsistentRead {
				t.Error("a batch is not consistent")
			}
		}
	}
}

func TestGetManyUnprocessed(t *testing.T) {
	waits := waits(t)
	db := newFake(t, Service)
	db.unread = func(int, model.Item) bool { return true }
	got, err := query.GetMany(t.Context(), db, []model.Key[WorkOrder]{orderKey(1, "a"), orderKey(2, "b")})
	var e *query.UnprocessedError
	if got != nil || !errors.As(err, &e) || !errors.Is(err, query.ErrUnprocessed) || e.Keys != 2 {
		t.Errorf("GetMany() = %v, %v, want an *UnprocessedError of two keys", got, err)
	}
	if len(db.batches) != 10 || len(*waits) != 9 {
		t.Errorf("%d requests and %d waits, want 10 and 9", len(db.batches), len(*waits))
	}
	for i, d := range *waits {
		if most := min(50*time.Millisecond<<i, 5*time.Second); d <= 0 || d > most {
			t.Errorf("wait %d is %v, want more than 0 and at most %v", i, d, most)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	db = newFake(t, Service)
	db.unread = func(int, model.Item) bool { cancel(); return true }
	if _, err := query.GetMany(ctx, db, []model.Key[WorkOrder]{orderKey(1, "a")}); !errors.Is(err, context.Canceled) || len(db.batches) != 1 {
		t.Errorf("cancelled while waiting: %v after %d requests", err, len(db.batches))
	}
}

func cancelled(codes ...string) error {
	e := &types.TransactionCanceledException{}
	for _, code := range codes {
		e.CancellationReasons = append(e.CancellationReasons, types.CancellationReason{Code: &code})
	}
	return e
}

func TestGetAllRetries(t *testing.T) {
	for _, tt := range []struct {
		name, reason string
		err          error
		requests     int
	}{
		{"conflict", "a write was under way", cancelled("None", "TransactionConflict"), 10},
		{"throttled", "capacity was short", cancelled("ThrottlingError", "ProvisionedThroughputExceeded"), 10},
		{"mixed", "one reason stays", cancelled("TransactionConflict", "ValidationError"), 1},
		{"no reason", "nothing says that it would pass", cancelled("None"), 1},
		{"no reasons", "nothing says that it would pass", cancelled(), 1},
		{"other", "the client has retried already", errFault, 1},
	} {
		waits := waits(t)
		db := newFake(t, Service, items(t, order(1, "a"))...)
		db.fault = func(int) error { return tt.err }
		_, err := query.GetAll(t.Context(), db, []model.Key[WorkOrder]{orderKey(1, "a")})
		if !errors.Is(err, tt.err) || db.requests() != tt.requests || len(*waits) != tt.requests-1 {
			t.Errorf("%s: %v after %d requests, want %d: %s", tt.name, err, db.requests(), tt.requests, tt.reason)
		}
		db = newFake(t, Service, items(t, order(1, "a"))...)
		db.fault = func(n int) error {
			if n < 3 {
				return tt.err
			}
			return nil
		}
		got, err := query.GetAll(t.Context(), db, []model.Key[WorkOrder]{orderKey(1, "a")})
		if again := tt.requests > 1; again != (err == nil) || again && got[0] == nil {
			t.Errorf("%s, twice: %v, %v: %s", tt.name, got, err, tt.reason)
		}
	}
}

func TestGetAllTooMany(t *testing.T) {
	db := newFake(t, Service)
	var list []model.Key[WorkOrder]
	for i := range 100 {
		list = append(list, orderKey(1, fmt.Sprint(i)), orderKey(1, fmt.Sprint(i)))
	}
	if _, err := query.GetAll(t.Context(), db, list); err != nil {
		t.Errorf("a hundred keys, each given twice: %v", err)
	}
	var e *query.TooManyError
	_, err := query.GetAll(t.Context(), db, append(list, orderKey(1, "more")))
	if !errors.Is(err, query.ErrTooMany) || !errors.As(err, &e) || e.Keys != 101 || db.requests() != 1 {
		t.Errorf("101 keys: %v, want a *TooManyError, and nothing sent", err)
	}
}

func TestGetManyWithoutSortKey(t *testing.T) {
	db := newFake(t, People, items(t, Person{ID: "a", Name: "Ann"}, Person{ID: "b", Name: "Bob"})...)
	got, err := query.GetMany(t.Context(), db, []model.Key[Person]{Persons.Key(PersonID.Key("b")), Persons.Key(PersonID.Key("c"))})
	if err != nil || got[0] == nil || *got[0] != (Person{ID: "b", Name: "Bob"}) || got[1] != nil {
		t.Errorf("GetMany() = %v, %v", got, err)
	}
}

// Box holds attribute values as they are.
type Box struct {
	ID   string                          `dynamodbav:"-" key:"id"`
	Raw  types.AttributeValue            `dynamodbav:"raw"`
	Rest map[string]types.AttributeValue `model:"rest"`
}

// Values of one key are values of their own, down to the attribute values that
// they hold.
func TestSameKeyTwice(t *testing.T) {
	table := model.NewTable("boxes", model.PrimaryKey("pk"))
	id := keys.MustCompile1("BOX#<id>", keys.String)
	boxes := model.MustDefine[Box](table, "Box", id, nil)
	value := func() types.AttributeValue {
		return &types.AttributeValueMemberM{Value: model.Item{
			"s": &types.AttributeValueMemberS{Value: "a"}, "n": &types.AttributeValueMemberN{Value: "1"}, "b": &types.AttributeValueMemberB{Value: []byte("a")},
			"bool": &types.AttributeValueMemberBOOL{Value: true}, "null": &types.AttributeValueMemberNULL{Value: true},
			"l":  &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberS{Value: "a"}}},
			"ss": &types.AttributeValueMemberSS{Value: []string{"a"}}, "ns": &types.AttributeValueMemberNS{Value: []string{"1"}}, "bs": &types.AttributeValueMemberBS{Value: [][]byte{[]byte("a")}},
		}}
	}
	key := boxes.Key(id.Key("x"))
	for name, get := range map[string]func(context.Context, query.Client, []model.Key[Box], ...query.Option) ([]*Box, error){"GetMany": query.GetMany[Box], "GetAll": query.GetAll[Box]} {
		item, err := boxes.Marshal(&Box{ID: "x", Raw: value(), Rest: model.Item{"rest": value()}})
		if err != nil {
			t.Fatal(err)
		}
		list, err := get(t.Context(), newFake(t, table, item), []model.Key[Box]{key, key})
		if err != nil {
			t.Fatal(name, err)
		}
		for _, v := range []types.AttributeValue{list[0].Raw, list[0].Rest["rest"]} {
			m := v.(*types.AttributeValueMemberM).Value
			m["s"].(*types.AttributeValueMemberS).Value = "X"
			m["n"].(*types.AttributeValueMemberN).Value = "9"
			m["b"].(*types.AttributeValueMemberB).Value[0] = 'X'
			m["bool"].(*types.AttributeValueMemberBOOL).Value = false
			m["null"].(*types.AttributeValueMemberNULL).Value = false
			m["l"].(*types.AttributeValueMemberL).Value[0].(*types.AttributeValueMemberS).Value = "X"
			m["ss"].(*types.AttributeValueMemberSS).Value[0] = "X"
			m["ns"].(*types.AttributeValueMemberNS).Value[0] = "9"
			m["bs"].(*types.AttributeValueMemberBS).Value[0][0] = 'X'
			m["more"] = nil
		}
		if !model.Equal(list[1].Raw, value()) || !model.Equal(list[1].Rest["rest"], value()) {
			t.Errorf("%s: a change of the first value shows in the second: %+v", name, list[1])
		}
	}
}
