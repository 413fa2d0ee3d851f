// Package expr parses, checks and evaluates the expressions of DynamoDB.
package expr

import "github.com/singletable-go/singletable/dynamotest/internal/av"

// Error is a refusal of an expression; it is a ValidationException.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

// Params holds the ExpressionAttributeNames and ExpressionAttributeValues of one
// request (nil where the request has none) and tracks their use.
type Params struct{}

func NewParams(names map[string]string, values av.Item) *Params { return nil }

// Check is called before any expression is parsed. given names the expression
// parameters that the operation takes, in the order of the service's message
// ("UpdateExpression", "ConditionExpression"), with whether the request has them.
func (p *Params) Check(given ...Given) error { return nil }

// Given is an expression parameter of an operation.
type Given struct {
	Param   string
	Present bool
}

// ValueError words a fault of ExpressionAttributeValues that decoding found.
func ValueError(e *av.Error) error { return nil }

func (p *Params) Condition(param, text string) (*Condition, error) { return nil, nil }
func (p *Params) KeyCondition(text string) (*KeyCondition, error)  { return nil, nil }
func (p *Params) Projection(text string) (*Projection, error)      { return nil, nil }
func (p *Params) Update(text string) (*Update, error)              { return nil, nil }
func (p *Params) Unused() error                                    { return nil }

type Condition struct{}

func (c *Condition) Eval(it av.Item) bool    { return false }
func (c *Condition) TopLevelAttrs() []string { return nil } // in source order, each once
func (c *Condition) NestedAttrs() []string   { return nil } // heads of paths that go deeper than one step

type Op uint8

const (
	EQ Op = iota + 1
	LT
	LE
	GT
	GE
	BETWEEN
	BEGINS_WITH
)

func (op Op) String() string { return "" }

type KeyCondition struct{ Terms []KeyTerm }
type KeyTerm struct {
	Attr string
	Op   Op
	Args []av.Value
}

type Projection struct{}

func (p *Projection) Apply(it av.Item) av.Item { return nil }
func (p *Projection) TopLevelAttrs() []string  { return nil }
func (p *Projection) NestedAttrs() []string    { return nil }
func (p *Projection) Paths() []Path            { return nil }

// Path is a document path.
type Path []Step

// Step is one step of a path: a name, or an index of a list.
type Step struct {
	Name  string // "" for an index
	Index int    // -1 for a name
}

func (p Path) String() string                       { return "" } // [a, b, [0]]
func (p Path) Lookup(it av.Item) (av.Value, bool)   { return av.Value{}, false }
func ProjectPaths(it av.Item, paths []Path) av.Item { return nil }

type Update struct{}

func (u *Update) Apply(old av.Item) (next av.Item, err error) { return nil, nil }
func (u *Update) Paths() []Path                               { return nil }
func (u *Update) TopLevelAttrs() []string                     { return nil } // heads of the touched paths
func (u *Update) NestedAttrs() []string                       { return nil } // of every path in the expression
func (u *Update) Project(it av.Item) av.Item                  { return nil } // it, restricted to the touched paths
