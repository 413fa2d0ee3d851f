package engine

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"
)

// TagResource, UntagResource and ListTagsOfResource. Tables alone have tags.

const (
	maxTags     = 50
	maxTagKey   = 128
	maxTagValue = 256
)

type tagSent struct{ key, value *string }

func (o object) readTags() (tags []tagSent, given bool) {
	raws, given := o.list("Tags")
	for _, raw := range raws {
		el := o.element(raw, "Tag")
		tags = append(tags, tagSent{el.str("Key"), el.str("Value")})
	}
	return tags, given
}

func (c *constraints) checkTags(tags []tagSent) {
	for i, tag := range tags {
		at := "tags." + strconv.Itoa(i+1) + ".member."
		if tag.key == nil {
			c.missing(at + "key")
		} else {
			c.length(*tag.key, at+"key", utf8.RuneCountInString(*tag.key), 1, maxTagKey)
		}
		if tag.value == nil {
			c.missing(at + "value")
		} else {
			c.length(*tag.value, at+"value", utf8.RuneCountInString(*tag.value), 0, maxTagValue)
		}
	}
}

// tag adds tags to a table or replaces them. The caller holds the lock.
func (t *table) tag(tags []tagSent) *Error {
	next := maps.Clone(t.tags)
	if next == nil {
		next = map[string]string{}
	}
	for _, tag := range tags {
		next[*tag.key] = *tag.value
	}
	if len(next) > maxTags {
		return badParam("Too many tags: tag limit is " + strconv.Itoa(maxTags))
	}
	t.tags = next
	return nil
}

var tableARN = regexp.MustCompile(`^arn:aws[a-z-]*:dynamodb:[^:]+:\d+:table/[a-zA-Z0-9_.-]{3,255}$`)

// checkTableARN refuses what is not the ARN of a table.
func checkTableARN(arn *string) *Error {
	switch {
	case arn == nil:
		return invalid("Invalid TableArn")
	case !tableARN.MatchString(*arn):
		return invalid("Invalid TableArn: Invalid ResourceArn provided as input " + *arn)
	}
	return nil
}

func (e *Engine) tagResource(o object, _ Options) ([]byte, *Error) {
	arn := o.str("ResourceArn")
	tags, given := o.readTags()
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	if arn == nil {
		return nil, checkTableARN(nil)
	}
	var c constraints
	if !given {
		c.missing("tags")
	}
	c.checkTags(tags)
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := checkTableARN(arn); err != nil {
		return nil, err
	}
	if len(tags) == 0 {
		return nil, invalid("Atleast one Tag needs to be provided as Input.")
	}
	t := e.table(*arn)
	if t == nil {
		return nil, &Error{Type: ResourceNotFound, Message: "Requested resource not found: ResourcArn: " + *arn + " not found"}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.tag(tags); err != nil {
		return nil, err
	}
	return newAnswer().done(), nil
}

func (e *Engine) untagResource(o object, _ Options) ([]byte, *Error) {
	arn := o.str("ResourceArn")
	keys, given := o.strings("TagKeys")
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	if arn == nil {
		return nil, checkTableARN(nil)
	}
	var c constraints
	if !given {
		c.missing("tagKeys")
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := checkTableARN(arn); err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return nil, invalid("Atleast one Tag Key needs to be provided as Input.")
	}
	t := e.table(*arn)
	if t == nil {
		return nil, tableNotFound()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, key := range keys {
		delete(t.tags, key)
	}
	return newAnswer().done(), nil
}

func (e *Engine) listTagsOfResource(o object, _ Options) ([]byte, *Error) {
	arn := o.str("ResourceArn")
	if o.fault.err != nil {
		return nil, o.fault.err
	}
	if err := checkTableARN(arn); err != nil {
		return nil, err
	}
	t := e.table(*arn)
	if t == nil { // the service does not tell whether there is such a table
		return nil, &Error{Type: AccessDenied, Message: "User: arn:aws:iam::" + e.account +
			":root is not authorized to perform: dynamodb:ListTagsOfResource on resource: " + *arn}
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	type shown struct{ Key, Value string }
	tags := make([]shown, 0, len(t.tags))
	for _, key := range slices.Sorted(maps.Keys(t.tags)) {
		tags = append(tags, shown{key, t.tags[key]})
	}
	return describe("Tags", tags), nil
}
