package query

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/model"
)

// CheckTable fetches the description of a table and its time to live, and compares
// them with the model. It returns what [model.Table.Check] finds, an
// [*model.CheckError] that names every difference; or [ErrZero] for a nil table,
// [ErrNoClient], the error of the context, or that of a request. Each is in an
// [*Error].
func CheckTable(ctx context.Context, db TableDescriber, t *model.Table) error {
	if t.Name() == "" {
		return &Error{Op: "CheckTable", Err: ErrZero}
	}
	fail := func(err error) error {
		return &Error{Op: "CheckTable", Table: t.Name(), Err: err}
	}
	if err := checkClient(db); err != nil {
		return fail(err)
	}
	if err := ctx.Err(); err != nil {
		return fail(err)
	}
	name := t.PhysicalName(ctx)
	table, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return fail(err)
	}
	ttl, err := db.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &name})
	if err != nil {
		return fail(err)
	}
	if table == nil || ttl == nil {
		return fail(ErrResponse)
	}
	if err := t.Check(table.Table, ttl.TimeToLiveDescription); err != nil {
		return fail(err)
	}
	return nil
}
