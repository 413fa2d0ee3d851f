package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/examples/internal/engine"
	"github.com/singletable-go/singletable/examples/internal/show"
	"github.com/singletable-go/singletable/examples/mileage/internal/dynamo"
	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
	"github.com/singletable-go/singletable/txn"
)

// The first design: a trip is the trip of a vehicle on a date, and its key says so.
type datedTrip struct {
	User   mileage.UserID `dynamodbav:"-" key:"userId"`
	Number mileage.Plate  `dynamodbav:"-" key:"number"`
	Date   keys.Date      `dynamodbav:"-" key:"date"`

	From    string `dynamodbav:"from"`
	To      string `dynamodbav:"to"`
	Km      int64  `dynamodbav:"km"`
	Version int64  `dynamodbav:"version" model:"version"`
}

var (
	datedUser  = keys.MustCompile1("USER#<userId>", keys.StringOf[mileage.UserID]())
	datedSort  = keys.MustCompile2("TRIP#<number>#<date>", keys.StringOf[mileage.Plate](), keys.Day)
	datedTable = model.NewTable("mileage-by-date", model.PrimaryKey("pk", "sk"), model.NameFunc(dynamo.TableOf))
	datedTrips = model.MustDefine[datedTrip](datedTable, "Trip", datedUser, datedSort)
)

// demo tells the story of the design, on paper.
type demo struct {
	db   *dynamodb.Client
	out  io.Writer
	sums [][]string // the rows of the table at the end
}

// tell creates a table for each design, tells the story and cleans up. The chapter of
// the native index is for a DynamoDB that has such.
func tell(ctx context.Context, db *dynamodb.Client, table string, keep, native bool, out io.Writer) (err error) {
	if table == "" {
		table = dynamo.Joined.Table.Name()
	}
	d := demo{db: db, out: out, sums: [][]string{{"DESIGN", "CREATE", "LIST", "ANOTHER DATE", "TWO ON A DATE", "URL AFTER"}}}
	type chapter struct {
		suffix string
		table  *model.Table
		tell   func(context.Context) error
	}
	chapters := []chapter{
		{"-by-date", datedTable, d.byDate},
		{"-joined", dynamo.Joined.Table, func(ctx context.Context) error {
			return d.surrogate(ctx, dynamo.Joined, "surrogate, joined index",
				"2. The key is a surrogate; the list is an index with joined keys")
		}},
		{"-native", dynamo.Native.Table, func(ctx context.Context) error {
			return d.surrogate(ctx, dynamo.Native, "surrogate, native index",
				"3. The same, and each part of the keys of the index is an attribute")
		}},
	}
	if !native {
		chapters = chapters[:2]
	}
	for _, chapter := range chapters {
		ctx := dynamo.WithTable(ctx, table+chapter.suffix)
		drop, err := engine.Create(ctx, db, chapter.table)
		if err != nil {
			return err
		}
		err = chapter.tell(ctx)
		if !keep {
			err = errors.Join(err, drop())
		}
		if err != nil {
			return err
		}
		d.say("")
	}
	d.say("What it costs, in units of the table + units of the index")
	show.Table(out, d.sums)
	d.say("   The surrogate pays for its index with every write. It buys a key that nothing about the trip is in:")
	d.say("   a date that is corrected is an update, the URL stays, and two trips on a date are two trips.")
	return nil
}

func (d *demo) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// client is a client that prints, and counts what is spent from now on.
func (d *demo) client() (show.Client, *show.Capacity) {
	spent := new(show.Capacity)
	return show.Client{Client: d.db, Out: d.out, Spent: spent}, spent
}

func (d *demo) byDate(ctx context.Context) error {
	d.say("1. The first design: the date is in the key")
	db, spent := d.client()
	morning := datedTrip{User: "u-1", Number: "67-PK-KS", Date: keys.Date{Year: 2026, Month: time.January, Day: 30}, From: "Utrecht", To: "Delft", Km: 61}
	if err := txn.Commit(ctx, db, txn.Create(datedTrips, &morning)); err != nil {
		return err
	}
	create := *spent
	d.say("   %s write unit", show.Units(create.Write))

	d.say("")
	d.say("   The way back, on the same date:")
	evening := morning
	evening.Version, evening.From, evening.To = 0, "Delft", "Utrecht"
	err := txn.Commit(ctx, db, txn.Create(datedTrips, &evening))
	if !errors.Is(err, txn.ErrExists) {
		return fmt.Errorf("two trips of one key: %v, want %v", err, txn.ErrExists)
	}
	d.say("   %v", err)

	d.say("")
	d.say("   The list of the vehicle in January:")
	db, spent = d.client()
	january := datedSort.At("67-PK-KS").StartsWith("2026-01-")
	list, err := query.Of(datedTrips, datedUser.Key("u-1")).Where(january).Collect(ctx, db)
	if err != nil {
		return err
	}
	read := *spent
	d.say("   %d trip, %s read units", len(list), show.Units(read.Read))

	d.say("")
	d.say("   The date was wrong, it was the 31st. That is another key, so the trip moves:")
	db, spent = d.client()
	moved := morning
	moved.Date = moved.Date.AddDays(1)
	if err := txn.Commit(ctx, db, txn.Move(datedTrips, &morning, &moved)); err != nil {
		return err
	}
	d.say("   %s write units, and every link to it is broken", show.Units(spent.Write))
	d.sums = append(d.sums, []string{"date in the key", show.Units(create.Write), show.Units(read.Read), show.Units(spent.Write), "refused", "another"})
	return nil
}

// surrogate tells the second design, with one form of the index.
func (d *demo) surrogate(ctx context.Context, design *dynamo.Design, name, title string) error {
	d.say("%s", title)
	store := dynamo.NewStore(d.db, design)
	for _, v := range []mileage.Vehicle{{User: "u-1", Plate: "67-PK-KS"}, {User: "u-1", Plate: "AB12"}, {User: "u", Plate: "1-AB12"}} {
		if _, err := store.PutVehicle(ctx, v); err != nil {
			return err
		}
	}

	d.say("   Two trips on one date:")
	db, spent := d.client()
	store = dynamo.NewStore(db, design)
	noon := time.Date(2026, time.January, 30, 12, 0, 0, 0, time.UTC)
	trips := []mileage.Trip{trip("t-1", "u-1", "67-PK-KS", noon.Add(-4*time.Hour)), trip("t-2", "u-1", "67-PK-KS", noon)}
	for i := range trips {
		if err := store.CreateTrip(ctx, &trips[i]); err != nil {
			return err
		}
	}
	create := *spent
	d.say("   %s write units each, %s of them for the index", show.Units((create.Write+create.IndexWrite)/2), show.Units(create.IndexWrite/2))

	d.say("")
	d.say("   The list of the vehicle in January:")
	db, spent = d.client()
	if err := d.list(ctx, dynamo.NewStore(db, design)); err != nil {
		return err
	}
	list := *spent
	d.say("   %s read units", show.Units(list.IndexRead))

	d.say("")
	d.say("   The date of t-1 was wrong, it was the 31st:")
	db, spent = d.client()
	changed, err := dynamo.NewStore(db, design).ChangeTrip(ctx, "u-1", "t-1", 1, func(t *mileage.Trip) error {
		t.Start.At, t.End.At = t.Start.At.AddDate(0, 0, 1), t.End.At.AddDate(0, 0, 1)
		return nil
	})
	if err != nil {
		return err
	}
	change := *spent
	d.say("   %s write units, %s of them for the index; the key and the URL are what they were", show.Units(change.Write+change.IndexWrite), show.Units(change.IndexWrite))
	d.say("")
	d.say("   The list again:")
	db, _ = d.client()
	if err := d.list(ctx, dynamo.NewStore(db, design)); err != nil {
		return err
	}

	d.say("")
	d.say("   The vehicles AB12 of u-1 and 1-AB12 of u are two lists:")
	for _, t := range []mileage.Trip{trip("t-3", "u-1", "AB12", noon), trip("t-4", "u", "1-AB12", noon)} {
		if err := dynamo.NewStore(d.db, design).CreateTrip(ctx, &t); err != nil {
			return err
		}
		db, _ := d.client()
		page, err := dynamo.NewStore(db, design).Trips(ctx, t.User, t.Vehicle, mileage.Listing{Limit: 10})
		if err != nil {
			return err
		}
		var ids []string
		for _, t := range page.Trips {
			ids = append(ids, string(t.ID))
		}
		d.say("     %s", strings.Join(ids, " "))
	}

	plus := func(a, b float64) string { return show.Units(a) + " + " + show.Units(b) }
	row := []string{name, plus(create.Write/2, create.IndexWrite/2), plus(list.Read, list.IndexRead), plus(change.Write, change.IndexWrite), "two trips", "the same"}
	if changed.ID != "t-1" {
		return fmt.Errorf("the trip t-1 has become %s", changed.ID)
	}
	d.sums = append(d.sums, row)
	return nil
}

// list prints the trips of January.
func (d *demo) list(ctx context.Context, store *dynamo.Store) error {
	page, err := store.Trips(ctx, "u-1", "67-PK-KS", mileage.Listing{Limit: 10, Period: mileage.Period{
		From: time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC),
		To:   time.Date(2026, time.February, 1, 0, 0, 0, 0, time.UTC),
	}})
	if err != nil {
		return err
	}
	rows := [][]string{{"TRIP", "START", "FROM", "TO", "KM"}}
	for _, t := range page.Trips {
		rows = append(rows, []string{string(t.ID), t.Start.At.Format(time.RFC3339), t.Start.Place, t.End.Place, fmt.Sprint(t.Distance())})
	}
	show.Table(d.out, rows)
	return nil
}

// trip is a trip of an hour.
func trip(id mileage.TripID, user mileage.UserID, plate mileage.Plate, at time.Time) mileage.Trip {
	return mileage.Trip{
		ID: id, User: user, Vehicle: plate, Purpose: mileage.Business,
		Start: mileage.Stop{At: at, Odometer: 45_210, Place: "Utrecht"},
		End:   mileage.Stop{At: at.Add(time.Hour), Odometer: 45_271, Place: "Delft"},
	}
}
