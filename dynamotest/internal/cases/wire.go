package cases

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// Answer is what an endpoint said: a document on success, a code and a message
// on refusal. The document of a refusal holds what came beside its message
// (CancellationReasons, Item).
type Answer struct {
	Status  int
	Code    string // "" on success; without the namespace
	Message string
	Body    map[string]any
	Server  string // the Server header, which names some emulators
}

// Call sends one request, written in DynamoDB's JSON, through the SDK's own
// method for the operation: its serialization, its checks, its signature and
// its retries. A refusal by the service is an Answer; the error is for requests
// that the SDK cannot be given, or that got no answer, and for a refusal whose
// code the SDK does not report as the service sent it.
func Call(ctx context.Context, client *dynamodb.Client, op, request string) (Answer, error) {
	do, ok := operations[op]
	if !ok {
		return Answer{}, fmt.Errorf("operation %q is not one the kit knows", op)
	}
	var got capture
	err := do(ctx, client, request, got.install)
	if got.status == 0 {
		return Answer{}, fmt.Errorf("%s %s: %w", op, request, cmpErr(err))
	}
	answer, perr := got.answer()
	if perr != nil {
		return Answer{}, perr
	}
	var api smithy.APIError
	switch {
	case answer.Code == "" && err != nil:
		return answer, fmt.Errorf("%s: the SDK refuses the answer %s: %w", op, got.body, err)
	case answer.Code != "" && !errors.As(err, &api):
		return answer, fmt.Errorf("%s: the SDK reports %v for %s", op, err, got.body)
	case answer.Code != "" && api.ErrorCode() != answer.Code:
		return answer, fmt.Errorf("%s: the SDK reports code %q for %s", op, api.ErrorCode(), got.body)
	}
	return answer, nil
}

// CallRaw sends body as it is to the operation named by target, over the
// client's endpoint, signature and transport. It is for requests that the SDK
// would refuse, complete or cannot express.
func CallRaw(ctx context.Context, client *dynamodb.Client, target, body string) (Answer, error) {
	var got capture
	_, err := client.ListTables(ctx, &dynamodb.ListTablesInput{}, got.install, func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
			return s.Build.Add(middleware.BuildMiddlewareFunc("conformanceBody",
				func(ctx context.Context, in middleware.BuildInput, next middleware.BuildHandler) (middleware.BuildOutput, middleware.Metadata, error) {
					req, ok := in.Request.(*smithyhttp.Request)
					if !ok {
						return middleware.BuildOutput{}, middleware.Metadata{}, fmt.Errorf("unexpected request type %T", in.Request)
					}
					req, err := req.SetStream(strings.NewReader(body))
					if err != nil {
						return middleware.BuildOutput{}, middleware.Metadata{}, err
					}
					req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+target)
					in.Request = req
					return next.HandleBuild(ctx, in)
				}), middleware.Before)
		})
	})
	if got.status == 0 {
		return Answer{}, fmt.Errorf("%s %s: %w", target, body, cmpErr(err))
	}
	return got.answer()
}

// cmpErr keeps %w from printing a nil error.
func cmpErr(err error) error {
	if err == nil {
		return errors.New("no answer")
	}
	return err
}

// capture keeps the last answer that arrived, byte for byte, on its way to the SDK.
type capture struct {
	status int
	server string
	body   []byte
}

func (c *capture) install(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Deserialize.Add(middleware.DeserializeMiddlewareFunc("conformanceCapture",
			func(ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler) (middleware.DeserializeOutput, middleware.Metadata, error) {
				out, md, err := next.HandleDeserialize(ctx, in)
				resp, ok := out.RawResponse.(*smithyhttp.Response)
				if err != nil || !ok {
					return out, md, err
				}
				body, rerr := io.ReadAll(resp.Body)
				resp.Body.Close()
				resp.Body = io.NopCloser(bytes.NewReader(body))
				c.status, c.body, c.server = resp.StatusCode, body, resp.Header.Get("Server")
				return out, md, rerr
			}), middleware.After)
	})
}

func (c *capture) answer() (Answer, error) {
	a := Answer{Status: c.status, Server: c.server, Body: map[string]any{}}
	if len(bytes.TrimSpace(c.body)) > 0 {
		dec := json.NewDecoder(bytes.NewReader(c.body))
		dec.UseNumber()
		if err := dec.Decode(&a.Body); err != nil {
			return a, fmt.Errorf("status %d, body is not JSON: %q", c.status, c.body)
		}
	}
	if c.status == http.StatusOK {
		return a, nil
	}
	typ, _ := a.Body["__type"].(string)
	a.Code = typ[strings.LastIndexByte(typ, '#')+1:]
	for _, k := range []string{"message", "Message"} {
		if m, ok := a.Body[k].(string); ok {
			a.Message = m
		}
		delete(a.Body, k)
	}
	delete(a.Body, "__type")
	if a.Code == "" {
		return a, fmt.Errorf("status %d without an error type: %q", c.status, c.body)
	}
	return a, nil
}

type sender func(ctx context.Context, client *dynamodb.Client, request string, opts ...func(*dynamodb.Options)) error

// via joins a method of the client with the decoder of its input.
func via[I, O any](method func(*dynamodb.Client, context.Context, *I, ...func(*dynamodb.Options)) (*O, error)) sender {
	return func(ctx context.Context, client *dynamodb.Client, request string, opts ...func(*dynamodb.Options)) error {
		in := new(I)
		if err := decode(request, in); err != nil {
			return err
		}
		_, err := method(client, ctx, in, opts...)
		return err
	}
}

var operations = map[string]sender{
	"BatchGetItem":       via((*dynamodb.Client).BatchGetItem),
	"BatchWriteItem":     via((*dynamodb.Client).BatchWriteItem),
	"CreateTable":        via((*dynamodb.Client).CreateTable),
	"DeleteItem":         via((*dynamodb.Client).DeleteItem),
	"DeleteTable":        via((*dynamodb.Client).DeleteTable),
	"DescribeTable":      via((*dynamodb.Client).DescribeTable),
	"DescribeTimeToLive": via((*dynamodb.Client).DescribeTimeToLive),
	"GetItem":            via((*dynamodb.Client).GetItem),
	"ListTables":         via((*dynamodb.Client).ListTables),
	"PutItem":            via((*dynamodb.Client).PutItem),
	"Query":              via((*dynamodb.Client).Query),
	"Scan":               via((*dynamodb.Client).Scan),
	"TransactGetItems":   via((*dynamodb.Client).TransactGetItems),
	"TransactWriteItems": via((*dynamodb.Client).TransactWriteItems),
	"UpdateItem":         via((*dynamodb.Client).UpdateItem),
	"UpdateTable":        via((*dynamodb.Client).UpdateTable),
	"UpdateTimeToLive":   via((*dynamodb.Client).UpdateTimeToLive),
}
