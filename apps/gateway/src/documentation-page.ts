/** The part of an OpenAPI document that the page shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly examples?: Readonly<Record<string, { value: unknown }>> }>>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

const STYLE = `
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c2733}
h2{border-top:1px solid #ccd4dc;padding-top:1.5rem}code,pre{font:13px/1.45 ui-monospace,monospace}
pre{background:#f4f6f8;padding:.8rem;overflow:auto;max-height:28rem}table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #e1e6eb;padding:.3rem .6rem .3rem 0;text-align:left;vertical-align:top}nav li{margin:.15rem 0}`;

/** Nothing is loaded and nothing runs: the document is all there is. */
export const DOCUMENTATION_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The OpenAPI document for people. */
export function documentationPage({ info, paths, components }: ApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  const contents = operations.map(
    ({ name, operation }) => `<li><a href="#${operation.operationId}"><code>${escaped(name)}</code></a> ${escaped(operation.summary)}</li>`,
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema));
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escaped(info.title)}</title><style>${STYLE}</style></head><body><h1>${escaped(info.title)} ${escaped(info.version)}</h1>`,
    ...info.description.split('\n\n').map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    `<p>For machines: <a href="/api/v1/openapi.json">openapi.json</a>. <a href="#schemas">Schemas</a></p><nav><ul>${contents.join('')}</ul></nav>`,
    ...operations.map(({ name, operation }) => operationSection(name, operation)),
    `<h2 id="schemas">Schemas</h2>${schemas.join('')}</body></html>`,
  ].join('\n');
}

function operationSection(name: string, { operationId, description, summary, parameters = [], requestBody, responses }: Operation): string {
  const rows = parameters.map(
    ({ name: parameter, in: place, required, description: about = '', schema }) =>
      `<tr><td><code>${escaped(parameter)}</code></td><td>${place}${required ? '' : ', optional'}</td><td>${typeOf(schema)}</td><td>${escaped(about)}</td></tr>`,
  );
  const answers = Object.entries(responses).map(
    ([status, answer]) => `<h4>${status}</h4><p>${escaped(answer.description)}</p>${contentOf(answer.content)}`,
  );
  return [
    `<h2 id="${operationId}"><code>${escaped(name)}</code></h2><p><b>${escaped(summary)}</b> ${escaped(description)}</p>`,
    rows.length > 0 ? `<table>${rows.join('')}</table>` : '',
    requestBody ? `<h3>Request${requestBody.required ? '' : ', optional'}</h3>${contentOf(requestBody.content)}` : '',
    `<h3>Answers</h3>${answers.join('')}`,
  ].join('');
}

const contentOf = (content: Content = {}): string =>
  Object.values(content)
    .map(({ schema, examples = {} }) => {
      const shown = Object.entries(examples).map(
        ([name, { value }]) =>
          `<details><summary><code>${escaped(name)}</code></summary><pre>${escaped(JSON.stringify(value, null, 2))}</pre></details>`,
      );
      return `<p>${typeOf(schema)}</p>${shown.join('')}`;
    })
    .join('');

function schemaSection(name: string, schema: Schema): string {
  const { description = '', properties, required = [] } = schema;
  const rows = Object.entries(properties ?? {}).map(
    ([field, inner]) =>
      `<tr><td><code>${escaped(field)}</code>${required.includes(field) ? '' : ' (optional)'}</td><td>${typeOf(inner)}</td><td>${escaped(inner.description ?? '')}</td></tr>`,
  );
  const shape = properties ? `<table>${rows.join('')}</table>` : `<p>${typeOf(schema)}</p>`;
  return `<h3 id="schema-${escaped(name)}">${escaped(name)}</h3><p>${escaped(description)}</p>${shape}`;
}

function typeOf(schema: Schema): string {
  const { $ref, const: constant, enum: values, anyOf, oneOf, items, type, format, properties } = schema;
  if ($ref) {
    const name = escaped($ref.split('/').at(-1) ?? '');
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (constant !== undefined) return `<code>${escaped(JSON.stringify(constant))}</code>`;
  if (values) return values.map((value) => `<code>${escaped(JSON.stringify(value))}</code>`).join(' or ');
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return alternatives.map(typeOf).join(' or ');
  if (type === 'array') return `list of ${typeOf(items ?? {})}`;
  if (properties) {
    const fields = Object.entries(properties).map(([field, inner]) => `<code>${escaped(field)}</code>: ${typeOf(inner)}`);
    return `{${fields.join(', ')}}`;
  }
  return escaped([type ?? 'anything', format ?? ''].join(' ').trim());
}
