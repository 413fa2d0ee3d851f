package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// tracer is a client that prints what it sends.
type tracer struct {
	*dynamodb.Client
	out io.Writer
}

func (t tracer) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	fmt.Fprintln(t.out, "   Query", resolve(in.KeyConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues))
	return t.Client.Query(ctx, in, opts...)
}

func (t tracer) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	fmt.Fprintln(t.out, "   GetItem", keyText(in.Key))
	return t.Client.GetItem(ctx, in, opts...)
}

func (t tracer) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, opts ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	fmt.Fprintln(t.out, "   TransactWriteItems")
	for _, w := range in.TransactItems {
		switch {
		case w.Put != nil:
			fmt.Fprintln(t.out, "     Put   ", keyText(w.Put.Item))
			fmt.Fprintln(t.out, "       if", resolve(w.Put.ConditionExpression, w.Put.ExpressionAttributeNames, w.Put.ExpressionAttributeValues))
		case w.Delete != nil:
			fmt.Fprintln(t.out, "     Delete", keyText(w.Delete.Key))
			fmt.Fprintln(t.out, "       if", resolve(w.Delete.ConditionExpression, w.Delete.ExpressionAttributeNames, w.Delete.ExpressionAttributeValues))
		}
	}
	return t.Client.TransactWriteItems(ctx, in, opts...)
}

var alias = regexp.MustCompile(`[#:]\w+`)

// resolve writes an expression with the names and values that its aliases stand
// for.
func resolve(expression *string, names map[string]string, values map[string]types.AttributeValue) string {
	return alias.ReplaceAllStringFunc(aws.ToString(expression), func(s string) string {
		if name, ok := names[s]; ok {
			return name
		}
		return valueText(values[s])
	})
}

func valueText(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return strconv.Quote(v.Value)
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return fmt.Sprintf("%T", v)
}

func keyText(item map[string]types.AttributeValue) string {
	return "pk = " + valueText(item["pk"]) + " AND sk = " + valueText(item["sk"])
}

// printOrders prints orders as a table, in the order in which they were read.
func printOrders(out io.Writer, orders ...WorkOrder) {
	rows := [][]string{{"STATUS", "SCHEDULED", "ORDER", "CUSTOMER", "TASK", "ENGINEER"}}
	for _, o := range orders {
		engineer := o.Engineer
		if engineer == "" {
			engineer = "-"
		}
		rows = append(rows, []string{string(o.Status), o.ScheduledOn.String(), o.OrderID, o.Customer, o.Task, engineer})
	}
	printTable(out, rows)
}

func printTable(out io.Writer, rows [][]string) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, "   "+strings.Join(row, "\t"))
	}
	w.Flush()
}

// printIDs prints the ids of orders, grouped by status, as a board shows them.
func printIDs(out io.Writer, title string, orders []WorkOrder) {
	fmt.Fprintln(out, "   "+title)
	for _, status := range []Status{Open, Done} {
		var ids []string
		for _, o := range orders {
			if o.Status == status {
				ids = append(ids, o.OrderID)
			}
		}
		slices.Sort(ids)
		fmt.Fprintf(out, "     %s  %s\n", status, strings.Join(ids, " "))
	}
}

func units(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
