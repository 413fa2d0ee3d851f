package cases

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var attributeValue = reflect.TypeFor[types.AttributeValue]()

// decode reads a request written in DynamoDB's JSON into an input of the SDK.
// A member that the input does not have is an error, as is a value that the
// SDK's types cannot hold: those requests are for CallRaw.
func decode(request string, input any) error {
	dec := json.NewDecoder(strings.NewReader(request))
	dec.UseNumber()
	var doc any
	if err := dec.Decode(&doc); err != nil {
		return fmt.Errorf("request %s: %w", request, err)
	}
	if err := assign(reflect.ValueOf(input).Elem(), doc, "$"); err != nil {
		return fmt.Errorf("request %s: %w", request, err)
	}
	return nil
}

func assign(dst reflect.Value, src any, at string) error {
	if dst.Type() == attributeValue {
		v, err := value(src, at)
		if err != nil {
			return err
		}
		dst.Set(reflect.ValueOf(v))
		return nil
	}
	switch dst.Kind() {
	case reflect.Pointer:
		dst.Set(reflect.New(dst.Type().Elem()))
		return assign(dst.Elem(), src, at)
	case reflect.Struct:
		m, ok := src.(map[string]any)
		if !ok {
			return mismatch(dst, src, at)
		}
		for name, v := range m {
			f := dst.FieldByName(name)
			if !f.IsValid() {
				return fmt.Errorf("%s has no member %s", at, name)
			}
			if err := assign(f, v, at+"."+name); err != nil {
				return err
			}
		}
		return nil
	case reflect.Map:
		m, ok := src.(map[string]any)
		if !ok {
			return mismatch(dst, src, at)
		}
		dst.Set(reflect.MakeMapWithSize(dst.Type(), len(m)))
		for k, v := range m {
			e := reflect.New(dst.Type().Elem()).Elem()
			if err := assign(e, v, at+"."+k); err != nil {
				return err
			}
			dst.SetMapIndex(reflect.ValueOf(k), e)
		}
		return nil
	case reflect.Slice:
		l, ok := src.([]any)
		if !ok {
			return mismatch(dst, src, at)
		}
		dst.Set(reflect.MakeSlice(dst.Type(), len(l), len(l)))
		for i, v := range l {
			if err := assign(dst.Index(i), v, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.String:
		if s, ok := src.(string); ok {
			dst.SetString(s)
			return nil
		}
	case reflect.Bool:
		if b, ok := src.(bool); ok {
			dst.SetBool(b)
			return nil
		}
	case reflect.Int32, reflect.Int64:
		if n, ok := src.(json.Number); ok {
			i, err := n.Int64()
			if err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
			dst.SetInt(i)
			return nil
		}
	}
	return mismatch(dst, src, at)
}

func mismatch(dst reflect.Value, src any, at string) error {
	return fmt.Errorf("%s: the SDK's %s cannot hold %v", at, dst.Type(), src)
}

// value reads one attribute value.
func value(src any, at string) (types.AttributeValue, error) {
	m, ok := src.(map[string]any)
	if !ok || len(m) != 1 {
		return nil, fmt.Errorf("%s: %v is no attribute value of one type", at, src)
	}
	for kind, v := range m {
		at := at + "." + kind
		switch kind {
		case "S", "N":
			if s, ok := v.(string); ok {
				if kind == "N" {
					return &types.AttributeValueMemberN{Value: s}, nil
				}
				return &types.AttributeValueMemberS{Value: s}, nil
			}
		case "B":
			if s, ok := v.(string); ok {
				b, err := base64.StdEncoding.DecodeString(s)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", at, err)
				}
				return &types.AttributeValueMemberB{Value: b}, nil
			}
		case "BOOL", "NULL":
			if b, ok := v.(bool); ok {
				if kind == "NULL" {
					return &types.AttributeValueMemberNULL{Value: b}, nil
				}
				return &types.AttributeValueMemberBOOL{Value: b}, nil
			}
		case "SS", "NS", "BS":
			return set(kind, v, at)
		case "L":
			l, ok := v.([]any)
			if !ok {
				break
			}
			out := make([]types.AttributeValue, len(l))
			for i, e := range l {
				av, err := value(e, fmt.Sprintf("%s[%d]", at, i))
				if err != nil {
					return nil, err
				}
				out[i] = av
			}
			return &types.AttributeValueMemberL{Value: out}, nil
		case "M":
			l, ok := v.(map[string]any)
			if !ok {
				break
			}
			out := make(map[string]types.AttributeValue, len(l))
			for k, e := range l {
				av, err := value(e, at+"."+k)
				if err != nil {
					return nil, err
				}
				out[k] = av
			}
			return &types.AttributeValueMemberM{Value: out}, nil
		}
	}
	return nil, fmt.Errorf("%s: the SDK cannot hold %v", at, src)
}

func set(kind string, v any, at string) (types.AttributeValue, error) {
	l, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s: %v is no list", at, v)
	}
	texts := make([]string, len(l))
	for i, e := range l {
		if texts[i], ok = e.(string); !ok {
			return nil, fmt.Errorf("%s[%d]: %v is no string", at, i, e)
		}
	}
	switch kind {
	case "SS":
		return &types.AttributeValueMemberSS{Value: texts}, nil
	case "NS":
		return &types.AttributeValueMemberNS{Value: texts}, nil
	}
	out := make([][]byte, len(texts))
	for i, s := range texts {
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", at, i, err)
		}
		out[i] = b
	}
	return &types.AttributeValueMemberBS{Value: out}, nil
}
