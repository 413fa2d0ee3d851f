package model

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// CreateInput returns the request that creates the table as it is declared, under
// its declared name, paid per request. A fresh value: set another TableName,
// throughput, tags or encryption as you need. The time to live is switched on by
// another request, UpdateTimeToLive, once the table exists; [Table.TTLAttribute]
// names its attribute.
func (t *Table) CreateInput() *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:   aws.String(t.name),
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   []types.KeySchemaElement{{AttributeName: aws.String(t.pk), KeyType: types.KeyTypeHash}},
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String(t.pk), AttributeType: types.ScalarAttributeTypeS},
		},
	}
	if t.sk != "" {
		in.KeySchema = append(in.KeySchema, types.KeySchemaElement{AttributeName: aws.String(t.sk), KeyType: types.KeyTypeRange})
		in.AttributeDefinitions = append(in.AttributeDefinitions,
			types.AttributeDefinition{AttributeName: aws.String(t.sk), AttributeType: types.ScalarAttributeTypeS})
	}
	return in
}

// TTLAttribute returns the name of the attribute that holds the time to live of
// the table's items, "" when no entity defined so far has one.
func (t *Table) TTLAttribute() string {
	for _, s := range t.entities.Load().all {
		if name := s.roles.names.TTL; name != "" {
			return name
		}
	}
	return ""
}

// Check compares a live table, as DescribeTable tells it, with the declaration.
// It returns nil, or a *[CheckError] that names every difference: key schema and
// attribute types, and, where a description of the time to live is given, whether
// it is switched on for the attribute that the entities use, or for one that none
// uses. What the declaration says nothing of (its physical name, throughput,
// tags, secondary indexes) is not looked at.
func (t *Table) Check(d *types.TableDescription, ttl ...*types.TimeToLiveDescription) error {
	var diff []string
	note := func(format string, args ...any) { diff = append(diff, fmt.Sprintf(format, args...)) }
	if d == nil {
		note("there is no description of it")
	} else {
		t.checkKeySchema(d, note)
	}
	for _, l := range ttl {
		t.checkTTL(l, note)
	}
	if len(diff) == 0 {
		return nil
	}
	return &CheckError{Table: t.name, Differences: diff}
}

func (t *Table) checkKeySchema(d *types.TableDescription, note func(string, ...any)) {
	live := map[types.KeyType]string{}
	for _, e := range d.KeySchema {
		live[e.KeyType] = aws.ToString(e.AttributeName)
	}
	for _, k := range []struct {
		what, want string
		typ        types.KeyType
	}{{"partition key", t.pk, types.KeyTypeHash}, {"sort key", t.sk, types.KeyTypeRange}} {
		switch got := live[k.typ]; {
		case got == k.want:
		case got == "":
			note("it has no %s, declared is %q", k.what, k.want)
		case k.want == "":
			note("its %s is %q, declared is none", k.what, got)
		default:
			note("its %s is %q, declared is %q", k.what, got, k.want)
		}
	}
	attrs := map[string]types.ScalarAttributeType{}
	for _, a := range d.AttributeDefinitions {
		attrs[aws.ToString(a.AttributeName)] = a.AttributeType
	}
	for _, name := range []string{t.pk, t.sk} {
		if got, ok := attrs[name]; ok && got != types.ScalarAttributeTypeS {
			note("its attribute %q is of type %s, declared is S", name, got)
		}
	}
}

func (t *Table) checkTTL(l *types.TimeToLiveDescription, note func(string, ...any)) {
	if l == nil {
		return
	}
	want, got := t.TTLAttribute(), ""
	if l.TimeToLiveStatus == types.TimeToLiveStatusEnabled || l.TimeToLiveStatus == types.TimeToLiveStatusEnabling {
		got = aws.ToString(l.AttributeName)
	}
	switch {
	case got == want:
	case got == "":
		note("its time to live is not switched on, declared is attribute %q", want)
	case want == "":
		note("its time to live is attribute %q, declared is none", got)
	default:
		note("its time to live is attribute %q, declared is %q", got, want)
	}
}
