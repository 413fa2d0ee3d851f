package model_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/model"
)

func TestCloneItem(t *testing.T) {
	item := func() model.Item {
		return model.Item{
			"s":    &types.AttributeValueMemberS{Value: "s"},
			"n":    &types.AttributeValueMemberN{Value: "1"},
			"b":    &types.AttributeValueMemberB{Value: []byte{1}},
			"bool": &types.AttributeValueMemberBOOL{Value: true},
			"null": &types.AttributeValueMemberNULL{Value: true},
			"ss":   &types.AttributeValueMemberSS{Value: []string{"a"}},
			"ns":   &types.AttributeValueMemberNS{Value: []string{"1"}},
			"bs":   &types.AttributeValueMemberBS{Value: [][]byte{{1}}},
			"l":    &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberB{Value: []byte{1}}}},
			"m":    &types.AttributeValueMemberM{Value: model.Item{"x": &types.AttributeValueMemberS{Value: "x"}}},
		}
	}
	was := item()
	c := model.CloneItem(was)
	if !model.EqualItems(was, c) {
		t.Fatalf("the copy differs: %v", c)
	}
	// Everything in the copy is overwritten, and nothing of it shows.
	c["s"].(*types.AttributeValueMemberS).Value = "other"
	c["n"].(*types.AttributeValueMemberN).Value = "2"
	c["b"].(*types.AttributeValueMemberB).Value[0] = 2
	c["bool"].(*types.AttributeValueMemberBOOL).Value = false
	c["null"].(*types.AttributeValueMemberNULL).Value = false
	c["ss"].(*types.AttributeValueMemberSS).Value[0] = "other"
	c["ns"].(*types.AttributeValueMemberNS).Value[0] = "2"
	c["bs"].(*types.AttributeValueMemberBS).Value[0][0] = 2
	c["l"].(*types.AttributeValueMemberL).Value[0].(*types.AttributeValueMemberB).Value[0] = 2
	c["m"].(*types.AttributeValueMemberM).Value["x"].(*types.AttributeValueMemberS).Value = "other"
	for name, v := range item() {
		if d := cmp.Diff(v, was[name], cmp.Comparer(model.Equal)); d != "" {
			t.Errorf("%s: the copy shares memory with the item:\n%s", name, d)
		}
	}

	if got := model.CloneItem(nil); got != nil {
		t.Errorf("a nil item became %v", got)
	}
	nils := model.Item{"plain": nil, "typed": (*types.AttributeValueMemberS)(nil)}
	if got := model.CloneItem(nils); got["plain"] != nil || got["typed"].(*types.AttributeValueMemberS) != nil {
		t.Errorf("nil values became %v", got)
	}
}
