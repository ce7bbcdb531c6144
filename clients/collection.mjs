// `npm run collection`: writes a collection for Postman, which Bruno imports too, from the OpenAPI document: a folder for each tag, a request
// for each example of an operation. It is not in git: nobody reviews it, and it takes no time to make.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const file = resolve(process.argv[2] ?? join(root, 'dist/clients/tire-inspection.postman_collection.json'));
const document = JSON.parse(readFileSync(join(root, 'libs/contracts/openapi.json'), 'utf8'));

const followed = (object) =>
  object.$ref
    ? object.$ref
        .slice(2)
        .split('/')
        .reduce((node, key) => node[key], document)
    : object;

/** A creation keeps its report in a variable, so that every other request is one about it. */
const KEEP_REPORT = [
  'const id = pm.response.code < 300 && pm.response.json().report_id;',
  "if (id) pm.collectionVariables.set('report_id', id);",
];

function requestOf(path, method, operation, body) {
  const parameters = (operation.parameters ?? []).map(followed);
  const inPlace = (place) => parameters.filter((parameter) => parameter.in === place);
  // Optional ones are there to be switched on.
  const optional = ({ name, description, example, required }) => ({ key: name, value: String(example), description, disabled: !required });
  const query = inPlace('query').map(optional);
  const raw = `{{base_url}}${path.replaceAll(/\{(\w+)\}/g, '{{$1}}')}`;
  return {
    method: method.toUpperCase(),
    description: operation.description,
    header: [...inPlace('header').map(optional), ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : [])],
    url: { raw, host: ['{{base_url}}'], path: raw.split('/').slice(1), query },
    ...(body && { body: { mode: 'raw', raw: JSON.stringify(body.value, null, 2), options: { raw: { language: 'json' } } } }),
  };
}

function itemsOf(path, method, operation) {
  const examples = Object.entries(operation.requestBody?.content['application/json'].examples ?? { '': undefined });
  return examples.map(([name, body]) => ({
    name: examples.length > 1 ? `${operation.summary} (${name})` : operation.summary,
    request: requestOf(path, method, operation, body),
    event: operation.operationId === 'createReport' ? [{ listen: 'test', script: { type: 'text/javascript', exec: KEEP_REPORT } }] : [],
    response: [],
  }));
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const pathVariables = new Map(
  operations.flatMap(({ operation }) =>
    (operation.parameters ?? [])
      .map(followed)
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, example }) => [name, String(example)]),
  ),
);

const collection = {
  info: {
    name: document.info.title,
    description: document.info.description,
    version: document.info.version,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
  variable: [
    { key: 'base_url', value: 'https://tires.example/api/v1' },
    { key: 'api_key', value: '' },
    ...[...pathVariables].map(([key, value]) => ({ key, value })),
  ],
  item: document.tags.map(({ name, description }) => ({
    name,
    description,
    item: operations
      .filter(({ operation }) => operation.tags[0] === name)
      .flatMap(({ path, method, operation }) => itemsOf(path, method, operation)),
  })),
};
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(collection, null, 2)}\n`);
console.log(file);
