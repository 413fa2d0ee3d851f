package model_test

import (
	"testing"
	"time"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// Faults that other libraries shipped, as far as they concern items: which values
// share a key, and which do not. Sizes, foreign attributes, unixtime and expiry
// have tests of their own.
func TestCases(t *testing.T) {
	type pair struct {
		A, B string
		At   time.Time
	}
	table := model.NewTable("t", model.PrimaryKey("pk", "sk"))
	e := model.MustDefine[pair](table, "Pair", keys.MustCompile2("<A>#<B>", keys.String, keys.String), keys.MustCompile1("<At>", keys.Time(keys.Nano)))
	utc := time.Date(2026, 8, 21, 16, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		why  string
		a, b pair
		same bool
	}{
		{"a delimiter in a value", pair{"a#b", "c", utc}, pair{"a", "b#c", utc}, false},
		{"upper and lower case", pair{"AbC", "c", utc}, pair{"abc", "c", utc}, false},
		{"one instant in two zones", pair{"a", "b", utc}, pair{"a", "b", utc.In(time.FixedZone("JST", 9*3600))}, true},
		{"a nanosecond", pair{"a", "b", utc}, pair{"a", "b", utc.Add(1)}, false},
	} {
		ka, err := e.KeyOf(&tt.a)
		if err != nil {
			t.Fatal(err)
		}
		kb, err := e.KeyOf(&tt.b)
		if err != nil {
			t.Fatal(err)
		}
		if (ka == kb) != tt.same {
			t.Errorf("%s: %v and %v", tt.why, ka, kb)
		}
		for _, v := range []pair{tt.a, tt.b} {
			item, err := e.Marshal(&v)
			if err != nil {
				t.Fatal(err)
			}
			back, err := e.Unmarshal(item)
			if err != nil || back.A != v.A || back.B != v.B || !back.At.Equal(v.At) {
				t.Errorf("%s: %+v comes back as %+v, %v", tt.why, v, back, err)
			}
		}
	}
}
