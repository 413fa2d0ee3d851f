package query

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// A cursor is, in URL-safe base64 without padding, one byte for its form and
//
//	plain:  the first bytes of SHA-256(binding, body), then the body
//	sealed: AES-GCM of the body, its nonce before it and the binding as additional data
//
// The body is the way in which to read and the position: the key attributes of
// the item behind which the page begins, without those that the query itself
// gives, or nothing for an end of the range. The binding, which is what the query
// is, is never in the cursor. So a plain cursor that somebody computes anew can
// only ever say where in the query's own range to begin.
const (
	plainCursor  = 1
	sealedCursor = 2

	// theOnly is the position where there is one item at the most, in a table
	// without sort key: the query itself gives the whole key.
	theOnly = 0

	sumSize = 12

	// The longest key is 2048 + 1024 bytes of a table and as much of an index.
	maxCursor = 12 << 10
)

// way is the way in which the page of a cursor is read.
type way byte

const (
	onward   way = 'n' // in the order of the query
	backward way = 'p'
)

var cursorText = base64.RawURLEncoding.Strict()

// newSeals prepares the secrets of [Query.Secret].
func newSeals(secrets [][]byte) ([]cipher.AEAD, error) {
	if len(secrets) == 0 {
		return nil, fmt.Errorf("%w: none given", ErrSecret)
	}
	seals := make([]cipher.AEAD, len(secrets))
	for i, secret := range secrets {
		block, err := aes.NewCipher(secret)
		if err != nil {
			return nil, fmt.Errorf("%w: secret %d has %d", ErrSecret, i, len(secret))
		}
		if seals[i], err = cipher.NewGCMWithRandomNonce(block); err != nil {
			return nil, fmt.Errorf("%w: secret %d: %w", ErrSecret, i, err)
		}
	}
	return seals, nil
}

// cursor writes a cursor that stands behind the item with this key, seen in its
// way, or at that end of the range where the way begins for a nil key.
func (p *plan) cursor(w way, key model.Item) (string, error) {
	body := []byte{byte(w)}
	if key != nil {
		if len(p.schema.position) == 0 {
			body = append(body, theOnly)
		}
		for _, a := range p.schema.position {
			text, ok := keyBytes(a, key[a.Name])
			if !ok {
				return "", fmt.Errorf("%w: key attribute %q is missing or of another type", ErrResponse, a.Name)
			}
			body = appendText(body, text)
		}
	}
	binding := p.binding()
	var token []byte
	if len(p.seals) > 0 {
		token = p.seals[0].Seal([]byte{sealedCursor}, nil, body, binding)
	} else {
		token = append([]byte{plainCursor}, sum(binding, body)...)
		token = append(token, body...)
	}
	return cursorText.EncodeToString(token), nil
}

// seek makes r begin at the cursor.
func (r *reader) seek(cursor string) (err error) {
	var w way
	w, r.start, err = r.plan.parseCursor(cursor)
	r.back, r.first = w == backward, r.start == nil
	return err
}

// parseCursor gives the way and the key at which the cursor stands, nil for an
// end of the range.
func (p *plan) parseCursor(cursor string) (way, model.Item, error) {
	bad := func(reason string) (way, model.Item, error) {
		return 0, nil, &CursorError{Cursor: cursor, Reason: reason}
	}
	if len(cursor) > maxCursor {
		return bad("too long")
	}
	token, err := cursorText.DecodeString(cursor)
	if err != nil || len(token) == 0 || strings.ContainsAny(cursor, "\r\n") { // which the decoder passes over
		return bad("not the text of a cursor")
	}
	binding := p.binding()
	var body []byte
	switch form, rest := token[0], token[1:]; {
	case len(p.seals) > 0:
		var ok bool
		if body, ok = unseal(p.seals, form, rest, binding); !ok {
			return bad("not sealed by one of the secrets for this query")
		}
	case form == sealedCursor:
		return bad("sealed, and the query has no secret")
	case form != plainCursor || len(rest) < sumSize:
		return bad("not the text of a cursor")
	default:
		body = rest[sumSize:]
		if subtle.ConstantTimeCompare(rest[:sumSize], sum(binding, body)) != 1 {
			return bad("made by another query, or changed")
		}
	}

	if len(body) == 0 || way(body[0]) != onward && way(body[0]) != backward {
		return bad("no way to read")
	}
	w, body := way(body[0]), body[1:]
	if len(body) == 0 {
		return w, nil, nil
	}
	if len(p.schema.position) == 0 {
		if body[0] != theOnly {
			return bad("no position")
		}
		body = body[1:]
	}
	key := p.partitionKey()
	for _, a := range p.schema.position {
		var text string
		var ok bool
		if text, body, ok = cutText(body); !ok || !p.fitsKey(a, text) {
			return bad("no position")
		}
		key[a.Name] = keyValue(a.Type, text)
	}
	if len(body) > 0 {
		return bad("no position")
	}
	if !p.contains(key) {
		return bad("its position is not in the range asked")
	}
	return w, key, nil
}

// fitsKey reports whether a text can be the value of a key attribute.
func (p *plan) fitsKey(a model.KeyAttribute, text string) bool {
	most := model.MaxSortKey
	if a.Name == p.table.PartitionKey() {
		most = model.MaxPartitionKey
	}
	if text == "" || len(text) > most {
		return false
	}
	switch a.Type {
	case types.ScalarAttributeTypeN:
		_, ok := parseNumber(text)
		return ok
	case types.ScalarAttributeTypeS:
		return utf8.ValidString(text)
	}
	return true
}

func unseal(seals []cipher.AEAD, form byte, text, binding []byte) ([]byte, bool) {
	if form != sealedCursor {
		return nil, false
	}
	for _, seal := range seals {
		if body, err := seal.Open(nil, nil, text, binding); err == nil {
			return body, true
		}
	}
	return nil, false
}

// binding is what a cursor belongs to: a text that differs wherever the table,
// index, entity, partition or direction of two queries does.
func (p *plan) binding() []byte {
	b := appendText(nil, p.name)
	b = appendText(b, p.schema.name())
	b = appendText(b, p.entity)
	b = appendText(b, p.pk)
	if p.desc {
		return append(b, 'D')
	}
	return append(b, 'A')
}

func sum(binding, body []byte) []byte {
	h := sha256.New()
	h.Write(binding)
	h.Write(body)
	return h.Sum(nil)[:sumSize]
}

// appendText writes a text that cutText can tell from what follows it.
func appendText(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func cutText(b []byte) (text string, rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return "", nil, false
	}
	end := size + int(n)
	return string(b[size:end]), b[end:], true
}
