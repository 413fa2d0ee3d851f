package model_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

var update = flag.Bool("update", false, "write golden files anew")

// The work orders of a field service, which most tests are about.

type Status string

const (
	Open Status = "OPEN"
	Done Status = "DONE"
)

type WorkOrder struct {
	RegionID    string    `dynamodbav:"-" key:"regionId"`
	Status      Status    `dynamodbav:"-" key:"status"`
	ScheduledOn keys.Date `dynamodbav:"-" key:"scheduledOn"`
	OrderID     string    `dynamodbav:"-" key:"orderId"`
	Customer    string    `dynamodbav:"customer"`
	Engineer    string    `dynamodbav:"engineer,omitempty"`
	ScheduledAt time.Time `dynamodbav:"scheduledAt,unixtime"`
	Version     int64     `dynamodbav:"version" model:"version"`
}

type Engineer struct {
	RegionID string   `dynamodbav:"-" key:"regionId"`
	Name     string   `dynamodbav:"name"`
	Skills   []string `dynamodbav:"skills,stringset"`
}

var (
	Region   = keys.MustCompile1("REGION#<regionId>", keys.String)
	Order    = keys.MustCompile3("STATUS#<status>#<scheduledOn>#<orderId>", keys.Enum(Open, Done), keys.Day, keys.String)
	Person   = keys.MustCompile1("ENGINEER#<name>", keys.String)
	Singular = keys.Literal("PROFILE")
)

// fieldService declares the table anew, so that tests share nothing.
func fieldService(opts ...model.TableOption) (*model.Table, *model.Entity[WorkOrder], *model.Entity[Engineer]) {
	t := model.NewTable("field-service", append([]model.TableOption{model.PrimaryKey("pk", "sk")}, opts...)...)
	return t, model.MustDefine[WorkOrder](t, "WorkOrder", Region, Order), model.MustDefine[Engineer](t, "Engineer", Region, Person)
}

var day = keys.Date{Year: 2026, Month: time.January, Day: 31}

func anOrder() WorkOrder {
	return WorkOrder{
		RegionID: "eu-west", Status: Open, ScheduledOn: day, OrderID: "w-2314",
		Customer: "Brouwerij De Ster", Engineer: "Kim", ScheduledAt: time.Unix(1769850000, 0).UTC(), Version: 3,
	}
}

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
func num(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
func yes() types.AttributeValue         { return &types.AttributeValueMemberBOOL{Value: true} }
func no() types.AttributeValue          { return &types.AttributeValueMemberBOOL{} }
func null() types.AttributeValue        { return &types.AttributeValueMemberNULL{Value: true} }
func bin(b ...byte) types.AttributeValue {
	return &types.AttributeValueMemberB{Value: b}
}
func list(l ...types.AttributeValue) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: append([]types.AttributeValue{}, l...)}
}
func obj(m model.Item) types.AttributeValue   { return &types.AttributeValueMemberM{Value: m} }
func strSet(s ...string) types.AttributeValue { return &types.AttributeValueMemberSS{Value: s} }
func numSet(s ...string) types.AttributeValue { return &types.AttributeValueMemberNS{Value: s} }
func binSet(s ...[]byte) types.AttributeValue { return &types.AttributeValueMemberBS{Value: s} }
func with(item model.Item, name string, av types.AttributeValue) model.Item {
	out := model.Item{}
	for n, v := range item {
		out[n] = v
	}
	out[name] = av
	if av == nil {
		delete(out, name)
	}
	return out
}

// opts compare items and values.
var opts = cmp.Options{
	cmpopts.IgnoreUnexported(
		types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberB{},
		types.AttributeValueMemberBOOL{}, types.AttributeValueMemberNULL{}, types.AttributeValueMemberM{},
		types.AttributeValueMemberL{}, types.AttributeValueMemberSS{}, types.AttributeValueMemberNS{},
		types.AttributeValueMemberBS{},
	),
}

// render writes an attribute value in one line, and always the same.
func render(av types.AttributeValue) string {
	switch av := av.(type) {
	case *types.AttributeValueMemberS:
		return fmt.Sprintf("S %q", av.Value)
	case *types.AttributeValueMemberN:
		return "N " + av.Value
	case *types.AttributeValueMemberB:
		return fmt.Sprintf("B %x", av.Value)
	case *types.AttributeValueMemberBOOL:
		return fmt.Sprintf("BOOL %t", av.Value)
	case *types.AttributeValueMemberNULL:
		return "NULL"
	case *types.AttributeValueMemberSS:
		return fmt.Sprintf("SS %q", av.Value)
	case *types.AttributeValueMemberNS:
		return fmt.Sprintf("NS %v", av.Value)
	case *types.AttributeValueMemberBS:
		return fmt.Sprintf("BS %x", av.Value)
	case *types.AttributeValueMemberL:
		var parts []string
		for _, e := range av.Value {
			parts = append(parts, render(e))
		}
		return "L [" + strings.Join(parts, ", ") + "]"
	case *types.AttributeValueMemberM:
		var parts []string
		for _, n := range names(av.Value) {
			parts = append(parts, n+": "+render(av.Value[n]))
		}
		return "M {" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprintf("%#v", av)
}

func names(item model.Item) []string {
	var out []string
	for n := range item {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

func renderItem(item model.Item) string {
	var b strings.Builder
	for _, n := range names(item) {
		fmt.Fprintf(&b, "%-14s %s\n", n, render(item[n]))
	}
	return b.String()
}

// golden compares text with a file of testdata; -update writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if diff := cmp.Diff(string(bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
