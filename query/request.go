package query

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// request is a QueryInput together with what it points to: one allocation
// where there would be eight.
type request struct {
	in         dynamodb.QueryInput
	table      string
	index      string
	condition  string
	filter     string
	projection string
	limit      int32
	forward    bool
	consistent bool
	pk, lo, hi types.AttributeValueMemberS
}

// input is the request for what follows start, a key, of which DynamoDB
// evaluates at most limit items. It shares nothing with another request that
// a client could change, but the values of the user's filter.
func (p *plan) input(start model.Item, limit int32, desc bool) *dynamodb.QueryInput {
	r := &request{table: p.name, condition: conditions[p.op]}
	in := &r.in
	in.TableName = &r.table
	if p.schema.index != "" {
		r.index = p.schema.index
		in.IndexName = &r.index
	}
	in.KeyConditionExpression = &r.condition
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes

	in.ExpressionAttributeNames = map[string]string{"#pk": p.schema.hash[0].name}
	r.pk.Value = p.pk
	in.ExpressionAttributeValues = map[string]types.AttributeValue{":pk": &r.pk}
	if o := operands[p.op]; o.lo || o.hi {
		in.ExpressionAttributeNames["#sk"] = p.schema.sort[0].name
		if o.lo {
			r.lo.Value = p.lo
			in.ExpressionAttributeValues[":lo"] = &r.lo
		}
		if o.hi {
			r.hi.Value = p.hi
			in.ExpressionAttributeValues[":hi"] = &r.hi
		}
	}
	if p.filter != nil {
		r.filter = p.filter.text
		in.FilterExpression = &r.filter
		for alias, name := range p.filter.names {
			in.ExpressionAttributeNames[alias] = name
		}
		for alias, value := range p.filter.values {
			in.ExpressionAttributeValues[alias] = value
		}
	}
	if p.projection != nil {
		r.projection = p.projection.text
		in.ProjectionExpression = &r.projection
		for alias, name := range p.projection.names {
			in.ExpressionAttributeNames[alias] = name
		}
	}
	if desc {
		in.ScanIndexForward = &r.forward
	}
	if p.consistent {
		r.consistent = true
		in.ConsistentRead = &r.consistent
	}
	if limit > 0 {
		r.limit = limit
		in.Limit = &r.limit
	}
	in.ExclusiveStartKey = start
	return in
}
