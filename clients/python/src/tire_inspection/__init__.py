"""Client of the Tire Inspection Report Service."""

from . import models
from ._files import ImageFile
from ._operations import CreatedFromFiles
from .async_client import AsyncTireInspection
from .client import TireInspection
from .errors import (
    ApiError,
    ConnectionFailed,
    ContentUnavailableForLegacyError,
    DiscardIncompleteError,
    ForbiddenError,
    IdempotencyConflictError,
    IdempotencyInProgressError,
    ImageFileError,
    InternalError,
    NotFoundError,
    PublishRequirementsUnmetError,
    RateLimitedError,
    ReportDiscardedError,
    ReportOutcomeError,
    ReportPurgePendingError,
    SlotAlreadySucceededError,
    TireInspectionError,
    UnauthorizedError,
    UploadError,
    ValidationError,
    WaitTimeout,
    WebhookVerificationError,
)
from .webhooks import CallbackTest, WebhookEvent, verify_webhook

__all__ = [
    "ApiError",
    "AsyncTireInspection",
    "CallbackTest",
    "ConnectionFailed",
    "ContentUnavailableForLegacyError",
    "CreatedFromFiles",
    "DiscardIncompleteError",
    "ForbiddenError",
    "IdempotencyConflictError",
    "IdempotencyInProgressError",
    "ImageFile",
    "ImageFileError",
    "InternalError",
    "NotFoundError",
    "PublishRequirementsUnmetError",
    "RateLimitedError",
    "ReportDiscardedError",
    "ReportOutcomeError",
    "ReportPurgePendingError",
    "SlotAlreadySucceededError",
    "TireInspection",
    "TireInspectionError",
    "UnauthorizedError",
    "UploadError",
    "ValidationError",
    "WaitTimeout",
    "WebhookEvent",
    "WebhookVerificationError",
    "models",
    "verify_webhook",
]
