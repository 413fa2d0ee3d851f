package txn

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Event is one commit, modification or batch, told to a [Hook] when it has ended.
type Event struct {
	Op      string // the function of this package: "Commit", "Modify", "Batch"
	Actions []EventAction
	Result  Result
	Err     error // nil for success; an error of its own where a panic ended the write
	Elapsed time.Duration
}

// EventAction says what an action was, without a value of it, so that there are
// as many as the program has kinds of writes.
type EventAction struct {
	Op      string // "create", "put", …, as in [ActionError.Op]
	Entity  string // name of the entity
	Table   string // as it was declared
	Pattern string // the templates of the primary key: "REGION#<regionId> STATUS#<status>#<orderId>"
}

// Hook is told of writes. It is called once for each, by the goroutine that
// writes, and must be safe for concurrent use.
type Hook func(context.Context, Event)

// errPanicked is what hooks are told of a write that did not return.
var errPanicked = errors.New("txn: ended by a panic")

type hookKey struct{}

// WithHook gives a context under which h is told of every write, besides the
// hooks that ctx has.
func WithHook(ctx context.Context, h Hook) context.Context {
	if h == nil {
		return ctx
	}
	outer, _ := ctx.Value(hookKey{}).([]Hook)
	return context.WithValue(ctx, hookKey{}, append(slices.Clip(outer), h))
}

// Observe gives a client whose every write h is told of, besides the hooks of
// the context and those that db has from an Observe before. A nil h or a nil
// client is passed over.
func Observe(db Client, h Hook) Client {
	if h == nil || noClient(db) {
		return db
	}
	o := observed{Client: db}
	if inner, ok := db.(observed); ok {
		o = inner
	}
	o.hooks = append(slices.Clip(o.hooks), h)
	return o
}

type observed struct {
	Client
	hooks []Hook
}

// observe returns what tells the hooks of a write when it has ended, or nil
// where nobody wants to know.
func observe(ctx context.Context, db Client, op string) func(Result, error, []EventAction) {
	hooks, _ := ctx.Value(hookKey{}).([]Hook)
	if o, ok := db.(observed); ok {
		hooks = append(slices.Clip(hooks), o.hooks...)
	}
	if len(hooks) == 0 {
		return nil
	}
	began := time.Now()
	return func(res Result, err error, actions []EventAction) {
		elapsed := time.Since(began)
		for _, h := range hooks {
			h(ctx, Event{Op: op, Actions: slices.Clone(actions), Result: res, Err: err, Elapsed: elapsed})
		}
	}
}

// describe tells what the actions are.
func describe(actions []Action) []EventAction {
	out := make([]EventAction, len(actions))
	for i, a := range actions {
		if a.maker != nil {
			out[i] = a.maker.describe()
		}
	}
	return out
}
