package txn_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/txn"
)

// answer is one answer of a server that is told what to say.
type answer struct {
	status int
	code   string // of the error, "" for success
	extra  string // further members of the JSON object
	err    error  // instead: of the connection
	echo   func(request map[string]any) string
}

var (
	fine     = answer{status: 200}
	lost     = answer{err: &net.OpError{Op: "read", Err: errors.New("connection reset by peer")}}
	refused  = answer{err: &net.OpError{Op: "dial", Err: errors.New("connection refused")}}
	fault    = answer{status: 500, code: "InternalServerError"}
	down     = answer{status: 503, code: "ServiceUnavailable"}
	throttle = answer{status: 400, code: "ProvisionedThroughputExceededException"}
	conflict = answer{status: 400, code: "TransactionConflictException"}
	failed   = answer{status: 400, code: "ConditionalCheckFailedException"}
	invalid  = answer{status: 400, code: "ValidationException"}
)

// found is a condition that failed on an item, which is what echo makes of the
// request.
func found(echo func(map[string]any) string) answer {
	return answer{status: 400, code: "ConditionalCheckFailedException", echo: echo}
}

// sent echoes the item that the request puts.
func sent(edit func(item map[string]any)) func(map[string]any) string {
	return func(request map[string]any) string {
		item := maps.Clone(request["Item"].(map[string]any))
		if edit != nil {
			edit(item)
		}
		raw, _ := json.Marshal(item)
		return `"Item":` + string(raw)
	}
}

func cancelled(codes ...string) answer {
	var reasons []string
	for _, c := range codes {
		reasons = append(reasons, fmt.Sprintf(`{"Code":%q,"Message":"m"}`, c))
	}
	return answer{status: 400, code: "TransactionCanceledException", extra: `"CancellationReasons":[` + strings.Join(reasons, ",") + `]`}
}

// server is the HTTP side of a real SDK client: its retries are the SDK's own.
type server struct {
	mu      sync.Mutex
	answers []answer
	bodies  []map[string]any
}

func (s *server) client() *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:      "eu-west-1",
		Credentials: credentials.NewStaticCredentialsProvider("a", "b", ""),
		HTTPClient:  &http.Client{Transport: s},
		Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
		}),
	})
}

func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	raw, _ := io.ReadAll(r.Body)
	var body map[string]any
	if err := json.Unmarshal(raw, &body); err != nil {
		return nil, err
	}
	if len(s.answers) == 0 {
		return nil, errors.New("unexpected request")
	}
	s.bodies = append(s.bodies, body)
	a := s.answers[0]
	s.answers = s.answers[1:]
	if a.err != nil {
		return nil, a.err
	}
	members := []string{}
	if a.code != "" {
		members = append(members, fmt.Sprintf(`"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"told to"`, a.code))
	}
	if a.extra != "" {
		members = append(members, a.extra)
	}
	if a.echo != nil {
		members = append(members, a.echo(body))
	}
	return &http.Response{
		StatusCode: a.status,
		Header:     http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:       io.NopCloser(bytes.NewReader([]byte("{" + strings.Join(members, ",") + "}"))),
		Request:    r,
	}, nil
}

// The answers that a plain create can get, with a client of the SDK whose own
// retries nobody sees from outside.
func TestLostAnswers(t *testing.T) {
	other := func(item map[string]any) {
		item["write"] = map[string]any{"S": "another"}
		item["customer"] = map[string]any{"S": "Bob"}
	}
	gone := func(map[string]any) string { return `"Item":{}` }
	for _, test := range []struct {
		reason    string
		answers   []answer
		want      error
		doubt     bool
		recovered bool
		sent      int
	}{
		{"no trouble", []answer{fine}, nil, false, false, 1},
		{"refused at once: the item is another's", []answer{found(sent(other))}, txn.ErrExists, false, false, 1},
		{"its own item, by the write id, even if the client hides that it asked twice", []answer{found(sent(nil))}, nil, false, true, 1},
		{"the SDK asks again by itself and finds the item", []answer{lost, found(sent(nil))}, nil, false, true, 2},
		{"so after a fault of the service", []answer{fault, found(sent(nil))}, nil, false, true, 2},
		{"and after an outage", []answer{down, down, found(sent(nil))}, nil, false, true, 3},
		{"it was not applied at first", []answer{fault, fine}, nil, false, false, 2},
		{"another's item after a lost answer: which of them was first?", []answer{lost, found(sent(other))}, txn.ErrExists, true, false, 2},
		{"throttling applies nothing", []answer{throttle, found(sent(other))}, txn.ErrExists, false, false, 2},
		{"a connection that was never made applies nothing", []answer{refused, found(sent(other))}, txn.ErrExists, false, false, 2},
		{"a conflict is retried here, not by the SDK", []answer{conflict, conflict, fine}, nil, false, false, 3},
		{"a conflict applies nothing", []answer{conflict, found(sent(other))}, txn.ErrExists, false, false, 2},
		{"more faults than the SDK bears", []answer{fault, fault, fault, fault, fine}, nil, false, false, 5},
		{"faults without end", []answer{fault, fault, fault, fault, fault, fault, fault, fault}, nil, true, false, 6},
		{"throttling without end", []answer{throttle, throttle, throttle, throttle, throttle, throttle, throttle}, txn.ErrThrottled, false, false, 6},
		{"conflicts without end", []answer{conflict, conflict, conflict, conflict, conflict, conflict, conflict}, txn.ErrConflict, false, false, 6},
		{"throttled after a lost answer", []answer{lost, throttle, throttle, throttle, throttle, throttle, throttle}, txn.ErrThrottled, true, false, 6},
		{"refused by the service", []answer{invalid}, nil, false, false, 1},
		{"the condition failed on nothing, which cannot be", []answer{found(gone)}, txn.ErrCondition, false, false, 1},
	} {
		t.Run(test.reason, func(t *testing.T) {
			f := newFixture(t, "t")
			srv := &server{answers: test.answers}
			o := Order{Region: "eu", Status: "OPEN", ID: "w-1", Customer: "Ann"}
			res, err := txn.Options{Attempts: 6, Backoff: noWait}.Commit(ctx, srv.client(), txn.Create(f.orders, &o))
			if res.Attempts != test.sent || len(srv.bodies) != test.sent {
				t.Errorf("%d attempts counted, %d sent, want %d", res.Attempts, len(srv.bodies), test.sent)
			}
			for _, body := range srv.bodies[1:] {
				if diff := cmp.Diff(srv.bodies[0], body); diff != "" {
					t.Errorf("an attempt differs from the first:\n%s", diff)
				}
			}
			if res.Recovered != test.recovered {
				t.Errorf("recovered %v, want %v", res.Recovered, test.recovered)
			}
			succeeds := test.want == nil && !test.doubt && test.reason != "refused by the service"
			if succeeds != (err == nil) {
				t.Fatalf("error %v", err)
			}
			if succeeds != (o.Version == 1) {
				t.Errorf("stamps: %+v after %v", o, err)
			}
			if err == nil {
				return
			}
			e := wantError(t, err)
			if test.want != nil {
				wantError(t, err, test.want)
			}
			if e.InDoubt != test.doubt || errors.Is(err, txn.ErrInDoubt) != test.doubt {
				t.Errorf("in doubt %v, want %v: %v", e.InDoubt, test.doubt, err)
			}
			passes := errors.Is(err, txn.ErrThrottled) || errors.Is(err, txn.ErrConflict)
			if got := txn.SafeToRetry(err); got != (passes && !test.doubt) {
				t.Errorf("safe to retry: %v: %v", got, err)
			}
		})
	}
}

// Without a write id a write recognises itself by equality, and only after an
// answer was lost: otherwise two who create equal items would both succeed.
func TestLostAnswersByEquality(t *testing.T) {
	text := func(item map[string]any) { item["text"] = map[string]any{"S": "other"} }
	number := func(item map[string]any) { item["count"] = map[string]any{"N": "1.0"} }
	for _, test := range []struct {
		reason  string
		answers []answer
		want    error
		doubt   bool
	}{
		{"an equal item on the first attempt is another's", []answer{found(sent(nil))}, txn.ErrExists, false},
		{"an equal item after a lost answer", []answer{lost, found(sent(nil))}, nil, false},
		{"in another notation", []answer{lost, found(sent(number))}, nil, false},
		{"an equal item after throttling is another's", []answer{throttle, found(sent(nil))}, txn.ErrExists, false},
		{"another item after a lost answer", []answer{lost, found(sent(text))}, txn.ErrExists, true},
	} {
		t.Run(test.reason, func(t *testing.T) {
			f := newFixture(t, "t")
			srv := &server{answers: test.answers}
			v := Note{Region: "eu", Topic: "x", ID: "1", Text: "t", Count: 1}
			err := txn.Commit(ctx, srv.client(), txn.Create(f.notes, &v))
			if test.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if e := wantError(t, err, test.want); e.InDoubt != test.doubt {
				t.Errorf("in doubt %v: %v", e.InDoubt, err)
			}
		})
	}
}

// What the other plain writes make of a failed condition after a lost answer.
func TestLostAnswersOfOthers(t *testing.T) {
	f := newFixture(t, "t")
	job := f.job("a")
	jobItem := func(members string) answer {
		return found(func(map[string]any) string {
			return `"Item":{"pk":{"S":"REGION#eu"},"sk":{"S":"JOB#a"},"_type":{"S":"Job"},` + members + `}`
		})
	}
	orderItem := func(version, write string) answer {
		return found(func(map[string]any) string {
			return fmt.Sprintf(`"Item":{"pk":{"S":"REGION#eu"},"sk":{"S":"STATUS#OPEN#w"},"_type":{"S":"Order"},"version":{"N":%q},"write":{"S":%q}}`, version, write)
		})
	}
	later := fmt.Sprintf(`"until":{"N":"%d"}`, noon.Add(time.Hour).Unix())
	order := Order{Region: "eu", Status: "OPEN", ID: "w", Version: 3}
	setState := txn.Update(job, txn.Set("state", "done"))
	for _, test := range []struct {
		reason  string
		action  txn.Action
		answers []answer
		want    error
		doubt   bool
	}{
		{"a delete finds nothing", txn.DeleteKey(job), []answer{lost, failed}, nil, false},
		{"a delete finds nothing at once", txn.DeleteKey(job), []answer{failed}, txn.ErrNotFound, false},
		{"a delete finds another version", txn.Delete(f.orders, &order), []answer{lost, orderItem("1", "x")}, txn.ErrChanged, true},
		{"an update finds what it sets", setState, []answer{lost, jobItem(`"state":{"S":"done"}`)}, nil, false},
		{"an update finds what it sets at once: the condition was the caller's", setState.If(cond("state", "open")), []answer{jobItem(`"state":{"S":"done"},` + later)}, txn.ErrCondition, false},
		{"an update finds something else", setState.If(cond("state", "open")), []answer{lost, jobItem(`"state":{"S":"held"},` + later)}, txn.ErrCondition, true},
		{"an update finds nothing", setState, []answer{lost, failed}, txn.ErrNotFound, true},
		{"a removal finds nothing to remove", txn.Update(job, txn.Remove("state")), []answer{lost, jobItem(later)}, nil, false},
		{"a removal finds it", txn.Update(job, txn.Remove("state")), []answer{lost, jobItem(`"state":{"S":"x"},` + later)}, txn.ErrCondition, true},
		{"a count leaves no trace", txn.Update(job, txn.Add("n", 1)).If(cond("state", "open")), []answer{lost, jobItem(`"n":{"N":"1"},` + later)}, txn.ErrCondition, true},
		{"the version that the value has is still there: not applied", txn.Put(f.orders, &order).If(cond("customer", "x")), []answer{lost, orderItem("3", "x")}, txn.ErrCondition, false},
		{"a put finds a version that another made", txn.Put(f.orders, &order), []answer{lost, orderItem("5", "x")}, txn.ErrChanged, true},
	} {
		t.Run(test.reason, func(t *testing.T) {
			srv := &server{answers: test.answers}
			order.Version = 3
			err := txn.Commit(ctx, srv.client(), test.action)
			if test.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if e := wantError(t, err, test.want); e.InDoubt != test.doubt {
				t.Errorf("in doubt %v, want %v: %v", e.InDoubt, test.doubt, err)
			}
		})
	}
}

// An update on an entity with a write id that is sent again does not count
// twice: its own id is part of the condition.
func TestLostAnswerOfUpdate(t *testing.T) {
	f := newFixture(t, "t")
	srv := &server{answers: []answer{lost, found(func(request map[string]any) string {
		for alias, name := range request["ExpressionAttributeNames"].(map[string]any) {
			if name != "write" {
				continue
			}
			// SET #write = :id … #write <> :id
			_, text, _ := strings.Cut(request["ConditionExpression"].(string), alias+" <> ")
			id, _, _ := strings.Cut(text, " ")
			raw, _ := json.Marshal(request["ExpressionAttributeValues"].(map[string]any)[id])
			return `"Item":{"write":` + string(raw) + `}`
		}
		return `"Item":{}`
	})}}
	res, err := txn.Options{}.Commit(ctx, srv.client(), txn.Update(f.order("OPEN", "w"), txn.Add("visits", 1)))
	if err != nil || !res.Recovered || res.Attempts != 2 {
		t.Errorf("%+v, %v", res, err)
	}
}

// A conflict beside an action in order is retried with the same token, a condition
// is returned at once; and the other reasons for which a transaction is cancelled.
func TestCancellations(t *testing.T) {
	const none = "None"
	for _, test := range []struct {
		reason  string
		answers []answer
		want    []error // per action that failed
		index   []int
		sent    int
	}{
		{"a conflict is retried", []answer{cancelled(none, txn.CodeConflict), fine}, nil, nil, 2},
		{"throttling is", []answer{cancelled(txn.CodeThrottled, none), cancelled(none, txn.CodeThroughputExceeded), fine}, nil, nil, 3},
		{"both at once are", []answer{cancelled(txn.CodeThrottled, txn.CodeConflict), fine}, nil, nil, 2},
		{"a condition is not", []answer{cancelled(txn.CodeConditionFailed, none)}, []error{txn.ErrNotFound}, []int{0}, 1},
		{"a conflict, then a condition", []answer{cancelled(none, txn.CodeConflict), cancelled(none, txn.CodeConditionFailed)}, []error{txn.ErrNotFound}, []int{1}, 2},
		{"a condition beside a conflict is not retried", []answer{cancelled(txn.CodeConditionFailed, txn.CodeConflict)}, []error{txn.ErrNotFound, txn.ErrConflict}, []int{0, 1}, 1},
		{"a collection that is full is not", []answer{cancelled(none, txn.CodeCollectionTooLarge)}, []error{nil}, []int{1}, 1},
		{"a request that is wrong is not", []answer{cancelled(txn.CodeValidation, none)}, []error{nil}, []int{0}, 1},
		{"conflicts without end", []answer{cancelled(none, txn.CodeConflict), cancelled(none, txn.CodeConflict), cancelled(none, txn.CodeConflict)}, []error{txn.ErrConflict}, []int{1}, 3},
		{"a lost answer", []answer{lost, fine}, nil, nil, 2},
		{"in progress", []answer{lost, {status: 400, code: "TransactionInProgressException"}, fine}, nil, nil, 3},
	} {
		t.Run(test.reason, func(t *testing.T) {
			f := newFixture(t, "t")
			srv := &server{answers: test.answers}
			res, err := txn.Options{Attempts: 3, Backoff: noWait}.Commit(ctx, srv.client(),
				txn.Update(f.order("OPEN", "a"), txn.Set("visits", 1)), txn.DeleteKey(f.order("OPEN", "b")))
			if res.Attempts != test.sent || len(srv.bodies) != test.sent {
				t.Errorf("%d attempts, %d sent, want %d", res.Attempts, len(srv.bodies), test.sent)
			}
			for _, body := range srv.bodies {
				if body["ClientRequestToken"] != res.Token || res.Token == "" || len(res.Token) > 36 {
					t.Errorf("token %v, result %q", body["ClientRequestToken"], res.Token)
				}
				if diff := cmp.Diff(srv.bodies[0], body); diff != "" {
					t.Errorf("an attempt differs from the first:\n%s", diff)
				}
			}
			if test.index == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e := wantError(t, err)
			if len(e.Actions) != len(test.index) || e.InDoubt {
				t.Fatalf("error %v", e)
			}
			for i, a := range e.Actions {
				if a.Index != test.index[i] || test.want[i] != nil && !errors.Is(&a, test.want[i]) || a.Err == nil {
					t.Errorf("action error %v, want index %d and %v", &a, test.index[i], test.want[i])
				}
			}
			var sdk *types.TransactionCanceledException
			if !errors.As(err, &sdk) {
				t.Error("the SDK's error is not in it")
			}
		})
	}
}

// What a request as a whole is refused with.
func TestRequestErrors(t *testing.T) {
	for _, test := range []struct {
		code  string
		want  error
		safe  bool
		doubt bool
	}{
		{"ThrottlingException", txn.ErrThrottled, true, false},
		{"RequestLimitExceeded", txn.ErrThrottled, true, false},
		{"TransactionInProgressException", txn.ErrConflict, false, true},
		{"ResourceNotFoundException", nil, false, false},
		{"AccessDeniedException", nil, false, false},
		{"ItemCollectionSizeLimitExceededException", nil, false, false},
	} {
		for _, idempotent := range []bool{false, true} {
			f := newFixture(t, "t")
			srv := &server{answers: []answer{{status: 400, code: test.code}, {status: 400, code: test.code}, {status: 400, code: test.code}}}
			o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
			_, err := txn.Options{Idempotent: idempotent, Attempts: 1, Backoff: noWait}.Commit(ctx, srv.client(), txn.Create(f.orders, &o))
			e := wantError(t, err)
			if test.want != nil {
				wantError(t, err, test.want)
			}
			if e.InDoubt != test.doubt || txn.SafeToRetry(err) != test.safe {
				t.Errorf("%s: in doubt %v, safe %v: %v", test.code, e.InDoubt, txn.SafeToRetry(err), err)
			}
			if code(err) != test.code {
				t.Errorf("%s: the SDK's error is not in %v", test.code, err)
			}
		}
	}
}

func code(err error) string {
	var api interface{ ErrorCode() string }
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

// Idempotent makes even one action a transaction, which knows itself by its token.
func TestIdempotent(t *testing.T) {
	l := newLive(t)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	l.commit(t, txn.Create(l.orders, &o))
	db := &loser{Client: l.db, lose: 2}
	res, err := txn.Options{Idempotent: true, Backoff: noWait}.Commit(ctx, db, txn.Update(l.order("OPEN", "w-1"), txn.Add("visits", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if got := stored(t, l, l.order("OPEN", "w-1")); got.Visits != 1 || got.Version != 2 {
		t.Errorf("applied %d times: %+v", got.Visits, got)
	}
	if res.Attempts != 3 || res.Token == "" {
		t.Errorf("%+v", res)
	}
}

// loser is a client that loses the answers of its first transactions.
type loser struct {
	txn.Client
	lose int
}

func (c *loser) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	out, err := c.Client.TransactWriteItems(ctx, in, o...)
	if err == nil && c.lose > 0 {
		c.lose--
		return nil, &types.InternalServerError{Message: aws.String("lost")}
	}
	return out, err
}

// A context that ends: before, while an attempt is under way, and between two.
func TestContextEnds(t *testing.T) {
	f := newFixture(t, "t")
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	done, cancel := context.WithCancel(ctx)
	cancel()
	db := &recorder{}
	e := wantError(t, txn.Commit(done, db, txn.Create(f.orders, &o)), context.Canceled)
	if len(db.inputs) != 0 || e.InDoubt {
		t.Errorf("sent %v, %v", db.inputs, e)
	}
	if _, err := txn.Modify(done, db, f.order("OPEN", "w-1"), func(*Order) error { return nil }); !errors.Is(err, context.Canceled) || len(db.inputs) != 0 {
		t.Errorf("modify: sent %v, %v", db.inputs, err)
	}

	// While an attempt is under way.
	live, cancel := context.WithCancel(ctx)
	db = &recorder{wrote: cancel, fail: []error{context.Canceled}}
	e = wantError(t, txn.Commit(live, db, txn.Create(f.orders, &o)), context.Canceled, txn.ErrInDoubt)
	if len(db.inputs) != 1 || e.Attempts != 1 {
		t.Errorf("sent %v, %v", db.inputs, e)
	}

	// While waiting for the next.
	live, cancel = context.WithCancel(ctx)
	db = &recorder{fail: []error{&types.TransactionConflictException{}}}
	opts := txn.Options{Backoff: func(int) time.Duration { cancel(); return time.Hour }}
	_, err := opts.Commit(live, db, txn.Create(f.orders, &o))
	e = wantError(t, err, context.Canceled, txn.ErrConflict)
	if len(db.inputs) != 1 || e.InDoubt || o.Version != 0 {
		t.Errorf("sent %v, %v, %+v", db.inputs, e, o)
	}

	// A success that arrives as the context ends is one.
	live, cancel = context.WithCancel(ctx)
	db = &recorder{wrote: cancel}
	if err := txn.Commit(live, db, txn.Create(f.orders, &o)); err != nil || o.Version != 1 {
		t.Errorf("%v, %+v", err, o)
	}
}

// A real client whose context ends while it waits for the answer.
func TestContextEndsInFlight(t *testing.T) {
	f := newFixture(t, "t")
	live, cancel := context.WithCancel(ctx)
	srv := &server{answers: []answer{{err: context.Canceled}}}
	client := srv.client()
	hook := func(o *dynamodb.Options) {
		o.HTTPClient = roundTripper(func(r *http.Request) (*http.Response, error) {
			cancel()
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
	}
	client = dynamodb.New(client.Options(), hook)
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	e := wantError(t, txn.Commit(live, client, txn.Create(f.orders, &o)), context.Canceled, txn.ErrInDoubt)
	if e.Attempts != 1 {
		t.Errorf("%d attempts", e.Attempts)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) Do(r *http.Request) (*http.Response, error) { return f(r) }

// The waits grow, and are asked for with the number of the retry.
func TestBackoff(t *testing.T) {
	f := newFixture(t, "t")
	var asked []int
	db := &recorder{}
	for range 4 {
		db.fail = append(db.fail, &types.ProvisionedThroughputExceededException{})
	}
	o := Order{Region: "eu", Status: "OPEN", ID: "w-1"}
	_, err := txn.Options{Backoff: func(n int) time.Duration { asked = append(asked, n); return time.Nanosecond }}.Commit(ctx, db, txn.Create(f.orders, &o))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{1, 2, 3, 4}, asked); diff != "" {
		t.Error(diff)
	}
}

// A call that fails before a request is sent, for want of credentials that may come
// the next time, is not tried for ever.
func TestNothingSent(t *testing.T) {
	f := newFixture(t, "t")
	note := Note{Region: "eu", Topic: "x", ID: "1"}
	o := txn.Options{Attempts: 4, Backoff: noWait}
	for name, write := range map[string]func(context.Context, txn.Client) error{
		"commit": func(ctx context.Context, db txn.Client) error {
			_, err := o.Commit(ctx, db, txn.Put(f.notes, &note))
			return err
		},
		"transaction": func(ctx context.Context, db txn.Client) error {
			_, err := o.Commit(ctx, db, txn.Check(f.note("x", "1")))
			return err
		},
		"batch": func(ctx context.Context, db txn.Client) error {
			_, _, err := o.Batch(ctx, db, txn.Put(f.notes, &note))
			return err
		},
		"modify": func(ctx context.Context, db txn.Client) error {
			_, _, err := txn.ModifyWith(ctx, db, o, f.note("x", "1"), func(*Note) error { return nil })
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			asked := 0
			db := (&server{}).client()
			db = dynamodb.New(db.Options(), func(o *dynamodb.Options) {
				o.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
					if asked++; asked > 1000 {
						cancel()
					}
					return aws.Credentials{}, &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
				})
			})
			e := wantError(t, write(ctx, db), syscall.ECONNREFUSED)
			if e.Attempts != 0 || e.InDoubt || ctx.Err() != nil {
				t.Errorf("credentials asked for %d times: %+v", asked, e)
			}
		})
	}
}
