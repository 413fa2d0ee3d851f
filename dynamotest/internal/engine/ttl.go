package engine

// UpdateTimeToLive and DescribeTimeToLive.

func (e *Engine) updateTimeToLive(o object, _ Options) ([]byte, *Error) {
	name := o.str("TableName")
	spec, given := o.structure("TimeToLiveSpecification", "TimeToLiveSpecification")
	attribute, enabled := spec.str("AttributeName"), spec.boolean("Enabled")
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	var c constraints
	c.checkTableName(name, "tableName")
	switch {
	case !given:
		c.missing("timeToLiveSpecification")
	default:
		if attribute == nil {
			c.missing("timeToLiveSpecification.attributeName")
		} else {
			c.length(*attribute, "timeToLiveSpecification.attributeName", len(*attribute), 1, 255)
		}
		if enabled == nil {
			c.missing("timeToLiveSpecification.enabled")
		}
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	t, err := e.controlTable(name)
	if err != nil {
		return nil, err
	}
	m := e.moment()
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.dropped:
		return nil, tableNotFoundNamed(t.name)
	case *enabled && t.ttl == *attribute:
		return nil, invalid("TimeToLive is already enabled")
	case *enabled && t.ttl != "":
		return nil, invalid("TimeToLive is active on a different AttributeName: current AttributeName is " + t.ttl)
	case !*enabled && t.ttl == "":
		return nil, invalid("TimeToLive is already disabled")
	case !*enabled && t.ttl != *attribute:
		return nil, invalid("TimeToLive is active on a different AttributeName: current AttributeName is " + t.ttl)
	case *enabled:
		t.startExpiring(*attribute, m)
	default:
		t.ttl, t.expiries = "", nil
		t.schedule(m)
	}
	return describe("TimeToLiveSpecification", struct {
		AttributeName string
		Enabled       bool
	}{*attribute, *enabled}), nil
}

// startExpiring turns expiry on, for the items that are there too.
func (t *table) startExpiring(attribute string, m moment) {
	t.ttl, t.expiries = attribute, newExpiries()
	t.rows.Scan(func(r *row) bool {
		if at, ok := expiresAt(r, attribute); ok {
			t.expiries.Set(expiry{at, r})
		}
		return true
	})
	t.schedule(m)
}

func (e *Engine) describeTimeToLive(o object, _ Options) ([]byte, *Error) {
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
	d := struct {
		AttributeName    string `json:",omitempty"`
		TimeToLiveStatus string
	}{t.ttl, "ENABLED"}
	if t.ttl == "" {
		d.TimeToLiveStatus = "DISABLED"
	}
	return describe("TimeToLiveDescription", d), nil
}
