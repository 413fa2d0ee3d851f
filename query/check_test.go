package query_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

// described is a live table as DynamoDB describes it.
type described struct {
	table            *types.TableDescription
	ttl              *types.TimeToLiveDescription
	tableErr, ttlErr error
	hollow           bool
	asked            []string
}

func (d *described) DescribeTable(_ context.Context, in *dynamodb.DescribeTableInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	d.asked = append(d.asked, *in.TableName)
	if d.hollow {
		return nil, nil
	}
	return &dynamodb.DescribeTableOutput{Table: d.table}, d.tableErr
}

func (d *described) DescribeTimeToLive(_ context.Context, in *dynamodb.DescribeTimeToLiveInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error) {
	d.asked = append(d.asked, *in.TableName)
	return &dynamodb.DescribeTimeToLiveOutput{TimeToLiveDescription: d.ttl}, d.ttlErr
}

func live(t *testing.T, table *model.Table, ttl string) *described {
	in := table.CreateInput()
	d := &described{
		table: &types.TableDescription{
			TableName: in.TableName, KeySchema: in.KeySchema, AttributeDefinitions: in.AttributeDefinitions, TableStatus: types.TableStatusActive,
		},
		ttl: &types.TimeToLiveDescription{TimeToLiveStatus: types.TimeToLiveStatusDisabled},
	}
	if ttl != "" {
		d.ttl = &types.TimeToLiveDescription{TimeToLiveStatus: types.TimeToLiveStatusEnabled, AttributeName: &ttl}
	}
	return d
}

func TestCheckTable(t *testing.T) {
	db := live(t, Service, "until")
	if err := query.CheckTable(t.Context(), db, Service); err != nil {
		t.Errorf("a table as declared: %v", err)
	}
	if len(db.asked) != 2 || db.asked[0] != "field-service" || db.asked[1] != "field-service" {
		t.Errorf("asked about %q", db.asked)
	}
	var check *model.CheckError
	var e *query.Error
	if err := query.CheckTable(t.Context(), live(t, Service, ""), Service); !errors.As(err, &check) || !errors.As(err, &e) || len(check.Differences) == 0 {
		t.Errorf("without time to live: %v, want a *CheckError", err)
	}
	if err := query.CheckTable(t.Context(), live(t, People, ""), Service); !errors.As(err, &check) {
		t.Errorf("another key schema: %v, want a *CheckError", err)
	}
}

func TestCheckTableFails(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name  string
		ctx   context.Context
		db    query.TableDescriber
		table *model.Table
		want  error
	}{
		{"nil table", t.Context(), &described{}, nil, query.ErrZero},
		{"nil client", t.Context(), nil, Service, query.ErrNoClient},
		{"cancelled", cancelled, &described{}, Service, context.Canceled},
		{"no table", t.Context(), &described{tableErr: errFault}, Service, errFault},
		{"no time to live", t.Context(), &described{ttlErr: errFault}, Service, errFault},
		{"no answer", t.Context(), &described{hollow: true}, Service, query.ErrResponse},
	} {
		if err := query.CheckTable(tt.ctx, tt.db, tt.table); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}
