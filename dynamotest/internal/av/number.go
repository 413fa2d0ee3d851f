package av

// Number is an exact decimal of up to 38 significant digits. The zero Number is
// 0, and == is equality of value.
type Number struct{ text string }

func ParseNumber(s string) (Number, error)    { return Number{}, nil }
func Int(i int64) Number                      { return Number{} }
func (n Number) String() string               { return n.text }
func (n Number) Cmp(m Number) int             { return 0 }
func (n Number) Add(m Number) (Number, error) { return Number{}, nil }
func (n Number) Sub(m Number) (Number, error) { return Number{}, nil }
func (n Number) Size() int                    { return 0 }
