package model_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

func TestTable(t *testing.T) {
	type tenant struct{}
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	table := model.NewTable("orders", model.PrimaryKey("pk", "sk"), model.TypeAttribute("kind"),
		model.Clock(func() time.Time { return noon }),
		model.NameFunc(func(ctx context.Context) string {
			name, _ := ctx.Value(tenant{}).(string)
			return name
		}))
	got := []string{
		table.Name(), table.PartitionKey(), table.SortKey(), table.TypeAttribute(), table.TTLAttribute(),
		table.PhysicalName(context.WithValue(context.Background(), tenant{}, "orders-eu")),
		table.PhysicalName(context.Background()),
	}
	if diff := cmp.Diff([]string{"orders", "pk", "sk", "kind", "", "orders-eu", "orders"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !table.Now().Equal(noon) {
		t.Error("Now")
	}
	plain := model.NewTable("plain", model.PrimaryKey("id"))
	got = []string{plain.PartitionKey(), plain.SortKey(), plain.TypeAttribute(), plain.PhysicalName(context.Background())}
	if diff := cmp.Diff([]string{"id", "", "_type", "plain"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if d := time.Since(plain.Now()); d < -time.Minute || d > time.Minute {
		t.Error("Now is not the time")
	}
	if n := plain.EntityNames(); len(n) != 0 {
		t.Errorf("entities %q", n)
	}
}

var ignoreSmithy = cmpopts.IgnoreUnexported(dynamodb.CreateTableInput{}, types.KeySchemaElement{}, types.AttributeDefinition{})

func TestCreateInput(t *testing.T) {
	table, _, _ := fieldService()
	want := &dynamodb.CreateTableInput{
		TableName:   aws.String("field-service"),
		BillingMode: types.BillingModePayPerRequest,
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
		},
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS},
		},
	}
	if diff := cmp.Diff(want, table.CreateInput(), ignoreSmithy); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want.TableName, want.KeySchema, want.AttributeDefinitions = aws.String("plain"), want.KeySchema[:1], want.AttributeDefinitions[:1]
	if diff := cmp.Diff(want, model.NewTable("plain", model.PrimaryKey("pk")).CreateInput(), ignoreSmithy); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCheck(t *testing.T) {
	hash := func(n string) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: &n, KeyType: types.KeyTypeHash}
	}
	rng := func(n string) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: &n, KeyType: types.KeyTypeRange}
	}
	def := func(n string, s types.ScalarAttributeType) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &n, AttributeType: s}
	}
	desc := func(schema []types.KeySchemaElement, defs ...types.AttributeDefinition) *types.TableDescription {
		return &types.TableDescription{TableName: aws.String("any-name"), KeySchema: schema, AttributeDefinitions: defs}
	}
	ttl := func(attr string, s types.TimeToLiveStatus) *types.TimeToLiveDescription {
		return &types.TimeToLiveDescription{AttributeName: &attr, TimeToLiveStatus: s}
	}
	right := desc([]types.KeySchemaElement{hash("pk"), rng("sk")}, def("pk", "S"), def("sk", "S"), def("gsi1pk", "N"))
	for _, tt := range []struct {
		why    string
		hasTTL bool
		d      *types.TableDescription
		ttl    []*types.TimeToLiveDescription
		want   []string
	}{
		{"as declared", true, right, nil, nil},
		{"as declared, with its ttl", true, right, []*types.TimeToLiveDescription{ttl("ttl", types.TimeToLiveStatusEnabled)}, nil},
		{"a ttl that is being switched on", true, right, []*types.TimeToLiveDescription{ttl("ttl", types.TimeToLiveStatusEnabling)}, nil},
		{"no ttl on either side", false, right, []*types.TimeToLiveDescription{ttl("", types.TimeToLiveStatusDisabled)}, nil},
		{"no answer about the ttl", true, right, []*types.TimeToLiveDescription{nil}, nil},
		{"no description", true, nil, nil, []string{"there is no description of it"}},
		{"everything else", true,
			desc([]types.KeySchemaElement{hash("id")}, def("id", "S")),
			[]*types.TimeToLiveDescription{ttl("ttl", types.TimeToLiveStatusDisabled)},
			[]string{
				`its partition key is "id", declared is "pk"`,
				`its sort key is none, declared is "sk"`,
				`its time to live is not switched on, declared is attribute "ttl"`,
			}},
		{"wrong types", true, desc([]types.KeySchemaElement{hash("pk"), rng("sk")}, def("pk", "B"), def("sk", "N")), nil,
			[]string{`its attribute "pk" is of type B, declared is S`, `its attribute "sk" is of type N, declared is S`}},
		{"another ttl", true, right, []*types.TimeToLiveDescription{ttl("expires", types.TimeToLiveStatusEnabled)},
			[]string{`its time to live is attribute "expires", declared is "ttl"`}},
		{"a ttl that nobody declares deletes items", false, right, []*types.TimeToLiveDescription{ttl("expires", types.TimeToLiveStatusEnabled)},
			[]string{`its time to live is attribute "expires", declared is none`}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			table := model.NewTable("sessions", model.PrimaryKey("pk", "sk"))
			if tt.hasTTL {
				model.MustDefine[Session](table, "Session", keys.MustCompile1("SESSION#<id>", keys.String), Singular)
			}
			err := table.Check(tt.d, tt.ttl...)
			var want *model.CheckError
			if tt.want != nil {
				want = &model.CheckError{Table: "sessions", Differences: tt.want}
			}
			var got *model.CheckError
			errors.As(err, &got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
	t.Run("a sort key too many", func(t *testing.T) {
		err := model.NewTable("plain", model.PrimaryKey("pk")).Check(right)
		want := `model: table "plain" is not as declared: its sort key is "sk", declared is none`
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}
