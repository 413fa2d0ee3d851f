// Command dynamotest serves an in-memory DynamoDB over HTTP, for programs that
// are not written in Go or do not run in the process of a test:
//
//	go run ./dynamotest/cmd/dynamotest -addr localhost:8000
//
// Clients name the address as their endpoint and may use any region and any
// credentials. Nothing is kept when it ends.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/singletable-go/singletable/dynamotest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "dynamotest:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends.
func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("dynamotest", flag.ContinueOnError)
	addr := flags.String("addr", "localhost:8000", "address to listen on; port 0 picks a free one")
	lag := flags.Duration("gsi-lag", 0, "how long global secondary indexes lag behind")
	ttlDelay := flags.Duration("ttl-delay", 0, "how long expired items stay")
	region := flags.String("region", "us-east-1", "region of the ARNs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	engine := dynamotest.NewEngine(dynamotest.WithGSILag(*lag), dynamotest.WithTTLDelay(*ttlDelay),
		dynamotest.WithRegion(*region), dynamotest.WithRecordLimit(0))
	fmt.Printf("DynamoDB is at http://%s\n", l.Addr())
	server := &http.Server{Handler: engine, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return server.Shutdown(end)
}
