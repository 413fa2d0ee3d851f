package engine_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/examples/internal/engine"
	"github.com/singletable-go/singletable/internal/dbtest"
	"github.com/singletable-go/singletable/model"
)

func table(t *testing.T) (*model.Table, string) {
	name := dbtest.UniqueName(t)
	return model.NewTable("declared", model.PrimaryKey("pk"), model.NameFunc(func(context.Context) string { return name })), name
}

func exists(t *testing.T, db *dynamodb.Client, name string) bool {
	t.Helper()
	out, err := db.DescribeTable(context.Background(), &dynamodb.DescribeTableInput{TableName: &name})
	if gone := new(types.ResourceNotFoundException); errors.As(err, &gone) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Table.TableStatus == types.TableStatusActive
}

// Tables are there until they are dropped, also when the context has ended.
func TestCreate(t *testing.T) {
	db := dbtest.Client(t)
	a, aName := table(t)
	b, bName := table(t)
	ctx, cancel := context.WithCancel(context.Background())
	drop, err := engine.Create(ctx, db, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if got := []bool{exists(t, db, aName), exists(t, db, bName)}; !slices.Equal(got, []bool{true, true}) {
		t.Errorf("after Create: there are %v", got)
	}
	cancel()
	if err := drop(); err != nil {
		t.Error(err)
	}
	if got := []bool{exists(t, db, aName), exists(t, db, bName)}; !slices.Equal(got, []bool{false, false}) {
		t.Errorf("after drop: there are %v", got)
	}
}

// A table that is there already stays, and what was created before it goes.
func TestCreateFails(t *testing.T) {
	db := dbtest.Client(t)
	mine, mineName := table(t)
	dbtest.Create(t, db, mine)
	fresh, freshName := table(t)
	inUse := new(types.ResourceInUseException)
	if _, err := engine.Create(context.Background(), db, fresh, mine); !errors.As(err, &inUse) {
		t.Errorf("Create of a table that is there: %v, want %T", err, inUse)
	}
	if !exists(t, db, mineName) || exists(t, db, freshName) {
		t.Errorf("after a Create that failed: the table that was there %t, the other %t", exists(t, db, mineName), exists(t, db, freshName))
	}
}

// Without an endpoint the engine is in the process, and another for each call.
func TestConnect(t *testing.T) {
	tbl, name := table(t)
	one, other := engine.Connect(""), engine.Connect("")
	if _, err := engine.Create(context.Background(), one, tbl); err != nil {
		t.Fatal(err)
	}
	if !exists(t, one, name) || exists(t, other, name) {
		t.Errorf("the table is in one engine %t, in the other %t", exists(t, one, name), exists(t, other, name))
	}
	if got := *engine.Connect("http://127.0.0.1:8000").Options().BaseEndpoint; got != "http://127.0.0.1:8000" {
		t.Errorf("endpoint %q", got)
	}
}
