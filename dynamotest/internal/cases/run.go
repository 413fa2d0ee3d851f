package cases

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"
)

// Options of a run.
type Options struct {
	Prefix   string        // of all table names
	Short    bool          // leave out the slow cases
	Patience time.Duration // how long indexes and table states may lag
	// Known maps "group/case", with _ for space as the names of subtests are
	// printed, to the reason why this endpoint answers otherwise.
	// Such a case is skipped if it fails, and fails if it passes: the list is to stay true.
	Known map[string]string
}

// Run runs every case as a subtest of t, group by group.
func Run(t *testing.T, client *dynamodb.Client, opts Options) {
	t.Helper()
	run := make([]byte, 8)
	rand.Read(run) // never fails
	r := &runner{ctx: t.Context(), client: client, opts: opts, names: []string{"$run", hex.EncodeToString(run)}}
	r.shared(t)
	unseen := maps.Clone(opts.Known)
	n := 0 // of cases, whether or not go test runs them
	for _, g := range All() {
		first := n
		n += len(g.Cases)
		for _, c := range g.Cases {
			delete(unseen, subtest(g, c))
		}
		t.Run(g.Name, func(t *testing.T) {
			for i, c := range g.Cases {
				t.Run(c.Name, func(t *testing.T) {
					if c.Slow && opts.Short {
						t.Skip("slow")
					}
					reason, known := opts.Known[subtest(g, c)]
					fail, skip := judge(c, reason, known, r.run(t, first+i, c))
					switch {
					case fail != "":
						t.Error(fail)
					case skip != "":
						t.Skip(skip)
					}
				})
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(unseen)) {
		t.Errorf("known difference %q names no case", name)
	}
}

// subtest is the name of a case's subtest as go test prints it.
func subtest(g Group, c Case) string {
	return strings.ReplaceAll(g.Name+"/"+c.Name, " ", "_")
}

// judge says what becomes of a case: it fails, is skipped, or (with neither)
// passes.
func judge(c Case, reason string, known bool, failures []string) (fail, skip string) {
	switch {
	case known && len(failures) == 0:
		return "is listed as known to differ, and does not: " + reason, ""
	case known:
		return "", "known to differ: " + reason
	case len(failures) > 0:
		return "why it matters: " + c.Why + "\n" + strings.Join(failures, "\n"), ""
	}
	return "", ""
}

type runner struct {
	ctx    context.Context
	client *dynamodb.Client
	opts   Options
	names  []string // what is filled in for every case: placeholder, text, placeholder, text, …
}

// shared makes the shared tables and removes them at the end of t.
func (r *runner) shared(t *testing.T) {
	t.Helper()
	for _, s := range sharedTables {
		r.names = append(r.names, "$"+s.name, r.opts.Prefix+s.name)
	}
	fill := strings.NewReplacer(r.names...)
	for _, s := range sharedTables {
		table := r.opts.Prefix + s.name
		answer, err := Call(r.ctx, r.client, "CreateTable", fill.Replace(s.definition))
		if err != nil || answer.Code != "" {
			t.Fatalf("shared table %s: %v %s %s", table, err, answer.Code, answer.Message)
		}
		t.Cleanup(func() { r.drop(t, table) })
	}
	for _, s := range sharedTables {
		if err := r.active(r.opts.Prefix + s.name); err != nil {
			t.Fatal(err)
		}
	}
}

// active waits until a table and its indexes are.
func (r *runner) active(table string) error {
	deadline := time.Now().Add(max(r.opts.Patience, time.Minute))
	for pause := time.Millisecond; ; pause = min(2*pause, time.Second) {
		answer, err := Call(r.ctx, r.client, "DescribeTable", `{"TableName":"`+table+`"}`)
		if err != nil {
			return err
		}
		ready := pick(answer.Body, "Table.TableStatus") == "ACTIVE"
		indexes, _ := pick(answer.Body, "Table.GlobalSecondaryIndexes").([]any)
		for _, i := range indexes {
			ready = ready && pick(i, "IndexStatus") == "ACTIVE"
		}
		if ready {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("table %s is not active in time: %v", table, answer)
		}
		time.Sleep(pause)
	}
}

// drop removes a table if it is there. It runs after the test's context ended.
func (r *runner) drop(t *testing.T, table string) {
	ctx := context.WithoutCancel(r.ctx)
	for pause := time.Millisecond; pause < 10*time.Second; pause *= 2 {
		answer, err := Call(ctx, r.client, "DeleteTable", `{"TableName":"`+table+`"}`)
		if err == nil && (answer.Code == "" || answer.Code == "ResourceNotFoundException") {
			return
		}
		if err != nil || answer.Code != "ResourceInUseException" {
			t.Logf("table %s stays behind: %v %s", table, err, answer.Message)
			return
		}
		time.Sleep(pause)
	}
	t.Logf("table %s stays behind: it is in use", table)
}

// run plays one case and gives what was wrong, step by step. The first wrong
// step ends it.
func (r *runner) run(t *testing.T, n int, c Case) []string {
	t.Helper()
	names := slices.Clone(r.names)
	names = append(names, "$k", fmt.Sprintf("k%05d", n))
	for i := 1; i <= 9; i++ {
		placeholder := fmt.Sprintf("$T%d", i)
		table := fmt.Sprintf("%scase%05d-%d", r.opts.Prefix, n, i)
		names = append(names, placeholder, table)
		for _, s := range c.Steps {
			if s.Op == "CreateTable" && strings.Contains(s.In, placeholder) {
				t.Cleanup(func() { r.drop(t, table) })
				break
			}
		}
	}
	fill := strings.NewReplacer(names...)
	for i, s := range c.Steps {
		s.In, s.Want, s.Msg = fill.Replace(s.In), fill.Replace(s.Want), fill.Replace(s.Msg)
		if diff := r.step(s); diff != "" {
			return []string{fmt.Sprintf("step %d, %s %s\n%s", i+1, s.Op, shorten(s.In), diff)}
		}
		if s.Op == "CreateTable" && s.Code == "" {
			if err := r.active(pick(parse(s.In), "TableName").(string)); err != nil {
				return []string{err.Error()}
			}
		}
	}
	return nil
}

func shorten(s string) string {
	if len(s) <= 2000 {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:2000], len(s))
}

// step sends one request and gives what is wrong with its answer. Reads of an
// index, which follows its table a moment later, are repeated while they differ.
func (r *runner) step(s Step) string {
	patience := time.Duration(0)
	if s.Code == "" && (s.Wait || strings.Contains(s.In, `"IndexName"`)) {
		patience = r.opts.Patience
	}
	deadline := time.Now().Add(patience)
	for pause := time.Millisecond; ; pause *= 2 {
		diff, late := r.try(s)
		if diff == "" || !late || time.Now().Add(pause).After(deadline) {
			return diff
		}
		time.Sleep(pause)
	}
}

// try sends a request once. It reports what is wrong with the answer, and
// whether that may be because the answer is not right yet.
func (r *runner) try(s Step) (diff string, late bool) {
	send := Call
	if s.Raw {
		send = CallRaw
	}
	got, err := send(r.ctx, r.client, s.Op, s.In)
	if err != nil {
		return err.Error(), false
	}
	if got.Code != s.Code || (s.Msg != "" && !matches(s.Msg, got.Message)) {
		return fmt.Sprintf("got  %s\nwant %s", outcome(got.Code, got.Message, got.Body), outcome(s.Code, s.Msg, s.Want)), false
	}
	if s.Any || (s.Code != "" && s.Want == "") {
		return "", false
	}
	body := Normal(s.Op, got.Body)
	want := parse(s.Want)
	if s.Pick {
		found := map[string]any{}
		for path := range want {
			found[path] = pick(body, path)
		}
		body = found
	} else {
		want = Normal(s.Op, want)
	}
	if s.Unordered {
		sortByText(body["Items"])
		sortByText(want["Items"])
	}
	return compare(want, body), s.Code == ""
}

// compare gives the difference of two documents. A deep one is shown whole: the
// time that cmp takes grows with the power of the depth.
func compare(want, got map[string]any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	if w, g := text(want), text(got); strings.Contains(w+g, strings.Repeat("[{\"L\":", 8)) {
		return "got  " + shorten(g) + "\nwant " + shorten(w)
	}
	return "(-want +got)\n" + shorten(cmp.Diff(want, got))
}

func outcome(code, msg string, body any) string {
	if code == "" {
		return fmt.Sprintf("success %v", body)
	}
	return code + ": " + shorten(msg)
}

// parse reads the JSON of a case, which is part of the program.
func parse(text string) map[string]any {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var doc map[string]any
	if err := dec.Decode(&doc); err != nil {
		panic(fmt.Sprintf("case is no JSON: %v: %s", err, text))
	}
	return normal(doc).(map[string]any)
}
