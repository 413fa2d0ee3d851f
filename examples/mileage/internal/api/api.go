// Package api serves the mileage registration over HTTP.
//
//	GET    /api/me                                    the user and their vehicles
//	PUT    /api/vehicles/{number}                     registers a vehicle, or describes it anew
//	POST   /api/vehicles/{number}/trips               201 with the Location of the trip
//	GET    /api/vehicles/{number}/trips               ?from=&to=&order=&cursor=, ten a page
//	GET    /api/vehicles/{number}/report              ?year=, &format=csv
//	GET    /api/trips/{id}
//	PUT    /api/trips/{id}                            with If-Match
//	DELETE /api/trips/{id}                            with If-Match, if it matters
//
// Every request carries a bearer token. A user sees only what is theirs: what is
// another's is not found. Errors are problem details (RFC 9457).
package api

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
)

// Store is what the API needs of the registration. Its errors are those of
// package mileage, or wrap them. Everything else is a fault of the server.
type Store interface {
	// UserOf tells whose a token is. It is ErrNotFound where it is nobody's.
	UserOf(ctx context.Context, token string) (mileage.UserID, error)

	// Account is a user with their vehicles, in the order of their numbers.
	Account(ctx context.Context, user mileage.UserID) (mileage.User, []mileage.Vehicle, error)
	// PutVehicle stores a vehicle, and tells whether it is new.
	PutVehicle(ctx context.Context, v mileage.Vehicle) (created bool, err error)

	// CreateTrip stores a trip and sets its version. It is ErrNotFound where the
	// user has no such vehicle.
	CreateTrip(ctx context.Context, t *mileage.Trip) error
	Trip(ctx context.Context, user mileage.UserID, id mileage.TripID) (mileage.Trip, error)
	// ChangeTrip lets change change the trip, whatever of it, and stores the result.
	// It is ErrStale where the trip does not have the version, unless that is
	// AnyVersion. It may call change several times.
	ChangeTrip(ctx context.Context, user mileage.UserID, id mileage.TripID, version int64, change func(*mileage.Trip) error) (mileage.Trip, error)
	DeleteTrip(ctx context.Context, user mileage.UserID, id mileage.TripID, version int64) error

	// Trips is a page of the trips of a vehicle. It is ErrCursor where the cursor is
	// not one of this list.
	Trips(ctx context.Context, user mileage.UserID, vehicle mileage.Plate, l mileage.Listing) (mileage.Page, error)
	// AllTrips is all of a period, in the order of their start.
	AllTrips(ctx context.Context, user mileage.UserID, vehicle mileage.Plate, p mileage.Period) iter.Seq2[mileage.Trip, error]
}

// Options of the API. The zero value is of use.
type Options struct {
	Location *time.Location   // in which days and years begin; nil is UTC
	Log      *slog.Logger     // of the faults of the server; nil is slog.Default
	Now      func() time.Time // nil is time.Now
	Timeout  time.Duration    // of a request; 0 is 10 seconds
	MaxBody  int64            // bytes of a request's body; 0 is 16 KB
	PageSize int              // trips on a page; 0 is 10
}

// New gives the handler of the API.
func New(store Store, o Options) http.Handler {
	a := &api{store: store, Options: o}
	if a.Location == nil {
		a.Location = time.UTC
	}
	if a.Log == nil {
		a.Log = slog.Default()
	}
	if a.Now == nil {
		a.Now = time.Now
	}
	if a.Timeout == 0 {
		a.Timeout = 10 * time.Second
	}
	if a.MaxBody == 0 {
		a.MaxBody = 16 << 10
	}
	if a.PageSize == 0 {
		a.PageSize = 10
	}

	mux := http.NewServeMux()
	for path, methods := range map[string]map[string]handler{
		"/api/me":                       {"GET": a.getMe},
		"/api/vehicles/{number}":        {"PUT": a.putVehicle},
		"/api/vehicles/{number}/trips":  {"GET": a.listTrips, "POST": a.postTrip},
		"/api/vehicles/{number}/report": {"GET": a.getReport},
		"/api/trips/{id}":               {"GET": a.getTrip, "PUT": a.putTrip, "DELETE": a.deleteTrip},
	} {
		var allow []string
		for method, h := range methods {
			mux.Handle(method+" "+path, a.handle(h))
			allow = append(allow, method)
			if method == "GET" {
				allow = append(allow, "HEAD") // the mux serves it, too
			}
		}
		slices.Sort(allow)
		mux.Handle(path, a.refuse(&problem{Status: http.StatusMethodNotAllowed, header: http.Header{"Allow": {strings.Join(allow, ", ")}}}))
	}
	mux.Handle("/", a.refuse(&problem{Status: http.StatusNotFound}))
	return mux
}

type api struct {
	store Store
	Options
}

// handler serves a request of a user. What it returns it has not answered.
type handler func(w http.ResponseWriter, r *http.Request, user mileage.UserID) error

// handle puts what all requests share around a handler.
func (a *api) handle(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), a.Timeout)
		defer cancel()
		r = r.WithContext(ctx)
		r.Body = http.MaxBytesReader(w, r.Body, a.MaxBody)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")

		user, err := a.authenticate(r)
		if err == nil {
			err = h(w, r, user)
		}
		if err != nil {
			a.fail(w, r, err)
		}
	})
}

func (a *api) refuse(p *problem) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.fail(w, r, p) })
}

// authenticate tells whose token the request carries.
func (a *api) authenticate(r *http.Request) (mileage.UserID, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", unauthorized("", "send Authorization: Bearer and your token")
	}
	user, err := a.store.UserOf(r.Context(), token)
	if errors.Is(err, mileage.ErrNotFound) {
		return "", unauthorized(`, error="invalid_token"`, "the token is nobody's")
	}
	return user, err
}

func unauthorized(params, detail string) error {
	return &problem{Status: http.StatusUnauthorized, Detail: detail,
		header: http.Header{"WWW-Authenticate": {`Bearer realm="mileage"` + params}}}
}
