package api_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/examples/mileage/internal/api"
)

type tripJSON struct {
	ID       string   `json:"id"`
	Vehicle  string   `json:"vehicle"`
	Purpose  string   `json:"purpose"`
	Start    stopJSON `json:"start"`
	End      stopJSON `json:"end"`
	Distance int64    `json:"distance"`
}

type stopJSON struct {
	At    string `json:"at"`
	Km    int64  `json:"km"`
	Place string `json:"place"`
}

type listJSON struct {
	Trips []tripJSON `json:"trips"`
	Next  string     `json:"next"`
	Prev  string     `json:"prev"`
}

// starts is when the trips of a list start.
func (l listJSON) starts() []string {
	var at []string
	for _, t := range l.Trips {
		at = append(at, t.Start.At)
	}
	return at
}

func TestMe(t *testing.T) {
	eachDesign(t, func(t *testing.T, w *world) {
		got := w.want(http.StatusOK, "GET", "/api/me", kim, "").body
		want := `{"id":"u-kim","name":"kim","vehicles":[{"number":"12-AB-CD","description":"a car"},{"number":"67-PK-KS","description":"a car"}]}` + "\n"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("GET /api/me (-want +got):\n%s", diff)
		}
	})
}

func TestVehicles(t *testing.T) {
	eachDesign(t, func(t *testing.T, w *world) {
		w.want(http.StatusCreated, "PUT", "/api/vehicles/ab-12", sanne, `{"description":"a van"}`)
		w.want(http.StatusOK, "PUT", "/api/vehicles/AB-12", sanne, `{"description":"a blue van"}`)
		got := w.want(http.StatusOK, "GET", "/api/me", sanne, "").body
		want := `{"id":"u-sanne","name":"sanne","vehicles":[{"number":"67-PK-KS","description":"a car"},{"number":"AB-12","description":"a blue van"}]}` + "\n"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("after the same vehicle twice (-want +got):\n%s", diff)
		}
	})
}

// A trip from its creation to its end.
func TestTrip(t *testing.T) {
	eachDesign(t, func(t *testing.T, w *world) {
		created := w.want(http.StatusCreated, "POST", "/api/vehicles/67-pk-ks/trips", kim,
			`{"purpose":"business","start":{"at":"2026-01-31T08:15:30.9+01:00","km":1000,"place":" Utrecht "},"end":{"at":"2026-01-31T09:00:00+01:00","km":1042,"place":"Delft"}}`)
		url := created.header.Get("Location")
		var got tripJSON
		created.into(t, &got)
		want := tripJSON{
			ID: strings.TrimPrefix(url, "/api/trips/"), Vehicle: "67-PK-KS", Purpose: "business",
			Start: stopJSON{"2026-01-31T07:15:30Z", 1000, "Utrecht"}, End: stopJSON{"2026-01-31T08:00:00Z", 1042, "Delft"}, Distance: 42,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("POST (-want +got):\n%s", diff)
		}
		read := w.want(http.StatusOK, "GET", url, kim, "")
		if read.body != created.body || read.header.Get("ETag") != `"1"` || created.header.Get("ETag") != `"1"` {
			t.Errorf("GET %s: %v %v, want what POST answered: %v %v", url, read, read.header, created, created.header)
		}

		// Another date, another vehicle; what was read is sent back changed.
		body := strings.NewReplacer("67-PK-KS", "12-ab-cd", "2026-01-31", "2026-02-01").Replace(read.body)
		changed := w.want(http.StatusOK, "PUT", url, kim, body, "If-Match", `"1"`)
		if etag := changed.header.Get("ETag"); etag != `"2"` {
			t.Errorf(`PUT: ETag %s, want "2"`, etag)
		}
		if again := w.want(http.StatusOK, "GET", url, kim, ""); again.body != changed.body {
			t.Errorf("GET after PUT: %v, want what PUT answered: %v", again, changed)
		}
		for plate, want := range map[string][]string{"67-PK-KS": nil, "12-AB-CD": {"2026-02-01T07:15:30Z"}} {
			var list listJSON
			w.want(http.StatusOK, "GET", "/api/vehicles/"+plate+"/trips", kim, "").into(t, &list)
			if diff := cmp.Diff(want, list.starts()); diff != "" {
				t.Errorf("trips of %s after the trip went to 12-AB-CD (-want +got):\n%s", plate, diff)
			}
		}

		w.want(http.StatusPreconditionFailed, "PUT", url, kim, body, "If-Match", `"1"`)
		w.want(http.StatusPreconditionFailed, "DELETE", url, kim, "", "If-Match", `"1"`)
		w.want(http.StatusOK, "PUT", url, kim, read.body, "If-Match", "*")
		w.want(http.StatusNoContent, "DELETE", url, kim, "", "If-Match", `"3"`)
		w.want(http.StatusNotFound, "GET", url, kim, "")
		w.want(http.StatusNotFound, "DELETE", url, kim, "")
		w.want(http.StatusNotFound, "PUT", url, kim, body, "If-Match", `"3"`)

		url = w.post(kim, "67-PK-KS", tripAt("2026-01-31T08:00:00Z", 1, 2, "private"))
		w.want(http.StatusNoContent, "DELETE", url, kim, "")
		w.want(http.StatusNotFound, "GET", url, kim, "")
	})
}

// Two trips may start at the same second, and a change of nothing is no change.
func TestSameStart(t *testing.T) {
	eachDesign(t, func(t *testing.T, w *world) {
		body := tripAt("2026-01-31T08:00:00Z", 1, 2, "private")
		first, second := w.post(kim, "67-PK-KS", body), w.post(kim, "67-PK-KS", body)
		if first > second { // ids of one millisecond are in no order
			first, second = second, first
		}
		var list listJSON
		w.want(http.StatusOK, "GET", "/api/vehicles/67-PK-KS/trips", kim, "").into(t, &list)
		if len(list.Trips) != 2 || "/api/trips/"+list.Trips[0].ID != first || "/api/trips/"+list.Trips[1].ID != second {
			t.Errorf("list %+v, want %s and %s", list.Trips, first, second)
		}
		same := w.want(http.StatusOK, "PUT", first, kim, strings.Replace(body, "{", `{"vehicle":"67-PK-KS",`, 1), "If-Match", `"1"`)
		if etag := same.header.Get("ETag"); etag != `"1"` {
			t.Errorf(`PUT of what is there: ETag %s, want "1"`, etag)
		}
	})
}

// What is refused, and with what.
func TestRefusals(t *testing.T) {
	eachDesign(t, func(t *testing.T, w *world) {
		const trips = "/api/vehicles/67-PK-KS/trips"
		good := tripAt("2026-01-31T08:00:00Z", 1000, 1042, "business")
		trip := w.post(kim, "67-PK-KS", good)
		for i := range 12 {
			w.post(kim, "67-PK-KS", tripAt(fmt.Sprintf("2026-02-%02dT08:00:00Z", i+1), 2000, 2001, "business"))
			w.post(kim, "12-AB-CD", tripAt(fmt.Sprintf("2026-02-%02dT08:00:00Z", i+1), 2000, 2001, "business"))
			w.post(sanne, "67-PK-KS", tripAt(fmt.Sprintf("2026-02-%02dT08:00:00Z", i+1), 2000, 2001, "business"))
		}
		var page listJSON
		w.want(http.StatusOK, "GET", trips, kim, "").into(t, &page)
		_, cursor, _ := strings.Cut(page.Next, "?")
		with := func(old, new string) string {
			if !strings.Contains(good, old) {
				t.Fatalf("%q is not in %s", old, good)
			}
			return strings.Replace(good, old, new, 1)
		}
		whole := strings.Replace(good, "{", `{"vehicle":"67-PK-KS",`, 1)

		for _, test := range []struct {
			name         string
			method, path string
			token        string
			body         string
			headers      []string
			status       int
			fields       string // at fault, in their order
		}{
			{"no token", "GET", trips, "", "", nil, 401, ""},
			{"a token of nobody", "GET", trips, "guess", "", nil, 401, ""},
			{"the hash of a token is no token", "GET", trips, fmt.Sprintf("%x", sha256.Sum256([]byte(kim))), "", nil, 401, ""},
			{"another scheme", "GET", trips, "", "", []string{"Authorization", "Basic a2ltOmtpbQ=="}, 401, ""},
			{"no such place", "GET", "/api/nothing", kim, "", nil, 404, ""},
			{"no place at all", "GET", "/", kim, "", nil, 404, ""},
			{"no such method", "PATCH", trip, kim, "", nil, 405, ""},
			{"no such method on a list", "DELETE", trips, kim, "", nil, 405, ""},

			{"another user's trip", "GET", trip, sanne, "", nil, 404, ""},
			{"a change of another user's trip", "PUT", trip, sanne, whole, []string{"If-Match", `"1"`}, 404, ""},
			{"a deletion of another user's trip", "DELETE", trip, sanne, "", nil, 404, ""},
			{"no id of a trip", "GET", "/api/trips/1", kim, "", nil, 404, ""},
			{"no trip of that id", "GET", "/api/trips/00000000000000000000000000", kim, "", nil, 404, ""},
			{"no vehicle of the user", "GET", "/api/vehicles/12-AB-CD/trips", sanne, "", nil, 404, ""},
			{"a report of no vehicle of the user", "GET", "/api/vehicles/12-AB-CD/report?year=2026", sanne, "", nil, 404, ""},
			{"a trip of no vehicle of the user", "POST", "/api/vehicles/12-AB-CD/trips", sanne, good, nil, 404, ""},
			{"no number of a vehicle", "GET", "/api/vehicles/a%20b/trips", kim, "", nil, 404, ""},

			{"a vehicle without a possible number", "PUT", "/api/vehicles/a%20b", kim, `{"description":""}`, nil, 422, "vehicle"},
			{"a long description", "PUT", "/api/vehicles/AB-12", kim, `{"description":"` + strings.Repeat("x", 101) + `"}`, nil, 422, "description"},

			{"a vehicle of another number than that of the path", "PUT", "/api/vehicles/AB-12", kim, `{"number":"AB-13","description":""}`, nil, 422, "number"},

			{"no body", "POST", trips, kim, "", []string{"Content-Type", "application/json"}, 400, ""},
			{"no JSON", "POST", trips, kim, "km=1", nil, 400, ""},
			{"JSON and more", "POST", trips, kim, good + "{}", nil, 400, ""},
			{"half of it", "POST", trips, kim, good[:40], nil, 400, ""},
			{"another media type", "POST", trips, kim, good, []string{"Content-Type", "text/plain"}, 415, ""},
			{"a field that there is not", "POST", trips, kim, with("{", `{"colour":"red",`), nil, 400, ""},
			{"a large body", "POST", trips, kim, with("Utrecht", strings.Repeat("x", 17<<10)), nil, 413, ""},
			{"spaces without end", "POST", trips, kim, good + strings.Repeat(" ", 17<<10), nil, 413, ""},

			{"a text that is no UTF-8", "POST", trips, kim, with("Utrecht", "Utr\xffcht"), nil, 400, ""},
			{"a name twice", "POST", trips, kim, with("{", `{"purpose":"private",`), nil, 400, ""},
			{"a name twice, within, in another case", "POST", trips, kim, with(`"km":1000`, `"km":1000,"KM":1001`), nil, 400, ""},

			{"an empty object", "POST", trips, kim, "{}", nil, 422, "start.km end.km"},
			{"no purpose", "POST", trips, kim, with(`"purpose":"business",`, ""), nil, 422, "purpose"},
			{"an unknown purpose", "POST", trips, kim, with("business", "fun"), nil, 422, "purpose"},
			{"no time", "POST", trips, kim, with(`"at":"2026-01-31T08:00:00Z",`, ""), nil, 422, "start.at"},
			{"a day for a time", "POST", trips, kim, with("2026-01-31T08:00:00Z", "2026-01-31"), nil, 422, "start.at"},
			{"an end before the start", "POST", trips, kim, with("T09:00:00Z", "T07:00:00Z"), nil, 422, "end.at"},
			{"half a kilometre", "POST", trips, kim, with("1000", "1000.5"), nil, 422, "start.km"},
			{"kilometres in words", "POST", trips, kim, with("1000", `"many"`), nil, 422, "start.km"},
			{"a place that is no text", "POST", trips, kim, with(`"Delft"`, "7"), nil, 422, "end.place"},
			{"a stop that is no object", "POST", trips, kim, `{"start":7}`, nil, 422, "start"},
			{"backwards", "POST", trips, kim, with("1042", "999"), nil, 422, "end.km"},
			{"no places", "POST", trips, kim, strings.NewReplacer("Utrecht", "", "Delft", " ").Replace(good), nil, 422, "start.place end.place"},
			{"a trip of another vehicle than that of the path", "POST", trips, kim, with("{", `{"vehicle":"12-AB-CD",`), nil, 422, "vehicle"},
			{"a vehicle that cannot be", "POST", trips, kim, with("{", `{"vehicle":"?",`), nil, 422, "vehicle"},

			{"a change without a version", "PUT", trip, kim, whole, nil, 428, ""},
			{"a change of a stale version", "PUT", trip, kim, whole, []string{"If-Match", `"7"`}, 412, ""},
			{"a version that is no ETag", "PUT", trip, kim, whole, []string{"If-Match", "1"}, 400, ""},
			{"a version in another form", "PUT", trip, kim, whole, []string{"If-Match", `"01"`}, 400, ""},
			{"a version with a sign", "PUT", trip, kim, whole, []string{"If-Match", `"+1"`}, 400, ""},
			{"half an ETag", "PUT", trip, kim, whole, []string{"If-Match", `"1`}, 400, ""},
			{"two ETags", "PUT", trip, kim, whole, []string{"If-Match", `"1", "2"`}, 400, ""},
			{"an empty If-Match", "DELETE", trip, kim, "", []string{"If-Match", ""}, 400, ""},
			{"a weak ETag", "DELETE", trip, kim, "", []string{"If-Match", `W/"1"`}, 400, ""},
			{"a deletion of a stale version", "DELETE", trip, kim, "", []string{"If-Match", `"7"`}, 412, ""},
			{"a change to a vehicle that the user has not", "PUT", trip, kim, strings.Replace(whole, "67-PK-KS", "ZZ-99", 1), []string{"If-Match", `"1"`}, 422, "vehicle"},
			{"a change to what cannot be", "PUT", trip, kim, strings.Replace(whole, "1042", "7", 1), []string{"If-Match", `"1"`}, 422, "end.km"},

			{"a day that there is not", "GET", trips + "?from=2026-02-30", kim, "", nil, 400, "from"},
			{"a time for a day", "GET", trips + "?to=2026-01-31T00:00:00Z", kim, "", nil, 400, "to"},
			{"from after to", "GET", trips + "?from=2026-02-02&to=2026-02-01", kim, "", nil, 400, "to"},
			{"an order that there is not", "GET", trips + "?order=up", kim, "", nil, 400, "order"},
			{"no cursor", "GET", trips + "?cursor=nonsense", kim, "", nil, 400, ""},
			{"a cursor of another vehicle", "GET", "/api/vehicles/12-AB-CD/trips?" + cursor, kim, "", nil, 400, ""},
			{"a cursor of the other order", "GET", trips + "?order=newest&" + cursor, kim, "", nil, 400, ""},
			{"a cursor of another user", "GET", trips + "?" + cursor, sanne, "", nil, 400, ""},
			{"a cursor of another period", "GET", trips + "?from=2026-03-01&" + cursor, kim, "", nil, 400, ""},

			{"half a query", "GET", trips + "?from=2026-03-01;to=2026-03-31", kim, "", nil, 400, ""},
			{"half a query of a report", "GET", "/api/vehicles/67-PK-KS/report?year=2026&format=%zz", kim, "", nil, 400, ""},

			{"no year", "GET", "/api/vehicles/67-PK-KS/report", kim, "", nil, 400, "year"},
			{"a year in words", "GET", "/api/vehicles/67-PK-KS/report?year=last", kim, "", nil, 400, "year"},
			{"an unknown format", "GET", "/api/vehicles/67-PK-KS/report?year=2026&format=pdf", kim, "", nil, 400, "format"},
		} {
			got := w.send(test.method, test.path, test.token, test.body, test.headers...)
			var p struct {
				Title  string
				Status int
				Detail string
				Errors []struct{ Field, Reason string }
			}
			if got.status != test.status {
				t.Errorf("%s: %s %s: %v, want %d", test.name, test.method, test.path, got, test.status)
				continue
			}
			if media := got.header.Get("Content-Type"); media != "application/problem+json" {
				t.Errorf("%s: media type %q", test.name, media)
				continue
			}
			got.into(t, &p)
			var fields []string
			for _, f := range p.Errors {
				fields = append(fields, f.Field)
				if f.Reason == "" {
					t.Errorf("%s: no reason for %s", test.name, f.Field)
				}
			}
			if p.Status != test.status || p.Title != http.StatusText(test.status) || strings.Join(fields, " ") != test.fields {
				t.Errorf("%s: %v, want status %d and fields %q", test.name, got, test.status, test.fields)
			}
			switch test.status {
			case 401:
				if !strings.HasPrefix(got.header.Get("WWW-Authenticate"), `Bearer realm="mileage"`) {
					t.Errorf("%s: WWW-Authenticate %q", test.name, got.header.Get("WWW-Authenticate"))
				}
			case 405:
				if allow := got.header.Get("Allow"); !strings.Contains(allow, "GET, HEAD") {
					t.Errorf("%s: Allow %q", test.name, allow)
				}
			}
		}
		// And nothing of all that has done anything.
		if got := w.want(http.StatusOK, "GET", trip, kim, ""); got.header.Get("ETag") != `"1"` {
			t.Errorf("the trip after all refusals: %v %v", got.header.Get("ETag"), got)
		}
	})
}

// Pages forward and back are the same, also while trips come and go at their edges.
func TestPages(t *testing.T) {
	eachDesign(t, func(t *testing.T, w *world) {
		var urls []string
		for i := range 25 {
			urls = append(urls, w.post(kim, "67-PK-KS", tripAt(fmt.Sprintf("2026-01-%02dT08:00:00Z", i+1), i, i+1, "business")))
		}
		get := func(url string) (l listJSON) {
			t.Helper()
			a := w.want(http.StatusOK, "GET", url, kim, "")
			a.into(t, &l)
			var links []string
			for rel, u := range map[string]string{"next": l.Next, "prev": l.Prev} {
				if u != "" {
					links = append(links, "<"+u+`>; rel="`+rel+`"`)
				}
			}
			slices.Sort(links)
			header := slices.Sorted(slices.Values(a.header.Values("Link")))
			if diff := cmp.Diff(links, header); diff != "" {
				t.Errorf("GET %s: Link headers (-body +header):\n%s", url, diff)
			}
			return l
		}
		first := get("/api/vehicles/67-pk-ks/trips")
		second := get(first.Next)
		third := get(second.Next)
		if got := []int{len(first.Trips), len(second.Trips), len(third.Trips)}; !slices.Equal(got, []int{10, 10, 5}) || first.Prev != "" || third.Next != "" {
			t.Fatalf("pages of %v, before the first %q, after the third %q", got, first.Prev, third.Next)
		}
		if all := slices.Concat(first.starts(), second.starts(), third.starts()); !slices.IsSorted(all) || len(slices.Compact(all)) != 25 {
			t.Errorf("the pages together: %v", all)
		}
		back := get(third.Prev)
		if diff := cmp.Diff(second.Trips, back.Trips); diff != "" {
			t.Errorf("back from the third page (-second +back):\n%s", diff)
		}
		if diff := cmp.Diff(first.Trips, get(back.Prev).Trips); diff != "" {
			t.Errorf("back from the second page (-first +back):\n%s", diff)
		}

		newest := get("/api/vehicles/67-PK-KS/trips?order=newest")
		if got := newest.starts(); len(got) != 10 || got[0] != "2026-01-25T08:00:00Z" || !strings.Contains(newest.Next, "order=newest") || get(newest.Next).starts()[0] != "2026-01-15T08:00:00Z" {
			t.Errorf("newest first: %v, then %s", got, newest.Next)
		}

		// The last trip of the first page goes, and one comes before everything.
		w.want(http.StatusNoContent, "DELETE", urls[9], kim, "")
		w.post(kim, "67-PK-KS", tripAt("2025-12-31T08:00:00Z", 0, 1, "business"))
		if diff := cmp.Diff(second.Trips, get(first.Next).Trips); diff != "" {
			t.Errorf("the second page after the first has changed (-before +after):\n%s", diff)
		}

		// A period: days of Amsterdam, the last one included.
		for _, test := range []struct {
			query string
			want  int
		}{
			{"?from=2026-01-03&to=2026-01-05", 3},
			{"?from=2026-01-24", 2},
			{"?to=2026-01-02", 3},
			{"?from=2026-01-03&to=2026-01-03", 1},
			{"?from=2027-01-01&to=2027-12-31", 0},
		} {
			if l := get("/api/vehicles/67-PK-KS/trips" + test.query); len(l.Trips) != test.want {
				t.Errorf("%s: %v, want %d trips", test.query, l.starts(), test.want)
			}
		}
		inPeriod := get(get("/api/vehicles/67-PK-KS/trips?from=2026-01-03").Next)
		if !strings.Contains(inPeriod.Prev, "from=2026-01-03") || len(get(inPeriod.Prev).Trips) != 10 {
			t.Errorf("back within a period: %s", inPeriod.Prev)
		}
	})
}

// A day begins at midnight in Amsterdam.
func TestDays(t *testing.T) {
	eachDesign(t, func(t *testing.T, w *world) {
		for _, at := range []string{
			"2026-01-30T22:59:59Z", // 30 January, 23:59:59
			"2026-01-30T23:00:00Z", // 31 January, 00:00
			"2026-01-31T22:59:59Z", // 31 January, 23:59:59
			"2026-01-31T23:00:00Z", // 1 February
			"2026-03-28T23:00:00Z", // 29 March, 00:00, when the clocks go forward
			"2026-03-29T21:59:59Z", // 29 March, 23:59:59
			"2026-03-29T22:00:00Z", // 30 March, 00:00
		} {
			w.post(kim, "67-PK-KS", tripAt(at, 1, 2, "private"))
		}
		for day, want := range map[string][]string{
			"2026-01-31": {"2026-01-30T23:00:00Z", "2026-01-31T22:59:59Z"},
			"2026-03-29": {"2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z"},
		} {
			var got listJSON
			w.want(http.StatusOK, "GET", "/api/vehicles/67-PK-KS/trips?from="+day+"&to="+day, kim, "").into(t, &got)
			if diff := cmp.Diff(want, got.starts()); diff != "" {
				t.Errorf("trips of %s (-want +got):\n%s", day, diff)
			}
		}
	})
}

func TestReport(t *testing.T) {
	eachDesign(t, func(t *testing.T, w *world) {
		var ids []string
		for _, trip := range []string{
			tripAt("2025-12-31T22:59:59Z", 0, 999, "business"), // still 2025 in Amsterdam
			tripAt("2025-12-31T23:00:00Z", 1000, 1100, "business"),
			strings.Replace(tripAt("2026-05-01T08:00:00Z", 1120, 1200, "private"), "Utrecht", "=1+1, \\\"Ede\\\"", 1),
			strings.Replace(tripAt("2026-12-31T22:00:00Z", 1190, 1650, "private"), "Utrecht", "＝1+1", 1),
			tripAt("2026-12-31T23:00:00Z", 1650, 9999, "private"), // already 2027
		} {
			ids = append(ids, strings.TrimPrefix(w.post(kim, "67-PK-KS", trip), "/api/trips/"))
		}
		got := w.want(http.StatusOK, "GET", "/api/vehicles/67-pk-ks/report?year=2026", kim, "").body
		want := fmt.Sprintf(`{"vehicle":"67-PK-KS","year":2026,"trips":3,"businessKm":100,"privateKm":540,"privateLimitKm":500,"limitKept":false,`+
			`"gaps":[{"before":%q,"after":%q,"fromKm":1100,"toKm":1120}],"overlaps":[{"before":%q,"after":%q,"fromKm":1190,"toKm":1200}]}`+"\n", ids[1], ids[2], ids[2], ids[3])
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("report (-want +got):\n%s", diff)
		}

		csv := w.want(http.StatusOK, "GET", "/api/vehicles/67-PK-KS/report?year=2026&format=csv", kim, "")
		lines := []string{
			`vehicle,start,from,start km,end,to,end km,business km,private km,remark`,
			`67-PK-KS,2026-01-01T00:00:00+01:00,Utrecht,1000,2026-01-01T01:00:00+01:00,Delft,1100,100,,`,
			`67-PK-KS,2026-05-01T10:00:00+02:00,"'=1+1, ""Ede""",1120,2026-05-01T11:00:00+02:00,Delft,1200,,80,gap of 20 km before`,
			`67-PK-KS,2026-12-31T23:00:00+01:00,'＝1+1,1190,2027-01-01T00:00:00+01:00,Delft,1650,,460,overlap of 10 km with the one before`,
			`total,,,,,,,100,540,more than 500 km private`,
		}
		if diff := cmp.Diff(strings.Join(lines, "\r\n")+"\r\n", csv.body); diff != "" {
			t.Errorf("CSV (-want +got):\n%s", diff)
		}
		if media := csv.header.Get("Content-Type"); media != "text/csv; charset=utf-8; header=present" {
			t.Errorf("CSV: media type %q", media)
		}

		empty := w.want(http.StatusOK, "GET", "/api/vehicles/67-PK-KS/report?year=2024", kim, "").body
		wantEmpty := `{"vehicle":"67-PK-KS","year":2024,"trips":0,"businessKm":0,"privateKm":0,"privateLimitKm":500,"limitKept":true,"gaps":[],"overlaps":[]}` + "\n"
		if diff := cmp.Diff(wantEmpty, empty); diff != "" {
			t.Errorf("report of a year without trips (-want +got):\n%s", diff)
		}
	})
}

// Clients that change one trip at once, each from what it has read, lose nothing.
func TestConcurrentEdits(t *testing.T) {
	const clients, edits = 8, 5
	eachDesign(t, func(t *testing.T, w *world) {
		url := w.post(kim, "67-PK-KS", tripAt("2026-01-31T08:00:00Z", 1000, 1000, "business"))
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				for done := 0; done < edits; {
					read := send(t, "GET", w.url+url, kim, "")
					var trip tripJSON
					read.into(t, &trip)
					body := strings.Replace(read.body, fmt.Sprintf(`"km":%d,"place":"Delft"`, trip.End.Km), fmt.Sprintf(`"km":%d,"place":"Delft"`, trip.End.Km+1), 1)
					switch a := send(t, "PUT", w.url+url, kim, body, "If-Match", read.header.Get("ETag")); a.status {
					case http.StatusOK:
						done++
					case http.StatusPreconditionFailed: // somebody was faster
					default:
						t.Errorf("PUT: %v", a)
						return
					}
				}
			})
		}
		wg.Wait()
		read := w.want(http.StatusOK, "GET", url, kim, "")
		var trip tripJSON
		read.into(t, &trip)
		if want := int64(clients * edits); trip.Distance != want || read.header.Get("ETag") != fmt.Sprintf("%q", fmt.Sprint(want+1)) {
			t.Errorf("after %d edits: %d km, ETag %s", want, trip.Distance, read.header.Get("ETag"))
		}
	})
}

// A registration number may begin with a hyphen, which begins a formula as well.
func TestReportOfFormula(t *testing.T) {
	eachDesign(t, func(t *testing.T, w *world) {
		w.want(http.StatusCreated, "PUT", "/api/vehicles/-1-1", kim, `{"number":"-1-1","description":"a trailer"}`)
		w.post(kim, "-1-1", tripAt("2026-01-31T08:00:00Z", 1, 2, "private"))
		csv := w.want(http.StatusOK, "GET", "/api/vehicles/-1-1/report?year=2026&format=csv", kim, "").body
		if !strings.Contains(csv, "\r\n'-1-1,2026-01-31T09:00:00+01:00,") {
			t.Errorf("CSV: %s", csv)
		}
	})
}

// The last day that there is ends, in a zone that is behind UTC, after all time that
// can be stored.
func TestLastYear(t *testing.T) {
	zone := time.FixedZone("behind", -5*60*60)
	eachDesign(t, func(t *testing.T, w *world) {
		w.post(kim, "67-PK-KS", tripAt("9999-12-31T22:00:00Z", 1, 2, "private"))
		w.url = serve(t, w.ctx, w.store, api.Options{Location: zone})
		var list listJSON
		w.want(http.StatusOK, "GET", "/api/vehicles/67-PK-KS/trips?from=9999-12-31&to=9999-12-31", kim, "").into(t, &list)
		if diff := cmp.Diff([]string{"9999-12-31T22:00:00Z"}, list.starts()); diff != "" {
			t.Errorf("trips of the last day (-want +got):\n%s", diff)
		}
		for _, path := range []string{"/trips?to=9999-12-31", "/report?year=9999"} {
			if got := w.want(http.StatusOK, "GET", "/api/vehicles/67-PK-KS"+path, kim, "").body; !strings.Contains(got, "67-PK-KS") {
				t.Errorf("%s: %s", path, got)
			}
		}
	})
}
