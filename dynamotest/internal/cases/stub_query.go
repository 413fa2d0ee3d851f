package cases

func queryGroup() Group { return Group{Name: "query"} }
