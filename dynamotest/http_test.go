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
