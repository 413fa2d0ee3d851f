package house_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/singletable-go/singletable"
	sdk    = "github.com/aws/aws-sdk-go-v2/"
)

// arrows are the imports that each directory may have beside the standard
// library, in code that is not a test. A path stands for itself and for what is
// below it.
var arrows = []struct {
	dir    string
	may    []string
	reason string
}{
	{"keys", []string{"golang.org/x/text/unicode/norm"},
		"keys are text: whoever needs them without DynamoDB, in a CLI or in another store, links nothing else"},
	{"model", []string{
		module + "/keys", sdk + "aws", sdk + "feature/dynamodb/attributevalue",
		sdk + "service/dynamodb", "github.com/aws/smithy-go"},
		"a model is data: it is tested without a client, and knows neither reads nor writes"},
	{"query", []string{
		module + "/keys", module + "/model", sdk + "aws", sdk + "feature/dynamodb/expression",
		sdk + "service/dynamodb", "github.com/aws/smithy-go"},
		"a program that only reads links no writes"},
	{"txn", []string{
		module + "/keys", module + "/model", sdk + "aws", sdk + "feature/dynamodb/expression",
		sdk + "service/dynamodb", "github.com/aws/smithy-go"},
		"what a write needs to read it reads itself: txn and query do not know each other"},
	{"dynamotest", []string{
		module + "/dynamotest", sdk + "aws", sdk + "credentials", sdk + "service/dynamodb",
		"github.com/aws/smithy-go", "github.com/tidwall/btree", "github.com/cockroachdb/apd/v3",
		"github.com/google/go-cmp"},
		"the engine is worth using without the rest of the library, and cannot share its mistakes"},
}

func TestArrows(t *testing.T) {
	for _, a := range arrows {
		t.Run(a.dir, func(t *testing.T) {
			seen := 0
			for file, imports := range importsBelow(t, filepath.Join(root, a.dir)) {
				seen++
				for _, imp := range imports {
					if !strings.Contains(strings.Split(imp, "/")[0], ".") {
						continue // the standard library
					}
					allowed := slices.ContainsFunc(a.may, func(p string) bool {
						return imp == p || strings.HasPrefix(imp, strings.TrimSuffix(p, "/")+"/")
					})
					if !allowed {
						t.Errorf("%s imports %s: %s", file, imp, a.reason)
					}
				}
			}
			if seen == 0 {
				t.Fatalf("no Go files below %s", a.dir)
			}
		})
	}
}

// importsBelow gives the imports of every file below a directory that is no test.
func importsBelow(t *testing.T, dir string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		out[name] = []string{}
		for _, imp := range f.Imports {
			p, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			out[name] = append(out[name], p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
