package duka

import (
	"context"
	"encoding/json"
	"net/http"
)

// Page of a list.
type Page[Row any] struct {
	Answer
	Data       []Row   `json:"data"`
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
}

// Pages is a list: for pages.Next() { pages.Item() }, then pages.Err(); or only its first Page.
type Pages[Row any] struct {
	fetch  func(cursor *string) (*Page[Row], error)
	page   *Page[Row]
	at     int
	err    error
	cursor *string
}

// Page fetches the first page.
func (p *Pages[Row]) Page() (*Page[Row], error) { return p.fetch(nil) }

// Next goes on to the next row. False: there is none, or Err.
func (p *Pages[Row]) Next() bool {
	for p.at++; p.err == nil; p.at = 0 {
		if p.page != nil {
			if p.at < len(p.page.Data) {
				return true
			}
			if !p.page.HasMore || p.page.NextCursor == nil {
				return false
			}
			p.cursor = p.page.NextCursor
		}
		p.page, p.err = p.fetch(p.cursor)
	}
	return false
}

// Item is the row that Next came to.
func (p *Pages[Row]) Item() *Row { return &p.page.Data[p.at] }

// Err is what ended the list before its end.
func (p *Pages[Row]) Err() error { return p.err }

func pages[Row any](
	ctx context.Context, client *Client, path string, sent request, options []Option,
) *Pages[Row] {
	asked := pairsOf(sent.query)
	// A list that is followed goes on with a name of its own.
	following := "cursor"
	for _, one := range asked {
		if one == (pair{"order", "asc"}) {
			following = "after"
		}
	}
	fetch := func(cursor *string) (*Page[Row], error) {
		pairs := asked
		if cursor != nil {
			pairs = nil
			for _, one := range asked {
				if one.name != following {
					pairs = append(pairs, one)
				}
			}
			pairs = append(pairs, pair{following, *cursor})
		}
		raw, err := client.send(ctx, http.MethodGet, path+search(pairs), nil, options)
		if err != nil {
			return nil, err
		}
		return pageOf[Row](raw)
	}
	return &Pages[Row]{fetch: fetch}
}

func pageOf[Row any](raw json.RawMessage) (*Page[Row], error) {
	var list struct {
		Data       []json.RawMessage `json:"data"`
		HasMore    bool              `json:"has_more"`
		NextCursor *string           `json:"next_cursor"`
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	page := &Page[Row]{HasMore: list.HasMore, NextCursor: list.NextCursor}
	page.keep(raw)
	for _, one := range list.Data {
		row, err := decoded[Row](one)
		if err != nil {
			return nil, err
		}
		page.Data = append(page.Data, *row)
	}
	return page, nil
}
