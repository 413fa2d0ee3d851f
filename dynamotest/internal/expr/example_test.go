package expr_test

import (
	"fmt"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
	"github.com/singletable-go/singletable/dynamotest/internal/expr"
)

func ExampleParams_Condition() {
	values := av.Item{":open": av.String("OPEN")}
	p := expr.NewParams(map[string]string{"#s": "status"}, values)
	c, err := p.Condition("FilterExpression", "#s = :open AND attribute_not_exists(engineer)")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Eval(av.Item{"status": av.String("OPEN")}), p.Unused())

	_, err = p.Condition("FilterExpression", "status = :open")
	fmt.Println(err)
	// Output:
	// true <nil>
	// Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: status
}

func ExampleUpdate_Apply() {
	p := expr.NewParams(nil, av.Item{":one": av.Num(av.Int(1))})
	u, err := p.Update("SET visits = if_not_exists(visits, :one) + :one REMOVE notes[0], notes[2]")
	if err != nil {
		fmt.Println(err)
		return
	}
	notes := av.List([]av.Value{av.String("a"), av.String("b"), av.String("c")})
	next, err := u.Apply(av.Item{"notes": notes})
	fmt.Println(next["visits"].Number(), string(next["notes"].AppendJSON(nil)), err)

	_, err = u.Apply(av.Item{"visits": av.Num(av.Int(1))})
	fmt.Println(err)
	// Output:
	// 2 {"L":[{"S":"b"}]} <nil>
	// The document path provided in the update expression is invalid for update
}

func ExampleParams_KeyCondition() {
	p := expr.NewParams(nil, av.Item{":r": av.String("eu-west"), ":d": av.String("2024-01-31")})
	k, err := p.KeyCondition("pk = :r AND :d <= sk")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, term := range k.Terms {
		fmt.Println(term.Attr, term.Op, term.Args[0].Str())
	}
	// Output:
	// pk EQ eu-west
	// sk GE 2024-01-31
}
