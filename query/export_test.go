package query

import (
	"context"
	"time"
)

// SetSleep replaces the waits until the function returned is called.
func SetSleep(f func(context.Context, time.Duration) error) (restore func()) {
	old := sleep
	sleep = f
	return func() { sleep = old }
}
