import { ERRORS, PUBLIC_ERROR_CODES, publicCode } from '@tire/kernel';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import * as api from '../api';
import { API_OPERATIONS, type ApiOperation } from '../operations';
import { openapiDocument, openapiJson } from './api-document';
import { COMMON_ERRORS } from './error-responses';
import { INVALID_REQUESTS } from './invalid-requests';

describe('the OpenAPI document', () => {
  it('is the committed one; otherwise: npm run generate', () => {
    expect(JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8'))).toEqual(JSON.parse(openapiJson()));
  });

  it('has every operation of the specification, and marks those that it adds', () => {
    expect(API_OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      [
        'POST /reports',
        'GET /reports',
        'GET /vehicles/{external_vehicle_id}',
        'POST /webhooks/replay',
        'GET /callbacks',
        'GET /requests',
        'GET /reports/{report_id}',
        'GET /reports/{report_id}/content',
        'GET /reports/{report_id}/content/{content_revision}',
        'POST /reports/{report_id}/upload-targets',
        'POST /reports/{report_id}/images',
        'POST /reports/{report_id}/analyze',
        'POST /reports/{report_id}/publish',
        'GET /reports/{report_id}/share',
        'POST /reports/{report_id}/share',
        'DELETE /reports/{report_id}/share',
        'POST /reports/{report_id}/capture-link',
        'DELETE /reports/{report_id}/capture-link',
        'DELETE /reports/{report_id}',
      ].sort(),
    );
    const marked = API_OPERATIONS.filter((operation) => operationOf(operation)['x-additional'] === true);
    expect(marked.map(({ operationId }) => operationId)).toEqual([
      ...['listReports', 'getVehicle', 'reissueShare', 'replayCallbacks', 'listenToCallbacks', 'tailRequests'],
      ...['issueCapture', 'revokeCapture'],
    ]);
  });

  it('shows every error code of the catalogue somewhere', () => {
    const json = openapiJson();
    for (const code of PUBLIC_ERROR_CODES) expect(json).toContain(`"${code}": {`);
  });

  it('refers only to what it holds', () => {
    const references = [...openapiJson().matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference]) => reference!);
    expect(references.length).toBeGreaterThan(50);
    for (const reference of new Set(references)) expect([reference, typeof held(reference)]).toEqual([reference, 'object']);
  });

  it('describes every error of every operation', () => {
    for (const operation of API_OPERATIONS) {
      const { responses } = operationOf(operation);
      for (const code of [...COMMON_ERRORS, ...operation.errors]) {
        const { httpStatus, type, retryable } = ERRORS[code];
        const examples = bodyOf(responses[httpStatus]).examples;
        const expected = expect.objectContaining({ type, code: publicCode(code), retryable });
        expect(examples[publicCode(code)]?.value).toEqual({ error: expected });
      }
    }
  });

  it('has typical faults for each operation that validates, and for no other', () => {
    const judging = API_OPERATIONS.filter(({ errors }) => errors.includes('validation_error'));
    expect(Object.keys(INVALID_REQUESTS)).toEqual(judging.map(({ operationId }) => operationId));
  });

  it('leads from a created report to every operation that takes its id, and names only parameters that the operation has', () => {
    const { components } = openapiDocument() as { components: { links: Record<string, { operationId: string; parameters: object }> } };
    const takesAnId = API_OPERATIONS.filter(({ path }) => path.includes('{report_id}')).map(({ operationId }) => operationId as string);
    const { links } = operationOf(API_OPERATIONS.find(({ operationId }) => operationId === 'createReport')!).responses[201] as {
      links: object;
    };
    // A content revision exists only after the content was read.
    expect(takesAnId.filter((id) => !Object.hasOwn(links, id))).toEqual(['getContentRevision']);
    for (const { operationId, parameters } of Object.values(components.links)) {
      const operation = API_OPERATIONS.find((one) => one.operationId === operationId)!;
      const known = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      expect([...known, ...Object.keys(operation.query ?? {})]).toEqual(expect.arrayContaining(Object.keys(parameters)));
    }
  });

  const bodies = bodiesIn(openapiDocument());

  it('has bodies for every operation', () => {
    expect(bodies.length).toBeGreaterThan(API_OPERATIONS.length * 2);
  });

  it.each(
    bodies.flatMap(({ place, body }) => Object.entries(body.examples).map(([name, { value }]) => [place, name, body.schema.$ref, value])),
  )('at %s the example %s is valid and whole', (_place, _name, reference, value) => {
    const schema = schemaNamed(String(reference));
    expect(schema.parse(value)).toEqual(value);
  });
});

type Node = Record<string, unknown>;

interface Body {
  readonly schema: { readonly $ref: string };
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}

const held = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Node | undefined)?.[key], openapiDocument());

const operationOf = ({ path, method }: ApiOperation) =>
  (openapiDocument() as { paths: Record<string, Node> }).paths[path]?.[method] as Node & { responses: Record<string, Node> };

function bodyOf(response: Node | undefined): Body {
  const { $ref } = response ?? {};
  const followed = (typeof $ref === 'string' ? held($ref) : response) as { content: Record<string, Body> };
  return followed.content['application/json']!;
}

/** Every body with examples, at any place in the document. */
function bodiesIn(node: unknown, place = ''): { place: string; body: Body }[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, inner]) => {
    const found = key === 'application/json' ? [{ place, body: inner as Body }] : [];
    return [...found, ...bodiesIn(inner, `${place}/${key}`)];
  });
}

function schemaNamed(reference: string): z.ZodType {
  const id = reference.split('/').at(-1);
  const schema = Object.values<unknown>(api).find((one): one is z.ZodType => one instanceof z.ZodType && one.meta()?.id === id);
  if (!schema) throw new Error(`Nothing validates ${reference}`);
  return schema;
}
