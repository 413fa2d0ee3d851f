package cases

func itemGroup() Group {
	const failed = "The conditional request failed"
	missing := "Requested resource not found"
	key := `"Key":{"pk":{"S":"$k"}}`
	cases := []Case{
		{Name: "put and get", Why: "what is stored is read", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},`+sample+`}`), get("$hash", `{"pk":{"S":"$k"}}`, `{"pk":{"S":"$k"},`+sample+`}`)}},
		{Name: "get absent", Why: "no item is no Item", Steps: []Step{get("$hash", `{"pk":{"S":"$k"}}`, "")}},
		{Name: "put replaces", Why: "the old attributes go", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"a":{"S":"1"}}`), put("$hash", `{"pk":{"S":"$k"},"b":{"S":"2"}}`),
			get("$hash", `{"pk":{"S":"$k"}}`, `{"pk":{"S":"$k"},"b":{"S":"2"}}`)}},
		{Name: "put returns old", Why: "ALL_OLD", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"a":{"S":"1"}}`),
			ok("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"}},"ReturnValues":"ALL_OLD"}`, `{"Attributes":{"pk":{"S":"$k"},"a":{"S":"1"}}}`)}},
		{Name: "put returns no old", Why: "there was none", Steps: []Step{
			ok("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"}},"ReturnValues":"ALL_OLD"}`, `{}`)}},
		{Name: "put condition fails", Why: "the guard of a create", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"a":{"S":"1"}}`),
			refuse("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"}},"ConditionExpression":"attribute_not_exists(pk)"}`, "ConditionalCheckFailedException", failed),
			get("$hash", `{"pk":{"S":"$k"}}`, `{"pk":{"S":"$k"},"a":{"S":"1"}}`)}},
		{Name: "put condition fails with old item", Why: "saves a read", Source: "API reference, ReturnValuesOnConditionCheckFailure", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"a":{"S":"1"}}`),
			{Op: "PutItem", In: `{"TableName":"$hash","Item":{"pk":{"S":"$k"}},"ConditionExpression":"attribute_not_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`,
				Code: "ConditionalCheckFailedException", Msg: failed, Want: `{"Item":{"pk":{"S":"$k"},"a":{"S":"1"}}}`}}},
		{Name: "put condition fails without old item", Why: "there is none to return", Steps: []Step{
			{Op: "PutItem", In: `{"TableName":"$hash","Item":{"pk":{"S":"$k"}},"ConditionExpression":"attribute_exists(pk)","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`,
				Code: "ConditionalCheckFailedException", Msg: failed, Want: `{}`}}},
		{Name: "delete", Why: "it is gone", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"a":{"S":"1"}}`),
			ok("DeleteItem", `{"TableName":"$hash",`+key+`}`, `{}`), get("$hash", `{"pk":{"S":"$k"}}`, "")}},
		{Name: "delete absent", Why: "is no error", Steps: []Step{ok("DeleteItem", `{"TableName":"$hash",`+key+`,"ReturnValues":"ALL_OLD"}`, `{}`)}},
		{Name: "delete returns old", Why: "ALL_OLD", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"a":{"S":"1"}}`),
			ok("DeleteItem", `{"TableName":"$hash",`+key+`,"ReturnValues":"ALL_OLD"}`, `{"Attributes":{"pk":{"S":"$k"},"a":{"S":"1"}}}`)}},
		{Name: "delete condition fails", Why: "it stays", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"},"n":{"N":"1"}}`),
			{Op: "DeleteItem", In: `{"TableName":"$hash",` + key + `,"ConditionExpression":"n = :two","ReturnValuesOnConditionCheckFailure":"ALL_OLD"` + params(":two") + `}`,
				Code: "ConditionalCheckFailedException", Msg: failed, Want: `{"Item":{"pk":{"S":"$k"},"n":{"N":"1"}}}`},
			get("$hash", `{"pk":{"S":"$k"}}`, `{"pk":{"S":"$k"},"n":{"N":"1"}}`)}},
		{Name: "delete condition on absent", Why: "a delete that must find something", Steps: []Step{
			refuse("DeleteItem", `{"TableName":"$hash",`+key+`,"ConditionExpression":"attribute_exists(pk)"}`, "ConditionalCheckFailedException", failed)}},
		{Name: "eventual read", Why: "the default consistency finds it too, soon", Steps: []Step{
			put("$hash", `{"pk":{"S":"$k"}}`),
			{Op: "GetItem", In: `{"TableName":"$hash",` + key + `}`, Want: `{"Item":{"pk":{"S":"$k"}}}`, Wait: true}}},
		{Name: "put returns new", Why: "PutItem has no ALL_NEW", Steps: []Step{
			invalid("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"}},"ReturnValues":"ALL_NEW"}`, "ReturnValues can only be ALL_OLD or NONE")}},
		{Name: "delete returns new", Why: "DeleteItem has no ALL_NEW", Steps: []Step{
			invalid("DeleteItem", `{"TableName":"$hash",`+key+`,"ReturnValues":"ALL_NEW"}`, "ReturnValues can only be ALL_OLD or NONE")}},
		{Name: "unknown ReturnValues", Why: "five words exist", Steps: []Step{
			invalid("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"}},"ReturnValues":"SOME"}`, "1 validation error detected: Value 'SOME' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: […]")}},
		{Name: "unknown ReturnConsumedCapacity", Why: "three words exist", Steps: []Step{
			invalid("GetItem", `{"TableName":"$hash",`+key+`,"ReturnConsumedCapacity":"SOME"}`, "1 validation error detected: Value 'SOME' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]")}},
		{Name: "two unknown words", Why: "all faults of form are told at once", Steps: []Step{
			invalid("PutItem", `{"TableName":"$hash","Item":{"pk":{"S":"$k"}},"ReturnValues":"SOME","ReturnConsumedCapacity":"ANY"}`, "2 validation errors detected: Value '…")}},
	}
	for _, c := range []struct{ op, rest string }{
		{"GetItem", `,` + key}, {"PutItem", `,"Item":{"pk":{"S":"$k"}}`}, {"DeleteItem", `,` + key}, {"UpdateItem", `,` + key},
		{"Query", `,"KeyConditionExpression":"pk = :pk"` + params(":pk")}, {"Scan", ""},
	} {
		cases = append(cases, Case{Name: c.op + " without table", Why: "a table that is not there is told from an item that is not", Steps: []Step{
			refuse(c.op, `{"TableName":"$hash-missing"`+c.rest+`}`, "ResourceNotFoundException", missing)}})
	}
	return Group{Name: "items", Cases: cases}
}
