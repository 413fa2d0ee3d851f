package cases

func indexGroup() Group { return Group{Name: "index"} }
