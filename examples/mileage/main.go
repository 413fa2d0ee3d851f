// Mileage serves the registration of the trips of company cars over HTTP, kept in one
// DynamoDB table.
//
//	go run ./examples/mileage          serves, and prints curl lines to try
//	go run ./examples/mileage -demo    tells why the table is as it is, and what it costs
//
// It uses an in-process DynamoDB with sample data. -endpoint names any other, with the
// region and credentials of the usual AWS_ variables. The tables that it creates are
// deleted at the end, unless -keep is given.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // so that -zone works on any machine

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/examples/internal/engine"
	"github.com/singletable-go/singletable/examples/mileage/internal/api"
	"github.com/singletable-go/singletable/examples/mileage/internal/dynamo"
	"github.com/singletable-go/singletable/query"
	"github.com/singletable-go/singletable/txn"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "mileage:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("mileage", flag.ContinueOnError)
	flags.SetOutput(out)
	var (
		addr     = flags.String("addr", "127.0.0.1:8080", "address to serve on")
		zone     = flags.String("zone", "Europe/Amsterdam", "time zone in which days and years begin")
		endpoint = flags.String("endpoint", "", "URL of a DynamoDB, such as http://127.0.0.1:8000; none: one within the program")
		table    = flags.String("table", "", "name of the table to create (default that of the design)")
		keep     = flags.Bool("keep", false, "leave the tables there at the end")
		native   = flags.Bool("native", false, "serve from an index whose keys are several attributes, tell of it with -endpoint, too")
		trace    = flags.Bool("trace", false, "log every read and write, with what it consumed")
		demo     = flags.Bool("demo", false, "tell the story of the design instead of serving")
	)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: there are flags alone, see -help", flags.Arg(0))
	}
	location, err := time.LoadLocation(*zone)
	if err != nil {
		return err
	}
	db := engine.Connect(*endpoint)
	if *demo {
		return tell(ctx, db, *table, *keep, *native || *endpoint == "", out)
	}
	design := dynamo.Joined
	if *native {
		design = dynamo.Native
	}
	s := service{db: db, design: design, table: *table, keep: *keep, addr: *addr, location: location, out: out}
	if *trace {
		s.trace = slog.Default()
	}
	return s.run(ctx)
}

// service is a registration that is served.
type service struct {
	db       *dynamodb.Client
	design   *dynamo.Design
	table    string // "" is that of the design
	keep     bool
	addr     string
	location *time.Location
	out      io.Writer
	trace    *slog.Logger // nil: no trace
}

// run creates the table, fills it with sample data, and serves until ctx ends.
func (s service) run(ctx context.Context) (err error) {
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		return fmt.Errorf("%w; name another address with -addr", err)
	}
	defer listener.Close()
	named := dynamo.WithTable(ctx, s.table)
	drop, err := engine.Create(named, s.db, s.design.Table)
	if err != nil {
		return err
	}
	if !s.keep {
		defer func() { err = errors.Join(err, drop()) }()
	}

	secret := make([]byte, 32) // cursors do not outlive the process
	rand.Read(secret)
	store := dynamo.NewStore(s.db, s.design, secret)
	tokens, err := fill(named, store, s.location)
	if err != nil {
		return err
	}
	printTour(s.out, "http://"+listener.Addr().String(), tokens)

	// Requests go on when ctx ends; they have until the end of the shutdown.
	base := context.WithoutCancel(named)
	if s.trace != nil {
		base = traced(base, s.trace)
	}
	handler := api.New(store, api.Options{Location: s.location})
	return serve(ctx, listener, newServer(base, handler), 10*time.Second)
}

// traced gives a context under which every read and write is logged, with what it
// consumed. The patterns hold no values, so they do for the labels of metrics, too.
func traced(ctx context.Context, log *slog.Logger) context.Context {
	ctx = query.WithHook(ctx, func(ctx context.Context, e query.Event) {
		log.InfoContext(ctx, "read", "op", e.Op, "entity", e.Entity, "pattern", e.Pattern,
			"evaluated", e.Stats.Evaluated, "returned", e.Stats.Returned, "units", e.Stats.Capacity)
	})
	return txn.WithHook(ctx, func(ctx context.Context, e txn.Event) {
		for _, a := range e.Actions {
			log.InfoContext(ctx, "write", "op", a.Op, "entity", a.Entity, "pattern", a.Pattern,
				"attempts", e.Result.Attempts, "units", e.Result.WriteUnits(), "error", e.Err)
		}
	})
}

// newServer gives a server that no slow client can hold up.
func newServer(base context.Context, handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
}

// serve serves until ctx ends. Then it takes no more requests, and gives those that
// it has a time to end.
func serve(ctx context.Context, l net.Listener, s *http.Server, grace time.Duration) error {
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := s.Shutdown(last); err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}
