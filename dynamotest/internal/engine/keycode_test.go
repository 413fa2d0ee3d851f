package engine

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/singletable-go/singletable/dynamotest/internal/av"
)

// drawNumber draws numbers that lie close together as well as far apart.
func drawNumber(t *rapid.T, label string) av.Number {
	digits := rapid.StringMatching(`[1-9][0-9]{0,5}|0`).Draw(t, label+" digits")
	exponent := rapid.OneOf(rapid.IntRange(-3, 3), rapid.IntRange(-120, 110)).Draw(t, label+" exponent")
	sign := rapid.SampledFrom([]string{"", "-"}).Draw(t, label+" sign")
	n, err := av.ParseNumber(fmt.Sprintf("%s%se%d", sign, digits, exponent))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNumberTextKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawNumber(t, "a"), drawNumber(t, "b")
		got := strings.Compare(numberText(a.String()), numberText(b.String()))
		if want := a.Cmp(b); got != want {
			t.Fatalf("%s and %s: texts compare as %d, numbers as %d", a, b, got, want)
		}
	})
}

func TestNumberTextAtTheEdges(t *testing.T) {
	ascending := []string{
		"-9.9999999999999999999999999999999999999E+125", "-1E+125", "-101", "-100", "-99.9", "-12.5", "-12", "-1.25", "-1.2", "-1", "-1E-130",
		"0", "1E-130", "0.1", "0.12", "1", "1.2", "1.25", "9", "9.9", "10", "99.9", "100", "101", "1E+125", "9.9999999999999999999999999999999999999E+125",
	}
	for i := 1; i < len(ascending); i++ {
		a, errA := av.ParseNumber(ascending[i-1])
		b, errB := av.ParseNumber(ascending[i])
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if numberText(a.String()) >= numberText(b.String()) {
			t.Errorf("the text of %s is not below that of %s", ascending[i-1], ascending[i])
		}
	}
}

// drawPart draws a key attribute with the bytes that joining has to escape.
func drawPart(t *rapid.T, label string) av.Value {
	return av.Binary(rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 2, 0xfe, 0xff, 'a'}), 1, 4).Draw(t, label))
}

func TestJoinedKeysCompareAttributeByAttribute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := []av.Value{drawPart(t, "a0"), drawPart(t, "a1"), drawPart(t, "a2")}
		b := []av.Value{drawPart(t, "b0"), drawPart(t, "b1"), drawPart(t, "b2")}
		if rapid.Bool().Draw(t, "same head") {
			b[0] = a[0]
		}
		want := 0
		for i := range a {
			c, _ := av.Compare(a[i], b[i])
			want = cmp.Or(want, c)
		}
		if got := strings.Compare(joinKey(a), joinKey(b)); got != want {
			t.Fatalf("joined keys compare as %d, attributes as %d", got, want)
		}
	})
}

func TestAfterPrefix(t *testing.T) {
	for _, test := range []struct{ prefix, want, reason string }{
		{"a", "b", "the last byte goes up"},
		{"a\xff", "b", "a byte that cannot go up makes way"},
		{"\xff\xff", lastSort, "nothing is above but the end"},
		{"", lastSort, "everything has the empty prefix"},
	} {
		if got := afterPrefix(test.prefix); got != test.want {
			t.Errorf("afterPrefix(%q) = %.8q, want %.8q: %s", test.prefix, got, test.want, test.reason)
		}
	}
}

func TestSegmentsCoverEveryHashOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Uint64Range(1, maxTotalSegments).Draw(t, "total")
		segment := rapid.Uint64Range(0, total-1).Draw(t, "segment")
		first, last := segmentOf(segment, total)
		if first > last {
			t.Fatalf("segment %d of %d is empty: %d … %d", segment, total, first, last)
		}
		if segment == 0 && first != 0 || segment == total-1 && last != ^uint64(0) {
			t.Fatalf("segment %d of %d is %d … %d and leaves an end open", segment, total, first, last)
		}
		if segment > 0 {
			if _, before := segmentOf(segment-1, total); before+1 != first {
				t.Fatalf("segment %d of %d begins at %d, the one before ends at %d", segment, total, first, before)
			}
		}
	})
}
