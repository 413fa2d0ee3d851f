package query

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// filter is what the user filters by: built once, when it is given, and never
// changed after, so that queries share it.
//
// The aliases that the expression package writes are # and : with digits. The
// ones of the key condition and the projection begin with a letter, so the two
// never meet.
type filter struct {
	condition expression.ConditionBuilder
	text      string
	names     map[string]string
	values    map[string]types.AttributeValue
}

// and gives a filter for what f and c let through. f may be nil. isKey tells the
// attributes that DynamoDB does not allow in it.
func (f *filter) and(c expression.ConditionBuilder, isKey func(name string) bool) (*filter, error) {
	if f != nil && c.IsSet() {
		c = expression.And(f.condition, c)
	}
	built, err := expression.NewBuilder().WithFilter(c).Build()
	if err != nil {
		return nil, &FilterError{Err: fmt.Errorf("%w: %w", ErrFilter, err)}
	}
	g := &filter{condition: c, text: *built.Filter(), names: built.Names(), values: built.Values()}
	for _, name := range g.attributes() {
		if isKey(name) {
			return nil, &FilterError{Attribute: name, Err: ErrKeyInFilter}
		}
	}
	return g, nil
}

// attributes are the top-level attributes that the filter names: the aliases
// in its text that do not follow a dot. Values stand in it as aliases too, so a
// # is always the beginning of a name.
func (f *filter) attributes() []string {
	var names []string
	text := f.text
	for start := 0; ; {
		i := strings.IndexByte(text[start:], '#')
		if i < 0 {
			return names
		}
		i += start
		end := i + 1
		for end < len(text) && '0' <= text[end] && text[end] <= '9' {
			end++
		}
		if i == 0 || text[i-1] != '.' {
			names = append(names, f.names[text[i:end]])
		}
		start = end
	}
}
