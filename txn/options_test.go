package txn

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/model"
)

// faulty answers every transaction with a fault of the service.
type faulty struct {
	Client
	calls int
	each  func()
}

func (c *faulty) TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	c.calls++
	c.each()
	return nil, &types.InternalServerError{}
}

// A token is good for ten minutes. An attempt after that could be applied a
// second time, so there is none.
func TestTokenLife(t *testing.T) {
	type thing struct {
		ID string `dynamodbav:"-" key:"id"`
	}
	table := model.NewTable("t", model.PrimaryKey("pk"))
	things := model.MustDefine[thing](table, "Thing", keys.MustCompile1("THING#<id>", keys.String), nil)
	now := time.Now()
	db := &faulty{each: func() { now = now.Add(4 * time.Minute) }}
	o := Options{
		Idempotent: true,
		Attempts:   100,
		Backoff:    func(int) time.Duration { return 0 },
		now:        func() time.Time { return now },
	}
	_, err := o.Commit(context.Background(), db, Create(things, &thing{ID: "1"}))
	if db.calls != 3 {
		t.Errorf("%d attempts, the last of them 12 minutes after the first: want 3", db.calls)
	}
	if e, ok := err.(*Error); !ok || !e.InDoubt {
		t.Errorf("error %v, want one in doubt", err)
	}
}

func TestJitter(t *testing.T) {
	for n := 1; n < 100; n++ {
		limit := backoffCap
		if n < 7 {
			limit = backoffBase << n
		}
		for range 20 {
			if d := jitter(n); d < 0 || d >= limit {
				t.Errorf("wait %d is %v, want less than %v", n, d, limit)
			}
		}
	}
}
