package main

import (
	"context"
	"flag"
	"strings"
	"testing"
)

func TestRunRefusesWhatItCannotServe(t *testing.T) {
	for _, test := range []struct {
		reason, want string
		args         []string
	}{
		{"an argument that is no flag", `unexpected argument "8000"`, []string{"8000"}},
		{"an address that is none", "address", []string{"-addr", "nowhere"}},
	} {
		err := run(context.Background(), test.args)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error about %s", test.reason, err, test.want)
		}
	}
	if err := run(context.Background(), []string{"-h"}); err != flag.ErrHelp {
		t.Errorf("-h: got %v, want %v", err, flag.ErrHelp)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := run(ctx, []string{"-addr", "127.0.0.1:0"}); err != nil {
		t.Errorf("got %v, want a clean end", err)
	}
}
