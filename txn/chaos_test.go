package txn_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/txn"
)

// chaos is a client in front of a good one: now and then it answers with a
// fault instead of asking, or loses the answer after the write was applied.
type chaos struct {
	txn.Client
	mu     sync.Mutex
	random *rand.Rand
	faults map[string]int
}

// before returns the fault that keeps a request from being sent, and after the
// one that it ends with although it was applied.
func (c *chaos) draw(transaction int) (before, after error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fault := func(name string, err error) error { c.faults[name]++; return err }
	switch c.random.IntN(20) {
	case 0:
		if transaction == 0 {
			return fault("conflict", &types.TransactionConflictException{}), nil
		}
		reasons := make([]types.CancellationReason, transaction)
		for i := range reasons {
			reasons[i].Code = aws.String("None")
		}
		reasons[c.random.IntN(transaction)].Code = aws.String(txn.CodeConflict)
		return fault("conflict", &types.TransactionCanceledException{CancellationReasons: reasons}), nil
	case 1:
		return fault("throttled", &types.ProvisionedThroughputExceededException{}), nil
	case 2:
		return fault("fault", &types.InternalServerError{}), nil
	case 3, 4, 5:
		return nil, fault("lost", &types.InternalServerError{})
	}
	return nil, nil
}

func (c *chaos) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	before, after := c.draw(0)
	if before == nil {
		before = after
	}
	if before != nil {
		return nil, before
	}
	return c.Client.GetItem(ctx, in, o...)
}

func (c *chaos) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return inject(c, 0, func() (*dynamodb.PutItemOutput, error) { return c.Client.PutItem(ctx, in, o...) })
}

func (c *chaos) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return inject(c, 0, func() (*dynamodb.UpdateItemOutput, error) { return c.Client.UpdateItem(ctx, in, o...) })
}

func (c *chaos) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	return inject(c, 0, func() (*dynamodb.DeleteItemOutput, error) { return c.Client.DeleteItem(ctx, in, o...) })
}

func (c *chaos) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return inject(c, len(in.TransactItems), func() (*dynamodb.TransactWriteItemsOutput, error) {
		return c.Client.TransactWriteItems(ctx, in, o...)
	})
}

func inject[Out any](c *chaos, transaction int, call func() (*Out, error)) (*Out, error) {
	before, after := c.draw(transaction)
	if before != nil {
		return nil, before
	}
	out, err := call()
	if err == nil && after != nil {
		return nil, after
	}
	return out, err
}

// Tally is an item that remembers what was done to it: Done has the id of every
// operation in the order in which they were applied, N only their number.
type Tally struct {
	Shelf   string   `dynamodbav:"-" key:"shelf"`
	ID      string   `dynamodbav:"-" key:"id"`
	N       int      `dynamodbav:"n"`
	Done    []string `dynamodbav:"done"`
	Version int64    `dynamodbav:"version" model:"version"`
}

// Marked is a Tally with a write id.
type Marked struct {
	Tally
	Write string `dynamodbav:"write" model:"write"`
}

// Plain is a Tally without a version: each of its attributes is compared.
type Plain struct {
	Shelf string   `dynamodbav:"-" key:"shelf"`
	ID    string   `dynamodbav:"-" key:"id"`
	N     int      `dynamodbav:"n"`
	Done  []string `dynamodbav:"done"`
}

// Nothing is lost and nothing is doubled, whatever the service and the network
// do: several goroutines create, change, count and move the same few items.
func TestNothingLostOrDoubled(t *testing.T) {
	l := newLive(t)
	tallies := model.MustDefine[Tally](l.table, "Tally", tallyKey, shelfKey)
	marked := model.MustDefine[Marked](l.table, "Marked", markedKey, shelfKey)
	plain := model.MustDefine[Plain](l.table, "Plain", plainKey, shelfKey)
	for _, idempotent := range []bool{false, true} {
		name := "plain writes"
		if idempotent {
			name = "idempotent"
		}
		t.Run(name, func(t *testing.T) {
			t.Run("version", func(t *testing.T) {
				hammer(t, l, idempotent, tallies,
					func(shelf, id string) *Tally { return &Tally{Shelf: shelf, ID: id} },
					func(v *Tally) (*string, *int, *[]string) { return &v.Shelf, &v.N, &v.Done })
			})
			t.Run("version and write id", func(t *testing.T) {
				hammer(t, l, idempotent, marked,
					func(shelf, id string) *Marked { return &Marked{Tally: Tally{Shelf: shelf, ID: id}} },
					func(v *Marked) (*string, *int, *[]string) { return &v.Shelf, &v.N, &v.Done })
			})
			t.Run("no version", func(t *testing.T) {
				hammer(t, l, idempotent, plain,
					func(shelf, id string) *Plain { return &Plain{Shelf: shelf, ID: id} },
					func(v *Plain) (*string, *int, *[]string) { return &v.Shelf, &v.N, &v.Done })
			})
		})
	}
}

const (
	applied   = 1 // the operation succeeded
	unapplied = 2 // it certainly did not
	inDoubt   = 3
)

func hammer[T any](t *testing.T, l *live, idempotent bool, e *model.Entity[T], create func(shelf, id string) *T, fields func(*T) (shelf *string, n *int, done *[]string)) {
	const (
		workers = 6
		rounds  = 120
		items   = 5
	)
	shelves := []string{"a", "b", "c"}
	prefix := fmt.Sprintf("%v-", idempotent)
	db := &chaos{Client: l.db, random: rand.New(rand.NewPCG(1, uint64(len(e.Name())))), faults: map[string]int{}}
	opts := txn.Options{Idempotent: idempotent, Attempts: 50, Races: 1000, Backoff: noWait}
	key := func(shelf, id string) model.Key[T] {
		k, err := e.KeyOf(create(shelf, id))
		if err != nil {
			t.Error(err)
		}
		return k
	}

	var mu sync.Mutex
	outcome := map[string]int{} // of each operation, by its id
	created := map[string]int{} // number of creates that succeeded, by item
	note := func(op string, err error) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			outcome[op] = applied
		case errors.Is(err, txn.ErrInDoubt):
			outcome[op] = inDoubt
		case errors.Is(err, txn.ErrNotFound), errors.Is(err, txn.ErrExists), errors.Is(err, txn.ErrChanged):
			outcome[op] = unapplied
		default:
			t.Errorf("%s: %v", op, err)
		}
	}
	for i := range items { // that all work on
		l.commit(t, txn.Create(e, create("a", prefix+fmt.Sprint(i))))
		created[prefix+fmt.Sprint(i)]++
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(2, uint64(w)))
			for r := range rounds {
				op := fmt.Sprintf("%d.%d", w, r)
				id := prefix + fmt.Sprint(random.IntN(items))
				shelf := shelves[random.IntN(len(shelves))]
				switch random.IntN(4) {
				case 0: // a create of a new item, and of one that is there
					v := create(shelf, prefix+op)
					_, n, done := fields(v)
					*n, *done = 1, []string{op}
					_, err := opts.Commit(ctx, db, txn.Create(e, v))
					note(op, err)
					if err == nil {
						mu.Lock()
						created[prefix+op]++
						mu.Unlock()
					}
				case 1: // a move that is told from which value
					key := key(shelf, id)
					item := l.raw(t, key.Item())
					if item == nil {
						continue
					}
					before, err := e.Unmarshal(item)
					if err != nil {
						t.Error(err)
						continue
					}
					after := before
					shelf, n, done := fields(&after)
					*shelf = shelves[random.IntN(len(shelves))]
					*n, *done = *n+1, append((*done)[:len(*done):len(*done)], op)
					_, err = opts.Commit(ctx, db, txn.Move(e, &before, &after))
					note(op, err)
				case 2: // a modification in place
					_, _, err := txn.ModifyWith(ctx, db, opts, key(shelf, id), func(v *T) error {
						_, n, done := fields(v)
						*n, *done = *n+1, append(*done, op)
						return nil
					})
					note(op, err)
				default: // one that moves
					to := shelves[random.IntN(len(shelves))]
					_, _, err := txn.ModifyWith(ctx, db, opts, key(shelf, id), func(v *T) error {
						shelf, n, done := fields(v)
						*shelf = to
						*n, *done = *n+1, append(*done, op)
						return nil
					})
					note(op, err)
				}
			}
		})
	}
	wg.Wait()

	// Each item is in one place, and has what was done to it once each.
	seen := map[string]int{}
	places := map[string]int{}
	for _, item := range l.all(t) {
		if e.Classify(item) != model.Own {
			continue
		}
		v, err := e.Unmarshal(item)
		if err != nil {
			t.Fatal(err)
		}
		k, _ := e.KeyOfItem(item)
		_, id, err := shelfKey.Parse(k.Sort().String())
		if err != nil {
			t.Fatal(err)
		}
		if len(id) < len(prefix) || id[:len(prefix)] != prefix {
			continue
		}
		places[id]++
		_, n, done := fields(&v)
		if *n != len(*done) {
			t.Errorf("%s counts %d and remembers %d: %v", id, *n, len(*done), *done)
		}
		for _, op := range *done {
			seen[op]++
		}
	}
	for id := range created {
		if places[id] != 1 {
			t.Errorf("%s is in %d places", id, places[id])
		}
	}
	doubts := 0
	for op, o := range outcome {
		switch o {
		case applied:
			if seen[op] != 1 {
				t.Errorf("%s succeeded and was applied %d times", op, seen[op])
			}
		case unapplied:
			if seen[op] != 0 {
				t.Errorf("%s failed and was applied %d times", op, seen[op])
			}
		default:
			doubts++
			if seen[op] > 1 {
				t.Errorf("%s is in doubt and was applied %d times", op, seen[op])
			}
		}
	}
	if idempotent && doubts > 0 {
		t.Errorf("%d operations are in doubt in spite of their tokens", doubts)
	}
	for _, kind := range []string{"conflict", "throttled", "fault", "lost"} {
		if db.faults[kind] < 10 {
			t.Errorf("the faults were too few to tell: %v", db.faults)
		}
	}
	t.Logf("%d operations, %d in doubt, %d items, faults %v", len(outcome), doubts, len(places), db.faults)
}

// A counter is the hardest case: two who count it on from one value write the
// same item, so that equality tells nothing.
func TestCounter(t *testing.T) {
	l := newLive(t)
	bare := model.MustDefine[Bare](l.table, "Bare", tallyKey, shelfKey)
	counted := model.MustDefine[Counted](l.table, "Counted", markedKey, shelfKey)
	for _, idempotent := range []bool{false, true} {
		t.Run(fmt.Sprintf("idempotent=%v", idempotent), func(t *testing.T) {
			t.Run("version", func(t *testing.T) {
				countUp(t, l, idempotent, bare, &Bare{Shelf: "a", ID: "1"}, func(v *Bare) *int { return &v.N })
			})
			t.Run("version and write id", func(t *testing.T) {
				countUp(t, l, idempotent, counted, &Counted{Bare: Bare{Shelf: "a", ID: "1"}}, func(v *Counted) *int { return &v.N })
			})
		})
	}
}

// Bare is a counter with a version, Counted one with a write id too.
type Bare struct {
	Shelf   string `dynamodbav:"-" key:"shelf"`
	ID      string `dynamodbav:"-" key:"id"`
	N       int    `dynamodbav:"n"`
	Version int64  `dynamodbav:"version" model:"version"`
}

type Counted struct {
	Bare
	Write string `dynamodbav:"write" model:"write"`
}

func countUp[T any](t *testing.T, l *live, idempotent bool, e *model.Entity[T], zero *T, n func(*T) *int) {
	l.commit(t, txn.Overwrite(e, zero))
	key, err := e.KeyOf(zero)
	if err != nil {
		t.Fatal(err)
	}
	db := &chaos{Client: l.db, random: rand.New(rand.NewPCG(3, 3)), faults: map[string]int{}}
	opts := txn.Options{Idempotent: idempotent, Attempts: 50, Races: 1000, Backoff: noWait}
	var mu sync.Mutex
	sure, doubtful := 0, 0
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for range 60 {
				_, _, err := txn.ModifyWith(ctx, db, opts, key, func(v *T) error { *n(v)++; return nil })
				mu.Lock()
				switch {
				case err == nil:
					sure++
				case errors.Is(err, txn.ErrInDoubt):
					doubtful++
				default:
					t.Error(err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	v := stored(t, l, key)
	if got := *n(&v); got < sure || got > sure+doubtful {
		t.Errorf("counted %d, with %d successes and %d in doubt", got, sure, doubtful)
	}
	if idempotent && doubtful > 0 {
		t.Errorf("%d are in doubt in spite of their tokens", doubtful)
	}
	t.Logf("%d sure, %d in doubt, counted %d", sure, doubtful, *n(&v))
}
