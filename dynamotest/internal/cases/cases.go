// Package cases holds DynamoDB's behaviour as data: requests with the answers
// that the service gives, each with the reason why it is worth a case. The
// cases know no engine. They run through the SDK against any endpoint.
package cases

import "encoding/json"

// A Group is a set of cases about one part of the service.
type Group struct {
	Name  string
	Cases []Case
}

// A Case is a short conversation with the service. Names that begin with $ in
// its requests and answers are filled in by the runner:
//
//	$k                        a text of six bytes that no other case has: the case's partition
//	$run                      a text that no other run has, for tokens that outlive their tables
//	$hash, $range, $idx, …    the shared tables, see tables.go
//	$T1 … $T9                 tables of this case alone, removed after it
type Case struct {
	Name   string // unique in its group
	Why    string // what a wrong answer would cost or hide
	Source string // where AWS states the rule; "" where it was observed
	Slow   bool   // moves megabytes or waits for tables
	Steps  []Step
}

// A Step is one request and its right answer.
type Step struct {
	Op  string
	In  string
	Raw bool // sent as it is; the SDK would refuse or complete it

	// The right answer: Code (and Msg, where … stands for any text) of a refusal,
	// or the document on success. With Pick, Want is an object from dotted paths
	// to what is found there, and the rest of the document is not compared.
	Code, Msg string
	Want      string
	Pick      bool
	Unordered bool // the order of Items is not promised
	Any       bool // any success will do
	Wait      bool // repeat until the answer is right: table states
}

// All gives every group, in the order in which they are best run.
func All() []Group {
	return []Group{
		wireGroup(), valueGroup(), numberGroup(), keyGroup(), itemGroup(),
		conditionGroup(), updateGroup(), projectionGroup(), parameterGroup(), limitGroup(),
		queryGroup(), scanGroup(), indexGroup(), multiGroup(), capacityGroup(),
		batchGroup(), transactionGroup(), tableGroup(), legacyGroup(),
	}
}

func put(table, item string) Step {
	return Step{Op: "PutItem", In: `{"TableName":"` + table + `","Item":` + item + `}`, Want: `{}`}
}

func get(table, key, item string) Step {
	want := `{}`
	if item != "" {
		want = `{"Item":` + item + `}`
	}
	return Step{Op: "GetItem", In: `{"TableName":"` + table + `","Key":` + key + `,"ConsistentRead":true}`, Want: want}
}

func ok(op, in, want string) Step          { return Step{Op: op, In: in, Want: want} }
func pickStep(op, in, want string) Step    { return Step{Op: op, In: in, Want: want, Pick: true} }
func anyStep(op, in string) Step           { return Step{Op: op, In: in, Any: true} }
func refuse(op, in, code, msg string) Step { return Step{Op: op, In: in, Code: code, Msg: msg} }
func invalid(op, in, msg string) Step {
	return Step{Op: op, In: in, Code: "ValidationException", Msg: msg}
}
func rawInvalid(op, in, msg string) Step {
	return Step{Op: op, In: in, Raw: true, Code: "ValidationException", Msg: msg}
}
func rawRefuse(op, in, code, m string) Step {
	return Step{Op: op, In: in, Raw: true, Code: code, Msg: m}
}

// text writes a document as JSON.
func text(doc map[string]any) string {
	b, err := json.Marshal(doc)
	if err != nil {
		panic(err) // a document that parse made
	}
	return string(b)
}
