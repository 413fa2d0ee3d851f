package dynamotest

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/singletable-go/singletable/dynamotest/internal/cases"
)

// Conformance runs several hundred behaviour cases, each a subtest of t, on the
// endpoint behind client: an emulator, this package's [Engine] or the service
// itself. A case states the requests, the whole answers that the service gives
// (refusals with their messages) and why they matter.
//
// The cases make tables whose names begin with "conformance-" and a text of this
// run's own, and remove them. At the service, a run costs a few thousand
// on-demand requests and takes minutes, because tables take seconds.
//
// Parameters from before expressions (KeyConditions, Expected and the like) are
// not asked for, only that they do not mix with expressions.
//
// It is ConformanceOptions{}.Run(t, client).
func Conformance(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	ConformanceOptions{}.Run(t, client)
}

// ConformanceOptions says how [Conformance] is run. Its zero value is what
// Conformance does.
type ConformanceOptions struct {
	// Prefix begins the name of every table. If it is empty, each run has its own.
	// A run fails if there is a table of a name that it wants.
	Prefix string
	// Short leaves out the cases that send megabytes or wait for tables, as does
	// go test -short.
	Short bool
	// Patience is how long global indexes may lag behind their tables and tables
	// may take to become what was asked, before an answer counts as wrong. 0 is two
	// seconds, which is enough for emulators; the service takes up to half an hour to
	// add an index.
	Patience time.Duration
	// Known maps names of subtests below t ("queries/begins_with", say) to the
	// reason why this endpoint is known to answer otherwise. Such a case is skipped
	// with its reason; one that passes fails, so that the list stays true, and so
	// does a name that no case has.
	Known map[string]string
}

// Run runs the behaviour cases on the endpoint behind client as subtests of t.
func (o ConformanceOptions) Run(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	if o.Prefix == "" {
		run := make([]byte, 6)
		rand.Read(run) // never fails
		o.Prefix = "conformance-" + hex.EncodeToString(run) + "-"
	}
	if o.Patience == 0 {
		o.Patience = 2 * time.Second
	}
	cases.Run(t, client, cases.Options{Prefix: o.Prefix, Short: o.Short || testing.Short(), Patience: o.Patience, Known: o.Known})
}

// KnownDifferences gives the cases of [Conformance] in which an emulator is known
// to answer otherwise than the service, with the reasons, for
// [ConformanceOptions]. The emulator is named as in the Server header of its
// answers: "Dynoxide/1.2.1" is known. It is nil for any other.
func KnownDifferences(server string) map[string]string {
	if strings.TrimSpace(server) == "Dynoxide/1.2.1" {
		return cases.Reasons(cases.Dynoxide)
	}
	return nil
}
