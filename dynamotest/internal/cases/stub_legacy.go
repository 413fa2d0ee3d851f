package cases

func legacyGroup() Group { return Group{Name: "legacy"} }
