import { followed, type Answer, type ApiDocument } from './api-document';
import { code, escaped, inline, table } from './html';
import type { Named } from './operation';

interface ErrorBody {
  readonly error: { readonly type: string; readonly code: string; readonly message: string; readonly retryable: boolean };
}

interface KnownError extends Omit<ErrorBody, 'error'> {
  readonly status: string;
  readonly error: ErrorBody['error'];
  readonly operations: Set<string>;
}

function knownErrors(document: ApiDocument, operations: readonly Named[]): KnownError[] {
  const known = new Map<string, KnownError>();
  for (const { operation } of operations)
    for (const [status, answer] of Object.entries(operation.responses)) {
      const { content = {} } = followed<Answer>(document, answer);
      const values = Object.values(content).flatMap(({ examples = {} }) => Object.values(examples));
      for (const { value } of Number(status) >= 400 ? values : []) {
        const { error } = value as ErrorBody;
        const key = `${status} ${error.code}`;
        const one = known.get(key) ?? { status, error, operations: new Set<string>() };
        known.set(key, one);
        one.operations.add(operation.operationId);
      }
    }
  return [...known.values()].sort((a, b) => Number(a.status) - Number(b.status) || a.error.code.localeCompare(b.error.code));
}

const link = (operationId: string): string => `<a href="#${escaped(operationId)}">${escaped(operationId)}</a>`;

/** Every code with each status that it has, and whose it is. */
export const errorTable = (document: ApiDocument, operations: readonly Named[]): string =>
  table(
    ['Status', 'Code', 'Type', 'Retryable', 'Typical message', 'Operations'],
    knownErrors(document, operations).map(({ status, error, operations: of }) => [
      `<b class="status bad">${escaped(status)}</b>`,
      code(error.code),
      code(error.type),
      error.retryable ? 'yes' : 'no',
      inline(error.message),
      of.size === operations.length ? 'all' : [...of].map(link).join(', '),
    ]),
  );
