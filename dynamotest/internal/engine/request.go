package engine

import (
	"slices"
	"strings"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
	"github.com/singletable-go/singletable/dynamotest/internal/expr"
)

// checkTableName checks the name of the table of an item's operation, which may
// be an ARN.
func (c *constraints) checkTableName(name *string, path string) {
	switch {
	case name == nil:
		c.missing(path)
	case strings.HasPrefix(*name, "arn:"):
		c.length(*name, path, len(*name), 1, 1024)
	default:
		c.length(*name, path, len(*name), 1, 1024)
		if *name != "" {
			c.pattern(*name, path)
		}
	}
}

func (c *constraints) checkIndexName(name *string, path string) {
	if name == nil {
		return
	}
	c.pattern(*name, path)
	c.length(*name, path, len(*name), 3, 255)
}

// The enumerations of the model, in the order in which the service prints them.
var (
	capacityEnum     = []string{"INDEXES", "TOTAL", "NONE"}
	metricsEnum      = []string{"SIZE", "NONE"}
	returnValuesEnum = []string{"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"}
	onFailureEnum    = []string{"ALL_OLD", "NONE"}
	selectEnum       = []string{"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"}
)

// legacyUse names what takes the place of a parameter from before expressions.
var legacyUse = map[string]string{
	"AttributesToGet":     "ProjectionExpression",
	"AttributeUpdates":    "UpdateExpression",
	"ConditionalOperator": "AND and OR in an expression",
	"Expected":            "ConditionExpression",
	"KeyConditions":       "KeyConditionExpression",
	"QueryFilter":         "FilterExpression",
	"ScanFilter":          "FilterExpression",
}

// refuseLegacy refuses the parameters from before expressions, as the service
// does where both kinds are mixed, and as not supported otherwise. prefix is what
// the service puts before the message in some operations.
func (o object) refuseLegacy(prefix string, expressions, legacy []string) *Error {
	given := func(names []string) (present []string) {
		for _, name := range names {
			if o.has(name) {
				present = append(present, name)
			}
		}
		return present
	}
	old := given(legacy)
	if len(old) == 0 {
		return nil
	}
	if modern := given(expressions); len(modern) > 0 {
		return invalid(prefix + "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {" +
			strings.Join(old, ", ") + "} Expression parameters: {" + strings.Join(modern, ", ") + "}")
	}
	return badParam("The parameter " + old[0] + " is not supported; use " + legacyUse[old[0]])
}

// oneViolation is what the service puts before some messages in some operations:
// PutItem and UpdateItem report what is wrong with their parameters, with sets
// and nulls in them, and with their expressions, as they report a violated
// constraint.
const oneViolation = "1 validation error detected: "

// counted puts oneViolation before the messages about values and expressions that
// have it in PutItem and UpdateItem.
func counted(err *Error) *Error {
	if err == nil {
		return nil
	}
	if strings.HasPrefix(err.Message, "Invalid ") && !strings.HasSuffix(err.Message, "The expression can not be empty;") {
		return invalid(oneViolation + err.Message)
	}
	for _, part := range []string{"Null attribute value types", "may not be empty", "Binary sets should not be empty", "contains duplicates", onlyWithExpressions} {
		if strings.Contains(err.Message, part) {
			return invalid(oneViolation + err.Message)
		}
	}
	return err
}

const onlyWithExpressions = "ExpressionAttributeValues can only be specified when using expressions: "

// expressions are the expressions of a request or of one action, as sent.
type expressions struct {
	names                                   map[string]string
	values                                  attributes
	update, condition, key, filter, project *string
	takes                                   []string // the parameters that the operation takes, as the service lists them
	counted                                 bool     // the operation is one that counts its violations, see counted
}

// readExpressions reads the expression parameters that an operation takes.
func (o object) readExpressions(takes ...string) expressions {
	x := expressions{names: o.names(), takes: takes}
	if !slices.Equal(takes, []string{"ProjectionExpression"}) {
		x.values = o.attributes("ExpressionAttributeValues")
	}
	for _, name := range takes {
		*x.named(name) = o.str(name)
	}
	return x
}

func (x *expressions) named(param string) **string {
	switch param {
	case "UpdateExpression":
		return &x.update
	case "ConditionExpression":
		return &x.condition
	case "KeyConditionExpression":
		return &x.key
	case "FilterExpression":
		return &x.filter
	}
	return &x.project
}

// compiled are the expressions of a request, parsed; nil where not given.
type compiled struct {
	update    *expr.Update
	condition *expr.Condition
	key       *expr.KeyCondition
	filter    *expr.Condition
	project   *expr.Projection
}

// params checks how the parameters of expressions fit together, before any is
// parsed.
func (x *expressions) params() (*expr.Params, *Error) {
	p, err := x.checkParams()
	if x.counted {
		err = counted(err)
	}
	return p, err
}

func (x *expressions) checkParams() (*expr.Params, *Error) {
	values := x.values.item
	if x.values.err != nil {
		values = av.Item{":": av.Null()} // present, and in the way of nothing
	} else if x.values.present() && values == nil {
		values = av.Item{}
	}
	given := make([]expr.Given, len(x.takes))
	any, takesValues := false, false
	for i, name := range x.takes {
		present := *x.named(name) != nil
		any = any || present
		takesValues = takesValues || (present && name != "ProjectionExpression")
		given[i] = expr.Given{Param: name, Present: present}
	}
	p := expr.NewParams(x.names, values)
	if x.values.present() && !takesValues && (any || x.names == nil) {
		return nil, x.uselessValues()
	}
	if x.values.err != nil && any {
		return nil, toError(expr.ValueError(x.values.err))
	}
	return p, toError(p.Check(given...))
}

// uselessValues refuses values that no expression can use.
func (x *expressions) uselessValues() *Error {
	var absent []string
	for _, name := range x.takes {
		if name != "ProjectionExpression" {
			absent = append(absent, name+" is null")
		}
	}
	return invalid(onlyWithExpressions + strings.Join(absent, " and "))
}

// compile parses the expressions in the order in which the service does.
func (x *expressions) compile() (compiled, *Error) {
	p, err := x.params()
	if err != nil {
		return compiled{}, err
	}
	c, err := x.parse(p)
	if x.counted {
		err = counted(err)
	}
	return c, err
}

func (x *expressions) parse(p *expr.Params) (compiled, *Error) {
	var c compiled
	var err error
	if x.update != nil {
		if c.update, err = p.Update(*x.update); err != nil {
			return c, toError(err)
		}
	}
	if x.condition != nil {
		if c.condition, err = p.Condition("ConditionExpression", *x.condition); err != nil {
			return c, toError(err)
		}
	}
	if x.key != nil {
		if c.key, err = p.KeyCondition(*x.key); err != nil {
			return c, toError(err)
		}
	}
	if x.filter != nil {
		if c.filter, err = p.Condition("FilterExpression", *x.filter); err != nil {
			return c, toError(err)
		}
	}
	if x.project != nil {
		if c.project, err = p.Projection(*x.project); err != nil {
			return c, toError(err)
		}
	}
	return c, toError(p.Unused())
}

// meets evaluates the condition on the stored row; without one it always holds.
func (c compiled) meets(r *row) bool {
	if c.condition == nil {
		return true
	}
	if r == nil {
		return c.condition.Eval(av.Item{})
	}
	return c.condition.Eval(r.item)
}

// checkScalars refuses paths that go into a key attribute of the table or of an
// index.
func (t *table) checkScalars(nested []string) *Error {
	if len(nested) == 0 {
		return nil
	}
	const scalars = "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
	for _, p := range t.key.parts() {
		if slices.Contains(nested, p.name) {
			return invalid(scalars + "Key: " + p.name)
		}
	}
	for _, x := range t.indexes() {
		for _, p := range x.key.parts() {
			if slices.Contains(nested, p.name) {
				return invalid(scalars + "IndexKey: " + p.name)
			}
		}
	}
	return nil
}
