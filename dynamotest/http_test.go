package dynamotest_test

import (
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/dynamotest"
)

// serve puts an engine behind a socket on this machine and returns its URL.
func serve(t testing.TB, e *dynamotest.Engine) string {
	t.Helper()
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	return server.URL
}

func TestServeHTTP(t *testing.T) {
	e := dynamotest.NewEngine()
	const unknown = `{"__type":"com.amazon.coral.service#UnknownOperationException"}`
	for _, test := range []struct {
		reason            string
		method, target    string
		contentType, body string
		status            int
		want              string
	}{
		{"an operation", "POST", "DynamoDB_20120810.ListTables", "application/x-amz-json-1.0", `{}`, 200, `{"TableNames":[]}`},
		{"the other content type, and a charset", "POST", "DynamoDB_20120810.ListTables", "application/json; charset=utf-8", `{}`, 200, `{"TableNames":[]}`},
		{"no JSON", "POST", "DynamoDB_20120810.ListTables", "application/x-amz-json-1.0", `{`, 400, `{"__type":"com.amazon.coral.service#SerializationException"}`},
		{"nothing at all", "POST", "DynamoDB_20120810.ListTables", "application/x-amz-json-1.0", ``, 400, `{"__type":"com.amazon.coral.service#SerializationException"}`},
		{"a parameter of the wrong type", "POST", "DynamoDB_20120810.ListTables", "application/x-amz-json-1.0", `{"Limit":"x"}`, 400,
			`{"__type":"com.amazon.coral.service#SerializationException","Message":"STRING_VALUE cannot be converted to Integer"}`},
		{"an operation that is not supported, by name", "POST", "DynamoDB_20120810.CreateBackup", "application/x-amz-json-1.0", `{}`, 400,
			`{"__type":"com.amazon.coral.service#UnknownOperationException","message":"The operation CreateBackup is not supported"}`},
		{"another service", "POST", "DynamoDBStreams_20120810.ListStreams", "application/x-amz-json-1.0", `{}`, 400,
			`{"__type":"com.amazon.coral.service#UnknownOperationException","message":"The operation DynamoDBStreams_20120810.ListStreams is not supported"}`},
		{"a table that is not there", "POST", "DynamoDB_20120810.DescribeTable", "application/x-amz-json-1.0", `{"TableName":"none"}`, 400,
			`{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found: Table: none not found"}`},
		{"an operation that there is not", "POST", "DynamoDB_20120810.Forget", "application/x-amz-json-1.0", `{}`, 400, unknown},
		{"an operation in another case", "POST", "DynamoDB_20120810.listTables", "application/x-amz-json-1.0", `{}`, 400, unknown},
		{"another version", "POST", "DynamoDB_20111205.ListTables", "application/x-amz-json-1.0", `{}`, 400, unknown},
		{"no target", "POST", "", "application/json", `{}`, 400, unknown},
		{"no JSON for an operation that there is not", "POST", "DynamoDB_20120810.Forget", "application/x-amz-json-1.0", `{`, 400, `{"__type":"com.amazon.coral.service#SerializationException"}`},
		{"no JSON and no target", "POST", "", "application/json", `{`, 400, `{"__type":"com.amazon.coral.service#SerializationException"}`},
		{"nothing but the method", "POST", "", "", ``, 400, unknown},
		{"an operation in a text", "POST", "DynamoDB_20120810.ListTables", "text/plain", `{}`, 404, "<UnknownOperationException/>\n"},
		{"an operation without a content type", "POST", "DynamoDB_20120810.ListTables", "", `{}`, 200, `{"TableNames":[]}`},
		{"a body that might be anything", "POST", "", "", `{}`, 404, "<UnknownOperationException/>\n"},
		{"a health check", "GET", "", "", ``, 200, "healthy: dynamodb.us-east-1.amazonaws.com "},
		{"no request to DynamoDB", "PUT", "", "text/plain", `x`, 404, "<UnknownOperationException/>\n"},
	} {
		r := httptest.NewRequest(test.method, "/", strings.NewReader(test.body))
		r.Header.Set("X-Amz-Target", test.target)
		r.Header.Set("Content-Type", test.contentType)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Code != test.status || w.Body.String() != test.want {
			t.Errorf("%s: got %d %s, want %d %s", test.reason, w.Code, w.Body, test.status, test.want)
		}
		crc := strconv.FormatUint(uint64(crc32.ChecksumIEEE(w.Body.Bytes())), 10)
		if got := w.Header().Get("X-Amz-Crc32"); got != crc {
			t.Errorf("%s: checksum %s, want %s", test.reason, got, crc)
		}
		if id := w.Header().Get("X-Amzn-Requestid"); len(id) != 52 {
			t.Errorf("%s: request id %q, want 52 characters", test.reason, id)
		}
	}
}

// Pages of any origin may call the engine.
func TestOtherOrigins(t *testing.T) {
	e := dynamotest.NewEngine()
	send := func(method string, headers map[string]string) *http.Response {
		r := httptest.NewRequest(method, "/", strings.NewReader(`{}`))
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		return w.Result()
	}
	asked := send("OPTIONS", map[string]string{"Origin": "http://page.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-amz-target, content-type"})
	want := map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "x-amz-target, content-type",
		"Access-Control-Max-Age": "172800", "Content-Length": "0"}
	for name, value := range want {
		if got := asked.Header.Get(name); asked.StatusCode != 200 || got != value {
			t.Errorf("preflight: %d, %s is %q, want %q", asked.StatusCode, name, got, value)
		}
	}
	called := send("POST", map[string]string{"Origin": "http://page.example", "X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0"})
	if got := called.Header.Get("Access-Control-Allow-Origin"); called.StatusCode != 200 || got != "*" {
		t.Errorf("call: %d, Access-Control-Allow-Origin is %q, want *", called.StatusCode, got)
	}
	if got := send("OPTIONS", nil); got.StatusCode != 404 || got.Header.Get("Content-Type") != "" {
		t.Errorf("without an origin: %d of type %q, want 404 of none", got.StatusCode, got.Header.Get("Content-Type"))
	}
	if got := send("GET", nil).Header.Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("a request of no page allows %q", got)
	}
}

func TestRequestsThatAreTooLarge(t *testing.T) {
	url := serve(t, dynamotest.NewEngine())
	r, err := http.NewRequest("POST", url, io.LimitReader(endless{}, 17<<20))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.PutItem")
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if diff := cmp.Diff(http.StatusRequestEntityTooLarge, answer.StatusCode); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
