"""Callbacks, signed as Standard Webhooks describe."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterable
from typing import Any, Literal, Protocol, TypedDict, cast

from .errors import WebhookVerificationError
from .models import CaptureFinished, ContentReady, ReportCompleted, ReportFailed, ReportPartial, ShareRevoked


class CallbackTest(TypedDict):
    """The console sends it when a member tests an address."""

    type: Literal["callback.test"]
    timestamp: str
    data: dict[str, Any]


#: All but `report.completed` come only where the project has chosen them in the console.
WebhookEvent = ReportCompleted | ReportPartial | ReportFailed | ContentReady | ShareRevoked | CaptureFinished | CallbackTest


#: The service signs with each secret that is valid, two while one is being replaced.
SIGNATURES_MAX = 10
#: Until the year 33658. A number of any length would cost time, and raise another error.
TIMESTAMP_DIGITS_MAX = 12


class Headers(Protocol):
    """A dict, or the headers of http.server, of Django, Flask, Starlette or httpx."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("secret must be the webhook secret as the console shows it.")
    return key


def _signatures(header: str) -> Iterable[bytes]:
    of_version_1 = [one.removeprefix("v1,") for one in header.split(" ") if one.startswith("v1,")]
    for text in of_version_1[:SIGNATURES_MAX]:
        try:
            yield base64.b64decode(text, validate=True)
        # Also where the text is not ASCII.
        except ValueError:
            continue


def _is_time(text: str) -> bool:
    return len(text) <= TIMESTAMP_DIGITS_MAX and text.isascii() and text.isdigit()


def verify_webhook(
    payload: bytes | str,
    headers: Headers,
    secret: str | Iterable[str],
    *,
    tolerance_seconds: float = 300,
) -> WebhookEvent:
    """Checks a callback and returns its event. It may come more than once, with the same `webhook-id`.

    `payload` is the raw body: an object that was parsed and written again has another signature. Give several secrets
    while one is being replaced. Ignore events of a type that you do not know.
    """
    if not isinstance(payload, (bytes, str)):
        raise TypeError("payload must be the raw body: an object that was parsed has another signature.")
    # Text that is no Unicode has a signature of nobody.
    body = payload.encode(errors="surrogatepass") if isinstance(payload, str) else payload
    found = {name.lower(): value for name, value in headers.items()}
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    identifier, timestamp, signatures = (found.get(name, "") for name in names)
    if not (identifier and timestamp and signatures):
        raise WebhookVerificationError("The headers of the signature are missing.")
    if not _is_time(timestamp) or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("The time of the callback is outside of the tolerance.")
    signed = f"{identifier}.{timestamp}.".encode(errors="surrogatepass") + body
    secrets = [secret] if isinstance(secret, str) else list(secret)
    expected = [hmac.new(_key(one), signed, hashlib.sha256).digest() for one in secrets]
    if not any(hmac.compare_digest(given, one) for given in _signatures(signatures) for one in expected):
        raise WebhookVerificationError("No signature is that of the secret.")
    try:
        return cast(WebhookEvent, json.loads(body))
    except ValueError:
        raise WebhookVerificationError("The body is not JSON.") from None
