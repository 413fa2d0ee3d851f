package query

import (
	"context"
	"errors"
	"testing"
)

// The wait itself, which all other tests replace.
func TestSleep(t *testing.T) {
	if err := sleep(t.Context(), 1); err != nil {
		t.Errorf("a wait of a nanosecond: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, 1<<62); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait of a century under a cancelled context: %v", err)
	}
}
