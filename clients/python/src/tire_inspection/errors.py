"""Every error of this package. None of them holds the API key, a webhook secret or a signed address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .models import Report


def _restored(kind: type[TireInspectionError], args: tuple[Any, ...], facts: dict[str, Any]) -> TireInspectionError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(facts)
    return error


class TireInspectionError(Exception):
    """The base of all errors of this package."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the constructors, which take other arguments than the text. Other processes send errors back so.
        return _restored, (type(self), self.args, self.__dict__)


class ApiError(TireInspectionError):
    """What an answer of the service said. Branch on the class or on `code`; the text is for people and may change."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        type: str = "api_error",  # noqa: A002 -- the name of the field
        param: str | None = None,
        errors: list[dict[str, Any]] | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        request_id: str | None = None,
        report_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        #: One of the codes of the document, or `http_502` where something in between answered instead of the service.
        self.code = code
        self.type = type
        #: The place of the first fault in the request: `images[0].slot.image_type`.
        self.param = param
        #: Every fault that was found.
        self.errors = errors or [{"param": param, "message": message}]
        self.retryable = retryable
        self.retry_after = retry_after
        #: `X-Request-Id` of the answer: name it when you ask for help.
        self.request_id = request_id
        #: With `idempotency_conflict` of an external_inspection_id: the report that exists.
        self.report_id = report_id


class UnauthorizedError(ApiError):
    pass


class ForbiddenError(ApiError):
    pass


class NotFoundError(ApiError):
    pass


class IdempotencyConflictError(ApiError):
    pass


class IdempotencyInProgressError(ApiError):
    pass


class SlotAlreadySucceededError(ApiError):
    pass


class ReportDiscardedError(ApiError):
    pass


class ReportPurgePendingError(ApiError):
    pass


class ContentUnavailableForLegacyError(ApiError):
    pass


class PublishRequirementsUnmetError(ApiError):
    pass


class ValidationError(ApiError):
    pass


class RateLimitedError(ApiError):
    pass


class DiscardIncompleteError(ApiError):
    pass


class InternalError(ApiError):
    pass


CLASSES: Mapping[str, type[ApiError]] = {
    "unauthorized": UnauthorizedError,
    "forbidden": ForbiddenError,
    "not_found": NotFoundError,
    "idempotency_conflict": IdempotencyConflictError,
    "idempotency_in_progress": IdempotencyInProgressError,
    "slot_already_succeeded": SlotAlreadySucceededError,
    "report_discarded": ReportDiscardedError,
    "report_purge_pending": ReportPurgePendingError,
    "content_unavailable_for_legacy": ContentUnavailableForLegacyError,
    "publish_requirements_unmet": PublishRequirementsUnmetError,
    "validation_error": ValidationError,
    "rate_limited": RateLimitedError,
    "discard_incomplete": DiscardIncompleteError,
    "internal_error": InternalError,
}

# Something in between, such as a proxy, answers without the envelope.
RETRYABLE_STATUSES = frozenset({408, 429, 502, 503, 504})


def api_error(body: object, *, status: int, request_id: str | None, retry_after: float | None) -> ApiError:
    facts: dict[str, Any] = {"status": status, "request_id": request_id, "retry_after": retry_after}
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and isinstance(error.get("code"), str) and isinstance(error.get("message"), str):
        return CLASSES.get(error["code"], ApiError)(
            error["message"],
            code=error["code"],
            type=str(error.get("type", "api_error")),
            param=error.get("param"),
            errors=error.get("errors"),
            retryable=error.get("retryable") is True,
            report_id=error.get("report_id"),
            **facts,
        )
    message = f"The answer has status {status} and is not from the service."
    return ApiError(message, code=f"http_{status}", retryable=status in RETRYABLE_STATUSES, **facts)


class ConnectionFailed(TireInspectionError):
    """There was no answer, or none in time. The request may have been carried out."""

    def __init__(self, message: str, *, timed_out: bool = False) -> None:
        super().__init__(message)
        self.timed_out = timed_out


class UploadError(TireInspectionError):
    """The storage did not take an image."""

    def __init__(self, slot_id: str, status: int, retry_after: float | None = None) -> None:
        super().__init__(f"The upload of {slot_id} was answered with status {status}.")
        self.slot_id = slot_id
        self.status = status
        self.retry_after = retry_after


class ImageFileError(TireInspectionError, ValueError):
    """A file that was given is no image that the service takes. Nothing was sent."""

    def __init__(self, slot_id: str, fault: str) -> None:
        super().__init__(f"{slot_id}: {fault}")
        self.slot_id = slot_id


class WaitTimeout(TireInspectionError, TimeoutError):
    """The awaited state did not come before the deadline."""

    def __init__(self, what: str, timeout: float, report: Report | None) -> None:
        super().__init__(f"{what} did not come within {timeout:g} s.")
        #: As it was read last; None if no read succeeded.
        self.report = report


class ReportOutcomeError(TireInspectionError):
    """The report ended in another state than the awaited one, and no longer wait would change that."""

    def __init__(self, wanted: str, report: Report) -> None:
        states = f"its analysis is {report['analysis_status']} and it is {report['publication_status']}"
        super().__init__(f"The report will not be {wanted}: {states}.")
        self.report = report


class WebhookVerificationError(TireInspectionError):
    """The callback is not from the service, or it is too old. Do not act on it."""
