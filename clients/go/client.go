// Package duka is the client of a Duka service: New(apiKey, baseURL).
package duka

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"reflect"
	"sort"
	"strings"
	"time"
)

// Version of this module.
const Version = "0.1.0"

const (
	backoff    = 500 * time.Millisecond
	backoffMax = 8 * time.Second
	// Who shall come back later than that is told so.
	retryAfterMax = time.Minute
)

// Client of the service. Goroutines may share it.
type Client struct {
	resources
	apiKey   string
	baseURL  string
	defaults []Option
}

type settings struct {
	httpClient     *http.Client
	timeout        time.Duration
	maxRetries     int
	header         http.Header
	idempotencyKey string
	wait           *int
	dryRun         bool
}

// Option of a call, or, given to New, of every call.
type Option func(*settings)

// WithHTTPClient sends by this client. Its Timeout is of an attempt, too.
func WithHTTPClient(client *http.Client) Option {
	return func(s *settings) { s.httpClient = client }
}

// WithTimeout is of each attempt; a minute when absent. The context is of the whole call.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithMaxRetries says how often a request is sent again; 3 times when absent.
func WithMaxRetries(most int) Option {
	return func(s *settings) { s.maxRetries = most }
}

// WithHeader sends one header more.
func WithHeader(name, value string) Option {
	return func(s *settings) { s.header.Set(name, value) }
}

// WithIdempotencyKey sends one of your own. A new one is made when absent. Retries send the same.
func WithIdempotencyKey(key string) Option {
	return func(s *settings) { s.idempotencyKey = key }
}

// WithWait says how many seconds, 0 to 30, the answer may be held back for a final result.
func WithWait(seconds int) Option {
	return func(s *settings) { s.wait = &seconds }
}

func dry(options []Option) []Option {
	return append(options[:len(options):len(options)], func(s *settings) { s.dryRun = true })
}

// New makes a client of the service at baseURL: https://api.example.com.
func New(apiKey, baseURL string, defaults ...Option) (*Client, error) {
	if apiKey == "" {
		return nil, errors.New("duka: the API key is missing")
	}
	parsed, err := url.Parse(baseURL)
	if err != nil || parsed.Host == "" {
		return nil, errors.New("duka: the base URL has the form https://api.example.com")
	}
	client := &Client{apiKey: apiKey, baseURL: strings.TrimRight(baseURL, "/"), defaults: defaults}
	client.resources = resourcesOf(client)
	return client, nil
}

// Ptr is for fields that may be absent.
func Ptr[T any](value T) *T { return &value }

// Optional is a field of a change: absent (nil), null, or a value.
type Optional[T any] map[bool]T

// Set changes a field.
func Set[T any](value T) Optional[T] { return Optional[T]{true: value} }

// Null empties a field.
func Null[T any]() Optional[T] {
	var nothing T
	return Optional[T]{false: nothing}
}

func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if value, isSet := o[true]; isSet {
		return json.Marshal(value)
	}
	return []byte("null"), nil
}

func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*o = Null[T]()
		return nil
	}
	var value T
	err := json.Unmarshal(data, &value)
	*o = Set(value)
	return err
}

// Answer is what came, with fields that are not known here.
type Answer struct{ raw json.RawMessage }

// RawJSON is what came.
func (a *Answer) RawJSON() json.RawMessage { return a.raw }

func (a *Answer) keep(raw []byte) { a.raw = append(json.RawMessage(nil), raw...) }

func decoded[T any](raw []byte) (*T, error) {
	value := new(T)
	if err := json.Unmarshal(raw, value); err != nil {
		return nil, err
	}
	if kept, ok := any(value).(interface{ keep([]byte) }); ok {
		kept.keep(raw)
	}
	return value, nil
}

// madeInto reads into what was made for it, or into a map where nothing was.
func madeInto(made any, raw json.RawMessage) (any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	if made == nil {
		fields := map[string]any{}
		err := json.Unmarshal(raw, &fields)
		return fields, err
	}
	err := json.Unmarshal(raw, made)
	if kept, ok := made.(interface{ keep([]byte) }); ok {
		kept.keep(raw)
	}
	return made, err
}

type request struct{ body, query any }

func call[T any](
	ctx context.Context, client *Client, method, path string, sent request, options []Option,
) (*T, error) {
	raw, err := client.send(ctx, method, path+search(pairsOf(sent.query)), sent.body, options)
	if err != nil {
		return nil, err
	}
	return decoded[T](raw)
}

func (c *Client) send(
	ctx context.Context, method, target string, body any, options []Option,
) (json.RawMessage, error) {
	s := settings{
		httpClient: http.DefaultClient,
		timeout:    time.Minute,
		maxRetries: 3,
		header: http.Header{
			"Authorization": {"Bearer " + c.apiKey},
			"Accept":        {"application/json"},
			"User-Agent":    {"duka-go/" + Version},
		},
	}
	for _, option := range append(c.defaults[:len(c.defaults):len(c.defaults)], options...) {
		option(&s)
	}
	key := ""
	if method != http.MethodGet {
		if key = s.idempotencyKey; key == "" {
			key = newKey()
		}
		s.header.Set("Idempotency-Key", key)
	}
	if s.wait != nil {
		s.header.Set("Prefer", fmt.Sprintf("wait=%d", *s.wait))
	}
	payload, err := payloadOf(body, s.dryRun)
	if err != nil {
		return nil, err
	}
	if payload != nil {
		s.header.Set("Content-Type", "application/json")
	}
	for retries := 0; ; retries++ {
		raw, err := c.attempt(ctx, method, target, payload, key, &s)
		if err == nil || retries >= s.maxRetries || ctx.Err() != nil || !isWorthRetrying(err) {
			return raw, err
		}
		timer := time.NewTimer(pauseOf(err, retries))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, &ConnectionError{IdempotencyKey: key, Err: ctx.Err()}
		}
	}
}

func (c *Client) attempt(
	ctx context.Context, method, target string, payload []byte, key string, s *settings,
) (json.RawMessage, error) {
	within, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	asked, err := http.NewRequestWithContext(within, method, c.baseURL+target, bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	asked.Header = s.header
	sender := *s.httpClient
	sender.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := sender.Do(asked)
	var text []byte
	if err == nil {
		text, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	if err == nil && response.StatusCode/100 != 2 {
		return nil, errorOf(response, text)
	}
	if err == nil && json.Valid(text) {
		return text, nil
	}
	if err == nil {
		err = errors.New("the answer is not JSON")
	}
	failure := &ConnectionError{IdempotencyKey: key, Err: err}
	if ctx.Err() != nil {
		failure.Err = ctx.Err()
	} else if within.Err() != nil || isTimeout(err) {
		failure.Err = fmt.Errorf("no answer came within %v", s.timeout)
		failure.isTimeout = true
	}
	return nil, failure
}

func isTimeout(err error) bool {
	var failure interface{ Timeout() bool }
	return errors.As(err, &failure) && failure.Timeout()
}

// Every request is safe to send again: one that changes something has its key.
func isWorthRetrying(err error) bool {
	var refused *Error
	if errors.As(err, &refused) {
		isAllowed := refused.Retryable || refused.Status == http.StatusTooManyRequests
		return isAllowed && refused.RetryAfter <= retryAfterMax
	}
	var lost *ConnectionError
	return errors.As(err, &lost)
}

func pauseOf(err error, retries int) time.Duration {
	longest := backoffMax
	if retries < 5 && backoff<<retries < backoffMax {
		longest = backoff << retries
	}
	jitter, _ := rand.Int(rand.Reader, big.NewInt(int64(longest)))
	var refused *Error
	if errors.As(err, &refused) {
		return refused.RetryAfter + time.Duration(jitter.Int64())
	}
	return time.Duration(jitter.Int64())
}

func newKey() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(err)
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func payloadOf(body any, isDry bool) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	payload, err := json.Marshal(body)
	if err != nil || !isDry {
		return payload, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(payload, &fields); err != nil {
		return nil, err
	}
	fields["dry_run"] = json.RawMessage("true")
	return json.Marshal(fields)
}

func part(text string) string { return url.PathEscape(text) }

type pair struct{ name, value string }

// ListWalletsQuery{Limit: 5, Metadata: {"order": "1"}} → limit=5, metadata[order]=1.
func pairsOf(query any) []pair {
	given := reflect.ValueOf(query)
	if query == nil || given.IsNil() {
		return nil
	}
	var pairs []pair
	fields := given.Elem()
	for i := 0; i < fields.NumField(); i++ {
		field, name := fields.Field(i), fields.Type().Field(i).Tag.Get("query")
		if field.IsZero() {
			continue
		}
		if metadata, ok := field.Interface().(map[string]string); ok {
			for _, key := range sortedKeys(metadata) {
				pairs = append(pairs, pair{fmt.Sprintf("%s[%s]", name, key), metadata[key]})
			}
			continue
		}
		pairs = append(pairs, pair{name, fmt.Sprint(reflect.Indirect(field).Interface())})
	}
	return pairs
}

func sortedKeys(fields map[string]string) []string {
	var keys []string
	for key := range fields {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

func search(pairs []pair) string {
	var parts []string
	for _, one := range pairs {
		parts = append(parts, url.QueryEscape(one.name)+"="+url.QueryEscape(one.value))
	}
	if len(parts) == 0 {
		return ""
	}
	return "?" + strings.Join(parts, "&")
}
