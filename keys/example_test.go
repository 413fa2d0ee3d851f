package keys_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/singletable-go/singletable/keys"
)

type Status string

const (
	Open Status = "OPEN"
	Done Status = "DONE"
)

// Keys are declared once, as variables of a package.
var (
	Region = keys.MustCompile1("REGION#<regionId>", keys.String)
	Order  = keys.MustCompile3("STATUS#<status>#<scheduledOn>#<orderId>",
		keys.Enum(Open, Done), keys.Day, keys.String)
)

func Example() {
	day := keys.Date{Year: 2026, Month: time.January, Day: 31}

	fmt.Println(Region.Key("eu-west"))
	fmt.Println(Order.Key(Open, day, "w-2314"))

	status, on, id, err := Order.Parse("STATUS#OPEN#2026-01-31#w-2314")
	fmt.Println(status, on, id, err)

	// Values are given from left to right; a range is over the next one.
	january := Order.At(Open).Between(day.AddDays(-30), day)
	fmt.Println(january)
	fmt.Println(january.Contains("STATUS#OPEN#2026-01-31#w-2314"), january.Contains("STATUS#OPEN#2026-02-01#w-1"))

	// What cannot be a key travels in the value, to whoever uses it.
	fmt.Println(Order.Key("LOST", day, "w-1").Err())
	// Output:
	// REGION#eu-west
	// STATUS#OPEN#2026-01-31#w-2314
	// OPEN 2026-01-31 w-2314 <nil>
	// BETWEEN "STATUS#OPEN#2026-01-01#" AND "STATUS#OPEN#2026-01-31#\uffff"
	// true false
	// keys: STATUS#<status>#<scheduledOn>#<orderId>: <status> "LOST": value refused: not one of ["OPEN" "DONE"]
}

func ExampleRange() {
	from := keys.Date{Year: 2026, Month: time.January, Day: 1}
	to := keys.Date{Year: 2026, Month: time.January, Day: 31}
	open := Order.At(Open)

	fmt.Println(Order.All())
	fmt.Println(open.All())
	fmt.Println(open.Between(from, to)) // from <= day <= to
	fmt.Println(open.Within(from, to))  // from <= day <  to
	fmt.Println(open.From(from))        // day >= from
	fmt.Println(open.After(from))       // day >  from
	fmt.Println(open.To(to))            // day <= to
	fmt.Println(open.Before(to))        // day <  to
	fmt.Println(open.Within(to, to))    // legal, and empty
	fmt.Println(open.Between(to, from)) // an error
	// Output:
	// begins_with "STATUS#"
	// begins_with "STATUS#OPEN#"
	// BETWEEN "STATUS#OPEN#2026-01-01#" AND "STATUS#OPEN#2026-01-31#\uffff"
	// BETWEEN "STATUS#OPEN#2026-01-01#" AND "STATUS#OPEN#2026-01-30\uffff"
	// BETWEEN "STATUS#OPEN#2026-01-01#" AND "STATUS#OPEN#\uffff"
	// BETWEEN "STATUS#OPEN#2026-01-01#\uffff" AND "STATUS#OPEN#\uffff"
	// BETWEEN "STATUS#OPEN#" AND "STATUS#OPEN#2026-01-31#\uffff"
	// BETWEEN "STATUS#OPEN#" AND "STATUS#OPEN#2026-01-30\uffff"
	// nothing
	// keys: STATUS#<status>#<scheduledOn>#<orderId>: <scheduledOn> "2026-01-31 > 2026-01-01": lower bound above upper bound
}

// One condition, as it is sent to DynamoDB.
func ExampleRange_Condition() {
	op, lo, hi, err := Order.At(Done).All().Condition()
	fmt.Println(op == keys.OpBeginsWith, lo, hi, err)
	// Output:
	// true STATUS#DONE#  <nil>
}

// A month of civil dates is a prefix of them.
func ExampleComposite2_StartsWith() {
	january := Order.At(Open).StartsWith("2026-01")
	fmt.Println(january)
	fmt.Println(january.Contains("STATUS#OPEN#2026-01-31#w-2314"))
	// Output:
	// begins_with "STATUS#OPEN#2026-01"
	// true
}

// An item is read together with all that hangs below it, and without its
// siblings.
func ExampleKey_Tree() {
	user := keys.MustCompile1("USER#<userId>", keys.String)
	trip := keys.MustCompile2("USER#<userId>#TRIP#<day>", keys.String, keys.Day)

	ann := user.Key("ann").Tree()
	fmt.Println(ann)
	for _, key := range []keys.Key{
		user.Key("ann"),
		trip.Key("ann", keys.Date{Year: 2026, Month: time.January, Day: 31}),
		user.Key("anna"),
		user.Key("ann!"),
	} {
		fmt.Println(key, ann.Contains(key.String()))
	}
	// Output:
	// BETWEEN "USER#ann" AND "USER#ann#\uffff"
	// USER#ann true
	// USER#ann#TRIP#2026-01-31 true
	// USER#anna false
	// USER#ann%21 false
}

func ExampleKey_Exact() {
	fmt.Println(Region.Key("eu-west").Exact())
	// Output: = "REGION#eu-west"
}

func ExampleKey_Err() {
	key := Region.Key("")
	var e *keys.Error
	if errors.As(key.Err(), &e) {
		fmt.Println(e.Template, e.Placeholder, errors.Is(e, keys.ErrEmpty))
	}
	// Output: REGION#<regionId> regionId true
}

// One customer, however the address is typed.
func ExampleFold() {
	customer := keys.MustCompile1("EMAIL#<email>", keys.Fold(keys.String))
	fmt.Println(customer.Key("Ann.Lee@Example.com"))
	fmt.Println(customer.Key("ann.lee@EXAMPLE.COM") == customer.Key("Ann.Lee@Example.com"))
	fmt.Println(customer.StartsWith("ANN."))
	// Output:
	// EMAIL#ann.lee@example.com
	// true
	// begins_with "EMAIL#ann."
}

// Floors of a building sort as numbers do, the basement first.
func ExampleIntOf() {
	type Floor int8
	room := keys.MustCompile2("FLOOR#<floor>#<room>", keys.IntOf[Floor](2), keys.String)
	for _, floor := range []Floor{-10, -2, -1, 0, 1, 10} {
		fmt.Println(room.Key(floor, "a"))
	}
	fmt.Println(room.Before(0))
	// Output:
	// FLOOR#-89#a
	// FLOOR#-97#a
	// FLOOR#-98#a
	// FLOOR#000#a
	// FLOOR#001#a
	// FLOOR#010#a
	// BETWEEN "FLOOR#" AND "FLOOR#00/\uffff"
}

// Instants in two zones have one key. What is finer than the precision is cut
// off.
func ExampleTime() {
	event := keys.MustCompile1("AT#<at>", keys.Time(keys.Milli))
	tokyo := time.FixedZone("Tokyo", 9*60*60)
	fmt.Println(event.Key(time.Date(2026, 8, 22, 1, 0, 0, 123456789, tokyo)))
	fmt.Println(event.StartsWith("2026-08-21T16"))
	// Output:
	// AT#2026-08-21T16:00:00.123Z
	// begins_with "AT#2026-08-21T16"
}

// Priority is stored from the most urgent to the least, so that it is read in
// this order.
type Priority int

const (
	Urgent Priority = iota
	Normal
	Someday
)

// priorityCodec is a codec of one's own. With Width, it is written as it is and
// read back by its length.
type priorityCodec struct{}

func (priorityCodec) Width() int { return 1 }

func (priorityCodec) Append(dst []byte, p Priority) ([]byte, error) {
	if p < Urgent || p > Someday {
		return nil, fmt.Errorf("priority %d", p)
	}
	return append(dst, "abc"[p]), nil
}

func (priorityCodec) Parse(text string) (Priority, error) {
	p := strings.Index("abc", text)
	if p < 0 {
		return 0, fmt.Errorf("priority %q", text)
	}
	return Priority(p), nil
}

func ExampleCodec() {
	var codec keys.Codec[Priority] = priorityCodec{}
	task := keys.MustCompile2("TASK#<priority>#<taskId>", codec, keys.String)
	fmt.Println(task.Key(Normal, "t-1"))
	fmt.Println(task.To(Normal))
	fmt.Println(task.Key(7, "t-1").Err())
	// Output:
	// TASK#b#t-1
	// BETWEEN "TASK#" AND "TASK#b#\uffff"
	// keys: TASK#<priority>#<taskId>: <priority> "7": priority 7
}

// The delimiter is what follows a placeholder. Above %, values of variable width
// are not in order any more, and ordered ranges over them are refused.
func ExampleCompile2() {
	visit, err := keys.Compile2("<day>-<visitId>", keys.Day, keys.String)
	if err != nil {
		fmt.Println(err)
		return
	}
	day := keys.Date{Year: 2026, Month: time.January, Day: 31}
	fmt.Println(visit.Key(day, "v-1"))
	fmt.Println(visit.From(day)) // a day has a fixed width
	fmt.Println(visit.At(day).All())
	fmt.Println(errors.Is(visit.At(day).From("v-1").Err(), keys.ErrUnordered))

	_, err = keys.Compile2("<day><visitId>", keys.Day, keys.String)
	fmt.Println(err)
	// Output:
	// 2026-01-31-v%2D1
	// BETWEEN "2026-01-31-" AND "\uffff"
	// begins_with "2026-01-31-"
	// true
	// keys: template "<day><visitId>", offset 5: two placeholders touch; put a delimiter between <day> and the next
}

// Keys that somebody else has written are read as they are.
func Example_verbatim() {
	legacy := keys.MustCompile1("CUSTOMER#<name>", keys.Verbatim)
	fmt.Println(legacy.Key("Ann Lee"))
	fmt.Println(legacy.Key("Ann#Lee").Err())
	fmt.Println(legacy.From("Ann")) // nothing follows the raw text
	// Output:
	// CUSTOMER#Ann Lee
	// keys: CUSTOMER#<name>: <name> "Ann#Lee" at byte 3: value refused: the delimiter '#' in a verbatim value
	// BETWEEN "CUSTOMER#Ann" AND "CUSTOMER#\uffff"
}

// A key that is the same for every item of its kind.
func ExampleLiteral() {
	profile := keys.Literal("PROFILE")
	fmt.Println(profile.Key(), profile.Key().Exact())
	// Output: PROFILE = "PROFILE"
}

// Templates tell apart the items of a partition.
func ExampleTemplate() {
	user := keys.MustCompile1("USER#<userId>", keys.String)
	trip := keys.MustCompile2("USER#<userId>#TRIP#<day>", keys.String, keys.Day)
	for _, t := range []keys.Template{user, trip} {
		fmt.Println(t, t.Placeholders(), t.Matches("USER#ann#TRIP#2026-01-31"), t.Overlaps(user))
	}
	// Output:
	// USER#<userId> [userId] false true
	// USER#<userId>#TRIP#<day> [userId day] true false
}

func ExampleDate() {
	day, err := keys.ParseDate("2024-02-28")
	fmt.Println(day.AddDays(1), day.AddDays(2), err)
	fmt.Println(keys.DateOf(time.Date(2026, 1, 31, 23, 0, 0, 0, time.UTC)).Compare(day))
	// Output:
	// 2024-02-29 2024-03-01 <nil>
	// 1
}
