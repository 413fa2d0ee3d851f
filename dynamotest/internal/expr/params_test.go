package expr

import (
	"strings"
	"testing"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

func TestCheck(t *testing.T) {
	some := av.Item{":s": av.String("x")}
	filter := []Given{{"ProjectionExpression", false}, {"FilterExpression", true}, {"KeyConditionExpression", false}}
	none := []Given{{"ProjectionExpression", false}, {"FilterExpression", false}, {"KeyConditionExpression", false}}
	projection := []Given{{"ProjectionExpression", true}, {"FilterExpression", false}, {"KeyConditionExpression", false}}
	long := strings.Repeat("a", 255)
	for _, tt := range []struct {
		reason string
		names  map[string]string
		values av.Item
		given  []Given
		want   string
	}{
		{"nothing given", nil, nil, none, ""},
		{"well formed", map[string]string{"#a": "a", "#0_Z": "b"}, some, filter, ""},
		{"names without expression", map[string]string{"#a": "a"}, some, none, "ExpressionAttributeNames can only be specified when using expressions"},
		{"empty names without expression", map[string]string{}, nil, none, "ExpressionAttributeNames can only be specified when using expressions"},
		{"values without expression", nil, some, none, "ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null"},
		{"values with a projection alone", nil, some, projection, "ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null"},
		{"one expression that takes values", nil, some, []Given{{"ConditionExpression", false}}, "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null"},
		{"names with a projection", map[string]string{"#a": "a"}, nil, projection, ""},
		{"empty names", map[string]string{}, av.Item{}, filter, "ExpressionAttributeNames must not be empty"},
		{"empty values", nil, av.Item{}, filter, "ExpressionAttributeValues must not be empty"},
		{"name without sign", map[string]string{"a": "a"}, nil, filter, `ExpressionAttributeNames contains invalid key: Syntax error; key: "a"`},
		{"sign alone", map[string]string{"#": "a"}, nil, filter, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`},
		{"empty key", map[string]string{"": "a"}, nil, filter, `ExpressionAttributeNames contains invalid key: Syntax error; key: ""`},
		{"strange character", map[string]string{"#a-b": "a"}, nil, filter, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"`},
		{"value without sign", nil, av.Item{"s": av.String("x")}, filter, `ExpressionAttributeValues contains invalid key: Syntax error; key: "s"`},
		{"sign of names", nil, av.Item{"#s": av.String("x")}, filter, `ExpressionAttributeValues contains invalid key: Syntax error; key: "#s"`},
		{"names before values", map[string]string{"a": "a"}, av.Item{}, filter, `ExpressionAttributeNames contains invalid key: Syntax error; key: "a"`},
		{"empty name", map[string]string{"#a": ""}, nil, filter, "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a"},
		{"key of 255", map[string]string{"#" + long[1:]: "a"}, nil, filter, ""},
		{"key of 256", map[string]string{"#" + long: "a"}, nil, filter,
			`ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; key: "#` + long + `", length: 256`},
		{"values of more than 2 MB", nil, av.Item{":s": av.String(strings.Repeat("x", 2<<20))}, filter, "ExpressionAttributeValues exceeds max size; size: 2097154, max size: 2097152"},
		{"names of more than 2 MB", map[string]string{"#s": strings.Repeat("x", 2<<20)}, nil, filter, "ExpressionAttributeNames exceeds max size; size: 2097154, max size: 2097152"},
	} {
		if got := message(t, NewParams(tt.names, tt.values).Check(tt.given...)); got != tt.want {
			t.Errorf("%s:\n got %.300s\nwant %.300s", tt.reason, got, tt.want)
		}
	}
}

func TestUnused(t *testing.T) {
	p := func() *Params {
		return NewParams(map[string]string{"#b": "b", "#a": "a"}, av.Item{":y": av.String("y"), ":x": av.String("x")})
	}
	const (
		names  = "Value provided in ExpressionAttributeNames unused in expressions: keys: "
		values = "Value provided in ExpressionAttributeValues unused in expressions: keys: "
	)
	for _, tt := range []struct {
		reason     string
		condition  string
		projection string
		want       string
	}{
		{"nothing used", "", "", names + "{#a, #b}"},
		{"a name unused", "#a = :x", "", names + "{#b}"},
		{"values unused", "", "#a, #b", values + "{:x, :y}"},
		{"a value unused", "#a = :x AND #b = :x", "", values + "{:y}"},
		{"over several expressions", "c IN (:x, :y)", "#a.#b", ""},
		{"inside of functions and paths", "contains(c.#a[0].#b, :x) AND c BETWEEN :x AND :y", "", ""},
	} {
		p := p()
		if tt.condition != "" {
			if _, err := p.Condition("FilterExpression", tt.condition); err != nil {
				t.Fatal(err)
			}
		}
		if tt.projection != "" {
			if _, err := p.Projection(tt.projection); err != nil {
				t.Fatal(err)
			}
		}
		if got := message(t, p.Unused()); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.reason, got, tt.want)
		}
	}
	if err := NewParams(nil, nil).Unused(); err != nil {
		t.Error(err)
	}
}

func TestValueError(t *testing.T) {
	_, err := av.DecodeItem([]byte(`{":s":{"SS":[]}}`))
	want := "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An string set  may not be empty for key :s"
	if got := message(t, ValueError(err.(*av.Error))); got != want {
		t.Errorf("got %s", got)
	}
	_, err = av.DecodeItem([]byte(`{":s":1}`))
	if got := ValueError(err.(*av.Error)); got != err {
		t.Errorf("a SerializationException became %v", got)
	}
}
