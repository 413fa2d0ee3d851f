package txn

import "github.com/singletable-go/singletable/model"

// ApplyForTest makes an item what an update is told that it is, and makes the
// changes to it, without what follows from them.
func ApplyForTest[T any](item model.Item, e *model.Entity[T], changes []Change) model.Item {
	out := model.CloneItem(item)
	encoded, given, err := encode(e, changes)
	if err != nil {
		panic(err)
	}
	for name, v := range given {
		if v == nil {
			delete(out, name)
		} else {
			out[name] = v
		}
	}
	for _, c := range encoded {
		if c.verb == removeVerb {
			delete(out, c.path[0].name)
		} else {
			out[c.path[0].name] = c.value
		}
	}
	return out
}
