package engine

import "time"

// A table's definition may ask for a stream. It is described, so that programs
// that make their tables from one definition can, but there is no stream to read:
// the operations for that belong to another service.

type streamDefinition struct {
	enabled *bool
	view    *string
}

func (o object) readStream() *streamDefinition {
	s, ok := o.structure("StreamSpecification", "StreamSpecification")
	if !ok {
		return nil
	}
	return &streamDefinition{s.boolean("StreamEnabled"), s.str("StreamViewType")}
}

func (c *constraints) checkStream(s *streamDefinition) {
	if s == nil {
		return
	}
	if s.enabled == nil {
		c.missing("streamSpecification.streamEnabled")
	}
	c.enum(s.view, "streamSpecification.streamViewType", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES", "KEYS_ONLY")
}

// setStream gives a table its stream, or takes it away.
func (t *table) setStream(s *streamDefinition, now time.Time) *Error {
	switch {
	case s == nil:
		return nil
	case *s.enabled && s.view == nil:
		return badParam("Table is being created with a stream enabled, UpdateViewType should be specified")
	case !*s.enabled && s.view != nil:
		return badParam("Table is being created with a stream disabled, UpdateViewType should not be specified")
	case *s.enabled && t.streamView != "":
		return badParam("Table already has an enabled stream: TableName: " + t.name)
	case !*s.enabled:
		t.streamView = ""
	default:
		t.streamView, t.streamLabel = *s.view, now.UTC().Format("2006-01-02T15:04:05.000")
	}
	return nil
}

type streamShown struct {
	StreamEnabled  bool
	StreamViewType string
}
