import type { Fault } from '@tire/kernel';

const slotBeyondTemplate = (list: string): Fault => {
  const param = `${list}[0].slot.image_type`;
  return { param, message: `${param}: the template tire_4t_0s has no slot tire.sidewall.front_left.` };
};

const notJson: Fault = { param: null, message: 'The body is not valid JSON in UTF-8.' };

/** Typical faults of requests and the message of their validation_error, by operation. */
export const INVALID_REQUESTS: Readonly<Record<string, Readonly<Record<string, Fault>>>> = {
  createReport: {
    validation_error: {
      param: 'template',
      message: 'template: must be tire_4t_2s, tire_4t_4s or tire_4t_0s.',
    },
    slot_beyond_template: slotBeyondTemplate('images'),
    private_address: { param: 'images[0].source.url', message: 'images[0].source.url: must be a public address.' },
    idempotency_key: { param: 'Idempotency-Key', message: 'Idempotency-Key: must be 1 to 255 printable ASCII characters.' },
    content_type: { param: 'Content-Type', message: 'The body must be sent as application/json.' },
    not_json: notJson,
  },
  listReports: {
    validation_error: { param: 'created_from', message: 'created_from: must be a time in UTC, as in 2026-11-21T04:05:06Z.' },
    unknown_parameter: { param: 'status', message: 'status: is no parameter of this operation.' },
    cursor: { param: 'cursor', message: 'cursor: is not one of this list.' },
  },
  createUploadTargets: { validation_error: slotBeyondTemplate('slots'), not_json: notJson },
  registerImages: {
    validation_error: slotBeyondTemplate('images'),
    upload_cannot_be_used: {
      param: 'asset_id',
      message:
        'The upload must carry a Cache-Control that allows reuse without revalidation for at most 60 seconds; upload again to a new target.',
    },
    nothing_was_uploaded: { param: 'asset_id', message: 'Nothing was uploaded for this asset in this report and slot.' },
    replace: { param: 'replace', message: 'replace: must be true or false.' },
    not_json: notJson,
  },
  analyzeSlots: {
    validation_error: slotBeyondTemplate('slots'),
    slot_without_image: {
      param: 'slots[0].slot',
      message: 'slots[0].slot: has no image to analyze; upload one and register it.',
    },
    not_json: notJson,
  },
  replayCallbacks: {
    validation_error: { param: 'queued_before', message: 'queued_before: must be later than queued_from.' },
    not_json: notJson,
  },
  listenToCallbacks: {
    validation_error: { param: 'wait_s', message: 'wait_s: must be 0 to 25.' },
    cursor: { param: 'after', message: 'after: is no next_cursor of this operation.' },
  },
  tailRequests: {
    validation_error: { param: 'wait_s', message: 'wait_s: must be 0 to 25.' },
    cursor: { param: 'after', message: 'after: is no next_cursor of this operation.' },
  },
  issueCapture: {
    validation_error: { param: 'report_id', message: 'report_id: is no report whose images are uploaded to be measured.' },
    return_url: { param: 'return_url', message: 'return_url: must be an absolute HTTPS or HTTP URL without user name and password' },
    not_json: notJson,
  },
};
