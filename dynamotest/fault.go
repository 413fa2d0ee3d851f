package dynamotest

import (
	"maps"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
	"github.com/singletable-go/singletable/dynamotest/internal/engine"
)

// FaultKind is what goes wrong.
type FaultKind int

const (
	// Throttle refuses the request for want of throughput: with a
	// ProvisionedThroughputExceededException, and a transaction with a
	// TransactionCanceledException whose reasons say so. The SDK retries the first.
	Throttle FaultKind = iota + 1

	// Conflict refuses the request because of another transaction on the item: a
	// transaction with a TransactionCanceledException whose reasons say
	// TransactionConflict, any other request with a TransactionConflictException.
	Conflict

	// InternalError refuses the request with an InternalServerError (HTTP 500), which
	// the SDK retries.
	InternalError

	// LostAnswer does the request and loses its answer: the connection breaks, which
	// the SDK retries.
	LostAnswer

	// Unprocessed makes a batch leave items undone: those that the fault matches go
	// into UnprocessedKeys or UnprocessedItems. It counts items, not requests, and
	// has no effect on other operations.
	Unprocessed

	// Latency does nothing but make the answer take as long as Fault.Delay says, or
	// until the context of the request ends.
	Latency
)

// A Fault says what goes wrong, and for which requests. The zero values of its
// other fields match everything, always.
type Fault struct {
	Kind FaultKind

	Operation string                          // "PutItem"; "" is any
	Table     string                          // the name of a table; "" is any
	Key       map[string]types.AttributeValue // the primary key of an item; nil is any

	After int // how many matching requests go well first
	Times int // how many matching requests then fail; 0 is all of them

	// Rate, if not 0, makes each matching request fail with this probability (from
	// 0 to 1), drawn from a generator seeded with Seed: the same requests in the
	// same order fail in every run.
	Rate float64
	Seed uint64

	Delay time.Duration // of Latency
}

// Inject makes requests fail from now on, as f says, and returns a function that
// ends it. Of several faults that match one request all have their effect, the
// refusal of the first injected among them. Request counts are those of attempts,
// so that a fault with Times 1 is overcome by a retry.
func (e *Engine) Inject(f Fault) (stop func()) {
	a := &activeFault{Fault: f, random: rand.New(rand.NewPCG(f.Seed, f.Seed))}
	if f.Key != nil {
		a.key = fromSDK(f.Key)
	}
	return e.faults.add(a)
}

// faults are the faults of an engine, in the order of their injection.
type faults struct {
	mu   sync.Mutex
	list []*activeFault
}

type activeFault struct {
	Fault
	key    av.Item
	seen   int
	random *rand.Rand
}

func (fs *faults) add(a *activeFault) (stop func()) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.list = append(fs.list, a)
	return func() {
		fs.mu.Lock()
		defer fs.mu.Unlock()
		kept := make([]*activeFault, 0, len(fs.list))
		for _, other := range fs.list {
			if other != a {
				kept = append(kept, other)
			}
		}
		fs.list = kept
	}
}

// plan is what happens to one request.
type plan struct {
	refuse      *engine.Error
	lost        bool
	latency     time.Duration
	unprocessed func(table string, key av.Item) bool
}

// plan works out what happens to a request.
func (fs *faults) plan(core *engine.Engine, op string, body []byte) plan {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	var p plan
	if len(fs.list) == 0 {
		return p
	}
	targets := core.Targets(op, body)
	for _, f := range fs.list {
		if f.Operation != "" && f.Operation != op {
			continue
		}
		if f.Kind == Unprocessed {
			p.unprocessed = fs.orUnprocessed(p.unprocessed, f)
			continue
		}
		at := f.matching(targets)
		if len(at) == 0 && (f.Table != "" || f.key != nil) {
			continue
		}
		if !f.strikes() {
			continue
		}
		switch f.Kind {
		case LostAnswer:
			p.lost = true
		case Latency:
			p.latency += f.Delay
		default:
			if p.refuse == nil {
				p.refuse = f.refusal(op, len(targets), at)
			}
		}
	}
	return p
}

// orUnprocessed makes f say of each item of a batch whether it is left undone.
func (fs *faults) orUnprocessed(before func(string, av.Item) bool, f *activeFault) func(string, av.Item) bool {
	return func(table string, key av.Item) bool {
		if before != nil && before(table, key) {
			return true
		}
		fs.mu.Lock()
		defer fs.mu.Unlock()
		return f.matches(engine.Target{Table: table, Key: key}) && f.strikes()
	}
}

// matching gives the places of the targets that the fault is about.
func (f *activeFault) matching(targets []engine.Target) (at []int) {
	for i, t := range targets {
		if f.matches(t) {
			at = append(at, i)
		}
	}
	return at
}

func (f *activeFault) matches(t engine.Target) bool {
	if f.Table != "" && f.Table != t.Table {
		return false
	}
	return f.key == nil || maps.EqualFunc(f.key, t.Key, av.Equal)
}

// strikes counts a match and says whether it fails.
func (f *activeFault) strikes() bool {
	f.seen++
	if f.seen <= f.After || (f.Times > 0 && f.seen > f.After+f.Times) {
		return false
	}
	return f.Rate == 0 || f.random.Float64() < f.Rate
}

const throttled = "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API."

// refusal words the fault for an operation. at are the actions of a transaction
// that are to blame.
func (f *activeFault) refusal(op string, actions int, at []int) *engine.Error {
	transaction := (op == "TransactWriteItems" || op == "TransactGetItems") && len(at) > 0
	switch {
	case f.Kind == Throttle && transaction:
		return engine.Cancel(actions, at, "ProvisionedThroughputExceeded", throttled)
	case f.Kind == Throttle:
		return &engine.Error{Type: engine.ProvisionedThroughputExceeded, Message: throttled}
	case f.Kind == Conflict && transaction:
		return engine.Cancel(actions, at, "TransactionConflict", "Transaction is ongoing for the item")
	case f.Kind == Conflict:
		return &engine.Error{Type: engine.TransactionConflict, Message: "Transaction is ongoing for the item"}
	}
	return &engine.Error{Type: engine.InternalServerError, Message: "Internal server error", Status: 500}
}

func fromSDK(item map[string]types.AttributeValue) av.Item {
	out := make(av.Item, len(item))
	for name, v := range item {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			out[name] = av.String(v.Value)
		case *types.AttributeValueMemberN:
			if n, err := av.ParseNumber(v.Value); err == nil {
				out[name] = av.Num(n)
			}
		case *types.AttributeValueMemberB:
			out[name] = av.Binary(v.Value)
		}
	}
	return out
}
