package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/singletable-go/singletable/examples/mileage/internal/api"
	"github.com/singletable-go/singletable/examples/mileage/internal/dynamo"
	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
	"github.com/singletable-go/singletable/internal/dbtest"
)

// The bearer tokens of the tests.
const (
	kim   = "token-of-kim"
	sanne = "token-of-sanne"
)

// amsterdam is an hour ahead of UTC in winter and two in summer.
var amsterdam = func() *time.Location {
	loc, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		panic(err)
	}
	return loc
}()

// world is a server with two users: kim drives 67-PK-KS and 12-AB-CD, sanne drives
// 67-PK-KS too.
type world struct {
	t     *testing.T
	url   string
	store *dynamo.Store
	ctx   context.Context // that of the server's table
	ticks atomic.Int64
}

// now is a clock that never shows a millisecond twice, so that ids sort as they are
// made.
func (w *world) now() time.Time {
	return time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(w.ticks.Add(1)) * time.Millisecond)
}

// eachDesign runs a test with each form of the index.
func eachDesign(t *testing.T, test func(t *testing.T, w *world)) {
	t.Run("joined", func(t *testing.T) { test(t, newWorld(t, dynamo.Joined)) })
	t.Run("native", func(t *testing.T) { test(t, newWorld(t, dynamo.Native)) })
}

func newWorld(t *testing.T, d *dynamo.Design) *world {
	db := dbtest.Client(t)
	if d == dynamo.Native && !dbtest.HasNativeIndexes(t, db) {
		t.Skip("no indexes with keys of several attributes")
	}
	w := &world{t: t, ctx: dynamo.WithTable(context.Background(), dbtest.UniqueName(t))}
	dbtest.CreateIn(t, w.ctx, db, d.Table)
	w.store = dynamo.NewStore(db, d, []byte("0123456789abcdef"))
	for _, u := range []struct {
		id       mileage.UserID
		token    string
		vehicles []mileage.Plate
	}{{"u-kim", kim, []mileage.Plate{"67-PK-KS", "12-AB-CD"}}, {"u-sanne", sanne, []mileage.Plate{"67-PK-KS"}}} {
		if err := w.store.PutUser(w.ctx, mileage.User{ID: u.id, Name: strings.TrimPrefix(string(u.id), "u-")}, u.token); err != nil {
			t.Fatal(err)
		}
		for _, plate := range u.vehicles {
			if _, err := w.store.PutVehicle(w.ctx, mileage.Vehicle{User: u.id, Plate: plate, Description: "a car"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.url = serve(t, w.ctx, w.store, api.Options{Location: amsterdam, Now: w.now})
	return w
}

// serve serves a store until the test ends.
func serve(t *testing.T, ctx context.Context, store api.Store, o api.Options) (url string) {
	s := httptest.NewUnstartedServer(api.New(store, o))
	s.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// answer is what a request was answered with.
type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) String() string { return fmt.Sprintf("%d %s", a.status, a.body) }

// send sends a request; headers are given as name and value in turn.
func (w *world) send(method, path, token, body string, headers ...string) answer {
	w.t.Helper()
	return send(w.t, method, w.url+path, token, body, headers...)
}

func send(t testing.TB, method, url, token, body string, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(text)}
}

// want sends a request and ends the test unless it is answered with the status.
func (w *world) want(status int, method, path, token, body string, headers ...string) answer {
	w.t.Helper()
	a := w.send(method, path, token, body, headers...)
	if a.status != status {
		w.t.Fatalf("%s %s: %v, want %d", method, path, a, status)
	}
	return a
}

// into reads the JSON of an answer.
func (a answer) into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), v); err != nil {
		t.Fatalf("%v: %v", a, err)
	}
}

// tripAt is the body of a trip of an hour that starts at a time.
func tripAt(start string, from, to int, purpose string) string {
	at, err := time.Parse(time.RFC3339, start)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"purpose":%q,"start":{"at":%q,"km":%d,"place":"Utrecht"},"end":{"at":%q,"km":%d,"place":"Delft"}}`,
		purpose, start, from, at.Add(time.Hour).Format(time.RFC3339), to)
}

// post creates a trip and gives its URL.
func (w *world) post(token, plate, body string) (url string) {
	w.t.Helper()
	return w.want(http.StatusCreated, "POST", "/api/vehicles/"+plate+"/trips", token, body).header.Get("Location")
}
