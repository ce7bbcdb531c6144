import type { HeaderName } from '../operations/headers';
import type { Examples } from '../operations/operation';
import type { z } from 'zod';

export const schemaReference = (schema: z.ZodType): object => {
  const id = schema.meta()?.id;
  if (!id) throw new Error('A schema of the document has no id');
  return { $ref: `#/components/schemas/${id}` };
};

export const jsonBody = (schema: z.ZodType, examples: Examples) => ({
  'application/json': {
    schema: schemaReference(schema),
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  },
});

export const LICENSE = { name: 'Apache License 2.0', identifier: 'Apache-2.0' };

export const ALLOWANCE: readonly HeaderName[] = ['RateLimit-Remaining', 'RateLimit-Reset'];

export const headerReferences = (names: readonly HeaderName[]) =>
  Object.fromEntries((['X-Request-Id', ...names] as const).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
