import { ERRORS, HTTP_REFUSALS, publicCode, type ErrorCode } from '@tire/kernel';
import { z } from 'zod';
import { ConsoleError } from '../console/error';
import { CONSOLE_OPERATIONS, type ConsoleOperation } from '../operations';
import { componentsOf } from './components';
import { described } from './described';
import { BODY_STATUSES, HTTP_STATUSES } from './error-responses';
import { consoleTags, tagOf } from './console-tags';
import { LICENSE, schemaReference } from './parts';

const DESCRIPTION = `The API of the web console. It is for the browser only: a session in a cookie opens it, and API keys are not accepted.

Every request that is not a GET needs the header \`Origin\` of the console itself, which a browser sends. With a session it also needs the header \`X-CSRF-Token\` with the token of GET /session. Otherwise the response is 403 \`forbidden\`; \`param\` names the token if the token is wrong.

An id of another organization gives 404. A role without the permission gives 403. Errors have the envelope of the public API.`;

const COMMON_ERRORS: readonly ErrorCode[] = ['rate_limited', 'internal_error', 'service_unavailable'];

function errorsOf({ access, method, path, query, headers, body, errors }: ConsoleOperation): ErrorCode[] {
  const codes = new Set<ErrorCode>([...errors, ...COMMON_ERRORS]);
  if (access !== 'everyone') codes.add('unauthorized');
  if (method !== 'get' || (access !== 'everyone' && access !== 'signed_in')) codes.add('forbidden');
  if (path.includes('{')) codes.add('not_found');
  if (query || headers || body) codes.add('validation_error');
  return [...codes];
}

const json = (schema: z.ZodType) => ({ 'application/json': { schema: schemaReference(schema) } });

function responsesOf(operation: ConsoleOperation): Record<string, object> {
  const codesAt = new Map<number, string[]>();
  for (const code of errorsOf(operation)) {
    const { httpStatus } = ERRORS[code];
    codesAt.set(httpStatus, [...(codesAt.get(httpStatus) ?? []), publicCode(code)]);
  }
  const successes = operation.responses.map(({ status, description = operation.summary, schema }) => [
    status,
    { description, ...(schema ? { content: json(schema) } : {}) },
  ]);
  const failures = [...codesAt].map(([httpStatus, codes]) => [httpStatus, { description: codes.join(', '), content: json(ConsoleError) }]);
  const ofHttp = (operation.method === 'get' ? HTTP_STATUSES : [...HTTP_STATUSES, ...BODY_STATUSES]).map((status) => [
    status,
    { description: HTTP_REFUSALS[status], content: json(ConsoleError) },
  ]);
  return Object.fromEntries([...successes, ...ofHttp, ...failures]) as Record<string, object>;
}

const uuid = { type: 'string', format: 'uuid' };

function operationObject(operation: ConsoleOperation): object {
  const { operationId, path, summary, description, access, query = {}, headers = {}, body } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: uuid }));
  const needs = access === 'everyone' ? 'Needs no session.' : access === 'signed_in' ? 'Needs a session.' : `Needs \`${access}\`.`;
  return {
    operationId,
    tags: [tagOf(path)],
    summary,
    description: [description, needs].filter(Boolean).join(' '),
    ...(access === 'everyone' ? { security: [] } : {}),
    parameters: [...inPath, ...described('query', query), ...described('header', headers)],
    ...(body ? { requestBody: { required: !body.optional, content: json(body.schema) } } : {}),
    responses: responsesOf(operation),
  };
}

/** The API of the web console as OpenAPI 3.1, made from the table of operations. */
function consoleOpenapiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of CONSOLE_OPERATIONS) (paths[operation.path] ??= {})[operation.method] = operationObject(operation);
  return {
    openapi: '3.1.0',
    info: { title: 'Console of tire inspection reports', version: '1.0.0', description: DESCRIPTION, license: LICENSE },
    servers: [{ url: '/console/api' }],
    tags: consoleTags(),
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-console' } },
      schemas: componentsOf(paths),
    },
  };
}

export const consoleOpenapiJson = (): string => `${JSON.stringify(consoleOpenapiDocument(), null, 2)}\n`;
