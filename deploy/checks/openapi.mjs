// Checks both OpenAPI documents against the official schema of OpenAPI 3.1 and with the linters of others, and that of the public API for what
// readers need beyond it. The document of the console is made by the build.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { lintFaults } from './strangers/linters.mjs';

const file = join(import.meta.dirname, '../../libs/contracts/openapi.json');
const text = await readFile(file, 'utf8');
const document = JSON.parse(text);
const faults = [];
const { consoleOpenapiJson } = createRequire(import.meta.url)(
  join(import.meta.dirname, '../../dist/libs/contracts/src/openapi/console-document.js'),
);

// A linter that finds nothing here finds nothing anywhere.
const broken = await lintFaults('broken', {
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  paths: {},
  components: { schemas: { x: { type: 'array' } } },
});
for (const linter of ['Spectral', 'Redocly'])
  if (!broken.some((fault) => fault.includes(linter))) faults.push(`${linter} finds no fault in a broken document`);

for (const [name, one] of [
  ['public API', document],
  ['console', JSON.parse(consoleOpenapiJson())],
]) {
  const { valid, errors } = await new Validator().validate(structuredClone(one));
  if (!valid) faults.push(`${name}: not OpenAPI 3.1: ${JSON.stringify(errors)}`);
  faults.push(...(await lintFaults(name, one)));
}

/** The object that a reference names. */
function followed(object) {
  if (object?.$ref === undefined) return object;
  const found = object.$ref
    .slice(2)
    .split('/')
    .reduce((node, key) => node?.[key], document);
  if (found === undefined) faults.push(`${object.$ref}: refers to nothing`);
  return found;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
);
const tagNames = document.tags.map(({ name }) => name);

const ids = operations.map(({ operation }) => operation.operationId);
for (const id of new Set(ids)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`${id}: two operations of this name`);

const BEFORE_AUTHENTICATION = ['400', '401', '408', '431'];

function checkAnswer(name, status, { description, headers, content }) {
  for (const header of Object.values(headers ?? {}))
    if (!followed(header)?.schema) faults.push(`${name} ${status}: a header without a schema`);
  const say = (fault) => faults.push(`${name} ${status}: ${fault}`);
  if (!description) say('no description');
  if (!headers?.['X-Request-Id']) say('no X-Request-Id');
  if (['429', '503'].includes(status) && !headers?.['Retry-After']) say('no Retry-After');
  if (!BEFORE_AUTHENTICATION.includes(status) && !headers?.['RateLimit-Remaining']) say('no RateLimit-Remaining');
  const body = content?.['application/json'];
  if (!body && status !== '304') say('no body');
  if (body && Object.keys(body.examples ?? {}).length === 0) say('no example');
  if (Number(status) >= 400 && body?.schema?.$ref !== '#/components/schemas/ErrorEnvelope') say('not the envelope of errors');
}

for (const [name, { operationId }] of Object.entries(document.components.links))
  if (!ids.includes(operationId)) faults.push(`${name}: a link to ${operationId}, which is no operation`);

for (const { name, path, operation } of operations) {
  const { tags = [], summary, description, requestBody, responses } = operation;
  const parameters = (operation.parameters ?? []).map(followed);
  if (!summary || !description) faults.push(`${name}: no summary or description`);
  if (tags.length === 0 || tags.some((tag) => !tagNames.includes(tag))) faults.push(`${name}: no known tag`);
  for (const [, parameter] of path.matchAll(/\{(\w+)\}/g))
    if (!parameters.some((one) => one.in === 'path' && one.name === parameter)) faults.push(`${name}: {${parameter}} is not declared`);
  for (const parameter of parameters)
    if (!parameter.schema || !parameter.description || parameter.example === undefined)
      faults.push(`${name}: ${parameter.name} has no schema, description or example`);
  const body = requestBody?.content['application/json'];
  if (body && Object.keys(body.examples ?? {}).length === 0) faults.push(`${name}: no example of a request`);
  for (const [status, answer] of Object.entries(responses)) checkAnswer(name, status, followed(answer) ?? {});
}

for (const [, reference] of text.matchAll(/"\$ref": "([^"]+)"/g)) followed({ $ref: reference });
for (const [kind, components] of Object.entries(document.components))
  for (const name of kind === 'securitySchemes' ? [] : Object.keys(components))
    if (!text.includes(`"#/components/${kind}/${name}"`)) faults.push(`${name}: one of the ${kind} that nothing refers to`);
for (const tag of tagNames)
  if (!operations.some(({ operation }) => operation.tags?.includes(tag))) faults.push(`${tag}: a tag without operations`);

for (const fault of faults) console.error(fault);
console.log(`${operations.length} operations, ${Object.keys(document.components.schemas).length} schemas, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
