package api

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
)

type reportBody struct {
	Vehicle      string      `json:"vehicle"`
	Year         int         `json:"year"`
	Trips        int         `json:"trips"`
	Business     int64       `json:"businessKm"`
	Private      int64       `json:"privateKm"`
	PrivateLimit int64       `json:"privateLimitKm"`
	LimitKept    bool        `json:"limitKept"`
	Gaps         []breakBody `json:"gaps"`
	Overlaps     []breakBody `json:"overlaps"`
}

type breakBody struct {
	Before string `json:"before"` // ids of the trips
	After  string `json:"after"`
	FromKm int64  `json:"fromKm"`
	ToKm   int64  `json:"toKm"`
}

func (a *api) getReport(w http.ResponseWriter, r *http.Request, user mileage.UserID) error {
	plate, err := plateOf(r)
	if err != nil {
		return err
	}
	params, err := paramsOf(r)
	if err != nil {
		return err
	}
	year, err := strconv.Atoi(params.Get("year"))
	if err != nil || year < 1970 || year > 9999 {
		return invalidField(http.StatusBadRequest, "year", "must be a year such as 2026")
	}
	format := params.Get("format")
	if format != "" && format != "json" && format != "csv" {
		return invalidField(http.StatusBadRequest, "format", "must be json or csv")
	}
	period := mileage.Period{
		From: time.Date(year, time.January, 1, 0, 0, 0, 0, a.Location),
		To:   time.Date(year+1, time.January, 1, 0, 0, 0, 0, a.Location),
	}
	report, err := mileage.NewReport(plate, year, a.store.AllTrips(r.Context(), user, plate, period))
	if err != nil {
		return err
	}
	if format == "csv" {
		return a.answerCSV(w, &report)
	}
	body := reportBody{
		Vehicle: string(plate), Year: year, Trips: len(report.Trips),
		Business: report.Business, Private: report.Private,
		PrivateLimit: mileage.PrivateLimit, LimitKept: report.LimitKept(),
		Gaps: breaksOf(report.Gaps), Overlaps: breaksOf(report.Overlaps),
	}
	return answer(w, http.StatusOK, body)
}

func breaksOf(breaks []mileage.Break) []breakBody {
	list := []breakBody{}
	for _, b := range breaks {
		list = append(list, breakBody{string(b.Before), string(b.After), b.From, b.To})
	}
	return list
}

// answerCSV writes the report as a table: a line a trip, with what is amiss with the
// mileage before it, and the sums at the end.
func (a *api) answerCSV(w http.ResponseWriter, r *mileage.Report) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8; header=present")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="mileage-%d.csv"`, r.Year))
	amiss := map[mileage.TripID]string{}
	for _, b := range r.Gaps {
		amiss[b.After] = fmt.Sprintf("gap of %d km before", b.To-b.From)
	}
	for _, b := range r.Overlaps {
		amiss[b.After] = fmt.Sprintf("overlap of %d km with the one before", b.To-b.From)
	}

	out := csv.NewWriter(w)
	out.UseCRLF = true // RFC 4180
	out.Write([]string{"vehicle", "start", "from", "start km", "end", "to", "end km", "business km", "private km", "remark"})
	stop := func(s mileage.Stop) []string {
		return []string{s.At.In(a.Location).Format(time.RFC3339), plainText(s.Place), strconv.FormatInt(s.Odometer, 10)}
	}
	for i := range r.Trips {
		t := &r.Trips[i]
		km := []string{strconv.FormatInt(t.Distance(), 10), ""}
		if t.Purpose == mileage.Private {
			km[0], km[1] = km[1], km[0]
		}
		row := append([]string{plainText(string(t.Vehicle))}, stop(t.Start)...)
		row = append(append(row, stop(t.End)...), km...)
		out.Write(append(row, amiss[t.ID]))
	}
	remark := fmt.Sprintf("no more than %d km private", mileage.PrivateLimit)
	if !r.LimitKept() {
		remark = fmt.Sprintf("more than %d km private", mileage.PrivateLimit)
	}
	out.Write([]string{"total", "", "", "", "", "", "", strconv.FormatInt(r.Business, 10), strconv.FormatInt(r.Private, 10), remark})
	out.Flush()
	return nil // a client that is gone gets nothing
}

// plainText keeps a spreadsheet from taking a text for a formula; some take the wide
// forms of the signs for them, too.
func plainText(s string) string {
	if first, _ := utf8.DecodeRuneInString(s); s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + s
	}
	return s
}
