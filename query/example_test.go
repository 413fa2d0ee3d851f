package query_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/query"
)

func ExampleOf() {
	q := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).Between(day(1, 10), day(1, 31)))
	in, err := q.Input(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(*in.KeyConditionExpression)
	for _, alias := range []string{":pk", ":lo", ":hi"} {
		fmt.Printf("%s %+q\n", alias, in.ExpressionAttributeValues[alias].(*types.AttributeValueMemberS).Value)
	}
	// Output:
	// #pk = :pk AND #sk BETWEEN :lo AND :hi
	// :pk "REGION#eu-west"
	// :lo "STATUS#OPEN#2026-01-10#"
	// :hi "STATUS#OPEN#2026-01-31#\uffff"
}

func ExampleQuery_Err() {
	q := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).Between(day(2, 1), day(1, 1)))
	fmt.Println(errors.Is(q.Err(), keys.ErrRange))
	_, err := q.Collect(context.Background(), nil) // nothing is sent
	fmt.Println(err != nil)
	// Output:
	// true
	// true
}

func ExampleQuery_Filter() {
	q := query.Of(Orders, Region.Key("eu-west")).Where(Order.At(Open).All())
	busy := q.Filter(expression.Name("visits").GreaterThan(expression.Value(3)))
	fmt.Println(busy.Err())

	// What is in the key is asked of the key. DynamoDB refuses it in a filter.
	wrong := q.Filter(expression.Name("sk").BeginsWith("STATUS#OPEN#2026-01"))
	fmt.Println(wrong.Err())
	right := q.Where(Order.At(Open).StartsWith("2026-01"))
	fmt.Println(right.Err())
	// Output:
	// <nil>
	// query: Filter field-service WorkOrder: "sk": a filter may not name a key attribute of what is read
	// <nil>
}

func ExampleInto() {
	type Line struct {
		OrderID  string `dynamodbav:"-" key:"orderId"`
		Customer string `dynamodbav:"customer"`
	}
	lines := query.Into[Line](query.Of(Orders, Region.Key("eu-west")))
	in, err := lines.Input(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(in.ExpressionAttributeNames), "attributes are sent instead of all")
	// Output: 5 attributes are sent instead of all
}
