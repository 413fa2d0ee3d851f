package engine

// Settings of a table that are described and have no other effect in process:
// its encryption at rest, and how much throughput it may have on demand.

// encryptionDefinition is an SSESpecification as sent.
type encryptionDefinition struct {
	enabled   *bool
	kind, key *string
}

func (o object) readEncryption() *encryptionDefinition {
	s, ok := o.structure("SSESpecification", "SSESpecification")
	if !ok {
		return nil
	}
	return &encryptionDefinition{s.boolean("Enabled"), s.str("SSEType"), s.str("KMSMasterKeyId")}
}

func (c *constraints) checkEncryption(s *encryptionDefinition) {
	if s == nil {
		return
	}
	c.enum(s.kind, "sSESpecification.sSEType", "AES256", "KMS")
	if s.key != nil {
		c.length(*s.key, "sSESpecification.kMSMasterKeyId", len(*s.key), 1, 2048)
	}
}

// encryptionShown is an SSEDescription. A table that the service encrypts with a
// key of its own has none.
type encryptionShown struct{ Status, SSEType, KMSMasterKeyArn string }

// setEncryption turns encryption by a key of the account on or off.
func (e *Engine) setEncryption(t *table, s *encryptionDefinition) {
	switch {
	case s == nil:
	case s.enabled == nil || !*s.enabled:
		t.encryption = nil
	default:
		arn := "arn:aws:kms:" + e.region + ":" + e.account + ":key/" + t.id
		switch {
		case s.key == nil:
		case len(*s.key) > 4 && (*s.key)[:4] == "arn:":
			arn = *s.key
		case len(*s.key) > 6 && (*s.key)[:6] == "alias/":
			arn = "arn:aws:kms:" + e.region + ":" + e.account + ":" + *s.key
		default:
			arn = "arn:aws:kms:" + e.region + ":" + e.account + ":key/" + *s.key
		}
		t.encryption = &encryptionShown{"ENABLED", "KMS", arn}
	}
}

// onDemandLimits is an OnDemandThroughput, as sent and as shown.
type onDemandLimits struct {
	MaxReadRequestUnits  *int64 `json:",omitempty"`
	MaxWriteRequestUnits *int64 `json:",omitempty"`
}

// readOnDemand reads the limits; nil where neither is given.
func (o object) readOnDemand() *onDemandLimits {
	s, ok := o.structure("OnDemandThroughput", "OnDemandThroughput")
	if !ok {
		return nil
	}
	d := &onDemandLimits{s.integer("MaxReadRequestUnits", "Long"), s.integer("MaxWriteRequestUnits", "Long")}
	if d.MaxReadRequestUnits == nil && d.MaxWriteRequestUnits == nil {
		return nil
	}
	return d
}

// noLimit, sent for a limit in an UpdateTable, takes it away.
const noLimit = -1

// setOnDemand gives a table its limits. Of a table that exists already, one that
// is not given stays.
func (t *table) setOnDemand(d *onDemandLimits, billing string, exists bool) *Error {
	if d == nil {
		return nil
	}
	next := onDemandLimits{}
	if exists && t.onDemand != nil {
		next = *t.onDemand
	}
	for _, limit := range []struct {
		name string
		sent *int64
		to   **int64
	}{
		{"MaxReadRequestUnits", d.MaxReadRequestUnits, &next.MaxReadRequestUnits},
		{"MaxWriteRequestUnits", d.MaxWriteRequestUnits, &next.MaxWriteRequestUnits},
	} {
		switch {
		case limit.sent == nil:
		case billing == provisioned && exists:
			return badParam(limit.name + " for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED")
		case billing == provisioned:
			return badParam(limit.name + " for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.")
		case *limit.sent == noLimit && exists:
			*limit.to = nil
		case *limit.sent < 1:
			return badParam("Requested " + limit.name + " for OnDemandThroughput for table is outside of valid range")
		default:
			*limit.to = limit.sent
		}
	}
	t.onDemand = &next
	if next.MaxReadRequestUnits == nil && next.MaxWriteRequestUnits == nil {
		t.onDemand = nil
	}
	return nil
}
