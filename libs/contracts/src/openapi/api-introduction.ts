/** The introduction of the API reference; CommonMark. */
export const DESCRIPTION = `The service measures photographs of tires and makes an inspection report that can be read and shared. A report has one image per slot. A slot is a position of the vehicle combined with \`tread\` or \`sidewall\`.

## From creation to a result

1. \`POST /reports\` with the addresses of the images (customer URL mode), or without images: then the response holds one upload target per slot (Pre-Signed mode).
2. Pre-Signed mode only: PUT each image, JPEG or PNG as raw bytes, to its \`upload_url\` with the \`required_headers\` of its target, then \`POST /reports/{report_id}/images\` with the uploaded assets. The PUT goes to the storage, without the API key, and must have \`Cache-Control: max-age=60\` or less: otherwise the PUT succeeds and the registration refuses the asset.
3. \`GET /reports/{report_id}\` until \`analysis_status\` is \`complete\`, \`partial\` or \`failed\`. A \`callback_url\` is notified when the report is complete.
4. \`GET /reports/{report_id}/content\` for verdicts and texts (ko-KR, or en-US where the report was created with that locale). Show the texts, but base decisions on codes, never on display text.
5. Publication is automatic; then the \`share_url\` of the creation opens.

A failed slot is not an error of a request: \`slots[].analysis.error\` holds the reason. Analyze it again with \`POST /reports/{report_id}/analyze\`, or supply a new image: upload targets, PUT, \`POST /reports/{report_id}/images?replace=true\`.

## Contracts

- \`report.v1\` holds objective data, \`report-content.v1\` display content. Within a version no field changes its meaning. Fields may be added: ignore unknown fields, and stop at an unknown \`schema_version\`.
- Required fields of a contract are always present; a missing value is \`null\`.
- In requests unknown fields are ignored; the response of a creation lists those that look misspelled in \`warnings\`.
- In requests \`null\` means that an optional field is absent. Ids are UUIDs, times ISO 8601 in UTC.
- Positions and sides are those of the vehicle seen in driving direction. \`wear_pattern.worn_shoulder\` is left or right of the vehicle: the outside of a left tire is left, the outside of a right tire is right.

## Errors

- Every error has the body of ErrorEnvelope. Branch on \`type\` and \`code\`; \`message\` is for people and may change; \`param\` names the offending field, and \`errors\` every fault that was found.
- A path that exists gives 405 with \`Allow\` for a method that it does not have.
- Checks come in this order: 401, 403, 404, 409 of a discarded or purged report, 422, other 409.
- Retry only if \`retryable\` is true, after \`Retry-After\` if it is present, with exponential backoff and jitter. A creation is safe to retry with its \`Idempotency-Key\` and the same body.
- Every response has an \`X-Request-Id\`: name it when you ask for help.

## Limits

- A body has at most 256 KiB, an image at most 20 MB. 1920 pixels on the long side are recommended.
- Addresses of images are public HTTPS without user name and password, with at most 3 redirects and a response within 15 seconds.
- Upload targets are valid for 7200 seconds.
- There is no fixed request rate: 429 may come at any time.`;
