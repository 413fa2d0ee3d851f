package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
)

// problem is an error as the client gets it: problem details, RFC 9457. Its type is
// about:blank, so that its title is the text of the status.
type problem struct {
	Title  string       `json:"title"`
	Status int          `json:"status"`
	Detail string       `json:"detail,omitempty"`
	Errors []fieldError `json:"errors,omitempty"`

	header http.Header
}

type fieldError struct {
	Field  string `json:"field"`
	Reason string `json:"reason"`
}

func (p *problem) Error() string { return fmt.Sprintf("%d: %s", p.Status, p.Detail) }

func badRequest(format string, args ...any) *problem {
	return &problem{Status: http.StatusBadRequest, Detail: fmt.Sprintf(format, args...)}
}

// invalidField is a problem with one field or parameter.
func invalidField(status int, field, format string, args ...any) *problem {
	return &problem{Status: status, Detail: "see errors", Errors: []fieldError{{field, fmt.Sprintf(format, args...)}}}
}

// problemOf tells what an error is to the client.
func problemOf(err error) *problem {
	var (
		p        *problem
		invalid  *mileage.InvalidError
		tooLarge *http.MaxBytesError
	)
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &invalid):
		p = &problem{Status: http.StatusUnprocessableEntity, Detail: "see errors"}
		for _, f := range invalid.Fields {
			p.Errors = append(p.Errors, fieldError(f))
		}
		return p
	case errors.As(err, &tooLarge):
		return &problem{Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("at most %d bytes", tooLarge.Limit)}
	case errors.Is(err, mileage.ErrNotFound):
		return &problem{Status: http.StatusNotFound}
	case errors.Is(err, mileage.ErrStale):
		return &problem{Status: http.StatusPreconditionFailed, Detail: "the trip was changed meanwhile; get it again"}
	case errors.Is(err, mileage.ErrCursor):
		return badRequest("cursor: %v", mileage.ErrCursor)
	case errors.Is(err, context.DeadlineExceeded):
		return &problem{Status: http.StatusServiceUnavailable, Detail: "this took too long; try again"}
	}
	return &problem{Status: http.StatusInternalServerError}
}

// fail answers with a problem. A fault of the server is logged, and the client is
// not told more than that there was one.
func (a *api) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := *problemOf(err)
	p.Title = http.StatusText(p.Status)
	if p.Status >= 500 && r.Context().Err() != context.Canceled {
		a.Log.LogAttrs(r.Context(), slog.LevelError, "request failed",
			slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Any("error", err))
	}
	for name, values := range p.header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	json.NewEncoder(w).Encode(p)
}
