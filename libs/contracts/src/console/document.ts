import { ERRORS, publicCode, type ErrorCode } from '@tire/kernel';
import { z } from 'zod';
import { componentsOf } from '../openapi/components';
import { schemaReference } from '../openapi/parts';
import type { ConsoleEndpoint } from './endpoint';
import { ConsoleError } from './error';
import { IDENTITY_ENDPOINTS } from './identity.endpoints';
import { LOG_ENDPOINTS, USAGE_ENDPOINTS, WEBHOOK_ENDPOINTS } from './observation.endpoints';
import { MEMBER_ENDPOINTS, PROJECT_ENDPOINTS } from './organization.endpoints';
import { MANUAL_ENDPOINTS, REPORT_READING_ENDPOINTS, REPORT_WORK_ENDPOINTS } from './reports.endpoints';

/** What the console can do, in the order in which it was built. */
export const CONSOLE_ENDPOINTS: readonly ConsoleEndpoint[] = [
  ...IDENTITY_ENDPOINTS,
  ...MEMBER_ENDPOINTS,
  ...PROJECT_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...LOG_ENDPOINTS,
  ...USAGE_ENDPOINTS,
  ...REPORT_READING_ENDPOINTS,
  ...REPORT_WORK_ENDPOINTS,
  ...MANUAL_ENDPOINTS,
];

const DESCRIPTION = `The API of the web console, for the browser and for nobody else: it is spoken with a session, which is a cookie, and API keys mean nothing here.

Every call that is not a GET needs the header \`Origin\` of the console itself, which a browser sends, and with a session \`X-CSRF-Token\` with the token of GET /session: else 403 \`forbidden\`, whose \`param\` names the token where that is what is wrong.

Ids of another organization are answered with 404, what a role does not allow with 403. Errors have the envelope of the public API.`;

const ALWAYS: readonly ErrorCode[] = ['rate_limited', 'internal_error', 'service_unavailable'];

function errorsOf({ access, method, path, request, errors = [] }: ConsoleEndpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>([...errors, ...ALWAYS]);
  if (access !== 'everyone') codes.add('unauthorized');
  if (method !== 'get' || (access !== 'everyone' && access !== 'signed_in')) codes.add('forbidden');
  if (path.includes('{')) codes.add('not_found');
  if (request) codes.add('validation_error');
  return [...codes];
}

const json = (schema: z.ZodType) => ({ 'application/json': { schema: schemaReference(schema) } });

function responsesOf(endpoint: ConsoleEndpoint): Record<string, object> {
  const { status, answer, summary } = endpoint;
  const codesAt = new Map<number, string[]>();
  for (const code of errorsOf(endpoint)) {
    const { httpStatus } = ERRORS[code];
    codesAt.set(httpStatus, [...(codesAt.get(httpStatus) ?? []), publicCode(code)]);
  }
  const refusals = [...codesAt].map(([httpStatus, codes]) => [httpStatus, { description: codes.join(', '), content: json(ConsoleError) }]);
  return { [status]: { description: summary, ...(answer ? { content: json(answer) } : {}) }, ...Object.fromEntries(refusals) };
}

const uuid = { type: 'string', format: 'uuid' };

function operation(endpoint: ConsoleEndpoint): object {
  const { operationId, path, summary, description, access, query = {}, headers = {}, request } = endpoint;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: uuid }));
  const inQuery = Object.entries(query).map(([name, { required = false, ...described }]) => ({
    name,
    in: 'query',
    required,
    ...described,
  }));
  const inHeader = Object.entries(headers).map(([name, described]) => ({ name, in: 'header', required: false, ...described }));
  const needs = access === 'everyone' ? 'Needs no session.' : access === 'signed_in' ? 'Needs a session.' : `Needs \`${access}\`.`;
  return {
    operationId,
    summary,
    description: [description, needs].filter(Boolean).join(' '),
    ...(access === 'everyone' ? { security: [] } : {}),
    parameters: [...inPath, ...inQuery, ...inHeader],
    ...(request ? { requestBody: { required: true, content: json(request) } } : {}),
    responses: responsesOf(endpoint),
  };
}

/** The console's API as OpenAPI 3.1, made of the schemas that validate it. */
function consoleOpenapiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of CONSOLE_ENDPOINTS) (paths[endpoint.path] ??= {})[endpoint.method] = operation(endpoint);
  return {
    openapi: '3.1.0',
    info: { title: 'Console of tire inspection reports', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url: '/console/api' }],
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-console' } },
      schemas: componentsOf(paths),
    },
  };
}

export const consoleOpenapiJson = (): string => `${JSON.stringify(consoleOpenapiDocument(), null, 2)}\n`;
