export { TireInspection } from './client.ts';
export type { ReplayOptions, RequestLog, Vehicles, Webhooks } from './client.ts';
export type { FollowOptions } from './following.ts';
export type { Reports, CreatedFromFiles, CreateFromFilesRequest } from './reports.ts';
export type { ClientSettings } from './http.ts';
export type { ImageFile } from './files.ts';
export type { ImageFiles, UploadOptions } from './uploads.ts';
export type { Until, WaitOptions } from './waiting.ts';
export { slotId, slotOf } from './types.ts';
export type * from './types.ts';
export {
  ApiError,
  ConnectionError,
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
  WaitTimeoutError,
  WebhookVerificationError,
} from './errors.ts';
export type { ErrorCode } from './errors.ts';
export { verifyWebhook } from './webhooks.ts';
export type { CallbackTest, SignedCallback, WebhookEvent } from './webhooks.ts';
