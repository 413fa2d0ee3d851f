package api_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/singletable-go/singletable/examples/mileage/internal/api"
	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
)

// faulty is a store of which nothing but the check of a token is ever asked.
type faulty struct {
	api.Store
	userOf func(context.Context) error
}

func (f faulty) UserOf(ctx context.Context, _ string) (mileage.UserID, error) {
	return "", f.userOf(ctx)
}

// What is wrong with the server is logged, and not told.
func TestInternalError(t *testing.T) {
	var log bytes.Buffer
	url := serve(t, context.Background(), faulty{userOf: func(context.Context) error { return errors.New("the disk is full") }},
		api.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	got := send(t, "GET", url+"/api/me", kim, "")
	if want := `{"title":"Internal Server Error","status":500}` + "\n"; got.status != http.StatusInternalServerError || got.body != want {
		t.Errorf("GET /api/me: %v, want %s", got, want)
	}
	if !strings.Contains(log.String(), "the disk is full") || !strings.Contains(log.String(), "path=/api/me") {
		t.Errorf("log: %s", &log)
	}
}

// A request ends when its time is up.
func TestTimeout(t *testing.T) {
	url := serve(t, context.Background(), faulty{userOf: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }},
		api.Options{Timeout: time.Nanosecond, Log: slog.New(slog.DiscardHandler)})
	if got := send(t, "GET", url+"/api/me", kim, ""); got.status != http.StatusServiceUnavailable {
		t.Errorf("GET /api/me: %v, want 503", got)
	}
}
