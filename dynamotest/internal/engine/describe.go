package engine

import (
	"encoding/json"
	"time"
)

// What DescribeTable and its like answer with.

type tableDescription struct {
	AttributeDefinitions       []attributeShown
	TableName                  string
	KeySchema                  []keyShown
	TableStatus                string
	CreationDateTime           float64
	ProvisionedThroughput      unitsShown
	TableSizeBytes             int64
	ItemCount                  int
	TableArn                   string
	TableId                    string
	BillingModeSummary         *billingShown    `json:",omitempty"`
	TableThroughputModeSummary *throughputShown `json:",omitempty"`
	LocalSecondaryIndexes      []indexShown     `json:",omitempty"`
	GlobalSecondaryIndexes     []indexShown     `json:",omitempty"`
	TableClassSummary          *classShown      `json:",omitempty"`
	SSEDescription             *encryptionShown `json:",omitempty"`
	OnDemandThroughput         *onDemandLimits  `json:",omitempty"`
	StreamSpecification        *streamShown     `json:",omitempty"`
	LatestStreamLabel          string           `json:",omitempty"`
	LatestStreamArn            string           `json:",omitempty"`
	DeletionProtectionEnabled  bool
}

type attributeShown struct{ AttributeName, AttributeType string }

type keyShown struct{ AttributeName, KeyType string }

type unitsShown struct {
	LastIncreaseDateTime   float64 `json:",omitempty"`
	LastDecreaseDateTime   float64 `json:",omitempty"`
	NumberOfDecreasesToday int64
	ReadCapacityUnits      int64
	WriteCapacityUnits     int64
}

type billingShown struct {
	BillingMode                       string
	LastUpdateToPayPerRequestDateTime float64 `json:",omitempty"`
}

type throughputShown struct {
	TableThroughputMode               string
	LastUpdateToPayPerRequestDateTime float64 `json:",omitempty"`
}

type classShown struct{ TableClass string }

type projectionShown struct {
	ProjectionType   string
	NonKeyAttributes []string `json:",omitempty"`
}

type indexShown struct {
	IndexName             string
	KeySchema             []keyShown
	Projection            projectionShown
	IndexStatus           string      `json:",omitempty"`
	Backfilling           *bool       `json:",omitempty"`
	ProvisionedThroughput *unitsShown `json:",omitempty"`
	IndexSizeBytes        int64
	ItemCount             int
	IndexArn              string
}

// states are what a description shows in the place of ACTIVE, while the service
// would still be at work.
type states struct {
	table string
	index string            // of every global index
	of    map[string]string // of some of them
}

var active = states{table: "ACTIVE", index: "ACTIVE"}

// description describes a table. The caller holds its lock.
func (e *Engine) description(t *table, s states) tableDescription {
	d := tableDescription{
		TableName:                 t.name,
		KeySchema:                 t.key.shown(),
		TableStatus:               s.table,
		CreationDateTime:          unixSeconds(t.created),
		ProvisionedThroughput:     t.units.shown(),
		TableSizeBytes:            t.bytes,
		ItemCount:                 t.rows.Len(),
		TableArn:                  e.arn(t.name),
		TableId:                   t.id,
		SSEDescription:            t.encryption,
		OnDemandThroughput:        t.onDemand,
		DeletionProtectionEnabled: t.protected,
	}
	for _, a := range t.attributes {
		d.AttributeDefinitions = append(d.AttributeDefinitions, attributeShown{a.name, a.kind.String()})
	}
	if !t.onDemandAt.IsZero() {
		d.BillingModeSummary = &billingShown{BillingMode: t.billing}
		d.TableThroughputModeSummary = &throughputShown{TableThroughputMode: t.billing}
		if s.table != "CREATING" {
			at := unixSeconds(t.onDemandAt)
			d.BillingModeSummary.LastUpdateToPayPerRequestDateTime = at
			d.TableThroughputModeSummary.LastUpdateToPayPerRequestDateTime = at
		}
	}
	if t.class != "" {
		d.TableClassSummary = &classShown{t.class}
	}
	if t.streamView != "" {
		d.StreamSpecification = &streamShown{true, t.streamView}
	}
	if t.streamLabel != "" {
		d.LatestStreamLabel, d.LatestStreamArn = t.streamLabel, e.arn(t.name)+"/stream/"+t.streamLabel
	}
	for _, x := range t.local {
		d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, e.describeIndex(t, x))
	}
	for _, x := range t.global {
		shown := e.describeIndex(t, x)
		units := x.units.shown()
		shown.ProvisionedThroughput = &units
		shown.IndexStatus = s.index
		if state, ok := s.of[x.name]; ok {
			shown.IndexStatus = state
			if state == "CREATING" {
				shown.Backfilling = new(bool)
			}
		}
		d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, shown)
	}
	return d
}

func (e *Engine) describeIndex(t *table, x *index) indexShown {
	return indexShown{
		IndexName:      x.name,
		KeySchema:      x.key.shown(),
		Projection:     projectionShown{x.project, x.included},
		IndexSizeBytes: x.bytes,
		ItemCount:      x.entries.Len(),
		IndexArn:       e.arn(t.name) + "/index/" + x.name,
	}
}

func (e *Engine) arn(table string) string {
	return "arn:aws:dynamodb:" + e.region + ":" + e.account + ":table/" + table
}

func (k keySchema) shown() []keyShown {
	var list []keyShown
	for _, p := range k.hash {
		list = append(list, keyShown{p.name, "HASH"})
	}
	for _, p := range k.sort {
		list = append(list, keyShown{p.name, "RANGE"})
	}
	return list
}

func (u throughput) shown() unitsShown {
	return unitsShown{
		LastIncreaseDateTime:   zeroOr(u.increased),
		LastDecreaseDateTime:   zeroOr(u.decreased),
		NumberOfDecreasesToday: u.decreasesToday,
		ReadCapacityUnits:      u.read,
		WriteCapacityUnits:     u.write,
	}
}

func zeroOr(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return unixSeconds(t)
}

// describe writes an answer of one member.
func describe(member string, value any) []byte {
	a := newAnswer()
	a.member(member)
	b, err := json.Marshal(value)
	if err != nil { // the descriptions above hold nothing that JSON cannot
		panic(err)
	}
	a.buf = append(a.buf, b...)
	return a.done()
}
