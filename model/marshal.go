package model

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
)

// pointers are the values of a key's parts on their way to or from its template.
// They are pooled, since what is handed to an interface method escapes.
type pointers struct{ list []any }

var pointerPool = sync.Pool{New: func() any { return &pointers{list: make([]any, 0, 8)} }}

func (p *pointers) free() {
	clear(p.list)
	p.list = p.list[:0]
	pointerPool.Put(p)
}

// compose derives a key from a value; base is the pointer to v.
func (s *schema) compose(k *keyPlan, v reflect.Value, base any) (keys.Key, error) {
	ptrs := pointerPool.Get().(*pointers)
	defer ptrs.free()
	if err := s.gather(k, ptrs, v, base); err != nil {
		return keys.Key{}, err
	}
	key := k.tmpl.KeyFrom(ptrs.list...)
	if err := key.Err(); err != nil {
		return keys.Key{}, s.partError(k, err)
	}
	return key, s.checkLength(k, key)
}

// gather puts pointers to the parts of a key into ptrs.
func (s *schema) gather(k *keyPlan, ptrs *pointers, v reflect.Value, base any) error {
	for i := range k.parts {
		p := &k.parts[i]
		if p.fn != nil {
			ptrs.list = append(ptrs.list, p.fn(base))
			continue
		}
		fv, _ := p.field.at(v)
		switch {
		case !p.pointer:
			fv = fv.Addr()
		case fv.IsNil():
			return &EntityError{Entity: s.name, Placeholder: p.name, Field: p.field.path, Err: keys.ErrEmpty}
		}
		ptrs.list = append(ptrs.list, fv.Interface())
	}
	return nil
}

// partError says which field is the cause of a template's error.
func (s *schema) partError(k *keyPlan, err error) error {
	e := &EntityError{Entity: s.name, Err: err}
	var ke *keys.Error
	if errors.As(err, &ke) {
		for _, p := range k.parts {
			if p.name == ke.Placeholder {
				e.Placeholder = p.name
				if p.field != nil {
					e.Field = p.field.path
				}
			}
		}
	}
	return e
}

// checkLength holds a key to its limit, and the parts of a native one together.
func (s *schema) checkLength(k *keyPlan, key keys.Key) error {
	n, attr := len(key.String()), k.attr
	if k.spec.Native {
		parts, err := key.Parts()
		if err != nil {
			return s.partError(k, err)
		}
		n, attr = 0, k.spec.Attributes[0].Name
		for _, p := range parts {
			n += valueSize(partValue(p.Type, p.Lo))
		}
	}
	if n > k.limit {
		return &SizeError{Entity: s.name, Attribute: attr, Size: n, Limit: k.limit}
	}
	return nil
}

// keysOf derives the primary key of a value.
func (s *schema) keysOf(v reflect.Value, base any) (pk, sk keys.Key, err error) {
	if pk, err = s.compose(s.pk, v, base); err != nil || s.sk == nil {
		return pk, sk, err
	}
	sk, err = s.compose(s.sk, v, base)
	return pk, sk, err
}

// checkKey tells what is wrong with a primary key that somebody else made.
func (s *schema) checkKey(pk keys.Key, sk []keys.Key) error {
	fail := func(err error) error { return &EntityError{Entity: s.name, Err: err} }
	check := func(k *keyPlan, key keys.Key) error {
		if err := key.Check(k.tmpl); err != nil {
			return &EntityError{Entity: s.name, Attribute: k.attr, Err: err}
		}
		return s.checkLength(k, key)
	}
	switch {
	case s.sk == nil && len(sk) > 0:
		return fail(fmt.Errorf("%w: table %q has no sort key", ErrValue, s.table.name))
	case s.sk != nil && len(sk) != 1:
		return fail(fmt.Errorf("%w: table %q has a sort key, %d are given", ErrMissing, s.table.name, len(sk)))
	}
	if err := check(s.pk, pk); err != nil || s.sk == nil {
		return err
	}
	return check(s.sk, sk[0])
}

// marshal makes the item of a value; base is the pointer to v.
func (s *schema) marshal(v reflect.Value, base any) (Item, error) {
	pk, sk, err := s.keysOf(v, base)
	if err != nil {
		return nil, err
	}
	item := make(Item, len(s.fields)+3+2*len(s.joins))
	if err := s.addRest(item, v); err != nil {
		return nil, err
	}
	for i := range s.fields {
		f := &s.fields[i]
		fv, ok := f.at(v)
		if !ok {
			continue
		}
		av, err := f.tagged.encode(fv, 0)
		if err == nil && av != nil {
			err = checkValue(av)
		}
		if err != nil {
			return nil, s.valueError(f, err)
		}
		if av != nil {
			item[f.attr] = av
		}
	}
	if err := s.putKey(item, pk, sk); err != nil {
		return nil, err
	}
	if err := s.putIndexes(item, v, base); err != nil {
		return nil, err
	}
	if s.table.typeAttr != "" {
		item[s.table.typeAttr] = &types.AttributeValueMemberS{Value: s.name}
	}
	if n := ItemSize(item); n > MaxItemSize {
		return nil, &SizeError{Entity: s.name, Size: n, Limit: MaxItemSize}
	}
	return item, nil
}

// putKey writes a primary key into an item.
func (s *schema) putKey(item Item, pk, sk keys.Key) error {
	err := s.pk.spec.put(item, pk)
	if err == nil && s.sk != nil {
		err = s.sk.spec.put(item, sk)
	}
	if err != nil {
		return &EntityError{Entity: s.name, Err: err}
	}
	return nil
}

// addRest copies what the rest field holds.
func (s *schema) addRest(item Item, v reflect.Value) error {
	if s.rest == nil {
		return nil
	}
	fv, _ := s.rest.at(v)
	for name, av := range fv.Convert(itemType).Interface().(Item) {
		_, known := s.known[name]
		var err error
		switch {
		case known:
			err = refused("the type has this attribute, a rest field may not")
		case name == "":
			err = refused("an attribute without a name")
		case av == nil:
			err = refused("no value")
		default:
			if err = checkText(name); err == nil {
				err = checkValue(av)
			}
		}
		if err != nil {
			path, cause := place(err)
			return &EntityError{Entity: s.name, Field: s.rest.path, Attribute: name + path, Err: cause}
		}
		item[name] = av
	}
	return nil
}

func (s *schema) valueError(f *codecField, err error) error {
	path, cause := place(err)
	return &EntityError{Entity: s.name, Field: f.path, Attribute: f.attr + path, Err: cause}
}

// read makes the value of an item. What is in the keys comes first; attributes
// that are stored as well go over it; then the keys are derived again and
// compared.
func (s *schema) read(item Item, v reflect.Value, base any) error {
	if err := s.checkEntity(item); err != nil {
		return err
	}
	pk, err := s.parseKey(s.pk, item, v)
	if err != nil {
		return err
	}
	sk := ""
	if s.sk != nil {
		if sk, err = s.parseKey(s.sk, item, v); err != nil {
			return err
		}
	}
	for _, k := range s.entry {
		if err := s.parseEntry(k, item, v); err != nil {
			return err
		}
	}
	left := len(item)
	for i := range s.fields {
		f := &s.fields[i]
		av, ok := item[f.attr]
		if !ok {
			continue
		}
		left--
		if isNull(av) && f.feeds {
			continue // as good as absent: the key knows
		}
		if err := f.tagged.decode(av, f.make(v)); err != nil {
			path, cause := place(err)
			return s.table.itemError(s.name, item, f.attr+path, cause)
		}
	}
	if s.rest != nil && left > 0 {
		s.keepRest(item, v)
	}
	if s.lenient {
		return nil
	}
	if err := s.verify(s.pk, item, pk, v, base); err != nil {
		return err
	}
	if s.sk == nil {
		return nil
	}
	return s.verify(s.sk, item, sk, v, base)
}

// checkEntity refuses an item of another entity.
func (s *schema) checkEntity(item Item) error {
	if s.table.typeAttr == "" || s.noTag {
		return nil // the templates will tell
	}
	tag, ok := textOf(item, s.table.typeAttr)
	switch {
	case !ok:
		return s.table.itemError(s.name, item, s.table.typeAttr, errNoEntity(s.table, item))
	case tag != s.name:
		return s.table.itemError(s.name, item, s.table.typeAttr, fmt.Errorf("%w: %q", ErrEntity, tag))
	}
	return nil
}

// parseKey takes a stored key apart into the fields that feed it.
func (s *schema) parseKey(k *keyPlan, item Item, v reflect.Value) (string, error) {
	text, err := s.storedKey(k, 0, item)
	if err != nil {
		return "", err
	}
	if k.spec.Native {
		err = k.parsePart(0, text, v)
	} else {
		err = s.parseText(k, text, v)
	}
	if err != nil {
		return "", s.table.itemError(s.name, item, k.attr, err)
	}
	return text, nil
}

// parseText takes the text of a key apart into the fields that feed it.
func (s *schema) parseText(k *keyPlan, text string, v reflect.Value) error {
	ptrs := pointerPool.Get().(*pointers)
	defer ptrs.free()
	for i := range k.parts {
		ptrs.list = append(ptrs.list, k.parts[i].target(v))
	}
	return k.tmpl.ParseInto(text, ptrs.list...)
}

// parsePart takes one attribute of a native key.
func (k *keyPlan) parsePart(i int, text string, v reflect.Value) error {
	return k.tmpl.ParsePart(i, text, k.parts[i].target(v))
}

// target is the pointer through which a part is set, nil where nothing takes it.
func (p *part) target(v reflect.Value) any {
	if p.field == nil {
		return nil
	}
	fv, _ := p.field.at(v)
	if !p.pointer {
		return fv.Addr().Interface()
	}
	if fv.IsNil() {
		fv.Set(reflect.New(fv.Type().Elem()))
	}
	return fv.Interface()
}

// parseEntry takes the key of an index entry apart.
func (s *schema) parseEntry(k *keyPlan, item Item, v reflect.Value) error {
	for i, a := range k.spec.Attributes {
		text, err := s.storedKey(k, i, item)
		if err != nil {
			return err
		}
		if k.spec.Native {
			err = k.parsePart(i, text, v)
		} else {
			err = s.parseText(k, text, v)
		}
		if err != nil {
			return s.table.itemError(s.name, item, a.Name, err)
		}
	}
	return nil
}

// storedKey gives the text of attribute i of a key.
func (s *schema) storedKey(k *keyPlan, i int, item Item) (string, error) {
	a := &k.spec.Attributes[i]
	text, ok := partText(a.Type, item[a.Name])
	if !ok {
		err := ErrMissing
		if av := item[a.Name]; av != nil {
			err = refused("a %s, where a key is an %s", kindOf(av), a.Type)
		}
		return "", s.table.itemError(s.name, item, a.Name, err)
	}
	return text, nil
}

// verify compares a stored key with the one that the value makes.
func (s *schema) verify(k *keyPlan, item Item, stored string, v reflect.Value, base any) error {
	if !k.verify {
		return nil
	}
	ptrs := pointerPool.Get().(*pointers)
	defer ptrs.free()
	err := s.gather(k, ptrs, v, base)
	derived := ""
	switch {
	case err != nil:
	case k.spec.Native:
		var p keys.Part
		if p, err = k.tmpl.PartFrom(0, ptrs.list[0]); err == nil && Equal(partValue(p.Type, p.Lo), item[k.attr]) {
			return nil
		}
		derived = textOfValue(partValue(p.Type, p.Lo))
		stored = textOfValue(item[k.attr])
	default:
		var same bool
		if same, err = k.tmpl.Composes(stored, ptrs.list...); same {
			return nil
		}
		derived = k.tmpl.KeyFrom(ptrs.list...).String()
	}
	mismatch := &KeyMismatchError{Entity: s.name, Attribute: k.attr, Template: k.tmpl.String(), Stored: stored, Err: err}
	if err == nil {
		mismatch.Derived = derived
	}
	return s.table.itemError(s.name, item, k.attr, mismatch)
}

// keysOfItem gives the stored keys as those of the entity's templates.
func (s *schema) keysOfItem(item Item) (pk, sk keys.Key, err error) {
	one := func(k *keyPlan) (keys.Key, error) {
		text, err := s.storedKey(k, 0, item)
		if err != nil {
			return keys.Key{}, err
		}
		key, err := k.keyOfText(text)
		if err != nil {
			return keys.Key{}, s.table.itemError(s.name, item, k.attr, err)
		}
		return key, nil
	}
	if pk, err = one(s.pk); err != nil || s.sk == nil {
		return pk, sk, err
	}
	sk, err = one(s.sk)
	return pk, sk, err
}

// keyOfText gives the key whose stored form this is.
func (k *keyPlan) keyOfText(text string) (keys.Key, error) {
	if !k.spec.Native {
		return k.tmpl.ParseKey(text)
	}
	v := reflect.New(k.parts[0].typ).Interface()
	if err := k.tmpl.ParsePart(0, text, v); err != nil {
		return keys.Key{}, err
	}
	key := k.tmpl.KeyFrom(v)
	return key, key.Err()
}

// keepRest puts the attributes that the type does not know into its rest field.
func (s *schema) keepRest(item Item, v reflect.Value) {
	var rest Item
	for name, av := range item {
		if _, ok := s.known[name]; ok {
			continue
		}
		if rest == nil {
			rest = Item{}
		}
		rest[name] = av
	}
	if rest == nil {
		return
	}
	fv, _ := s.rest.at(v)
	fv.Set(reflect.ValueOf(rest).Convert(fv.Type()))
}

// errNilView is the use of a nil view or of a nil value to read into.
func errNilView(t reflect.Type) error {
	return fmt.Errorf("%w: nil *View[%v], or nil value", ErrZero, t)
}
