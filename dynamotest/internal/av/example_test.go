package av_test

import (
	"fmt"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

func ExampleParseNumber() {
	for _, s := range []string{"1E+2", "-0", "1.50", "1e126"} {
		fmt.Println(av.ParseNumber(s))
	}
	// Output:
	// 100 <nil>
	// 0 <nil>
	// 1.5 <nil>
	// 0 ValidationException: Number overflow. Attempting to store a number with magnitude larger than supported range
}

func ExampleDecodeItem() {
	it, err := av.DecodeItem([]byte(`{"pk":{"S":"a"},"tags":{"SS":["x","y"]}}`))
	fmt.Println(it["tags"].Strs(), it.Size(), err)

	_, err = av.DecodeItem([]byte(`{"pk":{"S":"a"},"tags":{"SS":["x","x"]}}`))
	fmt.Println(err)

	_, err = av.DecodeItem([]byte(`{"pk":{"S":1}}`))
	fmt.Println(err)
	// Output:
	// [x y] 9 <nil>
	// ValidationException: One or more parameter values were invalid: Input collection [x, x] contains duplicates.
	// SerializationException: NUMBER_VALUE cannot be converted to String
}
