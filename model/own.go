package model

import (
	"errors"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
)

// ownCodec is a field whose attribute is a key attribute of an index: it is stored
// in the form of the key, and absent where it has no value. What was stored in the
// plain form of the field, before there was an index, can still be read.
type ownCodec struct {
	tmpl    keys.Template
	part    int
	whole   bool // a joined key of one placeholder
	typ     types.ScalarAttributeType
	pointer bool
	plain   codec
}

func (c *ownCodec) encode(v reflect.Value, _ int) (types.AttributeValue, error) {
	if c.pointer {
		if v.IsNil() {
			return nil, nil
		}
		v = v.Elem()
	}
	ptr := addressable(v).Addr().Interface()
	if c.whole {
		key := c.tmpl.KeyFrom(ptr)
		if err := key.Err(); err != nil {
			return absent(err)
		}
		return &types.AttributeValueMemberS{Value: key.String()}, nil
	}
	part, err := c.tmpl.PartFrom(c.part, ptr)
	if err != nil {
		return absent(err)
	}
	return partValue(part.Type, part.Lo), nil
}

// absent makes no attribute of a value that is missing.
func absent(err error) (types.AttributeValue, error) {
	if errors.Is(err, keys.ErrEmpty) {
		return nil, nil
	}
	return nil, err
}

func (c *ownCodec) decode(av types.AttributeValue, v reflect.Value) error {
	if isNull(av) {
		return nil
	}
	err := c.decodeKey(av, v)
	if err == nil {
		return nil
	}
	v.Set(reflect.Zero(v.Type()))
	if c.plain.decode(av, v) == nil {
		return nil
	}
	return err
}

func (c *ownCodec) decodeKey(av types.AttributeValue, v reflect.Value) error {
	text, ok := partText(c.typ, av)
	if !ok {
		return wrongKind(av, v.Type())
	}
	if c.pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if c.whole {
		return c.tmpl.ParseInto(text, v.Addr().Interface())
	}
	return c.tmpl.ParsePart(c.part, text, v.Addr().Interface())
}

// fits tells whether a field of a view can be read so.
func (c *ownCodec) fits(d *definition, f *field) (*ownCodec, error) {
	fit := *c
	typ := f.typ
	if fit.pointer = typ.Kind() == reflect.Pointer && typ.Name() == ""; fit.pointer {
		typ = typ.Elem()
	}
	err := c.tmpl.Accepts(c.part, typ)
	if err == nil {
		fit.plain, err = d.compiler.compile(f.typ, f.tags)
	}
	if err != nil {
		return nil, d.fault("", f.path, err)
	}
	return &fit, nil
}

// ownCodec gives the codec of an attribute that is a field's and a key's, nil for
// any other attribute.
func (s *schema) ownCodec(attr string) *ownCodec {
	if s == nil {
		return nil
	}
	if f := s.byAttr[attr]; f != nil {
		return f.own
	}
	return nil
}
