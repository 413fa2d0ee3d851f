package query

import "github.com/singletable-go/singletable/keys"

// conditions are the key conditions there are, by what a range asks of the sort
// key. Their text depends on nothing else, so that it is written once and only
// the values are bound for each query.
var conditions = [...]string{
	keys.OpAll:        "#pk = :pk",
	keys.OpEqual:      "#pk = :pk AND #sk = :lo",
	keys.OpBeginsWith: "#pk = :pk AND begins_with(#sk, :lo)",
	keys.OpBetween:    "#pk = :pk AND #sk BETWEEN :lo AND :hi",
	keys.OpAtMost:     "#pk = :pk AND #sk <= :hi",
	keys.OpNever:      "",
}

// operands says which of the bounds each of the conditions names.
var operands = [...]struct{ lo, hi bool }{
	keys.OpAll:        {},
	keys.OpEqual:      {lo: true},
	keys.OpBeginsWith: {lo: true},
	keys.OpBetween:    {lo: true, hi: true},
	keys.OpAtMost:     {hi: true},
	keys.OpNever:      {},
}
