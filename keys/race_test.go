//go:build race

package keys

func init() { raceEnabled = true }
