package dynamotest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/dynamotest/internal/engine"
)

const (
	targetPrefix = "DynamoDB_20120810."
	contentType  = "application/x-amz-json-1.0"
	maxBody      = 16 << 20
)

// ServeHTTP answers one request in the service's protocol: a POST whose
// X-Amz-Target names the operation, with a JSON document as its body. The
// operations are CreateTable, DescribeTable, UpdateTable, DeleteTable,
// ListTables, UpdateTimeToLive, DescribeTimeToLive, TagResource, UntagResource,
// ListTagsOfResource, PutItem, GetItem, UpdateItem, DeleteItem, Query, Scan,
// BatchGetItem, BatchWriteItem, TransactGetItems and TransactWriteItems.
// Signatures are not checked, and not asked for, so any credentials will do. A
// GET says that the engine is healthy, and browsers of any origin are served.
func (e *Engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") != "" {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.Method == http.MethodOptions {
			preflight(w, r)
			return
		}
	}
	if r.Method == http.MethodGet {
		body := "healthy: dynamodb." + e.core.Region() + ".amazonaws.com "
		reply(w.Header(), []byte(body), "text/plain")
		io.WriteString(w, body)
		return
	}
	if r.Method != http.MethodPost {
		notFound(w)
		return
	}
	request, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return // the client has gone
	}
	op, ours := strings.CutPrefix(r.Header.Get("X-Amz-Target"), targetPrefix)
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	kind = strings.TrimSpace(kind)
	switch {
	case kind == contentType, kind == "application/json":
	case kind == "" && (ours || len(request) == 0):
		kind = contentType
	default:
		notFound(w)
		return
	}
	var a outcome
	switch {
	case ours:
		a = e.answer(r.Context(), op, request)
	case len(request) > 0 && !json.Valid(request):
		a = refusal(&engine.Error{Type: engine.Serialization})
	default:
		a = refusal(engine.Unknown(r.Header.Get("X-Amz-Target")))
	}
	if a.lost {
		panic(http.ErrAbortHandler) // closes the connection without an answer
	}
	reply(w.Header(), a.body, kind)
	w.WriteHeader(a.status)
	w.Write(a.body)
}

// notFound is how the service answers what is no request to it at all.
func notFound(w http.ResponseWriter) {
	const body = "<UnknownOperationException/>\n"
	reply(w.Header(), []byte(body), "")
	w.WriteHeader(http.StatusNotFound)
	io.WriteString(w, body)
}

// preflight answers a browser that asks whether a page of another origin may call
// the engine.
func preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for asked, allowed := range map[string]string{
		"Access-Control-Request-Headers": "Access-Control-Allow-Headers",
		"Access-Control-Request-Method":  "Access-Control-Allow-Methods",
	} {
		if v := r.Header.Get(asked); v != "" {
			h.Set(allowed, v)
		}
	}
	h.Set("Access-Control-Max-Age", "172800")
	reply(h, nil, "")
}

// reply sets the headers that every answer of the service has.
func reply(h http.Header, body []byte, kind string) {
	if kind != "" {
		h.Set("Content-Type", kind)
	} else {
		h["Content-Type"] = nil // net/http would guess one
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h["X-Amzn-Requestid"] = []string{newRequestID()}
	h["X-Amz-Crc32"] = []string{strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10)}
	h["Server"] = []string{"Server"}
	h["Date"] = []string{time.Now().UTC().Format(http.TimeFormat)}
}

var requestIDs = base32.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567").WithPadding(base32.NoPadding)

// newRequestID returns 52 letters and digits, as the service's ids have.
func newRequestID() string {
	var b [32]byte
	rand.Read(b[:])
	return requestIDs.EncodeToString(b[:])
}

// outcome is an answer before it has become one of HTTP.
type outcome struct {
	status int
	body   []byte
	lost   bool // the request was done and its answer never arrives
}

// answer does one request, as the faults that were injected have it.
func (e *Engine) answer(ctx context.Context, op string, request []byte) outcome {
	e.record.add(op, request)
	plan := e.faults.plan(e.core, op, request)
	if plan.latency > 0 {
		wait := time.NewTimer(plan.latency)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-ctx.Done():
		}
	}
	if plan.refuse != nil {
		return refusal(plan.refuse)
	}
	body, err := e.core.Do(op, request, engine.Options{Unprocessed: plan.unprocessed})
	switch {
	case plan.lost:
		return outcome{lost: true}
	case err != nil:
		return refusal(err)
	}
	return outcome{status: http.StatusOK, body: body}
}

func refusal(err *engine.Error) outcome {
	status := err.Status
	if status == 0 {
		status = http.StatusBadRequest
	}
	return outcome{status: status, body: err.AppendJSON(nil)}
}

// Client returns a client of the engine. It needs no socket: its HTTP client
// calls the engine. It retries as the SDK does, without waiting in between, has
// credentials that are none, and is otherwise the SDK's own; optFns change its
// options as those of dynamodb.New do.
func (e *Engine) Client(optFns ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       e.core.Region(),
		BaseEndpoint: aws.String("http://dynamotest.invalid"),
		Credentials:  credentials.NewStaticCredentialsProvider("dynamotest", "dynamotest", ""),
		HTTPClient:   transport{e},
		Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
			o.RateLimiter = unlimited{}
		}),
	}, optFns...)
}

// unlimited lets every retry happen. The SDK's own limiter stops retrying a
// server that fails much, which would make a test depend on those before it.
type unlimited struct{}

func (unlimited) GetToken(context.Context, uint) (func() error, error) {
	return func() error { return nil }, nil
}

func (unlimited) AddTokens(uint) error { return nil }

// transport is the HTTP client of an SDK client that calls the engine itself.
type transport struct{ e *Engine }

// errLost is how a lost answer looks to the SDK: as a connection that broke, which
// it retries.
var errLost = errors.New("dynamotest: the answer was lost: connection reset by peer")

func (t transport) Do(r *http.Request) (*http.Response, error) {
	op, ours := strings.CutPrefix(r.Header.Get("X-Amz-Target"), targetPrefix)
	if !ours {
		return nil, errors.New("dynamotest: not a request to DynamoDB: X-Amz-Target is " + strconv.Quote(r.Header.Get("X-Amz-Target")))
	}
	var request []byte
	if r.Body != nil {
		var b bytes.Buffer
		b.Grow(int(max(0, r.ContentLength)))
		_, err := b.ReadFrom(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
		request = b.Bytes()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	a := t.e.answer(r.Context(), op, request)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if a.lost {
		return nil, errLost
	}
	h := make(http.Header, 6)
	reply(h, a.body, contentType)
	return &http.Response{
		Status: strconv.Itoa(a.status) + " " + http.StatusText(a.status), StatusCode: a.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: r,
	}, nil
}
