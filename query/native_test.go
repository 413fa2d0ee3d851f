package query_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

// Blob has a binary partition key and a joined sort key; Chunk the other way
// round; a Reading is at a number with a fraction.
type Blob struct {
	Hash []byte `dynamodbav:"-" key:"hash"`
	Name string `dynamodbav:"name"`
}

type Chunk struct {
	File string `dynamodbav:"-" key:"file"`
	At   []byte `dynamodbav:"-" key:"at"`
}

type Reading struct {
	Sensor string  `dynamodbav:"-" key:"sensor"`
	Value  float64 `dynamodbav:"-" key:"value"`
}

var (
	BlobHash  = keys.MustCompile1("<hash>", keys.Bytes)
	BlobName  = keys.MustCompile1("NAME#<name>", keys.String)
	Blobs     = model.NewTable("blobs", model.PrimaryKey("hash", "sk"), model.BinaryKey("hash"), model.NameFunc(indexName))
	BlobItems = model.MustDefine[Blob](Blobs, "Blob", BlobHash, BlobName)

	File       = keys.MustCompile1("FILE#<file>", keys.String)
	ChunkAt    = keys.MustCompile1("<at>", keys.Bytes)
	Chunks     = model.NewTable("chunks", model.PrimaryKey("pk", "at"), model.BinaryKey("at"), model.NameFunc(indexName))
	ChunkItems = model.MustDefine[Chunk](Chunks, "Chunk", File, ChunkAt)

	Sensor   = keys.MustCompile1("SENSOR#<sensor>", keys.String)
	Value    = keys.MustCompile1("<value>", keys.Float64)
	Sensors  = model.NewTable("sensors", model.PrimaryKey("pk", "value"), model.NumberKey("value"), model.NameFunc(indexName))
	Readings = model.MustDefine[Reading](Sensors, "Reading", Sensor, Value)
)

func TestBinaryPartition(t *testing.T) {
	client := indexed(t, Blobs)
	hash := []byte{0, 0x23, 0xff}
	var all []Blob
	for _, name := range []string{"a", "b", "c", "d"} {
		all = append(all, Blob{Hash: hash, Name: name})
	}
	put(t, client, BlobItems, all...)
	put(t, client, BlobItems, Blob{Hash: []byte{0}, Name: "a"})
	q := query.Of(BlobItems, BlobHash.Key(hash))
	for _, tt := range []struct {
		name string
		q    query.Query[Blob]
		want []Blob
	}{
		{"partition", q, all},
		{"all", q.Where(BlobName.All()), all},
		{"starts", q.Where(BlobName.StartsWith("b")), all[1:2]},
		{"between", q.Where(BlobName.Between("b", "c")), all[1:3]},
		{"exact", q.Where(BlobName.Key("d").Exact()), all[3:]},
		{"empty", q.Where(BlobName.Within("b", "b")), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkPages(t, t.Context(), client, tt.q, tt.want, 1)
		})
	}
	key := BlobItems.Key(BlobHash.Key(hash), BlobName.Key("c"))
	for name, get := range map[string]func() ([]*Blob, error){
		"GetMany": func() ([]*Blob, error) { return query.GetMany(t.Context(), client, []model.Key[Blob]{key, key}) },
		"GetAll":  func() ([]*Blob, error) { return query.GetAll(t.Context(), client, []model.Key[Blob]{key, key}) },
	} {
		if got, err := get(); err != nil || got[0] == nil || got[1] == nil || got[1].Name != "c" {
			t.Errorf("%s by binary key: %v, %v", name, got, err)
		}
	}
	if page, err := q.Page(t.Context(), client, nextPage(t, client, q)); err != nil || len(page.Items) != 3 {
		t.Errorf("second page: %v, %v", page, err)
	}
}

func nextPage[T any](t *testing.T, db query.Client, q query.Query[T]) string {
	t.Helper()
	page, err := q.Limit(1).Page(t.Context(), db, "")
	if err != nil || page.Next == "" {
		t.Fatalf("first page: %+v, %v", page, err)
	}
	return page.Next
}

// Ranges over binary and over numbers with fractions, in pages, as a plain filter
// and sort has them.
func TestNativeSortKeys(t *testing.T) {
	chunks := indexed(t, Chunks)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		file := fmt.Sprintf("f-%d", n)
		bytesOf := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 0x7f, 0xff}), 1, 3)
		var all []Chunk
		for _, at := range rapid.SliceOfNDistinct(bytesOf, 0, 12, func(b []byte) string { return string(b) }).Draw(t, "chunks") {
			all = append(all, Chunk{File: file, At: at})
		}
		put(t, chunks, ChunkItems, all...)
		slices.SortFunc(all, func(a, b Chunk) int { return bytes.Compare(a.At, b.At) })
		lo, hi := bytesOf.Draw(t, "lo"), bytesOf.Draw(t, "hi")
		if bytes.Compare(lo, hi) > 0 {
			lo, hi = hi, lo
		}
		q := query.Of(ChunkItems, File.Key(file))
		limit := rapid.IntRange(1, 4).Draw(t, "limit")
		for r, in := range map[keys.Range]func([]byte) bool{
			ChunkAt.All():           func([]byte) bool { return true },
			ChunkAt.Between(lo, hi): func(b []byte) bool { return bytes.Compare(lo, b) <= 0 && bytes.Compare(b, hi) <= 0 },
			ChunkAt.Within(lo, hi):  func(b []byte) bool { return bytes.Compare(lo, b) <= 0 && bytes.Compare(b, hi) < 0 },
			ChunkAt.From(lo):        func(b []byte) bool { return bytes.Compare(lo, b) <= 0 },
			ChunkAt.After(lo):       func(b []byte) bool { return bytes.Compare(lo, b) < 0 },
			ChunkAt.To(hi):          func(b []byte) bool { return bytes.Compare(b, hi) <= 0 },
			ChunkAt.Before(hi):      func(b []byte) bool { return bytes.Compare(b, hi) < 0 },
		} {
			want := slices.DeleteFunc(slices.Clone(all), func(c Chunk) bool { return !in(c.At) })
			checkPages(t, t.Context(), chunks, q.Where(r), want, limit)
		}
	})

	readings := indexed(t, Sensors)
	rapid.Check(t, func(t *rapid.T) {
		n++
		sensor := fmt.Sprintf("s-%d", n)
		value := rapid.SampledFrom([]float64{-1e20, -2.5, -2, -0.001, 0, 1e-5, 0.1, 1.0 / 3, 1, 9, 10, 1e21})
		var all []Reading
		for _, v := range rapid.SliceOfNDistinct(value, 0, 8, func(v float64) float64 { return v }).Draw(t, "readings") {
			all = append(all, Reading{Sensor: sensor, Value: v})
		}
		put(t, readings, Readings, all...)
		slices.SortFunc(all, func(a, b Reading) int { return cmp.Compare(a.Value, b.Value) })
		lo, hi := value.Draw(t, "lo"), value.Draw(t, "hi")
		if lo > hi {
			lo, hi = hi, lo
		}
		q := query.Of(Readings, Sensor.Key(sensor))
		limit := rapid.IntRange(1, 4).Draw(t, "limit")
		for r, in := range map[keys.Range]func(float64) bool{
			Value.Between(lo, hi): func(v float64) bool { return lo <= v && v <= hi },
			Value.Within(lo, hi):  func(v float64) bool { return lo <= v && v < hi },
			Value.After(lo):       func(v float64) bool { return lo < v },
			Value.Before(hi):      func(v float64) bool { return v < hi },
		} {
			want := slices.DeleteFunc(slices.Clone(all), func(r Reading) bool { return !in(r.Value) })
			checkPages(t, t.Context(), readings, q.Where(r), want, limit)
		}
		var list []model.Key[Reading]
		var want []*Reading
		for i := range all {
			list = append(list, Readings.Key(Sensor.Key(sensor), Value.Key(all[i].Value)))
			want = append(want, &all[i])
		}
		got, err := query.GetMany(t.Context(), readings, list)
		if diff := gocmp.Diff(want, got); err != nil || diff != "" && len(want) > 0 {
			t.Fatalf("GetMany by number: %v (-want +got):\n%s", err, diff)
		}
	})
}

// What no number of DynamoDB can be is refused before it is sent.
func TestNativeMistakes(t *testing.T) {
	db := newFake(t, Sensors)
	if _, err := query.Of(Readings, Sensor.Key("s")).Where(Value.From(1e300)).Collect(t.Context(), db); !errors.Is(err, keys.ErrValue) || db.requests() != 0 {
		t.Errorf("a bound of 1e300: %v, want ErrValue and nothing sent", err)
	}
	db = newFake(t, Blobs)
	if _, err := query.Of(BlobItems, BlobHash.Key(bytes.Repeat([]byte{1}, 2049))).Collect(t.Context(), db); !errors.Is(err, keys.ErrTooLong) || db.requests() != 0 {
		t.Errorf("a binary partition key of 2049 bytes: %v, want ErrTooLong and nothing sent", err)
	}
	if err := query.Of(BlobItems, BlobHash.Key(bytes.Repeat([]byte{1}, 2048))).Err(); err != nil {
		t.Errorf("a binary partition key of 2048 bytes: %v", err)
	}
	db = newFake(t, Mileage)
	long := CarTrip.At(day(1, 1)).At(7)
	car := query.On(Trips, ByCar, Car.Key("u", "p"))
	if _, err := car.Where(long.From(strings.Repeat("x", 1015))).Collect(t.Context(), db); !errors.Is(err, keys.ErrTooLong) || db.requests() != 0 {
		t.Errorf("parts of 1025 bytes: %v, want ErrTooLong and nothing sent", err)
	}
}
