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
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/dynamotest"
	"github.com/singletable-go/singletable/model"
)

func main() {
	endpoint := flag.String("endpoint", "", "URL of a DynamoDB, such as http://127.0.0.1:8000; none: one within the program")
	table := flag.String("table", Table.Name(), "name of the table to create")
	keep := flag.Bool("keep", false, "leave the tables there at the end")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := story{
		db:       connect(*endpoint),
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
	for _, t := range tables {
		drop, err := create(ctx, s.db, t)
		if err != nil {
			return err
		}
		if !keep {
			defer func() { err = errors.Join(err, drop()) }()
		}
	}
	return s.tell(ctx)
}

// connect gives a client of the DynamoDB at the endpoint, or of one within the
// program where that is "".
func connect(endpoint string) *dynamodb.Client {
	if endpoint == "" {
		return dynamotest.NewEngine().Client()
	}
	env := func(name, otherwise string) string {
		if v := os.Getenv(name); v != "" {
			return v
		}
		return otherwise
	}
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: &endpoint,
		Region:       env("AWS_REGION", "eu-west-1"),
		Credentials: credentials.NewStaticCredentialsProvider(
			env("AWS_ACCESS_KEY_ID", "local"), env("AWS_SECRET_ACCESS_KEY", "local"), os.Getenv("AWS_SESSION_TOKEN")),
	})
}

// create creates a table as it is declared and gives what deletes it. A table
// that is there already is an error, and is left alone.
func create(ctx context.Context, db *dynamodb.Client, t *model.Table) (drop func() error, err error) {
	name := t.PhysicalName(ctx)
	in := t.CreateInput()
	in.TableName = &name
	if _, err := db.CreateTable(ctx, in); err != nil {
		if inUse := new(types.ResourceInUseException); errors.As(err, &inUse) {
			return nil, fmt.Errorf("table %s is there already; name another with -table: %w", name, err)
		}
		return nil, err
	}
	drop = func() error {
		// Clean up also after an interrupt.
		_, err := db.DeleteTable(context.WithoutCancel(ctx), &dynamodb.DeleteTableInput{TableName: &name})
		return err
	}
	wait := dynamodb.NewTableExistsWaiter(db, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 100*time.Millisecond, 5*time.Second
	})
	if err := wait.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, 2*time.Minute); err != nil {
		return nil, errors.Join(err, drop())
	}
	return drop, nil
}
