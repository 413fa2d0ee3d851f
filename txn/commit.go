package txn

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// Limits of one commit, by the service.
const (
	MaxActions = 100     // actions; a move to another key is two
	MaxSize    = 4 << 20 // bytes of all items together
)

// tokenLife is how long the service remembers a ClientRequestToken.
const tokenLife = 10 * time.Minute

// Options say how to commit. The zero value is what [Commit] uses.
type Options struct {
	// Idempotent sends even a single action as a transaction, whose token
	// keeps it from being applied twice when an answer is lost. It costs twice
	// the writes.
	Idempotent bool

	// Attempts bounds the requests sent for one commit, those that the SDK
	// sends again by itself included; 0 means 10. Once an attempt fails with
	// what may pass, another is made only while fewer have been sent. A call that
	// fails before a request is sent, for want of credentials say, counts as one.
	Attempts int

	// Races bounds how often [ModifyWith] starts again from the read after
	// another writer was faster; 0 means 20.
	Races int

	// Backoff is the wait before the n-th retry, from 1. Nil means a random
	// time of up to 50 ms, a bound that doubles each time up to 2 s.
	Backoff func(n int) time.Duration

	// now tells how old the token is; nil means time.Now.
	now func() time.Time
}

func (o Options) attempts() int {
	if o.Attempts > 0 {
		return o.Attempts
	}
	return 10
}

func (o Options) races() int {
	if o.Races > 0 {
		return o.Races
	}
	return 20
}

func (o Options) backoff(n int) time.Duration {
	if o.Backoff != nil {
		return o.Backoff(n)
	}
	return jitter(n)
}

func (o Options) clock() time.Time {
	if o.now != nil {
		return o.now()
	}
	return time.Now()
}

// Result tells how a commit went.
type Result struct {
	// Token is the ClientRequestToken of the transaction, "" for a plain write.
	Token string

	// Attempts is the number of requests sent, those that the SDK sent again by
	// itself included.
	Attempts int

	// Recovered says that the answer of an attempt was lost, and that a later
	// one found what it had written.
	Recovered bool

	// Capacity is what the last attempt consumed, by table and index, as the
	// service tells it. What failed attempts consumed it does not tell.
	Capacity []types.ConsumedCapacity

	// Races is how often [ModifyWith] started again because another writer was
	// faster.
	Races int

	// Reads is what the reads of [ModifyWith] consumed.
	Reads []types.ConsumedCapacity
}

// WriteUnits is the sum of Capacity, in write units, or in read units where a
// transaction was found to have been applied by an earlier attempt.
func (r Result) WriteUnits() float64 { return units(r.Capacity) }

// ReadUnits is the sum of Reads, in read units.
func (r Result) ReadUnits() float64 { return units(r.Reads) }

func units(all []types.ConsumedCapacity) float64 {
	sum := 0.0
	for _, c := range all {
		sum += aws.ToFloat64(c.CapacityUnits)
	}
	return sum
}

// Commit applies the actions: all of them, or none.
//
// One action goes out as a plain PutItem, UpdateItem or DeleteItem, at half the
// price; a lone [Check] and several actions as one TransactWriteItems, in the
// order given. No actions are no error, and nothing is sent. On success, and
// only then, the values passed to the actions get their new version, times and
// write id.
//
// Refused before anything is sent: more than [MaxActions] actions
// ([ErrTooMany]), more than [MaxSize] bytes ([ErrTooLarge]), two actions on one
// item of one physical table, a check included ([ErrSameItem]), and what the
// actions themselves refuse. Every other failure is an [*Error] that says which
// actions failed and why; see the sentinels of this package.
//
// A request that fails for a reason that passes (a conflict with another
// transaction, throttling, a fault of the service or of the connection) is sent
// again with jittered exponential backoff, under the context and up to
// [Options.Attempts]; a cancelled transaction only when every reason is one of
// these. All attempts carry the same versions, times and token. A context that
// ends makes Commit return its error at once; where an attempt was under way
// the error is an [ErrInDoubt] too.
func Commit(ctx context.Context, db Client, actions ...Action) error {
	_, err := Options{}.Commit(ctx, db, actions...)
	return err
}

// Commit is [Commit] with options and with a result.
func (o Options) Commit(ctx context.Context, db Client, actions ...Action) (res Result, err error) {
	if noClient(db) {
		return Result{}, &Error{Err: invalidf("nil client")}
	}
	if tell := observe(ctx, db, "Commit"); tell != nil {
		err = errPanicked // until there is a result
		defer func() { tell(res, err, describe(actions)) }()
	}
	return o.commit(ctx, db, actions)
}

func (o Options) commit(ctx context.Context, db Client, actions []Action) (Result, error) {
	p, err := newPlan(ctx, o, actions)
	if err != nil || len(p.writes) == 0 {
		return Result{}, err
	}
	return p.send(ctx, db, o)
}

// plan is a commit that is ready to be sent, any number of times.
type plan struct {
	writes []*write
	done   []func()
	token  string // "" for a plain write
}

// newPlan makes the writes of all actions, and refuses what cannot be sent.
func newPlan(ctx context.Context, o Options, actions []Action) (*plan, error) {
	p := &plan{}
	plain := len(actions) == 1 && !o.Idempotent
	var failed []ActionError
	for i, a := range actions {
		if a.maker == nil {
			failed = append(failed, ActionError{Index: i, Err: invalidf("zero Action")})
			continue
		}
		d := a.maker.describe()
		writes, done, err := a.maker.make(ctx, a.conds, plain)
		if err != nil {
			failed = append(failed, ActionError{Index: i, Op: d.Op, Entity: d.Entity, Err: err})
			continue
		}
		for _, w := range writes {
			w.index, w.op, w.entity = i, d.Op, d.Entity
		}
		p.writes = append(p.writes, writes...)
		if done != nil {
			p.done = append(p.done, done)
		}
	}
	failed = append(failed, p.sameItems()...)
	if len(failed) > 0 {
		return nil, &Error{Actions: failed}
	}
	if n := len(p.writes); n > MaxActions {
		return nil, &Error{Err: fmt.Errorf("%w: %d, the limit is %d", ErrTooMany, n, MaxActions)}
	}
	if n := p.size(); n > MaxSize {
		return nil, &Error{Err: fmt.Errorf("%w: %d bytes in one commit, the limit is %d", ErrTooLarge, n, MaxSize)}
	}
	if len(p.writes) > 1 || len(p.writes) == 1 && (o.Idempotent || p.writes[0].kind == checkKind) {
		p.token = rand.Text()
	}
	return p, nil
}

// sameItems finds the actions that are on an item which an earlier one is on.
func (p *plan) sameItems() []ActionError {
	var failed []ActionError
	first := make(map[string]int, len(p.writes))
	for _, w := range p.writes {
		id := w.id()
		if i, ok := first[id]; ok {
			failed = append(failed, w.failure("", nil, fmt.Errorf("%w: action %d is on it too", ErrSameItem, i)))
			continue
		}
		first[id] = w.index
	}
	return failed
}

func (p *plan) size() int {
	n := 0
	for _, w := range p.writes {
		n += w.size
	}
	return n
}

func (w *write) failure(code string, found model.Item, err error) ActionError {
	if len(found) == 0 {
		found = nil
	}
	return ActionError{
		Index: w.index, Op: w.op, Entity: w.entity, Table: w.table, Key: w.key,
		Code: code, Item: found, Err: err,
	}
}

// send makes attempts until one succeeds or fails for good.
func (p *plan) send(ctx context.Context, db Client, o Options) (Result, error) {
	var tries attempts
	start := o.clock()
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return p.result(&tries), p.failed(&tries, err)
		}
		lost := tries.lost
		capacity, err := p.attempt(ctx, db, &tries)
		if err == nil {
			res := p.result(&tries)
			res.Capacity = capacity
			res.Recovered = lost && p.token != "" && replayed(capacity)
			p.finish()
			return res, nil
		}
		if p.recognises(err, tries.lost) {
			res := p.result(&tries)
			res.Recovered = true
			p.finish()
			return res, nil
		}
		if !passes(err) || tries.spent() >= o.attempts() || ctx.Err() != nil {
			return p.result(&tries), p.failed(&tries, err)
		}
		if p.token != "" && tries.lost && o.clock().Sub(start) >= tokenLife {
			return p.result(&tries), p.failed(&tries, err)
		}
		if waited := wait(ctx, o.backoff(n)); waited != nil {
			return p.result(&tries), p.failed(&tries, fmt.Errorf("%w, after %w", waited, err))
		}
	}
}

func (p *plan) result(tries *attempts) Result {
	return Result{Token: p.token, Attempts: tries.sent}
}

// finish writes the new stamps back.
func (p *plan) finish() {
	for _, done := range p.done {
		done()
	}
}

// replayed reports whether a transaction answered that an earlier attempt had
// been applied: it then consumed what it takes to read the items.
func replayed(capacity []types.ConsumedCapacity) bool {
	for _, c := range capacity {
		if aws.ToFloat64(c.ReadCapacityUnits) > 0 && aws.ToFloat64(c.WriteCapacityUnits) == 0 {
			return true
		}
	}
	return false
}

// recognises reports whether a plain write failed on what it wrote itself.
func (p *plan) recognises(err error, lost bool) bool {
	var failed *types.ConditionalCheckFailedException
	return p.token == "" && errors.As(err, &failed) && p.writes[0].recognises(failed.Item, lost)
}

// failed is the error of a commit whose last attempt failed with err.
func (p *plan) failed(tries *attempts, err error) error {
	e := &Error{Token: p.token, Attempts: tries.sent, Err: err, InDoubt: tries.lost}
	var cancelled *types.TransactionCanceledException
	var condition *types.ConditionalCheckFailedException
	switch {
	case errors.As(err, &cancelled) && len(cancelled.CancellationReasons) == len(p.writes):
		// Had an earlier attempt been applied, its token would have told.
		e.InDoubt = false
		for i, r := range cancelled.CancellationReasons {
			if c := reasonCode(r); c != "" {
				w := p.writes[i]
				e.Actions = append(e.Actions, w.failure(c, r.Item, w.cause(c, r.Item, aws.ToString(r.Message))))
			}
		}
	case errors.As(err, &condition) && p.token == "":
		w := p.writes[0]
		e.InDoubt = tries.lost && !w.expect.untouched(condition.Item)
		e.Actions = []ActionError{w.failure(CodeConditionFailed, condition.Item, w.cause(CodeConditionFailed, condition.Item, ""))}
	case p.token == "" && plainCode(code(err)) != "":
		w := p.writes[0]
		c := plainCode(code(err))
		var api smithyAPIError
		errors.As(err, &api)
		e.Actions = []ActionError{w.failure(c, nil, w.cause(c, nil, api.ErrorMessage()))}
	default:
		e.Err = named(err)
	}
	return e
}

// named joins what a request as a whole failed with to the sentinel that says what
// it means, where there is one.
func named(err error) error {
	switch c := code(err); {
	case throttles(c):
		return fmt.Errorf("%w: %w", ErrThrottled, err)
	case conflicts(c):
		return fmt.Errorf("%w: %w", ErrConflict, err)
	}
	return err
}

// smithyAPIError is what of smithy.APIError is needed.
type smithyAPIError interface {
	error
	ErrorMessage() string
}

// plainCode is the code that a cancelled transaction would have for the error
// of a plain write.
func plainCode(code string) string {
	switch code {
	case "TransactionConflictException", "ReplicatedWriteConflictException":
		return CodeConflict
	case "ProvisionedThroughputExceededException":
		return CodeThroughputExceeded
	case "ItemCollectionSizeLimitExceededException":
		return CodeCollectionTooLarge
	case "ValidationException":
		return CodeValidation
	}
	if throttles(code) {
		return CodeThrottled
	}
	return ""
}

// cause turns a code of the service into the sentinel that says what it means.
func (w *write) cause(code string, found model.Item, message string) error {
	switch code {
	case CodeConditionFailed:
		return w.expect.explain(found)
	case CodeConflict:
		return ErrConflict
	case CodeThrottled, CodeThroughputExceeded:
		return ErrThrottled
	}
	if message == "" {
		return errors.New(code)
	}
	return fmt.Errorf("%s: %s", code, message)
}

// attempt sends the plan once.
func (p *plan) attempt(ctx context.Context, db Client, tries *attempts) ([]types.ConsumedCapacity, error) {
	if p.token != "" {
		var out *dynamodb.TransactWriteItemsOutput
		err := tries.call(func(option func(*dynamodb.Options)) (err error) {
			out, err = db.TransactWriteItems(ctx, p.transaction(), option)
			return err
		})
		if err != nil || out == nil {
			return nil, err
		}
		return out.ConsumedCapacity, nil
	}
	var capacity *types.ConsumedCapacity
	err := tries.call(func(option func(*dynamodb.Options)) (err error) {
		capacity, err = p.writes[0].send(ctx, db, option)
		return err
	})
	if err != nil || capacity == nil {
		return nil, err
	}
	return []types.ConsumedCapacity{*capacity}, nil
}

// send sends one write plainly.
func (w *write) send(ctx context.Context, db Client, option func(*dynamodb.Options)) (*types.ConsumedCapacity, error) {
	switch w.kind {
	case putKind:
		out, err := db.PutItem(ctx, &dynamodb.PutItemInput{
			TableName:                           &w.table,
			Item:                                w.item,
			ConditionExpression:                 optional(w.cond),
			ExpressionAttributeNames:            w.aliases.names,
			ExpressionAttributeValues:           w.aliases.values,
			ReturnConsumedCapacity:              types.ReturnConsumedCapacityIndexes,
			ReturnValuesOnConditionCheckFailure: w.returnOld(),
		}, option)
		if err != nil || out == nil {
			return nil, err
		}
		return out.ConsumedCapacity, nil
	case updateKind:
		out, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName:                           &w.table,
			Key:                                 w.key,
			UpdateExpression:                    &w.update,
			ConditionExpression:                 optional(w.cond),
			ExpressionAttributeNames:            w.aliases.names,
			ExpressionAttributeValues:           w.aliases.values,
			ReturnConsumedCapacity:              types.ReturnConsumedCapacityIndexes,
			ReturnValuesOnConditionCheckFailure: w.returnOld(),
		}, option)
		if err != nil || out == nil {
			return nil, err
		}
		return out.ConsumedCapacity, nil
	default:
		out, err := db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName:                           &w.table,
			Key:                                 w.key,
			ConditionExpression:                 optional(w.cond),
			ExpressionAttributeNames:            w.aliases.names,
			ExpressionAttributeValues:           w.aliases.values,
			ReturnConsumedCapacity:              types.ReturnConsumedCapacityIndexes,
			ReturnValuesOnConditionCheckFailure: w.returnOld(),
		}, option)
		if err != nil || out == nil {
			return nil, err
		}
		return out.ConsumedCapacity, nil
	}
}

func (p *plan) transaction() *dynamodb.TransactWriteItemsInput {
	items := make([]types.TransactWriteItem, len(p.writes))
	for i, w := range p.writes {
		items[i] = w.transactItem()
	}
	return &dynamodb.TransactWriteItemsInput{
		TransactItems:          items,
		ClientRequestToken:     &p.token,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
	}
}

func (w *write) transactItem() types.TransactWriteItem {
	switch w.kind {
	case putKind:
		return types.TransactWriteItem{Put: &types.Put{
			TableName:                           &w.table,
			Item:                                w.item,
			ConditionExpression:                 optional(w.cond),
			ExpressionAttributeNames:            w.aliases.names,
			ExpressionAttributeValues:           w.aliases.values,
			ReturnValuesOnConditionCheckFailure: w.returnOld(),
		}}
	case updateKind:
		return types.TransactWriteItem{Update: &types.Update{
			TableName:                           &w.table,
			Key:                                 w.key,
			UpdateExpression:                    &w.update,
			ConditionExpression:                 optional(w.cond),
			ExpressionAttributeNames:            w.aliases.names,
			ExpressionAttributeValues:           w.aliases.values,
			ReturnValuesOnConditionCheckFailure: w.returnOld(),
		}}
	case deleteKind:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName:                           &w.table,
			Key:                                 w.key,
			ConditionExpression:                 optional(w.cond),
			ExpressionAttributeNames:            w.aliases.names,
			ExpressionAttributeValues:           w.aliases.values,
			ReturnValuesOnConditionCheckFailure: w.returnOld(),
		}}
	default:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
			TableName:                           &w.table,
			Key:                                 w.key,
			ConditionExpression:                 optional(w.cond),
			ExpressionAttributeNames:            w.aliases.names,
			ExpressionAttributeValues:           w.aliases.values,
			ReturnValuesOnConditionCheckFailure: w.returnOld(),
		}}
	}
}

// returnOld asks for the item that stood in the way, where something can.
func (w *write) returnOld() types.ReturnValuesOnConditionCheckFailure {
	if w.cond == "" {
		return ""
	}
	return types.ReturnValuesOnConditionCheckFailureAllOld
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
