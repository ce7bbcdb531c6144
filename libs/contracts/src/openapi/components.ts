import { z } from 'zod';

/** Keywords of a registry that a component of a document does not need. */
const REGISTRY_KEYWORDS = ['$schema', '$id', 'id'];

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** The metadata of a schema that is a function has its JSON Schema. */
const describesItself = (schema: z.core.$ZodType): boolean => z.globalRegistry.get(schema)?.['type'] !== undefined;

/** The schemas that a document refers to, directly or through other schemas. */
export function componentsOf(part: object): Record<string, object> {
  const registered = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => `#/components/schemas/${id}`,
    io: 'input',
    unrepresentable: ({ zodSchema }) => (describesItself(zodSchema) ? 'any' : 'throw'),
  }).schemas;
  const used: Record<string, object> = {};
  const pending: object[] = [part];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const [, id = ''] of JSON.stringify(next).matchAll(REFERENCE)) {
      const schema = registered[id];
      if (!schema) throw new Error(`The document refers to ${id}, which is not a schema`);
      if (Object.hasOwn(used, id)) continue;
      used[id] = Object.fromEntries(Object.entries(schema).filter(([key]) => !REGISTRY_KEYWORDS.includes(key)));
      pending.push(used[id]);
    }
  }
  return Object.fromEntries(Object.entries(used).sort(([a], [b]) => (a < b ? -1 : 1)));
}
