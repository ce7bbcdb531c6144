import { ERRORS, HTTP_REFUSALS, publicCode, type ErrorCode } from '@tire/kernel';
import { z } from 'zod';
import { ErrorEnvelope } from '../api';
import { ENDPOINTS, TAGS, type Answer, type Endpoint } from './endpoints';

/** What any operation may answer beside its own errors. */
export const EVERY_ENDPOINT_ERRORS: readonly ErrorCode[] = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];

/** Refused before the operation is known, or its body read; the last two only where there is a body. */
const HTTP_STATUSES = [400, 408, 431];
const BODY_STATUSES = [413, 415];

const RATE_LIMIT_HEADERS = {
  'Retry-After': 'Seconds to wait.',
  'RateLimit-Remaining': 'Requests that the key has left at this moment; not guaranteed.',
  'RateLimit-Reset': 'Seconds until the key has its whole allowance again; not guaranteed.',
};

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  401: 'Key missing or invalid.',
  403: 'Beyond the scope of the key.',
  404: 'No such resource in the project of the key.',
  409: 'The state of the resource refuses the call.',
  422: 'Validation failed; param names the field.',
  429: 'Temporarily refused; back off exponentially.',
  500: 'Server error; back off exponentially.',
  503: 'Temporarily not available; back off exponentially, repeat a discard.',
};

/** Where a code has a typical offending field, the example shows it. */
const EXAMPLE_PARAMS: Partial<Record<ErrorCode, string>> = { validation_error: 'images[0].slot.image_type' };

const DESCRIPTION = [
  'Photographs of tires in, a measured, readable, shareable inspection report out.',
  'Two read contracts: report.v1 holds objective data, report-content.v1 holds display content (ko-KR).',
  'Fields that a contract requires are always present, null where there is no value; unknown fields may appear and are to be ignored. ' +
    'In requests unknown fields are ignored, and null stands for an optional field that is absent.',
  'Checks come in this order: 401, 403, 404, 409 of a discarded or purged report, 422, other 409. Every error has the body of ErrorEnvelope, ' +
    'and every answer an X-Request-Id header.',
  'Positions and sides are those of the vehicle seen in driving direction. wear_pattern.worn_shoulder is left or right of the vehicle: ' +
    'the outside of a left tire is left, the outside of a right tire is right.',
].join('\n\n');

const referenceTo = (schema: z.ZodType): object => {
  const id = schema.meta()?.id;
  if (!id) throw new Error('A schema of the document has no id');
  return { $ref: `#/components/schemas/${id}` };
};

const jsonBody = (schema: z.ZodType, examples: Readonly<Record<string, unknown>> = {}) => ({
  'application/json': {
    schema: referenceTo(schema),
    ...(Object.keys(examples).length > 0
      ? { examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])) }
      : {}),
  },
});

const responseHeaders = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.entries({ 'X-Request-Id': 'Names this call in the logs of the service.', ...headers }).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );

const answerObject = ({ description, schema, headers, examples }: Answer) => ({
  description,
  headers: responseHeaders(headers),
  ...(schema ? { content: jsonBody(schema, examples) } : {}),
});

const errorExample = (code: ErrorCode): ErrorEnvelope => {
  const { type, message, retryable } = ERRORS[code];
  return { error: { type, code: publicCode(code), message, param: EXAMPLE_PARAMS[code] ?? null, retryable } };
};

function errorObjects(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { httpStatus } = ERRORS[code];
    byStatus.set(httpStatus, [...(byStatus.get(httpStatus) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: STATUS_TEXTS[status],
        headers: responseHeaders(status === 429 ? RATE_LIMIT_HEADERS : {}),
        content: jsonBody(ErrorEnvelope, Object.fromEntries(ofStatus.map((code) => [publicCode(code), errorExample(code)]))),
      },
    ]),
  );
}

function httpRefusals(statuses: readonly number[]): Record<string, object> {
  const { error } = errorExample('validation_error');
  const refusal = (status: number) => ({
    description: HTTP_REFUSALS[status],
    headers: responseHeaders(),
    content: jsonBody(ErrorEnvelope, { validation_error: { error: { ...error, message: HTTP_REFUSALS[status], param: null } } }),
  });
  return Object.fromEntries(statuses.map((status) => [status, refusal(status)]));
}

function parameters({ path, headers = {}, query = {} }: Endpoint): object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }));
  const listed = (where: string, entries: NonNullable<Endpoint['headers']>) =>
    Object.entries(entries).map(([name, { description, schema }]) => ({ name, in: where, required: false, description, schema }));
  return [...inPath, ...listed('query', query), ...listed('header', headers)];
}

function operation(endpoint: Endpoint): object {
  const { operationId, tag, summary, description, scope, request, answers, errors } = endpoint;
  const listed = parameters(endpoint);
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description} Scope: ${scope}.`,
    ...(listed.length > 0 ? { parameters: listed } : {}),
    ...(request ? { requestBody: { required: request.required, content: jsonBody(request.schema, request.examples) } } : {}),
    responses: {
      ...Object.fromEntries(answers.map((answer) => [answer.status, answerObject(answer)])),
      ...httpRefusals(request ? [...HTTP_STATUSES, ...BODY_STATUSES] : HTTP_STATUSES),
      ...errorObjects([...EVERY_ENDPOINT_ERRORS, ...errors]),
    },
  };
}

/** What JSON Schema writes into each schema of a registry, and a component of this document does not need. */
const REGISTRY_KEYWORDS = ['$schema', '$id', 'id'];

function schemas(): Record<string, object> {
  const registered = z.toJSONSchema(z.globalRegistry, { uri: (id) => `#/components/schemas/${id}`, io: 'input' }).schemas;
  const component = (schema: object) => Object.fromEntries(Object.entries(schema).filter(([key]) => !REGISTRY_KEYWORDS.includes(key)));
  return Object.fromEntries(
    Object.entries(registered)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, schema]) => [id, component(schema)]),
  );
}

/** The whole public API as OpenAPI 3.1, made of the schemas that validate it. */
export function openapiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of ENDPOINTS) (paths[endpoint.path] ??= {})[endpoint.method] = operation(endpoint);
  return {
    openapi: '3.1.0',
    info: { title: 'Tire inspection reports', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url: '/api/v1' }],
    tags: TAGS,
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'svc_test_… or svc_live_…: the key decides the project and its mode. For servers only.',
        },
      },
      schemas: schemas(),
    },
  };
}

export const openapiJson = (): string => `${JSON.stringify(openapiDocument(), null, 2)}\n`;
