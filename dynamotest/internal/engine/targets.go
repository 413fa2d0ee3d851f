package engine

import "github.com/singletable-go/singletable/dynamotest/internal/av"

// Target is an item, or only a table, that a request is about.
type Target struct {
	Table string
	Key   av.Item // nil where the request names no item
}

// Targets lists what a request is about, in its order; for a transaction there is
// one target for each action. What cannot be made out is left out.
func (e *Engine) Targets(op string, body []byte) []Target {
	o, err := parse(body)
	if err != nil {
		return nil
	}
	switch op {
	case "PutItem":
		return []Target{e.target(o.str("TableName"), o.attributes("Item").item)}
	case "GetItem", "UpdateItem", "DeleteItem":
		return []Target{e.target(o.str("TableName"), o.attributes("Key").item)}
	case "TransactWriteItems", "TransactGetItems":
		return e.actionTargets(o)
	case "BatchGetItem", "BatchWriteItem":
		return e.batchTargets(o)
	}
	if name := o.str("TableName"); name != nil {
		return []Target{{Table: tableName(*name)}}
	}
	return nil
}

// target narrows an item to its key.
func (e *Engine) target(name *string, item av.Item) Target {
	if name == nil {
		return Target{}
	}
	out := Target{Table: tableName(*name)}
	t := e.table(*name)
	if t == nil || item == nil {
		return out
	}
	out.Key = t.keyItem(item)
	for _, v := range out.Key {
		if !v.IsValid() {
			out.Key = nil
			break
		}
	}
	return out
}

func (e *Engine) actionTargets(o object) []Target {
	var list []Target
	raws, _ := o.list("TransactItems")
	for _, raw := range raws {
		item := o.element(raw, "TransactWriteItem")
		var found Target
		for _, m := range item.members {
			q := o.element(m.raw, m.name)
			content := q.attributes("Key")
			if !content.present() {
				content = q.attributes("Item")
			}
			found = e.target(q.str("TableName"), content.item)
		}
		list = append(list, found)
	}
	return list
}

func (e *Engine) batchTargets(o object) []Target {
	var list []Target
	members, _ := o.mapping("RequestItems", "KeysAndAttributes")
	for _, m := range members {
		name := m.name
		if len(m.raw) > 0 && m.raw[0] == '[' {
			for _, raw := range elements(m.raw) {
				w := o.element(raw, "WriteRequest")
				put, _ := w.structure("PutRequest", "PutRequest")
				del, _ := w.structure("DeleteRequest", "DeleteRequest")
				content := put.attributes("Item")
				if !content.present() {
					content = del.attributes("Key")
				}
				list = append(list, e.target(&name, content.item))
			}
			continue
		}
		keys, _ := o.element(m.raw, "KeysAndAttributes").list("Keys")
		for _, raw := range keys {
			list = append(list, e.target(&name, o.asAttributes(raw).item))
		}
	}
	return list
}

// Cancel gives the error of a transaction whose actions at the given places were
// cancelled for one reason.
func Cancel(actions int, at []int, code, message string) *Error {
	reasons := noReasons(actions)
	for _, i := range at {
		reasons[i] = Reason{Code: code, Message: message}
	}
	return cancelled(reasons)
}
