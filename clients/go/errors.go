package duka

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// ErrorCode never changes its meaning. It is one of the constants, or a newer one.
type ErrorCode string

// Error is a refusal by the service.
type Error struct {
	Code   ErrorCode
	Status int
	// What happened this time; for people.
	Message   string
	RequestID string
	// The same request with the same key may be sent again.
	Retryable bool
	// Who can make the request succeed.
	Recovery string
	// JSON pointer to the field at fault.
	Param  string
	Errors []ProblemError
	// What the request collided with.
	ResourceID string
	Provider   *ProblemProvider
	RetryAfter time.Duration
}

func (e *Error) Error() string { return fmt.Sprintf("duka: %s (%s)", e.Message, e.Code) }

// HasCode says whether the service refused for one of these reasons.
func HasCode(err error, codes ...ErrorCode) bool {
	var refused *Error
	if !errors.As(err, &refused) {
		return false
	}
	for _, code := range codes {
		if refused.Code == code {
			return true
		}
	}
	return false
}

// ConnectionError says that no whole answer came. Whether the request took effect is not known: send it again with
// IdempotencyKey. Where the context ended the call, it wraps the error of the context.
type ConnectionError struct {
	// The key that went with the request; empty for what changes nothing.
	IdempotencyKey string
	Err            error
	isTimeout      bool
}

func (e *ConnectionError) Error() string { return "duka: no whole answer came: " + e.Err.Error() }
func (e *ConnectionError) Unwrap() error { return e.Err }

// Timeout says whether no answer came in time: see WithTimeout.
func (e *ConnectionError) Timeout() bool { return e.isTimeout }

func errorOf(response *http.Response, text []byte) error {
	var problem struct {
		Code       *ErrorCode       `json:"code"`
		Title      *string          `json:"title"`
		Detail     *string          `json:"detail"`
		RequestID  *string          `json:"request_id"`
		Retryable  bool             `json:"retryable"`
		Recovery   string           `json:"recovery"`
		Param      string           `json:"param"`
		Errors     []ProblemError   `json:"errors"`
		ResourceID string           `json:"resource_id"`
		Provider   *ProblemProvider `json:"provider"`
	}
	// Somebody between may answer something else.
	_ = json.Unmarshal(text, &problem)
	made := &Error{
		Code:       ErrorCode(fmt.Sprintf("http_%d", response.StatusCode)),
		Status:     response.StatusCode,
		Message:    fmt.Sprintf("The answer was %d.", response.StatusCode),
		RequestID:  response.Header.Get("Request-Id"),
		Retryable:  problem.Retryable,
		Recovery:   problem.Recovery,
		Param:      problem.Param,
		Errors:     problem.Errors,
		ResourceID: problem.ResourceID,
		Provider:   problem.Provider,
		RetryAfter: afterOf(response.Header.Get("Retry-After")),
	}
	if problem.Code != nil {
		made.Code = *problem.Code
	} else if response.StatusCode >= 502 && response.StatusCode <= 504 {
		// A proxy did not reach the service.
		made.Retryable = true
	}
	if problem.Detail != nil {
		made.Message = *problem.Detail
	} else if problem.Title != nil {
		made.Message = *problem.Title
	}
	if problem.RequestID != nil {
		made.RequestID = *problem.RequestID
	}
	return made
}

func afterOf(header string) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil && time.Until(at) > 0 {
		return time.Until(at)
	}
	return 0
}
