"""The client of a Duka service: `Duka(api_key, base_url)`."""
from __future__ import annotations

import ssl
from typing import Optional

from . import types
from .cancellation import Cancellation
from .client import CallOptions, Client, WaitOptions
from .errors import (
    DukaCancelledError,
    DukaConnectionError,
    DukaError,
    DukaTimeoutError,
)
from .pages import Pages
from .resources import Resources
from .types import ErrorCode, WebhookEvent
from .version import VERSION as __version__
from .webhooks import EventOrder, WebhookVerificationError, is_newer, verify_webhook

__all__ = [
    "CallOptions",
    "Cancellation",
    "Duka",
    "DukaCancelledError",
    "DukaConnectionError",
    "DukaError",
    "DukaTimeoutError",
    "ErrorCode",
    "EventOrder",
    "Pages",
    "WaitOptions",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "is_newer",
    "types",
    "verify_webhook",
]


class Duka(Resources):
    """A client of the service. Threads may share it."""

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        timeout: float = 60,
        max_retries: int = 3,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        """`base_url`: where the service is, `https://api.example.com`. `timeout`:
        seconds of each attempt. `max_retries`: how often a request is sent again.
        """
        super().__init__(Client(api_key, base_url, timeout, max_retries, ssl_context))
