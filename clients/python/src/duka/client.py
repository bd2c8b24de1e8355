from __future__ import annotations

import json
import random
import ssl
import time
import uuid
from typing import Any, Dict, List, Mapping, Optional, Tuple, TypedDict
from urllib.parse import urlencode

from .cancellation import Cancellation
from .errors import DukaConnectionError, DukaError
from .pages import Pages
from .version import VERSION
from .wire import Answer, Wire

BACKOFF_SECONDS = 0.5
BACKOFF_SECONDS_MAX = 8.0
RETRY_AFTER_SECONDS_MAX = 60
"""Who shall come back later than that is told so."""


class CallOptions(TypedDict, total=False):
    idempotency_key: Optional[str]
    """One of your own. A new one is made when absent. Retries send the same."""
    timeout: Optional[float]
    """Seconds of each attempt."""
    max_retries: Optional[int]
    headers: Optional[Mapping[str, str]]
    cancellation: Optional[Cancellation]


class WaitOptions(CallOptions, total=False):
    wait: Optional[int]
    """Seconds, 0 to 30, that the answer may be held back for a final result."""


class Client:
    def __init__(
        self,
        api_key: str,
        base_url: str,
        timeout: float,
        max_retries: int,
        ssl_context: Optional[ssl.SSLContext],
    ) -> None:
        if not api_key:
            raise ValueError("api_key is missing")
        self._api_key = api_key
        self._timeout = timeout
        self._max_retries = max_retries
        self._wire = Wire(base_url, ssl_context)

    def pages(
        self, path: str, query: Optional[Mapping[str, Any]], options: Mapping[str, Any]
    ) -> Pages[Any, Any]:
        asked = dict(query or {})
        # A list that is followed goes on with a name of its own.
        following = "after" if asked.get("order") == "asc" else "cursor"

        def fetch(cursor: Optional[str]) -> Any:
            more = {} if cursor is None else {following: cursor}
            return self.call("GET", path, query={**asked, **more}, **options)

        return Pages(fetch)

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        dry_run: bool = False,
        wait: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Any:
        key = None if method == "GET" else idempotency_key or str(uuid.uuid4())
        sent = {**(body or {}), "dry_run": True} if dry_run else body
        all_headers: Dict[str, str] = {
            "authorization": f"Bearer {self._api_key}",
            "accept": "application/json",
            "user-agent": f"duka-python/{VERSION}",
        }
        if sent is not None:
            all_headers["content-type"] = "application/json"
        if key is not None:
            all_headers["idempotency-key"] = key
        if wait is not None:
            all_headers["prefer"] = f"wait={wait}"
        for name, value in (headers or {}).items():
            all_headers[name.lower()] = value
        payload = None if sent is None else json.dumps(sent).encode()
        request = (method, path + _search(query), payload, all_headers)
        seconds = self._timeout if timeout is None else timeout
        most = self._max_retries if max_retries is None else max_retries
        retries = 0
        while True:
            try:
                answer = self._wire.exchange(request, key, seconds, cancellation)
                return _read(answer, key)
            except (DukaError, DukaConnectionError) as error:
                if retries >= most or not _is_worth_retrying(error):
                    raise
                pause = _pause_seconds(error, retries)
            if cancellation is None:
                time.sleep(pause)
            else:
                cancellation.wait(pause)
            retries += 1


def _read(answer: Answer, key: Optional[str]) -> Any:
    status, headers, text = answer
    try:
        value = json.loads(text)
    except ValueError as error:
        if 200 <= status < 300:
            raise DukaConnectionError("No whole answer came.", key) from error
        value = None
    if 200 <= status < 300:
        return value
    raise DukaError(status, headers, value if isinstance(value, dict) else {})


def _is_worth_retrying(error: Exception) -> bool:
    """Every request is safe to send again: one that changes something has its key."""
    if not isinstance(error, DukaError):
        return True
    if (error.retry_after or 0) > RETRY_AFTER_SECONDS_MAX:
        return False
    return error.retryable or error.status == 429


def _pause_seconds(error: Exception, retries: int) -> float:
    asked = (error.retry_after or 0) if isinstance(error, DukaError) else 0
    longest = min(BACKOFF_SECONDS_MAX, BACKOFF_SECONDS * 2.0**retries)
    return asked + random.random() * longest


def _search(query: Optional[Mapping[str, Any]]) -> str:
    """`{"limit": 5, "metadata": {"order": "1"}}` → `?limit=5&metadata[order]=1`."""
    pairs: List[Tuple[str, Any]] = []
    for name, value in (query or {}).items():
        if isinstance(value, Mapping):
            pairs += [(f"{name}[{key}]", one) for key, one in value.items()]
        else:
            pairs.append((name, value))
    given = [(name, _text(value)) for name, value in pairs if value is not None]
    return f"?{urlencode(given)}" if given else ""


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
