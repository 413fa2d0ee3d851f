// Package house holds the tests of what no single package can test: which
// package may use which, and that the module has what its documents say.
package house
