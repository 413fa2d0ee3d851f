package txn

import "github.com/singletable-go/singletable/model"

// ApplyForTest makes the changes of an update to an item, without what follows
// from them.
func ApplyForTest[T any](item model.Item, e *model.Entity[T], changes []Change) model.Item {
	out := clone(item)
	encoded, _, err := encode(e, changes)
	if err != nil {
		panic(err)
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
