//go:build !race

package dynamo

const raceDetector = false
