package engine

// answer builds the JSON object of an answer.
type answer struct{ buf []byte }

func newAnswer() *answer { return &answer{append(make([]byte, 0, 512), '{')} }

// member starts a member of the object; its value is to be appended to buf.
func (a *answer) member(name string) {
	if len(a.buf) > 1 {
		a.buf = append(a.buf, ',')
	}
	a.buf = append(a.buf, '"')
	a.buf = append(a.buf, name...)
	a.buf = append(a.buf, `":`...)
}

func (a *answer) done() []byte { return append(a.buf, '}') }
