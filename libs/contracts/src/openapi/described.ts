import { z } from 'zod';
import type { Parameters } from '../operations';

/** Parameters as a document describes them. */
export const described = (where: 'query' | 'header', parameters: Parameters): object[] =>
  Object.entries(parameters).map(([name, type]) => {
    const { description, example, ...schema } = z.toJSONSchema(type, { io: 'input' });
    return {
      name,
      in: where,
      required: !type.isOptional(),
      description,
      schema: parameterSchema(schema, type.safeParse(undefined).data),
      ...(example === undefined ? {} : { example }),
    };
  });

/** Without the pattern that zod adds to a format, and with the default that zod leaves out where it transforms a value. */
function parameterSchema(schema: z.core.JSONSchema.BaseSchema, byDefault: unknown): object {
  const isShown = (key: string): boolean => key !== '$schema' && !(key === 'pattern' && schema.format);
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([key]) => isShown(key))),
    // A list is one value with commas.
    ...(byDefault === undefined ? {} : { default: Array.isArray(byDefault) ? byDefault.join(',') : byDefault }),
  };
}
