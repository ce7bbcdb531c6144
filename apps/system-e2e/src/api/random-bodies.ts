import fc from 'fast-check';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Schema {
  $ref?: string;
  const?: Json;
  enum?: Json[];
  anyOf?: Schema[];
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
}

export interface ApiDocument {
  paths: Record<string, Record<string, { operationId: string; requestBody?: { content: { 'application/json': { schema: Schema } } } }>>;
  components: { schemas: Record<string, Schema> };
}

/**
 * Only addresses that are refused without a request, so that random requests reach no host: most at the fetch, because of their port, and
 * one at the creation.
 */
const ADDRESSES = ['a.jpg', '', '%ea%b0%80?a=1#b', '..//'].map((path) => `https://192.0.43.8:8443/${path}`).concat('https://[::1]/');

const HOSTILE: Json[] = [
  ...[null, true, -0, 1e308, 9007199254740993, '', ' ', '\u0000', '\ud800', '__proto__', '../..', "'; DROP TABLE reports; --"],
  ...['x'.repeat(3_000), '\u{1f697}'.repeat(129), 'https://user:pass@a.example/', 'tire_9t', 'roof', 'dashboard', [], {}, [[]], { a: {} }],
  ...[Array.from({ length: 50 }, () => ({})), { constructor: 1, length: -1 }],
];

/** Bodies that the document allows. */
function described(document: ApiDocument, schema: Schema): fc.Arbitrary<Json> {
  const of = (inner: Schema) => described(document, inner);
  if (schema.$ref) return of(document.components.schemas[schema.$ref.split('/').at(-1)!]!);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(of));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.type === 'object') return objects(document, schema);
  if (schema.type === 'array') return fc.array(of(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 5 });
  if (schema.type === 'string') return texts(schema);
  if (schema.type === 'null') return fc.constant(null);
  return fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
}

function objects(document: ApiDocument, { properties, required, additionalProperties }: Schema): fc.Arbitrary<Json> {
  if (!properties) {
    const values = typeof additionalProperties === 'object' ? described(document, additionalProperties) : described(document, {});
    return fc.dictionary(fc.string({ unit: 'binary', maxLength: 8 }), values, { maxKeys: 5 });
  }
  const fields = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, described(document, inner)]));
  return fc.record(fields, { requiredKeys: required ?? [], noNullPrototype: true });
}

function texts({ format, pattern, minLength = 0, maxLength = 64 }: Schema): fc.Arbitrary<string> {
  if (format === 'uri') return fc.constantFrom(...ADDRESSES);
  if (format === 'uuid' || pattern?.includes('[0-9a-fA-F]{8}')) return fc.uuid();
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) });
}

/** Changes one place in a body: removes, doubles or wraps it, or replaces it by an unexpected value. */
function bent(body: Json, [place, how, hostile]: [number, string, Json]): Json {
  const places: { holder: Record<string, Json> | Json[]; key: string }[] = [];
  const collect = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      places.push({ holder: value, key });
      collect(inner);
    }
  };
  const root = { body: structuredClone(body) };
  collect(root);
  const { holder, key } = places[place % places.length]!;
  const at = holder as Record<string, Json>;
  if (how === 'replaced') at[key] = hostile;
  else if (how === 'wrapped') at[key] = [at[key]!];
  else if (how === 'doubled' && Array.isArray(holder)) holder.push(structuredClone(at[key]!));
  else if (how === 'added') at[`${key}_`] = hostile;
  else delete at[key];
  return root.body ?? null;
}

/** Texts of bodies: valid ones, changed in up to three places and sometimes truncated. */
export function bodyTexts(document: ApiDocument, schema: Schema): fc.Arbitrary<string> {
  const bend = fc.tuple(fc.nat(10_000), fc.constantFrom('replaced', 'wrapped', 'doubled', 'added', 'removed'), fc.constantFrom(...HOSTILE));
  const cut = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 15 });
  return fc.tuple(described(document, schema), fc.array(bend, { maxLength: 3 }), cut).map(([body, bends, at]) => {
    const text = JSON.stringify(bends.reduce<Json>(bent, body));
    return at === null ? text : text.slice(0, Math.floor(text.length * at));
  });
}
