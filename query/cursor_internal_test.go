package query

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

var (
	partition = keys.MustCompile1("P#<p>", keys.String)
	item      = keys.MustCompile1("N#<n>", keys.String)
	table     = model.NewTable("t", model.PrimaryKey("pk", "sk"))
	things    = model.MustDefine[struct {
		P string `dynamodbav:"-" key:"p"`
		N string `dynamodbav:"-" key:"n"`
	}](table, "Thing", partition, item)
)

// Somebody who knows how cursors are made can compute the sum of one anew. What
// it can say is still only a position in the range.
func TestForgedCursor(t *testing.T) {
	q := Of(things, partition.Key("1")).Where(item.From("k"))
	p, err := q.spec.plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	forge := func(body []byte) string {
		return cursorText.EncodeToString(append(append([]byte{plainCursor}, sum(p.binding(), body)...), body...))
	}
	at := func(text string) []byte { return appendText([]byte{byte(onward)}, text) }
	for _, tt := range []struct {
		reason string
		body   []byte
		ok     bool
	}{
		{"a position in the range", at("N#m"), true},
		{"below the range", at("N#a"), false},
		{"above the range", at("O"), false},
		{"no way", nil, false},
		{"another way", appendText([]byte{'x'}, "N#m"), false},
		{"an empty position", at(""), false},
		{"two of them", appendText(at("N#m"), "N#m"), false},
		{"more than a key", at("N#m" + strings.Repeat("x", 1022)), false},
		{"no UTF-8", at("N#m\xff"), false},
		{"a length beyond the end", []byte{'n', 5, 'N'}, false},
		{"a length without an end", append([]byte{'n'}, bytes.Repeat([]byte{0xff}, 11)...), false},
	} {
		_, got, err := p.parseCursor(forge(tt.body))
		want := model.Item{"pk": &types.AttributeValueMemberS{Value: "P#1"}, "sk": &types.AttributeValueMemberS{Value: "N#m"}}
		switch {
		case tt.ok && (err != nil || !cmp.Equal(want, got, cmpopts.IgnoreUnexported(types.AttributeValueMemberS{}))):
			t.Errorf("%s: %v, %v", tt.reason, got, err)
		case !tt.ok && !errors.Is(err, ErrBadCursor):
			t.Errorf("%s: %v, %v, want ErrBadCursor", tt.reason, got, err)
		}
	}
}

// A cursor is made only of what can be read back.
func TestCursorOfMalformedResponse(t *testing.T) {
	q := Of(things, partition.Key("1"))
	p, err := q.spec.plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []model.Item{{}, {"sk": &types.AttributeValueMemberN{Value: "1"}}} {
		if c, err := p.cursor(onward, key); !errors.Is(err, ErrResponse) {
			t.Errorf("cursor(%v) = %q, %v, want ErrResponse", key, c, err)
		}
	}
}

// Two queries have one binding only if table, entity, partition and direction
// are the same, however their texts are cut.
func TestBindingIsInjective(t *testing.T) {
	hash, sort := things.KeySpecs()
	seen := map[string]plan{}
	for _, name := range []string{"a", "ab", "a\x01"} {
		for _, entity := range []string{"", "b", "\x01b"} {
			for _, pk := range []string{"b", "bb", "\x00"} {
				for _, desc := range []bool{false, true} {
					p := plan{spec: &spec{table: table, schema: newSchema(nil, hash, sort), entity: entity, desc: desc}, name: name, pk: pk}
					key := string(p.binding())
					if other, ok := seen[key]; ok {
						t.Errorf("%q %q %q %v and %q %q %q %v have one binding", name, entity, pk, desc, other.name, other.entity, other.pk, other.desc)
					}
					seen[key] = p
				}
			}
		}
	}
}
