package txn

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// attempts watches the requests of one commit. The SDK sends a request again by
// itself, and what it returns when the last one fails does not say so: a
// condition may then fail on an item that the commit itself has written. So a
// middleware counts the requests where they leave, and notes whether an answer
// was lost.
type attempts struct {
	sent   int
	unsent int  // calls of which no request left: without credentials, say
	lost   bool // an attempt may have been applied, although it failed

	watched  bool // the middleware runs: the client is one of the SDK's
	answered bool // the last request was answered with success
}

// option puts the middleware into one call.
func (a *attempts) option(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		a.watched = true
		// The end of Finalize is behind the retries and the signature.
		return s.Finalize.Add(middleware.FinalizeMiddlewareFunc("singletable.Attempts",
			func(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (middleware.FinalizeOutput, middleware.Metadata, error) {
				out, metadata, err := next.HandleFinalize(ctx, in)
				a.record(err)
				return out, metadata, err
			}), middleware.After)
	})
}

// spent is what counts against [Options.Attempts]: the requests, and the calls
// that failed before there was one.
func (a *attempts) spent() int { return a.sent + a.unsent }

func (a *attempts) record(err error) {
	a.sent++
	a.answered = err == nil
	if mayHaveApplied(err) {
		a.lost = true
	}
}

// call makes one call of the client. A client that does not run the middleware
// is taken to send one request a call. One that runs it, but is wrapped in
// something that loses the answer, has lost it too.
func (a *attempts) call(send func(func(*dynamodb.Options)) error) error {
	a.watched, a.answered = false, false
	sent := a.sent
	err := send(a.option)
	switch {
	case !a.watched:
		a.record(err)
	case err != nil && a.sent == sent:
		a.unsent++
	case err != nil && a.answered:
		a.lost = true
	}
	return err
}

// mayHaveApplied reports whether the request that failed with err may have been
// carried out all the same: the service did not answer, or answered that it does
// not know (a 5xx). What the client's side is to blame for was not, but for a
// transaction in progress, which is an earlier attempt of the same.
func mayHaveApplied(err error) bool {
	if err == nil {
		return false
	}
	if code(err) == "TransactionInProgressException" {
		return true
	}
	var status *smithyhttp.ResponseError
	if errors.As(err, &status) {
		if n := status.HTTPStatusCode(); n >= 400 && n < 500 {
			return false
		}
	}
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorFault() != smithy.FaultClient && !throttles(api.ErrorCode())
	}
	// The connection was never made.
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return false
	}
	var dns *net.DNSError
	return !errors.As(err, &dns)
}

func code(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

func throttles(code string) bool {
	switch code {
	case "ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded", "Throttling", "TooManyRequestsException":
		return true
	}
	return false
}

func conflicts(code string) bool {
	switch code {
	case "TransactionConflictException", "TransactionInProgressException", "ReplicatedWriteConflictException":
		return true
	}
	return false
}

var sdkRetries = retry.IsErrorRetryables(retry.DefaultRetryables)

// passes reports whether what a request failed with may be gone the next time.
func passes(err error) bool {
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) {
		return passingReasons(cancelled.CancellationReasons)
	}
	c := code(err)
	if conflicts(c) || throttles(c) || c == "InternalServerError" {
		return true
	}
	return sdkRetries.IsErrorRetryable(err).Bool()
}

// passingReasons reports whether a transaction was cancelled by nothing but
// conflicts and throttling.
func passingReasons(reasons []types.CancellationReason) bool {
	some := false
	for _, r := range reasons {
		switch reasonCode(r) {
		case "":
		case CodeConflict, CodeThrottled, CodeThroughputExceeded:
			some = true
		default:
			return false
		}
	}
	return some
}

// reasonCode is the code of a reason, "" for the action that was in order.
func reasonCode(r types.CancellationReason) string {
	if r.Code == nil || *r.Code == "None" {
		return ""
	}
	return *r.Code
}

const (
	backoffBase = 25 * time.Millisecond
	backoffCap  = 2 * time.Second
)

// jitter is the wait before the n-th retry, from 1: anything up to a bound that
// doubles.
func jitter(n int) time.Duration {
	limit := backoffCap
	if n < 8 {
		limit = min(backoffCap, backoffBase<<n)
	}
	return rand.N(limit)
}

// wait waits under the context.
func wait(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
