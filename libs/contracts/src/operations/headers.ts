const wholeNumber = { type: 'integer', minimum: 0 };
const text = { type: 'string' };

/** The headers of responses; a response refers to those that it has. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'The id of this request in the logs of the service: the X-Request-Id of the request if it is valid, else a new one.',
    required: true,
    schema: text,
    example: '0c4d8b86-6f0e-4d0e-9d3c-6a4b5f1f7c11',
  },
  'Retry-After': { description: 'Seconds to wait; the basis of the backoff.', schema: wholeNumber, example: 5 },
  'RateLimit-Remaining': {
    description: 'Requests that the key has left now; not guaranteed.',
    schema: wholeNumber,
    example: 1_999,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the key has its whole allowance again; not guaranteed.',
    schema: wholeNumber,
    example: 1,
  },
  'WWW-Authenticate': { description: 'The expected scheme: Bearer.', schema: text, example: 'Bearer' },
  ETag: {
    description: 'Weak validator of the canonical JSON, for If-None-Match. Only if the content is ready.',
    schema: text,
    example: 'W/"rVtGW0wGRbQq0fP0YyyDwF7vKb8V4n0i2T6mJw3h1cE"',
  },
  'Content-Location': {
    description: 'Address of the content revision that this is. Only if the content is ready.',
    schema: { type: 'string', format: 'uri' },
    example: 'https://tires.example/api/v1/reports/01978a34-5c00-7000-8000-000000000001/content/01978a34-9c00-7000-8000-000000000003',
  },
  'Cache-Control': {
    description: 'The data is private: only the client of the partner may cache it, and must revalidate it.',
    schema: text,
    example: 'private, no-cache',
  },
} as const;

export type HeaderName = keyof typeof HEADERS;
