/** What a partner's engineer reads first; CommonMark of paragraphs, headings, lists and code only. */
export const DESCRIPTION = `Photographs of tires in, a measured, readable, shareable inspection report out. One photograph per slot: a position of the vehicle combined with \`tread\` or \`sidewall\`.

## The way of a report

1. \`POST /reports\` with the addresses of the photographs (customer URL mode), or without: then the answer holds an upload target per slot (Pre-Signed mode).
2. Pre-Signed mode only: PUT each photograph, JPEG or PNG as raw bytes, to its \`upload_url\` with the \`required_headers\` of its target, then \`POST /reports/{report_id}/images\` with what was uploaded. The PUT goes to the storage, without the API key, and must carry \`Cache-Control: max-age=60\` or less: otherwise it succeeds and is refused at registration.
3. \`GET /reports/{report_id}\` until \`analysis_status\` is \`complete\`, \`partial\` or \`failed\`. A \`callback_url\` is told when to look.
4. \`GET /reports/{report_id}/content\` for verdicts and texts (ko-KR); show them, and decide on codes, never on display text.
5. Publication is automatic; \`share_url\` of the creation opens then.

A slot that failed is not an error of a call: \`slots[].analysis.error\` says why. Measure it again with \`POST /reports/{report_id}/analyze\`, or take a new photograph: upload targets, PUT, \`POST /reports/{report_id}/images?replace=true\`.

## Contracts

- \`report.v1\` holds objective data, \`report-content.v1\` display content. Within a version no field changes its meaning, and fields may be added: ignore those you do not know, and stop at a \`schema_version\` that you do not know.
- Fields that a contract requires are always present, \`null\` where there is no value.
- In requests unknown fields are ignored, and \`null\` stands for an optional field that is absent. Ids are UUIDs, times ISO 8601 in UTC.
- Positions and sides are those of the vehicle seen in driving direction. \`wear_pattern.worn_shoulder\` is left or right of the vehicle: the outside of a left tire is left, the outside of a right tire is right.

## Errors

- Every error has the body of ErrorEnvelope. Branch on \`type\` and \`code\`; \`message\` is for people and may change; \`param\` names the offending field.
- Checks come in this order: 401, 403, 404, 409 of a discarded or purged report, 422, other 409.
- Repeat only what is \`retryable\`, after \`Retry-After\` where there is one, with exponential backoff and jitter. A creation is safe to repeat with its \`Idempotency-Key\` and the same body.
- Every answer has an \`X-Request-Id\`: name it when you ask about a call.

## Limits

- A body has at most 256 KiB; a photograph 20 MB, best 1920 pixels on its long side.
- Addresses of photographs are public HTTPS without user name and password, with at most 3 redirects, answered within 15 seconds.
- Upload targets hold for 7200 seconds.
- No request rate is promised and none is fixed: 429 may come at any time.`;
