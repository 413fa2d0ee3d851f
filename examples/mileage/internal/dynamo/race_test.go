//go:build race

package dynamo

const raceDetector = true
