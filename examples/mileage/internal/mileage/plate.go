package mileage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plate is a registration number in its one canonical form, 67-PK-KS. Make it
// with ParsePlate.
type Plate string

const maxPlate = 16 // characters

// ParsePlate gives the canonical form of a registration number: upper case, no
// space around it. Letters, digits and hyphens are accepted, up to 16 characters;
// anything else is an *InvalidError.
func ParsePlate(text string) (Plate, error) {
	// By way of lower case, since some letters are upper case forms of one: the sign
	// for kelvin is a K.
	p := strings.ToUpper(strings.ToLower(strings.TrimSpace(text)))
	n := utf8.RuneCountInString(p)
	bad := func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if n == 0 || n > maxPlate || !utf8.ValidString(p) || strings.ContainsFunc(p, bad) {
		return "", invalid("vehicle", "a registration number is 1 to 16 letters, digits and hyphens")
	}
	return Plate(p), nil
}
