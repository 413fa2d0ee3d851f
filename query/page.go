package query

import (
	"context"
	"errors"
	"slices"

	"github.com/singletable-go/singletable/model"
)

// Page is one page of what a query yields.
type Page[T any] struct {
	Items []T
	Next  string // the cursor of the page that follows; "" at the end
	Prev  string // the cursor of the page before; "" at the beginning
	Stats Stats
}

// Page reads one page: the first where cursor is "", or else the one whose cursor
// it is.
//
// With [Query.Limit](n) a page has n items unless the end comes first, or
// [Query.MaxEvaluated] is reached. Without a filter its Next is "" exactly when
// nothing followed: one item more is asked for than is handed out. With a
// filter, looking for one item more could read the whole partition, so the page
// ends with its n-th item, and the last page may turn out to be empty; so may,
// going back, one page more before the first.
//
// Without Limit a page is what one request brings. It may be empty and still
// have a Next: only a Next of "" is the end.
//
// Prev goes back: its page ends right before the first item of this one and is in
// the same order. With Limit and without MaxEvaluated, going forward and back shows the same pages,
// also when items come and go at their edges. The first page, and the page on which
// going back comes to the beginning, have no Prev. A page reached by Prev has a
// Next, unless it was reached from an empty page at the end. Where all items of a page
// have gone meanwhile it is empty, and leads back.
//
// An item that is of no declared entity, or that cannot be decoded, does not hide the
// rest: the page is whole without it, with its cursors, and the error joins an
// [*ItemError] for each. [ItemErrors] tells this case from a read that failed.
// On any other error the page has no items and no cursors, and the same cursor may
// be tried again: what the query carries, [ErrNoClient], a [*CursorError], the
// error of the context, or that of a failed request; each in an [*Error].
//
// A cursor is opaque and safe in a URL. It belongs to queries of the same table
// (by its physical name), index, entity, partition and direction, and its position must lie in the
// range asked; filters and limits may change from page to page. Whatever a
// cursor says, nothing is read that the query would not read without it. It
// shows the sort key at which it stands to whoever decodes it, unless
// [Query.Secret] seals it.
func (q Query[T]) Page(ctx context.Context, db Client, cursor string) (Page[T], error) {
	r, err := q.spec.open(ctx, db, "Page", cursor)
	if err != nil {
		return Page[T]{}, err
	}
	page, err := q.page(r)
	page.Stats = r.stats.clone()
	r.watch.end(err)
	return page, err
}

func (q *Query[T]) page(r *reader) (page Page[T], err error) {
	var (
		refused     []error
		first, last model.Item // of the items handed out, as they were read
		after       model.Item // where reading goes on; nil at the end
		limit       = q.spec.limit
		v           = new(T)
		zero        T
	)
	full := func() bool { return limit > 0 && len(page.Items) == limit }
read:
	for !r.done {
		if r.exhausted() || full() && q.spec.filter != nil || limit == 0 && r.stats.Requests > 0 {
			after = r.start
			break
		}
		want := 0
		if limit > 0 {
			want = limit - len(page.Items) + 1
		}
		items, err := r.next(want)
		if err != nil {
			return Page[T]{}, err
		}
		h := hydration{entries: items}
		for i, entry := range items {
			if limit > 0 {
				want = limit - len(page.Items) + 1
			}
			item, err := q.item(r, &h, i, want)
			if err != nil {
				return Page[T]{}, r.wrap(r.op, err)
			}
			if item == nil {
				continue
			}
			if full() && q.yields(item) {
				after = last
				break read
			}
			*v = zero
			own, err := q.decode(r, item, v)
			switch {
			case err != nil:
				refused = append(refused, err)
			case own:
				r.stats.Returned++
				page.Items = append(page.Items, *v)
				if first == nil {
					first = entry
				}
				last = entry
			}
		}
	}
	if err := q.turn(r, &page, first, after); err != nil {
		return Page[T]{}, r.wrap(r.op, err)
	}
	return page, errors.Join(refused...)
}

// turn sets the cursors of a page, and the order of one that was read backward.
// Reading goes on after the key after; the way back begins before the first item
// that was read. Where there was none it begins where reading goes on, since
// nothing was passed over, or else at the end.
func (q *Query[T]) turn(r *reader, page *Page[T], first, after model.Item) (err error) {
	ahead, behind := onward, backward
	toAhead, toBehind := &page.Next, &page.Prev
	if r.back {
		ahead, behind = behind, ahead
		toAhead, toBehind = toBehind, toAhead
		slices.Reverse(page.Items)
	}
	if after != nil {
		if *toAhead, err = r.cursor(ahead, after); err != nil {
			return err
		}
	}
	if r.first {
		return nil
	}
	if first == nil {
		first = after
	}
	*toBehind, err = r.cursor(behind, first)
	return err
}

// yields reports whether an item would be handed out or be reported.
func (q *Query[T]) yields(item model.Item) bool {
	class := q.decoder.Classify(item)
	return class == model.Own || class == model.Unknown
}

// ItemErrors gives the items that err reports, and whether it reports nothing
// else: a page is whole then but for these items.
func ItemErrors(err error) (items []*ItemError, only bool) {
	switch e := err.(type) {
	case nil:
		return nil, false
	case *ItemError:
		return []*ItemError{e}, true
	case interface{ Unwrap() []error }:
		only = true
		for _, err := range e.Unwrap() {
			more, ok := ItemErrors(err)
			items = append(items, more...)
			only = only && ok
		}
		return items, only
	case interface{ Unwrap() error }:
		return ItemErrors(e.Unwrap())
	}
	return nil, false
}
