package api

import (
	"net/http"
	"unicode/utf8"

	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
)

type meBody struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	Vehicles []vehicleBody `json:"vehicles"`
}

type vehicleBody struct {
	Number      string `json:"number,omitempty"`
	Description string `json:"description"`
}

func (a *api) getMe(w http.ResponseWriter, r *http.Request, user mileage.UserID) error {
	u, vehicles, err := a.store.Account(r.Context(), user)
	if err != nil {
		return err
	}
	me := meBody{ID: string(u.ID), Name: u.Name, Vehicles: []vehicleBody{}}
	for _, v := range vehicles {
		me.Vehicles = append(me.Vehicles, vehicleBody{string(v.Plate), v.Description})
	}
	return answer(w, http.StatusOK, me)
}

func (a *api) putVehicle(w http.ResponseWriter, r *http.Request, user mileage.UserID) error {
	plate, err := mileage.ParsePlate(r.PathValue("number"))
	if err != nil {
		return err
	}
	var body vehicleBody
	if err := decode(r, &body); err != nil {
		return err
	}
	if body.Number != "" {
		if number, err := mileage.ParsePlate(body.Number); err != nil || number != plate {
			return invalidField(http.StatusUnprocessableEntity, "number", "is not the %s of the path", plate)
		}
	}
	if n := utf8.RuneCountInString(body.Description); n > 100 {
		return invalidField(http.StatusUnprocessableEntity, "description", "must have at most 100 characters")
	}
	created, err := a.store.PutVehicle(r.Context(), mileage.Vehicle{User: user, Plate: plate, Description: body.Description})
	if err != nil {
		return err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return answer(w, status, vehicleBody{string(plate), body.Description})
}
