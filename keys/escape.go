package keys

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The encoding of a segment of variable width. It is order-preserving and
// injective, and a homomorphism over characters: the escaped text of a prefix is
// a prefix of the escaped text.

const (
	// lastEscaped is the greatest byte that is always written %XX. It is % itself,
	// so that what is escaped stays below what is not.
	lastEscaped = '%'

	// lead begins the form of the characters that the bound could not hold.
	lead     = "\uFFFE"
	leadRune = '\uFFFE'

	hexDigits = "0123456789ABCDEF"
)

// escape rewrites buf[start:] in place. It reports the first byte of invalid
// UTF-8, or -1.
func escape(buf []byte, start int, delim byte) (_ []byte, invalid int) {
	extra := 0
	for i := start; i < len(buf); {
		c := buf[i]
		if c < utf8.RuneSelf {
			if c <= lastEscaped || c == delim {
				extra += 2
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(buf[i:])
		if r == utf8.RuneError && n == 1 {
			return buf, i - start
		}
		if r >= leadRune {
			extra += len(lead) + 6 - n
		}
		i += n
	}
	if extra == 0 {
		return buf, -1
	}

	// From the end, so that nothing is overwritten before it is read.
	from := len(buf)
	to := len(buf) + extra
	buf = slices.Grow(buf, extra)[:to]
	for from > start {
		r, n := utf8.DecodeLastRune(buf[start:from])
		from -= n
		switch {
		case r <= lastEscaped || r == rune(delim):
			to -= 3
			buf[to], buf[to+1], buf[to+2] = '%', hexDigits[r>>4], hexDigits[r&15]
		case r >= leadRune:
			for range 6 {
				to--
				buf[to] = hexDigits[r&15]
				r >>= 4
			}
			to -= len(lead)
			copy(buf[to:], lead)
		default:
			to -= n
			copy(buf[to:to+n], buf[from:from+n])
		}
	}
	return buf, -1
}

// unescape is the inverse of escape, and accepts nothing that escape does not
// write. It allocates only where something is escaped.
func unescape(text string, delim byte) (string, error) {
	raw := 0 // text[raw:i] is to be copied as it is
	var out []byte
	for i := 0; i < len(text); {
		c := text[i]
		if c > lastEscaped && c < utf8.RuneSelf && c != delim {
			i++
			continue
		}
		if c == '%' {
			v, ok := unhex(text, i+1, 2)
			if !ok || v > lastEscaped && v != rune(delim) {
				return "", at{i, fmt.Errorf("%w: no such escape", ErrSyntax)}
			}
			out = append(append(out, text[raw:i]...), byte(v))
			i += 3
			raw = i
			continue
		}
		if c < utf8.RuneSelf {
			return "", at{i, fmt.Errorf("%w: byte 0x%02X is not escaped", ErrSyntax, c)}
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return "", at{i, ErrUTF8}
		case r == leadRune:
			v, ok := unhex(text, i+n, 6)
			if !ok || v < leadRune || v > utf8.MaxRune {
				return "", at{i, fmt.Errorf("%w: no such escape", ErrSyntax)}
			}
			out = utf8.AppendRune(append(out, text[raw:i]...), v)
			i += n + 6
			raw = i
		case r > leadRune:
			return "", at{i, fmt.Errorf("%w: %U is not escaped", ErrSyntax, r)}
		default:
			i += n
		}
	}
	if raw == 0 {
		return text, nil
	}
	return string(append(out, text[raw:]...)), nil
}

// unhex reads n upper-case hexadecimal digits at text[i:].
func unhex(text string, i, n int) (v rune, ok bool) {
	if len(text)-i < n {
		return 0, false
	}
	for _, c := range []byte(text[i : i+n]) {
		d := strings.IndexByte(hexDigits, c)
		if d < 0 {
			return 0, false
		}
		v = v<<4 | rune(d)
	}
	return v, true
}
