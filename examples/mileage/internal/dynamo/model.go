// Package dynamo keeps the mileage registration in one DynamoDB table.
//
//	item     pk                 sk
//	user     USER#<userId>      PROFILE
//	vehicle  USER#<userId>      VEHICLE#<number>
//	token    TOKEN#<hash>       TOKEN
//	trip     TRIP#<tripId>      TRIP
//
// A user and their vehicles are one partition, read by one query. The key of a trip
// is a surrogate and says nothing about it, so that everything about a trip can
// change in place and its URL stays. The list of the trips of a vehicle is an index,
// whose key follows the trip by itself:
//
//	byVehicle  <userId>-<number>  <startedAt>#<tripId>
//
// Joined has these keys in attributes of their own. Native has an index whose keys are
// the attributes userId and number, and startedAt and tripId.
package dynamo

import (
	"context"
	"time"

	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// The keys of the table.
var (
	userKey    = keys.MustCompile1("USER#<userId>", keys.StringOf[mileage.UserID]())
	profileKey = keys.Literal("PROFILE")
	vehicleKey = keys.MustCompile1("VEHICLE#<number>", keys.StringOf[mileage.Plate]())
	tokenKey   = keys.MustCompile1("TOKEN#<hash>", keys.String)
	tokenSort  = keys.Literal("TOKEN")
	tripKey    = keys.MustCompile1("TRIP#<tripId>", keys.StringOf[mileage.TripID]())
	tripSort   = keys.Literal("TRIP")
)

// The keys of the index. User and number are escaped, so that the number 1-AB12 of
// user u and the number AB12 of user u-1 do not meet.
var (
	vehicleTrips = keys.MustCompile2("<userId>-<number>", keys.StringOf[mileage.UserID](), keys.StringOf[mileage.Plate]())
	tripOrder    = keys.MustCompile2("<startedAt>#<tripId>", keys.Time(keys.Second), keys.StringOf[mileage.TripID]())
)

type user struct {
	ID   mileage.UserID `dynamodbav:"-" key:"userId"`
	Name string         `dynamodbav:"name"`
}

type vehicle struct {
	User        mileage.UserID `dynamodbav:"-" key:"userId"`
	Number      mileage.Plate  `dynamodbav:"-" key:"number"`
	Description string         `dynamodbav:"description"`
}

// token is a bearer token, of which the table knows the hash alone.
type token struct {
	Hash string         `dynamodbav:"-" key:"hash"`
	User mileage.UserID `dynamodbav:"userId"`
}

type trip struct {
	ID        mileage.TripID  `dynamodbav:"tripId"`
	User      mileage.UserID  `dynamodbav:"userId"`
	Number    mileage.Plate   `dynamodbav:"number"`
	Purpose   mileage.Purpose `dynamodbav:"purpose"`
	StartedAt time.Time       `dynamodbav:"startedAt"`
	StartKm   int64           `dynamodbav:"startKm"`
	From      string          `dynamodbav:"from"`
	EndedAt   time.Time       `dynamodbav:"endedAt"`
	EndKm     int64           `dynamodbav:"endKm"`
	To        string          `dynamodbav:"to"`
	Version   int64           `dynamodbav:"version" model:"version"`
	Write     string          `dynamodbav:"write" model:"write"` // so that a change whose answer is lost is known again
}

func recordOf(t *mileage.Trip) trip {
	return trip{
		ID: t.ID, User: t.User, Number: t.Vehicle, Purpose: t.Purpose,
		StartedAt: t.Start.At, StartKm: t.Start.Odometer, From: t.Start.Place,
		EndedAt: t.End.At, EndKm: t.End.Odometer, To: t.End.Place,
		Version: t.Version,
	}
}

func (r *trip) trip() mileage.Trip {
	return mileage.Trip{
		ID: r.ID, User: r.User, Vehicle: r.Number, Purpose: r.Purpose,
		Start:   mileage.Stop{At: r.StartedAt, Odometer: r.StartKm, Place: r.From},
		End:     mileage.Stop{At: r.EndedAt, Odometer: r.EndKm, Place: r.To},
		Version: r.Version,
	}
}

// Design is the registration in a table, with one form of the index.
type Design struct {
	Table *model.Table
	index *model.Index

	users    *model.Entity[user]
	vehicles *model.Entity[vehicle]
	tokens   *model.Entity[token]
	trips    *model.Entity[trip]
}

// The two designs differ in nothing but the form of the index. Joined has the parts of
// its keys joined to two attributes of their own; native has each part as the attribute
// that it is (DynamoDB takes up to four for each of the two keys).
var (
	Joined = design("mileage", model.GSI("byVehicle", model.IndexKey("gsi1pk", "gsi1sk")))
	Native = design("mileage-native", model.NativeGSI("byVehicle"))
)

func design(name string, byVehicle *model.Index) *Design {
	t := model.NewTable(name, model.PrimaryKey("pk", "sk"), model.NameFunc(TableOf), byVehicle)
	return &Design{
		Table:    t,
		index:    byVehicle,
		users:    model.MustDefine[user](t, "User", userKey, profileKey),
		vehicles: model.MustDefine[vehicle](t, "Vehicle", userKey, vehicleKey),
		tokens:   model.MustDefine[token](t, "Token", tokenKey, tokenSort),
		trips:    model.MustDefine[trip](t, "Trip", tripKey, tripSort, model.On(byVehicle, vehicleTrips, tripOrder)),
	}
}

type tableKey struct{}

// WithTable names the table that requests under the context go to.
func WithTable(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, tableKey{}, name)
}

// TableOf gives the name that WithTable gave, "" where it gave none: then a table has
// the name that it was declared with.
func TableOf(ctx context.Context) string {
	name, _ := ctx.Value(tableKey{}).(string)
	return name
}
