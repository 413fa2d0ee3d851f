package mileage

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"time"
)

// TripID is a surrogate: it says nothing about the trip, so that everything about
// the trip can change. Ids sort by the millisecond in which they were made, and
// within one by chance.
type TripID string

// idText is base32 with an alphabet in the order of its bytes, so that the text
// sorts as the id does.
var idText = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewTripID makes an id: six bytes of milliseconds, ten bytes of chance.
func NewTripID(now time.Time) TripID {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], uint64(now.UnixMilli())<<16)
	rand.Read(b[6:]) // never fails
	return TripID(idText.EncodeToString(b[:]))
}

// ParseTripID refuses a text that NewTripID cannot have made, with ErrNotFound: there
// is no such trip.
func ParseTripID(text string) (TripID, error) {
	b, err := idText.DecodeString(text)
	if err != nil || len(b) != 16 || idText.EncodeToString(b) != text {
		return "", ErrNotFound
	}
	return TripID(text), nil
}
