package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
)

// plateOf is the vehicle that a path names. A number that no vehicle can have is
// one that is not found.
func plateOf(r *http.Request) (mileage.Plate, error) {
	plate, err := mileage.ParsePlate(r.PathValue("number"))
	if err != nil {
		return "", mileage.ErrNotFound
	}
	return plate, nil
}

// paramsOf is the query of the URL. Half a query would be another question.
func paramsOf(r *http.Request) (url.Values, error) {
	params, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badRequest("query: %v", err)
	}
	return params, nil
}

func (a *api) postTrip(w http.ResponseWriter, r *http.Request, user mileage.UserID) error {
	plate, err := plateOf(r)
	if err != nil {
		return err
	}
	var body tripBody
	if err := decode(r, &body); err != nil {
		return err
	}
	t := mileage.Trip{ID: mileage.NewTripID(a.Now()), User: user, Vehicle: plate}
	if err := body.into(&t); err != nil {
		return err
	}
	if t.Vehicle != plate {
		return invalidField(http.StatusUnprocessableEntity, "vehicle", "is not the %s of the path", plate)
	}
	if err := a.store.CreateTrip(r.Context(), &t); err != nil {
		return err
	}
	w.Header().Set("Location", "/api/trips/"+string(t.ID))
	return answerTrip(w, http.StatusCreated, &t)
}

func (a *api) getTrip(w http.ResponseWriter, r *http.Request, user mileage.UserID) error {
	id, err := mileage.ParseTripID(r.PathValue("id"))
	if err != nil {
		return err
	}
	t, err := a.store.Trip(r.Context(), user, id)
	if err != nil {
		return err
	}
	return answerTrip(w, http.StatusOK, &t)
}

func (a *api) putTrip(w http.ResponseWriter, r *http.Request, user mileage.UserID) error {
	id, err := mileage.ParseTripID(r.PathValue("id"))
	if err != nil {
		return err
	}
	version, given, err := ifMatch(r)
	if err != nil {
		return err
	}
	if !given {
		return &problem{Status: http.StatusPreconditionRequired, Detail: "send If-Match with the ETag of the trip that you change"}
	}
	var body tripBody
	if err := decode(r, &body); err != nil {
		return err
	}
	t, err := a.store.ChangeTrip(r.Context(), user, id, version, func(t *mileage.Trip) error { return body.into(t) })
	if err != nil {
		return err
	}
	return answerTrip(w, http.StatusOK, &t)
}

func (a *api) deleteTrip(w http.ResponseWriter, r *http.Request, user mileage.UserID) error {
	id, err := mileage.ParseTripID(r.PathValue("id"))
	if err != nil {
		return err
	}
	version, _, err := ifMatch(r)
	if err != nil {
		return err
	}
	if err := a.store.DeleteTrip(r.Context(), user, id, version); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// ifMatch is the version that a request is conditional on.
func ifMatch(r *http.Request) (version int64, given bool, err error) {
	values := r.Header.Values("If-Match")
	if len(values) == 0 {
		return mileage.AnyVersion, false, nil
	}
	text := strings.Join(values, ", ")
	if text == "*" {
		return mileage.AnyVersion, true, nil
	}
	version, err = strconv.ParseInt(strings.Trim(text, `"`), 10, 64)
	if err != nil || version < 1 || etag(version) != text {
		return 0, true, badRequest(`If-Match: %s is not an ETag of a trip, such as "1"`, text)
	}
	return version, true, nil
}

func etag(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

// listBody is a page of trips in JSON.
type listBody struct {
	Trips []tripBody `json:"trips"`
	Next  string     `json:"next,omitempty"`
	Prev  string     `json:"prev,omitempty"`
}

func (a *api) listTrips(w http.ResponseWriter, r *http.Request, user mileage.UserID) error {
	plate, err := plateOf(r)
	if err != nil {
		return err
	}
	params, err := paramsOf(r)
	if err != nil {
		return err
	}
	list := mileage.Listing{Cursor: params.Get("cursor"), Limit: a.PageSize}
	for _, p := range []struct {
		name string
		dst  *time.Time
		add  int // days
	}{{"from", &list.From, 0}, {"to", &list.To, 1}} { // the last day is included
		if text := params.Get(p.name); text != "" {
			day, err := time.ParseInLocation(time.DateOnly, text, a.Location)
			if err != nil || day.Year() < 1970 {
				return invalidField(http.StatusBadRequest, p.name, "must be a day such as 2026-01-31")
			}
			*p.dst = day.AddDate(0, 0, p.add)
		}
	}
	if !list.To.IsZero() && !list.From.Before(list.To) {
		return invalidField(http.StatusBadRequest, "to", "must not be before from")
	}
	switch params.Get("order") {
	case "", "oldest":
	case "newest":
		list.Newest = true
	default:
		return invalidField(http.StatusBadRequest, "order", "must be oldest or newest")
	}
	page, err := a.store.Trips(r.Context(), user, plate, list)
	if err != nil {
		return err
	}

	body := listBody{Trips: []tripBody{}}
	for i := range page.Trips {
		body.Trips = append(body.Trips, bodyOf(&page.Trips[i]))
	}
	link := func(rel, cursor string) string {
		if cursor == "" {
			return ""
		}
		q := url.Values{"cursor": {cursor}}
		for _, name := range []string{"from", "to", "order"} {
			if text := params.Get(name); text != "" {
				q.Set(name, text)
			}
		}
		u := url.URL{Path: "/api/vehicles/" + string(plate) + "/trips", RawQuery: q.Encode()}
		w.Header().Add("Link", "<"+u.String()+`>; rel="`+rel+`"`)
		return u.String()
	}
	body.Next, body.Prev = link("next", page.Next), link("prev", page.Prev)
	return answer(w, http.StatusOK, body)
}

func answerTrip(w http.ResponseWriter, status int, t *mileage.Trip) error {
	w.Header().Set("ETag", etag(t.Version))
	return answer(w, status, bodyOf(t))
}

// answer writes JSON. An error while writing is the client's, which is gone.
func answer(w http.ResponseWriter, status int, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(append(text, '\n'))
	return nil
}
