package model

import (
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/keys"
)

// schemaOf gives the key attributes of the table (ix nil) or of an index, none of
// a native index that no entity has joined.
func (t *Table) schemaOf(ix *Index) (hash, sort []KeyAttribute) {
	one := func(attr string) []KeyAttribute {
		if attr == "" {
			return nil
		}
		return []KeyAttribute{{attr, t.typeOf(attr)}}
	}
	switch {
	case ix == nil:
		return one(t.pk), one(t.sk)
	case ix.kind != nativeIndex:
		return one(ix.pk), one(ix.sk)
	}
	for _, s := range t.defined() {
		for _, j := range s.joins {
			if j.index == ix {
				hash = j.pk.spec.Attributes
				if j.sk != nil {
					sort = j.sk.spec.Attributes
				}
				return hash, sort
			}
		}
	}
	return nil, nil
}

// KeySpecs says how the keys of the table (ix nil) or of an index are stored and
// asked for, whatever the entity: their Template is nil. It fails with [ErrIndex]
// for an index of another table, and for a native index that no entity has joined
// yet.
func (t *Table) KeySpecs(ix *Index) (pk, sk KeySpec, err error) {
	if t.isZero() {
		return pk, sk, errZeroTable
	}
	if ix != nil && !slices.Contains(t.indexes, ix) {
		return pk, sk, fmt.Errorf("model: table %q: %w: %q", t.name, ErrIndex, ix.name)
	}
	hash, sort := t.schemaOf(ix)
	if len(hash) == 0 {
		return pk, sk, fmt.Errorf("model: table %q: %w: no entity has joined the native index %q", t.name, ErrIndex, ix.name)
	}
	native := func(attrs []KeyAttribute) bool {
		return len(attrs) > 0 && (ix != nil && ix.kind == nativeIndex || attrs[0].Type != types.ScalarAttributeTypeS)
	}
	pk = KeySpec{Attributes: slices.Clone(hash), Native: native(hash)}
	sk = KeySpec{Attributes: slices.Clone(sort), Native: native(sort)}
	return pk, sk, nil
}

// CheckPartition returns nil where k is valid and was made by the partition
// template of an entity of the table (ix nil) or of the index. Else it is the
// error of k, or an *[EntityError] wrapping [keys.ErrTemplate], or [ErrIndex] where
// no entity is in the index.
func (t *Table) CheckPartition(ix *Index, k keys.Key) error {
	return t.checkAny(ix, k.Err(), func(pk, _ *keyPlan) error { return k.Check(pk.tmpl) })
}

// CheckRange does the same for a range over the sort key.
func (t *Table) CheckRange(ix *Index, r keys.Range) error {
	return t.checkAny(ix, r.Err(), func(_, sk *keyPlan) error {
		if sk == nil {
			return fmt.Errorf("%w: there is no sort key", ErrMissing)
		}
		return r.Check(sk.tmpl)
	})
}

func (t *Table) checkAny(ix *Index, err error, check func(pk, sk *keyPlan) error) error {
	if err != nil {
		return err
	}
	if t.isZero() {
		return errZeroTable
	}
	err = fmt.Errorf("%w: no entity of table %q is in it", ErrIndex, t.name)
	for _, s := range t.defined() {
		pk, sk := s.pk, s.sk
		if ix != nil {
			j, _ := s.joined(ix)
			if j == nil {
				continue
			}
			pk, sk = j.pk, j.sk
		}
		if err = check(pk, sk); err == nil {
			return nil
		}
	}
	return &EntityError{Err: err}
}
