package cases

func tableGroup() Group { return Group{Name: "table"} }
