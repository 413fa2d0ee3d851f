// Package engine gives the examples a DynamoDB to run on, and their tables.
package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/dynamotest"
	"github.com/singletable-go/singletable/model"
)

// Connect gives a client of the DynamoDB at the endpoint, with the region and
// credentials of the usual AWS_ variables, or, where the endpoint is "", of one
// within the program.
func Connect(endpoint string) *dynamodb.Client {
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

// Create creates tables as they are declared and waits until they can be used. The
// function that it gives deletes them, also after ctx has ended. A table that is
// there already is an error, and is left alone.
func Create(ctx context.Context, db *dynamodb.Client, tables ...*model.Table) (drop func() error, err error) {
	var created []string
	dropAll := func() error {
		var errs []error
		for _, name := range created {
			_, err := db.DeleteTable(context.WithoutCancel(ctx), &dynamodb.DeleteTableInput{TableName: &name})
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, dropAll())
		}
	}()
	wait := dynamodb.NewTableExistsWaiter(db, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 100*time.Millisecond, 5*time.Second
	})
	for _, t := range tables {
		name := t.PhysicalName(ctx)
		in := t.CreateInput()
		in.TableName = &name
		if _, err := db.CreateTable(ctx, in); err != nil {
			if inUse := new(types.ResourceInUseException); errors.As(err, &inUse) {
				return nil, fmt.Errorf("table %s is there already; name another with -table: %w", name, err)
			}
			return nil, err
		}
		created = append(created, name)
		if err := wait.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, 2*time.Minute); err != nil {
			return nil, err
		}
	}
	return dropAll, nil
}
