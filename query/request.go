package query

import (
	"slices"

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
	r := &request{table: p.name}
	in := &r.in
	in.TableName = &r.table
	if p.schema.index != nil {
		r.index = p.schema.index.Name()
		in.IndexName = &r.index
	}
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityIndexes
	if p.schema.joined() {
		p.ask(r)
	} else {
		r.condition, in.ExpressionAttributeNames, in.ExpressionAttributeValues = condition(slices.Concat(p.hash, p.sort))
	}
	in.KeyConditionExpression = &r.condition
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

// ask sets the key condition where both keys are one text each.
func (p *plan) ask(r *request) {
	r.condition, r.pk.Value = conditions[p.op], p.pk
	r.in.ExpressionAttributeNames = map[string]string{"#pk": p.schema.hash.Attributes[0].Name}
	r.in.ExpressionAttributeValues = map[string]types.AttributeValue{":pk": &r.pk}
	o := operands[p.op]
	if o.lo || o.hi {
		r.in.ExpressionAttributeNames["#sk"] = p.schema.sort.Attributes[0].Name
	}
	if o.lo {
		r.lo.Value = p.lo
		r.in.ExpressionAttributeValues[":lo"] = &r.lo
	}
	if o.hi {
		r.hi.Value = p.hi
		r.in.ExpressionAttributeValues[":hi"] = &r.hi
	}
}
