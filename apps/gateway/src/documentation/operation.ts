import { followed, nameOf, type Answer, type ApiDocument, type Content, type Header, type Operation, type Parameter } from './api-document';
import { curlSample } from './curl';
import { block, code, details, escaped, inline, prose, table } from './html';
import { shapeOf, typeOf } from './schema';

export interface Named {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** What the service sends in turn. */
export const callbacksOf = ({ callbacks = {} }: Operation): Operation[] =>
  Object.values(callbacks)
    .flatMap((addresses) => Object.values(addresses))
    .map(({ post }) => post);

const isRefusal = (status: string): boolean => /^[45]\d\d$/.test(status);

const parameterTable = (document: ApiDocument, parameters: Operation['parameters'] = []): string =>
  table(
    ['Parameter', 'In', 'Type', 'Meaning'],
    parameters
      .map((parameter) => followed<Parameter>(document, parameter))
      .map(({ name, in: place, required, description, schema, example }) => [
        code(name),
        `${place}${required ? '' : ' <small>optional</small>'}`,
        typeOf(schema),
        `${inline(description)} <small>Example:</small> ${code(String(example))}`,
      ]),
  );

const examplesOf = (content: Content = {}): string =>
  Object.values(content)
    .flatMap(({ examples = {} }) => Object.entries(examples))
    .map(([name, { value }]) => details(`Example ${code(name)}`, block(JSON.stringify(value, null, 2))))
    .join('');

const typeOfBody = (content: Content): string =>
  Object.values(content)
    .map(({ schema }) => typeOf(schema))
    .join(' or ');

function headerTable(document: ApiDocument, headers: Answer['headers'] = {}): string {
  const rows = Object.entries(headers).map(([name, reference]) => {
    const { description, example } = followed<Header>(document, reference);
    return [code(name), inline(description), example === undefined ? '' : code(String(example))];
  });
  return rows.length === 0 ? '' : details('Headers', table(['Header', 'Meaning', 'Example'], rows));
}

/** An answer with all that it holds. */
export const answerBody = (document: ApiDocument, { headers, content }: Answer): string =>
  [content ? `<p>Body: ${typeOfBody(content)}</p>` : '', examplesOf(content), headerTable(document, headers)].join('');

const success = (document: ApiDocument, status: string, answer: Answer): string =>
  `<h4><b class="status good">${escaped(status)}</b> ${inline(answer.description)}</h4>${answerBody(document, answer)}`;

/** What is the same for every operation is told once, elsewhere. */
function refusalTable(document: ApiDocument, responses: Operation['responses']): string {
  const rows = Object.entries(responses)
    .filter(([status]) => isRefusal(status))
    .map(([status, reference]) => {
      const answer = followed<Answer>(document, reference);
      const link = reference.$ref ? `<a href="#answer-${escaped(nameOf(reference.$ref))}">as everywhere</a>` : examplesOf(answer.content);
      return [`<b class="status bad">${escaped(status)}</b>`, inline(answer.description), link];
    });
  return rows.length === 0 ? '' : `<h4>Refusals</h4>${table(['Status', 'Meaning', 'Examples'], rows)}`;
}

function requestBody(document: ApiDocument, { requestBody: request }: Operation): string {
  if (!request) return '';
  const shapes = Object.values(request.content).map(({ schema }) => shapeOf(schema, (inner) => followed(document, inner)));
  const title = `Body, ${request.required ? 'required' : 'optional'}: ${typeOfBody(request.content)}`;
  return [`<h4>${title}</h4>`, ...shapes, examplesOf(request.content)].join('');
}

/** Beside the refusals; an answer of any other status than those listed is a success where none is listed. */
const successes = (document: ApiDocument, { responses }: Operation): string =>
  Object.entries(responses)
    .filter(([status]) => !isRefusal(status))
    .map(([status, answer]) => success(document, status, followed<Answer>(document, answer)))
    .join('');

export function operationSection(document: ApiDocument, { method, path, operation }: Named): string {
  const { operationId, summary, description, parameters } = operation;
  return [
    `<section id="${operationId}"><h3><span class="method ${method}">${method.toUpperCase()}</span> ${code(path)}</h3>`,
    `<p class="summary">${inline(summary)}</p>${prose(description)}`,
    parameterTable(document, parameters),
    requestBody(document, operation),
    `<h4>Call</h4>${block(curlSample(document, method, path, operation))}`,
    successes(document, operation),
    refusalTable(document, operation.responses),
    '</section>',
    ...callbacksOf(operation).map((sent) => callbackSection(document, sent)),
  ].join('');
}

function callbackSection(document: ApiDocument, operation: Operation): string {
  const { operationId, summary, description, parameters, responses } = operation;
  const answers = Object.entries(responses).map(([status, answer]) => [
    status === 'default' ? 'any other' : code(status),
    inline(answer.description),
  ]);
  return [
    `<section id="${operationId}"><h3><span class="method post">POST</span> <code>callback_url</code></h3>`,
    `<p class="summary">${inline(summary)}</p>${prose(description)}`,
    parameterTable(document, parameters),
    requestBody(document, operation),
    `<h4>What your server answers</h4>${table(['Status', 'What it means to the service'], answers)}</section>`,
  ].join('');
}
