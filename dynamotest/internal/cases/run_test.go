package cases

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// canned answers every request with one status and body.
type canned struct {
	status int
	body   string
}

func (c canned) Do(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: c.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(c.body))}, nil
}

func clientOf(c canned) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String("http://canned.invalid"),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("test", "test", ""),
		HTTPClient:   c,
		Retryer:      aws.NopRetryer{},
	})
}

// A kit that finds nothing wrong is worth nothing: every kind of wrong answer
// is told from the right one.
func TestWrongAnswersAreFound(t *testing.T) {
	const (
		in      = `{"TableName":"table","Key":{"pk":{"S":"a"}}}`
		item    = `{"Item":{"pk":{"S":"a"},"set":{"SS":["x","y"]}}}`
		refusal = `{"__type":"com.amazon.coral.validate#ValidationException","message":"no"}`
		failed  = `{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"no","Item":{"pk":{"S":"a"}}}`
	)
	for _, tt := range []struct {
		why  string
		got  canned
		step Step
		ok   bool
	}{
		{"the right document", canned{200, item}, ok("GetItem", in, item), true},
		{"a set in another order", canned{200, item}, ok("GetItem", in, `{"Item":{"pk":{"S":"a"},"set":{"SS":["y","x"]}}}`), true},
		{"a member too many", canned{200, item}, ok("GetItem", in, `{}`), false},
		{"a member too few", canned{200, `{}`}, ok("GetItem", in, item), false},
		{"a number as text", canned{200, `{"Count":"1"}`}, ok("GetItem", in, `{"Count":1}`), false},
		{"the right place", canned{200, item}, pickStep("GetItem", in, `{"Item.pk.S":"a"}`), true},
		{"a wrong place", canned{200, item}, pickStep("GetItem", in, `{"Item.pk.S":"b"}`), false},
		{"a place that is to be empty", canned{200, item}, pickStep("GetItem", in, `{"Item":null}`), false},
		{"any success", canned{200, item}, anyStep("GetItem", in), true},
		{"a refusal for any success", canned{400, refusal}, anyStep("GetItem", in), false},
		{"the right refusal", canned{400, refusal}, invalid("GetItem", in, "no"), true},
		{"another message", canned{400, refusal}, invalid("GetItem", in, "not this"), false},
		{"another code", canned{400, refusal}, refuse("GetItem", in, "ResourceNotFoundException", ""), false},
		{"success for a refusal", canned{200, item}, invalid("GetItem", in, ""), false},
		{"a refusal for success", canned{400, refusal}, ok("GetItem", in, `{}`), false},
		{"what comes beside a refusal", canned{400, failed}, Step{Op: "GetItem", In: in, Code: "ConditionalCheckFailedException", Want: `{"Item":{"pk":{"S":"a"}}}`}, true},
		{"something else beside a refusal", canned{400, failed}, Step{Op: "GetItem", In: in, Code: "ConditionalCheckFailedException", Want: `{}`}, false},
		{"raw, the right refusal", canned{400, refusal}, rawInvalid("GetItem", in, "no"), true},
		{"raw, another message", canned{400, refusal}, rawInvalid("GetItem", in, "not this"), false},
		{"no JSON", canned{200, `<html>`}, anyStep("GetItem", in), false},
		{"an error without type", canned{500, `{}`}, refuse("GetItem", in, "", ""), false},
		{"a request that the SDK cannot hold", canned{200, item}, anyStep("GetItem", `{"Novelty":1}`), false},
		{"an operation that is none", canned{200, item}, anyStep("FetchItem", in), false},
	} {
		r := &runner{ctx: t.Context(), client: clientOf(tt.got)}
		if diff := r.step(tt.step); (diff == "") != tt.ok {
			t.Errorf("%s: the step says %q", tt.why, diff)
		}
	}
}

func TestJudge(t *testing.T) {
	c := Case{Why: "reasons"}
	for _, tt := range []struct {
		why        string
		known      bool
		failures   []string
		fail, skip string
	}{
		{"right", false, nil, "", ""},
		{"wrong", false, []string{"x"}, "why it matters: reasons\nx", ""},
		{"wrong, and known to be", true, []string{"x"}, "", "known to differ: listed"},
		{"right, and listed as wrong", true, nil, "is listed as known to differ, and does not: listed", ""},
	} {
		if fail, skip := judge(c, "listed", tt.known, tt.failures); fail != tt.fail || skip != tt.skip {
			t.Errorf("%s: got %q, %q", tt.why, fail, skip)
		}
	}
}
