package expr

import (
	"maps"
	"slices"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// Apply returns the item that the update makes of old, which it does not change:
// what both have in common, they share. nil is an item that does not exist; what
// it becomes has no attributes but those that the update gives it.
//
// Every operand is read from old, and indexes of lists are those of old, in
// whatever order the actions stand. Elements that are set beyond the end of a
// list are appended in the order of their indexes; elements that are removed
// there are none.
//
// An operand that is not there, or is of a wrong type, a number that gets out of
// range, a path whose parent is not there or not of its type, and nesting beyond
// av.MaxDepth are an *Error.
func (u *Update) Apply(old av.Item) (next av.Item, err error) {
	return u.apply(old, old == nil)
}

// Create is Apply for an item that does not exist: key is what is known of it,
// and what operands are read from. Of an item that is not there everything has
// been removed already, so REMOVE needs no parents.
func (u *Update) Create(key av.Item) (next av.Item, err error) {
	return u.apply(key, true)
}

func (u *Update) apply(old av.Item, absent bool) (next av.Item, err error) {
	w := writer{update: u, absent: absent, sums: make([]av.Value, len(u.actions))}
	for i, a := range u.actions {
		if a.section == secSet {
			if w.sums[i], err = a.sum.eval(old); err != nil {
				return nil, err
			}
		}
	}
	next = make(av.Item, len(old)+len(u.tree.kids))
	maps.Copy(next, old)
	if err := w.fields(u.tree, next, 1); err != nil {
		return nil, err
	}
	return next, nil
}

// writer applies an update to an item.
type writer struct {
	update *Update
	absent bool       // the item does not exist
	sums   []av.Value // what each SET sets
}

// fields applies the actions below t to the fields of a map that is a copy.
func (w *writer) fields(t *tree, m map[string]av.Value, depth int) error {
	for _, k := range t.kids {
		name := k.step.Name
		part, ok := m[name]
		part, keep, err := w.write(k, part, ok, depth)
		switch {
		case err != nil:
			return err
		case keep:
			m[name] = part
		default:
			delete(m, name)
		}
	}
	return nil
}

// write returns what becomes of the value v at t, which stands at the given
// depth and is there if ok, and whether anything is there afterwards.
func (w *writer) write(t *tree, v av.Value, ok bool, depth int) (next av.Value, keep bool, err error) {
	if t.leaf >= 0 {
		next, keep, err = w.act(t.leaf, v, ok)
		if err == nil && keep && depth-1+next.Depth() > av.MaxDepth {
			err = refuse(av.MsgNesting)
		}
		return next, keep, err
	}
	switch {
	case w.absent && w.onlyRemoves(t):
		return av.Value{}, false, nil
	case ok && v.Kind() == av.M && !t.kids[0].step.IsIndex():
		m := maps.Clone(v.Map())
		if m == nil {
			m = make(map[string]av.Value)
		}
		if err := w.fields(t, m, depth+1); err != nil {
			return av.Value{}, false, err
		}
		return av.Map(m), true, nil
	case ok && v.Kind() == av.L && t.kids[0].step.IsIndex():
		return w.elements(t, v.List(), depth+1)
	}
	return av.Value{}, false, refuse(msgDocumentPath)
}

// elements applies the actions below t to the elements of a list.
func (w *writer) elements(t *tree, old []av.Value, depth int) (av.Value, bool, error) {
	list := slices.Clone(old)
	for _, k := range t.kids {
		var part av.Value
		i, ok := k.step.Index, k.step.Index < len(old)
		if ok {
			part = old[i]
		}
		part, keep, err := w.write(k, part, ok, depth)
		switch {
		case err != nil:
			return av.Value{}, false, err
		case ok && keep:
			list[i] = part
		case ok:
			list[i] = av.Value{} // taken out below
		case keep:
			list = append(list, part)
		}
	}
	list = slices.DeleteFunc(list, func(v av.Value) bool { return !v.IsValid() })
	return av.List(list), true, nil
}

// onlyRemoves tells whether every action below t is a REMOVE.
func (w *writer) onlyRemoves(t *tree) bool {
	if t.leaf >= 0 {
		return w.update.actions[t.leaf].section == secRemove
	}
	return !slices.ContainsFunc(t.kids, func(k *tree) bool { return !w.onlyRemoves(k) })
}

// act returns what the action makes of the value v, which is there if ok.
func (w *writer) act(i int, v av.Value, ok bool) (next av.Value, keep bool, err error) {
	a := w.update.actions[i]
	switch a.section {
	case secSet:
		return w.sums[i], true, nil
	case secRemove:
		return av.Value{}, false, nil
	case secAdd:
		if !ok {
			return a.val, true, nil
		}
		if v.Kind() != a.val.Kind() {
			return av.Value{}, false, refuse(msgOperandType)
		}
		if v.Kind() != av.N {
			return av.Union(v, a.val), true, nil
		}
		n, err := v.Number().Add(a.val.Number())
		if err != nil {
			return av.Value{}, false, asError(err)
		}
		return av.Num(n), true, nil
	}
	if !ok {
		return av.Value{}, false, nil
	}
	if v.Kind() != a.val.Kind() {
		return av.Value{}, false, refuse(msgOperandType)
	}
	next, keep = av.Difference(v, a.val)
	return next, keep, nil
}

// eval returns what the sum is for the item.
func (s sum) eval(it av.Item) (av.Value, error) {
	x, err := s.x.resolve(it)
	if s.sign == 0 || err != nil {
		return x, err
	}
	y, err := s.y.resolve(it)
	if err != nil {
		return av.Value{}, err
	}
	if x.Kind() != av.N || y.Kind() != av.N {
		return av.Value{}, refuse(msgOperandType)
	}
	var n av.Number
	if s.sign == '+' {
		n, err = x.Number().Add(y.Number())
	} else {
		n, err = x.Number().Sub(y.Number())
	}
	if err != nil {
		return av.Value{}, asError(err)
	}
	return av.Num(n), nil
}

// resolve returns what an operand of an update is for the item. There must be
// something.
func (o operand) resolve(it av.Item) (av.Value, error) {
	switch {
	case o.path != nil:
		if v, ok := o.path.Lookup(it); ok {
			return v, nil
		}
		return av.Value{}, refuse(msgNoAttribute)
	case o.call == nil:
		return o.val, nil
	case o.call.fn == fnIfNotExists:
		if v, ok := o.call.args[0].path.Lookup(it); ok {
			return v, nil
		}
		return o.call.args[1].resolve(it)
	}
	return o.call.append(it)
}

// append joins the operands of list_append.
func (k *call) append(it av.Item) (av.Value, error) {
	x, err := k.args[0].resolve(it)
	if err != nil {
		return av.Value{}, err
	}
	y, err := k.args[1].resolve(it)
	if err != nil {
		return av.Value{}, err
	}
	if x.Kind() != av.L || y.Kind() != av.L {
		return av.Value{}, refuse(msgOperandType)
	}
	return av.List(slices.Concat(x.List(), y.List())), nil
}
