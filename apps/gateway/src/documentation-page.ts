import { createHash } from 'node:crypto';

/** The part of an OpenAPI document that the page shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
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
:root{color-scheme:light dark;--bg:#fff;--text:#171b20;--muted:#525d69;--line:#dde3e9;--soft:#f3f5f7;--link:#0b5cad;--good:#0a6b3d;--bad:#a3121f}
@media (prefers-color-scheme:dark){:root{--bg:#111418;--text:#e9edf1;--muted:#a6b0bb;--line:#303740;--soft:#1b2026;--link:#7db7f5;--good:#7fdba6;--bad:#ff9da2}}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.6 system-ui,sans-serif}a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
.page{display:grid;grid-template-columns:minmax(0,1fr);max-width:80rem;margin:0 auto;padding:0 1.25rem}
@media (min-width:64rem){.page{grid-template-columns:19rem minmax(0,1fr);gap:3rem}nav{position:sticky;top:0;height:100vh;overflow:auto}}
nav{padding:1.5rem 0;font-size:.92rem}nav b{display:block;margin:1.1rem 0 .25rem}nav ul{list-style:none;margin:0;padding:0}nav li{padding:.15rem 0}
main{padding:1.5rem 0 4rem;min-width:0}h1{margin:0 0 1rem;line-height:1.25}h2{font-size:1.25rem;margin:0}h3{font-size:1rem;margin:1.5rem 0 .5rem}
.group{margin-top:3rem;border-bottom:2px solid var(--text);padding-bottom:.3rem}
article{border-top:1px solid var(--line);margin-top:2rem;padding-top:1.75rem}.path{overflow-wrap:anywhere}
.method{display:inline-block;min-width:4.2rem;text-align:center;border-radius:.3rem;padding:.1rem .45rem;font:600 12px/1.6 ui-monospace,monospace;color:var(--bg);background:var(--link)}
.method.get{background:var(--good)}.method.delete{background:var(--bad)}nav .method{min-width:3.6rem;font-size:10px;margin-right:.4rem}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}code{overflow-wrap:anywhere}
pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.8rem;overflow:auto;max-height:30rem;margin:.5rem 0}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.93rem}td,th{border-bottom:1px solid var(--line);padding:.4rem .8rem .4rem 0;text-align:left;vertical-align:top}
td:first-child code{white-space:nowrap}th{color:var(--muted);font-weight:600;font-size:.85rem}.status{font-weight:700}.ok{color:var(--good)}.refused{color:var(--bad)}.muted{color:var(--muted)}
summary{cursor:pointer;color:var(--link)}p{margin:.5rem 0}`;

/** Nothing is loaded and nothing runs: the document is all there is. */
export const DOCUMENTATION_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface Named {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The OpenAPI document for people. */
export function documentationPage(document: ApiDocument): string {
  const { info, paths, components, tags } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Named => ({ method, path, operation })),
  );
  const of = (tag: string): Named[] => operations.filter(({ operation }) => operation.tags.includes(tag));
  const schemas = Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema));
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escaped(info.title)}</title><style>${STYLE}</style></head><body><div class="page">`,
    `<nav aria-label="Operations"><a href="#top">Introduction</a>${tags.map(({ name }) => contentsOf(name, of(name))).join('')}`,
    `<b>Reference</b><ul><li><a href="#schemas">Schemas</a></li><li><a href="/api/v1/openapi.json">openapi.json</a></li></ul></nav>`,
    `<main id="top"><h1>${escaped(info.title)} ${escaped(info.version)}</h1>`,
    ...info.description.split('\n\n').map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    ...tags.flatMap(({ name, description }) => [
      `<h2 class="group">${escaped(name)}</h2><p class="muted">${escaped(description)}</p>`,
      ...of(name).map((named) => operationSection(named, document.servers[0]?.url ?? '')),
    ]),
    `<h2 class="group" id="schemas">Schemas</h2>${schemas.join('')}</main></div></body></html>`,
  ].join('\n');
}

const methodBadge = (method: string): string => `<span class="method ${method}">${method.toUpperCase()}</span>`;

const contentsOf = (tag: string, operations: readonly Named[]): string =>
  `<b>${escaped(tag)}</b><ul>${operations
    .map(({ method, operation }) => `<li><a href="#${operation.operationId}">${methodBadge(method)}${escaped(operation.summary)}</a></li>`)
    .join('')}</ul>`;

function operationSection({ method, path, operation }: Named, base: string): string {
  const { operationId, description, summary, requestBody } = operation;
  const request = requestBody ? `<h3>Request body${requestBody.required ? '' : ' (optional)'}</h3>${contentOf(requestBody.content)}` : '';
  return [
    `<article><h2 id="${operationId}">${escaped(summary)}</h2>`,
    `<p class="path">${methodBadge(method)} <code>${escaped(path)}</code></p><p>${escaped(description)}</p>`,
    parametersOf(operation),
    request,
    `<h3>Call</h3><pre>${escaped(curlOf({ method, path, operation }, base))}</pre>`,
    answersOf(operation),
    '</article>',
  ].join('');
}

function parametersOf({ parameters = [] }: Operation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description = '', schema }) =>
      `<tr><td><code>${escaped(name)}</code></td><td>${place}${required ? '' : ', optional'}</td><td>${typeOf(schema)}</td><td>${escaped(description)}</td></tr>`,
  );
  return `<h3>Parameters</h3>${tableOf(['Name', 'In', 'Type', 'Meaning'], rows)}`;
}

const tableOf = (heads: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;

/** The first example, ready to be tried. */
function curlOf({ method, path, operation: { requestBody } }: Named, base: string): string {
  const [example] = Object.values(Object.values(requestBody?.content ?? {})[0]?.examples ?? {});
  const lines = [`curl -X ${method.toUpperCase()} "$ORIGIN${base}${path}"`, `  -H "Authorization: Bearer $API_KEY"`];
  if (example) lines.push(`  -H "Content-Type: application/json"`, `  -d '${JSON.stringify(example.value).replaceAll("'", `'\\''`)}'`);
  return lines.join(' \\\n');
}

const FIRST_REFUSAL = 400;

function answersOf({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description, content }]) => {
    const look = Number(status) < FIRST_REFUSAL ? 'ok' : 'refused';
    return `<tr><td class="status ${look}">${status}</td><td>${escaped(description)}${contentOf(content)}</td></tr>`;
  });
  return `<h3>Answers</h3>${tableOf(['Status', 'Meaning'], rows)}`;
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
  const shape = properties ? tableOf(['Field', 'Type', 'Meaning'], rows) : `<p>${typeOf(schema)}</p>`;
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
