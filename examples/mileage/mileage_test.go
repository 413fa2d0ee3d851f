package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/examples/mileage/internal/dynamo"
	"github.com/singletable-go/singletable/internal/dbtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The story is what it was, with all that it measures. On a DynamoDB without indexes
// with keys of several attributes it is the story without their chapter.
func TestOutput(t *testing.T) {
	golden, native := "testdata/demo.golden", true
	db := dbtest.Client(t)
	if !dbtest.HasNativeIndexes(t, db) {
		golden, native = "testdata/demo-joined.golden", false
	}
	var out bytes.Buffer
	if err := tell(context.Background(), db, dbtest.UniqueName(t), false, native, &out); err != nil {
		t.Fatalf("%v\nafter:\n%s", err, &out)
	}
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("output differs from %s (-want +got):\n%s", golden, diff)
	}
}

// The program serves its sample data until it is told to stop, and the token that it
// prints is good for it.
func TestServe(t *testing.T) {
	for name, design := range map[string]*dynamo.Design{"joined": dynamo.Joined, "native": dynamo.Native} {
		t.Run(name, func(t *testing.T) {
			db := dbtest.Client(t)
			if design == dynamo.Native && !dbtest.HasNativeIndexes(t, db) {
				t.Skip("no indexes with keys of several attributes")
			}
			ctx, stop := context.WithCancel(context.Background())
			read, write := io.Pipe()
			ended := make(chan error, 1)
			var trace bytes.Buffer
			go func() {
				ended <- service{
					db: db, design: design, table: dbtest.UniqueName(t), addr: "127.0.0.1:0",
					location: time.UTC, out: write, trace: slog.New(slog.NewTextHandler(&trace, nil)),
				}.run(ctx)
				write.Close()
			}()
			tour, url, token := new(strings.Builder), "", ""
			buf := make([]byte, 4096)
			for !strings.Contains(tour.String(), "Ctrl-C") {
				n, err := read.Read(buf)
				tour.Write(buf[:n])
				if err != nil {
					t.Fatalf("%v after %s: %v", err, tour, <-ended)
				}
			}
			for _, word := range strings.Fields(tour.String()) {
				if v, ok := strings.CutPrefix(word, "API="); ok {
					url = v
				}
				if v, ok := strings.CutPrefix(word, "KIM="); ok {
					token = v
				}
			}
			r, err := http.NewRequest("GET", url+"/api/vehicles/67-pk-ks/report?year=2026", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+token)
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(res.Body)
			res.Body.Close()
			if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(body), `"trips":32,`) || !strings.Contains(string(body), `"privateKm":78,`) {
				t.Errorf("GET report: %s %s %v", res.Status, body, err)
			}
			stop()
			if err := <-ended; err != nil {
				t.Errorf("after the stop: %v", err)
			}
			if line := `msg=read op=Get entity=Token pattern=`; !strings.Contains(trace.String(), line) {
				t.Errorf("trace without %s:\n%s", line, &trace)
			}
			if _, err := http.DefaultClient.Do(r); err == nil {
				t.Error("still serving after the stop")
			}
		})
	}
}

// A request that is under way when the program is told to stop is answered.
func TestGracefulShutdown(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	arrived, goOn := make(chan struct{}), make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-goOn
		if err := r.Context().Err(); err != nil {
			t.Errorf("context of a request under way: %v", err)
		}
		io.WriteString(w, "done")
	})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	server := newServer(context.WithoutCancel(ctx), handler)
	draining := make(chan struct{})
	server.RegisterOnShutdown(func() { close(draining) })
	go func() { ended <- serve(ctx, listener, server, time.Minute) }()

	answered := make(chan string, 1)
	go func() {
		res, err := http.Get("http://" + listener.Addr().String())
		if err != nil {
			answered <- err.Error()
			return
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		answered <- string(body)
	}()
	<-arrived
	stop()
	<-draining
	close(goOn)
	if got := <-answered; got != "done" {
		t.Errorf("the request under way was answered %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("serve: %v", err)
	}
	if _, err := http.Get("http://" + listener.Addr().String()); err == nil {
		t.Error("still serving after the shutdown")
	}
}

// A grace that is too short ends requests, and is an error.
func TestShutdownRunsOut(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	arrived := make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- serve(ctx, listener, newServer(context.WithoutCancel(ctx), handler), time.Millisecond)
	}()
	answered := make(chan error, 1)
	go func() {
		_, err := http.Get("http://" + listener.Addr().String())
		answered <- err
	}()
	<-arrived
	stop()
	if err := <-ended; err == nil {
		t.Error("serve of a request without end: no error")
	}
	if err := <-answered; err == nil {
		t.Error("a request without end was answered")
	}
}

func TestFlags(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-zone", "Mars/Olympus"}, "unknown time zone"},
		{[]string{"-addr", "nowhere"}, "-addr"},
		{[]string{"-colour"}, "not defined"},
		{[]string{"demo"}, `unexpected argument "demo"`},
	} {
		var out bytes.Buffer
		if err := run(context.Background(), test.args, &out); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("mileage %q: %v, want an error with %q", test.args, err, test.want)
		}
	}
}
