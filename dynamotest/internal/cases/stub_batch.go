package cases

func batchGroup() Group { return Group{Name: "batch"} }
