package model

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// tags are the options of a dynamodbav tag.
type tags struct {
	name          string
	ignore        bool
	omitEmpty     bool
	omitEmptyElem bool
	nullEmpty     bool
	nullEmptyElem bool
	asString      bool
	unixTime      bool
	set           setKind
}

// setKind is the kind of set that a slice is stored as.
type setKind uint8

const (
	noSet setKind = iota
	stringSet
	numberSet
	binarySet
)

func parseTags(tag reflect.StructTag) tags {
	name, options, _ := strings.Cut(tag.Get("dynamodbav"), ",")
	t := tags{name: name}
	if name == "-" {
		t.name, t.ignore = "", true
	}
	for _, o := range strings.Split(options, ",") {
		switch o {
		case "omitempty":
			t.omitEmpty = true
		case "omitemptyelem":
			t.omitEmptyElem = true
		case "nullempty":
			t.nullEmpty = true
		case "nullemptyelem":
			t.nullEmptyElem = true
		case "string":
			t.asString = true
		case "unixtime":
			t.unixTime = true
		case "stringset":
			t.set = stringSet
		case "numberset":
			t.set = numberSet
		case "binaryset":
			t.set = binarySet
		}
	}
	return t
}

// elem are the options of the elements of a map or slice under t.
func (t tags) elem() tags {
	return tags{omitEmpty: t.omitEmptyElem, omitEmptyElem: t.omitEmptyElem, nullEmpty: t.nullEmptyElem}
}

// field is a field of a struct, its own or an embedded one's.
type field struct {
	index  []int
	path   string // "Base.ID"
	typ    reflect.Type
	tags   tags
	key    string // of the tag key:"…"
	role   string // of the tag model:"…"
	attr   string // attribute name, "" when it is not stored
	viaPtr bool   // behind an embedded pointer

	inKey        bool      // stored under the name of the key attribute that it feeds: it is the key
	feeds        bool      // a key
	feedsPrimary bool      // the primary key
	own          *ownCodec // of a key attribute of an index that is stored under its name
}

// fieldError is what is wrong with a field.
type fieldError struct {
	path string
	err  error
}

func (e *fieldError) Error() string { return "field " + e.path + ": " + e.err.Error() }
func (e *fieldError) Unwrap() error { return e.err }

func declaration(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDeclaration, fmt.Sprintf(format, args...))
}

// collectFields lists the fields of a struct type as Go and attributevalue see
// them: those of embedded structs count as its own, a shallower one hides a
// deeper one of the same attribute name, and among equally deep ones a name from
// a tag wins. Where none wins, attributevalue leaves them all out; here that is
// an error. Fields that are not stored are listed if a key or model tag says that
// they matter.
func collectFields(t reflect.Type) ([]field, error) {
	type embedded struct {
		typ    reflect.Type
		index  []int
		path   string
		viaPtr bool
		ignore bool // nothing in it is stored
	}
	var (
		out   []field
		taken = map[string]bool{}
		seen  = map[reflect.Type]bool{}
		level = []embedded{{typ: t}}
	)
	for len(level) > 0 {
		var next []embedded
		var order []string
		named := map[string][]field{}
		for _, e := range level {
			if seen[e.typ] {
				continue
			}
			for i := range e.typ.NumField() {
				sf := e.typ.Field(i)
				f := field{
					index:  append(append([]int(nil), e.index...), i),
					path:   e.path + sf.Name,
					typ:    sf.Type,
					tags:   parseTags(sf.Tag),
					key:    sf.Tag.Get("key"),
					role:   sf.Tag.Get("model"),
					viaPtr: e.viaPtr,
				}
				bad := func(err error) ([]field, error) { return nil, &fieldError{f.path, err} }
				base, isPtr := sf.Type, false
				if base.Kind() == reflect.Pointer && base.Name() == "" {
					base, isPtr = base.Elem(), true
				}
				embed := sf.Anonymous && base.Kind() == reflect.Struct && f.tags.name == "" && f.key == "" && f.role == ""
				if !sf.IsExported() && !embed {
					if f.key != "" || f.role != "" || f.tags.name != "" {
						return bad(declaration("it has a tag, but is not exported"))
					}
					continue
				}
				ignore := e.ignore || f.tags.ignore
				if embed {
					switch {
					case !ignore && encodesItself(base):
						return bad(declaration("%v is embedded, but encodes itself as one value: give it a name with a dynamodbav tag", base))
					case isPtr && !sf.IsExported():
						return bad(declaration("it embeds a pointer to a type that is not exported, which nothing can set"))
					}
					next = append(next, embedded{base, f.index, f.path + ".", e.viaPtr || isPtr, ignore})
					continue
				}
				if ignore {
					if f.key != "" || f.role != "" {
						out = append(out, f)
					}
					continue
				}
				f.attr = f.tags.name
				if f.attr == "" {
					f.attr = sf.Name
				}
				if f.role == "rest" {
					f.attr = "" // its entries are stored, not itself
					out = append(out, f)
					continue
				}
				if len(named[f.attr]) == 0 {
					order = append(order, f.attr)
				}
				named[f.attr] = append(named[f.attr], f)
			}
		}
		for _, name := range order {
			if taken[name] {
				continue
			}
			taken[name] = true
			f, err := dominant(named[name])
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
		for _, e := range level {
			seen[e.typ] = true
		}
		level = next
	}
	return out, nil
}

// dominant picks the field that has the name among fields of one depth.
func dominant(fields []field) (field, error) {
	if len(fields) == 1 {
		return fields[0], nil
	}
	var tagged []field
	for _, f := range fields {
		if f.tags.name != "" {
			tagged = append(tagged, f)
		}
	}
	if len(tagged) == 1 {
		return tagged[0], nil
	}
	return field{}, &fieldError{fields[0].path, declaration("fields %s and %s are both stored as %q",
		fields[0].path, fields[1].path, fields[0].attr)}
}

// at gives the field of a struct, false when it is behind a nil pointer.
func (f *field) at(v reflect.Value) (reflect.Value, bool) {
	if !f.viaPtr {
		for _, i := range f.index {
			v = v.Field(i)
		}
		return v, true
	}
	for n, i := range f.index {
		if n > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
}

// make is at for writing: it makes what embedded pointers are to point at.
func (f *field) make(v reflect.Value) reflect.Value {
	for n, i := range f.index {
		if n > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}

var (
	attributeValueType = reflect.TypeFor[types.AttributeValue]()
	itemType           = reflect.TypeFor[Item]()
)
