package model_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/internal/race"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

type Session struct {
	ID      string    `dynamodbav:"-" key:"id"`
	Expires time.Time `dynamodbav:"ttl" model:"ttl"`
}

func TestClassify(t *testing.T) {
	now := time.Unix(1000, 999)
	clock := model.Clock(func() time.Time { return now })
	sessionID := keys.MustCompile1("SESSION#<id>", keys.String)
	declare := func(opts ...model.TableOption) (*model.Table, *model.Entity[WorkOrder], *model.Entity[Session]) {
		table, orders, _ := fieldService(append(opts, clock)...)
		return table, orders, model.MustDefine[Session](table, "Session", sessionID, Singular)
	}
	tagged, orders, sessions := declare()
	bare, bareOrders, bareSessions := declare(model.TypeAttribute(""))
	o := anOrder()
	order, err := orders.Marshal(&o)
	if err != nil {
		t.Fatal(err)
	}
	session := func(ttl string) model.Item {
		return model.Item{"pk": str("SESSION#s"), "sk": str("PROFILE"), "_type": str("Session"), "ttl": num(ttl)}
	}
	type answer struct {
		Table             string
		TableClass        model.Class
		ForOrder, ForSess model.Class
	}
	unknown := answer{"", model.Unknown, model.Unknown, model.Unknown}
	isOrder := answer{"WorkOrder", model.Own, model.Own, model.Other}
	isSession := answer{"Session", model.Own, model.Other, model.Own}
	expired := answer{"Session", model.Expired, model.Other, model.Expired}
	for _, tt := range []struct {
		why          string
		item         model.Item
		tagged, bare answer
	}{
		{"its own", order, isOrder, isOrder},
		{"no item", nil, unknown, unknown},
		{"no tag: by its keys alone", with(order, "_type", nil), unknown, isOrder},
		{"a tag of nobody", with(order, "_type", str("User")), unknown, isOrder},
		{"a tag that is no string", with(order, "_type", num("1")), unknown, isOrder},
		{"a tag beside keys of another: reading it will fail", with(order, "sk", str("X")), isOrder, unknown},
		{"no keys", with(order, "pk", nil), isOrder, unknown},
		{"no sort key", with(order, "sk", nil), isOrder, unknown},
		{"before its end", session("1001"), isSession, isSession},
		{"in its last second", session("1000"), expired, expired},
		{"long past", session("-1"), expired, expired},
		{"with a fraction", session("1000.5"), isSession, isSession},
		{"with an exponent", session("1E+3"), expired, expired},
		{"a great number", session("9.9E+125"), isSession, isSession},
		{"no number: DynamoDB would not delete it", with(session("1"), "ttl", str("1")), isSession, isSession},
		{"no end", with(session("1"), "ttl", nil), isSession, isSession},
		{"an entity without ttl never expires", with(order, "ttl", num("1")), isOrder, isOrder},
	} {
		t.Run(tt.why, func(t *testing.T) {
			ask := func(table *model.Table, o *model.Entity[WorkOrder], s *model.Entity[Session]) answer {
				name, c := table.Classify(tt.item)
				return answer{name, c, o.Classify(tt.item), s.Classify(tt.item)}
			}
			if diff := cmp.Diff(tt.tagged, ask(tagged, orders, sessions)); diff != "" {
				t.Errorf("with type attribute (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.bare, ask(bare, bareOrders, bareSessions)); diff != "" {
				t.Errorf("without (-want +got):\n%s", diff)
			}
		})
	}
	if c := (*model.Entity[Session])(nil).Classify(order); c != model.Unknown {
		t.Errorf("a nil entity says %v", c)
	}
	if c := (*model.View[Session])(nil).Classify(order); c != model.Unknown {
		t.Errorf("a nil view says %v", c)
	}
	t.Run("decoding does not look at the clock", func(t *testing.T) {
		got, err := tagged.Decode(session("1"))
		if diff := cmp.Diff(&Session{ID: "s", Expires: time.Unix(1, 0).UTC()}, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
	t.Run("without a tag, keys decide what is decoded", func(t *testing.T) {
		got, err := bare.Decode(with(order, "_type", nil))
		if diff := cmp.Diff(&o, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

func TestClassString(t *testing.T) {
	var got []string
	for c := model.Unknown; c <= model.Expired+1; c++ {
		got = append(got, c.String())
	}
	if diff := cmp.Diff([]string{"Unknown", "Own", "Other", "Expired", "Class(4)"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestClassifyAllocatesNothing(t *testing.T) {
	race.SkipAllocs(t)
	for name, opt := range map[string]model.TableOption{"tag": model.TypeAttribute("_type"), "templates": model.TypeAttribute("")} {
		t.Run(name, func(t *testing.T) {
			table, orders, _ := fieldService(opt)
			sessions := model.MustDefine[Session](table, "Session", keys.MustCompile1("SESSION#<id>", keys.String), Singular)
			o, s := anOrder(), Session{ID: "s", Expires: time.Now().Add(time.Hour)}
			order, err := orders.Marshal(&o)
			if err != nil {
				t.Fatal(err)
			}
			session, err := sessions.Marshal(&s)
			if err != nil {
				t.Fatal(err)
			}
			if n := testing.AllocsPerRun(100, func() {
				if orders.Classify(order) != model.Own || orders.Classify(session) != model.Other {
					t.Error("wrong class")
				}
				if name, c := table.Classify(session); name != "Session" || c != model.Own {
					t.Error("wrong class")
				}
			}); n != 0 {
				t.Errorf("%v allocations, want none", n)
			}
		})
	}
}

// The rule of expiry, which reads and writes share.
func TestPastTTL(t *testing.T) {
	now := time.Unix(1000, 999_999_999)
	for _, tt := range []struct {
		reason string
		value  types.AttributeValue
		want   bool
	}{
		{"the second before", &types.AttributeValueMemberN{Value: "999"}, true},
		{"from its second on", &types.AttributeValueMemberN{Value: "1000"}, true},
		{"the next second", &types.AttributeValueMemberN{Value: "1001"}, false},
		{"a fraction of the next second", &types.AttributeValueMemberN{Value: "1000.5"}, false},
		{"another spelling of a number", &types.AttributeValueMemberN{Value: "1E3"}, true},
		{"no number", &types.AttributeValueMemberS{Value: "1"}, false},
		{"a nil number", (*types.AttributeValueMemberN)(nil), false},
		{"nothing", nil, false},
	} {
		if got := model.PastTTL(model.Item{"ttl": tt.value}, "ttl", now); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.reason, got, tt.want)
		}
	}
	if model.PastTTL(nil, "ttl", now) {
		t.Error("a nil item has expired")
	}
}
