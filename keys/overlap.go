package keys

// Overlaps reports whether one text could be a key of both templates. It is true
// where that cannot be excluded: the values of most codecs are only known to be
// text.
func (b base) Overlaps(other Template) bool {
	if isNil(other) || b.Err() != nil || other.Err() != nil {
		return false
	}
	p, q := b.lay.automaton(), other.layout().automaton()
	// Both automata are walked together: a pair of states that accept is a text
	// that both templates write.
	type pair struct{ p, q int }
	seen := map[pair]bool{}
	todo := []pair{{0, 0}}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		if p[at.p].accepts && q[at.q].accepts {
			return true
		}
		for _, x := range p[at.p].edges {
			for _, y := range q[at.q].edges {
				if x.on.meets(y.on) {
					todo = append(todo, pair{x.to, y.to})
				}
			}
		}
	}
	return false
}

// automaton is what a template can write, byte by byte. State 0 is the start.
type automaton []state

type state struct {
	edges   []edge
	accepts bool
}

type edge struct {
	on byteSet
	to int
}

// byteSet has bit c set for byte c.
type byteSet [4]uint64

func (s *byteSet) add(c byte)          { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) remove(c byte)       { s[c>>6] &^= 1 << (c & 63) }
func (s byteSet) meets(o byteSet) bool { return s[0]&o[0]|s[1]&o[1]|s[2]&o[2]|s[3]&o[3] != 0 }

func bytesFrom(lo, hi byte) (s byteSet) {
	for c := int(lo); c <= int(hi); c++ {
		s.add(byte(c))
	}
	return s
}

func (l *layout) automaton() automaton {
	a := automaton{{}}
	add := func(from int, on byteSet) (to int) {
		to = len(a)
		a = append(a, state{})
		a[from].edges = append(a[from].edges, edge{on, to})
		return to
	}
	text := func(at int, s string) int {
		for _, c := range []byte(s) {
			at = add(at, bytesFrom(c, c))
		}
		return at
	}
	at := text(0, l.literals[0])
	for i, s := range l.segments {
		switch t := s.traits(); {
		case t.width > 0:
			for range t.width {
				at = add(at, bytesFrom(lastEscaped+1, 0x7F))
			}
		case len(t.enum) > 0:
			// One path a value. All but its last byte are its own, the last one joins.
			join := len(a)
			a = append(a, state{})
			for _, v := range t.enum {
				stored := v
				if !t.verbatim {
					b, _ := escape([]byte(v), 0, l.delim)
					stored = string(b)
				}
				n := len(stored) - 1
				end := text(at, stored[:n])
				a[end].edges = append(a[end].edges, edge{bytesFrom(stored[n], stored[n]), join})
			}
			at = join
		default:
			on := bytesFrom(lastEscaped, 0xFF)
			if t.verbatim {
				on = bytesFrom(0, 0xFF)
			}
			on.remove(l.delim)
			at = add(at, on)
			a[at].edges = append(a[at].edges, edge{on, at})
		}
		at = text(at, l.literals[i+1])
	}
	a[at].accepts = true
	return a
}
