import { CONSOLE_OPERATIONS, type ConsoleOperation } from '@tire/contracts/operations';

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const EXTREME_TEXTS = [
  '',
  '-1',
  '1e309',
  '9223372036854775808',
  '0001-01-01',
  '9999-12-31',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '\u0000',
  LAST_ID,
  `zzzzzzzzz.${LAST_ID}`,
];

export const EXTREME_NUMBERS = [-1, 0, 1e-320, 1.5, 2 ** 31, 2 ** 63, 1e308];

const ACCEPTED_DAY = '2026-11-01';

/** Every operation of the console with a query, each of its parameters with each extreme value, and all required ones with the same. */
export const extremeQueries = (ids: Readonly<Record<string, string>>): { method: string; path: string }[] =>
  CONSOLE_OPERATIONS.flatMap((operation) =>
    EXTREME_TEXTS.flatMap((text) =>
      [...Object.keys(operation.query ?? {}).map((name) => ({ [name]: text })), ...together(operation, text)].map((given) => ({
        method: operation.method.toUpperCase(),
        path: `${pathOf(operation, ids)}?${new URLSearchParams({ ...required(operation, ACCEPTED_DAY), ...given }).toString()}`,
      })),
    ),
  );

const required = ({ query = {} }: ConsoleOperation, text: string): Record<string, string> =>
  Object.fromEntries(Object.entries(query).flatMap(([name, parameter]) => (parameter.isOptional() ? [] : [[name, text]])));

function together(operation: ConsoleOperation, text: string): Record<string, string>[] {
  const all = required(operation, text);
  return Object.keys(all).length > 1 ? [all] : [];
}

const pathOf = ({ path }: ConsoleOperation, ids: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? LAST_ID);
