import { LIMITS } from '../limits';
import { API_OPERATIONS, TAGS, type ApiOperation } from '../operations';
import { HEADERS } from '../operations/headers';
import type { Response } from '../operations/operation';
import { REPORT_CALLBACKS } from './callback';
import { componentsOf } from './components';
import { DESCRIPTION } from './api-introduction';
import { described } from './described';
import { linkComponents, linksOf } from './links';
import { ALLOWANCE, LICENSE, headerReferences, jsonBody } from './parts';
import { errorResponses, sharedErrorResponses } from './error-responses';

function responseObject(
  operation: ApiOperation,
  { status, description = operation.summary, schema, headers = [], examples = {} }: Response,
) {
  return {
    description,
    headers: headerReferences([...headers, ...ALLOWANCE]),
    ...(schema ? { content: jsonBody(schema, examples) } : {}),
    ...linksOf(operation, status),
  };
}

const uuid = { type: 'string', format: 'uuid' };

const PARAMETERS = {
  report_id: {
    name: 'report_id',
    in: 'path',
    required: true,
    description: 'The report_id of the response to POST /reports. A value that is no UUID gives 404.',
    schema: uuid,
    example: '01978a34-5c00-7000-8000-000000000001',
  },
  content_revision: {
    name: 'content_revision',
    in: 'path',
    required: true,
    description: 'content_revision of a content that was ready, or the last part of its links.canonical.',
    schema: uuid,
    example: '01978a34-9c00-7000-8000-000000000003',
  },
  external_vehicle_id: {
    name: 'external_vehicle_id',
    in: 'path',
    required: true,
    description: 'The external_vehicle_id of the creation of a report, percent-encoded.',
    schema: { type: 'string', minLength: 1, maxLength: LIMITS.externalId },
    example: 'car-12',
  },
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Your own id for this request, up to 128 of A-Z a-z 0-9 . _ : and -. The response repeats it. Any other value is replaced.',
    // Any value is accepted, so the schema refuses none.
    schema: { type: 'string' },
    example: 'order-4711.create',
  },
};

const parameterReference = (name: string | undefined) => ({ $ref: `#/components/parameters/${name}` });

function parameters({ path, headers = {}, query = {} }: ApiOperation): object[] {
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameterReference(name)),
    ...described('query', query),
    ...described('header', headers),
    parameterReference('X-Request-Id'),
  ];
}

function operationObject(operation: ApiOperation): object {
  const { operationId, tag, summary, description, scope, additional, body, responses } = operation;
  return {
    operationId,
    ...(additional && { 'x-additional': true }),
    tags: [tag],
    summary,
    description: `${description ?? summary} Scope: \`${scope}\`.`,
    parameters: parameters(operation),
    ...(body ? { requestBody: { required: !body.optional, content: jsonBody(body.schema, body.examples ?? {}) } } : {}),
    responses: {
      ...Object.fromEntries(responses.map((response) => [response.status, responseObject(operation, response)])),
      ...errorResponses(operation),
    },
    ...(operationId === 'createReport' ? { callbacks: REPORT_CALLBACKS } : {}),
  };
}

/** The public API as OpenAPI 3.1, made from the table of operations. */
export function openapiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of API_OPERATIONS) (paths[operation.path] ??= {})[operation.method] = operationObject(operation);
  return {
    openapi: '3.1.0',
    info: { title: 'Tire inspection reports', version: '1.0.0', description: DESCRIPTION, license: LICENSE },
    servers: [{ url: '/api/v1' }],
    tags: TAGS,
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            '`Authorization: Bearer svc_test_…` or `svc_live_…`: the key decides the project and its mode, on the same host. ' +
            'For servers only: never in a browser or an app. A key has scopes; `report:*` stands for all of them.',
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: sharedErrorResponses(),
      links: linkComponents(),
      schemas: componentsOf({ paths, responses: sharedErrorResponses() }),
    },
  };
}

export const openapiJson = (): string => `${JSON.stringify(openapiDocument(), null, 2)}\n`;
