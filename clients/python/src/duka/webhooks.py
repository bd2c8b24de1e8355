from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import threading
import time
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    List,
    Literal,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    Union,
    cast,
)

if TYPE_CHECKING:
    from .types import WebhookEvent

Reason = Literal["missing_header", "too_old", "too_new", "wrong_signature"]


class Headers(Protocol):
    """A dict, or what frameworks have instead."""

    def items(self) -> Iterable[Tuple[str, str]]: ...


class WebhookVerificationError(Exception):
    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify_webhook(
    raw_body: Union[bytes, str],
    headers: Headers,
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
) -> WebhookEvent:
    """The event, if it was signed with one of the secrets (Standard Webhooks 1.0.0).

    `raw_body`: the very bytes that came. Two secrets: while one is replaced by the
    other. `tolerance`: how far, in seconds, `webhook-timestamp` may be from now.
    """
    found = {name.lower(): value for name, value in headers.items()}
    key, timestamp = found.get("webhook-id"), found.get("webhook-timestamp")
    signatures = found.get("webhook-signature")
    if not key or not timestamp or not signatures or not _is_number(timestamp):
        raise WebhookVerificationError(
            "missing_header", "A header of the webhook is missing or malformed."
        )
    age = int(time.time()) - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError("too_old", "The webhook is too old.")
    if age < -tolerance:
        raise WebhookVerificationError("too_new", "The webhook is of the future.")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    signed = f"{key}.{timestamp}.".encode() + body
    versioned = [one.partition(",") for one in signatures.split(" ")]
    candidates = [_decoded(text) for version, _, text in versioned if version == "v1"]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = hmac.new(_key(secret), signed, hashlib.sha256).digest()
        for candidate in candidates:
            if candidate is not None and hmac.compare_digest(candidate, expected):
                return cast("WebhookEvent", json.loads(body))
    raise WebhookVerificationError(
        "wrong_signature", "No signature of the webhook is by a secret that is known."
    )


def is_newer(kept: Optional[Mapping[str, Any]], event: Mapping[str, Any]) -> bool:
    """Whether the object of an event is newer than the copy that is kept of it."""
    return kept is None or _version(event["data"]["object"]) > _version(kept)


class EventOrder:
    """Lets each version of an object through once, and none behind a newer one.
    Remembers in memory.
    """

    def __init__(self) -> None:
        self._kept: Dict[str, Dict[str, Any]] = {}
        self._lock = threading.Lock()

    def accept(self, event: Mapping[str, Any]) -> bool:
        """False: drop the event."""
        found = event["data"]["object"]
        key = found.get("id")
        # What has no id is nothing that changes.
        if not isinstance(key, str):
            return True
        with self._lock:
            if not is_newer(self._kept.get(key), event):
                return False
            self._kept[key] = {"version": found.get("version")}
            return True


def _version(found: Mapping[str, Any]) -> int:
    version = found.get("version")
    return version if isinstance(version, int) else -1


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _key(secret: str) -> bytes:
    key = _decoded(secret[6:] if secret.startswith("whsec_") else secret)
    if not key:
        raise ValueError("A secret of a webhook is whsec_ and base64.")
    return key


def _decoded(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
