package dbtest_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/internal/dbtest"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

func TestUniqueName(t *testing.T) {
	allowed := regexp.MustCompile(`^[a-zA-Z0-9_.-]{3,255}$`)
	seen := map[string]bool{}
	for _, name := range []string{"", "a b", "Größe/☃", strings.Repeat("x", 300)} {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				got := dbtest.UniqueName(t)
				if !allowed.MatchString(got) {
					t.Errorf("UniqueName of test %q = %q, which is no name of a table", t.Name(), got)
				}
				if seen[got] {
					t.Errorf("UniqueName of test %q = %q, for the second time", t.Name(), got)
				}
				seen[got] = true
			}
		})
	}
}

// A table is there while its test runs, as it is declared, and no longer.
func TestCreate(t *testing.T) {
	ctx, client := context.Background(), dbtest.Client(t)
	name := dbtest.UniqueName(t)
	tbl := model.NewTable("declared", model.PrimaryKey("pk", "sk"),
		model.NameFunc(func(context.Context) string { return name }))
	type session struct {
		ID    string    `dynamodbav:"-" key:"id"`
		Until time.Time `dynamodbav:"until" model:"ttl"`
	}
	model.MustDefine[session](tbl, "Session", keys.MustCompile1("SESSION#<id>", keys.String), keys.Literal("SESSION"))

	t.Run("there", func(t *testing.T) {
		dbtest.Create(t, client, tbl)
		table, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Table.TableStatus; got != types.TableStatusActive {
			t.Errorf("status of the table = %s, want %s", got, types.TableStatusActive)
		}
		ttl, err := client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &name})
		if err != nil {
			t.Fatal(err)
		}
		if err := tbl.Check(table.Table, ttl.TimeToLiveDescription); err != nil {
			t.Error(err)
		}
	})
	if out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name}); err == nil && out.Table.TableStatus != types.TableStatusDeleting {
		t.Errorf("table %s is still there after its test: %s", name, out.Table.TableStatus)
	}
}

// The engine in the process has them, the probe is right where it is asked.
func TestHasNativeIndexes(t *testing.T) {
	client := dbtest.Client(t)
	before, err := client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if err != nil {
		t.Fatal(err)
	}
	var has bool
	t.Run("probe", func(t *testing.T) { has = dbtest.HasNativeIndexes(t, client) })
	if !has && os.Getenv(dbtest.EndpointVariable) == "" {
		t.Error("HasNativeIndexes = false of the engine in this process")
	}
	after, err := client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range after.TableNames {
		if !slices.Contains(before.TableNames, name) && strings.HasPrefix(name, "TestHasNativeIndexes") {
			t.Errorf("the probe left table %s", name)
		}
	}
}
