"""What the synchronous and the asynchronous client do, without input and output: generators that yield a request, a
pause or several flows at once, and get the result sent back."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

from .errors import (
    ApiError,
    ConnectionFailed,
    ReportOutcomeError,
    TireInspectionError,
    UploadError,
    WaitTimeout,
)
from .models import Report

T = TypeVar("T")

#: A longer Retry-After is the caller's to wait for: the error has it.
RETRY_AFTER_MAX = 120.0
DELAY_MAX = 20.0
POLL_GROWTH = 1.5
POLL_MAX = 10.0


@dataclass(frozen=True)
class Policy:
    max_retries: int
    #: The longest first pause in seconds; each further one may be twice as long.
    retry_delay: float
    timeout: float


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: A second execution would do something else than the first one: repeated only if the service refused it unread.
    once: bool = False
    #: Less than that of the client where a deadline is near.
    timeout: float | None = None


@dataclass(frozen=True)
class Put:
    """An upload to a signed address, without the API key."""

    slot_id: str
    url: str
    headers: Mapping[str, str]
    read: Callable[[], bytes]


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class AtOnce:
    """Flows beside each other. The first fault ends the others."""

    flows: Sequence[Flow[Any]]
    limit: int


@dataclass(frozen=True)
class Answer(Generic[T]):
    status: int
    body: T
    headers: Mapping[str, str]
    retry_after: float | None


Effect = Call | Put | Pause | AtOnce
Flow = Generator[Effect, Any, T]


class Deadline:
    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._at = time.monotonic() + timeout

    @property
    def left(self) -> float:
        return max(self._at - time.monotonic(), 0.0)


class DeadlinePassed(Exception):
    pass


def backoff(attempt: int, delay: float) -> float:
    """Exponential, with jitter: between half of the delay and all of it."""
    return float(min(delay * 2**attempt, DELAY_MAX) * (0.5 + random.random() / 2))


def pausing(seconds: float, deadline: Deadline | None) -> Flow[None]:
    if deadline is not None and deadline.left <= seconds:
        yield Pause(deadline.left)
        raise DeadlinePassed
    yield Pause(seconds)


def _may_repeat(effect: Call | Put, error: TireInspectionError) -> tuple[bool, float | None]:
    if isinstance(error, UploadError):
        return error.status in (408, 429) or error.status >= 500, error.retry_after
    once = isinstance(effect, Call) and effect.once
    if isinstance(error, ApiError):
        return error.retryable and (not once or error.status == 429), error.retry_after
    return isinstance(error, ConnectionFailed) and not once, None


def sent(effect: Call | Put, policy: Policy, deadline: Deadline | None = None) -> Flow[Answer[Any]]:
    """Repeats what may be repeated, after the pause that the answer asked for or the backoff, whichever is longer."""
    attempt = 0
    while True:
        left = policy.timeout if deadline is None else deadline.left
        if left == 0:
            raise DeadlinePassed
        if left < policy.timeout and isinstance(effect, Call):
            effect = replace(effect, timeout=left)
        try:
            answer: Answer[Any] = yield effect
            return answer
        except TireInspectionError as error:
            if left < policy.timeout and isinstance(error, ConnectionFailed) and error.timed_out:
                raise DeadlinePassed from None
            again, retry_after = _may_repeat(effect, error)
            if not again or attempt >= policy.max_retries or (retry_after or 0) > RETRY_AFTER_MAX:
                raise
        yield from pausing(max(retry_after or 0.0, backoff(attempt, policy.retry_delay)), deadline)
        attempt += 1


def body_of(call: Call, policy: Policy) -> Flow[Any]:
    return (yield from sent(call, policy)).body


Until = str | Callable[[Report], bool]


def is_reached(report: Report, until: Until) -> bool:
    """True when it is reached, False while it may come; raises when it cannot come by waiting."""
    if callable(until):
        return until(report)
    status = report["analysis_status"]
    has_ended = status in ("complete", "partial", "failed")
    if until == "finished":
        return has_ended
    if until not in ("complete", "published"):
        raise ValueError("until must be 'finished', 'complete', 'published' or a function of the report.")
    if has_ended and status != "complete":
        raise ReportOutcomeError(until, report)
    if until == "complete":
        return status == "complete"
    if report["publication_status"] == "revoked":
        raise ReportOutcomeError(until, report)
    return status == "complete" and report["publication_status"] == "published"


def polled(
    what: str,
    call: Call,
    is_last: Callable[[Any], bool],
    policy: Policy,
    *,
    timeout: float,
    poll: float,
) -> Flow[Any]:
    """Reads until the answer is the last one. The deadline also ends the pauses of retries."""
    deadline = Deadline(timeout)
    last: Any = None
    delay = poll
    try:
        while True:
            answer = yield from sent(call, policy, deadline)
            last = answer.body
            if is_last(last):
                return last
            yield from pausing(max(answer.retry_after or 0.0, backoff(0, delay)), deadline)
            delay = min(delay * POLL_GROWTH, POLL_MAX)
    except DeadlinePassed:
        pass
    is_report = isinstance(last, dict) and last.get("schema_version") == "report.v1"
    raise WaitTimeout(what, timeout, cast(Report, last) if is_report else None)
