"""Does with the Python client what it reads: see client-runner.ts."""

import json
import sys

import duka

KINDS = [
    (duka.DukaError, "api"),
    (duka.DukaTimeoutError, "timeout"),
    (duka.DukaConnectionError, "connection"),
    (duka.DukaCancelledError, "aborted"),
]


def in_seconds(given):
    """Times of the table are in milliseconds."""
    taken = dict(given)
    if "timeout_ms" in taken:
        taken["timeout"] = taken.pop("timeout_ms") / 1000
    return taken


def call(asked):
    client = duka.Duka(**in_seconds(asked["client"]))
    options = in_seconds(asked["options"])
    if "abort_after_ms" in options:
        after = options.pop("abort_after_ms") / 1000
        options["cancellation"] = duka.Cancellation(after)
    method = getattr(getattr(client, asked["resource"]), asked["name"])
    try:
        answer = method(*asked["arguments"], **options)
        if asked["take"] == "items":
            return {"got": list(answer)}
        return {"got": answer.page() if asked["take"] == "page" else answer}
    except tuple(kind for kind, _ in KINDS) as error:
        kind = next(name for kind, name in KINDS if isinstance(error, kind))
        return {"failed": {**vars(error), "kind": kind, "message": str(error)}}


def verify(asked):
    tolerance = asked.get("tolerance_seconds")
    more = {} if tolerance is None else {"tolerance": tolerance}
    secrets = asked["secrets"] if len(asked["secrets"]) > 1 else asked["secrets"][0]
    try:
        for body in (asked["body"], asked["body"].encode()):
            event = duka.verify_webhook(body, asked["headers"], secrets, **more)
        return {"got": event}
    except duka.WebhookVerificationError as error:
        return {"failed": {"reason": error.reason}}


def order(asked):
    events, kept, told = duka.EventOrder(), {}, []
    for index in asked["sequence"]:
        event = asked["events"][index]
        found = event["data"]["object"]
        newer = duka.is_newer(kept.get(found["id"]), event)
        if newer:
            kept[found["id"]] = found
        told.append([events.accept(event), newer])
    return {"got": told}


DEEDS = {"call": call, "verify": verify, "order": order}
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(DEEDS[asked["do"]](asked)), flush=True)
