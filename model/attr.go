package model

import (
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// encodeAttr encodes a value as the field stored under attr would be.
func (s *schema) encodeAttr(attr string, v any) (types.AttributeValue, error) {
	fail := func(err error) (types.AttributeValue, error) {
		path, cause := place(err)
		e := &EntityError{Entity: s.name, Attribute: attr + path, Err: cause}
		if f := s.byAttr[attr]; f != nil {
			e.Field = f.path
		}
		return nil, e
	}
	av, err := s.encodeAs(attr, v)
	if err == nil && av != nil {
		err = checkValue(av)
	}
	if err != nil {
		return fail(err)
	}
	return av, nil
}

func (s *schema) encodeAs(attr string, v any) (types.AttributeValue, error) {
	f := s.byAttr[attr]
	if f == nil {
		return anyCodec{}.encode(reflect.ValueOf(&v).Elem(), 0)
	}
	if raw, ok := v.(types.AttributeValue); ok && f.typ.Kind() != reflect.Interface {
		if err := checkValue(raw); err != nil {
			return nil, err
		}
		if err := f.tagged.decode(raw, reflect.New(f.typ).Elem()); err != nil {
			return nil, err
		}
		return raw, nil
	}
	fit, ok := fitting(reflect.ValueOf(v), f.typ)
	if !ok {
		return nil, &TypeError{Type: reflect.TypeOf(v), Expected: f.typ.String()}
	}
	return f.tagged.encode(fit, 0)
}

// fitting makes v a value of type t: as it is, through a pointer on either side,
// or converted within its kind where nothing is lost.
func fitting(v reflect.Value, t reflect.Type) (reflect.Value, bool) {
	if !v.IsValid() { // an untyped nil
		switch t.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice:
			return reflect.Zero(t), true
		}
		return v, false
	}
	if v.Type().AssignableTo(t) {
		out := reflect.New(t).Elem()
		out.Set(v)
		return out, true
	}
	if t.Kind() == reflect.Pointer {
		if v.Kind() == reflect.Pointer {
			return v, false
		}
		elem, ok := fitting(v, t.Elem())
		if !ok {
			return v, false
		}
		p := reflect.New(t.Elem())
		p.Elem().Set(elem)
		return fitting(p, t)
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return v, false
		}
		return fitting(v.Elem(), t)
	}
	return convert(v, t)
}

func convert(v reflect.Value, t reflect.Type) (reflect.Value, bool) {
	out := reflect.New(t).Elem()
	switch {
	case v.Kind() == reflect.String && t.Kind() == reflect.String,
		v.Kind() == reflect.Bool && t.Kind() == reflect.Bool:
		out.Set(v.Convert(t))
		return out, true
	case v.CanInt() && out.CanInt():
		out.SetInt(v.Int())
		return out, out.Int() == v.Int()
	case v.CanUint() && out.CanUint():
		out.SetUint(v.Uint())
		return out, out.Uint() == v.Uint()
	case v.CanInt() && out.CanUint():
		out.SetUint(uint64(v.Int()))
		return out, v.Int() >= 0 && out.Uint() == uint64(v.Int())
	case v.CanUint() && out.CanInt():
		out.SetInt(int64(v.Uint()))
		return out, out.Int() >= 0 && uint64(out.Int()) == v.Uint()
	case v.CanFloat() && out.CanFloat():
		out.SetFloat(v.Float())
		return out, out.Float() == v.Float() || v.Float() != v.Float()
	case v.CanInt() && out.CanFloat():
		out.SetFloat(float64(v.Int()))
		return out, int64(out.Float()) == v.Int()
	case v.CanUint() && out.CanFloat():
		out.SetFloat(float64(v.Uint()))
		return out, uint64(out.Float()) == v.Uint()
	case t.Kind() == v.Kind() && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map) && v.Type().ConvertibleTo(t):
		out.Set(v.Convert(t))
		return out, true
	case t.Kind() == reflect.Struct && v.Type().ConvertibleTo(t) && t.ConvertibleTo(timeType):
		out.Set(v.Convert(t))
		return out, true
	}
	return v, false
}
