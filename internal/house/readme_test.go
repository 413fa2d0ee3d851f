package house_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")

// TestReadme: every Go block of the README stands in guide_test.go, statement by
// statement, and is compiled and run there.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("guide_test.go")
	if err != nil {
		t.Fatal(err)
	}
	guide := plain(string(source))
	blocks := goBlock.FindAllStringSubmatch(string(readme), -1)
	if len(blocks) < 5 {
		t.Fatalf("only %d Go blocks in README.md", len(blocks))
	}
	for _, block := range blocks {
		// A block may leave out what lies between its paragraphs.
		for _, part := range strings.Split(block[1], "\n\n") {
			if !strings.Contains(guide, plain(part)) {
				t.Errorf("README.md shows code that guide_test.go does not have:\n%s", part)
			}
		}
	}
}

// plain takes the white space out, which differs by the depth of a block.
func plain(code string) string { return strings.Join(strings.Fields(code), " ") }
