package main

import (
	"context"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// Status is where a work order stands.
type Status string

const (
	Open Status = "OPEN"
	Done Status = "DONE"
)

// WorkOrder is one visit of an engineer to a customer. The fields with a key tag
// live in the key alone: they are written into it and read back from it.
type WorkOrder struct {
	RegionID    string    `dynamodbav:"-" key:"regionId"`
	Status      Status    `dynamodbav:"-" key:"status"`
	ScheduledOn keys.Date `dynamodbav:"-" key:"scheduledOn"`
	OrderID     string    `dynamodbav:"-" key:"orderId"`

	Customer string `dynamodbav:"customer"`
	Task     string `dynamodbav:"task"`
	Engineer string `dynamodbav:"engineer,omitempty"`

	Version int64 `dynamodbav:"version" model:"version"`
}

// The whole design: the orders of a region are one partition, sorted by status,
// then by date, then by id. Every list is a range of that order.
var (
	Region = keys.MustCompile1("REGION#<regionId>", keys.String)
	Order  = keys.MustCompile3("STATUS#<status>#<scheduledOn>#<orderId>",
		keys.Enum(Open, Done), keys.Day, keys.String)

	Table = model.NewTable("field-service",
		model.PrimaryKey("pk", "sk"), model.NameFunc(tableName))
	Orders = model.MustDefine[WorkOrder](Table, "WorkOrder", Region, Order)
)

type tableKey struct{}

// withTable names the table that requests under the context go to, so that one
// program can serve several stages.
func withTable(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, tableKey{}, name)
}

func tableName(ctx context.Context) string {
	name, _ := ctx.Value(tableKey{}).(string)
	return name // where it is "", the table has the name that it was declared with
}
