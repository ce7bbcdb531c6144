"""Requests and answers of httpx, for both clients."""

from __future__ import annotations

import contextlib
import contextvars
import datetime
import email.utils
import logging
from collections.abc import Iterator
from typing import Any

import httpx

from ._flows import Answer, Call, Policy, Put
from .errors import ConnectionFailed, TireInspectionError, UploadError, api_error

#: A photograph on a slow connection.
UPLOAD_TIMES = 4

_uploading: contextvars.ContextVar[bool] = contextvars.ContextVar("tire_inspection_uploading", default=False)


#: The second one is that of httpx before 0.24.
LOGGERS = ("httpx", "httpx._client")


class _NoSignedAddress(logging.Filter):
    """httpx logs the address of each request, and that of an upload is signed."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not _uploading.get()


_NO_SIGNED_ADDRESS = _NoSignedAddress()


@contextlib.contextmanager
def unlogged() -> Iterator[None]:
    token = _uploading.set(True)
    try:
        yield
    finally:
        _uploading.reset(token)


def read_retry_after(value: str | None) -> float | None:
    """Seconds or an HTTP date."""
    if not value:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        at = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    now = datetime.datetime.now(datetime.timezone.utc)
    return max((at.astimezone(datetime.timezone.utc) - now).total_seconds(), 0.0)


class Requests:
    """What a client sends, and how it reads the answers. It shows no key in its repr."""

    def __init__(self, api_key: str, base_url: str, policy: Policy) -> None:
        # Checked here, because httpx would quote a header that it does not take.
        if not api_key or not api_key.isascii() or not api_key.isprintable() or " " in api_key:
            raise ValueError("api_key must be the key as the console shows it.")
        if not base_url.startswith(("http://", "https://")):
            raise ValueError("base_url must be an HTTP address.")
        self._authorization = f"Bearer {api_key}"
        self._base_url = base_url.rstrip("/")
        self.policy = policy
        for name in LOGGERS:
            # Adding it again changes nothing.
            logging.getLogger(name).addFilter(_NO_SIGNED_ADDRESS)

    def request(self, client: httpx.Client | httpx.AsyncClient, effect: Call | Put) -> httpx.Request:
        if isinstance(effect, Put):
            timeout = httpx.Timeout(self.policy.timeout * UPLOAD_TIMES)
            return client.build_request(
                "PUT", effect.url, headers=dict(effect.headers), content=effect.read(), timeout=timeout
            )
        headers = {**effect.headers, "Accept": "application/json", "Authorization": self._authorization}
        return client.build_request(
            effect.method,
            f"{self._base_url}{effect.path}",
            params=dict(effect.query),
            headers=headers,
            json=effect.body,
            timeout=httpx.Timeout(effect.timeout or self.policy.timeout),
        )


def failed(effect: Call | Put, error: httpx.HTTPError) -> ConnectionFailed:
    """By the kind of the fault only: messages of httpx may repeat an address, and the error has the whole request."""
    what = f"The upload of {effect.slot_id}" if isinstance(effect, Put) else f"{effect.method} {effect.path}"
    timed_out = isinstance(error, httpx.TimeoutException)
    kind = "no answer in time" if timed_out else type(error).__name__
    return ConnectionFailed(f"{what}: {kind}", timed_out=timed_out)


def read(effect: Call | Put, response: httpx.Response) -> Answer[Any] | TireInspectionError:
    retry_after = read_retry_after(response.headers.get("retry-after"))
    status = response.status_code
    if isinstance(effect, Put):
        if status // 100 != 2:
            return UploadError(effect.slot_id, status, retry_after)
        return Answer(status, None, response.headers, retry_after)
    body: Any = None
    parsed = not response.content
    if response.content and "json" in response.headers.get("content-type", ""):
        try:
            body = response.json()
            parsed = True
        except ValueError:
            pass
    if status // 100 != 2 and status != 304:
        request_id = response.headers.get("x-request-id")
        return api_error(body, status=status, request_id=request_id, retry_after=retry_after)
    if not parsed:
        return ConnectionFailed(f"{effect.method} {effect.path}: the answer is not JSON")
    return Answer(status, body, response.headers, retry_after)
