// Does with the Go client what it reads: see client-runner.ts.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"

	"duka.example/duka"
)

type fields = map[string]any

type asked struct {
	Do string `json:"do"`

	Client struct {
		APIKey     string `json:"api_key"`
		BaseURL    string `json:"base_url"`
		TimeoutMS  *int   `json:"timeout_ms"`
		MaxRetries *int   `json:"max_retries"`
	} `json:"client"`
	Resource  string            `json:"resource"`
	Name      string            `json:"name"`
	Arguments []json.RawMessage `json:"arguments"`
	Options   struct {
		IdempotencyKey string            `json:"idempotency_key"`
		Headers        map[string]string `json:"headers"`
		Wait           *int              `json:"wait"`
		DryRun         bool              `json:"dry_run"`
		TimeoutMS      *int              `json:"timeout_ms"`
		AbortAfterMS   *int              `json:"abort_after_ms"`
	} `json:"options"`
	Take string `json:"take"`

	Body             string            `json:"body"`
	Headers          map[string]string `json:"headers"`
	Secrets          []string          `json:"secrets"`
	ToleranceSeconds int               `json:"tolerance_seconds"`

	Events   []*duka.Event `json:"events"`
	Sequence []int         `json:"sequence"`
}

func main() {
	deeds := map[string]func(asked) any{"call": call, "verify": verify, "order": order}
	reader, writer := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	for {
		var one asked
		if err := reader.Decode(&one); err != nil {
			return
		}
		must(writer.Encode(deeds[one.Do](one)))
	}
}

func call(one asked) any {
	var defaults, options []duka.Option
	if ms := one.Client.TimeoutMS; ms != nil {
		defaults = append(defaults, duka.WithTimeout(time.Duration(*ms)*time.Millisecond))
	}
	if most := one.Client.MaxRetries; most != nil {
		defaults = append(defaults, duka.WithMaxRetries(*most))
	}
	client, err := duka.New(one.Client.APIKey, one.Client.BaseURL, defaults...)
	must(err)
	ctx := context.Background()
	if ms := one.Options.AbortAfterMS; ms != nil {
		within, cancel := context.WithTimeout(ctx, time.Duration(*ms)*time.Millisecond)
		defer cancel()
		ctx = within
	}
	if key := one.Options.IdempotencyKey; key != "" {
		options = append(options, duka.WithIdempotencyKey(key))
	}
	if ms := one.Options.TimeoutMS; ms != nil {
		options = append(options, duka.WithTimeout(time.Duration(*ms)*time.Millisecond))
	}
	if seconds := one.Options.Wait; seconds != nil {
		options = append(options, duka.WithWait(*seconds))
	}
	for name, value := range one.Options.Headers {
		options = append(options, duka.WithHeader(name, value))
	}
	name := pascal(one.Name)
	if one.Options.DryRun {
		name += "DryRun"
	}
	method := reflect.ValueOf(client).Elem().FieldByName(pascal(one.Resource)).MethodByName(name)
	in := []reflect.Value{reflect.ValueOf(ctx)}
	for _, argument := range one.Arguments {
		value, err := read(method.Type().In(len(in)), argument)
		if err != nil {
			return fields{"failed": fields{"kind": "untyped", "message": err.Error()}}
		}
		in = append(in, value)
	}
	for _, option := range options {
		in = append(in, reflect.ValueOf(option))
	}
	out := method.Call(in)
	if one.Take == "answer" {
		return told(out[0].Interface(), out[1].Interface())
	}
	if one.Take == "page" {
		first := out[0].MethodByName("Page").Call(nil)
		return told(first[0].Interface(), first[1].Interface())
	}
	rows := []any{}
	for out[0].MethodByName("Next").Call(nil)[0].Bool() {
		rows = append(rows, known(out[0].MethodByName("Item").Call(nil)[0].Interface()))
	}
	if err := out[0].MethodByName("Err").Call(nil)[0].Interface(); err != nil {
		return failed(err.(error))
	}
	return fields{"got": rows}
}

// A query has no JSON of its own: its fields are filled by their names.
func read(kind reflect.Type, argument json.RawMessage) (reflect.Value, error) {
	made := reflect.New(kind)
	if kind.Kind() != reflect.Pointer {
		decoder := json.NewDecoder(bytes.NewReader(argument))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(made.Interface())
		return made.Elem(), err
	}
	var given map[string]json.RawMessage
	must(json.Unmarshal(argument, &given))
	if given == nil {
		return made.Elem(), nil
	}
	query := reflect.New(kind.Elem())
	for i := 0; i < query.Elem().NumField(); i++ {
		name := kind.Elem().Field(i).Tag.Get("query")
		if value, isGiven := given[name]; isGiven {
			must(json.Unmarshal(value, query.Elem().Field(i).Addr().Interface()))
			delete(given, name)
		}
	}
	if len(given) > 0 {
		panic("a query has no field for it")
	}
	return query, nil
}

func told(answer, err any) any {
	if err != nil {
		return failed(err.(error))
	}
	return fields{"got": known(answer)}
}

// What the types of the client know of it, and beside it what only came.
func known(answer any) any {
	came := answer.(interface{ RawJSON() json.RawMessage }).RawJSON()
	var all, some any
	must(json.Unmarshal(came, &all))
	typed, err := json.Marshal(answer)
	must(err)
	must(json.Unmarshal(typed, &some))
	return over(all, some)
}

func over(all, some any) any {
	came, isObject := all.(fields)
	typed, isTyped := some.(fields)
	if !isObject || !isTyped {
		return some
	}
	for name, value := range typed {
		came[name] = over(came[name], value)
	}
	return came
}

func failed(err error) any {
	var refused *duka.Error
	var lost *duka.ConnectionError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fields{"failed": fields{"kind": "aborted"}}
	case errors.As(err, &refused):
		return fields{"failed": fields{
			"kind": "api", "code": refused.Code, "status": refused.Status, "message": refused.Message,
			"retryable": refused.Retryable, "recovery": refused.Recovery, "param": refused.Param,
			"errors": refused.Errors, "resource_id": refused.ResourceID, "request_id": refused.RequestID,
			"retry_after": refused.RetryAfter.Seconds(),
		}}
	case errors.As(err, &lost):
		kind := "connection"
		if lost.Timeout() {
			kind = "timeout"
		}
		return fields{"failed": fields{"kind": kind, "idempotency_key": lost.IdempotencyKey}}
	}
	return fields{"failed": fields{"kind": "other", "message": err.Error()}}
}

func verify(one asked) any {
	header := http.Header{}
	for name, value := range one.Headers {
		header.Set(name, value)
	}
	webhooks := duka.Webhooks{
		Secrets:   one.Secrets,
		Tolerance: time.Duration(one.ToleranceSeconds) * time.Second,
	}
	event, err := webhooks.Verify(header, []byte(one.Body))
	var refused *duka.WebhookError
	if errors.As(err, &refused) {
		return fields{"failed": fields{"reason": refused.Reason}}
	}
	must(err)
	return fields{"got": known(event)}
}

func order(one asked) any {
	var events duka.EventOrder
	kept := map[string]*int64{}
	told := [][2]bool{}
	for _, index := range one.Sequence {
		event := one.Events[index]
		transaction := event.Data.Object.(*duka.Transaction)
		isNewer := event.IsNewer(kept[transaction.ID])
		if isNewer {
			kept[transaction.ID] = &transaction.Version
		}
		told = append(told, [2]bool{events.Accept(event), isNewer})
	}
	return fields{"got": told}
}

func pascal(name string) string {
	words := strings.Split(name, "_")
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
