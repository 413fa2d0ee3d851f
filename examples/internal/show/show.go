// Package show prints what the examples do: the requests that they send, with every
// name and value in its place, and tables.
package show

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Client is a client that prints what it sends, of tables with the keys pk and sk.
type Client struct {
	*dynamodb.Client
	Out   io.Writer
	Spent *Capacity // what is added to for every answer; nil where nobody wants to know
}

// Capacity is what requests consumed, in read and write units.
type Capacity struct {
	Read, Write           float64 // of tables
	IndexRead, IndexWrite float64
}

// consumed adds what one answer says.
func (c Client) consumed(write bool, a *types.ConsumedCapacity) {
	if c.Spent == nil || a == nil {
		return
	}
	table, index := &c.Spent.Read, &c.Spent.IndexRead
	if write {
		table, index = &c.Spent.Write, &c.Spent.IndexWrite
	}
	if a.Table != nil {
		*table += aws.ToFloat64(a.Table.CapacityUnits)
	}
	for _, i := range a.GlobalSecondaryIndexes {
		*index += aws.ToFloat64(i.CapacityUnits)
	}
}

func (c Client) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	verb := "Query"
	if in.IndexName != nil {
		verb += " " + *in.IndexName
	}
	c.print(0, verb, text(in.KeyConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues))
	out, err := c.Client.Query(ctx, in, opts...)
	if err == nil {
		c.consumed(false, out.ConsumedCapacity)
	}
	return out, err
}

func (c Client) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	c.print(0, "GetItem", key(in.Key))
	out, err := c.Client.GetItem(ctx, in, opts...)
	if err == nil {
		c.consumed(false, out.ConsumedCapacity)
	}
	return out, err
}

func (c Client) PutItem(ctx context.Context, in *dynamodb.PutItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	c.print(0, "PutItem", key(in.Item))
	c.print(1, "if", text(in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues))
	out, err := c.Client.PutItem(ctx, in, opts...)
	if err == nil {
		c.consumed(true, out.ConsumedCapacity)
	}
	return out, err
}

func (c Client) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c.print(0, "UpdateItem", key(in.Key))
	c.print(1, "", text(in.UpdateExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues))
	c.print(1, "if", text(in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues))
	out, err := c.Client.UpdateItem(ctx, in, opts...)
	if err == nil {
		c.consumed(true, out.ConsumedCapacity)
	}
	return out, err
}

func (c Client) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, opts ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	c.print(0, "TransactWriteItems", "")
	for _, w := range in.TransactItems {
		switch {
		case w.Put != nil:
			c.print(1, "Put", key(w.Put.Item))
			c.print(2, "if", text(w.Put.ConditionExpression, w.Put.ExpressionAttributeNames, w.Put.ExpressionAttributeValues))
		case w.Delete != nil:
			c.print(1, "Delete", key(w.Delete.Key))
			c.print(2, "if", text(w.Delete.ConditionExpression, w.Delete.ExpressionAttributeNames, w.Delete.ExpressionAttributeValues))
		}
	}
	out, err := c.Client.TransactWriteItems(ctx, in, opts...)
	if err == nil {
		for i := range out.ConsumedCapacity {
			c.consumed(true, &out.ConsumedCapacity[i])
		}
	}
	return out, err
}

func (c Client) print(depth int, verb, what string) {
	if depth > 0 && what == "" {
		return
	}
	line := strings.TrimSpace(verb + " " + what)
	fmt.Fprintln(c.Out, "   "+strings.Repeat("  ", depth)+line)
}

var alias = regexp.MustCompile(`[#:]\w+`)

// newID is a write id, which is another every time.
var newID = regexp.MustCompile(`(\bwrite = )"[A-Z2-7]{26}"`)

// text is an expression with the names and values that its aliases stand for.
func text(expression *string, names map[string]string, values map[string]types.AttributeValue) string {
	all := alias.ReplaceAllStringFunc(aws.ToString(expression), func(s string) string {
		if name, ok := names[s]; ok {
			return name
		}
		return value(values[s])
	})
	return newID.ReplaceAllString(all, "$1<a new id>")
}

func key(item map[string]types.AttributeValue) string {
	return "pk = " + value(item["pk"]) + " AND sk = " + value(item["sk"])
}

func value(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return strconv.Quote(v.Value)
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return fmt.Sprintf("%T", v)
}

// Table prints rows, the first of them the header, in aligned columns.
func Table(out io.Writer, rows [][]string) {
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, "   "+strings.Join(row, "\t"))
	}
	w.Flush()
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(out, strings.TrimRight(line, " \n"))
	}
}

// Units prints capacity units.
func Units(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
