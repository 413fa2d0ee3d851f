package show_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/singletable-go/singletable/examples/internal/show"
)

func TestTable(t *testing.T) {
	var out bytes.Buffer
	show.Table(&out, [][]string{{"NAME", "Ü", "END"}, {"a", "long", ""}, {"longer", "é", "x"}})
	want := "" +
		"   NAME    Ü     END\n" +
		"   a       long\n" + // no space at the end of a line
		"   longer  é     x\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("Table (-want +got):\n%s", diff)
	}
}

func TestUnits(t *testing.T) {
	for units, want := range map[float64]string{0: "0", 0.5: "0.5", 4: "4", 1234567.5: "1234567.5"} {
		if got := show.Units(units); got != want {
			t.Errorf("Units(%v) = %q, want %q", units, got, want)
		}
	}
}
