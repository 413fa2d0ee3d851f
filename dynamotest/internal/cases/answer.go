package cases

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// normal gives a decoded JSON value in the form that answers are compared in:
// the members of sets sorted, JSON numbers as float64.
func normal(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return f
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = normal(e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = normal(e)
			if set, ok := out[k].([]any); ok && len(v) == 1 && (k == "SS" || k == "NS" || k == "BS") {
				slices.SortFunc(set, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			}
		}
		return out
	}
	return v
}

// Normal gives the whole body in the form that answers are compared in. The
// items of a BatchGetItem, whose order the service does not promise, are sorted.
func Normal(op string, body map[string]any) map[string]any {
	out := normal(body).(map[string]any)
	if op == "BatchGetItem" {
		for _, member := range []string{"Responses"} {
			tables, _ := out[member].(map[string]any)
			for _, items := range tables {
				sortByText(items)
			}
		}
	}
	if list, ok := out["ConsumedCapacity"].([]any); ok {
		sortByText(list)
	}
	return out
}

// sortByText sorts a list by the JSON text of its elements, whose maps have
// sorted keys.
func sortByText(v any) {
	list, ok := v.([]any)
	if !ok {
		return
	}
	text := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			return fmt.Sprint(v)
		}
		return string(b)
	}
	sort.SliceStable(list, func(i, j int) bool { return text(list[i]) < text(list[j]) })
}

// pick walks a dotted path of member names and list positions; what is not
// there is nil.
func pick(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch w := v.(type) {
		case map[string]any:
			v = w[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(w) {
				return nil
			}
			v = w[i]
		default:
			return nil
		}
	}
	return v
}

// matches reports whether text is pattern, where each … of the pattern stands
// for any text. The service counts the errors before some messages ("1
// validation error detected: "), and has not always: without a count in the
// pattern, one in the text is no difference.
func matches(pattern, text string) bool {
	const count = "1 validation error detected: "
	if !strings.HasPrefix(pattern, count) {
		text = strings.TrimPrefix(text, count)
	}
	parts := strings.Split(pattern, "…")
	if len(parts) == 1 {
		return pattern == text
	}
	if !strings.HasPrefix(text, parts[0]) {
		return false
	}
	text = text[len(parts[0]):]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(text, p)
		if i < 0 {
			return false
		}
		text = text[i+len(p):]
	}
	return strings.HasSuffix(text, parts[len(parts)-1])
}
