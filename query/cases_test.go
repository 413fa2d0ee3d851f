package query_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
)

// Job has one field for each of the segments that have gone wrong elsewhere.
type Job struct {
	Shop string    `dynamodbav:"-" key:"shop"`
	Who  string    `dynamodbav:"who"`
	N    int64     `dynamodbav:"n"`
	At   time.Time `dynamodbav:"at"`
	ID   string    `dynamodbav:"id"`
}

var (
	Shop    = keys.MustCompile1("SHOP#<shop>", keys.String)
	ByWho   = keys.MustCompile2("WHO#<who>#<id>", keys.String, keys.String)
	ByN     = keys.MustCompile2("N#<n>#<id>", keys.Int(19), keys.String)
	ByAt    = keys.MustCompile2("AT#<at>#<id>", keys.Time(keys.Nano), keys.String)
	ByState = keys.MustCompile3("STATUS#<who>#<at>#<id>", keys.String, keys.Time(keys.Second), keys.String)

	Jobs     = model.NewTable("jobs", model.PrimaryKey("pk", "sk"))
	JobsWho  = model.MustDefine[Job](Jobs, "Who", Shop, ByWho)
	JobsN    = model.MustDefine[Job](Jobs, "N", Shop, ByN)
	JobsAt   = model.MustDefine[Job](Jobs, "At", Shop, ByAt)
	JobsStat = model.MustDefine[Job](Jobs, "Status", Shop, ByState)
)

// TestKnownFaults asks what other libraries answered wrongly.
func TestKnownFaults(t *testing.T) {
	shop := Shop.Key("s")
	at := func(text string) time.Time {
		v, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	jobs := func(e *model.Entity[Job], list ...Job) []model.Item {
		var all []model.Item
		for _, j := range list {
			j.Shop = "s"
			if j.ID == "" {
				j.ID = "1"
			}
			item, err := e.Marshal(&j)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, item)
		}
		return all
	}
	names := func(list ...string) (jobs []Job) {
		for _, s := range list {
			jobs = append(jobs, Job{Who: s})
		}
		return jobs
	}
	numbers := func(list ...int64) (jobs []Job) {
		for _, n := range list {
			jobs = append(jobs, Job{N: n})
		}
		return jobs
	}
	times := func(list ...string) (jobs []Job) {
		for _, s := range list {
			jobs = append(jobs, Job{At: at(s)})
		}
		return jobs
	}
	state := func(who, on, id string) Job { return Job{Who: who, At: at(on + "T09:00:00Z"), ID: id} }
	last := at("2024-01-31T09:00:00Z")
	of := func(e *model.Entity[Job], r keys.Range) query.Query[Job] { return query.Of(e, shop).Where(r) }

	for _, tt := range []struct {
		name, reason string
		stored       []model.Item
		q            query.Query[Job]
		want         []Job // with the shop and the id that jobs gives
	}{
		{"last day", "the bound goes on behind the day", jobs(JobsStat, state("OPEN", "2024-01-31", "w-1")), of(JobsStat, ByState.At("OPEN").To(last)), []Job{state("OPEN", "2024-01-31", "w-1")}},
		{"emoji", "above every text of the BMP", jobs(JobsStat, state("OPEN", "2024-01-31", "😀")), of(JobsStat, ByState.At("OPEN").To(last)), []Job{state("OPEN", "2024-01-31", "😀")}},
		{"prefix", "OPENED is not OPEN", jobs(JobsStat, state("OPEN", "2024-01-31", "a"), state("OPENED", "2024-01-31", "b")), of(JobsStat, ByState.At("OPEN").All()), []Job{state("OPEN", "2024-01-31", "a")}},
		{"from", "stays in its status and entity", append(jobs(JobsStat, state("SHIPPED", "2020-01-01", "9")), jobs(JobsWho, Job{Who: "USER"})...), of(JobsStat, ByState.At("OPEN").From(at("2024-06-01T00:00:00Z"))), nil},
		{"names", "in the order of the names", jobs(JobsWho, names("Anna", "Ann!", "Ann Lee", "Ann")...), of(JobsWho, ByWho.All()), names("Ann", "Ann Lee", "Ann!", "Anna")},
		{"to Ann", "Ann alone", jobs(JobsWho, names("Anna", "Ann!", "Ann Lee", "Ann")...), of(JobsWho, ByWho.To("Ann")), names("Ann")},
		{"letter case", "two items", jobs(JobsWho, names("abc", "AbC")...), of(JobsWho, ByWho.All()), names("AbC", "abc")},
		{"integers", "by value", jobs(JobsN, numbers(100, -50, 10, -1000, 9, 0, -1, 1000, 50, -200, 1)...), of(JobsN, ByN.All()), numbers(-1000, -200, -50, -1, 0, 1, 9, 10, 50, 100, 1000)},
		{"zero", "asking for 0 asks for 0", jobs(JobsN, numbers(-1, 0, 1)...), of(JobsN, ByN.At(0).All()), numbers(0)},
		{"instants", "fractions sort behind the whole second", jobs(JobsAt, times("2026-01-01T00:00:01Z", "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00Z")...), of(JobsAt, ByAt.From(at("2026-01-01T00:00:00Z"))), times("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:01Z")},
		{"zones", "one instant, one key", jobs(JobsAt, times("2026-08-22T01:00:00+09:00")...), of(JobsAt, ByAt.At(at("2026-08-21T16:00:00Z")).All()), times("2026-08-21T16:00:00Z")},
		{"from = to", "is legal", jobs(JobsN, numbers(1, 2)...), of(JobsN, ByN.Between(2, 2)), numbers(2)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			slices.Reverse(tt.stored)
			got, err := tt.q.Collect(t.Context(), newFake(t, Jobs, tt.stored...))
			if err != nil {
				t.Fatal(err)
			}
			want := slices.Clone(tt.want)
			for i := range want {
				want[i].Shop = "s"
				if want[i].ID == "" {
					want[i].ID = "1"
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
			}
		})
	}

	db := newFake(t, Jobs)
	if _, err := of(JobsN, ByN.Between(2, 1)).Collect(t.Context(), db); !errors.Is(err, keys.ErrRange) || db.requests() != 0 {
		t.Errorf("from > to: %v and %d requests, want ErrRange and none", err, db.requests())
	}
	if list, err := of(JobsN, ByN.Within(1, 1)).Collect(t.Context(), db); list != nil || err != nil || db.requests() != 0 {
		t.Errorf("half-open from = to: %v, %v and %d requests, want nothing and none", list, err, db.requests())
	}
}
