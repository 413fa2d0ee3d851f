package query

import (
	"context"
	"slices"
	"time"

	"github.com/singletable-go/singletable/keys"
)

// Event is one read, told to a [Hook] when it has ended.
type Event struct {
	Op     string // the function or method of this package: "Get", "Page", …
	Table  string // as it was declared
	Index  string // "" for the table itself
	Entity string // "" where no single one is meant

	// Pattern is what was asked in terms of templates: that of the partition
	// key, that of the sort key and the operator on it. It holds no values, so
	// there are as many patterns as the program has kinds of reads.
	Pattern string

	Stats   Stats
	Err     error // what the read ended with; nil also for a loop that was left
	Elapsed time.Duration
}

// Hook is told of reads. It is called once for each, by the goroutine that reads,
// and must be safe for concurrent use.
type Hook func(context.Context, Event)

type hookKey struct{}

// WithHook gives a context under which h is told of every read, besides the
// hooks that ctx has.
func WithHook(ctx context.Context, h Hook) context.Context {
	if h == nil {
		return ctx
	}
	outer, _ := ctx.Value(hookKey{}).([]Hook)
	return context.WithValue(ctx, hookKey{}, append(slices.Clip(outer), h))
}

// Observe gives a client whose every read h is told of, besides the hooks of the
// context and those that db has from an Observe before. A nil h or a nil client
// is passed over.
func Observe(db Client, h Hook) Client {
	if h == nil || checkClient(db) != nil {
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

// watch is one read that hooks are to be told of.
type watch struct {
	ctx   context.Context
	hooks []Hook
	event Event
	stats *Stats
	began time.Time
}

// observe begins the watch over a read. It gives nil, which is fit for use,
// where nobody wants to know.
func observe(ctx context.Context, db any, stats *Stats, event func() Event) *watch {
	hooks, _ := ctx.Value(hookKey{}).([]Hook)
	if o, ok := db.(observed); ok {
		hooks = append(slices.Clip(hooks), o.hooks...)
	}
	if len(hooks) == 0 {
		return nil
	}
	return &watch{ctx: ctx, hooks: hooks, event: event(), stats: stats, began: time.Now()}
}

// end tells the hooks what the read ended with.
func (w *watch) end(err error) {
	if w == nil {
		return
	}
	w.event.Err = err
	w.event.Elapsed = time.Since(w.began)
	for _, h := range w.hooks {
		w.event.Stats = w.stats.clone()
		h(w.ctx, w.event)
	}
}

// pattern is what the spec asks, without values.
func (s *spec) pattern() string {
	text := s.partition.Template()
	if !s.ranged {
		return text
	}
	op, _, _, err := s.where.Condition()
	if err != nil {
		return text
	}
	return text + " " + s.where.Template() + " " + opNames[op]
}

var opNames = [...]string{
	keys.OpAll:        "all",
	keys.OpNever:      "never",
	keys.OpEqual:      "=",
	keys.OpBeginsWith: "begins_with",
	keys.OpBetween:    "BETWEEN",
	keys.OpAtMost:     "<=",
}
