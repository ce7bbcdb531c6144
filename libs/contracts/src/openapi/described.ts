import type { Parameters } from '../operations';

/** Parameters as a document describes them; the schema that validates them stays out. */
export const described = (where: 'query' | 'header', parameters: Parameters): object[] =>
  Object.entries(parameters).map(([name, { description, schema, required = false, example }]) => ({
    name,
    in: where,
    required,
    description,
    schema,
    ...(example === undefined ? {} : { example }),
  }));
