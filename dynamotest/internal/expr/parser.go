package expr

import (
	"strconv"
	"strings"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// The limits of an expression, from "Service, account, and table quotas" of the
// AWS developer guide.
const (
	maxExpression = 4096 // bytes
	maxOperators  = 300  // operators and functions
	maxIn         = 100  // operands of IN
	maxPathSteps  = 32
	maxListIndex  = 1<<31 - 1
)

// fault is a kind of mistake. The service looks for one kind after another and
// reports the first that it finds, wherever in the expression it is, so a parser
// keeps the first mistake of each kind. The order of the constants is no order
// of reports: each kind of expression has its own.
type fault uint8

const (
	faultParens    fault = iota // redundant parentheses
	faultUnknown                // no such function
	faultMisused                // a function where it may not stand
	faultReserved               // a reserved word
	faultLimit                  // too many operators, too deep a path …
	faultSection                // a section of an update that comes twice
	faultName                   // a name that is not defined; in conditions, a value too
	faultValue                  // a value that is not defined
	faultOperands               // a wrong number of operands
	faultDistinct               // operands that are the same path
	faultFunction               // an operand that does not suit its function
	faultOverlap                // paths that overlap
	faultConflict               // paths that conflict
	faultAction                 // a value that does not suit ADD or DELETE
	faultCondition              // the first mistake inside of a single condition
	faultCount
)

type faults [faultCount]string

func (f *faults) add(kind fault, message string) {
	if f[kind] == "" {
		f[kind] = message
	}
}

// first returns the message of the first kind, in the given order, that there is
// one of.
func (f *faults) first(order ...fault) string {
	for _, kind := range order {
		if f[kind] != "" {
			return f[kind]
		}
	}
	return ""
}

// parser is what the parsers of all kinds of expressions share. A syntax error
// ends parsing at once, as it comes before every other mistake: it is a panic
// with *syntaxError, which run turns into an error.
type parser struct {
	params    *Params
	param     string // "ConditionExpression"
	src       string
	toks      []token
	pos       int
	faults    faults
	paths     []Path // all, in the order of the source
	operators int
}

type syntaxError struct{ message string }

func (p *Params) parser(param, text string) parser {
	return parser{params: p, param: param, src: text}
}

// run parses the whole source with parse and returns the mistake that the
// service would report: what makes the source no expression, and then the kinds
// of order.
func (p *parser) run(parse func(), order ...fault) (err error) {
	switch {
	case p.src == "":
		return p.invalid("The expression can not be empty;")
	case len(p.src) > maxExpression:
		return p.invalid("Expression size has exceeded the maximum allowed size; expression size: " + strconv.Itoa(len(p.src)))
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *syntaxError:
			err = p.invalid(r.message)
		default:
			panic(r)
		}
	}()
	p.toks = lex(p.src)
	parse()
	if p.peek().kind != tokEOF {
		p.syntax()
	}
	if p.operators > maxOperators {
		p.faults.add(faultLimit, "The expression contains too many operators; operator count: "+strconv.Itoa(p.operators))
	}
	if message := p.faults.first(order...); message != "" {
		return p.invalid(message)
	}
	return nil
}

func (p *parser) invalid(message string) error {
	return refuse("Invalid " + p.param + ": " + message)
}

// syntax reports the current token as the one that cannot stand where it does,
// with the tokens beside it.
func (p *parser) syntax() {
	t := p.toks[p.pos]
	from, to := t.start, t.end
	if p.pos > 0 {
		from = p.toks[p.pos-1].start
	}
	if p.pos+1 < len(p.toks) {
		to = p.toks[p.pos+1].end
	}
	word := "<EOF>"
	if t.kind != tokEOF {
		word = p.text(t)
	}
	near := strings.TrimRight(p.src[from:to], " \t\r\n")
	panic(&syntaxError{`Syntax error; token: "` + word + `", near: "` + near + `"`})
}

func (p *parser) peek() token { return p.toks[p.pos] }

func (p *parser) text(t token) string { return p.src[t.start:t.end] }

// advance passes over the current token.
func (p *parser) advance() { p.pos++ }

// isPunct tells whether the current token is the given sign.
func (p *parser) isPunct(sign string) bool {
	t := p.peek()
	return t.kind == tokPunct && p.text(t) == sign
}

// accept passes over the given sign and tells whether it was there.
func (p *parser) accept(sign string) bool {
	if !p.isPunct(sign) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(sign string) {
	if !p.accept(sign) {
		p.syntax()
	}
}

// isKeyword tells whether the current token is the given word, which is upper
// case, in any case.
func (p *parser) isKeyword(word string) bool {
	t := p.peek()
	return t.kind == tokIdent && strings.EqualFold(p.text(t), word)
}

func (p *parser) acceptKeyword(word string) bool {
	if !p.isKeyword(word) {
		return false
	}
	p.advance()
	return true
}

// isWord tells whether the current token is a word that is none of the keywords
// of the expression.
func (p *parser) isWord(keywords []string) bool {
	if p.peek().kind != tokIdent {
		return false
	}
	for _, k := range keywords {
		if p.isKeyword(k) {
			return false
		}
	}
	return true
}

// path parses a document path and resolves it.
func (p *parser) path(keywords []string) Path {
	path := p.pathTail(Path{p.step(keywords)}, keywords)
	p.paths = append(p.paths, path)
	return path
}

func (p *parser) pathTail(path Path, keywords []string) Path {
	for {
		switch {
		case p.accept("."):
			path = append(path, p.step(keywords))
		case p.accept("["):
			t := p.peek()
			if t.kind != tokNumber {
				p.syntax()
			}
			path = append(path, element(p.index(p.text(t))))
			p.advance()
			p.expect("]")
		default:
			if len(path) > maxPathSteps {
				p.faults.add(faultLimit, "The document path has too many nesting elements; nesting levels: "+strconv.Itoa(len(path)))
			}
			return path
		}
	}
}

// index returns the index of a list that digits stand for.
func (p *parser) index(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil || n > maxListIndex {
		p.faults.add(faultLimit, "List index is not within the allowable range; index: ["+digits+"]")
		return maxListIndex
	}
	return n
}

// step parses a name of a path, and resolves it.
func (p *parser) step(keywords []string) Step {
	t := p.peek()
	text := p.text(t)
	switch {
	case t.kind == tokName:
		p.advance()
		name, ok := p.params.name(text)
		if !ok {
			p.faults.add(faultName, "An expression attribute name used in the document path is not defined; attribute name: "+text)
			name = text
		}
		return field(name)
	case p.isWord(keywords):
		p.advance()
		if isReserved(text) {
			p.faults.add(faultReserved, "Attribute name is a reserved keyword; reserved keyword: "+text)
		}
		return field(text)
	}
	p.syntax()
	return Step{}
}

// value parses a placeholder of a value and resolves it. kind is how the
// expression counts one that is not defined.
func (p *parser) value(kind fault) av.Value {
	t := p.peek()
	if t.kind != tokValue {
		p.syntax()
	}
	p.advance()
	v, ok := p.params.value(p.text(t))
	if !ok {
		p.faults.add(kind, "An expression attribute value used in expression is not defined; attribute value: "+p.text(t))
	}
	return v
}

// checkApart reports the first pair of paths that overlap, and of paths that
// conflict.
func (p *parser) checkApart(paths []Path) {
	for i, path := range paths {
		for _, before := range paths[:i] {
			switch before.relate(path) {
			case overlap:
				p.faults.add(faultOverlap, twoPaths("overlap", before, path))
				return
			case conflict:
				if p.faults[faultConflict] == "" {
					p.faults.add(faultConflict, twoPaths("conflict", before, path))
				}
			}
		}
	}
}

func twoPaths(verb string, one, two Path) string {
	return "Two document paths " + verb + " with each other; must remove or rewrite one of these paths; path one: " +
		one.String() + ", path two: " + two.String()
}

func wrongCount(name string, n int) string {
	return "Incorrect number of operands for operator or function; operator or function: " + name +
		", number of operands: " + strconv.Itoa(n)
}

func wrongType(name, kind string) string {
	return "Incorrect operand type for operator or function; operator or function: " + name + ", operand type: " + kind
}

func needsPath(name string) string {
	return "Operator or function requires a document path; operator or function: " + name
}
