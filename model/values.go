package model

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A codec writes values of one Go type as attribute values and reads them back.
// Single values go through attributevalue; structs, pointers, lists, sets and
// maps are walked here, because attributevalue has no way to be told about the
// tags of what it does not walk itself.
type codec interface {
	// encode gives nil, nil for a value that has no attribute (an empty set).
	encode(v reflect.Value, depth int) (types.AttributeValue, error)
	// decode sets v, which is addressable and zero.
	decode(av types.AttributeValue, v reflect.Value) error
}

// maxDepth is how deep DynamoDB lets lists and maps nest. The check keeps a value
// that refers to itself from being walked for ever.
const maxDepth = 32

var (
	avEncoder = attributevalue.NewEncoder(func(o *attributevalue.EncoderOptions) {
		o.UseEncodingMarshalers = true
	})
	avDecoder = attributevalue.NewDecoder(func(o *attributevalue.DecoderOptions) {
		o.UseEncodingUnmarshalers = true
	})

	timeType = reflect.TypeFor[time.Time]()

	isZeroType = reflect.TypeFor[interface{ IsZero() bool }]()

	textMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()

	codingTypes = []reflect.Type{
		reflect.TypeFor[attributevalue.Marshaler](),
		reflect.TypeFor[attributevalue.Unmarshaler](),
		textMarshalerType,
		textUnmarshalerType,
		reflect.TypeFor[encoding.BinaryMarshaler](),
		reflect.TypeFor[encoding.BinaryUnmarshaler](),
	}
)

// has tells whether a variable of type t has the methods of an interface.
func has(t, iface reflect.Type) bool {
	return t.Implements(iface) || t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(iface)
}

// encodesItself tells whether a type has an encoding of its own as one value.
func encodesItself(t reflect.Type) bool {
	if t.Kind() == reflect.Interface {
		return false
	}
	if t.Kind() == reflect.Struct && t.ConvertibleTo(timeType) {
		return true
	}
	for _, i := range codingTypes {
		if has(t, i) {
			return true
		}
	}
	return false
}

// pathError is an error at a place below an attribute.
type pathError struct {
	path string // ".city", "[3].name"
	err  error
}

func (e *pathError) Error() string { return e.path + ": " + e.err.Error() }
func (e *pathError) Unwrap() error { return e.err }

// within puts a place in front of that of an error.
func within(path string, err error) error {
	if err == nil {
		return nil
	}
	if p, ok := err.(*pathError); ok {
		return &pathError{path + p.path, p.err}
	}
	return &pathError{path, err}
}

// place takes the place off an error.
func place(err error) (path string, cause error) {
	if p, ok := err.(*pathError); ok {
		return p.path, p.err
	}
	return "", err
}

func refused(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrValue, fmt.Sprintf(format, args...))
}

// wrongKind is an attribute value that does not fit its Go type.
func wrongKind(av types.AttributeValue, t reflect.Type) error {
	return refused("a %s cannot be read as %v", kindOf(av), t)
}

// kindOf names the type of an attribute value as DynamoDB does.
func kindOf(av types.AttributeValue) string {
	switch av.(type) {
	case *types.AttributeValueMemberS:
		return "S"
	case *types.AttributeValueMemberN:
		return "N"
	case *types.AttributeValueMemberB:
		return "B"
	case *types.AttributeValueMemberBOOL:
		return "BOOL"
	case *types.AttributeValueMemberNULL:
		return "NULL"
	case *types.AttributeValueMemberM:
		return "M"
	case *types.AttributeValueMemberL:
		return "L"
	case *types.AttributeValueMemberSS:
		return "SS"
	case *types.AttributeValueMemberNS:
		return "NS"
	case *types.AttributeValueMemberBS:
		return "BS"
	}
	return fmt.Sprintf("%T", av)
}

func null() types.AttributeValue { return &types.AttributeValueMemberNULL{Value: true} }

func isNull(av types.AttributeValue) bool {
	if av == nil {
		return true
	}
	_, ok := av.(*types.AttributeValueMemberNULL)
	return ok
}

// compiler makes codecs. It remembers what it has made, so that a type that
// contains itself is not walked for ever.
type compiler struct {
	made map[madeKey]*lazy
}

type madeKey struct {
	typ  reflect.Type
	tags tags
}

// lazy is a codec that is being made.
type lazy struct{ codec }

// compile makes the codec of a type under the options of a tag. The options that
// say when a value is left out are the business of whoever holds the value (see
// tagged), except behind pointers and interfaces, where attributevalue asks again.
func (c *compiler) compile(t reflect.Type, tags tags) (codec, error) {
	tags.name = ""
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		tags.omitEmpty, tags.nullEmpty = false, false
	}
	key := madeKey{t, tags}
	if l := c.made[key]; l != nil {
		return l, nil
	}
	l := &lazy{}
	if c.made == nil {
		c.made = map[madeKey]*lazy{}
	}
	c.made[key] = l
	made, err := c.make(t, tags)
	l.codec = made
	return made, err
}

func (c *compiler) make(t reflect.Type, tags tags) (codec, error) {
	switch {
	case t == attributeValueType:
		return rawCodec{}, nil
	case t.Kind() == reflect.Interface && t.NumMethod() > 0:
		return nil, declaration("type %v cannot be read back: use a concrete type, or any", t)
	case t.Kind() == reflect.Interface:
		return anyCodec{tags}, nil
	case t.Kind() == reflect.Pointer:
		return c.pointerCodec(t, tags)
	case t.Kind() == reflect.Struct && t.ConvertibleTo(timeType) && tags.unixTime && !has(t, codingTypes[0]):
		return unixTimeCodec{}, nil
	case encodesItself(t):
		return single{}, nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return single{}, nil
	case reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		if tags.asString {
			return stringNumberCodec{}, nil
		}
		return single{}, nil
	case reflect.Struct:
		return c.structCodec(t)
	case reflect.Map:
		return c.mapCodec(t, tags)
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			if t.Kind() == reflect.Array || t.Elem() != reflect.TypeFor[byte]() {
				return bytesCodec{}, nil
			}
			return single{}, nil
		}
		set := tags.setOf(t)
		elem, err := c.tagged(t.Elem(), tags.elem())
		return &listCodec{set: set, elem: elem, plain: t.Elem().Kind() == reflect.String && !encodesItself(t.Elem())}, err
	}
	return nil, declaration("type %v cannot be stored: tag it dynamodbav:\"-\"", t)
}

// setOf is the kind of set that a slice or array is stored as.
func (t tags) setOf(typ reflect.Type) setKind {
	if typ == reflect.TypeFor[[][]byte]() {
		return binarySet
	}
	return t.set
}

// plainKind tells whether the values of a kind are a boolean, a number or a text.
func plainKind(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Float64 && k != reflect.Uintptr || k == reflect.String
}

// tagged is a codec with the options that say when a value is left out.
type tagged struct {
	codec
	tags   tags
	absent bool // a zero value is no attribute, rather than NULL
	isZero bool // the type, or what it points to, says itself when it is zero
}

func (c *compiler) tagged(t reflect.Type, tags tags) (tagged, error) {
	if tags.omitEmpty && tags.nullEmpty {
		return tagged{}, declaration("omitempty and nullempty exclude each other")
	}
	made, err := c.compile(t, tags)
	base := t
	for seen := 0; base.Kind() == reflect.Pointer && seen < maxDepth; seen++ {
		base = base.Elem()
	}
	list := t.Kind() == reflect.Slice && !encodesItself(t) && t.Elem().Kind() != reflect.Uint8
	return tagged{
		codec:  made,
		tags:   tags,
		absent: t == attributeValueType || list && tags.setOf(t) != noSet,
		isZero: base.Kind() != reflect.Interface && (has(base, isZeroType) || base.Kind() == reflect.Struct && base.ConvertibleTo(timeType)),
	}, err
}

func (c tagged) encode(v reflect.Value, depth int) (types.AttributeValue, error) {
	zero := isZero(v) || c.absent && v.Kind() == reflect.Slice && v.Len() == 0
	switch {
	case c.tags.omitEmpty && (zero || c.isZero && saysZero(v)):
		return nil, nil
	case zero && c.tags.nullEmpty:
		return null(), nil
	case zero && c.absent && nilable(v.Kind()):
		return nil, nil
	case zero && nilable(v.Kind()):
		return null(), nil
	}
	return c.codec.encode(v, depth)
}

// isZero is what attributevalue takes for zero.
func isZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func nilable(k reflect.Kind) bool {
	return k == reflect.Map || k == reflect.Slice || k == reflect.Interface || k == reflect.Pointer
}

// saysZero asks a value, or what it points to, whether it is zero.
func saysZero(v reflect.Value) bool {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	if z, ok := addressable(v).Addr().Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.Convert(timeType).Interface().(time.Time).IsZero()
}

// addressable gives v, or a copy of it that has an address.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Elem()
}

// single is a value that attributevalue handles as a whole.
type single struct{}

func (single) encode(v reflect.Value, _ int) (types.AttributeValue, error) {
	av, err := avEncoder.Encode(addressable(v).Addr().Interface())
	if err == nil && av == nil {
		err = refused("%v encodes itself as nothing", v.Type())
	}
	return av, err
}

func (single) decode(av types.AttributeValue, v reflect.Value) error {
	if err := avDecoder.Decode(av, v.Addr().Interface()); err != nil {
		return fmt.Errorf("%w: %w", ErrValue, err)
	}
	return nil
}

// unixTimeCodec is a time as the number of its second. attributevalue would ask
// MarshalText first.
type unixTimeCodec struct{}

func (unixTimeCodec) encode(v reflect.Value, _ int) (types.AttributeValue, error) {
	t := v.Convert(timeType).Interface().(time.Time)
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(t.Unix(), 10)}, nil
}

func (unixTimeCodec) decode(av types.AttributeValue, v reflect.Value) error {
	n, ok := av.(*types.AttributeValueMemberN)
	if !ok {
		return single{}.decode(av, v)
	}
	sec, err := strconv.ParseInt(n.Value, 10, 64)
	if err != nil {
		return refused("%q is not a whole number of seconds", n.Value)
	}
	t := time.Unix(sec, 0).UTC()
	if p, ok := v.Addr().Interface().(*time.Time); ok {
		*p = t
	} else {
		v.Set(reflect.ValueOf(t).Convert(v.Type()))
	}
	return nil
}

// stringNumberCodec is a number that is stored as a string.
type stringNumberCodec struct{}

func (stringNumberCodec) encode(v reflect.Value, depth int) (types.AttributeValue, error) {
	av, err := single{}.encode(v, depth)
	if n, ok := av.(*types.AttributeValueMemberN); ok && err == nil {
		return &types.AttributeValueMemberS{Value: n.Value}, nil
	}
	return av, err
}

func (stringNumberCodec) decode(av types.AttributeValue, v reflect.Value) error {
	if s, ok := av.(*types.AttributeValueMemberS); ok {
		av = &types.AttributeValueMemberN{Value: s.Value}
	}
	return single{}.decode(av, v)
}

// bytesCodec is a binary in an array, of exactly its length, or in a slice of a
// named byte type. attributevalue panics over these.
type bytesCodec struct{}

func (bytesCodec) encode(v reflect.Value, _ int) (types.AttributeValue, error) {
	b := make([]byte, v.Len())
	for i := range b {
		b[i] = byte(v.Index(i).Uint())
	}
	return &types.AttributeValueMemberB{Value: b}, nil
}

func (bytesCodec) decode(av types.AttributeValue, v reflect.Value) error {
	if isNull(av) {
		return nil
	}
	b, ok := av.(*types.AttributeValueMemberB)
	if !ok {
		return wrongKind(av, v.Type())
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(b.Value), len(b.Value)))
	} else if len(b.Value) != v.Len() {
		return refused("%d bytes cannot be read as %v", len(b.Value), v.Type())
	}
	for i, x := range b.Value {
		v.Index(i).SetUint(uint64(x))
	}
	return nil
}

// rawCodec is an attribute value that is held as it is; nil is none at all.
type rawCodec struct{}

func (rawCodec) encode(v reflect.Value, _ int) (types.AttributeValue, error) {
	if v.IsNil() {
		return nil, nil
	}
	return v.Interface().(types.AttributeValue), nil
}

func (rawCodec) decode(av types.AttributeValue, v reflect.Value) error {
	if av != nil {
		v.Set(reflect.ValueOf(av))
	}
	return nil
}

// anyCodec is a value of whatever type it happens to be.
type anyCodec struct{ tags tags }

// dynamic remembers the codecs of what is met in interfaces: madeKey -> tagged or
// error.
var dynamic sync.Map

func codecOf(t reflect.Type, tags tags) (tagged, error) {
	key := madeKey{t, tags}
	made, ok := dynamic.Load(key)
	if !ok {
		c, err := new(compiler).tagged(t, tags)
		if made = c; err != nil {
			made = fmt.Errorf("%w: %w", ErrValue, err)
		}
		dynamic.Store(key, made)
	}
	if err, ok := made.(error); ok {
		return tagged{}, err
	}
	return made.(tagged), nil
}

func (c anyCodec) encode(v reflect.Value, depth int) (types.AttributeValue, error) {
	if v.IsNil() {
		return null(), nil
	}
	v = v.Elem()
	if av, ok := v.Interface().(types.AttributeValue); ok {
		return av, nil
	}
	if v.Kind() != reflect.Pointer {
		made, err := codecOf(v.Type(), c.tags)
		if err != nil {
			return nil, err
		}
		return made.codec.encode(v, depth)
	}
	return throughPointer(v, c.tags, depth, func() (tagged, error) { return codecOf(v.Type().Elem(), c.tags) })
}

func (c anyCodec) decode(av types.AttributeValue, v reflect.Value) error {
	if s, ok := av.(*types.AttributeValueMemberS); ok && c.tags.asString {
		if _, ok := parseDecimal(s.Value); ok {
			av = &types.AttributeValueMemberN{Value: s.Value}
		}
	}
	return single{}.decode(av, v)
}

// throughPointer encodes what a pointer points to that is itself behind a pointer
// or an interface: attributevalue asks again whether it is empty.
func throughPointer(v reflect.Value, tags tags, depth int, made func() (tagged, error)) (types.AttributeValue, error) {
	if v.IsNil() {
		if tags.omitEmpty && tags.omitEmptyElem {
			return nil, nil
		}
		return null(), nil
	}
	v = v.Elem()
	if v.Kind() == reflect.Interface {
		if depth++; depth > maxDepth {
			return nil, tooDeep() // an interface that holds a pointer to itself
		}
	}
	c, err := made()
	if err != nil {
		return nil, err
	}
	if encodesItself(v.Type()) {
		return c.codec.encode(v, depth)
	}
	return c.encode(v, depth)
}

// pointerCodec is NULL for a nil pointer, else what the pointer points to.
type pointerCodec struct {
	elem   codec
	tags   tags
	second tagged // what a pointer to a pointer points to in the end
}

func (c *compiler) pointerCodec(t reflect.Type, tags tags) (codec, error) {
	seen := map[reflect.Type]bool{}
	for p := t; p.Kind() == reflect.Pointer; p = p.Elem() {
		if seen[p] {
			return nil, declaration("type %v points to nothing but itself", t)
		}
		seen[p] = true
	}
	elem, err := c.compile(t.Elem(), tags)
	if err != nil || t.Elem().Kind() != reflect.Pointer {
		return &pointerCodec{elem: elem}, err
	}
	second, err := c.tagged(t.Elem().Elem(), tags)
	return &pointerCodec{elem, tags, second}, err
}

func (c *pointerCodec) encode(v reflect.Value, depth int) (types.AttributeValue, error) {
	if v.IsNil() {
		return null(), nil
	}
	if v = v.Elem(); v.Kind() == reflect.Pointer {
		return throughPointer(v, c.tags, depth, func() (tagged, error) { return c.second, nil })
	}
	return c.elem.encode(v, depth)
}

func (c *pointerCodec) decode(av types.AttributeValue, v reflect.Value) error {
	if isNull(av) {
		return nil
	}
	v.Set(reflect.New(v.Type().Elem()))
	return c.elem.decode(av, v.Elem())
}

func tooDeep() error { return refused("nested deeper than %d levels", maxDepth) }

// structCodec is a map with one entry for each field.
type structCodec struct{ fields []codecField }

type codecField struct {
	field
	tagged tagged
}

func (c *compiler) structCodec(t reflect.Type) (codec, error) {
	fields, err := collectFields(t)
	if err != nil {
		return nil, err
	}
	made := &structCodec{}
	for _, f := range fields {
		if f.attr == "" {
			continue
		}
		tc, err := c.tagged(f.typ, f.tags)
		if err != nil {
			var inner *fieldError
			if errors.As(err, &inner) {
				return nil, &fieldError{f.path + "." + inner.path, inner.err}
			}
			return nil, &fieldError{f.path, err}
		}
		made.fields = append(made.fields, codecField{f, tc})
	}
	if len(made.fields) == 0 && t.NumField() > 0 && !anyExported(t) {
		return nil, declaration("type %v has no exported field, nothing of it would be stored", t)
	}
	return made, nil
}

func anyExported(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

func (c *structCodec) encode(v reflect.Value, depth int) (types.AttributeValue, error) {
	if depth++; depth > maxDepth {
		return nil, tooDeep()
	}
	m := make(map[string]types.AttributeValue, len(c.fields))
	for i := range c.fields {
		f := &c.fields[i]
		fv, ok := f.at(v)
		if !ok {
			continue
		}
		av, err := f.tagged.encode(fv, depth)
		if err != nil {
			return nil, within("."+f.attr, err)
		}
		if av != nil {
			m[f.attr] = av
		}
	}
	return &types.AttributeValueMemberM{Value: m}, nil
}

func (c *structCodec) decode(av types.AttributeValue, v reflect.Value) error {
	if isNull(av) {
		return nil
	}
	m, ok := av.(*types.AttributeValueMemberM)
	if !ok {
		return wrongKind(av, v.Type())
	}
	for i := range c.fields {
		f := &c.fields[i]
		if av, ok := m.Value[f.attr]; ok {
			if err := f.tagged.decode(av, f.make(v)); err != nil {
				return within("."+f.attr, err)
			}
		}
	}
	return nil
}

// listCodec is a slice or array as a list or a set.
type listCodec struct {
	set   setKind
	elem  tagged
	plain bool // the elements are strings without a form of their own
}

func (c *listCodec) encode(v reflect.Value, depth int) (types.AttributeValue, error) {
	if depth++; depth > maxDepth {
		return nil, tooDeep()
	}
	if c.set != noSet && v.Len() == 0 {
		return nil, nil
	}
	list := make([]types.AttributeValue, 0, v.Len())
	for i := range v.Len() {
		av, err := c.elem.encode(v.Index(i), depth)
		if err != nil {
			return nil, within("["+strconv.Itoa(i)+"]", err)
		}
		switch {
		case av != nil:
			list = append(list, av)
		case !c.elem.tags.omitEmpty:
			list = append(list, null()) // keeps the others in their places
		}
	}
	if c.set == noSet {
		return &types.AttributeValueMemberL{Value: list}, nil
	}
	if len(list) == 0 {
		return nil, nil
	}
	return c.set.of(list)
}

// of makes a set of values, which must all be of its kind.
func (k setKind) of(list []types.AttributeValue) (types.AttributeValue, error) {
	bad := func(i int, want string) error {
		return within("["+strconv.Itoa(i)+"]", refused("a %s in a set of %s", kindOf(list[i]), want))
	}
	switch k {
	case stringSet:
		ss := make([]string, len(list))
		for i, av := range list {
			s, ok := av.(*types.AttributeValueMemberS)
			if !ok {
				return nil, bad(i, "S")
			}
			ss[i] = s.Value
		}
		return &types.AttributeValueMemberSS{Value: ss}, nil
	case numberSet:
		ns := make([]string, len(list))
		for i, av := range list {
			n, ok := av.(*types.AttributeValueMemberN)
			if !ok {
				return nil, bad(i, "N")
			}
			ns[i] = n.Value
		}
		return &types.AttributeValueMemberNS{Value: ns}, nil
	}
	bs := make([][]byte, len(list))
	for i, av := range list {
		b, ok := av.(*types.AttributeValueMemberB)
		if !ok {
			return nil, bad(i, "B")
		}
		bs[i] = b.Value
	}
	return &types.AttributeValueMemberBS{Value: bs}, nil
}

func (c *listCodec) decode(av types.AttributeValue, v reflect.Value) error {
	if isNull(av) {
		return nil
	}
	n, ok := listLen(av)
	if !ok {
		return wrongKind(av, v.Type())
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.Zero(v.Type()))
		if n == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		v.Grow(n)
		v.SetLen(n)
	} else if n > v.Len() {
		return refused("%d elements cannot be read as %v", n, v.Type())
	}
	if ss, ok := av.(*types.AttributeValueMemberSS); ok && c.plain {
		for i, s := range ss.Value {
			v.Index(i).SetString(s)
		}
		return nil
	}
	for i := range n {
		if err := c.elem.decode(listElem(av, i), v.Index(i)); err != nil {
			return within("["+strconv.Itoa(i)+"]", err)
		}
	}
	return nil
}

// listLen is the number of elements of a list or set.
func listLen(av types.AttributeValue) (int, bool) {
	switch av := av.(type) {
	case *types.AttributeValueMemberL:
		return len(av.Value), true
	case *types.AttributeValueMemberSS:
		return len(av.Value), true
	case *types.AttributeValueMemberNS:
		return len(av.Value), true
	case *types.AttributeValueMemberBS:
		return len(av.Value), true
	}
	return 0, false
}

// listElem is an element of a list or set as a value of its own.
func listElem(av types.AttributeValue, i int) types.AttributeValue {
	switch av := av.(type) {
	case *types.AttributeValueMemberL:
		return av.Value[i]
	case *types.AttributeValueMemberSS:
		return &types.AttributeValueMemberS{Value: av.Value[i]}
	case *types.AttributeValueMemberNS:
		return &types.AttributeValueMemberN{Value: av.Value[i]}
	}
	return &types.AttributeValueMemberB{Value: av.(*types.AttributeValueMemberBS).Value[i]}
}

// mapCodec is a map whose keys have a text.
type mapCodec struct {
	elem tagged
}

func (c *compiler) mapCodec(t reflect.Type, tags tags) (codec, error) {
	k := t.Key()
	if !plainKind(k.Kind()) && !(k.Implements(textMarshalerType) && has(k, textUnmarshalerType)) {
		return nil, declaration("a map with keys of type %v cannot be stored", k)
	}
	elem, err := c.tagged(t.Elem(), tags.elem())
	return &mapCodec{elem: elem}, err
}

func (c *mapCodec) encode(v reflect.Value, depth int) (types.AttributeValue, error) {
	if depth++; depth > maxDepth {
		return nil, tooDeep()
	}
	m := make(map[string]types.AttributeValue, v.Len())
	for it := v.MapRange(); it.Next(); {
		name, err := mapKeyText(it.Key())
		if err != nil {
			return nil, err
		}
		if _, ok := m[name]; ok {
			return nil, refused("two keys of a map have the text %q", name)
		}
		av, err := c.elem.encode(it.Value(), depth)
		if err != nil {
			return nil, within("."+name, err)
		}
		switch {
		case av != nil:
			m[name] = av
		case !c.elem.tags.omitEmpty:
			m[name] = null()
		}
	}
	return &types.AttributeValueMemberM{Value: m}, nil
}

func (c *mapCodec) decode(av types.AttributeValue, v reflect.Value) error {
	if isNull(av) {
		return nil
	}
	m, ok := av.(*types.AttributeValueMemberM)
	if !ok {
		return wrongKind(av, v.Type())
	}
	t := v.Type()
	out := reflect.MakeMapWithSize(t, len(m.Value))
	for name, av := range m.Value {
		k := reflect.New(t.Key()).Elem()
		if err := setMapKey(k, name); err != nil {
			return within("."+name, err)
		}
		e := reflect.New(t.Elem()).Elem()
		if err := c.elem.decode(av, e); err != nil {
			return within("."+name, err)
		}
		out.SetMapIndex(k, e)
	}
	v.Set(out)
	return nil
}

// mapKeyText is the text of a map key. It asks for the text form, then the kind;
// attributevalue would ask a String method, whose text nothing reads back.
func mapKeyText(k reflect.Value) (string, error) {
	var text string
	var m encoding.TextMarshaler
	if k.Kind() == reflect.Pointer && k.IsNil() {
		return "", refused("a key of a map is nil")
	}
	m, _ = k.Interface().(encoding.TextMarshaler)
	switch {
	case m != nil:
		b, err := m.MarshalText()
		if err != nil {
			return "", fmt.Errorf("%w: key of a map: %w", ErrValue, err)
		}
		text = string(b)
	case k.Kind() == reflect.String:
		text = k.String()
	case k.CanInt():
		text = strconv.FormatInt(k.Int(), 10)
	case k.CanUint():
		text = strconv.FormatUint(k.Uint(), 10)
	case k.Kind() == reflect.Bool:
		text = strconv.FormatBool(k.Bool())
	default:
		text = fmt.Sprint(k.Float())
	}
	if text == "" {
		return "", refused("a key of a map has no text")
	}
	return text, nil
}

func setMapKey(k reflect.Value, text string) error {
	if k.Kind() == reflect.Pointer {
		k.Set(reflect.New(k.Type().Elem()))
		k = k.Elem()
	}
	if u, ok := k.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if err := u.UnmarshalText([]byte(text)); err != nil {
			return fmt.Errorf("%w: key of a map: %w", ErrValue, err)
		}
		return nil
	}
	if k.Kind() == reflect.String {
		k.SetString(text)
		return nil
	}
	if k.Kind() == reflect.Bool {
		b, err := strconv.ParseBool(text)
		if err != nil {
			return refused("%q is not a key of type %v", text, k.Type())
		}
		k.SetBool(b)
		return nil
	}
	return single{}.decode(&types.AttributeValueMemberN{Value: text}, k)
}
