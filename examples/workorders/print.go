package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/singletable-go/singletable/examples/internal/show"
)

// printOrders prints orders as a table, in the order in which they were read.
func printOrders(out io.Writer, orders ...WorkOrder) {
	rows := [][]string{{"STATUS", "SCHEDULED", "ORDER", "CUSTOMER", "TASK", "ENGINEER"}}
	for _, o := range orders {
		engineer := o.Engineer
		if engineer == "" {
			engineer = "-"
		}
		rows = append(rows, []string{string(o.Status), o.ScheduledOn.String(), o.OrderID, o.Customer, o.Task, engineer})
	}
	show.Table(out, rows)
}

// printIDs prints the ids of orders, grouped by status, as a board shows them.
func printIDs(out io.Writer, title string, orders []WorkOrder) {
	fmt.Fprintln(out, "   "+title)
	for _, status := range []Status{Open, Done} {
		var ids []string
		for _, o := range orders {
			if o.Status == status {
				ids = append(ids, o.OrderID)
			}
		}
		slices.Sort(ids)
		fmt.Fprintf(out, "     %s  %s\n", status, strings.Join(ids, " "))
	}
}
