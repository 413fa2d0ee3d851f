package engine

import (
	"slices"
	"strconv"
	"strings"
)

// updateTableRequest is an UpdateTable as sent.
type updateTableRequest struct {
	billing, class *string
	units          *unitsDefinition
	protected      *bool
	stream         *streamDefinition
	encryption     *encryptionDefinition
	limits         *onDemandLimits
	sent           []attributeSent
	updates        []indexUpdate
}

// indexUpdate is one GlobalSecondaryIndexUpdate: one of its parts is given.
type indexUpdate struct {
	create      *indexDefinition
	update      *indexDefinition // name and units alone
	remove      *string
	removeGiven bool
}

func (u indexUpdate) name() string {
	switch {
	case u.create != nil:
		return orEmpty(u.create.name)
	case u.update != nil:
		return orEmpty(u.update.name)
	}
	return orEmpty(u.remove)
}

func (o object) readIndexUpdate(raw []byte) indexUpdate {
	var u indexUpdate
	el := o.element(raw, "GlobalSecondaryIndexUpdate")
	if c, ok := el.structure("Create", "CreateGlobalSecondaryIndexAction"); ok {
		x := c.readIndex()
		u.create = &x
	}
	if c, ok := el.structure("Update", "UpdateGlobalSecondaryIndexAction"); ok {
		u.update = &indexDefinition{name: c.str("IndexName"), units: c.readUnits()}
	}
	if c, ok := el.structure("Delete", "DeleteGlobalSecondaryIndexAction"); ok {
		u.remove, u.removeGiven = c.str("IndexName"), true
	}
	return u
}

func (c *constraints) checkIndexUpdate(u indexUpdate, path string) {
	name := func(s *string, at string) {
		if s == nil {
			c.missing(at)
			return
		}
		c.checkIndexName(s, at)
	}
	if u.update != nil {
		name(u.update.name, path+".update.indexName")
		if u.update.units == nil {
			c.missing(path + ".update.provisionedThroughput")
		}
		c.checkUnits(u.update.units, path+".update.provisionedThroughput")
	}
	if u.create != nil {
		c.checkIndex(*u.create, path+".create", 2*maxIndexKeyParts)
	}
	if u.removeGiven {
		name(u.remove, path+".delete.indexName")
	}
}

func (e *Engine) updateTable(o object, _ Options) ([]byte, *Error) {
	name := o.str("TableName")
	r := updateTableRequest{billing: o.str("BillingMode"), class: o.str("TableClass"), units: o.readUnits(), protected: o.boolean("DeletionProtectionEnabled"), stream: o.readStream(), encryption: o.readEncryption(), limits: o.readOnDemand()}
	r.sent, _ = o.readAttributeDefinitions()
	raws, _ := o.list("GlobalSecondaryIndexUpdates")
	for _, raw := range raws {
		r.updates = append(r.updates, o.readIndexUpdate(raw))
	}
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	if err := requireTableName(name); err != nil {
		return nil, err
	}
	var c constraints
	if !strings.HasPrefix(*name, "arn:") {
		c.pattern(*name, "tableName")
	}
	c.enum(r.billing, "billingMode", provisioned, payPerRequest)
	c.enum(r.class, "tableClass", "STANDARD", "STANDARD_INFREQUENT_ACCESS")
	c.checkAttributeDefinitions(r.sent)
	for i, u := range r.updates {
		c.checkIndexUpdate(u, "globalSecondaryIndexUpdates."+strconv.Itoa(i+1)+".member")
	}
	c.checkUnits(r.units, "provisionedThroughput")
	c.checkStream(r.stream)
	c.checkEncryption(r.encryption)
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := r.check(o); err != nil {
		return nil, err
	}
	t, err := e.controlTable(name)
	if err != nil {
		return nil, err
	}
	m := e.moment()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dropped {
		return nil, tableNotFoundNamed(t.name)
	}
	before, billing := t.unitsNow(), t.billing
	shown, err := t.change(r, m)
	if err != nil {
		return nil, err
	}
	e.setEncryption(t, r.encryption)
	d := e.description(t, shown.states)
	if billing == t.billing {
		d.showUnits(before)
	}
	for _, x := range shown.removed {
		gone := e.describeIndex(t, x)
		gone.IndexStatus = "DELETING"
		units := x.units.shown()
		gone.ProvisionedThroughput = &units
		d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, gone)
	}
	return describe("TableDescription", d), nil
}

// unitsNow gives the throughput of the table, under "", and of its indexes.
func (t *table) unitsNow() map[string]throughput {
	now := map[string]throughput{"": t.units}
	for _, x := range t.global {
		now[x.name] = x.units
	}
	return now
}

// showUnits has the description show the throughput from before a change: the
// service is still changing it.
func (d *tableDescription) showUnits(before map[string]throughput) {
	old := func(shown *unitsShown, name string) {
		if u, ok := before[name]; ok {
			shown.ReadCapacityUnits, shown.WriteCapacityUnits = u.read, u.write
		}
	}
	old(&d.ProvisionedThroughput, "")
	for i := range d.GlobalSecondaryIndexes {
		old(d.GlobalSecondaryIndexes[i].ProvisionedThroughput, d.GlobalSecondaryIndexes[i].IndexName)
	}
}

// check refuses what does not fit together, whatever the table.
func (r updateTableRequest) check(o object) *Error {
	if r.units == nil && r.billing == nil && len(r.updates) == 0 && r.protected == nil && r.class == nil && r.stream == nil &&
		r.encryption == nil && r.limits == nil {
		for _, other := range []string{"ReplicaUpdates", "WarmThroughput",
			"MultiRegionConsistency", "GlobalTableWitnessUpdates"} {
			if o.has(other) {
				return badParam("The parameter " + other + " is not supported")
			}
		}
		return invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required")
	}
	if is(r.billing, provisioned) && r.units == nil {
		return badParam("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	}
	if r.units != nil {
		if err := r.units.check(); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	structural := 0
	for _, u := range r.updates {
		if u.create == nil && u.update == nil && !u.removeGiven {
			return badParam("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null")
		}
		if seen[u.name()] {
			return badParam("Only one global secondary index update per index is allowed simultaneously. Index: " + u.name())
		}
		seen[u.name()] = true
		if u.update == nil {
			structural++
		}
	}
	if structural > 1 {
		return &Error{Type: LimitExceeded, Message: "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"}
	}
	return nil
}

// changed is what the description of a changed table shows.
type changed struct {
	states  states
	removed []*index
}

// change makes the changes, all or none. The caller holds the lock.
func (t *table) change(r updateTableRequest, m moment) (changed, *Error) {
	var out changed
	next := *t.definition()
	if r.billing != nil {
		next.billing = *r.billing
	}
	if r.units != nil && next.billing == payPerRequest {
		return out, badParam("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
	}
	if r.units != nil && next.billing == t.billing && *r.units.read == t.units.read && *r.units.write == t.units.write {
		return out, invalid(sameThroughput("table", t.units, r.units))
	}
	if err := next.define(r.sent, r.updates); err != nil {
		return out, err
	}
	states := map[string]string{}
	for _, u := range r.updates {
		if err := t.changeIndex(u, &next, states, &out, m); err != nil {
			return out, err
		}
	}
	if err := t.checkIndexUnits(r, next); err != nil {
		return out, err
	}
	limits := t.onDemand
	if err := t.setOnDemand(r.limits, next.billing, true); err != nil {
		return out, err
	}
	if err := t.setStream(r.stream, m.now); err != nil {
		t.onDemand = limits
		return out, err
	}
	t.adopt(next, r, m)
	out.states = statesAfter(r, states)
	return out, nil
}

// statesAfter says what is still being worked on as far as the answer shows.
func statesAfter(r updateTableRequest, indexes map[string]string) states {
	s := states{table: "ACTIVE", index: "ACTIVE", of: indexes}
	if r.units != nil || r.billing != nil || r.stream != nil || r.encryption != nil || r.limits != nil || len(r.updates) > 0 {
		s.table = "UPDATING"
	}
	return s
}

// definition is what UpdateTable may change of a table.
type definition struct {
	attributes []attributeDefinition
	billing    string
	global     []*index
	units      map[*index]unitsDefinition // new throughput of indexes
}

func (t *table) definition() *definition {
	return &definition{t.attributes, t.billing, t.global, map[*index]unitsDefinition{}}
}

// define adds attribute definitions. One that is known keeps its type; where an
// index that is to be made has it in its key, it must not be given another.
func (d *definition) define(sent []attributeSent, updates []indexUpdate) *Error {
	added, err := definitionsOf(sent)
	if err != nil {
		return err
	}
	d.attributes = slices.Clone(d.attributes)
	for _, a := range added {
		switch kind := kindOf(d.attributes, a.name); kind {
		case a.kind:
		case 0:
			d.attributes = append(d.attributes, a)
		default:
			if !inNewKey(updates, a.name) {
				continue
			}
			return badParam("Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. " +
				"Existing schema: Schema:[SchemaElement: key{" + a.name + ":" + kind.String() + ":HASH}] New schema: Schema:[SchemaElement: key{" +
				a.name + ":" + a.kind.String() + ":HASH}]")
		}
	}
	return nil
}

// inNewKey says whether an index that is to be made has an attribute in its key.
func inNewKey(updates []indexUpdate, attr string) bool {
	return slices.ContainsFunc(updates, func(u indexUpdate) bool {
		return u.create != nil && slices.ContainsFunc(u.create.key, func(k keyElement) bool { return is(k.name, attr) })
	})
}

// changeIndex does one index update on the definition to come.
func (t *table) changeIndex(u indexUpdate, next *definition, states map[string]string, out *changed, m moment) *Error {
	find := func(name string) int {
		return slices.IndexFunc(next.global, func(x *index) bool { return x.name == name })
	}
	switch {
	case u.create != nil:
		if t.indexNamed(u.name()) != nil {
			return badParam("Index already exists: " + u.name())
		}
		shape := &table{name: t.name, key: t.key, attributes: next.attributes, billing: next.billing, local: t.local}
		x, err := shape.globalIndex(*u.create)
		if err != nil {
			return err
		}
		shape.global = append(slices.Clone(next.global), x)
		if err := shape.checkIndexSet(); err != nil {
			return err
		}
		next.global = shape.global
		states[x.name] = "CREATING"
	case u.removeGiven:
		i := find(u.name())
		if i < 0 {
			return indexNotFound(t.name, u.name())
		}
		out.removed = append(out.removed, next.global[i])
		next.global = slices.Delete(slices.Clone(next.global), i, i+1)
	default:
		i := find(u.name())
		if i < 0 {
			return indexNotFound(t.name, u.name())
		}
		if next.billing == payPerRequest {
			return badParam("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
		}
		if err := u.update.units.check(); err != nil {
			return invalid("This operation cannot be performed with given input values. Please contact DynamoDB service team for more info: Action Blocked: IndexUpdate")
		}
		x := next.global[i]
		if next.billing == t.billing && x.units.read == *u.update.units.read && x.units.write == *u.update.units.write {
			return invalid(sameThroughput("index", x.units, u.update.units))
		}
		next.units[x] = *u.update.units
		states[x.name] = "UPDATING"
	}
	return nil
}

func indexNotFound(table, index string) *Error {
	return &Error{Type: ResourceNotFound, Message: "Requested resource not found: Table: " + table + " Index: " + index + " not found"}
}

func sameThroughput(what string, current throughput, asked *unitsDefinition) string {
	n := func(i int64) string { return strconv.FormatInt(i, 10) }
	return "The provisioned throughput for the " + what + " will not change. The requested value equals the current value. " +
		"Current ReadCapacityUnits provisioned for the " + what + ": " + n(current.read) + ". Requested ReadCapacityUnits: " + n(*asked.read) +
		". Current WriteCapacityUnits provisioned for the " + what + ": " + n(current.write) + ". Requested WriteCapacityUnits: " + n(*asked.write) +
		". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits."
}

// checkIndexUnits asks for the throughput of every index of a table that becomes
// provisioned.
func (t *table) checkIndexUnits(r updateTableRequest, next definition) *Error {
	if next.billing != provisioned || t.billing == provisioned {
		return nil
	}
	var without []string
	for _, x := range next.global {
		if _, ok := next.units[x]; !ok && x.units.read == 0 {
			without = append(without, x.name)
		}
	}
	if len(without) > 0 {
		return badParam("ProvisionedThroughput must be specified for index: " + strings.Join(without, ","))
	}
	return nil
}

// adopt gives the table its new definition, fills indexes that are new and
// forgets attributes that no key uses any more.
func (t *table) adopt(next definition, r updateTableRequest, m moment) {
	if len(r.updates) > 0 {
		t.settle(m)
	}
	t.attributes = next.attributes
	if next.billing == payPerRequest && t.billing != payPerRequest {
		t.onDemandAt = m.now
		t.units.set(0, 0, m.now)
		for _, x := range next.global {
			x.units.set(0, 0, m.now)
		}
	}
	t.billing = next.billing
	if t.billing == provisioned {
		t.onDemand = nil
	}
	if r.units != nil {
		t.units.set(*r.units.read, *r.units.write, m.now)
	}
	for x, u := range next.units {
		x.units.set(*u.read, *u.write, m.now)
	}
	for _, x := range next.global {
		if !slices.Contains(t.global, x) {
			t.fill(x)
		}
	}
	t.global = next.global
	t.dropUnusedAttributes()
	if r.protected != nil {
		t.protected = *r.protected
	}
	if r.class != nil {
		t.class = *r.class
	}
}

// fill puts the items that are there into a new index.
func (t *table) fill(x *index) {
	t.rows.Scan(func(r *row) bool {
		x.apply(nil, r)
		return true
	})
}
