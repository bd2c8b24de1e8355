package duka

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Reasons why a webhook is not taken.
const (
	MissingHeader  = "missing_header"
	TooOld         = "too_old"
	TooNew         = "too_new"
	WrongSignature = "wrong_signature"
)

// The messages of the service are far smaller.
const bodyMax = 1 << 20

// WebhookError says why a webhook is not taken.
type WebhookError struct{ Reason string }

func (e *WebhookError) Error() string { return "duka: the webhook is refused: " + e.Reason }

// Webhooks verifies messages of the service (Standard Webhooks 1.0.0).
type Webhooks struct {
	// Two: while one is replaced by the other.
	Secrets []string
	// How far webhook-timestamp may be from now; 5 minutes when zero.
	Tolerance time.Duration
}

// VerifyRequest reads the body of a request, and verifies it.
func (w Webhooks) VerifyRequest(request *http.Request) (*Event, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, request.Body, bodyMax))
	if err != nil {
		return nil, err
	}
	return w.Verify(request.Header, body)
}

// Verify gives the event, if it was signed with one of the secrets. body: the very bytes that came.
func (w Webhooks) Verify(header http.Header, body []byte) (*Event, error) {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	signatures := header.Get("webhook-signature")
	seconds, err := strconv.ParseUint(timestamp, 10, 62)
	if id == "" || err != nil || signatures == "" {
		return nil, &WebhookError{MissingHeader}
	}
	tolerance := int64(w.Tolerance / time.Second)
	if tolerance == 0 {
		tolerance = 300
	}
	age := time.Now().Unix() - int64(seconds)
	if age > tolerance {
		return nil, &WebhookError{TooOld}
	}
	if age < -tolerance {
		return nil, &WebhookError{TooNew}
	}
	for _, secret := range w.Secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, errors.New("duka: a secret of a webhook is whsec_ and base64")
		}
		hash := hmac.New(sha256.New, key)
		hash.Write([]byte(id + "." + timestamp + "."))
		hash.Write(body)
		if isAmong(hash.Sum(nil), signatures) {
			return decoded[Event](body)
		}
	}
	return nil, &WebhookError{WrongSignature}
}

func isAmong(expected []byte, signatures string) bool {
	for _, one := range strings.Split(signatures, " ") {
		if !strings.HasPrefix(one, "v1,") {
			continue
		}
		signature, err := base64.StdEncoding.DecodeString(one[len("v1,"):])
		if err == nil && hmac.Equal(signature, expected) {
			return true
		}
	}
	return false
}

// UnmarshalJSON makes of the object what the type of the event says.
func (e *Event) UnmarshalJSON(data []byte) error {
	type plain Event
	if err := json.Unmarshal(data, (*plain)(e)); err != nil {
		return err
	}
	var read struct {
		Data struct {
			Object json.RawMessage `json:"object"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	made, err := madeInto(newEventObject(e.Type), read.Data.Object)
	e.Data.Object = made
	return err
}

// The version is nil for what has none.
func (e *Event) identity() (id string, version *int64) {
	if known, ok := e.Data.Object.(interface{ identity() (string, *int64) }); ok {
		return known.identity()
	}
	fields, _ := e.Data.Object.(map[string]any)
	id, _ = fields["id"].(string)
	if number, ok := fields["version"].(float64); ok {
		whole := int64(number)
		version = &whole
	}
	return id, version
}

// IsNewer says whether the object of an event is newer than the copy that is kept of it: by the version of that, or nil
// where none is kept.
func (e *Event) IsNewer(kept *int64) bool {
	_, version := e.identity()
	return kept == nil || version != nil && *version > *kept
}

// EventOrder lets each version of an object through once, and none behind a newer one. It remembers in memory.
type EventOrder struct {
	mutex sync.Mutex
	kept  map[string]int64
}

// Accept is false where the event is to be dropped.
func (o *EventOrder) Accept(event *Event) bool {
	id, version := event.identity()
	// What has no id is nothing that changes.
	if id == "" {
		return true
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if kept, isKept := o.kept[id]; isKept && (version == nil || *version <= kept) {
		return false
	}
	if o.kept == nil {
		o.kept = map[string]int64{}
	}
	o.kept[id] = -1
	if version != nil {
		o.kept[id] = *version
	}
	return true
}

func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
