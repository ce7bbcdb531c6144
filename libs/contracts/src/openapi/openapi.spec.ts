import { PUBLIC_ERROR_CODES } from '@tire/kernel';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapiDocument, openapiJson } from './document';
import { ENDPOINTS } from './endpoints';

describe('the OpenAPI document', () => {
  it('is the committed one; otherwise: npm run generate', () => {
    expect(JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8'))).toEqual(JSON.parse(openapiJson()));
  });

  it('has every endpoint of the specification, and the re-issue of the share link', () => {
    expect(ENDPOINTS.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      [
        'POST /reports',
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
        'DELETE /reports/{report_id}',
      ].sort(),
    );
  });

  it('shows every error code of the catalogue somewhere', () => {
    const json = openapiJson();
    for (const code of PUBLIC_ERROR_CODES) expect(json).toContain(`"${code}": {`);
  });

  it('refers only to schemas that it holds', () => {
    const references = [...openapiJson().matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference]) => reference!);
    expect(references.length).toBeGreaterThan(50);
    for (const reference of new Set(references)) {
      const found = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], openapiDocument());
      expect([reference, typeof found]).toEqual([reference, 'object']);
    }
  });

  const shown = ENDPOINTS.flatMap(({ operationId, request, answers }) =>
    [
      ...(request ? [{ name: 'request', ...request }] : []),
      ...answers.map((answer) => ({ name: String(answer.status), ...answer })),
    ].flatMap(({ name, schema, examples = {} }) =>
      schema ? Object.entries(examples).map(([example, value]) => ({ title: `${operationId} ${name} ${example}`, schema, value })) : [],
    ),
  );

  it.each(shown)('example $title is valid and whole', ({ schema, value }) => {
    expect(schema.parse(value)).toEqual(value);
  });
});
