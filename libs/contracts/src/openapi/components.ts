import { z } from 'zod';

/** What JSON Schema writes into each schema of a registry, and a component of a document does not need. */
const REGISTRY_KEYWORDS = ['$schema', '$id', 'id'];

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** The schemas that some part of a document refers to, and those that they refer to: there is more than one document. */
export function componentsOf(part: object): Record<string, object> {
  const registered = z.toJSONSchema(z.globalRegistry, { uri: (id) => `#/components/schemas/${id}`, io: 'input' }).schemas;
  const used: Record<string, object> = {};
  const pending: object[] = [part];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const [, id = ''] of JSON.stringify(next).matchAll(REFERENCE)) {
      const schema = registered[id];
      if (!schema) throw new Error(`The document refers to ${id}, which is no schema`);
      if (Object.hasOwn(used, id)) continue;
      used[id] = Object.fromEntries(Object.entries(schema).filter(([key]) => !REGISTRY_KEYWORDS.includes(key)));
      pending.push(used[id]);
    }
  }
  return Object.fromEntries(Object.entries(used).sort(([a], [b]) => (a < b ? -1 : 1)));
}
