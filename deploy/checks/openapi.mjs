// The committed OpenAPI document against the official schema of OpenAPI 3.1, and what a reader expects beyond it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';

const file = join(import.meta.dirname, '../../libs/contracts/openapi.json');
const text = await readFile(file, 'utf8');
const document = JSON.parse(text);
const faults = [];

const { valid, errors } = await new Validator().validate(structuredClone(document));
if (!valid) faults.push(`not OpenAPI 3.1: ${JSON.stringify(errors)}`);

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
);
const tagNames = document.tags.map(({ name }) => name);

const ids = operations.map(({ operation }) => operation.operationId);
for (const id of new Set(ids)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`${id}: two operations of this name`);

function checkAnswer(name, status, { description, headers, content }) {
  const say = (fault) => faults.push(`${name} ${status}: ${fault}`);
  if (!description) say('no description');
  if (!headers?.['X-Request-Id']) say('no X-Request-Id');
  if (status === '429' && !headers?.['Retry-After']) say('no Retry-After');
  const body = content?.['application/json'];
  if (!body && status !== '304') say('no body');
  if (body && Object.keys(body.examples ?? {}).length === 0) say('no example');
  if (Number(status) >= 400 && body?.schema?.$ref !== '#/components/schemas/ErrorEnvelope') say('not the envelope of errors');
}

for (const { name, path, operation } of operations) {
  const { tags = [], summary, description, parameters = [], requestBody, responses } = operation;
  if (!summary || !description) faults.push(`${name}: no summary or description`);
  if (tags.length === 0 || tags.some((tag) => !tagNames.includes(tag))) faults.push(`${name}: no known tag`);
  for (const [, parameter] of path.matchAll(/\{(\w+)\}/g))
    if (!parameters.some((one) => one.in === 'path' && one.name === parameter)) faults.push(`${name}: {${parameter}} is not declared`);
  for (const parameter of parameters) if (!parameter.schema) faults.push(`${name}: ${parameter.name} has no schema`);
  const body = requestBody?.content['application/json'];
  if (body && Object.keys(body.examples ?? {}).length === 0) faults.push(`${name}: no example of a request`);
  for (const [status, answer] of Object.entries(responses)) checkAnswer(name, status, answer);
}

for (const schema of Object.keys(document.components.schemas))
  if (!text.includes(`"#/components/schemas/${schema}"`)) faults.push(`${schema}: a schema that nothing refers to`);
for (const tag of tagNames)
  if (!operations.some(({ operation }) => operation.tags?.includes(tag))) faults.push(`${tag}: a tag without operations`);

for (const fault of faults) console.error(fault);
console.log(`${operations.length} operations, ${Object.keys(document.components.schemas).length} schemas, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
