package engine

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// reporter is what testing and rapid have in common.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkIndexes compares every index with what its definition derives from the
// rows of the table, in the slowest and plainest way.
func checkIndexes(t reporter, tb *table) {
	t.Helper()
	var rows []*row
	bytes := int64(0)
	tb.rows.Scan(func(r *row) bool {
		rows = append(rows, r)
		bytes += int64(r.size)
		return true
	})
	if bytes != tb.bytes {
		t.Errorf("the table counts %d bytes, its rows have %d", tb.bytes, bytes)
	}
	for _, x := range tb.indexes() {
		var want, got []string
		size, counted := int64(0), x.bytes
	rows:
		for _, r := range rows {
			place := ""
			for _, p := range x.key.parts() {
				v, ok := r.item[p.name]
				if !ok || v.Kind() != p.kind || bytesOf(v) == 0 {
					continue rows
				}
				place += v.Kind().String() + string(v.AppendJSON(nil)) + " "
			}
			want = append(want, place+string(canonicalItem(r.item)))
			part := av.Item{}
			for name, v := range r.item {
				if x.project == projectAll || tb.key.has(name) || x.key.has(name) || slices.Contains(x.included, name) {
					part[name] = v
				}
			}
			size += int64(part.Size())
		}
		x.entries.Scan(func(e *entry) bool {
			place := ""
			for _, p := range x.key.parts() {
				v := e.row.item[p.name]
				place += v.Kind().String() + string(v.AppendJSON(nil)) + " "
			}
			got = append(got, place+string(canonicalItem(e.row.item)))
			return true
		})
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("index %s (-derived from the table +held):\n%s", x.name, diff)
		}
		if size != counted {
			t.Errorf("index %s counts %d bytes, its entries have %d", x.name, counted, size)
		}
	}
}

func canonicalItem(item av.Item) []byte { return appendCanonical(nil, item.AppendJSON(nil)) }

// drawn is one random request of the mix.
type drawn struct{ op, request string }

// source draws numbers; rapid and math/rand both can be one.
type source func(n int) int

func drawKey(pick source) string {
	return fmt.Sprintf(`"pk":{"S":"p%d"},"sk":{"N":"%d"}`, pick(3), pick(5)-2)
}

func drawItem(pick source) string {
	var b strings.Builder
	b.WriteString(drawKey(pick))
	for _, optional := range []string{
		fmt.Sprintf(`"l":{"S":"l%d"}`, pick(2)), fmt.Sprintf(`"g":{"S":"g%d"}`, pick(2)), fmt.Sprintf(`"n":{"N":"%d"}`, pick(4)-2),
		fmt.Sprintf(`"b":{"B":"AA%c="}`, "AEIMQ"[pick(5)]), fmt.Sprintf(`"v":{"S":"%d"}`, pick(9)),
	} {
		if pick(3) > 0 {
			b.WriteString("," + optional)
		}
	}
	return "{" + b.String() + "}"
}

func drawUpdate(pick source) string {
	clauses := []string{
		fmt.Sprintf(`"UpdateExpression":"SET g = :s","ExpressionAttributeValues":{":s":{"S":"g%d"}}`, pick(2)),
		fmt.Sprintf(`"UpdateExpression":"SET n = :n REMOVE b","ExpressionAttributeValues":{":n":{"N":"%d"}}`, pick(4)),
		`"UpdateExpression":"REMOVE g, l"`,
		`"UpdateExpression":"ADD n :n","ExpressionAttributeValues":{":n":{"N":"1"}}`,
		fmt.Sprintf(`"UpdateExpression":"SET l = if_not_exists(l, :s), v = :s","ConditionExpression":"attribute_exists(pk)","ExpressionAttributeValues":{":s":{"S":"l%d"}}`, pick(2)),
	}
	return `"Key":{` + drawKey(pick) + `},` + clauses[pick(len(clauses))]
}

func drawRequest(pick source) drawn {
	switch pick(9) {
	case 0, 1, 2:
		return drawn{"PutItem", `{"TableName":"mix","Item":` + drawItem(pick) + `}`}
	case 3, 4:
		return drawn{"UpdateItem", `{"TableName":"mix",` + drawUpdate(pick) + `}`}
	case 5:
		return drawn{"DeleteItem", `{"TableName":"mix","Key":{` + drawKey(pick) + `}}`}
	case 6:
		return drawn{"BatchWriteItem", `{"RequestItems":{"mix":[{"PutRequest":{"Item":` + drawItem(pick) + `}},{"DeleteRequest":{"Key":{` + drawKey(pick) + `}}}]}}`}
	case 7:
		return drawn{"TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"mix","Item":` + drawItem(pick) + `}},{"Update":{"TableName":"mix",` + drawUpdate(pick) +
			`}},{"Delete":{"TableName":"mix","Key":{` + drawKey(pick) + `}}}]}`}
	}
	return drawn{"UpdateItem", `{"TableName":"mix","Key":{` + drawKey(pick) + `},"UpdateExpression":"SET #t = :t","ExpressionAttributeNames":{"#t":"ttl"},"ExpressionAttributeValues":{":t":{"N":"` +
		fmt.Sprint(1_800_000_000+pick(100)) + `"}}}`}
}

// expected says whether an error is one that the requests of the mix may meet.
func expected(err *Error) bool {
	return err.Type == ConditionalCheckFailed || err.Type == TransactionCanceled || err.Message == sameItem || err.Message == "Provided list of item keys contains duplicates"
}

// TestIndexesAreWhatTheScanDerives: after any mix of writes, whatever the lag and
// the expiries, every index is what its definition derives from the table.
func TestIndexesAreWhatTheScanDerives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Unix(1_800_000_000, 0)
		e := New(Config{Now: func() time.Time { return now }, GSILag: time.Duration(rapid.IntRange(0, 2).Draw(t, "lag")) * time.Second})
		if _, err := e.Do("CreateTable", []byte(mixTable), Options{}); err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "ttl") {
			if _, err := e.Do("UpdateTimeToLive", []byte(`{"TableName":"mix","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}`), Options{}); err != nil {
				t.Fatal(err)
			}
		}
		pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }
		for range rapid.IntRange(1, 40).Draw(t, "requests") {
			r := drawRequest(pick)
			if _, err := e.Do(r.op, []byte(r.request), Options{}); err != nil && !expected(err) {
				t.Fatalf("%s %s: %v", r.op, r.request, err)
			}
			now = now.Add(time.Duration(pick(3)) * time.Second)
		}
		e.SettleIndexes()
		checkIndexes(t, e.table("mix"))
	})
}

// TestQueriesAreFilteredScans compares queries, both ways and page by page, with
// the plain reading of their condition on every item.
func TestQueriesAreFilteredScans(t *testing.T) {
	type attr struct {
		name string
		kind av.Kind
	}
	shapes := []struct {
		index      string
		hash, sort []attr
	}{
		{"", []attr{{"pk", av.S}}, []attr{{"sk", av.N}}},
		{"local", []attr{{"pk", av.S}}, []attr{{"l", av.S}}},
		{"plain", []attr{{"g", av.S}}, nil},
		{"ranged", []attr{{"g", av.S}}, []attr{{"n", av.N}}},
		{"native", []attr{{"g", av.S}, {"l", av.S}}, []attr{{"n", av.N}, {"b", av.B}}},
	}
	rapid.Check(t, func(t *rapid.T) {
		e := New(Config{})
		if _, err := e.Do("CreateTable", []byte(mixTable), Options{}); err != nil {
			t.Fatal(err)
		}
		pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }
		for range rapid.IntRange(0, 30).Draw(t, "items") {
			if _, err := e.Do("PutItem", []byte(`{"TableName":"mix","Item":`+drawItem(pick)+`}`), Options{}); err != nil {
				t.Fatal(err)
			}
		}
		shape := shapes[pick(len(shapes))]
		values := av.Item{}
		var conditions []string
		var tests []func(av.Item) bool
		bind := func(v av.Value) string {
			name := fmt.Sprintf(":v%d", len(values))
			values[name] = v
			return name
		}
		draw := func(a attr) av.Value {
			switch a.name {
			case "pk":
				return av.String(fmt.Sprintf("p%d", pick(3)))
			case "l", "g":
				return av.String(fmt.Sprintf("%s%d", a.name, pick(2)))
			case "b":
				return av.Binary([]byte{0, byte(pick(5))})
			}
			return av.Num(av.Int(int64(pick(5) - 2)))
		}
		compare := func(a attr, ok func(int) bool, v av.Value) {
			tests = append(tests, func(it av.Item) bool {
				c, same := av.Compare(it[a.name], v)
				return same && ok(c)
			})
		}
		equal := func(a attr) {
			v := draw(a)
			conditions = append(conditions, a.name+" = "+bind(v))
			compare(a, func(c int) bool { return c == 0 }, v)
		}
		for _, a := range shape.hash {
			equal(a)
		}
		used := pick(len(shape.sort) + 1)
		for i, a := range shape.sort[:used] {
			if i < used-1 {
				equal(a)
				continue
			}
			v := draw(a)
			switch pick(7) {
			case 0:
				equal(a)
			case 1:
				conditions = append(conditions, a.name+" < "+bind(v))
				compare(a, func(c int) bool { return c < 0 }, v)
			case 2:
				conditions = append(conditions, a.name+" <= "+bind(v))
				compare(a, func(c int) bool { return c <= 0 }, v)
			case 3:
				conditions = append(conditions, a.name+" > "+bind(v))
				compare(a, func(c int) bool { return c > 0 }, v)
			case 4:
				conditions = append(conditions, a.name+" >= "+bind(v))
				compare(a, func(c int) bool { return c >= 0 }, v)
			case 5:
				w := draw(a)
				if c, _ := av.Compare(v, w); c > 0 {
					v, w = w, v
				}
				conditions = append(conditions, a.name+" BETWEEN "+bind(v)+" AND "+bind(w))
				compare(a, func(c int) bool { return c >= 0 }, v)
				compare(a, func(c int) bool { return c <= 0 }, w)
			case 6:
				if a.kind == av.N {
					equal(a)
					break
				}
				prefix := v.Raw()
				if a.kind == av.S {
					prefix = v.Str()
				}
				prefix = prefix[:1+pick(len(prefix))]
				bound := av.Binary([]byte(prefix))
				if a.kind == av.S {
					bound = av.String(prefix)
				}
				conditions = append(conditions, "begins_with("+a.name+", "+bind(bound)+")")
				tests = append(tests, func(it av.Item) bool {
					if a.kind == av.S {
						return strings.HasPrefix(it[a.name].Str(), prefix)
					}
					return strings.HasPrefix(it[a.name].Raw(), prefix)
				})
			}
		}
		forward := rapid.Bool().Draw(t, "forward")
		limit := rapid.IntRange(1, 6).Draw(t, "limit")

		var want []string
		e.table("mix").rows.Scan(func(r *row) bool {
			for _, a := range append(slices.Clone(shape.hash), shape.sort...) {
				if !r.item[a.name].IsValid() {
					return true
				}
			}
			for _, ok := range tests {
				if !ok(r.item) {
					return true
				}
			}
			want = append(want, r.pk+numberText(r.item["sk"].Number().String()))
			return true
		})
		slices.Sort(want)

		request := `"TableName":"mix","KeyConditionExpression":"` + strings.Join(conditions, " AND ") + `","ExpressionAttributeValues":` + string(values.AppendJSON(nil)) +
			fmt.Sprintf(`,"ScanIndexForward":%v,"Limit":%d`, forward, limit)
		if shape.index != "" {
			request += `,"IndexName":"` + shape.index + `"`
		}
		var got []string
		var previous av.Item
		start := ""
		for {
			body, err := e.Do("Query", []byte("{"+request+start+"}"), Options{})
			if err != nil {
				t.Fatalf("{%s%s}: %v", request, start, err)
			}
			var answer struct {
				Items            []json.RawMessage
				LastEvaluatedKey json.RawMessage
			}
			if err := json.Unmarshal(body, &answer); err != nil {
				t.Fatal(err)
			}
			for _, raw := range answer.Items {
				it, err := av.DecodeItem(raw)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range shape.sort {
					if previous == nil {
						break
					}
					c, _ := av.Compare(previous[a.name], it[a.name])
					if forward && c > 0 || !forward && c < 0 {
						t.Fatalf("{%s}: %s comes after %s", request, it.AppendJSON(nil), previous.AppendJSON(nil))
					}
					if c != 0 {
						break
					}
				}
				previous = it
				got = append(got, it["pk"].Str()+numberText(it["sk"].Number().String()))
			}
			if answer.LastEvaluatedKey == nil {
				break
			}
			start = `,"ExclusiveStartKey":` + string(answer.LastEvaluatedKey)
		}
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Fatalf("{%s}: got %q, want %q", request, got, want)
		}
	})
}

// TestSegmentsOfAScanAreThePartsOfTheWhole: the segments together give every item
// once, whatever their number, and pages of a segment stay in it.
func TestSegmentsOfAScanAreThePartsOfTheWhole(t *testing.T) {
	e := New(Config{})
	must(t, e, "CreateTable", mixTable)
	for i := range 200 {
		must(t, e, "PutItem", fmt.Sprintf(`{"TableName":"mix","Item":{"pk":{"S":"p%d"},"sk":{"N":"1"},"g":{"S":"g%d"}}}`, i, i%50))
	}
	for _, index := range []string{"", `,"IndexName":"plain"`} {
		for _, total := range []int{1, 2, 3, 7, 64} {
			seen := map[string]int{}
			for segment := range total {
				start := ""
				for {
					body, err := e.Do("Scan", fmt.Appendf(nil, `{"TableName":"mix","Limit":7,"Segment":%d,"TotalSegments":%d%s%s}`, segment, total, index, start), Options{})
					if err != nil {
						t.Fatal(err)
					}
					var answer struct {
						Items            []map[string]map[string]string
						LastEvaluatedKey json.RawMessage
					}
					if err := json.Unmarshal(body, &answer); err != nil {
						t.Fatal(err)
					}
					for _, it := range answer.Items {
						seen[it["pk"]["S"]]++
					}
					if answer.LastEvaluatedKey == nil {
						break
					}
					start = `,"ExclusiveStartKey":` + string(answer.LastEvaluatedKey)
				}
			}
			if len(seen) != 200 {
				t.Errorf("index %q, %d segments: %d items, want 200", index, total, len(seen))
			}
			for pk, n := range seen {
				if n != 1 {
					t.Errorf("index %q, %d segments: %s came %d times", index, total, pk, n)
				}
			}
		}
	}
}

// TestAHundredAtOnce lets a hundred goroutines do everything at once and holds
// that no money is lost in transfers, that snapshots see all of it, and that the
// indexes are right in the end. Run it with -race.
func TestAHundredAtOnce(t *testing.T) {
	const accounts, each, rounds = 8, 100, 25
	e := New(Config{})
	must(t, e, "CreateTable", mixTable)
	must(t, e, "CreateTable", plainTable)
	for i := range accounts {
		must(t, e, "PutItem", fmt.Sprintf(`{"TableName":"plain","Item":{"pk":{"S":"%d"},"n":{"N":"%d"}}}`, i, each))
	}
	var work sync.WaitGroup
	for w := range 100 {
		work.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 7))
			for range rounds {
				switch w % 5 {
				case 0, 1:
					from := random.IntN(accounts)
					to := (from + 1 + random.IntN(accounts-1)) % accounts
					_, err := e.Do("TransactWriteItems", fmt.Appendf(nil, `{"TransactItems":[
						{"Update":{"TableName":"plain","Key":{"pk":{"S":"%d"}},"UpdateExpression":"SET n = n - :n","ConditionExpression":"n >= :n","ExpressionAttributeValues":{":n":{"N":"7"}}}},
						{"Update":{"TableName":"plain","Key":{"pk":{"S":"%d"}},"UpdateExpression":"SET n = n + :n","ExpressionAttributeValues":{":n":{"N":"7"}}}},
						{"Put":{"TableName":"mix","Item":%s}}]}`, from, to, drawItem(random.IntN)), Options{})
					if err != nil && err.Type != TransactionCanceled {
						t.Error(err)
					}
				case 2:
					checkSum(t, e, accounts, accounts*each)
				case 3:
					r := drawRequest(random.IntN)
					if _, err := e.Do(r.op, []byte(r.request), Options{}); err != nil && !expected(err) {
						t.Errorf("%s %s: %v", r.op, r.request, err)
					}
				case 4:
					for _, request := range []drawn{
						{"Query", `{"TableName":"mix","IndexName":"native","KeyConditionExpression":"g = :g AND l = :l","ExpressionAttributeValues":{":g":{"S":"g1"},":l":{"S":"l1"}}}`},
						{"Scan", `{"TableName":"mix","ConsistentRead":true}`},
						{"DescribeTable", `{"TableName":"mix"}`},
						{"BatchGetItem", `{"RequestItems":{"mix":{"Keys":[{` + drawKey(random.IntN) + `}]},"plain":{"Keys":[{"pk":{"S":"1"}}]}}}`},
					} {
						if _, err := e.Do(request.op, []byte(request.request), Options{}); err != nil {
							t.Errorf("%s: %v", request.op, err)
						}
					}
				}
			}
		})
	}
	work.Wait()
	checkSum(t, e, accounts, accounts*each)
	checkIndexes(t, e.table("mix"))
}

// checkSum reads all accounts in one transaction.
func checkSum(t *testing.T, e *Engine, accounts, want int) {
	gets := make([]string, accounts)
	for i := range gets {
		gets[i] = fmt.Sprintf(`{"Get":{"TableName":"plain","Key":{"pk":{"S":"%d"}}}}`, i)
	}
	body, err := e.Do("TransactGetItems", []byte(`{"TransactItems":[`+strings.Join(gets, ",")+`]}`), Options{})
	if err != nil {
		t.Error(err)
		return
	}
	var answer struct {
		Responses []struct {
			Item struct {
				N struct {
					N int `json:",string"`
				} `json:"n"`
			}
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Error(err)
		return
	}
	sum := 0
	for _, r := range answer.Responses {
		sum += r.Item.N.N
	}
	if sum != want {
		t.Errorf("the accounts hold %d together, want %d: %s", sum, want, body)
	}
}
