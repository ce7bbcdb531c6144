import { nameOf, type Schema } from './api-document';
import { code, details, escaped, inline, table } from './html';

export const schemaLink = (reference: string): string => {
  const name = escaped(nameOf(reference));
  return `<a href="#schema-${name}">${name}</a>`;
};

const literal = (value: unknown): string => code(JSON.stringify(value));

function boundsOf({ pattern, minLength, maxLength, minimum, maximum, minItems, format }: Schema): string[] {
  return [
    ...(maxLength === undefined ? [] : [`${minLength ?? 0} to ${maxLength} characters`]),
    // Every safe integer: no bound that says anything.
    ...(minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? [] : [`from ${minimum}`]),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? [] : [`to ${maximum}`]),
    ...(minItems === undefined ? [] : [`at least ${minItems}`]),
    ...(pattern === undefined || format !== undefined ? [] : [`as ${code(pattern)}`]),
  ];
}

/** What a value may be, in one line. */
export function typeOf(schema: Schema): string {
  const { $ref, const: constant, enum: values, items, prefixItems, type, additionalProperties } = schema;
  if ($ref) return schemaLink($ref);
  if (constant !== undefined) return literal(constant);
  if (values) return values.map(literal).join(' or ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map(typeOf).join(' or ');
  if (prefixItems) return `[${prefixItems.map(typeOf).join(', ')}]`;
  if (type === 'array') return [`list of ${typeOf(items ?? {})}`, ...boundsOf(schema)].join(', ');
  if (typeof additionalProperties === 'object' && !schema.properties) return 'object';
  return [scalar(schema), ...boundsOf(schema)].join(', ');
}

function scalar({ type = 'anything', format }: Schema): string {
  const named = typeof type === 'string' ? type : type.join(' or ');
  return escaped(format ? `${named}, ${format}` : named);
}

interface Field {
  readonly path: string;
  readonly optional: boolean;
  readonly schema: Schema;
}

type Follow = (reference: Schema) => Schema;

/** Named schemas have a place of their own. */
const unfollowed: Follow = (reference) => reference;

/** The fields of a schema with those of the objects inside it: `images[].source.url`. */
function fieldsOf(schema: Schema, prefix: string, follow: Follow): Field[] {
  const { anyOf = [], oneOf = [], items, properties = {}, required = [] } = follow(schema);
  const inside = [...anyOf, ...oneOf].flatMap((one) => fieldsOf(one, prefix, follow));
  const ofItems = items ? fieldsOf(items, `${prefix}[]`, follow) : [];
  const own = Object.entries(properties).flatMap(([name, inner]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    return [{ path, optional: !required.includes(name), schema: inner }, ...fieldsOf(inner, path, follow)];
  });
  return [...own, ...inside, ...ofItems];
}

const fieldTable = (fields: readonly Field[]): string =>
  table(
    ['Field', 'Type', 'Meaning'],
    fields.map(({ path, optional, schema }) => [
      `${code(path)}${optional ? ' <small>optional</small>' : ''}`,
      typeOf(schema),
      inline(schema.description ?? ''),
    ]),
  );

/** Alternatives told apart by a constant, each with its own fields. */
function variantsOf(schema: Schema): string | undefined {
  const variants = schema.oneOf?.map((variant) => ({
    variant,
    tag: Object.entries(variant.properties ?? {}).find(([, { const: constant }]) => constant !== undefined),
  }));
  if (!variants?.every(({ tag }) => tag)) return undefined;
  return variants
    .map(({ variant, tag }) => details(`${code(tag?.[0] ?? '')} ${literal(tag?.[1].const)}`, fieldTable(fieldsOf(variant, '', unfollowed))))
    .join('');
}

/** A schema as a table; a value without fields as its type. */
export function shapeOf(schema: Schema, follow = unfollowed): string {
  const fields = fieldsOf(schema, '', follow);
  return variantsOf(schema) ?? (fields.length > 0 ? fieldTable(fields) : `<p>${typeOf(schema)}</p>`);
}

export const schemaSection = (name: string, schema: Schema): string =>
  `<section id="schema-${escaped(name)}"><h3>${escaped(name)}</h3><p>${inline(schema.description ?? '')}</p>${shapeOf(schema)}</section>`;
