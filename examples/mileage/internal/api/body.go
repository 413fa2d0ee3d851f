package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
)

// tripBody is a trip in JSON. What a client cannot say, the id and the distance, is
// passed over on the way in, so that what was read can be sent back changed.
type tripBody struct {
	ID       string   `json:"id,omitempty"`
	Vehicle  string   `json:"vehicle"`
	Purpose  string   `json:"purpose"`
	Start    stopBody `json:"start"`
	End      stopBody `json:"end"`
	Distance int64    `json:"distance"`
}

type stopBody struct {
	At    string `json:"at"`
	Km    *int64 `json:"km"`
	Place string `json:"place"`
}

func bodyOf(t *mileage.Trip) tripBody {
	stop := func(s mileage.Stop) stopBody {
		return stopBody{At: s.At.Format(time.RFC3339), Km: &s.Odometer, Place: s.Place}
	}
	return tripBody{
		ID: string(t.ID), Vehicle: string(t.Vehicle), Purpose: string(t.Purpose),
		Start: stop(t.Start), End: stop(t.End), Distance: t.Distance(),
	}
}

// into writes what the body says into a trip, and checks the whole.
func (b *tripBody) into(t *mileage.Trip) error {
	var faults mileage.InvalidError
	fault := func(field, reason string) {
		faults.Fields = append(faults.Fields, mileage.FieldError{Field: field, Reason: reason})
	}
	stop := func(name string, b stopBody) (s mileage.Stop) {
		if b.At != "" {
			var err error
			if s.At, err = time.Parse(time.RFC3339, b.At); err != nil {
				fault(name+".at", "must be a time such as 2026-01-31T08:15:00Z")
			}
		}
		if s.Place = b.Place; b.Km == nil {
			fault(name+".km", "is missing")
		} else {
			s.Odometer = *b.Km
		}
		return s
	}
	if b.Vehicle != "" {
		plate, err := mileage.ParsePlate(b.Vehicle)
		if invalid := (*mileage.InvalidError)(nil); errors.As(err, &invalid) {
			faults.Fields = append(faults.Fields, invalid.Fields...)
		}
		t.Vehicle = plate
	}
	t.Purpose = mileage.Purpose(b.Purpose)
	t.Start, t.End = stop("start", b.Start), stop("end", b.End)
	if len(faults.Fields) > 0 {
		return &faults
	}
	t.Normalize()
	return t.Validate()
}

// decode reads the one JSON value that a request carries.
func decode(r *http.Request, v any) error {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return &problem{Status: http.StatusUnsupportedMediaType, Detail: "send application/json"}
	}
	text, err := io.ReadAll(r.Body)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return err
	case err != nil:
		return badRequest("the body ends too early")
	case !utf8.Valid(text): // the decoder would replace what is not
		return badRequest("the body is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return undecodable(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return badRequest("the body goes on after its JSON value")
	}
	if name, ok := twice(json.NewDecoder(bytes.NewReader(text))); ok {
		return badRequest("%q is there twice", name)
	}
	return nil
}

// twice finds a name that an object has twice, of which the decoder takes the last,
// in whatever case. The text is JSON.
func twice(d *json.Decoder) (name string, found bool) {
	switch t, _ := d.Token(); t {
	case json.Delim('['):
		for d.More() && !found {
			name, found = twice(d)
		}
	case json.Delim('{'):
		seen := map[string]bool{}
		for d.More() && !found {
			t, _ := d.Token()
			name, _ = t.(string)
			fold := strings.ToLower(name)
			if seen[fold] {
				return name, true
			}
			seen[fold] = true
			name, found = twice(d)
		}
	default:
		return "", false
	}
	if !found {
		d.Token() // the end
	}
	return name, found
}

func undecodable(err error) error {
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == io.EOF:
		return badRequest("the body is empty")
	case errors.As(err, &wrongType) && wrongType.Field != "":
		want := "text"
		switch wrongType.Type.Kind() {
		case reflect.Int64:
			want = "a whole number"
		case reflect.Struct:
			want = "an object"
		}
		return invalidField(http.StatusUnprocessableEntity, wrongType.Field, "must be %s, not %s", want, wrongType.Value)
	}
	return badRequest("not the JSON that is expected: %v", err)
}
