package query

import (
	"math/big"
	"regexp"
)

// A number of DynamoDB: 38 digits and an exponent of three at the most. What is
// longer is not computed with: it came from a stranger.
var number = regexp.MustCompile(`^[+-]?([0-9]{1,130}(\.[0-9]{0,130})?|\.[0-9]{1,130})([eE][+-]?[0-9]{1,3})?$`)

// parseNumber gives the value of a number of DynamoDB.
func parseNumber(text string) (*big.Rat, bool) {
	if !number.MatchString(text) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// numberText writes a number so that equal ones are equal texts.
func numberText(text string) string {
	n, ok := parseNumber(text)
	if !ok {
		return text
	}
	return n.RatString()
}
