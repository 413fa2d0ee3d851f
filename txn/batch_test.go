package txn_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/txn"
)

// leaver is a client that leaves some of a batch unprocessed, as leave tells of
// each item by its sort key.
type leaver struct {
	txn.Client
	sizes []int
	leave func(request int, sk string) bool
	fail  map[int]error // instead, by the number of the request
	lose  map[int]error // afterwards
}

func (c *leaver) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	n := 0
	send := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{}, ReturnConsumedCapacity: in.ReturnConsumedCapacity}
	left := map[string][]types.WriteRequest{}
	c.sizes = append(c.sizes, 0)
	request := len(c.sizes)
	for table, requests := range in.RequestItems {
		for _, r := range requests {
			c.sizes[request-1]++
			key := types.AttributeValue(nil)
			if r.PutRequest != nil {
				key = r.PutRequest.Item["sk"]
			} else {
				key = r.DeleteRequest.Key["sk"]
			}
			if c.leave != nil && c.leave(request, key.(*types.AttributeValueMemberS).Value) {
				left[table] = append(left[table], r)
			} else {
				send.RequestItems[table] = append(send.RequestItems[table], r)
				n++
			}
		}
	}
	if err := c.fail[request]; err != nil {
		return nil, err
	}
	out := &dynamodb.BatchWriteItemOutput{}
	if n > 0 {
		var err error
		if out, err = c.Client.BatchWriteItem(ctx, send, o...); err != nil {
			return nil, err
		}
	}
	if err := c.lose[request]; err != nil {
		return nil, err
	}
	for table, requests := range left {
		if out.UnprocessedItems == nil {
			out.UnprocessedItems = map[string][]types.WriteRequest{}
		}
		out.UnprocessedItems[table] = append(out.UnprocessedItems[table], requests...)
	}
	return out, nil
}

func overwrites(l *live, n int) ([]*Order, []txn.Action) {
	var values []*Order
	var actions []txn.Action
	for i := range n {
		o := &Order{Region: "eu", Status: "OPEN", ID: fmt.Sprintf("w-%03d", i)}
		values = append(values, o)
		actions = append(actions, txn.Overwrite(l.orders, o))
	}
	return values, actions
}

// Thirty writes, one of them unprocessed twice.
func TestBatch(t *testing.T) {
	l := newLive(t)
	values, actions := overwrites(l, 30)
	db := &leaver{Client: l.db, leave: func(request int, sk string) bool { return request <= 2 && strings.HasSuffix(sk, "w-007") }}
	left, res, err := txn.Options{Backoff: noWait}.Batch(ctx, db, actions...)
	if err != nil || len(left) != 0 {
		t.Fatalf("left %d, %v", len(left), err)
	}
	if diff := cmp.Diff([]int{25, 6, 1}, db.sizes); diff != "" {
		t.Errorf("sizes of the requests (-want +got):\n%s", diff)
	}
	if n := len(l.all(t)); n != 30 || res.Attempts != 3 || res.WriteUnits() != 30 {
		t.Errorf("%d items, %+v", n, res)
	}
	for _, o := range values {
		if o.Version != 1 || !o.Updated.Equal(noon) {
			t.Errorf("stamps: %+v", o)
		}
	}

	// Deletes, of which some find nothing, and puts of another entity in one batch.
	mixed := []txn.Action{txn.DeleteKey(l.order("OPEN", "never"))}
	for i := range 29 {
		mixed = append(mixed, txn.DeleteKey(l.order("OPEN", fmt.Sprintf("w-%03d", i))))
	}
	mixed = append(mixed, txn.Put(l.notes, &Note{Region: "eu", Topic: "x", ID: "1"}), txn.Delete(l.notes, &Note{Region: "eu", Topic: "x", ID: "2"}))
	if left, err := txn.Batch(ctx, l.db, mixed...); err != nil || len(left) != 0 {
		t.Fatalf("left %d, %v", len(left), err)
	}
	if n := len(l.all(t)); n != 2 {
		t.Errorf("%d items, want 2", n)
	}
	if left, err := txn.Batch(ctx, l.db); err != nil || left != nil {
		t.Errorf("nothing: %v, %v", left, err)
	}
}

func TestBatchFailures(t *testing.T) {
	throttled := &types.ProvisionedThroughputExceededException{}
	fault := &types.InternalServerError{}
	never := func(int, string) bool { return true }
	for _, test := range []struct {
		reason   string
		n        int
		db       leaver
		want     error
		doubt    bool
		left     []int
		requests int
	}{
		{"throttled, then taken", 30, leaver{fail: map[int]error{1: throttled, 3: throttled}}, nil, false, nil, 4},
		{"a lost answer, sent again", 30, leaver{lose: map[int]error{1: fault}}, nil, false, nil, 3},
		{"never processed", 3, leaver{leave: never}, txn.ErrThrottled, false, []int{0, 1, 2}, 4},
		{"throttled for ever", 3, leaver{fail: map[int]error{1: throttled, 2: throttled, 3: throttled, 4: throttled}}, txn.ErrThrottled, false, []int{0, 1, 2}, 4},
		{"some never processed", 30, leaver{leave: func(_ int, sk string) bool { return sk >= "STATUS#OPEN#w-028" || sk == "STATUS#OPEN#w-003" }}, txn.ErrThrottled, false, []int{3, 28, 29}, 6},
		{"refused in the second request", 30, leaver{fail: map[int]error{2: &types.ResourceNotFoundException{}}}, nil, false, []int{25, 26, 27, 28, 29}, 2},
		{"an answer lost, and then one left out", 3, leaver{lose: map[int]error{1: fault}, leave: func(n int, sk string) bool { return n > 1 && strings.HasSuffix(sk, "w-001") }}, txn.ErrThrottled, true, []int{1}, 6},
		{"an answer lost, all of it written since", 30, leaver{lose: map[int]error{1: fault}, leave: func(_ int, sk string) bool { return strings.HasSuffix(sk, "w-029") }}, txn.ErrThrottled, false, []int{29}, 7},
		{"the last answers lost", 3, leaver{lose: map[int]error{1: fault, 2: fault, 3: fault, 4: fault}}, nil, true, []int{0, 1, 2}, 4},
	} {
		t.Run(test.reason, func(t *testing.T) {
			l := newLive(t)
			values, actions := overwrites(l, test.n)
			test.db.Client = l.db
			left, res, err := txn.Options{Attempts: 4, Backoff: noWait}.Batch(ctx, &test.db, actions...)
			if len(test.db.sizes) != test.requests {
				t.Errorf("%d requests, want %d: %v", len(test.db.sizes), test.requests, test.db.sizes)
			}
			if (err == nil) != (len(test.left) == 0) || len(left) != len(test.left) {
				t.Fatalf("left %d, want %v: %v, %+v", len(left), test.left, err, res)
			}
			isLeft := map[int]bool{}
			for _, i := range test.left {
				isLeft[i] = true
			}
			for i, o := range values {
				if written := o.Version == 1; written == isLeft[i] {
					t.Errorf("%s: stamped %v, left %v", o.ID, written, isLeft[i])
				}
			}
			if err == nil {
				return
			}
			e := wantError(t, err)
			if test.want != nil {
				wantError(t, err, test.want)
			}
			if e.InDoubt != test.doubt {
				t.Errorf("in doubt %v: %v", e.InDoubt, err)
			}
			// What is left can be given to another batch, and is what was given.
			if left, err := txn.Batch(ctx, l.db, left...); err != nil || len(left) != 0 {
				t.Errorf("second batch: left %d, %v", len(left), err)
			}
			if n := len(l.all(t)); n != test.n {
				t.Errorf("%d items, want %d", n, test.n)
			}
			for _, o := range values {
				if o.Version != 1 {
					t.Errorf("%s: version %d", o.ID, o.Version)
				}
			}
		})
	}
}

func TestBatchContext(t *testing.T) {
	l := newLive(t)
	_, actions := overwrites(l, 60)
	live, cancel := context.WithCancel(ctx)
	db := &leaver{Client: l.db, leave: func(request int, sk string) bool { return request == 2 }}
	left, _, err := txn.Options{Backoff: func(int) time.Duration { cancel(); return time.Hour }}.Batch(live, db, actions...)
	wantError(t, err, context.Canceled)
	if len(left) != 35 || len(l.all(t)) != 25 {
		t.Errorf("left %d, stored %d", len(left), len(l.all(t)))
	}
	if left, err := txn.Batch(live, db, left...); len(left) != 35 || !errors.Is(err, context.Canceled) {
		t.Errorf("left %d, %v", len(left), err)
	}
}

func TestBatchRefusals(t *testing.T) {
	f := newFixture(t, "t")
	o, note := Order{Region: "eu", Status: "OPEN", ID: "w-1", Version: 1}, Note{Region: "eu", Topic: "x", ID: "1"}
	fine := txn.Overwrite(f.orders, &Order{Region: "eu", Status: "OPEN", ID: "w-2"})
	for _, test := range []struct {
		reason string
		action txn.Action
		want   error
	}{
		{"a create must not find anything", txn.Create(f.notes, &note), txn.ErrInvalid},
		{"a put of a version", txn.Put(f.orders, &o), txn.ErrInvalid},
		{"a delete of a version", txn.Delete(f.orders, &o), txn.ErrInvalid},
		{"an update is no whole item", txn.Update(f.note("x", "1"), txn.Set("text", "t")), txn.ErrInvalid},
		{"a check writes nothing", txn.Check(f.note("x", "1")), txn.ErrInvalid},
		{"a move is two", txn.Move(f.orders, &o, &Order{Region: "eu", Status: "DONE", ID: "w-1"}), txn.ErrInvalid},
		{"a move in place is conditional", txn.Move(f.notes, &note, &note), txn.ErrInvalid},
		{"a condition", txn.Overwrite(f.notes, &note).If(cond("text", "t")), txn.ErrInvalid},
		{"a zero action", txn.Action{}, txn.ErrInvalid},
		{"a nil value", txn.Overwrite[Note](f.notes, nil), txn.ErrInvalid},
		{"an item twice", txn.DeleteKey(f.order("OPEN", "w-2")), txn.ErrSameItem},
	} {
		db := &recorder{}
		actions := []txn.Action{fine, test.action}
		left, err := txn.Batch(ctx, db, actions...)
		e := wantError(t, err, test.want)
		if len(e.Actions) != 1 || e.Actions[0].Index != 1 || len(left) != 2 || len(db.inputs) != 0 {
			t.Errorf("%s: left %d, sent %v: %v", test.reason, len(left), db.inputs, err)
		}
	}
	// However far apart.
	var many []txn.Action
	for i := range 60 {
		many = append(many, txn.Overwrite(f.notes, &Note{Region: "eu", Topic: "x", ID: fmt.Sprint(i % 59)}))
	}
	e := wantError(t, func() error { _, err := txn.Batch(ctx, &recorder{}, many...); return err }(), txn.ErrSameItem)
	if e.Actions[0].Index != 59 || !strings.Contains(e.Error(), "action 0 is on it too") {
		t.Errorf("positions: %v", e)
	}
	if _, err := txn.Batch(ctx, nil, fine); !errors.Is(err, txn.ErrInvalid) {
		t.Errorf("nil client: %v", err)
	}
}
