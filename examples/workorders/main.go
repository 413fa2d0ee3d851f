// Workorders runs the access patterns of a field service on one DynamoDB table
// without an index: lists of orders by region, status and date, and the closing
// of an order, which changes its key.
//
//	go run ./examples/workorders
//
// It uses an in-process DynamoDB. -endpoint names any other, with the region and
// credentials of the usual AWS_ variables. The tables that it creates are deleted
// at the end, unless -keep is given.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/singletable-go/singletable/examples/internal/engine"
)

func main() {
	endpoint := flag.String("endpoint", "", "URL of a DynamoDB, such as http://127.0.0.1:8000; none: one within the program")
	table := flag.String("table", Table.Name(), "name of the table to create")
	keep := flag.Bool("keep", false, "leave the tables there at the end")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "workorders: unexpected argument %q: there are flags alone, see -help\n", flag.Arg(0))
		os.Exit(2)
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := story{
		db:       engine.Connect(*endpoint),
		out:      os.Stdout,
		measured: func(n int) string { return fmt.Sprint(n) },
	}
	if err := s.run(ctx, *table, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "workorders:", err)
		os.Exit(1)
	}
}

// run creates the tables, tells the story and cleans up.
func (s story) run(ctx context.Context, table string, keep bool) (err error) {
	ctx = withTable(ctx, table)
	drop, err := engine.Create(ctx, s.db, tables...)
	if err != nil {
		return err
	}
	if !keep {
		defer func() { err = errors.Join(err, drop()) }()
	}
	return s.tell(ctx)
}
