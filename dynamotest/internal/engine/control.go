package engine

import (
	"strconv"
	"strings"
	"time"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// CreateTable, DescribeTable, DeleteTable and ListTables. A table is of use as
// soon as it has been created; the answers show the states in between that the
// service's do.

// requireTableName is how the control plane asks for the name of a table.
func requireTableName(name *string) *Error {
	switch {
	case name == nil:
		return invalid("The parameter 'TableName' is required but was not present in the request")
	case strings.HasPrefix(*name, "arn:"):
		return nil
	case len(*name) < 3 || len(*name) > 255:
		return invalid("TableName must be at least 3 characters long and at most 255 characters long")
	}
	return nil
}

func (e *Engine) createTable(o object, _ Options) ([]byte, *Error) {
	name, billing := o.str("TableName"), o.str("BillingMode")
	key, hasKey := o.readKeySchema()
	sent, hasDefs := o.readAttributeDefinitions()
	locals, hasLocals := o.readIndexes("LocalSecondaryIndexes", "LocalSecondaryIndex")
	globals, hasGlobals := o.readIndexes("GlobalSecondaryIndexes", "GlobalSecondaryIndex")
	units, protected, class := o.readUnits(), o.boolean("DeletionProtectionEnabled"), o.str("TableClass")
	stream, encryption, limits := o.readStream(), o.readEncryption(), o.readOnDemand()
	tags, _ := o.readTags()
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	if name == nil {
		return nil, requireTableName(nil)
	}
	var c constraints
	c.enum(billing, "billingMode", provisioned, payPerRequest)
	c.enum(class, "tableClass", "STANDARD", "STANDARD_INFREQUENT_ACCESS")
	c.pattern(*name, "tableName")
	c.length(*name, "tableName", len(*name), 3, 255)
	c.checkKeySchema(key, hasKey, "keySchema", 2)
	if !hasDefs {
		c.missing("attributeDefinitions")
	}
	c.checkAttributeDefinitions(sent)
	for i, x := range locals {
		c.checkIndex(x, "localSecondaryIndexes."+strconv.Itoa(i+1)+".member", 2)
	}
	for i, x := range globals {
		c.checkIndex(x, "globalSecondaryIndexes."+strconv.Itoa(i+1)+".member", 2*maxIndexKeyParts)
	}
	c.checkUnits(units, "provisionedThroughput")
	c.checkStream(stream)
	c.checkEncryption(encryption)
	c.checkTags(tags)
	if err := c.err(); err != nil {
		return nil, err
	}

	t := &table{name: *name, id: newID(), created: e.now(), rows: newRows(), billing: provisioned, class: orEmpty(class)}
	if billing != nil {
		t.billing = *billing
	}
	t.protected = protected != nil && *protected
	if err := t.setUnits(units); err != nil {
		return nil, err
	}
	if err := t.setOnDemand(limits, t.billing, false); err != nil {
		return nil, err
	}
	if err := t.tag(tags); err != nil {
		return nil, err
	}
	e.setEncryption(t, encryption)
	var err *Error
	if t.attributes, err = definitionsOf(sent); err != nil {
		return nil, err
	}
	if len(key) > len(t.attributes) {
		return nil, invalid("Invalid KeySchema: Some index key attribute have no definition")
	}
	if t.key, err = keySchemaOf(key, t.attributes, false); err != nil {
		return nil, err
	}
	if !hasLocals && !hasGlobals {
		if err := t.checkUse(); err != nil {
			return nil, err
		}
	}
	if err := t.defineIndexes(locals, hasLocals, globals, hasGlobals); err != nil {
		return nil, err
	}
	if err := t.checkUse(); err != nil {
		return nil, err
	}
	if err := t.setStream(stream, t.created); err != nil {
		return nil, err
	}
	if t.billing == payPerRequest {
		t.onDemandAt = t.created
	}

	e.mu.Lock()
	defer e.mu.Unlock()
	if e.tables[t.name] != nil {
		return nil, &Error{Type: ResourceInUse, Message: "Table already exists: " + t.name}
	}
	e.tables[t.name] = t
	return describe("TableDescription", e.description(t, states{table: "CREATING", index: "CREATING"})), nil
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// setUnits gives a new table its throughput.
func (t *table) setUnits(units *unitsDefinition) *Error {
	if t.billing == payPerRequest {
		if units != nil {
			return badParam("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
		}
		return nil
	}
	if units == nil {
		return badParam("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	}
	if err := units.check(); err != nil {
		return err
	}
	t.units.read, t.units.write = *units.read, *units.write
	return nil
}

func (u *unitsDefinition) check() *Error {
	if *u.read > maxThroughput {
		return invalid("Given value " + strconv.FormatInt(*u.read, 10) + " for ReadCapacityUnits is out of bounds")
	}
	if *u.write > maxThroughput {
		return invalid("Given value " + strconv.FormatInt(*u.write, 10) + " for WriteCapacityUnits is out of bounds")
	}
	return nil
}

// defineIndexes gives a new table its indexes.
func (t *table) defineIndexes(locals []indexDefinition, hasLocals bool, globals []indexDefinition, hasGlobals bool) *Error {
	if hasLocals {
		if len(locals) == 0 {
			return badParam("List of LocalSecondaryIndexes is empty")
		}
		if len(t.key.sort) == 0 {
			return badParam("Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex")
		}
	}
	for _, d := range locals {
		x, err := t.localIndex(d)
		if err != nil {
			return err
		}
		t.local = append(t.local, x)
	}
	if hasGlobals && len(globals) == 0 {
		return badParam("List of GlobalSecondaryIndexes is empty")
	}
	for _, d := range globals {
		x, err := t.globalIndex(d)
		if err != nil {
			return err
		}
		t.global = append(t.global, x)
	}
	return t.checkIndexSet()
}

// controlTable finds the table that a request of the control plane names.
func (e *Engine) controlTable(name *string) (*table, *Error) {
	if err := requireTableName(name); err != nil {
		return nil, err
	}
	var c constraints
	if !strings.HasPrefix(*name, "arn:") {
		c.pattern(*name, "tableName")
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	t := e.table(*name)
	if t == nil {
		return nil, tableNotFoundNamed(tableName(*name))
	}
	t.catchUp(e.moment())
	return t, nil
}

func (e *Engine) describeTable(o object, _ Options) ([]byte, *Error) {
	name := o.str("TableName")
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	t, err := e.controlTable(name)
	if err != nil {
		return nil, err
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return describe("Table", e.description(t, active)), nil
}

func (e *Engine) deleteTable(o object, _ Options) ([]byte, *Error) {
	name := o.str("TableName")
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	t, err := e.controlTable(name)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dropped {
		return nil, tableNotFoundNamed(t.name)
	}
	if t.protected {
		return nil, invalid("Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.")
	}
	t.dropped = true
	delete(e.tables, t.name)
	answer := describe("TableDescription", e.description(t, states{table: "DELETING", index: "DELETING"}))
	t.rows, t.local, t.global, t.expiries, t.waiting, t.ttl = newRows(), nil, nil, nil, nil, ""
	t.due.Store(0)
	return answer, nil
}

func (e *Engine) listTables(o object, _ Options) ([]byte, *Error) {
	start, limit := o.str("ExclusiveStartTableName"), o.integer("Limit", "Integer")
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	var c constraints
	if start != nil {
		c.pattern(*start, "exclusiveStartTableName")
		c.length(*start, "exclusiveStartTableName", len(*start), 3, 255)
	}
	c.atLeast(limit, "limit", 1)
	c.atMost(limit, "limit", maxListTables)
	if err := c.err(); err != nil {
		return nil, err
	}
	most := maxListTables
	if limit != nil {
		most = int(*limit)
	}
	var names []string
	for _, t := range e.allTables() {
		if start == nil || t.name > *start {
			names = append(names, t.name)
		}
	}
	more := len(names) > most
	names = names[:min(len(names), most)]
	a := newAnswer()
	a.member("TableNames")
	a.buf = append(a.buf, '[')
	for i, name := range names {
		if i > 0 {
			a.buf = append(a.buf, ',')
		}
		a.buf = av.AppendString(a.buf, name)
	}
	a.buf = append(a.buf, ']')
	if more {
		a.member("LastEvaluatedTableName")
		a.buf = av.AppendString(a.buf, names[len(names)-1])
	}
	return a.done(), nil
}

func unixSeconds(t time.Time) float64 {
	return float64(t.UnixMilli()) / 1000
}
