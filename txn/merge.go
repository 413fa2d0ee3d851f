package txn

import (
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/singletable-go/singletable/model"
)

// merge returns the stored item with the difference between before and after
// applied to it: what the type made of the item when it was read, and what it
// makes of it now. What the two agree on stays as it is stored, and so does
// what neither knows, at any depth. Nothing that is passed is changed.
func merge(stored, before, after model.Item) model.Item {
	out := make(model.Item, max(len(stored), len(after)))
	for name, v := range stored {
		_, was := before[name]
		if _, is := after[name]; is || !was {
			out[name] = v
		}
	}
	for name, a := range after {
		b, was := before[name]
		if was && model.Equal(b, a) {
			continue // stored or absent, it was not touched
		}
		out[name] = mergeValue(stored[name], b, a)
	}
	return out
}

func mergeValue(stored, before, after types.AttributeValue) types.AttributeValue {
	switch a := after.(type) {
	case *types.AttributeValueMemberM:
		s, isMap := stored.(*types.AttributeValueMemberM)
		b, wasMap := before.(*types.AttributeValueMemberM)
		if isMap && wasMap {
			return &types.AttributeValueMemberM{Value: merge(s.Value, b.Value, a.Value)}
		}
	case *types.AttributeValueMemberL:
		s, isList := stored.(*types.AttributeValueMemberL)
		b, wasList := before.(*types.AttributeValueMemberL)
		if isList && wasList && len(s.Value) == len(b.Value) {
			return &types.AttributeValueMemberL{Value: mergeList(s.Value, b.Value, a.Value)}
		}
	}
	return after
}

// mergeList carries over what is stored of each element of after: of the element
// that it is equal to, at its index or wherever it has gone to, and otherwise of
// the one whose place it has taken between two that stayed. stored and before
// have one length.
func mergeList(stored, before, after []types.AttributeValue) []types.AttributeValue {
	from, taken := match(before, after)
	out := make([]types.AttributeValue, len(after))
	for i, a := range after {
		if from[i] >= 0 {
			out[i] = stored[from[i]]
		} else {
			out[i] = a
		}
	}
	// Walk the elements that stayed in order; what lies between two of them on
	// either side was edited in place if it is equally many, or if it is the end
	// of the list, to which others were appended.
	i, j := 0, 0
	gap := func(i1, j1 int, last bool) {
		var news, olds []int
		for ; i < i1; i++ {
			if from[i] < 0 {
				news = append(news, i)
			}
		}
		for ; j < j1; j++ {
			if !taken[j] {
				olds = append(olds, j)
			}
		}
		if len(news) == len(olds) || last && len(news) > len(olds) {
			for n, old := range olds {
				out[news[n]] = mergeValue(stored[old], before[old], after[news[n]])
			}
		}
	}
	for k, old := range from {
		if old >= j {
			gap(k, old, false)
			i, j = k+1, old+1
		}
	}
	gap(len(after), len(before), true)
	return out
}

// match pairs each element of after with an equal one of before, the one at its
// index if it can be: from[i] is its index in before, or -1.
func match(before, after []types.AttributeValue) (from []int, taken []bool) {
	from, taken = make([]int, len(after)), make([]bool, len(before))
	for i, a := range after {
		from[i] = -1
		if i < len(before) && model.Equal(before[i], a) {
			from[i], taken[i] = i, true
		}
	}
	for i, a := range after {
		for j := 0; from[i] < 0 && j < len(before); j++ {
			if !taken[j] && model.Equal(before[j], a) {
				from[i], taken[j] = j, true
			}
		}
	}
	return from, taken
}

// diff returns what turns one stored item into the other: maps by path, lists
// by index unless they became shorter, everything else as a whole.
func diff(from, to model.Item) []change { return diffMap(nil, nil, from, to) }

func diffMap(out []change, at path, from, to map[string]types.AttributeValue) []change {
	for _, name := range sortedNames(union(from, to)) {
		p := at.child(step{name: name})
		f, was := from[name]
		t, is := to[name]
		switch {
		case !is:
			out = append(out, change{verb: removeVerb, path: p})
		case !was:
			out = append(out, change{verb: setVerb, path: p, value: t})
		default:
			out = diffValue(out, p, f, t)
		}
	}
	return out
}

func diffValue(out []change, at path, from, to types.AttributeValue) []change {
	if model.Equal(from, to) {
		return out
	}
	switch t := to.(type) {
	case *types.AttributeValueMemberM:
		// The keys of a map are names in a path, which cannot be empty.
		if f, ok := from.(*types.AttributeValueMemberM); ok && !hasEmptyKey(f.Value) && !hasEmptyKey(t.Value) {
			return diffMap(out, at, f.Value, t.Value)
		}
	case *types.AttributeValueMemberL:
		if f, ok := from.(*types.AttributeValueMemberL); ok && len(f.Value) <= len(t.Value) {
			for i, v := range t.Value {
				p := at.child(step{index: i, isIndex: true})
				if i < len(f.Value) {
					out = diffValue(out, p, f.Value[i], v)
				} else {
					// Beyond the end, elements are appended in the order of their indexes.
					out = append(out, change{verb: setVerb, path: p, value: v})
				}
			}
			return out
		}
	}
	return append(out, change{verb: setVerb, path: at, value: to})
}

// diffWhole is diff without paths: every attribute that differs, as a whole.
func diffWhole(from, to model.Item) []change {
	var out []change
	for _, name := range sortedNames(union(from, to)) {
		p := path{{name: name}}
		t, is := to[name]
		switch {
		case !is:
			out = append(out, change{verb: removeVerb, path: p})
		case !sameValue(t, from[name]):
			out = append(out, change{verb: setVerb, path: p, value: t})
		}
	}
	return out
}

func hasEmptyKey(m map[string]types.AttributeValue) bool {
	_, ok := m[""]
	return ok
}

func union(a, b map[string]types.AttributeValue) map[string]types.AttributeValue {
	u := maps.Clone(a)
	if u == nil {
		return b
	}
	maps.Copy(u, b)
	return u
}
