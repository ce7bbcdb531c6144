import { createHash } from 'node:crypto';
import { nameOf, type Answer, type ApiDocument } from './api-document';
import { errorTable } from './errors';
import { block, escaped, inline, prose } from './html';
import { answerBody, callbacksOf, operationSection, type Named } from './operation';
import { schemaSection } from './schema';
import { STYLE } from './style';

const styleDigest = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded and nothing runs: the page is one document with one style. */
export const DOCUMENTATION_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${styleDigest}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const namedOperations = ({ paths }: ApiDocument): Named[] =>
  Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, operation })));

const links = (entries: readonly (readonly [string, string])[]): string =>
  `<ul>${entries.map(([id, text]) => `<li><a href="#${escaped(id)}">${text}</a></li>`).join('')}</ul>`;

const operationLink = ({ method, operation }: Pick<Named, 'method' | 'operation'>) =>
  [
    operation.operationId,
    `<span class="method ${method}">${method.toUpperCase()}</span> <span>${inline(operation.summary)}</span>`,
  ] as const;

function navigation({ tags, components }: ApiDocument, operations: readonly Named[]): string {
  const groups = tags.map(({ name }) => {
    const tagged = operations.filter(({ operation }) => operation.tags.includes(name));
    const sent = tagged.flatMap(({ operation }) => callbacksOf(operation)).map((operation) => ({ method: 'post', operation }));
    return `<p>${escaped(name)}</p>${links([...tagged, ...sent].map(operationLink))}`;
  });
  const schemas = Object.keys(components.schemas).map((name) => [`schema-${name}`, escaped(name)] as const);
  return [
    '<nav aria-label="Contents">',
    links([
      ['start', 'Start'],
      ['errors', 'Error codes'],
      ['everywhere', 'Answers of every operation'],
      ['schemas', 'Schemas'],
    ]),
    ...groups,
    `<details><summary>Schemas</summary>${links(schemas)}</details></nav>`,
  ].join('');
}

const CREDENTIALS = `BASE=https://tires.example/api/v1   # the host that you were given
KEY=svc_test_…                      # a key of your test project`;

function start({ info, components }: ApiDocument): string {
  const keys = Object.values(components.securitySchemes).map(({ description }) => `<p>${inline(description)}</p>`);
  return [
    `<h1 id="start">${escaped(info.title)} <small>${escaped(info.version)}</small></h1>`,
    `<p>For programs: <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>${prose(info.description)}`,
    `<h3>Keys</h3>${keys.join('')}<p>The calls below take two variables:</p>${block(CREDENTIALS)}`,
  ].join('');
}

function operationGroups(document: ApiDocument, operations: readonly Named[]): string[] {
  return document.tags.map(({ name, description }) => {
    const tagged = operations.filter(({ operation }) => operation.tags.includes(name));
    return `<h2>${escaped(name)}</h2><p>${inline(description)}</p>${tagged.map((one) => operationSection(document, one)).join('')}`;
  });
}

function sharedAnswers(document: ApiDocument, operations: readonly Named[]): string {
  const statuses = new Map(
    operations.flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, { $ref }]) => ($ref ? [[nameOf($ref), status] as const] : [])),
    ),
  );
  const section = ([name, answer]: [string, Answer]) =>
    [
      `<section id="answer-${escaped(name)}"><h3><b class="status bad">${escaped(statuses.get(name) ?? '')}</b> ${escaped(name)}</h3>`,
      `<p>${inline(answer.description)}</p>${answerBody(document, answer)}</section>`,
    ].join('');
  return Object.entries(document.components.responses).map(section).join('');
}

/** The OpenAPI document for people. */
export function documentationPage(document: ApiDocument): string {
  const operations = namedOperations(document);
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => schemaSection(name, schema));
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(document.info.title)}</title><style>${STYLE}</style></head><body>`,
    `<a class="skip" href="#start">To the text</a>${navigation(document, operations)}<main>`,
    start(document),
    ...operationGroups(document, operations),
    `<h2 id="errors">Error codes</h2>${errorTable(document, operations)}`,
    `<h2 id="everywhere">Answers of every operation</h2>${sharedAnswers(document, operations)}`,
    `<h2 id="schemas">Schemas</h2>${schemas.join('')}</main></body></html>`,
  ].join('\n');
}
