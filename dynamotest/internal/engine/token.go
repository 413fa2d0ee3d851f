package engine

import (
	"crypto/sha256"
	"slices"
	"strings"
	"sync"
	"time"
)

// tokenLife is how long the service remembers a ClientRequestToken after the
// transaction that carried it.
const tokenLife = 10 * time.Minute

// tokens remembers the client tokens of transactions. The zero value is ready.
type tokens struct {
	mu    sync.Mutex
	known map[string]token
	order []string // of completion, oldest first
}

type token struct {
	request [sha256.Size]byte
	done    bool
	at      time.Time // of completion
}

// claim looks a token up. It says whether the same request was done under it
// before; if not, the token is taken until complete or forget.
func (ts *tokens) claim(name string, request [sha256.Size]byte, now time.Time) (replay bool, err *Error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.expire(now)
	switch t, ok := ts.known[name]; {
	case ok && t.request != request:
		return false, &Error{Type: IdempotentParameterMismatch, Message: "The request uses the same client token as a previous, but non-identical request. " +
			"Do not reuse a client token with different requests, unless the requests are identical"}
	case ok && !t.done:
		return false, &Error{Type: TransactionInProgress, Message: "The transaction with the given request token is already in progress."}
	case ok:
		return true, nil
	}
	if ts.known == nil {
		ts.known = map[string]token{}
	}
	ts.known[name] = token{request: request}
	return false, nil
}

func (ts *tokens) complete(name string, now time.Time) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.known[name]
	t.done, t.at = true, now
	ts.known[name] = t
	ts.order = append(ts.order, name)
}

func (ts *tokens) forget(name string) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	delete(ts.known, name)
}

func (ts *tokens) expire(now time.Time) {
	n := 0
	for n < len(ts.order) && now.Sub(ts.known[ts.order[n]].at) >= tokenLife {
		delete(ts.known, ts.order[n])
		n++
	}
	ts.order = ts.order[n:]
}

// fingerprint tells requests apart by what they say, not by how their maps happen
// to be ordered.
func fingerprint(items [][]byte) [sha256.Size]byte {
	var canonical []byte
	for _, raw := range items {
		canonical = appendCanonical(canonical, raw)
		canonical = append(canonical, ',')
	}
	return sha256.Sum256(canonical)
}

// appendCanonical appends valid JSON without space and with sorted members.
func appendCanonical(dst, raw []byte) []byte {
	switch raw[0] {
	case '{':
		members := cut(raw)
		slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
		dst = append(dst, '{')
		for _, m := range members {
			dst = append(dst, m.name...)
			dst = append(dst, ':')
			dst = appendCanonical(dst, m.raw)
			dst = append(dst, ',')
		}
		return append(dst, '}')
	case '[':
		dst = append(dst, '[')
		for _, el := range elements(raw) {
			dst = appendCanonical(dst, el)
			dst = append(dst, ',')
		}
		return append(dst, ']')
	}
	return append(dst, raw...)
}
