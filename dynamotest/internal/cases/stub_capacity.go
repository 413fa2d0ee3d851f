package cases

func capacityGroup() Group { return Group{Name: "capacity"} }
