import { REPORT_COMPLETED_CALLBACK } from './callback';
import { componentsOf } from './components';
import { ENDPOINTS, TAGS, type Answer, type Endpoint } from './endpoints';
import { DESCRIPTION } from './introduction';
import { ALLOWANCE, headerReferences, HEADERS, jsonBody } from './parts';
import { refusals, sharedRefusals } from './refusals';

const answerObject = ({ description, schema, headers = [], examples = {} }: Answer) => ({
  description,
  headers: headerReferences([...headers, ...ALLOWANCE]),
  ...(schema ? { content: jsonBody(schema, examples) } : {}),
});

const uuid = { type: 'string', format: 'uuid' };

const PARAMETERS = {
  report_id: {
    name: 'report_id',
    in: 'path',
    required: true,
    description: 'The report, as POST /reports named it. What is no UUID names no report: 404.',
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
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'An id of your own for this call, up to 128 of A-Z a-z 0-9 . _ : and -; comes back in the answer. Another is replaced.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
    example: 'order-4711.create',
  },
};

const parameterReference = (name: string | undefined) => ({ $ref: `#/components/parameters/${name}` });

function parameters({ path, headers = {}, query = {} }: Endpoint): object[] {
  const listed = (where: string, entries: NonNullable<Endpoint['headers']>) =>
    Object.entries(entries).map(([name, described]) => ({ name, in: where, required: false, ...described }));
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameterReference(name)),
    ...listed('query', query),
    ...listed('header', headers),
    parameterReference('X-Request-Id'),
  ];
}

function operation(endpoint: Endpoint): object {
  const { operationId, tag, summary, description, scope, request, answers } = endpoint;
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description} Scope: \`${scope}\`.`,
    parameters: parameters(endpoint),
    ...(request ? { requestBody: { required: request.required, content: jsonBody(request.schema, request.examples) } } : {}),
    responses: { ...Object.fromEntries(answers.map((answer) => [answer.status, answerObject(answer)])), ...refusals(endpoint) },
    ...(operationId === 'createReport' ? { callbacks: REPORT_COMPLETED_CALLBACK } : {}),
  };
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
          description:
            '`Authorization: Bearer svc_test_…` or `svc_live_…`: the key decides the project and its mode, on the same host. ' +
            'For servers only: never in a browser or an app. A key has scopes; `report:*` holds them all.',
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: sharedRefusals(),
      schemas: componentsOf({ paths, refusals: sharedRefusals() }),
    },
  };
}

export const openapiJson = (): string => `${JSON.stringify(openapiDocument(), null, 2)}\n`;
