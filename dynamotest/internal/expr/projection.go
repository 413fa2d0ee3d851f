package expr

import "github.com/singletable-go/singletable/dynamotest/internal/av"

// Projection is a parsed projection.
type Projection struct {
	paths []Path
	tree  *tree
}

// Projection parses a projection expression.
func (p *Params) Projection(text string) (*Projection, error) {
	pr := p.parser("ProjectionExpression", text)
	err := pr.run(func() {
		pr.path(nil)
		for pr.accept(",") {
			pr.path(nil)
		}
		pr.checkApart(pr.paths)
	}, faultReserved, faultLimit, faultName, faultOverlap, faultConflict)
	if err != nil {
		return nil, err
	}
	t := newTree(pr.paths)
	t.sortIndexes()
	return &Projection{pr.paths, t}, nil
}

// Apply returns the parts of the item that the projection names. Elements of a
// list stay in its order, without gaps; a map or list of which nothing is named,
// or nothing is there, is left out.
func (p *Projection) Apply(it av.Item) av.Item { return p.tree.project(it) }

// Paths returns the paths, in the order of the source. They must not be changed.
func (p *Projection) Paths() []Path { return p.paths }

// TopLevelAttrs returns the attributes that the projection names or looks into,
// in the order of the source, each once.
func (p *Projection) TopLevelAttrs() []string { return heads(p.paths) }

// NestedAttrs returns those of TopLevelAttrs that the projection looks into.
func (p *Projection) NestedAttrs() []string { return nested(p.paths) }
