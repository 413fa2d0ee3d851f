package model

import (
	"reflect"
	"time"
)

// rolePlan is the fields of an entity that have a role.
type rolePlan struct {
	names                            Roles
	version, created, updated, write *field
	unixCreated, unixUpdated         bool // stored in whole seconds
}

// role notes the role of a field.
func (d *definition) role(f *field) error {
	r := &d.roles
	base := f.typ
	if base.Kind() == reflect.Pointer && base.Name() == "" {
		base = base.Elem()
	}
	isTime := base == timeType
	isInt := f.typ.Kind() >= reflect.Int && f.typ.Kind() <= reflect.Int64 || f.typ.Kind() >= reflect.Uint && f.typ.Kind() <= reflect.Uint64
	var (
		slot *string
		fits bool
		want string
	)
	switch f.role {
	case "version":
		slot, fits, want = &r.names.Version, isInt && !encodesItself(f.typ) && !f.tags.asString, "an integer"
		r.version = f
	case "created":
		slot, fits, want = &r.names.Created, f.typ == timeType, "time.Time"
		r.created, r.unixCreated = f, f.tags.unixTime
	case "updated":
		slot, fits, want = &r.names.Updated, f.typ == timeType, "time.Time"
		r.updated, r.unixUpdated = f, f.tags.unixTime
	case "ttl":
		slot, fits, want = &r.names.TTL, isTime || isInt && !encodesItself(f.typ) && !f.tags.asString, "time.Time, *time.Time, or an integer of seconds"
	case "write":
		slot, fits, want = &r.names.Write, f.typ.Kind() == reflect.String && !encodesItself(f.typ), "a string"
		r.write = f
	case "rest":
		if d.rest != nil {
			return declaration("field %s is a rest field, too", d.rest.path)
		}
		if f.typ.Kind() != reflect.Map || !f.typ.ConvertibleTo(itemType) {
			return &TypeError{Type: f.typ, Expected: itemType.String()}
		}
		if f.viaPtr {
			return declaration("a rest field behind an embedded pointer: embed the struct itself")
		}
		if f.key != "" {
			return declaration("a rest field cannot feed a key")
		}
		d.rest = f
		return nil
	default:
		return declaration("unknown role model:%q: there are version, created, updated, ttl, write and rest", f.role)
	}
	switch {
	case !fits:
		return &TypeError{Type: f.typ, Expected: want}
	case f.viaPtr:
		return declaration("a field with a role behind an embedded pointer: embed the struct itself")
	case f.attr == "":
		return declaration("a field with the role %q must be stored", f.role)
	case f.tags.nullEmpty:
		return declaration("a field with the role %q cannot be NULL", f.role)
	case *slot != "":
		return declaration("attribute %q has the role %q, too", *slot, f.role)
	}
	*slot = f.attr
	return nil
}

// roleTags are the options under which a field with a role is stored: a time or
// an id that is not set is absent.
func roleTags(role string, t tags) tags {
	switch role {
	case "ttl":
		t.unixTime, t.omitEmpty = true, true
	case "created", "updated", "write":
		t.omitEmpty = true
	}
	return t
}

func (r *rolePlan) stamps(v reflect.Value) Stamps {
	var s Stamps
	if r.version != nil {
		if f, _ := r.version.at(v); f.CanInt() {
			s.Version = f.Int()
		} else {
			s.Version = int64(f.Uint())
		}
	}
	s.Created = timeAt(r.created, v)
	s.Updated = timeAt(r.updated, v)
	if r.write != nil {
		f, _ := r.write.at(v)
		s.Write = f.String()
	}
	return s
}

func timeAt(f *field, v reflect.Value) time.Time {
	if f == nil {
		return time.Time{}
	}
	fv, _ := f.at(v)
	return *fv.Addr().Interface().(*time.Time)
}

func (r *rolePlan) setStamps(v reflect.Value, s Stamps) {
	if r.version != nil {
		if f, _ := r.version.at(v); f.CanInt() {
			f.SetInt(s.Version)
		} else {
			f.SetUint(uint64(s.Version))
		}
	}
	setTimeAt(r.created, v, s.Created, r.unixCreated)
	setTimeAt(r.updated, v, s.Updated, r.unixUpdated)
	if r.write != nil {
		f, _ := r.write.at(v)
		f.SetString(s.Write)
	}
}

func setTimeAt(f *field, v reflect.Value, t time.Time, seconds bool) {
	if f == nil {
		return
	}
	t = t.Round(0).UTC()
	if seconds {
		t = t.Truncate(time.Second)
	}
	fv, _ := f.at(v)
	*fv.Addr().Interface().(*time.Time) = t
}
