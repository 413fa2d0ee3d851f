package cases

func scanGroup() Group { return Group{Name: "scan"} }
