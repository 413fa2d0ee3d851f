package dynamo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/singletable-go/singletable/examples/mileage/internal/mileage"
	"github.com/singletable-go/singletable/model"
	"github.com/singletable-go/singletable/query"
	"github.com/singletable-go/singletable/txn"
)

// Client is the part of a *dynamodb.Client that the store uses.
type Client interface {
	query.Client
	txn.Client
}

// Store keeps the registration. It is safe for concurrent use.
type Store struct {
	db      Client
	design  *Design
	secrets [][]byte
}

// NewStore gives the store in the table of a design. The secrets, of 16, 24 or 32
// bytes, seal the cursors of lists: the first seals, all open.
func NewStore(db Client, d *Design, secrets ...[]byte) *Store {
	return &Store{db: db, design: d, secrets: secrets}
}

// domain gives an error of the library the meaning that it has for the registration.
// Where it is not known whether a change was made, it has none.
func domain(err error) error {
	if errors.Is(err, txn.ErrInDoubt) {
		return err
	}
	for _, m := range []struct{ from, to error }{
		{model.ErrNotFound, mileage.ErrNotFound},
		{txn.ErrExists, mileage.ErrExists},
		{txn.ErrChanged, mileage.ErrStale},
		{query.ErrBadCursor, mileage.ErrCursor},
	} {
		if errors.Is(err, m.from) {
			return fmt.Errorf("%w: %w", m.to, err)
		}
	}
	return err
}

// PutUser stores a user and the bearer tokens that stand for them.
func (s *Store) PutUser(ctx context.Context, u mileage.User, tokens ...string) error {
	actions := []txn.Action{txn.Overwrite(s.design.users, &user{u.ID, u.Name})}
	for _, t := range tokens {
		actions = append(actions, txn.Overwrite(s.design.tokens, &token{hash(t), u.ID}))
	}
	return domain(txn.Commit(ctx, s.db, actions...))
}

// hash is what the table knows of a token. A token is made of more chance than
// anybody can try, so that a fast hash without salt is enough.
func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// UserOf tells whose a token is.
func (s *Store) UserOf(ctx context.Context, text string) (mileage.UserID, error) {
	t, err := query.Get(ctx, s.db, s.design.tokens.Key(tokenKey.Key(hash(text)), tokenSort.Key()))
	return t.User, domain(err)
}

// Account reads a user and their vehicles, which are one partition, with one query.
func (s *Store) Account(ctx context.Context, id mileage.UserID) (u mileage.User, vehicles []mileage.Vehicle, err error) {
	for item, err := range query.Collection(s.design.Table, userKey.Key(id)).All(ctx, s.db) {
		if err != nil {
			return mileage.User{}, nil, domain(err)
		}
		switch item := item.(type) {
		case *user:
			u = mileage.User{ID: item.ID, Name: item.Name}
		case *vehicle:
			vehicles = append(vehicles, mileage.Vehicle{User: item.User, Plate: item.Number, Description: item.Description})
		}
	}
	if u.ID == "" {
		return mileage.User{}, nil, mileage.ErrNotFound
	}
	return u, vehicles, nil
}

// PutVehicle stores a vehicle, and tells whether it is new.
func (s *Store) PutVehicle(ctx context.Context, v mileage.Vehicle) (created bool, err error) {
	r := vehicle{v.User, v.Plate, v.Description}
	err = txn.Commit(ctx, s.db, txn.Create(s.design.vehicles, &r))
	if errors.Is(err, txn.ErrExists) {
		return false, domain(txn.Commit(ctx, s.db, txn.Overwrite(s.design.vehicles, &r)))
	}
	return err == nil, domain(err)
}

func (s *Store) vehicle(user mileage.UserID, plate mileage.Plate) model.Key[vehicle] {
	return s.design.vehicles.Key(userKey.Key(user), vehicleKey.Key(plate))
}

func (s *Store) key(id mileage.TripID) model.Key[trip] {
	return s.design.trips.Key(tripKey.Key(id), tripSort.Key())
}

// CreateTrip stores a trip of a vehicle that the user has. That there is the vehicle
// is read before: vehicles are never deleted, and a check in the same commit would
// make it a transaction, at twice the price.
func (s *Store) CreateTrip(ctx context.Context, t *mileage.Trip) error {
	if _, err := query.Get(ctx, s.db, s.vehicle(t.User, t.Vehicle), query.Consistent()); err != nil {
		return domain(err)
	}
	r := recordOf(t)
	if err := txn.Commit(ctx, s.db, txn.Create(s.design.trips, &r)); err != nil {
		return domain(err)
	}
	t.Version = r.Version
	return nil
}

// Trip reads a trip. One that is another user's is not found.
func (s *Store) Trip(ctx context.Context, user mileage.UserID, id mileage.TripID) (mileage.Trip, error) {
	r, err := query.Get(ctx, s.db, s.key(id), query.Consistent())
	if err == nil {
		err = r.allows(user, mileage.AnyVersion)
	}
	if err != nil {
		return mileage.Trip{}, domain(err)
	}
	return r.trip(), nil
}

// allows tells whether a user may see a trip, and change it from a version.
func (r *trip) allows(user mileage.UserID, version int64) error {
	switch {
	case r.User != user:
		return mileage.ErrNotFound
	case version != mileage.AnyVersion && version != r.Version:
		return mileage.ErrStale
	}
	return nil
}

// ChangeTrip changes a trip where it is: only the key of its index entry may become
// another. Where it goes to another vehicle, the same commit checks that the user has
// that one.
func (s *Store) ChangeTrip(ctx context.Context, user mileage.UserID, id mileage.TripID, version int64, change func(*mileage.Trip) error) (mileage.Trip, error) {
	modify := func(r *trip) error {
		if err := r.allows(user, version); err != nil {
			return err
		}
		t := r.trip()
		if err := change(&t); err != nil {
			return err
		}
		*r = recordOf(&t)
		return nil
	}
	hasVehicle := func(before, after *trip) []txn.Action {
		if after.Number == before.Number {
			return nil
		}
		return []txn.Action{txn.Check(s.vehicle(user, after.Number))}
	}
	r, err := txn.Modify(ctx, s.db, s.key(id), modify, hasVehicle)
	if failed := new(txn.Error); errors.As(err, &failed) {
		for _, a := range failed.Actions {
			if a.Index == 1 && errors.Is(&a, txn.ErrNotFound) {
				return mileage.Trip{}, &mileage.InvalidError{Fields: []mileage.FieldError{{Field: "vehicle", Reason: "you have no such vehicle"}}}
			}
		}
	}
	if err != nil {
		return mileage.Trip{}, domain(err)
	}
	return r.trip(), nil
}

// DeleteTrip deletes a trip of the user.
func (s *Store) DeleteTrip(ctx context.Context, user mileage.UserID, id mileage.TripID, version int64) error {
	r, err := query.Get(ctx, s.db, s.key(id), query.Consistent())
	if err == nil {
		err = r.allows(user, version)
	}
	if err != nil {
		return domain(err)
	}
	if version == mileage.AnyVersion {
		return domain(txn.Commit(ctx, s.db, txn.DeleteKey(s.key(id))))
	}
	return domain(txn.Commit(ctx, s.db, txn.Delete(s.design.trips, &r)))
}

// list is the query of the trips of a vehicle that start in a period. A period that
// ends after all time that a key can hold has no end.
func (s *Store) list(user mileage.UserID, plate mileage.Plate, p mileage.Period) query.Query[trip] {
	if p.To.UTC().Year() > 9999 {
		p.To = time.Time{}
	}
	q := query.On(s.design.trips, s.design.index, vehicleTrips.Key(user, plate))
	switch {
	case !p.From.IsZero() && !p.To.IsZero():
		return q.Where(tripOrder.Within(p.From, p.To))
	case !p.From.IsZero():
		return q.Where(tripOrder.From(p.From))
	case !p.To.IsZero():
		return q.Where(tripOrder.Before(p.To))
	}
	return q
}

// Trips reads a page of the trips of a vehicle. The index follows a moment after the
// trips themselves.
func (s *Store) Trips(ctx context.Context, user mileage.UserID, plate mileage.Plate, l mileage.Listing) (mileage.Page, error) {
	q := s.list(user, plate, l.Period).Limit(l.Limit)
	if l.Newest {
		q = q.Desc()
	}
	if len(s.secrets) > 0 {
		q = q.Secret(s.secrets...)
	}
	page, err := q.Page(ctx, s.db, l.Cursor)
	if err == nil && len(page.Items) == 0 {
		_, err = query.Get(ctx, s.db, s.vehicle(user, plate)) // is there such a vehicle at all?
	}
	if err != nil {
		return mileage.Page{}, domain(err)
	}
	list := mileage.Page{Next: page.Next, Prev: page.Prev}
	for i := range page.Items {
		list.Trips = append(list.Trips, page.Items[i].trip())
	}
	return list, nil
}

// AllTrips reads all of them, page by page.
func (s *Store) AllTrips(ctx context.Context, user mileage.UserID, plate mileage.Plate, p mileage.Period) iter.Seq2[mileage.Trip, error] {
	return func(yield func(mileage.Trip, error) bool) {
		n := 0
		for r, err := range s.list(user, plate, p).All(ctx, s.db) {
			if n++; !yield(r.trip(), domain(err)) {
				return
			}
		}
		if n == 0 {
			if _, err := query.Get(ctx, s.db, s.vehicle(user, plate)); err != nil {
				yield(mileage.Trip{}, domain(err))
			}
		}
	}
}
