package engine

import (
	"slices"
	"strings"
)

// unsupported are the operations that the service has and the engine has not.
var unsupported = strings.Fields(`
	BatchExecuteStatement CreateBackup CreateGlobalTable DeleteBackup DeleteResourcePolicy DescribeBackup
	DescribeContinuousBackups DescribeContributorInsights DescribeEndpoints DescribeExport DescribeGlobalTable
	DescribeGlobalTableSettings DescribeImport DescribeKinesisStreamingDestination DescribeLimits
	DescribeTableReplicaAutoScaling DisableKinesisStreamingDestination EnableKinesisStreamingDestination
	ExecuteStatement ExecuteTransaction ExportTableToPointInTime GetResourcePolicy ImportTable ListBackups
	ListContributorInsights ListExports ListGlobalTables ListImports PutResourcePolicy RestoreTableFromBackup
	RestoreTableToPointInTime UpdateContinuousBackups UpdateContributorInsights UpdateGlobalTable
	UpdateGlobalTableSettings UpdateKinesisStreamingDestination UpdateTableReplicaAutoScaling`)

// streams begins the targets of the operations on streams.
const streams = "DynamoDBStreams_20120810."

// Unknown refuses an operation, or the target of a request that is for no
// operation of this version. The service says nothing about one that it does not
// know itself; one that only the engine does not know is named.
func Unknown(op string) *Error {
	err := &Error{Type: UnknownOperation}
	if slices.Contains(unsupported, op) || strings.HasPrefix(op, streams) {
		err.Message = "The operation " + op + " is not supported"
	}
	return err
}
