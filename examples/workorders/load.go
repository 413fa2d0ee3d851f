package main

import (
	"context"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/singletable-go/singletable/keys"
	"github.com/singletable-go/singletable/txn"
)

//go:embed orders.csv
var orderFile string

// load stores the orders of the file.
func load(ctx context.Context, db txn.Client) ([]WorkOrder, error) {
	orders, err := parse(orderFile)
	if err != nil {
		return nil, err
	}
	for i := range orders {
		if err := txn.Commit(ctx, db, txn.Create(Orders, &orders[i])); err != nil {
			return nil, err
		}
	}
	return orders, nil
}

// parse reads orders from CSV with a header.
func parse(text string) ([]WorkOrder, error) {
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	var orders []WorkOrder
	for i, r := range records[1:] {
		day, err := keys.ParseDate(r[2])
		if err != nil {
			return nil, fmt.Errorf("orders.csv, record %d: %w", i+1, err)
		}
		orders = append(orders, WorkOrder{
			RegionID: r[0], Status: Status(r[1]), ScheduledOn: day, OrderID: r[3],
			Customer: r[4], Task: r[5], Engineer: r[6],
		})
	}
	return orders, nil
}
