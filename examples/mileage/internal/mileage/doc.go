// Package mileage is the registration of the trips of company cars, in plain Go:
// it knows neither how trips are stored nor how they are asked for.
package mileage
