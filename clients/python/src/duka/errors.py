from __future__ import annotations

import time
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Dict, List, Optional

if TYPE_CHECKING:
    from .types import ErrorCode, ProblemError, ProblemProvider


class DukaError(Exception):
    """The service refused. `code` never changes its meaning."""

    def __init__(self, status: int, headers: Message, problem: Dict[str, Any]) -> None:
        said = problem.get("detail") or problem.get("title")
        super().__init__(said or f"The answer was {status}.")
        self.code: str = problem.get("code") or f"http_{status}"
        """One of `ErrorCode`, or a newer one."""
        self.status = status
        self.request_id: Optional[str] = problem.get("request_id") or headers.get(
            "request-id"
        )
        # Without a code it is of a proxy that did not reach the service.
        is_of_proxy = not problem.get("code") and status in (502, 503, 504)
        self.retryable: bool = problem.get("retryable", is_of_proxy) is True
        """The same request with the same key may be sent again."""
        self.recovery: Optional[str] = problem.get("recovery")
        """Who can make the request succeed."""
        self.param: Optional[str] = problem.get("param")
        """JSON pointer to the field at fault."""
        self.errors: List[ProblemError] = problem.get("errors") or []
        self.resource_id: Optional[str] = problem.get("resource_id")
        """What the request collided with."""
        self.provider: Optional[ProblemProvider] = problem.get("provider")
        self.retry_after = _seconds(headers.get("retry-after"))
        """Seconds."""

    def has_code(self, *codes: ErrorCode) -> bool:
        """Whether it is one of these, which a type checker knows."""
        return self.code in codes


class DukaConnectionError(Exception):
    """No whole answer came. Whether the request took effect is not known: send it
    again with `idempotency_key`.
    """

    def __init__(self, message: str, idempotency_key: Optional[str]) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key
        """The key that went with the request."""


class DukaTimeoutError(DukaConnectionError):
    """No answer came within `timeout`."""


class DukaCancelledError(Exception):
    """The call was ended by its `Cancellation`. Whether it took effect is not known."""

    def __init__(self, idempotency_key: Optional[str]) -> None:
        super().__init__("The call was cancelled.")
        self.idempotency_key = idempotency_key


def _seconds(header: Optional[str]) -> Optional[float]:
    if header is None:
        return None
    if header.isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
