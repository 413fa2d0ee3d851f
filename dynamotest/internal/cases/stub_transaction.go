package cases

func transactionGroup() Group { return Group{Name: "transaction"} }
