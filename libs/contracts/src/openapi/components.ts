import { z } from 'zod';

/** Keywords of a registry that a component of a document does not need. */
const REGISTRY_KEYWORDS = ['$schema', '$id', 'id'];

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** The metadata of a schema that is a function has its JSON Schema. */
const describesItself = (schema: z.core.$ZodType): boolean => z.globalRegistry.get(schema)?.['type'] !== undefined;

type Node = Readonly<Record<string, unknown>>;

/**
 * A tuple as an array with a fixed count. Generators of clients and linters want `items` beside `type: array`, and the elements of our tuples
 * are alike: numbers within bounds, or the numbers of a range.
 */
function tuplesAsArrays(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tuplesAsArrays);
  if (typeof node !== 'object' || node === null) return node;
  const { prefixItems, ...others } = Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, tuplesAsArrays(inner)]));
  if (!Array.isArray(prefixItems)) return others;
  return { ...others, items: elementOf(prefixItems as readonly Node[]), minItems: prefixItems.length, maxItems: prefixItems.length };
}

function elementOf(elements: readonly Node[]): object {
  const [first] = elements;
  if (elements.every((element) => JSON.stringify(element) === JSON.stringify(first))) return first!;
  if (elements.every((element) => element['const'] !== undefined))
    return { type: 'number', enum: elements.map((element) => element['const']) };
  throw new Error('A tuple of a document has elements of different kinds');
}

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
      const component = tuplesAsArrays(
        Object.fromEntries(Object.entries(schema).filter(([key]) => !REGISTRY_KEYWORDS.includes(key))),
      ) as object;
      used[id] = component;
      pending.push(component);
    }
  }
  return Object.fromEntries(Object.entries(used).sort(([a], [b]) => (a < b ? -1 : 1)));
}
