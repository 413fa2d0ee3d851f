package cases

func multiGroup() Group { return Group{Name: "multi"} }
