package model

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is a DynamoDB item as the SDK has it.
type Item = map[string]types.AttributeValue

// Table is a DynamoDB table and what is declared about it. Its methods are safe
// for concurrent use, also while entities are being defined. Two tables share
// nothing.
type Table struct {
	name     string
	pk, sk   string // sk is "" where the table has none
	typeAttr string // "" where items carry no tag
	clock    func() time.Time
	nameFunc func(context.Context) string
	indexes  []*Index
	types    map[string]types.ScalarAttributeType // of the key attributes that are not S

	mu       sync.Mutex               // serialises definitions
	entities atomic.Pointer[registry] // replaced, never changed
}

// A TableOption is one thing declared about a table; see [NewTable].
type TableOption interface {
	applyTable(*Table) error
}

type tableOption func(*Table) error

func (o tableOption) applyTable(t *Table) error { return o(t) }

// NewTable declares a table. The name is the one that requests carry, unless
// [NameFunc] says another. [PrimaryKey] is required. Tables are declared in
// variables of a package, so NewTable panics on a mistake, saying which.
func NewTable(name string, opts ...TableOption) *Table {
	t := &Table{name: name, typeAttr: "_type", clock: time.Now}
	fail := func(err error) {
		panic(fmt.Sprintf("model: table %q: %v", name, err))
	}
	if name == "" {
		fail(errors.New("a table needs a name: NewTable(\"orders\", model.PrimaryKey(\"pk\", \"sk\"))"))
	}
	for i, o := range opts {
		if o == nil {
			fail(fmt.Errorf("option %d is nil", i))
		}
		if err := o.applyTable(t); err != nil {
			fail(err)
		}
	}
	if t.pk == "" {
		fail(errors.New("the primary key is missing: add model.PrimaryKey(\"pk\", \"sk\"), or model.PrimaryKey(\"pk\") for a table without a sort key"))
	}
	if t.typeAttr == t.pk || t.typeAttr != "" && t.typeAttr == t.sk {
		fail(fmt.Errorf("type attribute %q is an attribute of the primary key: give it another name with model.TypeAttribute", t.typeAttr))
	}
	if err := t.checkIndexes(); err != nil {
		fail(err)
	}
	t.entities.Store(&registry{})
	return t
}

// PrimaryKey names the attributes of the table's primary key: its partition key
// and, if it has one, its sort key. They hold strings unless [NumberKey] or
// [BinaryKey] says otherwise.
func PrimaryKey(pk string, sk ...string) TableOption {
	return tableOption(func(t *Table) (err error) {
		if t.pk != "" {
			return errors.New("PrimaryKey is given twice")
		}
		t.pk, t.sk, err = keyNames("PrimaryKey", pk, sk)
		return err
	})
}

// keyNames checks the names of the attributes of a key.
func keyNames(option, pk string, sk []string) (string, string, error) {
	if len(sk) > 1 {
		return "", "", fmt.Errorf("%s takes one partition key and at most one sort key, got %q and %q", option, pk, sk)
	}
	if err := checkKeyName(pk); err != nil {
		return "", "", err
	}
	if len(sk) == 0 {
		return pk, "", nil
	}
	if err := checkKeyName(sk[0]); err != nil {
		return "", "", err
	}
	if sk[0] == pk {
		return "", "", fmt.Errorf("%s: partition key and sort key are both %q", option, pk)
	}
	return pk, sk[0], nil
}

// checkKeyName holds a key attribute to DynamoDB's rule: 1 to 255 bytes.
func checkKeyName(name string) error {
	if len(name) == 0 || len(name) > 255 {
		return fmt.Errorf("name of a key attribute has %d bytes, DynamoDB takes 1 to 255: %q", len(name), name)
	}
	return nil
}

// TypeAttribute names the attribute that holds the name of an item's entity,
// _type by default. With "" items carry no such attribute, and entities are told
// apart by their key templates alone; [Define] then refuses two entities whose
// keys could be confused.
func TypeAttribute(name string) TableOption {
	return tableOption(func(t *Table) error { t.typeAttr = name; return nil })
}

// Clock sets the clock by which items expire and writes are stamped, time.Now by
// default. It must be safe for concurrent use.
func Clock(now func() time.Time) TableOption {
	return tableOption(func(t *Table) error {
		if now == nil {
			return errors.New("Clock is nil: leave it out for time.Now")
		}
		t.clock = now
		return nil
	})
}

// NameFunc gives the table its physical name at the time of each request, so
// that one program serves several stages or tenants. Where it answers "", the
// declared name is used. It must be safe for concurrent use.
func NameFunc(name func(context.Context) string) TableOption {
	return tableOption(func(t *Table) error {
		if name == nil {
			return errors.New("NameFunc is nil: leave it out to use the declared name")
		}
		t.nameFunc = name
		return nil
	})
}

// Name returns the name that the table was declared with.
func (t *Table) Name() string {
	if t == nil {
		return ""
	}
	return t.name
}

// PhysicalName returns the name that requests under this context carry.
func (t *Table) PhysicalName(ctx context.Context) string {
	if t.isZero() {
		return t.Name()
	}
	if t.nameFunc != nil {
		if name := t.nameFunc(ctx); name != "" {
			return name
		}
	}
	return t.name
}

// PartitionKey returns the name of the table's partition key attribute.
func (t *Table) PartitionKey() string {
	if t == nil {
		return ""
	}
	return t.pk
}

// SortKey returns the name of the table's sort key attribute, "" when it has none.
func (t *Table) SortKey() string {
	if t == nil {
		return ""
	}
	return t.sk
}

// TypeAttribute returns the name of the attribute that holds the name of an
// item's entity, "" when items carry none.
func (t *Table) TypeAttribute() string {
	if t == nil {
		return ""
	}
	return t.typeAttr
}

// Now returns the time by the table's clock.
func (t *Table) Now() time.Time {
	if t.isZero() {
		return time.Now()
	}
	return t.clock()
}

// isZero reports whether t is nil or was not made by [NewTable].
func (t *Table) isZero() bool { return t == nil || t.clock == nil }
