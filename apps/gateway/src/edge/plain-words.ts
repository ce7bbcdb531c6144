import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const FORMATS: Readonly<Record<string, string>> = {
  guid: 'an id, as in 01978a34-5c00-7000-8000-000000000001',
  uuid: 'an id, as in 01978a34-5c00-7000-8000-000000000001',
  datetime: 'a time in UTC, as in 2026-11-21T04:05:06Z',
  date: 'a day, as in 2026-11-21',
};

const shown = (value: unknown): string => (typeof value === 'string' ? value : String(value));

/** `a, b or c` */
function oneOf(values: readonly unknown[]): string {
  const texts = values.map(shown);
  return texts.length === 1 ? texts[0]! : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
}

function size(origin: string, count: number | bigint): string {
  const unit = { string: 'character', array: 'entry' }[origin];
  if (unit === undefined) return String(count);
  const plural = unit === 'entry' ? 'entries' : `${unit}s`;
  return `${count} ${Number(count) === 1 ? unit : plural}`;
}

const has = (origin: string): string => (origin === 'string' || origin === 'array' ? 'must have' : 'must be');

/**
 * What is wrong, in plain words, to follow the name of the place. For issues whose schema has no message of its own. Undefined: zod's own
 * words.
 */
export function plainWords(issue: Issue): string | undefined {
  if (issue.input === undefined && ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code)) return 'is required.';
  switch (issue.code) {
    case 'invalid_type':
      return Object.hasOwn(TYPES, issue.expected) ? `must be ${TYPES[issue.expected]}.` : undefined;
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}.`;
    case 'invalid_format':
      return Object.hasOwn(FORMATS, issue.format) ? `must be ${FORMATS[issue.format]}.` : undefined;
    case 'too_small':
      return `${has(issue.origin)} ${issue.inclusive === false ? 'more than' : 'at least'} ${size(issue.origin, issue.minimum)}.`;
    case 'too_big':
      return `${has(issue.origin)} ${issue.inclusive === false ? 'less than' : 'at most'} ${size(issue.origin, issue.maximum)}.`;
    default:
      return undefined;
  }
}
