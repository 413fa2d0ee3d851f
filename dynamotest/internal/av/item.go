package av

// Item is a top-level map of attributes. Items are shared: whoever holds one
// does not change it.
type Item map[string]Value

// MaxItemSize is the greatest Item.Size that the service stores: 400 KB.
const MaxItemSize = 400 * 1024

// Size returns the bytes that the service counts for the item: the UTF-8 length
// of every attribute's name, and its value.
func (it Item) Size() int {
	n := 0
	for name, v := range it {
		n += len(name) + v.Size()
	}
	return n
}

// EqualItems tells whether a and b have the same attributes.
func EqualItems(a, b Item) bool {
	if len(a) != len(b) {
		return false
	}
	for name, v := range a {
		w, ok := b[name]
		if !ok || !Equal(v, w) {
			return false
		}
	}
	return true
}
