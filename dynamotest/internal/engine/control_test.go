package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// definitions writes AttributeDefinitions of strings.
func definitions(names ...string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = `{"AttributeName":"` + name + `","AttributeType":"S"}`
	}
	return `"AttributeDefinitions":[` + strings.Join(list, ",") + `]`
}

// key writes a KeySchema: hash attributes, and range attributes after a dash.
func key(names ...string) string {
	list := make([]string, len(names))
	for i, name := range names {
		kind := "HASH"
		if strings.HasPrefix(name, "-") {
			name, kind = name[1:], "RANGE"
		}
		list[i] = `{"AttributeName":"` + name + `","KeyType":"` + kind + `"}`
	}
	return `"KeySchema":[` + strings.Join(list, ",") + `]`
}

const (
	onDemand = `"BillingMode":"PAY_PER_REQUEST"`
	all      = `"Projection":{"ProjectionType":"ALL"}`
	invalid1 = "One or more parameter values were invalid: "
)

func global(indexes ...string) string {
	return `"GlobalSecondaryIndexes":[{` + strings.Join(indexes, "},{") + `}]`
}

func local(indexes ...string) string {
	return `"LocalSecondaryIndexes":[{` + strings.Join(indexes, "},{") + `}]`
}

func TestCreateTableRefuses(t *testing.T) {
	many := func(n int, one func(i int) string) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = one(i)
		}
		return list
	}
	for _, test := range []struct{ reason, request, want string }{
		{"no name", `{}`, "The parameter 'TableName' is required but was not present in the request"},
		{"a name of other characters", `{"TableName":"a b",` + definitions("pk") + `,` + key("pk") + `}`,
			"1 validation error detected: Value 'a b' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{"neither key nor definitions", `{"TableName":"abc"}`,
			"2 validation errors detected: Value null at 'keySchema' failed to satisfy constraint: Member must not be null; Value null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null"},
		{"an empty key", `{"TableName":"abc",` + definitions("pk") + `,"KeySchema":[]}`,
			"1 validation error detected: Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{"no throughput", `{"TableName":"abc",` + definitions("pk") + `,` + key("pk") + `}`,
			invalid1 + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"},
		{"throughput where none is provisioned", `{"TableName":"abc",` + onDemand + `,"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},` + definitions("pk") + `,` + key("pk") + `}`,
			invalid1 + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"a key without definition", `{"TableName":"abc",` + onDemand + `,` + definitions("a", "b") + `,` + key("pk", "-b") + `}`,
			invalid1 + "Some index key attributes are not defined in AttributeDefinitions. Keys: [pk, b], AttributeDefinitions: [a, b]"},
		{"more keys than definitions", `{"TableName":"abc",` + onDemand + `,` + definitions("pk") + `,` + key("pk", "-sk") + `}`,
			"Invalid KeySchema: Some index key attribute have no definition"},
		{"the range first", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "sk") + `,` + key("-pk", "-sk") + `}`,
			"Invalid KeySchema: The first KeySchemaElement is not a HASH key type"},
		{"two hashes", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "sk") + `,` + key("pk", "sk") + `}`,
			"Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"},
		{"one attribute twice", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "sk") + `,` + key("pk", "-pk") + `}`,
			"Both the Hash Key and the Range Key element in the KeySchema have the same name"},
		{"a definition that nothing uses", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "x") + `,` + key("pk") + `}`,
			invalid1 + "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"},
		{"a definition that nothing uses, beside an index", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "x", "g") + `,` + key("pk") + `,` + global(`"IndexName":"idx",`+key("g")+`,`+all) + `}`,
			invalid1 + "Some AttributeDefinitions are not used. AttributeDefinitions: [g, pk, x], keys used: [g, pk]"},
		{"an empty list of indexes", `{"TableName":"abc",` + onDemand + `,` + definitions("pk") + `,` + key("pk") + `,"GlobalSecondaryIndexes":[]}`,
			invalid1 + "List of GlobalSecondaryIndexes is empty"},
		{"an index name that is too short", `{"TableName":"abc",` + onDemand + `,` + definitions("pk") + `,` + key("pk") + `,` + global(`"IndexName":"ab",`+key("pk")+`,`+all) + `}`,
			"1 validation error detected: Value 'ab' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
		{"two indexes of one name", `{"TableName":"abc",` + onDemand + `,` + definitions("pk") + `,` + key("pk") + `,` + global(`"IndexName":"idx",`+key("pk")+`,`+all, `"IndexName":"idx",`+key("pk")+`,`+all) + `}`,
			invalid1 + "Duplicate index name: idx"},
		{"no projection type", `{"TableName":"abc",` + onDemand + `,` + definitions("pk") + `,` + key("pk") + `,` + global(`"IndexName":"idx",`+key("pk")+`,"Projection":{}`) + `}`,
			invalid1 + "Unknown ProjectionType: null"},
		{"attributes for a projection of all", `{"TableName":"abc",` + onDemand + `,` + definitions("pk") + `,` + key("pk") + `,` + global(`"IndexName":"idx",`+key("pk")+`,"Projection":{"ProjectionType":"ALL","NonKeyAttributes":["a"]}`) + `}`,
			invalid1 + "ProjectionType is ALL, but NonKeyAttributes is specified"},
		{"no attributes to include", `{"TableName":"abc",` + onDemand + `,` + definitions("pk") + `,` + key("pk") + `,` + global(`"IndexName":"idx",`+key("pk")+`,"Projection":{"ProjectionType":"INCLUDE"}`) + `}`,
			invalid1 + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified"},
		{"an index without throughput", `{"TableName":"abc","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},` + definitions("pk") + `,` + key("pk") + `,` + global(`"IndexName":"idx",`+key("pk")+`,`+all) + `}`,
			invalid1 + "ProvisionedThroughput must be specified for index: idx"},
		{"21 global indexes", `{"TableName":"abc",` + onDemand + `,` + definitions("pk") + `,` + key("pk") + `,` + global(many(21, func(i int) string { return fmt.Sprintf(`"IndexName":"idx%d",`, i) + key("pk") + `,` + all })...) + `}`,
			invalid1 + "GlobalSecondaryIndex count exceeds the per-table limit of 20"},
		{"a local index on a table without range key", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "l") + `,` + key("pk") + `,` + local(`"IndexName":"idx",`+key("pk", "-l")+`,`+all) + `}`,
			invalid1 + "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex"},
		{"a local index with another hash key", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "sk", "l") + `,` + key("pk", "-sk") + `,` + local(`"IndexName":"idx",`+key("sk", "-l")+`,`+all) + `}`,
			invalid1 + "Index KeySchema does not have the same leading hash key as table KeySchema for index: idx. index hash key: sk, table hash key: pk"},
		{"a local index without range key", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "sk") + `,` + key("pk", "-sk") + `,` + local(`"IndexName":"idx",`+key("pk")+`,`+all) + `}`,
			invalid1 + "Index KeySchema does not have a range key for index: idx"},
		{"6 local indexes", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "sk") + `,` + key("pk", "-sk") + `,` + local(many(6, func(i int) string { return fmt.Sprintf(`"IndexName":"idx%d",`, i) + key("pk", "-sk") + `,` + all })...) + `}`,
			invalid1 + "Number of LocalSecondaryIndexes exceeds per-table limit of 5"},
		{"a native key whose parts are mixed", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "a", "b", "c") + `,` + key("pk") + `,` + global(`"IndexName":"idx",`+key("a", "-b", "c")+`,`+all) + `}`,
			"Invalid KeySchema: All HASH key elements must come before the RANGE key elements"},
		{"five hash attributes", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "a", "b", "c", "d", "e") + `,` + key("pk") + `,` + global(`"IndexName":"idx",`+key("a", "b", "c", "d", "e")+`,`+all) + `}`,
			"Invalid KeySchema: The number of HASH key elements exceeds the limit of 4"},
		{"five range attributes", `{"TableName":"abc",` + onDemand + `,` + definitions("pk", "a", "b", "c", "d", "e") + `,` + key("pk") + `,` + global(`"IndexName":"idx",`+key("pk", "-a", "-b", "-c", "-d", "-e")+`,`+all) + `}`,
			"Invalid KeySchema: The number of RANGE key elements exceeds the limit of 4"},
		{"a stream without a view", `{"TableName":"abc",` + onDemand + `,` + definitions("pk") + `,` + key("pk") + `,"StreamSpecification":{"StreamEnabled":true}}`,
			invalid1 + "Table is being created with a stream enabled, UpdateViewType should be specified"},
	} {
		e := New(Config{})
		_, err := do(t, e, "CreateTable", test.request)
		if err == nil {
			t.Errorf("%s: accepted %s", test.reason, test.request)
			continue
		}
		if diff := cmp.Diff(&Error{Type: Validation, Message: test.want}, err); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
		if got := must(t, e, "ListTables", `{}`)["TableNames"]; len(got.([]any)) != 0 {
			t.Errorf("%s: the table is there all the same: %v", test.reason, got)
		}
	}
}

func TestUpdateTableRefuses(t *testing.T) {
	create := func(index string) string {
		return `"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"` + index + `",` + key("g") + `,` + all + `}}]`
	}
	for _, test := range []struct{ reason, request, kind, want string }{
		{"nothing to do", `{"TableName":"mix"}`, Validation,
			"At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required"},
		{"a parameter that is not supported, by name", `{"TableName":"mix","ReplicaUpdates":[]}`, Validation, invalid1 + "The parameter ReplicaUpdates is not supported"},
		{"no such table", `{"TableName":"none",` + onDemand + `}`, ResourceNotFound, "Requested resource not found: Table: none not found"},
		{"a short name", `{"TableName":"no",` + onDemand + `}`, Validation, "TableName must be at least 3 characters long and at most 255 characters long"},
		{"provisioned without throughput", `{"TableName":"mix","BillingMode":"PROVISIONED"}`, Validation, invalid1 + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"},
		{"throughput on demand", `{"TableName":"mix","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}`, Validation,
			invalid1 + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"},
		{"indexes left without throughput", `{"TableName":"mix","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}`, Validation,
			invalid1 + "ProvisionedThroughput must be specified for index: plain,ranged,native"},
		{"an update of nothing", `{"TableName":"mix","GlobalSecondaryIndexUpdates":[{}]}`, Validation,
			invalid1 + "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"},
		{"one index twice", `{"TableName":"mix","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"plain"}},{"Delete":{"IndexName":"plain"}}]}`, Validation,
			invalid1 + "Only one global secondary index update per index is allowed simultaneously. Index: plain"},
		{"two indexes at once", `{"TableName":"mix","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"plain"}},{"Delete":{"IndexName":"ranged"}}]}`, LimitExceeded,
			"Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"},
		{"an index that is there", `{"TableName":"mix",` + create("plain") + `}`, Validation, invalid1 + "Index already exists: plain"},
		{"the name of a local index", `{"TableName":"mix",` + create("local") + `}`, Validation, invalid1 + "Index already exists: local"},
		{"an index that is not there", `{"TableName":"mix","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"none"}}]}`, ResourceNotFound,
			"Requested resource not found: Table: mix Index: none not found"},
		{"a local index cannot be deleted", `{"TableName":"mix","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"local"}}]}`, ResourceNotFound,
			"Requested resource not found: Table: mix Index: local not found"},
		{"an attribute of another type", `{"TableName":"mix","AttributeDefinitions":[{"AttributeName":"g","AttributeType":"N"}],` + create("another") + `}`, Validation,
			invalid1 + "Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. " +
				"Existing schema: Schema:[SchemaElement: key{g:S:HASH}] New schema: Schema:[SchemaElement: key{g:N:HASH}]"},
	} {
		e := newMix(t, Config{Now: func() time.Time { return time.Unix(1_800_000_000, 0) }})
		before := must(t, e, "DescribeTable", `{"TableName":"mix"}`)
		_, err := do(t, e, "UpdateTable", test.request)
		if err == nil {
			t.Errorf("%s: accepted %s", test.reason, test.request)
			continue
		}
		if diff := cmp.Diff(&Error{Type: test.kind, Message: test.want}, err); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
		if diff := cmp.Diff(before, must(t, e, "DescribeTable", `{"TableName":"mix"}`)); diff != "" {
			t.Errorf("%s: the refusal changed the table (-before +after):\n%s", test.reason, diff)
		}
	}
}

func TestBillingChanges(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	e := New(Config{Now: func() time.Time { return now }})
	must(t, e, "CreateTable", `{"TableName":"abc","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},`+definitions("pk")+`,`+key("pk")+`}`)
	description := func() map[string]any {
		return must(t, e, "DescribeTable", `{"TableName":"abc"}`)["Table"].(map[string]any)
	}
	if _, there := description()["BillingModeSummary"]; there {
		t.Error("a table that was always provisioned has a BillingModeSummary")
	}
	must(t, e, "UpdateTable", `{"TableName":"abc","ProvisionedThroughput":{"ReadCapacityUnits":9,"WriteCapacityUnits":2}}`)
	want := map[string]any{"ReadCapacityUnits": 9.0, "WriteCapacityUnits": 2.0, "NumberOfDecreasesToday": 1.0, "LastIncreaseDateTime": 1.8e9, "LastDecreaseDateTime": 1.8e9}
	if diff := cmp.Diff(want, description()["ProvisionedThroughput"]); diff != "" {
		t.Errorf("throughput (-want +got):\n%s", diff)
	}
	now = now.Add(time.Hour)
	must(t, e, "UpdateTable", `{"TableName":"abc","BillingMode":"PAY_PER_REQUEST"}`)
	if diff := cmp.Diff(map[string]any{"BillingMode": "PAY_PER_REQUEST", "LastUpdateToPayPerRequestDateTime": 1.8e9 + 3600}, description()["BillingModeSummary"]); diff != "" {
		t.Errorf("billing (-want +got):\n%s", diff)
	}
	must(t, e, "UpdateTable", `{"TableName":"abc","BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}}`)
	if got := description()["BillingModeSummary"].(map[string]any)["BillingMode"]; got != "PROVISIONED" {
		t.Errorf("billing is %v, want PROVISIONED", got)
	}
}

func TestTablesArePaged(t *testing.T) {
	e := New(Config{})
	for i := range 105 {
		must(t, e, "CreateTable", fmt.Sprintf(`{"TableName":"table%03d",%s,%s,%s}`, i, onDemand, definitions("pk"), key("pk")))
	}
	first := must(t, e, "ListTables", `{}`)
	if len(first["TableNames"].([]any)) != 100 || first["LastEvaluatedTableName"] != "table099" {
		t.Errorf("the first page has %d names and ends at %v, want 100 and table099", len(first["TableNames"].([]any)), first["LastEvaluatedTableName"])
	}
	second := must(t, e, "ListTables", `{"ExclusiveStartTableName":"table099","Limit":5}`)
	want := map[string]any{"TableNames": []any{"table100", "table101", "table102", "table103", "table104"}}
	if diff := cmp.Diff(want, second); diff != "" {
		t.Errorf("the second page (-want +got):\n%s", diff)
	}
}

func TestDeletionProtection(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", `{"TableName":"abc","DeletionProtectionEnabled":true,`+onDemand+`,`+definitions("pk")+`,`+key("pk")+`}`)
	if _, err := do(t, e, "DeleteTable", `{"TableName":"abc"}`); err == nil || err.Type != Validation {
		t.Errorf("a protected table: %v, want a refusal", err)
	}
	must(t, e, "UpdateTable", `{"TableName":"abc","DeletionProtectionEnabled":false}`)
	answer := must(t, e, "DeleteTable", `{"TableName":"abc"}`)
	if got := answer["TableDescription"].(map[string]any)["TableStatus"]; got != "DELETING" {
		t.Errorf("the answer shows the table as %v, want DELETING", got)
	}
	if _, err := do(t, e, "GetItem", `{"TableName":"abc","Key":{"pk":{"S":"a"}}}`); err == nil || err.Type != ResourceNotFound {
		t.Errorf("after the delete: %v, want %s", err, ResourceNotFound)
	}
	must(t, e, "CreateTable", `{"TableName":"abc",`+onDemand+`,`+definitions("pk")+`,`+key("pk")+`}`)
}

func TestUpdateTimeToLiveRefuses(t *testing.T) {
	for _, test := range []struct{ reason, attribute, enabled, current, want string }{
		{"on twice", "ttl", "true", "ttl", "TimeToLive is already enabled"},
		{"on with another attribute", "other", "true", "ttl", "TimeToLive is active on a different AttributeName: current AttributeName is ttl"},
		{"off twice", "ttl", "false", "", "TimeToLive is already disabled"},
		{"off by another attribute", "other", "false", "ttl", "TimeToLive is active on a different AttributeName: current AttributeName is ttl"},
		{"no attribute", "", "true", "", "1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1"},
	} {
		e := newMix(t, Config{})
		if test.current != "" {
			must(t, e, "UpdateTimeToLive", `{"TableName":"mix","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"`+test.current+`"}}`)
		}
		_, err := do(t, e, "UpdateTimeToLive", `{"TableName":"mix","TimeToLiveSpecification":{"Enabled":`+test.enabled+`,"AttributeName":"`+test.attribute+`"}}`)
		if diff := cmp.Diff(&Error{Type: Validation, Message: test.want}, err); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
	}
}

func TestStreamsAreDescribed(t *testing.T) {
	e := New(Config{Now: func() time.Time { return time.Unix(1_800_000_000, 0) }})
	answer := must(t, e, "CreateTable", `{"TableName":"abc",`+onDemand+`,`+definitions("pk")+`,`+key("pk")+`,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
	table := answer["TableDescription"].(map[string]any)
	got := []any{table["StreamSpecification"], table["LatestStreamLabel"], table["LatestStreamArn"]}
	want := []any{
		map[string]any{"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}, "2027-01-15T08:00:00.000",
		"arn:aws:dynamodb:us-east-1:000000000000:table/abc/stream/2027-01-15T08:00:00.000",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
