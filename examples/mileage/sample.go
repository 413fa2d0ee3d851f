package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"time"

	"github.com/singletable-go/singletable/examples/mileage/internal/dynamo"
	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
)

// fill stores two drivers and the January of one of them, and gives their tokens.
func fill(ctx context.Context, store *dynamo.Store, location *time.Location) (tokens map[mileage.UserID]string, err error) {
	tokens = map[mileage.UserID]string{}
	for _, v := range []mileage.Vehicle{
		{User: "kim", Plate: "67-PK-KS", Description: "white van"},
		{User: "sanne", Plate: "12-AB-CD", Description: "grey estate"},
	} {
		tokens[v.User] = rand.Text()
		if err := store.PutUser(ctx, mileage.User{ID: v.User, Name: string(v.User)}, tokens[v.User]); err != nil {
			return nil, err
		}
		if _, err := store.PutVehicle(ctx, v); err != nil {
			return nil, err
		}
	}
	for _, t := range january("kim", "67-PK-KS", location) {
		t.ID = mileage.NewTripID(t.Start.At)
		if err := store.CreateTrip(ctx, &t); err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

// january is a month of trips between the office and customers, with one private
// errand and one trip that was forgotten.
func january(user mileage.UserID, plate mileage.Plate, location *time.Location) []mileage.Trip {
	customers := []struct {
		place string
		km    int64
	}{{"Delft", 61}, {"Rotterdam", 58}, {"Amersfoort", 24}, {"Gouda", 36}}
	var trips []mileage.Trip
	odometer := int64(45_210)
	drive := func(day, hour int, from, to string, km int64, purpose mileage.Purpose) {
		at := time.Date(2026, time.January, day, hour, 0, 0, 0, location).UTC()
		trips = append(trips, mileage.Trip{
			User: user, Vehicle: plate, Purpose: purpose,
			Start: mileage.Stop{At: at, Odometer: odometer, Place: from},
			End:   mileage.Stop{At: at.Add(time.Hour), Odometer: odometer + km, Place: to},
		})
		odometer += km
	}
	for week := range 4 {
		for i, c := range customers {
			day := 5 + 7*week + i
			drive(day, 8, "Utrecht", c.place, c.km, mileage.Business)
			if week == 2 && i == 1 {
				odometer += c.km // the way back that was forgotten
				continue
			}
			drive(day, 16, c.place, "Utrecht", c.km, mileage.Business)
		}
	}
	drive(31, 10, "Utrecht", "Zandvoort", 78, mileage.Private)
	return trips
}

// printTour prints what can be tried.
func printTour(out io.Writer, url string, tokens map[mileage.UserID]string) {
	fmt.Fprintf(out, `The mileage registration is at %s. Try, in another shell:

  API=%s KIM=%s SANNE=%s

  curl -s -H "Authorization: Bearer $KIM" $API/api/me
  curl -s -H "Authorization: Bearer $KIM" "$API/api/vehicles/67-pk-ks/trips?from=2026-01-12&to=2026-01-18"
  curl -s -H "Authorization: Bearer $KIM" "$API/api/vehicles/67-PK-KS/trips?order=newest"
  curl -s -H "Authorization: Bearer $KIM" "$API/api/vehicles/67-PK-KS/report?year=2026"
  curl -s -H "Authorization: Bearer $KIM" "$API/api/vehicles/67-PK-KS/report?year=2026&format=csv"

  # A trip, and where it is:
  TRIP=$(curl -si -H "Authorization: Bearer $KIM" -H "Content-Type: application/json" $API/api/vehicles/67-PK-KS/trips -d '{"purpose":"business",
    "start":{"at":"2026-02-02T08:00:00+01:00","km":47000,"place":"Utrecht"},"end":{"at":"2026-02-02T09:00:00+01:00","km":47061,"place":"Delft"}}' |
    tr -d '\r' | sed -n 's/^Location: //p')
  curl -si -H "Authorization: Bearer $KIM" $API$TRIP

  # Another date, at the same URL; send it again, and it is stale:
  curl -si -X PUT -H "Authorization: Bearer $KIM" -H 'If-Match: "1"' -H "Content-Type: application/json" $API$TRIP -d '{"purpose":"business",
    "start":{"at":"2026-02-03T08:00:00+01:00","km":47000,"place":"Utrecht"},"end":{"at":"2026-02-03T09:00:00+01:00","km":47061,"place":"Delft"}}'

  # Somebody else's trip is not found:
  curl -si -H "Authorization: Bearer $SANNE" $API$TRIP

Stop it with Ctrl-C.
`, url, url, tokens["kim"], tokens["sanne"])
}
