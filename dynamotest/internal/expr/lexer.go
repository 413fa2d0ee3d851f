package expr

import "unicode/utf8"

type tokenKind uint8

const (
	tokEOF    tokenKind = iota
	tokIdent            // a word
	tokName             // #name
	tokValue            // :value
	tokNumber           // digits
	tokPunct            // ( ) [ ] , . + - = < > <= >= <>
	tokBad              // a character that begins no token
)

// token is a piece of the source, from start up to end.
type token struct {
	kind       tokenKind
	start, end int
}

// lex cuts the source into tokens. The last one is always tokEOF, at the end.
func lex(src string) []token {
	toks := make([]token, 0, len(src)/4+2)
	for i := 0; i < len(src); {
		c := src[i]
		start := i
		kind := tokPunct
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
			continue
		case isWordStart(c):
			kind, i = tokIdent, wordEnd(src, i)
		case c == '#' || c == ':':
			if i = wordEnd(src, i+1); i == start+1 {
				kind = tokBad
			} else if c == '#' {
				kind = tokName
			} else {
				kind = tokValue
			}
		case isDigit(c):
			kind = tokNumber
			for i < len(src) && isDigit(src[i]) {
				i++
			}
		case c == '<' || c == '>':
			i++
			if i < len(src) && (src[i] == '=' || c == '<' && src[i] == '>') {
				i++
			}
		case c == '(' || c == ')' || c == '[' || c == ']' || c == ',' || c == '.' || c == '+' || c == '-' || c == '=':
			i++
		default:
			_, size := utf8.DecodeRuneInString(src[i:])
			kind, i = tokBad, i+size
		}
		toks = append(toks, token{kind, start, i})
	}
	return append(toks, token{tokEOF, len(src), len(src)})
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordStart(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

func wordEnd(src string, i int) int {
	for i < len(src) && (isWordStart(src[i]) || isDigit(src[i])) {
		i++
	}
	return i
}
