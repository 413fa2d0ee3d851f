// Package race tells tests whether the race detector is on. It makes sync.Pool
// drop what is put into it at random, so that allocations cannot be counted, and
// everything several times slower.
package race

import "testing"

// SkipAllocs skips a test that counts allocations, under the race detector.
func SkipAllocs(t testing.TB) {
	t.Helper()
	if Enabled {
		t.Skip("the race detector allocates by itself")
	}
}
