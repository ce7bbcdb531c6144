import type { AnalysisErrorCode } from '@tire/kernel';
import type { ErrorText, RequestCode } from './index';

export const REQUESTS: Readonly<Record<RequestCode, ErrorText>> = {
  unauthorized: {
    cause:
      'The `Authorization` header is missing, has another form than `Bearer <key>`, or holds a key that is unknown or revoked. `message` tells a missing header from a wrong key.',
    remedy:
      'Send `Authorization: Bearer` and the whole key. A key is shown once, when it is created; if you have lost it, create another one in the console and revoke the old one.',
  },
  forbidden: {
    cause: 'The key is valid, but it has no scope for this operation. For example, a key with `report:read` cannot create reports.',
    remedy: 'Use a key with the scope that the API reference names for the operation. `report:*` has all of them.',
  },
  not_found: {
    cause:
      'There is no such report, content revision or vehicle in the project of the key, or the path does not exist. Reports of other projects, of the other mode (test, live) and discarded reports are "not found" too.',
    remedy: 'Check the id, and whether the key belongs to the project that created the report. Do not retry.',
  },
  idempotency_conflict: {
    cause:
      'The same `Idempotency-Key` came with another body, or the same `external_inspection_id` came with another template, content profile or vehicle. `errors` names what differs, and `report_id` is the report that exists.',
    remedy:
      'To repeat a request, send exactly the same body. For another inspection use a new key and a new `external_inspection_id`. To go on with the existing report, read `report_id`.',
  },
  idempotency_in_progress: {
    cause: 'The first request with this key, or for this inspection, is still running.',
    remedy: 'Send the same request again after `Retry-After`. You then get the response of the first one.',
  },
  slot_already_succeeded: {
    cause: 'A new image was registered for a slot that has a result, or whose image is being replaced.',
    remedy: 'If the image shall be replaced, register it with `?replace=true`. Otherwise leave the slot out.',
  },
  report_discarded: {
    cause: 'The report was discarded. It cannot be changed or restored.',
    remedy: 'Create a new report, with a new `external_inspection_id`.',
  },
  report_purge_pending: {
    cause: 'The report belongs to a test project, has passed its age, and is being removed.',
    remedy: 'Create a new report. A retry is answered `report_discarded` or 404 when the removal has ended.',
  },
  content_unavailable_for_legacy: {
    cause: 'The report is older than versioned content and has none.',
    remedy: 'Read its measurements with `GET /reports/{report_id}`. For content create a new report.',
  },
  publish_requirements_unmet: {
    cause: 'Too few slots have succeeded for the rules in `template.requirements`, so the share page cannot be published.',
    remedy: 'Replace the images of the slots that failed, or analyze them again. Publication is automatic when the rules are met.',
  },
  validation_error: {
    cause:
      'A field, a header or a parameter is not valid. `param` names the first place, for example `images[0].slot.image_type`, and `errors` lists every fault. `param: asset_id` means that an upload was refused: it is missing, empty, too large, neither JPEG nor PNG, or its `Cache-Control` allows more than 60 seconds.',
    remedy:
      'Correct the request as `message` says. If an upload was refused, request new upload targets and upload again; the same `asset_id` is always refused.',
  },
  rate_limited: {
    cause:
      'The key or its project sent too many requests, has too many at the same time, or the service is overloaded. With `POST /webhooks/replay`: 1,000 callbacks that were sent again still wait.',
    remedy:
      'Wait for `Retry-After`, then repeat with exponential backoff and jitter, at lower concurrency. Keep the body and the `Idempotency-Key`.',
  },
  discard_incomplete: {
    cause: 'The report is closed to everybody, but some of its data is not removed yet.',
    remedy: 'Repeat the same `DELETE` until it is answered 200.',
  },
  internal_error: {
    cause: 'The service has a fault (500), or a part of it is not available at the moment (503).',
    remedy:
      'Repeat with exponential backoff and jitter, after `Retry-After` if it is present. If it lasts, send the `X-Request-Id` of a response to support.',
  },
};

export const REFUSALS: Readonly<Record<number, ErrorText>> = {
  400: { cause: 'The body is not valid JSON, or the request is malformed.', remedy: 'Send JSON in UTF-8.' },
  405: { cause: 'The path exists, but does not have this method.', remedy: 'Use a method that the header `Allow` names.' },
  408: {
    cause: 'The whole request did not arrive within ten seconds.',
    remedy: 'Repeat it on a better connection. Images do not belong in a request body.',
  },
  411: { cause: 'The request has a body of unknown length.', remedy: 'Send `Content-Length`.' },
  413: { cause: 'The body is larger than 256 KiB.', remedy: 'Send images to their upload addresses, not in the body.' },
  414: { cause: 'The address is too long.', remedy: 'Shorten the parameters.' },
  415: { cause: 'The body has another media type.', remedy: 'Send `Content-Type: application/json`.' },
  431: { cause: 'The headers are too large.', remedy: 'Send fewer or shorter headers.' },
};

export const ANALYSES: Readonly<Record<AnalysisErrorCode, ErrorText>> = {
  analysis_failed: {
    cause: 'The analysis of the image failed inside the service.',
    remedy: 'Call `POST /reports/{report_id}/analyze`. If it fails again, replace the image.',
  },
  image_unreachable: {
    cause: 'The image address could not be reached, or answered with an error or with something that is not an image.',
    remedy: 'Open the address without signing in. When it works, analyze again, or upload the image.',
  },
  image_fetch_timeout: {
    cause: 'The image did not arrive within 15 seconds.',
    remedy: 'Serve smaller images (1920 pixels on the long side) from a faster place, and analyze again.',
  },
  image_too_large: {
    cause: 'The image has more than 20 MB, or too many pixels.',
    remedy: 'Reduce it to 1920 pixels on the long side and replace it.',
  },
  image_url_forbidden: {
    cause: 'The address, or a redirect, leads to a place that is not public HTTPS, or there were more than 3 redirects.',
    remedy: 'Use a public HTTPS address without user name and password, or upload the image.',
  },
  image_format_unsupported: {
    cause: 'The file is neither JPEG nor PNG, whatever its name says.',
    remedy: 'Convert it (HEIC, WebP) and replace it.',
  },
  image_undecodable: {
    cause: 'The file is damaged or incomplete.',
    remedy: 'Send the file again as the camera wrote it, with `images?replace=true`.',
  },
  image_too_small: {
    cause: 'The image has too few pixels to be measured.',
    remedy: 'Take a photograph with 1920 pixels on the long side and replace the image.',
  },
  tread_not_found: {
    cause: 'The image shows no tread that can be measured: it is too dark, too far away, at an angle, or of something else.',
    remedy:
      'Face the tread straight, fill the photograph with it, both edges inside, in good light. Then replace the image. `slots[].analysis` has a retake advice where the reason is known.',
  },
  sidewall_not_found: {
    cause: 'The image shows no sidewall.',
    remedy: 'Take the whole wheel from its side, sharply, and replace the image.',
  },
};

export const CONTENTS: Readonly<Record<string, ErrorText>> = {
  content_source_incomplete: {
    cause: 'The analysis ended, but slots that the content needs have failed. The response is 200 with `status: failed`.',
    remedy: 'Repair the failed slots of the report: analyze them again, or replace their images.',
  },
};
